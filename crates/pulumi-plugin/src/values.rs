//! Property values of the Pulumi engine (decision engine-values).
//!
//! The engine and its plugins exchange property bags: trees of JSON-like data in which some objects and
//! strings have a special meaning. An object with a certain member is a secret, an output or an asset; a
//! string with a certain text is an unknown value. The type [`Value`] has a variant for each of them, and
//! conversions are lossless.
//!
//! The module provides [`Value`], marks of values ([`Marks`]: secret, unknown, dependencies), paths of
//! properties ([`PropertyPath`]) and names of resources ([`Urn`], [`ProviderReference`]). It does no I/O and
//! has no transport. [`Value::from_json`] and [`Value::to_json`] convert JSON.
//!
//! ```
//! use pulumi_plugin::values::{PropertyPath, Value};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let wire = serde_json::json!({
//!     "host": "manager.example",
//!     "password": {
//!         "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
//!         "value": "hunter2",
//!     },
//!     "site": "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
//! });
//! let config = Value::from_json(wire.clone())?;
//!
//! let path: PropertyPath = "password".parse()?;
//! assert_eq!(path.get(&config), Some(&Value::secret("hunter2")));
//! assert!(config.contains_secret() && config.contains_unknown());
//! assert_eq!(
//!     format!("{config:?}"),
//!     r#"{"host": "manager.example", "password": [secret], "site": [unknown]}"#,
//! );
//! assert_eq!(config.to_json(), wire);
//! # Ok(())
//! # }
//! ```

mod convert;
pub(crate) mod envelope;
mod json;
mod marks;
mod path;
mod unknown;
mod urn;
mod value;
pub(crate) mod wire;

#[cfg(test)]
mod tests;

pub use envelope::DecodeErrorKind;
pub use json::JsonError;
pub use marks::Marks;
pub use path::{NotAPath, PropertyPath, Segment};
pub use unknown::Unknown;
pub use urn::{NotAProviderReference, NotAUrn, ProviderReference, Urn, UrnParts};
pub use value::{
    Archive, ArchiveContent, Asset, AssetContent, Object, OutputValue, ReferenceId, ResourceReference, Value,
};
pub use wire::DecodeError;
