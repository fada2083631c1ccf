//! Lookup functions as data: a declaration contains the name, the kind of object, the inputs and the outputs. The input
//! type, the facts, the plan and the output type are generated from it.
//!
//! The declarations are in `functions/`, in one file for each subject. Functions with their own logic have their own
//! files and do not use this module. `rules.rs` and `paths.rs` define the meanings of inputs.

use netmgr_types::Deployment;

mod calls;
mod context;
pub(crate) mod facts;
pub(crate) mod input;
pub(crate) mod lists;
mod maps;
pub(crate) mod output;
pub(crate) mod paths;
pub(crate) mod plan;
pub(crate) mod rules;
mod shared;

pub(crate) use calls::calls;
pub(crate) use context::Context;
pub(crate) use facts::{OfKind, spec};
pub(crate) use input::input;
pub(crate) use lists::lists;
pub(crate) use maps::maps;
pub(crate) use output::output;
pub(crate) use plan::{PlanBuilder, selectors, with_context};
pub(crate) use shared::{SharedInput, SharedOutput};

/// Deployments with a policy API.
pub(crate) const EVERYWHERE: &[Deployment] = &[
    Deployment::PolicyManager,
    Deployment::GlobalManager,
    Deployment::HostedCloud,
];
/// Policy managers and global managers.
pub(crate) const POLICY_AND_GLOBAL: &[Deployment] = &[Deployment::GlobalManager, Deployment::PolicyManager];
/// Policy managers and the hosted cloud.
pub(crate) const POLICY_AND_CLOUD: &[Deployment] = &[Deployment::PolicyManager, Deployment::HostedCloud];
/// Policy managers only.
pub(crate) const POLICY: &[Deployment] = &[Deployment::PolicyManager];

