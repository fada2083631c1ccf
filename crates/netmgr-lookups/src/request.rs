//! Lookups as values: types, constructors and setters of lookups whose inputs have a shape that several share, and
//! constructors of lookups that select by id or display name.
//!
//! Not here: inputs of a single lookup, which are in its file.

/// Defines the lookup `Name` with the inputs of a shared shape: `Name(Shape) -> Output`.
macro_rules! request {
    ($(#[$doc:meta])* $name:ident(NamedInput) -> $output:ty) => {
        $crate::request::define!($(#[$doc])* $name(netmgr_types::shapes::NamedInput) -> $output);
        $crate::request::setters!($name);
        $crate::request::constructors!($name, exact);
    };
    ($(#[$doc:meta])* $name:ident(PolicyInput) -> $output:ty) => {
        $crate::request::define!($(#[$doc])* $name(netmgr_types::shapes::PolicyInput) -> $output);
        $crate::request::setters!($name);
        $crate::request::constructors!($name, prefix);
    };
    ($(#[$doc:meta])* $name:ident(ExclusiveInput) -> $output:ty) => {
        $crate::request::define!($(#[$doc])* $name(netmgr_types::shapes::ExclusiveInput) -> $output);
        $crate::request::setters!($name);
        $crate::request::constructors!($name, prefix);
    };
    ($(#[$doc:meta])* $name:ident(ContextInput) -> $output:ty) => {
        $crate::request::define!($(#[$doc])* $name(netmgr_types::shapes::ContextInput) -> $output);
        $crate::request::setters!($name);
        $crate::request::constructors!($name, prefix);

        impl $name {
            /// Sets the id of the project that the object belongs to. Default: none, the object is outside all
            /// projects.
            #[must_use]
            pub fn project(mut self, id: impl Into<String>) -> Self {
                self.0.context = Some(netmgr_types::shapes::TenantContext::project(id));
                self
            }
        }
    };
    ($(#[$doc:meta])* $name:ident(MapInput) -> $output:ty) => {
        $crate::request::define!($(#[$doc])* $name(netmgr_types::shapes::MapInput) -> $output);

        impl $name {
            /// Selects all objects.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            /// Sets the id that the output repeats. It has no effect on the lookup.
            #[must_use]
            pub fn id(mut self, id: impl Into<String>) -> Self {
                self.0.id = Some(id.into());
                self
            }
        }
    };
    ($(#[$doc:meta])* $name:ident(UpgradeGroupInput) -> $output:ty) => {
        $crate::request::define!($(#[$doc])* $name($crate::upgrade_group::UpgradeGroupInput) -> $output);
        $crate::request::setters!($name);
        $crate::request::constructors!($name, exact);

        impl $name {
            /// Sets the id of the upgrade preparation resource, which is required. It is returned and has no effect on
            /// the lookup.
            #[must_use]
            pub fn upgrade_prepare_id(mut self, id: impl Into<String>) -> Self {
                self.0.upgrade_prepare_id = id.into();
                self
            }
        }
    };
}
pub(crate) use request;

/// The type of a lookup with shared inputs.
macro_rules! define {
    ($(#[$doc:meta])* $name:ident($shape:ty) -> $output:ty) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name($shape);

        // The schema of the shape itself; a derived one would be a reference to it.
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                <$shape as schemars::JsonSchema>::schema_name()
            }

            fn schema_id() -> std::borrow::Cow<'static, str> {
                <$shape as schemars::JsonSchema>::schema_id()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$shape as schemars::JsonSchema>::json_schema(generator)
            }
        }
    };
}
pub(crate) use define;

/// Setters of id, display name and description.
macro_rules! setters {
    ($name:ident) => {
        impl $name {
            /// Sets the id, which takes precedence over all other inputs.
            #[must_use]
            pub fn id(mut self, id: impl Into<String>) -> Self {
                self.0.id = Some(id.into());
                self
            }

            /// Sets the display name.
            #[must_use]
            pub fn display_name(mut self, name: impl Into<String>) -> Self {
                self.0.display_name = Some(name.into());
                self
            }

            /// Sets the description that the object must have in addition to its display name.
            #[must_use]
            pub fn description(mut self, text: impl Into<String>) -> Self {
                self.0.description = Some(text.into());
                self
            }
        }
    };
}
pub(crate) use setters;

/// Constructors of a lookup that selects by id or by display name, `exact` or by `prefix`.
macro_rules! constructors {
    ($name:ident, exact) => {
        $crate::request::constructors!(
            $name,
            "Selects the object with this display name. Must match exactly."
        );
    };
    ($name:ident, prefix) => {
        $crate::request::constructors!(
            $name,
            "Selects the object with this display name, or the only object whose display name begins with it."
        );
    };
    ($name:ident, $named:literal) => {
        impl $name {
            #[doc = $named]
            pub fn named(display_name: impl Into<String>) -> Self {
                Self::default().display_name(display_name)
            }

            /// Selects the object with this id.
            pub fn by_id(id: impl Into<String>) -> Self {
                Self::default().id(id)
            }
        }
    };
}
pub(crate) use constructors;
