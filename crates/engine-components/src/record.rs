//! `record!` and `object!`: structs that are objects of the engine.

use engine_values::{Object, PropertyPath, Value};
use heck::ToLowerCamelCase as _;
use schemars::Schema;
use serde_json::Value as Json;

use crate::decode::Decode;
use crate::error::Problems;

/// Declares structs that are read from and written as objects of the engine, with a JSON schema.
///
/// Members are named as their fields, in camel case, unless `as "name"` says otherwise. A field of type
/// `Option` may be absent; every other one has to be there. Members that are not declared are refused.
/// Descriptions come from the doc comments.
///
/// ```
/// use engine_components::{List, Output, record};
///
/// record! {
///     /// Where to put a bucket.
///     pub struct Placement {
///         /// The region.
///         pub region: Output<String>,
///         /// Zones in the order of preference.
///         pub preferred_zones: Option<List<String>>,
///     }
/// }
/// ```
#[macro_export]
macro_rules! record {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident $(as $wire:literal)? : $Type:ty),* $(,)?
        }
    )+) => {$(
        $crate::object! {
            $(#[$meta])*
            $vis struct $Name {
                $($(#[$field_meta])* $field_vis $field $(as $wire)? : $Type,)*
            }
        }

        impl $crate::Decode for $Name {
            fn decode(
                value: &$crate::values::Value,
                path: &$crate::values::PropertyPath,
                problems: &mut $crate::Problems,
            ) -> Option<Self> {
                let mut members = $crate::__private::Members::open(value, path, problems)?;
                $(let $field = members.take::<$Type>($crate::__private::wire_name!($field $($wire)?));)*
                members.close();
                Some(Self { $($field: $field?,)* })
            }
        }
    )+};
}

/// Declares structs that are only written as objects of the engine: outputs of components, whose fields may be
/// [`Resource`](crate::Resource)s, and parts of what children are registered with. Otherwise as
/// [`record!`](crate::record).
#[macro_export]
macro_rules! object {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident $(as $wire:literal)? : $Type:ty),* $(,)?
        }
    )+) => {$(
        #[derive(Debug, Clone, $crate::schemars::JsonSchema)]
        #[schemars(
            crate = "::engine_components::schemars",
            rename_all = "camelCase",
            deny_unknown_fields,
            transform = $crate::__private::without_null
        )]
        $(#[$meta])*
        $vis struct $Name {
            $($(#[$field_meta])* $(#[schemars(rename = $wire)])? $field_vis $field: $Type,)*
        }

        impl From<$Name> for $crate::Properties {
            #[allow(unused_variables, reason = "a struct may have no fields")]
            fn from(record: $Name) -> Self {
                $crate::Properties::new()
                    $(.with($crate::__private::wire_name!($field $($wire)?), record.$field))*
            }
        }

        impl $crate::IntoProperty for $Name {
            fn into_property(self) -> $crate::Output<$crate::values::Value> {
                $crate::IntoProperty::into_property($crate::Properties::from(self))
            }
        }
    )+};
}

/// The name of a member: the one given, else the field's in camel case.
#[doc(hidden)]
#[macro_export]
macro_rules! __wire_name {
    ($field:ident $wire:literal) => {
        ::std::string::String::from($wire)
    };
    ($field:ident) => {
        $crate::__private::camel_case(stringify!($field))
    };
}

/// Takes null out of the types of an object's properties: an absent property has no type, and null counts as
/// absent.
pub fn without_null(object: &mut Schema) {
    let properties = object.get_mut("properties").and_then(Json::as_object_mut);
    for property in properties
        .into_iter()
        .flat_map(|properties| properties.values_mut())
    {
        let Some(property) = property.as_object_mut() else {
            continue;
        };
        if let Some(Json::Array(types)) = property.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = &types[..] {
                let only = only.clone();
                property.insert("type".to_owned(), only);
            }
        }
        if let Some(Json::Array(choices)) = property.get("anyOf")
            && let [Json::Object(only), _] = &choices[..]
        {
            let only = only.clone();
            property.remove("anyOf");
            property.extend(only);
        }
    }
}

/// `subnet_ids` as `subnetIds`.
#[must_use]
pub fn camel_case(snake: &str) -> String {
    snake.to_lower_camel_case()
}

/// The members of an object that is being read.
pub struct Members<'a> {
    members: &'a Object,
    path: &'a PropertyPath,
    problems: &'a mut Problems,
    known: Vec<String>,
}

impl<'a> Members<'a> {
    /// Starts to read `value`; `None` after noting that it is no object.
    pub fn open(value: &'a Value, path: &'a PropertyPath, problems: &'a mut Problems) -> Option<Self> {
        let Some(members) = value.as_object() else {
            problems.add(path, "expected an object");
            return None;
        };
        Some(Self {
            members,
            path,
            problems,
            known: Vec::new(),
        })
    }

    /// Reads one member. Null is the same as absent.
    pub fn take<T: Decode>(&mut self, name: String) -> Option<T> {
        let path = self.path.join(name.clone());
        let member = self
            .members
            .get(&name)
            .filter(|value| !matches!(value.known(), Some(Value::Null)));
        self.known.push(name);
        match member {
            Some(value) => T::decode(value, &path, self.problems),
            None => T::absent().or_else(|| {
                self.problems.add(&path, "is required");
                T::placeholder()
            }),
        }
    }

    /// Notes every member that was not read. Where there are few, tells those that there are.
    pub fn close(self) {
        let unread = self
            .members
            .iter()
            .filter(|(name, value)| !value.is_null() && !self.known.contains(name));
        for (name, _) in unread {
            let reason = match self.known.len() {
                0..=12 => format!("is not known here; known are {}", self.known.join(", ")),
                _ => "is not known here".to_owned(),
            };
            self.problems.add(self.path.join(name.clone()), reason);
        }
    }
}
