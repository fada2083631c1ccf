//! The output types of declared functions, and of functions that return all objects of a kind.

use netmgr_types::wire::ManagedObject;
use serde::de::DeserializeOwned;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;

/// The output type of a function, or of the objects in it: the members that every object has and its own ones. Members
/// that are optional are left out of the JSON if they are absent.
///
/// | Before the members | Members of every object |
/// |---|---|
/// | | name, id, description, tags and paths |
/// | `without path;` | name, id, description and tags |
/// | `named;` | name, id and description |
/// | `bare;` | none |
///
/// `with MEMBERS;` before them adds those that the macro `MEMBERS` appends to the declaration.
macro_rules! output {
    ([$doc:expr] $name:ident { with $members:ident; $($member:tt)* }) => {
        $members! { [$doc] $name { $($member)* } }
    };
    ([$doc:expr] $name:ident { bare; $($member:tt)* }) => {
        $crate::declared::output! { @members [$doc] $name [] [] $($member)* }
    };
    ([$doc:expr] $name:ident { named; $($member:tt)* }) => {
        $crate::declared::output! { [$doc] $name {
            bare;
            /// Description; empty if the object has none.
            description: String,
            /// Display name.
            display_name: String => netmgr_types::wire::ManagedObject::name,
            /// Id.
            id: String => netmgr_types::wire::ManagedObject::id,
            $($member)*
        } }
    };
    ([$doc:expr] $name:ident { without path; $($member:tt)* }) => {
        $crate::declared::output! { [$doc] $name {
            bare;
            /// Description; empty if there is none.
            description: String,
            /// Display name.
            display_name: String => netmgr_types::wire::ManagedObject::name,
            /// Id.
            id: String => netmgr_types::wire::ManagedObject::id,
            /// Tags.
            tags: Vec<netmgr_types::shapes::Tag> => netmgr_types::wire::ManagedObject::tags,
            $($member)*
        } }
    };
    // Each step takes one member: its field of the type, and its value.
    (
        @members [$doc:expr] $name:ident [$($field:tt)*] [$($value:tt)*]
        $(#[$meta:meta])* $member:ident: Option<$of:ty> $(= $wire:literal)? $(=> $make:path)?, $($rest:tt)*
    ) => {
        $crate::declared::output! {
            @members [$doc] $name
            [$($field)* $(#[$meta])* #[serde(skip_serializing_if = "Option::is_none")] pub $member: Option<$of>,]
            [$($value)* $member ($(= $wire)? $(=> $make)?)]
            $($rest)*
        }
    };
    (
        @members [$doc:expr] $name:ident [$($field:tt)*] [$($value:tt)*]
        $(#[$meta:meta])* $member:ident: $type:ty $(= $wire:literal)? $(=> $make:path)?, $($rest:tt)*
    ) => {
        $crate::declared::output! {
            @members [$doc] $name
            [$($field)* $(#[$meta])* pub $member: $type,]
            [$($value)* $member ($(= $wire)? $(=> $make)?)]
            $($rest)*
        }
    };
    (@members [$doc:expr] $name:ident [$($field:tt)*] [$($member:ident ($($value:tt)*))*]) => {
        #[doc = $doc]
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $($field)*
        }

        impl From<&netmgr_types::wire::ManagedObject> for $name {
            fn from(object: &netmgr_types::wire::ManagedObject) -> Self {
                Self {
                    $($member: $crate::declared::output!(@value object, $member $($value)*),)*
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
        $make($object).into()
    };
    ([$doc:expr] $name:ident { $($member:tt)* }) => {
        $crate::declared::output! { [$doc] $name {
            bare;
            /// Description; empty if there is none.
            description: String,
            /// Display name.
            display_name: String => netmgr_types::wire::ManagedObject::name,
            /// Id.
            id: String => netmgr_types::wire::ManagedObject::id,
            /// Policy path of the parent.
            parent_path: String => netmgr_types::wire::ManagedObject::parent_path,
            /// Policy path.
            path: String,
            /// Tags.
            tags: Vec<netmgr_types::shapes::Tag> => netmgr_types::wire::ManagedObject::tags,
            $($member)*
        } }
    };
}
pub(crate) use output;

/// Outputs with all objects of a kind, which two members contain.
macro_rules! lists {
    ($(
        $(#[$doc:meta])+
        $name:ident of $object:ident {
            $(#[$id:meta])+ id,
            $(#[$first_doc:meta])+ $first:ident,
            $(#[$second_doc:meta])+ $second:ident $(,)?
        }
    )+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $(#[$id])+
            pub id: String,
            $(#[$first_doc])+
            pub $first: Vec<$object>,
            $(#[$second_doc])+
            pub $second: Vec<$object>,
        }

        impl From<(&str, Vec<$object>)> for $name {
            fn from((id, objects): (&str, Vec<$object>)) -> Self {
                Self { id: id.to_owned(), $first: objects.clone(), $second: objects }
            }
        }
    )+};
}
pub(crate) use lists;

/// A list with the name of the function as its id.
pub(crate) async fn listed<O, L>(cx: &LookupContext<'_>, objects: Vec<O>) -> Result<L, Error>
where
    L: for<'n> From<(&'n str, Vec<O>)>,
{
    Ok((cx.spec.name, objects).into())
}

/// A list with the id of a group.
pub(crate) async fn members<O, L>(_: &LookupContext<'_>, objects: Vec<O>, group: &str) -> Result<L, Error>
where
    L: for<'n> From<(&'n str, Vec<O>)>,
{
    Ok((group, objects).into())
}

/// The description, if the manager sent one.
pub(crate) fn sent_description(object: &ManagedObject) -> Option<String> {
    object.sent("description").map(str::to_owned)
}

pub(crate) trait Member {
    fn of(object: &ManagedObject, name: &str) -> Self;
}

impl Member for String {
    fn of(object: &ManagedObject, name: &str) -> Self {
        object.text(name).unwrap_or_default().to_owned()
    }
}

impl Member for Option<String> {
    fn of(object: &ManagedObject, name: &str) -> Self {
        object.text(name).map(str::to_owned)
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
