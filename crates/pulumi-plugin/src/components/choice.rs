//! The macro `choice!`, which declares enumerations of strings.

use crate::components::decode::Decode as _;
use crate::components::error::InputProblems;
use crate::values::{PropertyPath, Value};

/// Declares enumerations whose variants are strings in properties, with a JSON schema.
///
/// Other strings are rejected. Doc comments become descriptions.
///
/// ```
/// use pulumi_plugin::components::choice;
///
/// choice! {
///     /// How long browsers keep pages.
///     pub enum Caching {
///         /// Not at all.
///         Off = "off",
///         /// For a day.
///         Daily = "daily",
///     }
/// }
/// assert_eq!(Caching::Daily.as_str(), "daily");
/// ```
#[macro_export]
macro_rules! choice {
    ($(
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident {
            $($(#[$variant_meta:meta])* $Variant:ident = $text:literal),+ $(,)?
        }
    )+) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, $crate::components::schemars::JsonSchema)]
        #[schemars(crate = "::pulumi_plugin::components::schemars")]
        $(#[$meta])*
        $vis enum $Name {
            $($(#[$variant_meta])* #[schemars(rename = $text)] $Variant,)+
        }

        impl $Name {
            /// The string that represents the variant in properties.
            $vis fn as_str(self) -> &'static str {
                match self {
                    $(Self::$Variant => $text,)+
                }
            }
        }

        impl $crate::components::Decode for $Name {
            const HAS_OUTPUTS: bool = false;

            fn decode(
                value: &$crate::values::Value,
                path: &$crate::values::PropertyPath,
                problems: &mut $crate::components::InputProblems,
            ) -> Option<Self> {
                let choices = [$(($text, Self::$Variant)),+];
                $crate::components::__private::choose(&choices, value, path, problems)
            }
        }

        impl From<$Name> for $crate::components::__private::Json {
            fn from(choice: $Name) -> Self {
                choice.as_str().into()
            }
        }

        impl $crate::components::IntoProperty for $Name {
            fn into_property(self) -> $crate::components::Output<$crate::values::Value> {
                $crate::components::IntoProperty::into_property(self.as_str())
            }
        }
    )+};
}

/// Returns the variant that `value` represents.
pub fn choose<T: Copy>(
    choices: &[(&str, T)],
    value: &Value,
    path: &PropertyPath,
    problems: &mut InputProblems,
) -> Option<T> {
    let text = String::decode(value, path, problems)?;
    let found = choices.iter().find(|(choice, _)| *choice == text);
    if found.is_none() {
        let texts: Vec<_> = choices.iter().map(|(text, _)| *text).collect();
        problems.add(path, format!("must be one of {}", texts.join(", ")));
    }
    found.map(|(_, choice)| *choice)
}
