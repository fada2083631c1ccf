//! Combination of several outputs: tuples, lists and formatted text.

use futures_util::future::{try_join, try_join_all};

use crate::components::output::{Deferrable, Output, OutputData};

/// Combines a tuple of outputs into an output of a tuple.
///
/// ```
/// use pulumi_plugin::components::{Output, all};
///
/// let sum = all((Output::known(1), Output::known(2))).map(|(a, b)| a + b);
/// assert_eq!(sum.peek_known(), Some(&3));
/// ```
pub fn all<C: Combine>(outputs: C) -> Output<C::Values> {
    outputs.combine()
}

/// Combines a list of outputs into an output of a list.
pub fn all_of<T: Deferrable>(outputs: Vec<Output<T>>) -> Output<Vec<T>> {
    if let Some(ready) = outputs
        .iter()
        .map(|output| output.peek().cloned())
        .collect::<Option<Vec<_>>>()
    {
        return Output::ready(collect(ready));
    }
    Output::later(async move { Ok(collect(try_join_all(outputs.iter().map(Output::resolve)).await?)) })
}

fn collect<T>(parts: Vec<OutputData<T>>) -> OutputData<Vec<T>> {
    let mut whole = OutputData::known(Vec::with_capacity(parts.len()));
    for OutputData {
        value,
        secret,
        dependencies,
    } in parts
    {
        whole = whole.tainted(secret, dependencies);
        whole.value = whole.value.zip(value).map(|(mut values, value)| {
            values.push(value);
            values
        });
    }
    whole
}

/// A tuple of outputs, for [`all`].
pub trait Combine {
    /// The tuple of their values.
    type Values: Deferrable;
    /// Combines the outputs. The result is resolved when all of them are.
    fn combine(self) -> Output<Self::Values>;
}

fn pair<A: Deferrable, B: Deferrable>(a: Output<A>, b: Output<B>) -> Output<(A, B)> {
    let zip = |a: OutputData<A>, b: OutputData<B>| {
        OutputData {
            value: a.value.zip(b.value),
            secret: a.secret,
            dependencies: a.dependencies,
        }
        .tainted(b.secret, b.dependencies)
    };
    if let (Some(a), Some(b)) = (a.peek(), b.peek()) {
        return Output::ready(zip(a.clone(), b.clone()));
    }
    Output::later(async move {
        let (a, b) = try_join(a.resolve(), b.resolve()).await?;
        Ok(zip(a, b))
    })
}

/// Each tuple extends the next shorter one.
macro_rules! combine_tuples {
    ($(($($T:ident $t:ident)+) + $U:ident $u:ident;)+) => {$(
        impl<$($T: Deferrable,)+ $U: Deferrable> Combine for ($(Output<$T>,)+ Output<$U>) {
            type Values = ($($T,)+ $U);

            fn combine(self) -> Output<Self::Values> {
                let ($($t,)+ $u) = self;
                pair(all(($($t,)+)), $u).map(|(($($t,)+), $u)| ($($t,)+ $u))
            }
        }
    )+};
}

impl<A: Deferrable> Combine for (Output<A>,) {
    type Values = (A,);

    fn combine(self) -> Output<(A,)> {
        self.0.map(|a| (a,))
    }
}

combine_tuples! {
    (A a) + B b;
    (A a B b) + C c;
    (A a B b C c) + D d;
    (A a B b C c D d) + E e;
    (A a B b C c D d E e) + F f;
}

/// Text formatted from deferred values: `format_output!("arn:{p}:iam::aws:policy/{name}", p = partition)`.
///
/// Named arguments are outputs; other names in the text are ordinary variables.
///
/// ```
/// use pulumi_plugin::components::{Output, format_output};
///
/// let partition = Output::known("aws".to_owned());
/// let name = "ReadOnlyAccess";
/// let arn = format_output!("arn:{p}:iam::aws:policy/{name}", p = partition);
/// assert_eq!(arn.peek_known().map(String::as_str), Some("arn:aws:iam::aws:policy/ReadOnlyAccess"));
/// ```
#[macro_export]
macro_rules! format_output {
    ($text:literal $(, $name:ident = $output:expr)+ $(,)?) => {
        $crate::components::all(($($output,)+)).map(move |($($name,)+)| ::std::format!($text $(, $name = $name)+))
    };
}
