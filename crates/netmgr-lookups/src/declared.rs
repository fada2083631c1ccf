//! Lookup functions as data: a declaration contains the name, the kind of object, the inputs and the outputs. The input
//! type, the facts, the plan and the output type are generated from it.
//!
//! The declarations are in `functions/`, in one file for each subject. Functions with their own logic have their own
//! files and do not use this module. `rules.rs` and `paths.rs` define the meanings of inputs.

use netmgr_types::Deployment;

mod calls;
mod context;
pub(crate) mod input;
pub(crate) mod output;
pub(crate) mod paths;
pub(crate) mod plan;
pub(crate) mod rules;
pub(crate) mod wording;

pub(crate) use calls::{all, calls};
pub(crate) use context::InputContext;
pub(crate) use input::{Repeated, input};
pub(crate) use output::{lists, output};
pub(crate) use plan::{PlanBuilder, Selectors};

use crate::contract::spec::Availability;
use crate::finding::object_kind::ObjectKind;

/// A declared function for objects of a kind. Other functions may read objects of its kind.
pub(crate) trait OfKind {
    const KIND: &'static ObjectKind;
}

/// Deployments with a policy API.
pub(crate) const EVERYWHERE: Availability = Availability::Only(&[
    Deployment::PolicyManager,
    Deployment::GlobalManager,
    Deployment::HostedCloud,
]);
/// Policy managers and global managers.
pub(crate) const POLICY_AND_GLOBAL: Availability =
    Availability::Only(&[Deployment::GlobalManager, Deployment::PolicyManager]);
/// Policy managers and the hosted cloud.
pub(crate) const POLICY_AND_CLOUD: Availability =
    Availability::Only(&[Deployment::PolicyManager, Deployment::HostedCloud]);
/// Policy managers only.
pub(crate) const POLICY: Availability = Availability::Only(&[Deployment::PolicyManager]);

