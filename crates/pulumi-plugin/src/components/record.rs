//! The macros `record!` and `object!`, which declare structs for objects of the engine.

use std::borrow::Cow;

use crate::values::{Object, OutputValue, PropertyPath, Value};
use heck::ToLowerCamelCase as _;
use schemars::Schema;
use serde_json::{Map, Value as Json};

use crate::components::decode::{Decode, open};
use crate::components::error::InputProblems;
use crate::components::output::OutputData;

/// Declares structs that are decoded from and encoded as objects of the engine, with a JSON schema.
///
/// Members have the names of their fields in camel case, or the name in `as "name"`. Fields of type `Option<T>` or
/// `Output<Option<T>>` and fields with a default are optional; others are required. Unknown members are rejected. Doc
/// comments become descriptions. A field may be another record: its members are secret or unknown if it is.
///
/// A default is a boolean, a number or a text. The decoded record has it if the member is absent, its schema contains
/// it, and its description ends with it.
///
/// ```
/// use pulumi_plugin::components::{List, Output, record};
///
/// record! {
///     /// Where to put a bucket.
///     pub struct Placement {
///         /// The region.
///         pub region: Output<String>,
///         /// Zones in the order of preference.
///         pub preferred_zones: Option<List<String>>,
///         /// Number of copies.
///         pub copies: Output<i32> = 3,
///     }
/// }
/// ```
#[macro_export]
macro_rules! record {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $(
                $(#[$field_meta:meta])*
                $field_vis:vis $field:ident $(as $wire:literal)? : $Type:ty $(= $default:expr)?
            ),* $(,)?
        }
    )+) => {$(
        $crate::object! {
            $(#[$meta])*
            $vis struct $Name {
                $(
                    $(#[$field_meta])*
                    $(#[schemars(extend("default" = $default, "x-absent" = true))])?
                    $field_vis $field $(as $wire)? : $Type,
                )*
            }
        }

        impl $crate::components::Decode for $Name {
            #[allow(unused_mut, reason = "a struct may have no fields")]
            fn decode(
                value: &$crate::values::Value,
                path: &$crate::values::PropertyPath,
                problems: &mut $crate::components::InputProblems,
            ) -> Option<Self> {
                let mut members = $crate::components::__private::ObjectMembers::open(value, path, problems)?;
                $(
                    let name = $crate::components::__private::wire_name!($field $($wire)?);
                    let $field = members.take::<$Type>(name, $crate::components::__private::absent!($($default)?));
                )*
                members.close();
                Some(Self { $($field: $field?,)* })
            }
        }
    )+};
}

/// Declares structs that are only encoded as objects of the engine: outputs of components, whose fields may
/// be [`Resource`](crate::components::Resource)s, and parts of the properties of children. Otherwise like
/// [`record!`](crate::components::record).
#[macro_export]
macro_rules! object {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident $(as $wire:literal)? : $Type:ty),* $(,)?
        }
    )+) => {$(
        #[derive(Debug, Clone, $crate::components::schemars::JsonSchema)]
        #[schemars(
            crate = "::pulumi_plugin::components::schemars",
            rename_all = "camelCase",
            deny_unknown_fields,
            transform = $crate::components::__private::declared
        )]
        $(#[$meta])*
        $vis struct $Name {
            $($(#[$field_meta])* $(#[schemars(rename = $wire)])? $field_vis $field: $Type,)*
        }

        impl From<$Name> for $crate::components::Properties {
            #[allow(unused_variables, reason = "a struct may have no fields")]
            fn from(record: $Name) -> Self {
                $crate::components::Properties::new()
                    $(.with($crate::components::__private::wire_name!($field $($wire)?), record.$field))*
            }
        }

        impl $crate::components::IntoProperty for $Name {
            fn into_property(self) -> $crate::components::Output<$crate::values::Value> {
                $crate::components::IntoProperty::into_property($crate::components::Properties::from(self))
            }
        }
    )+};
}

/// The name of a member: the explicit one, or else that of the field in camel case.
#[doc(hidden)]
#[macro_export]
macro_rules! __wire_name {
    ($field:ident $wire:literal) => {
        ::std::string::String::from($wire)
    };
    ($field:ident) => {
        $crate::components::__private::camel_case(stringify!($field))
    };
}

/// The value of an absent member: the default, or else that of its type.
#[doc(hidden)]
#[macro_export]
macro_rules! __absent {
    () => {
        $crate::components::Decode::absent
    };
    ($default:expr) => {
        || Some(::core::convert::From::from($default))
    };
}

