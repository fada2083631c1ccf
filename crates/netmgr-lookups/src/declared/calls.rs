//! Declared functions with their own code for requests.

/// Declares functions whose output an async function computes, and the list of their entries and those of functions
/// with their own files.
///
/// - `inputs` are checked by their rules, after `in CONTEXT` if there is one (see [`input!`](super::input::input)).
/// - `output: Output => make(inputs)` is an async function of the context of the call and the named inputs.
/// - `reads` lists what the function reads.
/// - `facts` are methods of [`LookupSpec`](crate::LookupSpec).
macro_rules! calls {
    (
        $(#[$list_doc:meta])*
        $list:ident $(, with [$($entry:expr),* $(,)?])?;
        $(
            $(#[doc = $doc:literal])+
            $name:ident = $function:literal, $noun:literal {
                inputs: $(in $context:ident)? {
                    $($(#[$input_meta:meta])* $input:ident: $input_type:ident $(<$input_of:ident>)? => $rule:expr,)*
                },
                output: $output:ty => $make:ident($($argument:ident),*),
                reads: [$($read:expr),* $(,)?],
                facts: $($facts:tt)*
            }
        )*
    ) => {
        $(#[$list_doc])*
        pub(super) const $list: &[$crate::registry::Entry] = &[
            $($crate::registry::Entry::of::<$name>(),)*
            $($($entry,)*)?
        ];
        $(
            $crate::declared::input::input! {
                [concat!($($doc),+)] $name, $function; list $(in $context)? { }
                { $($(#[$input_meta])* $input: $input_type $(<$input_of>)? => $rule,)* }
            }

            impl $name {
                /// The lookup without inputs.
                #[must_use]
                pub fn new() -> Self {
                    Self::default()
                }
            }

            impl $crate::lookup::Lookup for $name {
                type Output = $output;
                const SPEC: $crate::spec::LookupSpec = $crate::declared::facts::spec!(
                    further $function, $noun, concat!($($doc),+); $($facts)*
                );

                fn reads() -> Vec<$crate::reads::FunctionRead> {
                    vec![$($read),*]
                }

                fn invocation(
                    self,
                    scope: &$crate::read::Scope,
                ) -> Result<$crate::lookup::Invocation<$output>, Vec<netmgr_types::InvalidProperty>> {
                    let plan = $crate::declared::plan::PlanBuilder::without_kind(scope);
                    $(let plan = $crate::declared::plan::with_context!(plan, self, $context);)?
                    $(let plan = plan.with(&$rule, stringify!($input), &self.$input);)*
                    plan.finish_list()?;
                    Ok($crate::lookup::Invocation::own(move |cx| {
                        Box::pin(async move { $make(cx $(, &self.$argument)*).await })
                    }))
                }
            }
        )*
    };
}
pub(crate) use calls;
