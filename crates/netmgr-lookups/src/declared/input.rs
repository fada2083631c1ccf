//! The input types of declared functions.

use netmgr_types::shapes::{TenantContext, given};
use schemars::Schema;
use serde_json::{Value, json};

use super::plan::Selectors;
use super::rules::KEY;
use super::wording::Wording;

/// The input type of a function: its context, its own inputs, and those that select by id or name.
///
/// | Context | Input |
/// |---|---|
/// | `project` | a project other than the default one, optional |
/// | `any_project` | any project, optional |
/// | `required_project` | any project |
/// | `project_or_global` | a project, or the objects of the global manager, optional |
/// | `vpc` | a VPC |
///
/// The message for an unknown input shows them in this order: the context, those in the first braces, those that select,
/// and those in the second braces.
macro_rules! input {
    ([$doc:expr] $name:ident, $function:literal; [] $($rest:tt)*) => {
        $crate::declared::input! { @selectors [$doc] $name, $function; { } $($rest)* }
    };
    ([$doc:expr] $name:ident, $function:literal; [project] $($rest:tt)*) => {
        $crate::declared::input! { @selectors [$doc] $name, $function; {
            /// Tenant context that the object belongs to. By default, objects outside all projects are searched.
            #[serde(default, deserialize_with = "netmgr_types::object::optional")]
            pub context: Option<netmgr_types::shapes::TenantContext>,
        } $($rest)* }
        $crate::declared::input! { @project $name TenantContext }
    };
    ([$doc:expr] $name:ident, $function:literal; [any_project] $($rest:tt)*) => {
        $crate::declared::input! { @selectors [$doc] $name, $function; {
            /// Project that the object belongs to. By default, objects outside all projects are searched.
            #[serde(default, deserialize_with = "netmgr_types::object::optional")]
            pub context: Option<netmgr_types::shapes::ProjectContext>,
        } $($rest)* }
        $crate::declared::input! { @project $name ProjectContext }
    };
    ([$doc:expr] $name:ident, $function:literal; [required_project] $($rest:tt)*) => {
        $crate::declared::input! { @selectors [$doc] $name, $function; {
            /// Project that the object belongs to.
            #[serde(deserialize_with = "netmgr_types::object::required")]
            pub context: netmgr_types::shapes::ProjectContext,
        } $($rest)* }
        $crate::declared::input! { @project $name ProjectContext }
    };
    ([$doc:expr] $name:ident, $function:literal; [project_or_global] $($rest:tt)*) => {
        $crate::declared::input! { @selectors [$doc] $name, $function; {
            /// Project that the object belongs to, or the global manager. By default, objects of this manager outside
            /// all projects are searched.
            #[serde(default, deserialize_with = "netmgr_types::object::optional")]
            pub context: Option<netmgr_types::shapes::GlobalContext>,
        } $($rest)* }
        $crate::declared::input! { @project $name GlobalContext }
    };
    ([$doc:expr] $name:ident, $function:literal; [vpc] $($rest:tt)*) => {
        $crate::declared::input! { @selectors [$doc] $name, $function; {
            /// VPC that the object belongs to.
            #[serde(deserialize_with = "netmgr_types::object::required")]
            pub context: netmgr_types::shapes::VpcContext,
        } $($rest)* }
        impl $name {
            /// Sets the VPC that the object belongs to, which is required.
            #[must_use]
            pub fn vpc(self, project_id: impl Into<String>, vpc_id: impl Into<String>) -> Self {
                self.context(netmgr_types::shapes::VpcContext::vpc(project_id, vpc_id))
            }
        }
    };
    (@project $name:ident $context:ident) => {
        impl $name {
            /// Sets the id of the project that the object belongs to.
            #[must_use]
            pub fn project(self, id: impl Into<String>) -> Self {
                self.context(netmgr_types::shapes::$context::project(id))
            }
        }
    };
    (@selectors [$doc:expr] $name:ident, $function:literal; { $($context:tt)* } [$selectors:ident] $($rest:tt)*) => {
        $crate::declared::input! { @struct [$doc] $name, $function; {
            $($context)*
        } {
            /// Description that the object must have.
            pub description: Option<String>,
            /// Display name of the object.
            pub display_name: Option<String>,
            /// Id of the object.
            pub id: Option<String>,
        } [Some($crate::declared::Selectors::$selectors)] $($rest)* }

        impl $name {
            /// Selects the object with this display name.
            pub fn named(display_name: impl Into<String>) -> Self {
                Self::default().display_name(display_name)
            }

            /// Selects the object with this id.
            pub fn by_id(id: impl Into<String>) -> Self {
                Self::default().id(id)
            }
        }
    };
    (@selectors [$doc:expr] $name:ident, $function:literal; { $($context:tt)* } [] $($rest:tt)*) => {
        $crate::declared::input! { @struct [$doc] $name, $function; { $($context)* } { } [None] $($rest)* }

        impl $name {
            /// The lookup without inputs.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
        }
    };
    (
        @struct [$doc:expr] $name:ident, $function:literal; { $($context:tt)* } { $($selecting:tt)* } [$selectors:expr]
        [$($wording:ident)?] { $($first:tt)* } { $($own:tt)* }
    ) => {
        $crate::declared::input! {
            @fields [$doc] $name, $function; [$selectors] [$($wording)?] { $($context)* }
            $($first)* { $($selecting)* } $($own)*
        }
    };
    // Each step takes one input, or those that select.
    (
        @fields [$doc:expr] $name:ident, $function:literal; [$selectors:expr] [$($wording:ident)?] { $($field:tt)* }
        $(#[$meta:meta])* $own:ident: Option<Duration> => $rule:expr, $($rest:tt)*
    ) => {
        $crate::declared::input! {
            @fields [$doc] $name, $function; [$selectors] [$($wording)?] {
                $($field)*
                $(#[$meta])*
                #[serde(default, with = "netmgr_types::number::seconds")]
                #[schemars(
                    with = "Option<f64>",
                    transform = |schema: &mut schemars::Schema| $rule.describe::<Option<Duration>>(schema)
                )]
                pub $own: Option<Duration>,
            } $($rest)*
        }
    };
    (
        @fields [$doc:expr] $name:ident, $function:literal; [$selectors:expr] [$($wording:ident)?] { $($field:tt)* }
        $(#[$meta:meta])* $own:ident: $type:ident $(<$of:ident>)? => $rule:expr, $($rest:tt)*
    ) => {
        $crate::declared::input! {
            @fields [$doc] $name, $function; [$selectors] [$($wording)?] {
                $($field)*
                $(#[$meta])*
                #[schemars(transform = |schema: &mut schemars::Schema| $rule.describe::<$type $(<$of>)?>(schema))]
                pub $own: $type $(<$of>)?,
            } $($rest)*
        }
    };
    (
        @fields [$doc:expr] $name:ident, $function:literal; [$selectors:expr] [$($wording:ident)?] { $($field:tt)* }
        { $($selecting:tt)* } $($rest:tt)*
    ) => {
        $crate::declared::input! {
            @fields [$doc] $name, $function; [$selectors] [$($wording)?] { $($field)* $($selecting)* } $($rest)*
        }
    };
    (
        @fields [$doc:expr] $name:ident, $function:literal; [$selectors:expr] [$($wording:ident)?] { $($field:tt)* }
    ) => {
        #[doc = $doc]
        #[derive(
            Debug, Clone, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema, derive_setters::Setters,
        )]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[schemars(transform = $crate::declared::input::describe::<$name>)]
        #[setters(into, strip_option)]
        #[non_exhaustive]
        pub struct $name {
            $($field)*
        }

        impl $crate::declared::input::Described for $name {
            const FUNCTION: &str = $function;
            const SELECTORS: Option<$crate::declared::Selectors> = $selectors;
            const WORDING: &$crate::declared::wording::Wording =
                &[$($wording,)? $crate::declared::wording::OBJECT][0];
        }
    };
}
pub(crate) use input;

