//! Envelopes: plain data that represents a secret, an output, a reference, an asset, an archive or bytes, and
//! strings that represent unknown values.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::values::{
    Archive, ArchiveContent, Asset, AssetContent, Object, OutputValue, ReferenceId, ResourceReference,
    Unknown, Urn, Value,
};

/// The member whose presence makes an object an envelope.
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";

const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
const BYTES: &str = "803fd3297a5875dc03ca845dda5d2a98";

/// One level of plain data, such as `google.protobuf.Value` and JSON. `T` is the type of the next level.
pub(crate) enum Level<T> {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    List(Vec<T>),
    Struct(BTreeMap<String, T>),
}

/// Kind of a [`DecodeError`](crate::values::DecodeError).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// It is not in the form of the transport.
    #[error("unreadable value")]
    Unreadable,
    /// Values are nested too deeply for the transport.
    #[error("values are nested too deeply; at most 32 levels of objects or 49 of lists are supported")]
    TooDeep,
    /// The signature is unknown.
    #[error("unrecognized signature of a special value")]
    UnknownSignature,
    /// A member that the envelope must have is absent.
    #[error("{kind} without {member:?}")]
    Missing {
        /// Kind of value.
        kind: &'static str,
        /// The member.
        member: &'static str,
    },
    /// A member has the wrong type or form.
    #[error("{kind} whose {member:?} is not {expected}")]
    Malformed {
        /// Kind of value.
        kind: &'static str,
        /// The member.
        member: &'static str,
        /// Description of valid values.
        expected: &'static str,
    },
    /// Members that exclude each other are both present.
    #[error("{kind} with more than one of its contents")]
    Ambiguous {
        /// Kind of value.
        kind: &'static str,
    },
}

/// Decodes one level of plain data.
pub(crate) fn raise(level: Level<Value>) -> Result<Value, DecodeErrorKind> {
    Ok(match level {
        Level::Null => Value::Null,
        Level::Bool(value) => Value::Bool(value),
        Level::Number(value) => Value::Number(value),
        Level::String(text) => match Unknown::from_sentinel(&text) {
            Some(kind) => Value::Unknown(kind),
            None => Value::String(text),
        },
        Level::List(elements) => Value::Array(elements),
        Level::Struct(mut members) => match members.remove(SIGNATURE) {
            None => Value::Object(members),
            Some(Value::String(signature)) => open(&signature, members)?,
            Some(_) => return Err(DecodeErrorKind::UnknownSignature),
        },
    })
}

/// Decodes an envelope with a given signature.
fn open(signature: &str, members: Object) -> Result<Value, DecodeErrorKind> {
    match signature {
        SECRET => EnvelopeMembers::new("secret", members).secret(),
        OUTPUT => EnvelopeMembers::new("output", members).output(),
        RESOURCE => EnvelopeMembers::new("resource reference", members).resource(),
        ASSET => EnvelopeMembers::new("asset", members).asset(),
        ARCHIVE => EnvelopeMembers::new("archive", members).archive(),
        BYTES => EnvelopeMembers::new("byte string", members).bytes(),
        _ => Err(DecodeErrorKind::UnknownSignature),
    }
}

/// The members of an envelope during decoding.
struct EnvelopeMembers {
    kind: &'static str,
    members: Object,
}

impl EnvelopeMembers {
    fn new(kind: &'static str, members: Object) -> Self {
        Self { kind, members }
    }

    fn secret(mut self) -> Result<Value, DecodeErrorKind> {
        match self.members.remove("value") {
            Some(value) => Ok(Value::Secret(Box::new(value))),
            None => Err(self.missing("value")),
        }
    }

    fn output(mut self) -> Result<Value, DecodeErrorKind> {
        let value = self.members.remove("value").map(Box::new);
        let secret = match self.take("secret") {
            None => false,
            Some(Value::Bool(secret)) => secret,
            Some(_) => return Err(self.malformed("secret", "a boolean")),
        };
        let dependencies = match self.take("dependencies") {
            None => Vec::new(),
            Some(Value::Array(urns)) => urns
                .into_iter()
                .map(|urn| match urn {
                    Value::String(urn) => Ok(Urn::from(urn)),
                    _ => Err(self.malformed("dependencies", "an array of strings")),
                })
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(self.malformed("dependencies", "an array of strings")),
        };
        Ok(Value::from(OutputValue {
            value,
            secret,
            dependencies,
        }))
    }

    fn resource(mut self) -> Result<Value, DecodeErrorKind> {
        let Some(urn) = self.text("urn")? else {
            return Err(self.missing("urn"));
        };
        let id = match self.take("id") {
            None => None,
            Some(id) => Some(match id.known() {
                None => ReferenceId::Unknown,
                // The engine encodes an unknown id as an empty string.
                Some(Value::String(id)) if id.is_empty() => ReferenceId::Unknown,
                Some(Value::String(id)) => ReferenceId::Known(id.clone()),
                Some(_) => return Err(self.malformed("id", "a string")),
            }),
        };
        Ok(Value::from(ResourceReference {
            urn: Urn::from(urn),
            id,
            package_version: self.text("packageVersion")?,
            name: self.text("name")?,
            resource_type: self.text("type")?,
        }))
    }

    fn asset(mut self) -> Result<Value, DecodeErrorKind> {
        let hash = self.text("hash")?;
        let contents = [
            self.text("text")?.map(AssetContent::Text),
            self.text("path")?.map(AssetContent::Path),
            self.text("uri")?.map(AssetContent::Uri),
        ];
        Ok(Value::from(Asset {
            hash,
            content: self.one_of(contents)?,
        }))
    }

