//! The output types of declared functions.

use netmgr_types::wire::ManagedObject;
use serde::de::DeserializeOwned;

/// The output type of a function: the members that every object has, its paths if it has any, and its own members.
macro_rules! output {
    ([$doc:expr] $name:ident { without path; $($member:tt)* }) => {
        $crate::declared::output! { @struct [$doc] $name { } { $($member)* } }
    };
    ([$doc:expr] $name:ident { $($member:tt)* }) => {
        $crate::declared::output! { @struct [$doc] $name {
            /// Policy path of the parent.
            parent_path: String = parent_path,
            /// Policy path.
            path: String = path,
        } { $($member)* } }
    };
    (@struct [$doc:expr] $name:ident { $($(#[$path_meta:meta])* $path:ident: $path_type:ty = $read:ident,)* } {
        $($(#[$meta:meta])* $member:ident: $type:ty $(= $wire:literal)? $(=> $make:path)?,)*
    }) => {
        #[doc = $doc]
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            /// Description; empty if there is none.
            pub description: String,
            /// Display name.
            pub display_name: String,
            /// Id.
            pub id: String,
            $($(#[$path_meta])* pub $path: $path_type,)*
            /// Tags.
            pub tags: Vec<netmgr_types::shapes::Tag>,
            $($(#[$meta])* pub $member: $type,)*
        }

        impl From<&netmgr_types::wire::ManagedObject> for $name {
            fn from(object: &netmgr_types::wire::ManagedObject) -> Self {
                Self {
                    description: object.description().to_owned(),
                    display_name: object.name().to_owned(),
                    id: object.id().to_owned(),
                    $($path: $crate::declared::output::$read(object),)*
                    tags: object.tags(),
                    $($member: $crate::declared::output!(@value object, $member $(= $wire)? $(=> $make)?),)*
                }
            }
        }
    };
    (@value $object:ident, $member:ident) => {
        $crate::declared::output::Member::of($object, stringify!($member))
    };
    (@value $object:ident, $member:ident = $wire:literal) => {
        $crate::declared::output::Member::of($object, $wire)
    };
    (@value $object:ident, $member:ident => $make:path) => {
        $make($object)
    };
}
pub(crate) use output;

pub(crate) fn path(object: &ManagedObject) -> String {
    object.path().unwrap_or_default().to_owned()
}

pub(crate) fn parent_path(object: &ManagedObject) -> String {
    object.parent_path().to_owned()
}

/// A type of members of outputs.
pub(crate) trait Member {
    /// The member `name` of `object`.
    fn of(object: &ManagedObject, name: &str) -> Self;
}

impl Member for String {
    fn of(object: &ManagedObject, name: &str) -> Self {
        object.text(name).unwrap_or_default().to_owned()
    }
}

impl Member for bool {
    fn of(object: &ManagedObject, name: &str) -> Self {
        object.flag(name).unwrap_or_default()
    }
}

impl Member for Option<i64> {
    fn of(object: &ManagedObject, name: &str) -> Self {
        object.number(name)
    }
}

impl<T: DeserializeOwned> Member for Vec<T> {
    fn of(object: &ManagedObject, name: &str) -> Self {
        object.list(name)
    }
}
