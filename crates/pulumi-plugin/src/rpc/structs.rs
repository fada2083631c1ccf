//! Property bags between the bytes of `google.protobuf.Struct` and values.
//!
//! They are read level by level by [`decode`], which has a limit on nesting of its own: the protobuf library
//! has one of 100 messages, which is 33 levels, or none at all. Lives here: one level of the message. Not
//! here: recursion and envelopes ([`crate::values`]).

use std::collections::BTreeMap;

use crate::values::{
    DecodeError, DecodeErrorKind, Object, Plain, PropertyPath, Value, decode, decode_object,
};
use prost::bytes::{Buf as _, Bytes};
use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_key, encode_varint, skip_field,
};

// Fields of `google.protobuf.Value`.
const NULL: u32 = 1;
const NUMBER: u32 = 2;
const STRING: u32 = 3;
const BOOL: u32 = 4;
const STRUCT: u32 = 5;
const LIST: u32 = 6;

/// The one field of a struct, of which each occurrence is a member, and of a list, of which each is an element.
const ENTRY: u32 = 1;

// Fields of a member.
const NAME: u32 = 1;
const VALUE: u32 = 2;

/// The result in the response of a function.
const RETURN: u32 = 1;

/// Decodes a property bag. An absent one is empty.
pub(crate) fn read(bag: Option<Bytes>) -> Result<Object, DecodeError> {
    let bag = bag.unwrap_or_default();
    let members = members(&bag).map_err(|kind| DecodeError {
        path: PropertyPath::default(),
        kind,
    })?;
    decode_object(members, open)
}

/// Decodes a single value.
pub(crate) fn read_value(value: Bytes) -> Result<Value, DecodeError> {
    decode(&*value, open)
}

/// Encodes a property bag.
pub(crate) fn write(members: Object) -> Option<Bytes> {
    let mut message = Backwards::default();
    message.members(members);
    Some(message.finish())
}

/// Most bytes in front of the parts of a short member.
const HEADS: usize = 16;

/// The result of a function, encoded for the engine.
///
/// Most functions make it from an [`Object`]. A large map of texts is encoded without values in between, which would
/// take several times its size ([`Returned::with_texts`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned(Bytes);

impl From<Object> for Returned {
    fn from(members: Object) -> Self {
        Self::encode(members, |_| {})
    }
}

impl Returned {
    /// A result of `members` and of an object `name` of `texts`, which are secret if `is_secret`.
    #[must_use]
    pub fn with_texts<'a>(
        members: Object,
        name: &str,
        texts: impl DoubleEndedIterator<Item = (&'a str, &'a str)> + Clone,
        is_secret: bool,
    ) -> Self {
        Self::encode(members, |message| {
            // A buffer that grows is copied, and takes twice its size meanwhile.
            let length = |(name, text): (&str, &str)| name.len() + text.len() + HEADS;
            message.0.reserve(texts.clone().map(length).sum());
            let member = message.0.len();
            match is_secret {
                true => message.secret(texts),
                false => message.texts(texts),
            }
            message.name_member(name, member);
        })
    }

    /// Encodes the last members with `last`, and `members` before them.
    fn encode(members: Object, last: impl FnOnce(&mut Backwards)) -> Self {
        let mut message = Backwards::default();
        last(&mut message);
        // The engine flattens outputs in results and rejects unknown values.
        let members = members
            .into_iter()
            .map(|(name, value)| (name, value.without_outputs()));
        message.members(members.collect());
        message.head(RETURN, 0);
        let length = u32::try_from(message.0.len()).expect("results are shorter than 4 GiB");
        // In front of a message: whether it is compressed, and its length.
        message.raw(&length.to_be_bytes());
        message.raw(&[0]);
        Self(message.finish())
    }

    /// The response of the call, with its length in front of it.
    pub(crate) fn into_message(self) -> Bytes {
        self.0
    }
}

/// Encodes a single value.
pub(crate) fn write_value(value: Value) -> Bytes {
    let mut message = Backwards::default();
    message.value(value);
    message.finish()
}

/// One level of a value. The last field counts, as for all fields of which there is one.
fn open(value: &[u8]) -> Result<Plain<&[u8]>, DecodeErrorKind> {
    let mut level = Plain::Null;
    for field in Fields(value) {
        level = match field? {
            (NULL, Content::Varint(_)) => Plain::Null,
            (NUMBER, Content::Fixed(bits)) => Plain::Number(f64::from_bits(bits)),
            (STRING, Content::Bytes(text)) => Plain::String(string(text)?),
            (BOOL, Content::Varint(number)) => Plain::Bool(number != 0),
            (STRUCT, Content::Bytes(bag)) => Plain::Struct(members(bag)?),
            (LIST, Content::Bytes(list)) => Plain::List(elements(list)?),
            (NULL..=LIST, _) => return Err(DecodeErrorKind::Unreadable),
            _ => continue,
        };
    }
    Ok(level)
}

fn members(bag: &[u8]) -> Result<BTreeMap<String, &[u8]>, DecodeErrorKind> {
    let mut members = BTreeMap::new();
    for field in Fields(bag) {
        if let (ENTRY, Content::Bytes(member)) = field? {
            // What is not written is empty: for a value, null.
            let (mut name, mut value) = (String::new(), &[][..]);
            for field in Fields(member) {
                match field? {
                    (NAME, Content::Bytes(text)) => name = string(text)?,
                    (VALUE, Content::Bytes(content)) => value = content,
                    (NAME | VALUE, _) => return Err(DecodeErrorKind::Unreadable),
                    _ => {}
                }
            }
            members.insert(name, value);
        }
    }
    Ok(members)
}