/// Declares lookup functions, and the list of their entries and the entries of functions with their own files.
///
/// ```text
/// lookups! {
///     ENTRIES, with [FunctionEntry::of::<GetOther>()];
///
///     /// Finds a gateway connection by id or display name.
///     GetPolicyGatewayConnection = "getPolicyGatewayConnection", "gateway connection" {
///         kind: infra("GatewayConnection", "gateway-connections"),
///         inputs: Prefix {
///             /// Policy path of the tier-0 gateway of the connection.
///             tier0_path: Option<String> => PathOf("tier0_path", TIER0),
///         },
///         output: ObjectOutput,
///         facts: availability(POLICY).example(r#"{"displayName": "uplink"}"#),
///     }
/// }
/// ```
///
/// - `kind` is a constructor of [`ObjectKind`](crate::finding::object_kind::ObjectKind) without its noun, and further methods.
/// - `inputs` begins with how objects are selected (see [`Selectors`]), then `in CONTEXT` if there is one (see [`input!`]),
///   then `as WORDING` if the schema has other words (see [`Wording`](wording::Wording)), then the inputs other than `id`,
///   `displayName` and `description`, each with its rule. `first { … }` before them has those that messages list first.
/// - `must_be` checks each object, independent of how it was found.
/// - `plan` is a function that completes the plan.
/// - `then` is a function that completes the object with further requests, with the inputs that it needs.
/// - `also_reads` lists further kinds of objects that the function reads.
/// - `repeats` lists outputs that have the values of the inputs with the same names.
/// - `output` is a type that can be created from the object, or the name and the members of a new type. Members are
///   read from the member of the object with the same name unless `= "other"` or `=> function` follows. `without path;`
///   before the members means that the object has no policy path.
/// - `facts` are fields of [`LookupSpec`](crate::LookupSpec) with their values.
macro_rules! lookups {
    (
        $list:ident $(, with [$($entry:expr),* $(,)?])?;
        $(
            $(#[doc = $doc:literal])+
            $name:ident = $function:literal, $noun:literal {
                kind: $place:ident($($argument:expr),*) $(.$change:ident($($change_argument:expr),*))*,
                inputs: $selectors:ident $(in $context:ident)? $(as $wording:ident)?
                $(first {
                    $($(#[$first_meta:meta])* $first:ident: $first_type:ident $(<$first_of:ident>)? => $first_rule:expr,)*
                })?
                {
                    $($(#[$input_meta:meta])* $input:ident: $input_type:ident $(<$input_of:ident>)? => $rule:expr,)*
                },
                $(must_be: $must_be:expr,)?
                $(plan: $planned:ident,)?
                $(then: $complete:ident($($completing:ident),*),)?
                $(also_reads: [$($also:expr),* $(,)?],)?
                $(repeats: [$($repeated:ident),*],)?
                output: $output:ident $({ $($member:tt)* })?,
                facts: $($fact:ident($value:expr $(,)?)).* $(,)?
            }
        )*
    ) => {
        pub(super) const $list: &[$crate::contract::registry::FunctionEntry] = &[
            $($crate::contract::registry::FunctionEntry::of_objects::<$name>(),)*
            $($($entry,)*)?
        ];
        $(
            $crate::declared::input! {
                [concat!($($doc),+)] $name, $function; [$($context)?] [$selectors] [$($wording)?]
                { $($($(#[$first_meta])* $first: $first_type $(<$first_of>)? => $first_rule,)*)? }
                { $($(#[$input_meta])* $input: $input_type $(<$input_of>)? => $rule,)* }
            }
            $($crate::declared::output! {
                [concat!("Output of `", $function, "`.")] $output { $($member)* }
            })?
            impl $crate::declared::OfKind for $name {
                const KIND: &'static $crate::finding::object_kind::ObjectKind = &$crate::finding::object_kind::ObjectKind::$place($noun, $($argument),*)
                    $(.$change($($change_argument),*))*;
            }
            impl $crate::contract::function::Lookup for $name {
                type Output = $output;
                const SPEC: $crate::contract::spec::LookupSpec = $crate::contract::spec::LookupSpec {
                    $($fact: $value,)*
                    ..$crate::contract::spec::LookupSpec::new($function, $noun, concat!($($doc),+).trim_ascii_start())
                };

                const KINDS: &'static [&'static $crate::finding::object_kind::ObjectKind] =
                    &[<Self as $crate::declared::OfKind>::KIND $($(, $also)*)?];

                fn invocation(
                    self,
                    scope: &$crate::finding::read::Scope,
                ) -> Result<$crate::contract::function::Invocation<$output>, Vec<netmgr_types::InvalidProperty>> {
                    let plan = $crate::declared::PlanBuilder::new(<Self as $crate::declared::OfKind>::KIND, scope);
                    $(let plan = plan.with_context(stringify!($context), &self.context);)?
                    $($(let plan = plan.with(&$first_rule, stringify!($first), &self.$first);)*)?
                    $(let plan = plan.with(&$rule, stringify!($input), &self.$input);)*
                    let selectors = $crate::finding::plan::InputSelectors {
                        id: netmgr_types::shapes::given(&self.id),
                        name: netmgr_types::shapes::given(&self.display_name),
                        description: netmgr_types::shapes::given(&self.description),
                    };
                    let plan = plan.finish(selectors, $crate::declared::Selectors::$selectors)?;
                    $(let plan = $crate::finding::plan::Plan { must_be: Some($must_be), ..plan };)?
                    $(let plan = $planned(plan);)?
                    let invocation = $crate::contract::function::Invocation::object(plan, move |object| {
                        #[allow(unused_mut, reason = "few outputs repeat inputs")]
                        let mut output = $output::from(object);
                        $($(output.$repeated = $crate::declared::Repeated::repeated(&self.$repeated);)*)?
                        output
                    });
                    $(let invocation = invocation.completed(move |cx, object| {
                        Box::pin(async move { $complete(cx, object $(, &self.$completing)*).await })
                    });)?
                    Ok(invocation)
                }
            }
        )*
    };
}
pub(crate) use lookups;
