//! The macros `record!` and `object!`, which declare structs for objects of the engine.

use std::borrow::Cow;

use crate::values::{Object, OutputValue, PropertyPath, Value};
use heck::ToLowerCamelCase as _;
use schemars::Schema;
use serde_json::{Map, Value as Json};

use crate::components::decode::{Decode, open};
use crate::components::error::InputProblems;
use crate::components::output::OutputData;
use crate::schema::similar;

/// Declares structs that are decoded from and encoded as objects of the engine, with a JSON schema.
///
/// Members have the names of their fields in camel case, or the name in `as "name"`. Fields of type `Option<T>` or
/// `Output<Option<T>>` and fields with a default are optional; others are required. Unknown members are rejected. Doc
/// comments become descriptions. A field may be another record: its members are secret or unknown if it is.
///
/// A default is a boolean, a number, a string or a variant of a [`choice!`](macro@crate::components::choice). The description of
/// the member ends with it. There are two forms:
///
/// - `copies: Output<i32> = 3`: the decoded record has the default if the member is absent. The schema contains it, so
///   SDKs may fill it in.
/// - `zone: Option<Output<String>> where default("a")`: the field is `None` if the member is absent, so that the component
///   knows whether the program chose a value. A method with the name of the field returns the value or the default. The
///   schema of the package does not contain the default.
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
///         /// The zone of the first copy.
///         pub zone: Option<Output<String>> where default("a"),
///     }
/// }
///
/// fn zone_of(placement: &Placement) -> Output<String> {
///     placement.zone()
/// }
/// ```
#[macro_export]
macro_rules! record {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $(
                $(#[$field_meta:meta])*
                $field_vis:vis $field:ident $(as $wire:literal)? : $Type:ty
                    $(where default($fallback:expr))? $(= $default:expr)?
            ),* $(,)?
        }
    )+) => {$(
        $crate::object! {
            $(#[$meta])*
            $vis struct $Name {
                $(
                    $(#[$field_meta])*
                    $(#[schemars(extend("default" = $crate::components::__private::json($default), "x-absent" = true))])?
                    $(#[schemars(extend("x-default" = $crate::components::__private::json($fallback)))])?
                    $field_vis $field $(as $wire)? : $Type,
                )*
            }
        }

        impl $Name {
            $($(
                /// The value of the member, or its default.
                #[must_use]
                #[allow(dead_code, reason = "a component may leave the default to others")]
                $field_vis fn $field(&self) -> <$Type as $crate::components::__private::Optional>::Value {
                    ::core::clone::Clone::clone(&self.$field)
                        .unwrap_or_else(|| ::core::convert::From::from($fallback))
                }
            )?)*
        }

        impl $crate::components::Decode for $Name {
            const HAS_OUTPUTS: bool = false $(|| <$Type as $crate::components::Decode>::HAS_OUTPUTS)*;

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
                #[allow(irrefutable_let_patterns, reason = "a struct may have no fields")]
                let ($(Some($field),)*) = ($($field,)*) else {
                    return None;
                };
                Some(Self { $($field,)* })
            }
        }
    )+};
}

/// Declares structs that are only encoded as objects of the engine: outputs of components, whose fields may
/// be [`Resource`](crate::components::Resource)s, and parts of the properties of children. Otherwise like
/// [`record!`](macro@crate::components::record).
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

/// The name of a member: the explicit name, or by default the name of the field in camel case.
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

/// The value of an absent member: its default; without one, the value that its type defines.
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

/// A default in a JSON schema.
pub fn json(default: impl Into<Json>) -> Json {
    default.into()
}

/// The type of a field that may be absent.
#[diagnostic::on_unimplemented(message = "`where default(…)` requires a field of type `Option<T>`")]
pub trait Optional {
    /// The type without `Option`.
    type Value;
}

impl<T> Optional for Option<T> {
    type Value = T;
}

/// Completes the derived schema of an object: null is treated as absent, members that accept null or have a default may be
/// absent, and descriptions end with the default.
pub fn declared(object: &mut Schema) {
    let mut optional = Vec::new();
    let properties = object.get_mut("properties").and_then(Json::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let Some(property) = property.as_object_mut() else {
            continue;
        };
        describe_default(property);
        if without_null(property) | property.remove("x-absent").is_some() {
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

/// Adds the default of a property, if it has one, to its description.
fn describe_default(property: &mut Map<String, Json>) {
    let Some(default) = property.get("default").or(property.get("x-default")) else {
        return;
    };
    let code = |value: &Json| match value {
        Json::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    };
    let default = match default {
        Json::Array(elements) => elements.iter().map(code).collect::<Vec<_>>().join(", "),
        one => code(one),
    };
    let description = property.get("description").and_then(Json::as_str);
    let description = format!("{} Default: {default}.", description.unwrap_or_default());
    property.insert("description".to_owned(), description.trim_start().into());
}

/// Removes null from the types of a property. Returns whether it was among them.
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

/// Converts a name to camel case: `subnet_ids` to `subnetIds`.
#[must_use]
pub fn camel_case(snake: &str) -> String {
    snake.to_lower_camel_case()
}

/// The members of an object during decoding.
pub struct ObjectMembers<'a> {
    /// `None` if the object is unknown.
    members: Option<&'a Object>,
    /// Marks of the object. Its members inherit them.
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

    /// Decodes a member. Null is treated as absent.
    pub fn take<T: Decode>(&mut self, name: String, absent: impl FnOnce() -> Option<T>) -> Option<T> {
        let path = self.path.join(name.clone());
        match self.member(name) {
            // After a problem, the default allows the other members to be checked.
            Some(value) => T::decode(&value, &path, self.problems).or_else(absent),
            None => absent().or_else(|| {
                self.problems.add(&path, "is required");
                T::placeholder()
            }),
        }
    }

    /// The value of a member, with the marks of the object.
    fn member(&mut self, name: String) -> Option<Cow<'a, Value>> {
        let member = match self.members {
            None => Some(&Value::UNKNOWN),
            Some(members) => members.get(&name),
        };
        self.known.push(name);
        let member = member.filter(|value| !matches!(value.known(), Some(Value::Null)));
        member.map(|value| self.marked(value))
    }

    /// Adds the marks of the object to a member.
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

    /// Records every unknown member. The message suggests a similar one or, if there are only a few, lists all.
    pub fn close(self) {
        let unread = self
            .members
            .into_iter()
            .flatten()
            .filter(|(name, value)| !value.is_null() && !self.known.contains(name));
        for (name, _) in unread {
            let hint = match similar(name, self.known.iter().map(String::as_str)) {
                hint if hint.is_empty() && self.known.len() <= 12 => {
                    format!("; the known properties are {}", self.known.join(", "))
                }
                hint => hint,
            };
            self.problems
                .add(self.path.join(name.clone()), format!("is unknown{hint}"));
        }
    }
}

#[cfg(test)]
mod tests;