fn elements(list: &[u8]) -> Result<Vec<&[u8]>, DecodeErrorKind> {
    let mut elements = Vec::new();
    for field in Fields(list) {
        if let (ENTRY, Content::Bytes(element)) = field? {
            elements.push(element);
        }
    }
    Ok(elements)
}

fn string(text: &[u8]) -> Result<String, DecodeErrorKind> {
    let text = std::str::from_utf8(text).map_err(|_| DecodeErrorKind::Unreadable)?;
    Ok(text.to_owned())
}

/// The fields of a message, with their numbers.
struct Fields<'a>(&'a [u8]);

/// What a field has in it.
enum Content<'a> {
    Varint(u64),
    Fixed(u64),
    Bytes(&'a [u8]),
    /// Of a type that no field of ours has.
    Other,
}

impl<'a> Fields<'a> {
    fn read(&mut self) -> Option<(u32, Content<'a>)> {
        let (number, wire_type) = decode_key(&mut self.0).ok()?;
        let content = match wire_type {
            WireType::Varint => Content::Varint(decode_varint(&mut self.0).ok()?),
            WireType::SixtyFourBit => Content::Fixed(self.0.try_get_u64_le().ok()?),
            WireType::LengthDelimited => {
                let length = decode_varint(&mut self.0).ok()?;
                let (content, rest) = self.0.split_at_checked(length.try_into().ok()?)?;
                self.0 = rest;
                Content::Bytes(content)
            }
            other => {
                skip_field(other, number, &mut self.0, DecodeContext::default()).ok()?;
                Content::Other
            }
        };
        Some((number, content))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, Content<'a>), DecodeErrorKind>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.read().ok_or(DecodeErrorKind::Unreadable);
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// A message that is written from its end to its start, with its bytes in reverse order.
///
/// The length of a nested message stands before it and is known after it. Written in this direction, a message
/// needs one buffer and no second pass, and each value is freed as soon as it is written.
#[derive(Default)]
struct Backwards(Vec<u8>);

impl Backwards {
    fn finish(mut self) -> Bytes {
        self.0.reverse();
        self.0.into()
    }

    // Loops, because chains of iterators take several times the stack for each level.

    fn members(&mut self, members: Object) {
        for (name, value) in members.into_iter().rev() {
            let member = self.0.len();
            self.value(value);
            self.name_member(&name, member);
        }
    }

    /// Writes what stands before the value of a member, which was written since the length was `member`.
    fn name_member(&mut self, name: &str, member: usize) {
        self.head(VALUE, member);
        self.bytes(NAME, name.as_bytes());
        self.head(ENTRY, member);
    }

    /// Writes an object of texts.
    fn texts<'a>(&mut self, texts: impl DoubleEndedIterator<Item = (&'a str, &'a str)>) {
        let object = self.0.len();
        for (name, text) in texts.rev() {
            let member = self.0.len();
            self.bytes(STRING, text.as_bytes());
            self.name_member(name, member);
        }
        self.head(STRUCT, object);
    }

    /// Writes the secret object of texts.
    fn secret<'a>(&mut self, texts: impl DoubleEndedIterator<Item = (&'a str, &'a str)>) {
        let secret = self.0.len();
        let mut texts = Some(texts);
        if let Plain::Struct(members) = Value::secret(Value::Null).into_plain() {
            for (name, value) in members.into_iter().rev() {
                let member = self.0.len();
                match (value, texts.take()) {
                    (Value::Null, Some(texts)) => self.texts(texts),
                    (value, left) => {
                        self.value(value);
                        texts = left;
                    }
                }
                self.name_member(&name, member);
            }
        }
        self.head(STRUCT, secret);
    }

    fn value(&mut self, value: Value) {
        match value.into_plain() {
            Plain::Null => self.varint(NULL, 0),
            Plain::Bool(value) => self.varint(BOOL, value.into()),
            Plain::Number(number) => {
                self.raw(&number.to_bits().to_le_bytes());
                self.key(NUMBER, WireType::SixtyFourBit);
            }
            Plain::String(text) => self.bytes(STRING, text.as_bytes()),
            Plain::List(values) => {
                let list = self.0.len();
                for value in values.into_iter().rev() {
                    let element = self.0.len();
                    self.value(value);
                    self.head(ENTRY, element);
                }
                self.head(LIST, list);
            }
            Plain::Struct(members) => {
                let bag = self.0.len();
                self.members(members);
                self.head(STRUCT, bag);
            }
        }
    }

    fn bytes(&mut self, number: u32, content: &[u8]) {
        let end = self.0.len();
        self.raw(content);
        self.head(number, end);
    }

    fn varint(&mut self, number: u32, content: u64) {
        self.number(content);
        self.key(number, WireType::Varint);
    }

    /// Writes what stands before everything that was written since the length was `end`.
    fn head(&mut self, number: u32, end: usize) {
        self.number((self.0.len() - end) as u64);
        self.key(number, WireType::LengthDelimited);
    }

    fn key(&mut self, number: u32, wire_type: WireType) {
        let start = self.0.len();
        encode_key(number, wire_type, &mut self.0);
        self.0[start..].reverse();
    }

    fn number(&mut self, number: u64) {
        let start = self.0.len();
        encode_varint(number, &mut self.0);
        self.0[start..].reverse();
    }

    fn raw(&mut self, content: &[u8]) {
        self.0.extend(content.iter().rev());
    }
}

/// The dependencies of the outputs in a bag, for each property.
pub(crate) fn dependencies(members: &Object) -> BTreeMap<String, Vec<crate::values::Urn>> {
    members
        .iter()
        .map(|(name, value)| (name.clone(), value.dependencies().into_iter().collect()))
        .filter(|(_, urns): &(_, Vec<_>)| !urns.is_empty())
        .collect()
}

#[cfg(test)]
mod tests;