/// Declares lookup functions, and the list of their entries and those of functions with their own files.
///
/// ```text
/// lookups! {
///     ENTRIES, with [Entry::of::<GetOther>()];
///
///     /// Finds a gateway connection by id or display name.
///     GetPolicyGatewayConnection = "getPolicyGatewayConnection", "gateway connection" {
///         kind: infra("GatewayConnection", "gateway-connections"),
///         inputs: prefix {
///             /// Policy path of the tier-0 gateway of the connection.
///             tier0_path: Option<String> => PathOf("tier0_path", TIER0),
///         },
///         output: ObjectOutput,
///         facts: on(POLICY).example(r#"{"displayName": "uplink"}"#),
///     }
/// }
/// ```
///
/// - `kind` is a constructor of [`ObjectKind`](crate::read::ObjectKind) without its noun, and further methods.
/// - `inputs` begins with how objects are selected (see [`Selectors`](plan::Selectors)), then `in CONTEXT` if there is one (see
///   [`input!`]), then the inputs other than `id`, `displayName` and `description`, each with its rule.
/// - `shape: Input => Output` names inputs and outputs that several functions of the specification share.
/// - `then` is a function that completes the object with further requests, with the inputs that it needs.
/// - `also_reads` lists what the function reads in addition to objects of the kind.
/// - `output` is a type that can be created from the object, or the name and the members of a new type. Members are
///   read from the member of the object with the same name unless `= "other"` or `=> function` follows. `without path;`
///   before the members means that the object has no policy path.
/// - `facts` are methods of [`LookupSpec`](crate::LookupSpec).
macro_rules! lookups {
    (
        $(#[$list_doc:meta])*
        $list:ident $(, with [$($entry:expr),* $(,)?])?;
        $(
            $(#[doc = $doc:literal])+
            $name:ident = $function:literal, $noun:literal { $($body:tt)* }
        )*
    ) => {
        $(#[$list_doc])*
        pub(super) const $list: &[$crate::registry::Entry] = &[
            $($crate::registry::Entry::of_objects::<$name>(),)*
            $($($entry,)*)?
        ];
        $(
            $crate::declared::lookup! {
                [concat!($($doc),+)] $name, $function, $noun; $($body)*
            }
        )*
    };
}
pub(crate) use lookups;

/// One function of [`lookups`].
macro_rules! lookup {
    (
        [$doc:expr] $name:ident, $function:literal, $noun:literal;
        kind: $place:ident($($argument:expr),*) $(.$change:ident($($change_argument:expr),*))*,
        shape: $shape:ident => $output:ident,
        facts: $($facts:tt)*
    ) => {
        $crate::request::request! {
            #[doc = $doc]
            $name($shape) -> $output
        }
        const _: () = {
            const KIND: $crate::read::ObjectKind =
                $crate::read::ObjectKind::$place($noun, $($argument),*) $(.$change($($change_argument),*))*;

            impl $crate::declared::OfKind for $name {
                const KIND: &'static $crate::read::ObjectKind = &KIND;
            }

            impl $crate::lookup::Lookup for $name {
                type Output = $output;
                const SPEC: $crate::spec::LookupSpec =
                    $crate::declared::spec!(new $function, $noun, $doc; $($facts)*);

                fn reads() -> Vec<$crate::reads::FunctionRead> {
                    vec![$crate::reads::FunctionRead::of(&KIND)]
                }

                fn invocation(
                    self,
                    scope: &$crate::read::Scope,
                ) -> Result<$crate::lookup::Invocation<$output>, Vec<netmgr_types::InvalidProperty>> {
                    let plan = $crate::declared::SharedInput::plan(&self.0, &KIND, scope)?;
                    let context = $crate::declared::SharedInput::context(&self.0);
                    Ok($crate::lookup::Invocation::object(plan, move |object| {
                        $crate::declared::SharedOutput::of(object, context.clone())
                    }))
                }
            }
        };
    };
    (
        [$doc:expr] $name:ident, $function:literal, $noun:literal;
        kind: $place:ident($($argument:expr),*) $(.$change:ident($($change_argument:expr),*))*,
        inputs: $selectors:ident $(in $context:ident)? {
            $($(#[$input_meta:meta])* $input:ident: $input_type:ident $(<$input_of:ident>)? => $rule:expr,)*
        },
        $(then: $complete:ident($($completing:ident),*),)?
        $(also_reads: [$($also:expr),* $(,)?],)?
        output: $output:ident $({ $($member:tt)* })?,
        facts: $($facts:tt)*
    ) => {
        $crate::declared::input! {
            [$doc] $name, $function; $selectors $(in $context)? { }
            { $($(#[$input_meta])* $input: $input_type $(<$input_of>)? => $rule,)* }
        }
        $($crate::declared::output! {
            [concat!("Output of `", $function, "`.")] $output { $($member)* }
        })?
        const _: () = {
            const KIND: $crate::read::ObjectKind =
                $crate::read::ObjectKind::$place($noun, $($argument),*) $(.$change($($change_argument),*))*;

            impl $crate::declared::OfKind for $name {
                const KIND: &'static $crate::read::ObjectKind = &KIND;
            }

            impl $crate::lookup::Lookup for $name {
                type Output = $output;
                const SPEC: $crate::spec::LookupSpec =
                    $crate::declared::spec!(further $function, $noun, $doc; $($facts)*);

                fn reads() -> Vec<$crate::reads::FunctionRead> {
                    #[allow(unused_mut, reason = "most functions have inputs that add to it")]
                    let mut reads = $crate::reads::InputReads::of(&KIND);
                    $($rule.reads(&mut reads);)*
                    $(reads.also([$($also),*]);)?
                    reads.finish()
                }

                fn invocation(
                    self,
                    scope: &$crate::read::Scope,
                ) -> Result<$crate::lookup::Invocation<$output>, Vec<netmgr_types::InvalidProperty>> {
                    let plan = $crate::declared::PlanBuilder::new(&KIND, scope);
                    $(let plan = $crate::declared::with_context!(plan, self, $context);)?
                    $(let plan = plan.with(&$rule, stringify!($input), &self.$input);)*
                    let selectors =
                        $crate::plan::InputSelectors::new(&self.id, &self.display_name, &self.description);
                    let plan = plan.finish(selectors, $crate::declared::selectors!($selectors))?;
                    let invocation = $crate::lookup::Invocation::object(plan, |object| object.into());
                    $(let invocation = invocation.completed(move |cx, object| {
                        Box::pin(async move { $complete(cx, object $(, &self.$completing)*).await })
                    });)?
                    Ok(invocation)
                }
            }
        };
    };
}
pub(crate) use lookup;