/// Completes the derived schema of an object: null counts as absent, and members that accept it or have a default
/// may be absent.
pub fn declared(object: &mut Schema) {
    let mut optional = Vec::new();
    let properties = object.get_mut("properties").and_then(Json::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let Some(property) = property.as_object_mut() else {
            continue;
        };
        if without_null(property) | with_default(property) {
            optional.push(name.clone());
        }
    }
    if let Some(Json::Array(required)) = object.get_mut("required") {
        required.retain(|name| optional.iter().all(|other| name != other));
        if required.is_empty() {
            object.remove("required");
        }
    }
}

/// Describes the default of a property, if it has one.
fn with_default(property: &mut Map<String, Json>) -> bool {
    if property.remove("x-absent").is_none() {
        return false;
    }
    let default = match &property["default"] {
        Json::String(text) => format!("`{text}`"),
        other => other.to_string(),
    };
    let description = property.get("description").and_then(Json::as_str);
    let description = format!("{} Default {default}.", description.unwrap_or_default());
    property.insert("description".to_owned(), description.trim_start().into());
    true
}

/// Removes null from the types of a property, if it is among them.
fn without_null(property: &mut Map<String, Json>) -> bool {
    if let Some(Json::Array(types)) = property.get_mut("type") {
        let all = types.len();
        types.retain(|name| name != "null");
        let accepted = types.len() < all;
        if let [only] = &types[..] {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
        return accepted;
    }
    if let Some(Json::Array(choices)) = property.get("anyOf")
        && let [Json::Object(only), null] = &choices[..]
        && null["type"] == "null"
    {
        let only = only.clone();
        property.remove("anyOf");
        property.extend(only);
        return true;
    }
    false
}

/// `subnet_ids` as `subnetIds`.
#[must_use]
pub fn camel_case(snake: &str) -> String {
    snake.to_lower_camel_case()
}

/// The members of an object during decoding.
pub struct ObjectMembers<'a> {
    /// `None` if the object is unknown.
    members: Option<&'a Object>,
    /// Marks of the object, which its members have, too.
    marks: OutputData<()>,
    path: &'a PropertyPath,
    problems: &'a mut InputProblems,
    known: Vec<String>,
}

impl<'a> ObjectMembers<'a> {
    /// Starts to decode `value`. Returns `None` after recording a problem if it is not an object.
    pub fn open(value: &'a Value, path: &'a PropertyPath, problems: &'a mut InputProblems) -> Option<Self> {
        let OutputData {
            value,
            secret,
            dependencies,
        } = open(value);
        let members = value.map(Value::as_object);
        if let Some(None) = members {
            problems.add(path, "expected an object");
            return None;
        }
        Some(Self {
            members: members.flatten(),
            marks: OutputData::known(()).tainted(secret, dependencies),
            path,
            problems,
            known: Vec::new(),
        })
    }

    /// Decodes a member. Null counts as absent.
    pub fn take<T: Decode>(&mut self, name: String, absent: impl FnOnce() -> Option<T>) -> Option<T> {
        let path = self.path.join(name.clone());
        let member = match self.members {
            None => Some(&Value::UNKNOWN),
            Some(members) => members.get(&name),
        };
        let member = member.filter(|value| !matches!(value.known(), Some(Value::Null)));
        self.known.push(name);
        match member {
            // After a problem, a default lets the rest be checked.
            Some(value) => T::decode(&self.marked(value), &path, self.problems).or_else(absent),
            None => absent().or_else(|| {
                self.problems.add(&path, "is required");
                T::placeholder()
            }),
        }
    }

    /// A member with the marks of the object.
    fn marked<'b>(&self, member: &'b Value) -> Cow<'b, Value> {
        if !self.marks.secret && self.marks.dependencies.is_empty() {
            return Cow::Borrowed(member);
        }
        Cow::Owned(Value::from(OutputValue {
            value: Some(Box::new(member.clone())),
            secret: self.marks.secret,
            dependencies: self.marks.dependencies.iter().cloned().collect(),
        }))
    }

    /// Records every unknown member. If there are only a few known members, the message lists them.
    pub fn close(self) {
        let unread = self
            .members
            .into_iter()
            .flatten()
            .filter(|(name, value)| !value.is_null() && !self.known.contains(name));
        for (name, _) in unread {
            let reason = match self.known.len() {
                0..=12 => format!("is unknown; the known properties are {}", self.known.join(", ")),
                _ => "is unknown".to_owned(),
            };
            self.problems.add(self.path.join(name.clone()), reason);
        }
    }
}

#[cfg(test)]
mod tests;
