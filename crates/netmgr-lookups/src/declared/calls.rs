//! Declared functions with their own code for requests, and those that return all objects of a kind.

use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::plan::Plan;
use crate::finding::project;
use crate::wording::nouns::plural;
use crate::wording::sentences;

/// Declares functions whose output an async function computes, and the list of their entries and the entries of
/// functions with their own files.
///
/// - `of` is the kind of the objects, if the function reads all of a kind.
/// - `inputs` are checked by their rules, after `in CONTEXT` if there is one (see [`input!`](super::input::input)) and
///   `as WORDING`. Those of a function that reads objects of a kind are filters.
/// - `output: Output => make(inputs)` is an async function of the context of the call and the named inputs. With
///   `, of Object` behind `Output`, the objects of the kind, which are converted to `Object` and sorted by path or id,
///   precede the inputs. Constants in brackets behind `make` precede the inputs as well.
/// - `reads` lists further kinds of objects that the function reads.
/// - `facts` are fields of [`LookupSpec`](crate::LookupSpec) with their values.
macro_rules! calls {
    (
        $list:ident $(, with [$($entry:expr),* $(,)?])?;
        $(
            $(#[doc = $doc:literal])+
            $name:ident = $function:literal, $noun:literal {
                $(of: $kind:expr,)?
                inputs: $(in $context:ident)? $(as $wording:ident)? {
                    $($(#[$input_meta:meta])* $input:ident: $input_type:ident $(<$input_of:ident>)? => $rule:expr,)*
                },
                output: $output:ty $(, of $object:ty)? => $make:ident $([$($constant:expr),*])? ($($argument:ident),*),
                $(reads: [$($read:expr),* $(,)?],)?
                facts: $($fact:ident($value:expr $(,)?)).* $(,)?
            }
        )*
    ) => {
        pub(super) const $list: &[$crate::contract::registry::FunctionEntry] = &[
            $($crate::contract::registry::FunctionEntry::of::<$name>(),)*
            $($($entry,)*)?
        ];
        $(
            $crate::declared::input! {
                [concat!($($doc),+)] $name, $function; [$($context)?] [] [$($wording)?] { }
                { $($(#[$input_meta])* $input: $input_type $(<$input_of>)? => $rule,)* }
            }

            impl $crate::contract::function::Lookup for $name {
                type Output = $output;
                const SPEC: $crate::contract::spec::LookupSpec = $crate::contract::spec::LookupSpec {
                    $($fact: $value,)*
                    ..$crate::contract::spec::LookupSpec::new($function, $noun, concat!($($doc),+).trim_ascii_start())
                };

                const KINDS: &'static [&'static $crate::finding::object_kind::ObjectKind] =
                    &[$($kind,)? $($($read),*)?];

                fn invocation(
                    self,
                    scope: &$crate::finding::read::Scope,
                ) -> Result<$crate::contract::function::Invocation<$output>, Vec<netmgr_types::InvalidProperty>> {
                    let kind = [$($kind,)? $crate::declared::plan::NO_KIND][0];
                    let plan = $crate::declared::PlanBuilder::new(kind, scope);
                    $(let plan = plan.with_context(stringify!($context), &self.context);)?
                    $(let plan = plan.with(&$rule, stringify!($input), &self.$input);)*
                    #[allow(unused_variables, reason = "not all functions read objects of a kind")]
                    let plan = plan.finish_list()?;
                    Ok($crate::contract::function::Invocation::own(move |cx| Box::pin(async move {
                        $make(
                            cx,
                            $($crate::declared::all::<$object>(cx, plan).await?,)?
                            $($($constant,)*)?
                            $(&self.$argument,)*
                        )
                        .await
                    })))
                }
            }
        )*
    };
}
pub(crate) use calls;

/// The objects of `plan`, sorted by path, or by id if they have none. Policy objects without a path are left out with a
/// warning.
pub(crate) async fn all<O: for<'o> From<&'o ManagedObject> + Send + 'static>(
    cx: &LookupContext<'_>,
    plan: Plan,
) -> Result<Vec<O>, Error> {
    let Plan { read, criteria, .. } = plan;
    let needs_path = read.kind.is_policy();
    let keep = move |object: &ManagedObject| {
        let fits = criteria.filters.iter().all(|filter| filter.fits(object));
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
    let mut objects = cx.collect(&read, keep).await?;
    if objects.is_empty()
        && let Some(error) = project::missing_owner(cx, &read, &sentences::none(cx, &read)).await
    {
        return Err(error);
    }
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
