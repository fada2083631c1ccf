//! Declared functions that return all objects of a kind.

/// Declares functions that return all objects of a kind, and the list of their entries.
///
/// - `of` is the type of a function that finds one object of the kind.
/// - `inputs` are filters, with their rules, after `in CONTEXT` if there is one (see [`input!`](super::input::input)).
/// - `output: Output of Object => make(inputs)` converts each object to `Object`, and the list of them, which is sorted by
///   path or id, to `Output`: `make` is an async function of the context of the call, the objects and the named inputs.
/// - `also_reads` lists what the function reads in addition to objects of the kind.
/// - `facts` are methods of [`LookupSpec`](crate::LookupSpec).
macro_rules! lists {
    (
        $(#[$list_doc:meta])*
        $list:ident;
        $(
            $(#[doc = $doc:literal])+
            $name:ident = $function:literal, $noun:literal {
                of: $one:ty,
                inputs: $(in $context:ident)? {
                    $($(#[$input_meta:meta])* $input:ident: $input_type:ident $(<$input_of:ident>)? => $rule:expr,)*
                },
                output: $output:ty, of $object:ty => $make:ident($($argument:ident),*),
                $(also_reads: [$($also:expr),* $(,)?],)?
                facts: $($facts:tt)*
            }
        )*
    ) => {
        $(#[$list_doc])*
        pub(super) const $list: &[$crate::registry::Entry] = &[
            $($crate::registry::Entry::of::<$name>(),)*
        ];
        $(
            $crate::declared::input::input! {
                [concat!($($doc),+)] $name, $function; list $(in $context)? { }
                { $($(#[$input_meta])* $input: $input_type $(<$input_of>)? => $rule,)* }
            }

            impl $name {
                /// Selects all objects.
                #[must_use]
                pub fn new() -> Self {
                    Self::default()
                }
            }

            impl $crate::lookup::Lookup for $name {
                type Output = $output;
                const SPEC: $crate::spec::LookupSpec = $crate::declared::facts::spec!(
                    further $function, $noun, concat!($($doc),+); $($facts)*
                )
                .answers($crate::spec::ResultKind::Table);

                fn reads() -> Vec<$crate::reads::FunctionRead> {
                    #[allow(unused_mut, reason = "most functions have inputs that add to it")]
                    let mut reads =
                        $crate::reads::InputReads::of(<$one as $crate::declared::facts::OfKind>::KIND);
                    $($rule.reads(&mut reads);)*
                    $(reads.also([$($also),*]);)?
                    reads.finish()
                }

                fn invocation(
                    self,
                    scope: &$crate::read::Scope,
                ) -> Result<$crate::lookup::Invocation<$output>, Vec<netmgr_types::InvalidProperty>> {
                    let plan = $crate::declared::plan::PlanBuilder::new(
                        <$one as $crate::declared::facts::OfKind>::KIND,
                        scope,
                    );
                    $(let plan = $crate::declared::plan::with_context!(plan, self, $context);)?
                    $(let plan = plan.with(&$rule, stringify!($input), &self.$input);)*
                    let plan = plan.finish_list()?;
                    Ok($crate::lookup::Invocation::own(move |cx| Box::pin(async move {
                        let objects: Vec<$object> = $crate::declared::lists::all(cx, plan).await?;
                        $make(cx, objects $(, &self.$argument)*).await
                    })))
                }
            }
        )*
    };
}
pub(crate) use lists;

use std::sync::Arc;

use netmgr_types::wire::ManagedObject;

use super::plan::ListPlan;
use crate::context::LookupContext;
use crate::error::Error;
use crate::sentences::plural;

/// The objects of `plan`, sorted by path, or by id if they have none. Policy objects without a path are left out with a
/// warning.
pub(crate) async fn all<O: for<'o> From<&'o ManagedObject> + Send + 'static>(
    cx: &LookupContext<'_>,
    plan: ListPlan,
) -> Result<Vec<O>, Error> {
    let ListPlan { read, filters } = plan;
    let needs_path = read.kind.is_policy();
    let keep = move |object: &ManagedObject| {
        let fits = filters.iter().all(|filter| filter.fits(object));
        let path = object.path().map(str::to_owned);
        let place = path.unwrap_or_else(|| {
            if needs_path {
                String::new()
            } else {
                object.id().to_owned()
            }
        });
        fits.then(|| (place, O::from(object)))
    };
    let nouns = plural(read.kind.noun);
    let mut objects = cx.collect(&Arc::new(read), keep).await?;
    let total = objects.len();
    objects.retain(|(place, _)| !place.is_empty());
    let left_out = total - objects.len();
    if left_out > 0 {
        cx.warn(&format!(
            "the {nouns} are incomplete: {left_out} of {total} have no `path`"
        ));
    }
    objects.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(objects.into_iter().map(|(_, object)| object).collect())
}
