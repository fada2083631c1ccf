//! Combination of several outputs: tuples, lists and formatted text.

use futures_util::future::try_join_all;
use futures_util::{FutureExt, TryFutureExt};

use crate::components::output::{Deferrable, Output, OutputData};
use crate::components::tasks::Settled;

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
    let settled = outputs.iter().map(Output::settled).collect();
    combined(settled, move || {
        let parts = outputs.iter().map(|output| output.peek().cloned());
        Some(collect(parts.collect::<Option<Vec<_>>>()?))
    })
}

/// The result of `combine`, which has one when all of these outputs have data: immediately if they are resolved.
fn combined<T: Deferrable>(
    outputs: Vec<Settled>,
    combine: impl Fn() -> Option<OutputData<T>> + Send + 'static,
) -> Output<T> {
    match combine() {
        Some(data) => Output::ready(data),
        None => {
            let data = move || combine().expect("all outputs have data");
            Output::after(all_settled(outputs), Box::new(move || Output::ready(data())))
        }
    }
}

fn all_settled(outputs: Vec<Settled>) -> Settled {
    try_join_all(outputs).map_ok(drop).boxed().shared()
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

macro_rules! combine_tuples {
    ($($($T:ident $t:ident)+;)+) => {$(
        impl<$($T: Deferrable),+> Combine for ($(Output<$T>,)+) {
            type Values = ($($T,)+);

            fn combine(self) -> Output<Self::Values> {
                let ($($t,)+) = self;
                combined(vec![$($t.settled()),+], move || {
                    let ($($t,)+) = ($($t.peek()?,)+);
                    let mut whole = OutputData::known(());
                    $(whole = whole.tainted($t.secret, $t.dependencies.clone());)+
                    let values = || Some(($($t.value.clone()?,)+));
                    Some(OutputData {
                        value: values(),
                        secret: whole.secret,
                        dependencies: whole.dependencies,
                    })
                })
            }
        }
    )+};
}

combine_tuples! {
    A a;
    A a B b;
    A a B b C c;
    A a B b C c D d;
    A a B b C c D d E e;
    A a B b C c D d E e F f;
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
