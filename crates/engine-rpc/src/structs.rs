//! Property bags between the bytes of `google.protobuf.Struct` and values.
//!
//! They are read level by level by [`decode`], which has a limit on nesting of its own: the protobuf library
//! has one of 100 messages, which is 33 levels, or none at all. Lives here: one level of the message. Not
//! here: recursion and envelopes (`engine-values`).

use std::collections::BTreeMap;

use engine_values::{
    DecodeError, DecodeErrorKind, Object, Plain, PropertyPath, Value, decode, decode_object, encode,
    encode_object,
};
use prost::bytes::{Buf as _, Bytes};
use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_key, encode_varint, encoded_len_varint,
    skip_field,
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
    let members = encode_object(members, close);
    let mut bag = Vec::with_capacity(members.iter().map(member_length).sum());
    write_members(&members, &mut bag);
    Some(bag.into())
}

/// Encodes a single value.
pub(crate) fn write_value(value: Value) -> Bytes {
    encode(value, close).into()
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

fn close(level: Plain<Vec<u8>>) -> Vec<u8> {
    let mut value = Vec::new();
    match level {
        Plain::Null => write_varint(NULL, 0, &mut value),
        Plain::Bool(it) => write_varint(BOOL, it.into(), &mut value),
        Plain::Number(number) => {
            encode_key(NUMBER, WireType::SixtyFourBit, &mut value);
            value.extend(number.to_bits().to_le_bytes());
        }
        Plain::String(text) => write_bytes(STRING, text.as_bytes(), &mut value),
        Plain::List(elements) => {
            let length = elements.iter().map(|element| field_length(element.len())).sum();
            write_head(LIST, length, &mut value);
            for element in &elements {
                write_bytes(ENTRY, element, &mut value);
            }
        }
        Plain::Struct(members) => {
            write_head(STRUCT, members.iter().map(member_length).sum(), &mut value);
            write_members(&members, &mut value);
        }
    }
    value
}

fn write_members(members: &BTreeMap<String, Vec<u8>>, message: &mut Vec<u8>) {
    for (name, value) in members {
        let length = field_length(name.len()) + field_length(value.len());
        write_head(ENTRY, length, message);
        write_bytes(NAME, name.as_bytes(), message);
        write_bytes(VALUE, value, message);
    }
}

/// Bytes that a member takes, with its head.
fn member_length((name, value): (&String, &Vec<u8>)) -> usize {
    field_length(field_length(name.len()) + field_length(value.len()))
}

/// Bytes that a field of so many bytes takes. The numbers of all fields here fit one byte.
fn field_length(content: usize) -> usize {
    1 + encoded_len_varint(content as u64) + content
}

/// Writes what stands before so many bytes.
fn write_head(number: u32, length: usize, message: &mut Vec<u8>) {
    message.reserve(field_length(length));
    encode_key(number, WireType::LengthDelimited, message);
    encode_varint(length as u64, message);
}

fn write_bytes(number: u32, content: &[u8], message: &mut Vec<u8>) {
    write_head(number, content.len(), message);
    message.extend_from_slice(content);
}

fn write_varint(number: u32, content: u64, message: &mut Vec<u8>) {
    encode_key(number, WireType::Varint, message);
    encode_varint(content, message);
}

/// The dependencies of the outputs in a bag, for each property.
pub(crate) fn dependencies(members: &Object) -> BTreeMap<String, Vec<engine_values::Urn>> {
    members
        .iter()
        .map(|(name, value)| (name.clone(), value.dependencies().into_iter().collect()))
        .filter(|(_, urns): &(_, Vec<_>)| !urns.is_empty())
        .collect()
}

#[cfg(test)]
mod tests;