/// The words of an input type of a declared function.
pub(crate) trait Described {
    const FUNCTION: &str;
    /// How its inputs select an object, if they do.
    const SELECTORS: Option<Selectors>;
    const WORDING: &Wording;
}

/// Completes the schema of an input type: its title, its description, and the descriptions of the inputs that select an
/// object.
pub(crate) fn describe<T: Described>(schema: &mut Schema) {
    describe_input(T::FUNCTION, T::SELECTORS, T::WORDING, schema);
}

fn describe_input(function: &str, selectors: Option<Selectors>, wording: &Wording, schema: &mut Schema) {
    let (title, about) = match wording.shared {
        Some((title, about)) => (title.to_owned(), about.to_owned()),
        None => {
            let name = function.trim_start_matches("get");
            (format!("{name}Input"), format!("Input of `{function}`."))
        }
    };
    schema.insert("title".to_owned(), title.into());
    schema.insert("description".to_owned(), about.into());
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let Some(inputs) = properties else { return };
    let is_key = |input: &mut Value| {
        input
            .as_object_mut()
            .is_some_and(|input| input.remove(KEY).is_some())
    };
    let are_keys: Vec<bool> = inputs.values_mut().map(is_key).collect();
    let object = wording.object;
    for (name, text) in selectors
        .map(|selectors| texts(selectors, object))
        .into_iter()
        .flatten()
    {
        inputs[name]["description"] = text.into();
    }
    if are_keys.contains(&true) {
        inputs["id"]["description"] = "Id of the object. Takes precedence over `displayName`.".into();
    }
    for (name, text) in wording.inputs {
        inputs[*name]["description"] = json!(text);
    }
}

/// Descriptions of the inputs that select an object.
fn texts(selectors: Selectors, object: &str) -> [(&'static str, String); 3] {
    let (name, description, id) = match selectors {
        Selectors::Exact | Selectors::ExactOrOnly => (
            ". Must match exactly.".to_owned(),
            "",
            "Takes precedence over all other inputs.",
        ),
        Selectors::Exclusive | Selectors::ExclusiveOrOnly => (
            format!(", or a prefix that matches exactly one {object}. Cannot be combined with `id`."),
            " Cannot be combined with `id`.",
            "Cannot be combined with `displayName` and `description`.",
        ),
        Selectors::Prefix
        | Selectors::PrefixOrOnly
        | Selectors::PrefixOrFilter
        | Selectors::PrefixOrOnlyOfSite => (
            format!(", or a prefix that matches exactly one {object}."),
            "",
            "Takes precedence over all other inputs.",
        ),
    };
    [
        ("displayName", format!("Display name of the {object}{name}")),
        (
            "description",
            format!("Description that the {object} must have, in addition to its display name.{description}"),
        ),
        ("id", format!("Id of the {object}. {id}")),
    ]
}

/// An input that an output repeats.
pub(crate) trait Repeated {
    fn repeated(&self) -> Self;
}

impl Repeated for String {
    fn repeated(&self) -> Self {
        self.clone()
    }
}

impl Repeated for Option<String> {
    fn repeated(&self) -> Self {
        given(self).map(str::to_owned)
    }
}

impl Repeated for Option<TenantContext> {
    fn repeated(&self) -> Self {
        self.clone()
    }
}