    fn archive(mut self) -> Result<Value, DecodeErrorKind> {
        let hash = self.text("hash")?;
        let assets = match self.take("assets") {
            None => None,
            Some(Value::Object(assets)) => Some(ArchiveContent::Assets(assets)),
            Some(_) => return Err(self.malformed("assets", "an object")),
        };
        let contents = [
            assets,
            self.text("path")?.map(ArchiveContent::Path),
            self.text("uri")?.map(ArchiveContent::Uri),
        ];
        Ok(Value::from(Archive {
            hash,
            content: self.one_of(contents)?,
        }))
    }

    fn bytes(mut self) -> Result<Value, DecodeErrorKind> {
        let Some(text) = self.text("value")? else {
            return Err(self.missing("value"));
        };
        match BASE64.decode(text) {
            Ok(bytes) => Ok(Value::Bytes(bytes)),
            Err(_) => Err(self.malformed("value", "base64")),
        }
    }

    /// A member; null counts as absent.
    fn take(&mut self, member: &'static str) -> Option<Value> {
        self.members.remove(member).filter(|value| !value.is_null())
    }

    /// A member that is a string, even if its text is a sentinel.
    fn text(&mut self, member: &'static str) -> Result<Option<String>, DecodeErrorKind> {
        match self.take(member) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Unknown(kind)) => Ok(Some(kind.sentinel().to_owned())),
            Some(_) => Err(self.malformed(member, "a string")),
        }
    }

    fn one_of<T, const N: usize>(&self, contents: [Option<T>; N]) -> Result<Option<T>, DecodeErrorKind> {
        let mut contents = contents.into_iter().flatten();
        match (contents.next(), contents.next()) {
            (_, Some(_)) => Err(DecodeErrorKind::Ambiguous { kind: self.kind }),
            (content, None) => Ok(content),
        }
    }

    fn missing(&self, member: &'static str) -> DecodeErrorKind {
        DecodeErrorKind::Missing {
            kind: self.kind,
            member,
        }
    }

    fn malformed(&self, member: &'static str, expected: &'static str) -> DecodeErrorKind {
        DecodeErrorKind::Malformed {
            kind: self.kind,
            member,
            expected,
        }
    }
}

/// Encodes a value as one level of plain data.
pub(crate) fn lower(value: Value) -> Level<Value> {
    match value {
        Value::Null => Level::Null,
        Value::Bool(value) => Level::Bool(value),
        Value::Number(value) => Level::Number(value),
        Value::String(text) => Level::String(text),
        Value::Unknown(kind) => Level::String(kind.sentinel().to_owned()),
        Value::Array(elements) => Level::List(elements),
        Value::Object(members) => Level::Struct(members),
        Value::Secret(value) => close(SECRET, vec![("value", Some(*value))]),
        Value::Output(output) => {
            let OutputValue {
                value,
                secret,
                dependencies,
            } = *output;
            let dependencies: Vec<Value> = dependencies
                .into_iter()
                .map(|urn| String::from(urn).into())
                .collect();
            close(
                OUTPUT,
                vec![
                    ("value", value.map(|value| *value)),
                    ("secret", secret.then_some(Value::Bool(true))),
                    (
                        "dependencies",
                        (!dependencies.is_empty()).then_some(Value::Array(dependencies)),
                    ),
                ],
            )
        }
        Value::Resource(reference) => close(
            RESOURCE,
            vec![
                ("urn", Some(Value::String(reference.urn.into()))),
                (
                    "id",
                    reference.id.map(|id| match id {
                        ReferenceId::Known(id) => Value::String(id),
                        ReferenceId::Unknown => Value::UNKNOWN,
                    }),
                ),
                ("packageVersion", reference.package_version.map(Value::String)),
                ("name", reference.name.map(Value::String)),
                ("type", reference.resource_type.map(Value::String)),
            ],
        ),
        Value::Asset(asset) => close(
            ASSET,
            vec![
                ("hash", asset.hash.map(Value::String)),
                match asset.content {
                    Some(AssetContent::Text(text)) => ("text", Some(Value::String(text))),
                    Some(AssetContent::Path(path)) => ("path", Some(Value::String(path))),
                    Some(AssetContent::Uri(uri)) => ("uri", Some(Value::String(uri))),
                    None => ("text", None),
                },
            ],
        ),
        Value::Archive(archive) => close(
            ARCHIVE,
            vec![
                ("hash", archive.hash.map(Value::String)),
                match archive.content {
                    Some(ArchiveContent::Assets(assets)) => ("assets", Some(Value::Object(assets))),
                    Some(ArchiveContent::Path(path)) => ("path", Some(Value::String(path))),
                    Some(ArchiveContent::Uri(uri)) => ("uri", Some(Value::String(uri))),
                    None => ("assets", None),
                },
            ],
        ),
        Value::Bytes(bytes) => close(BYTES, vec![("value", Some(Value::String(BASE64.encode(bytes))))]),
    }
}

/// Creates an envelope with a given signature. EnvelopeMembers without a value are omitted.
fn close(signature: &'static str, members: Vec<(&'static str, Option<Value>)>) -> Level<Value> {
    let mut envelope: Object = members
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect();
    envelope.insert(SIGNATURE.to_owned(), Value::String(signature.to_owned()));
    Level::Struct(envelope)
}
