//! The input types of declared functions.

/// The input type of a function: its context, its own inputs, and those that select by id or name.
///
/// | Context | Input |
/// |---|---|
/// | `project` | a project other than the default one, optional |
/// | `any_project` | any project, optional |
/// | `required_project` | any project |
/// | `project_or_global` | a project, or the objects of the global manager, optional |
/// | `vpc` | a VPC |
macro_rules! input {
    ([$doc:expr] $name:ident, $function:literal; $selectors:ident in project { } { $($own:tt)* }) => {
        $crate::declared::input::input! { [$doc] $name, $function; $selectors {
            /// Tenant context that the object belongs to. By default, objects outside all projects are searched.
            #[serde(default, deserialize_with = "netmgr_types::object::optional")]
            pub context: Option<netmgr_types::shapes::TenantContext>,
        } { $($own)* } }
        $crate::declared::input::project_setter!($name, TenantContext);
    };
    ([$doc:expr] $name:ident, $function:literal; $selectors:ident in any_project { } { $($own:tt)* }) => {
        $crate::declared::input::input! { [$doc] $name, $function; $selectors {
            /// Project that the object belongs to. By default, objects outside all projects are searched.
            #[serde(default, deserialize_with = "netmgr_types::object::optional")]
            pub context: Option<netmgr_types::shapes::ProjectContext>,
        } { $($own)* } }
        $crate::declared::input::project_setter!($name, ProjectContext);
    };
    ([$doc:expr] $name:ident, $function:literal; $selectors:ident in required_project { } { $($own:tt)* }) => {
        $crate::declared::input::input! { [$doc] $name, $function; $selectors {
            /// Project that the object belongs to.
            #[serde(deserialize_with = "netmgr_types::object::required")]
            pub context: netmgr_types::shapes::ProjectContext,
        } { $($own)* } }
        $crate::declared::input::project_setter!($name, ProjectContext);
    };
    ([$doc:expr] $name:ident, $function:literal; $selectors:ident in project_or_global { } { $($own:tt)* }) => {
        $crate::declared::input::input! { [$doc] $name, $function; $selectors {
            /// Project that the object belongs to, or the global manager. By default, objects of this manager outside
            /// all projects are searched.
            #[serde(default, deserialize_with = "netmgr_types::object::optional")]
            pub context: Option<netmgr_types::shapes::GlobalContext>,
        } { $($own)* } }
        $crate::declared::input::project_setter!($name, GlobalContext);
    };
    ([$doc:expr] $name:ident, $function:literal; $selectors:ident in vpc { } { $($own:tt)* }) => {
        $crate::declared::input::input! { [$doc] $name, $function; $selectors {
            /// VPC that the object belongs to.
            #[serde(deserialize_with = "netmgr_types::object::required")]
            pub context: netmgr_types::shapes::VpcContext,
        } { $($own)* } }
        impl $name {
            /// Sets the VPC that the object belongs to, which is required.
            #[must_use]
            pub fn vpc(self, project_id: impl Into<String>, vpc_id: impl Into<String>) -> Self {
                self.context(netmgr_types::shapes::VpcContext::vpc(project_id, vpc_id))
            }
        }
    };
    ([$doc:expr] $name:ident, $function:literal; exact { $($context:tt)* } { $($own:tt)* }) => {
        $crate::declared::input::input_type! { [$doc] $name, $function;
            ["Display name of the object. Must match exactly."]
            ["Description that the object must have, in addition to its display name."]
            ["Id of the object. Takes precedence over all other inputs."]
            { $($context)* } { $($own)* }
        }
        $crate::request::constructors!($name, exact);
    };
    ([$doc:expr] $name:ident, $function:literal; list { $($context:tt)* } { $($own:tt)* }) => {
        $crate::declared::input::input_type! { [$doc] $name, $function; { $($context)* } { $($own)* } }
    };
    ([$doc:expr] $name:ident, $function:literal; exclusive { $($context:tt)* } { $($own:tt)* }) => {
        $crate::declared::input::input! { @exclusive [$doc] $name, $function; { $($context)* } { $($own)* } }
    };
    ([$doc:expr] $name:ident, $function:literal; exclusive_or_only { $($context:tt)* } { $($own:tt)* }) => {
        $crate::declared::input::input! { @exclusive [$doc] $name, $function; { $($context)* } { $($own)* } }
    };
    (@exclusive [$doc:expr] $name:ident, $function:literal; { $($context:tt)* } { $($own:tt)* }) => {
        $crate::declared::input::input_type! { [$doc] $name, $function;
            ["Display name of the object, or a prefix that matches exactly one object. Cannot be combined with `id`."]
            ["Description that the object must have, in addition to its display name. Cannot be combined with `id`."]
            ["Id of the object. Cannot be combined with `displayName` and `description`."]
            { $($context)* } { $($own)* }
        }
        $crate::request::constructors!($name, prefix);
    };
    ([$doc:expr] $name:ident, $function:literal; $selectors:ident { $($context:tt)* } { $($own:tt)* }) => {
        $crate::declared::input::input_type! { [$doc] $name, $function;
            ["Display name of the object, or a prefix that matches exactly one object."]
            ["Description that the object must have, in addition to its display name."]
            ["Id of the object. Takes precedence over all other inputs."]
            { $($context)* } { $($own)* }
        }
        $crate::request::constructors!($name, prefix);
    };
}
pub(crate) use input;

/// The struct of [`input!`].
macro_rules! input_type {
    (
        [$doc:expr] $name:ident, $function:literal;
        [$name_doc:literal] [$description_doc:literal] [$id_doc:literal]
        { $($context:tt)* }
        { $($own:tt)* }
    ) => {
        $crate::declared::input::input_type! { [$doc] $name, $function; {
            $($context)*
            #[doc = $description_doc]
            pub description: Option<String>,
            #[doc = $name_doc]
            pub display_name: Option<String>,
            #[doc = $id_doc]
            pub id: Option<String>,
        } { $($own)* } }
    };
    (
        [$doc:expr] $name:ident, $function:literal;
        { $($common:tt)* }
        { $($(#[$meta:meta])* $own:ident: $type:ident $(<$of:ident>)? => $rule:expr,)* }
    ) => {
        #[doc = $doc]
        #[derive(
            Debug, Clone, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema, derive_setters::Setters,
        )]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[schemars(transform = $crate::declared::rules::input_of::<$name>)]
        #[setters(into, strip_option)]
        #[non_exhaustive]
        pub struct $name {
            $($common)*
            $(
                $(#[$meta])*
                #[schemars(transform = |schema: &mut schemars::Schema| {
                    let is_required = <$type $(<$of>)? as $crate::declared::rules::InputType>::IS_REQUIRED;
                    $rule.describe(is_required, schema);
                })]
                pub $own: $type $(<$of>)?,
            )*
        }

        impl $crate::declared::rules::Named for $name {
            const FUNCTION: &str = $function;
        }
    };
}
pub(crate) use input_type;

/// The setter of a project.
macro_rules! project_setter {
    ($name:ident, $context:ident) => {
        impl $name {
            /// Sets the id of the project that the object belongs to.
            #[must_use]
            pub fn project(self, id: impl Into<String>) -> Self {
                self.context(netmgr_types::shapes::$context::project(id))
            }
        }
    };
}
pub(crate) use project_setter;
