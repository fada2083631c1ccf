//! Values in MessagePack, as a schema describes them.
//!
//! Objects have every attribute, null is nil, unknown values are extensions, and numbers that no integer type
//! represents exactly are decimal strings. Source: the protocol's description of the wire format of objects.

use std::fmt;

use rmp::Marker;
use rmp::decode::{read_bool, read_ext_meta, read_f32, read_f64, read_int, read_nil};
use rmp::encode::{write_array_len, write_bool, write_map_len, write_nil, write_sint, write_str, write_uint};

use crate::schema::{Attribute, Block, BlockNesting, NestedBlock, Type};
use crate::value::{AttributeValue, Number, Object};

/// A value that is not of its type. Either side has a bug.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", at(path))]
pub(crate) struct Mismatch {
    /// Names and indices, innermost first.
    path: Vec<String>,
    reason: &'static str,
}

fn at(path: &[String]) -> String {
    let names: Vec<&str> = path.iter().rev().map(String::as_str).collect();
    match names.join(".") {
        path if path.is_empty() => path,
        path => format!("{path}: "),
    }
}

impl Mismatch {
    fn new(reason: &'static str) -> Self {
        Self {
            path: Vec::new(),
            reason,
        }
    }

    fn below(mut self, step: impl fmt::Display) -> Self {
        self.path.push(step.to_string());
        self
    }
}

/// Decodes the object of a block. Empty input is an object whose members are null.
pub(crate) fn decode(mut bytes: &[u8], block: &Block) -> Result<Object, Mismatch> {
    if bytes.is_empty() {
        return Ok(Object::new());
    }
    let value = block_value(&mut bytes, block)?;
    if !bytes.is_empty() {
        return Err(Mismatch::new("there is more than one value"));
    }
    match value {
        AttributeValue::Object(object) => Ok(object),
        AttributeValue::Null => Ok(Object::new()),
        _ => Err(Mismatch::new("must be an object")),
    }
}

/// Nil and extensions, which stand for a value of any type.
fn absent(bytes: &mut &[u8]) -> Result<Option<AttributeValue>, Mismatch> {
    const CUT: Mismatch = Mismatch {
        path: Vec::new(),
        reason: "the value is truncated",
    };
    let marker = Marker::from_u8(*bytes.first().ok_or(CUT)?);
    match marker {
        Marker::Null => {
            read_nil(bytes).map_err(|_| CUT)?;
            Ok(Some(AttributeValue::Null))
        }
        Marker::FixExt1
        | Marker::FixExt2
        | Marker::FixExt4
        | Marker::FixExt8
        | Marker::FixExt16
        | Marker::Ext8
        | Marker::Ext16
        | Marker::Ext32 => {
            let meta = read_ext_meta(bytes).map_err(|_| CUT)?;
            take(bytes, meta.size).ok_or(CUT)?;
            Ok(Some(AttributeValue::Unknown))
        }
        _ => Ok(None),
    }
}

fn take<'a>(bytes: &mut &'a [u8], length: u32) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    Some(taken)
}

fn block_value(bytes: &mut &[u8], block: &Block) -> Result<AttributeValue, Mismatch> {
    if let Some(value) = absent(bytes)? {
        return Ok(value);
    }
    members(bytes, |name, bytes| match block.block(name) {
        Some(nested) => nested_value(bytes, nested),
        None => attribute(bytes, name, &block.attributes),
    })
}

/// The blocks of one name.
fn nested_value(bytes: &mut &[u8], nested: &NestedBlock) -> Result<AttributeValue, Mismatch> {
    if let Some(value) = absent(bytes)? {
        return Ok(value);
    }
    match nested.nesting {
        BlockNesting::Single => block_value(bytes, &nested.block),
        BlockNesting::List | BlockNesting::Set => elements(bytes, |bytes| block_value(bytes, &nested.block)),
    }
}

/// The value of the attribute `name` among `attributes`.
fn attribute(bytes: &mut &[u8], name: &str, attributes: &[Attribute]) -> Result<AttributeValue, Mismatch> {
    let attribute = attributes.iter().find(|attribute| attribute.name == name);
    let attribute = attribute.ok_or(Mismatch::new("is not part of the schema"))?;
    typed(bytes, &attribute.kind)
}

fn typed(bytes: &mut &[u8], kind: &Type) -> Result<AttributeValue, Mismatch> {
    if let Some(value) = absent(bytes)? {
        return Ok(value);
    }
    match kind {
        Type::Bool => {
            let value = read_bool(bytes).map_err(|_| Mismatch::new("must be a boolean"))?;
            Ok(AttributeValue::Bool(value))
        }
        Type::Number => number(bytes).map(AttributeValue::Number),
        Type::String => text(bytes, "must be a string").map(|text| AttributeValue::String(text.to_owned())),
        Type::List(of) | Type::Set(of) => elements(bytes, |bytes| typed(bytes, of)),
        Type::Map(of) => members(bytes, |_, bytes| typed(bytes, of)),
        Type::Object(members_of) => members(bytes, |name, bytes| {
            let kind = members_of.get(name);
            typed(bytes, kind.ok_or(Mismatch::new("is not part of the schema"))?)
        }),
        Type::Nested(attributes) => members(bytes, |name, bytes| attribute(bytes, name, attributes)),
    }
}

fn text<'a>(bytes: &mut &'a [u8], wanted: &'static str) -> Result<&'a str, Mismatch> {
    let length = rmp::decode::read_str_len(bytes).map_err(|_| Mismatch::new(wanted))?;
    let text = take(bytes, length).ok_or(Mismatch::new("the string is truncated"))?;
    std::str::from_utf8(text).map_err(|_| Mismatch::new("the string is not UTF-8"))
}

fn number(bytes: &mut &[u8]) -> Result<Number, Mismatch> {
    const WANTED: Mismatch = Mismatch {
        path: Vec::new(),
        reason: "must be a number",
    };
    let number = match Marker::from_u8(*bytes.first().ok_or(WANTED)?) {
        Marker::F32 => float(read_f32(bytes).map_err(|_| WANTED)?.into()),
        Marker::F64 => float(read_f64(bytes).map_err(|_| WANTED)?),
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => decimal(text(bytes, "")?),
        _ => Some(Number::Integer(read_int(bytes).map_err(|_| WANTED)?)),
    };
    number.ok_or(Mismatch::new(
        "must be in the range of 64-bit floating-point numbers",
    ))
}

fn decimal(text: &str) -> Option<Number> {
    match text.parse() {
        Ok(whole) => Some(Number::Integer(whole)),
        Err(_) => float(text.parse().ok()?),
    }
}

/// Whole numbers are integers, regardless of their encoding.
fn float(number: f64) -> Option<Number> {
    const LIMIT: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0; // 2^127
    if !number.is_finite() {
        return None;
    }
    if number.fract() == 0.0 && number.abs() < LIMIT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
        return Some(Number::Integer(number as i128));
    }
    Some(Number::Float(number))
}

fn elements(
    bytes: &mut &[u8],
    element: impl Fn(&mut &[u8]) -> Result<AttributeValue, Mismatch>,
) -> Result<AttributeValue, Mismatch> {
    let length = rmp::decode::read_array_len(bytes).map_err(|_| Mismatch::new("must be a list"))?;
    let mut items = Vec::new();
    for index in 0..length {
        items.push(element(bytes).map_err(|error| error.below(index))?);
    }
    Ok(AttributeValue::List(items))
}

fn members(
    bytes: &mut &[u8],
    member: impl Fn(&str, &mut &[u8]) -> Result<AttributeValue, Mismatch>,
) -> Result<AttributeValue, Mismatch> {
    let length = rmp::decode::read_map_len(bytes).map_err(|_| Mismatch::new("must be an object"))?;
    let mut members = Object::new();
    for _ in 0..length {
        let name = text(bytes, "the name of a member must be a string")?;
        let value = member(name, bytes).map_err(|error| error.below(name))?;
        members.insert(name.to_owned(), value);
    }
    Ok(AttributeValue::Object(members))
}

/// Encodes the object of a block: every attribute and nested block, in the order of the schema.
pub(crate) fn encode(object: Object, block: &Block) -> Result<Vec<u8>, Mismatch> {
    let mut bytes = Vec::new();
    write_block(&mut bytes, object, block)?;
    Ok(bytes)
}

fn write_block(bytes: &mut Vec<u8>, mut object: Object, block: &Block) -> Result<(), Mismatch> {
    write_length(bytes, block.attributes.len() + block.blocks.len(), write_map_len)?;
    for Attribute { name, kind, .. } in &block.attributes {
        write_member(bytes, &mut object, name, |bytes, value| write(bytes, value, kind))?;
    }
    for nested in &block.blocks {
        write_member(bytes, &mut object, &nested.name, |bytes, value| {
            write_nested(bytes, value, nested)
        })?;
    }
    no_others(&object)
}

/// Writes the member `name` of an object, which is removed from it. An absent one is null.
fn write_member(
    bytes: &mut Vec<u8>,
    object: &mut Object,
    name: &str,
    write: impl FnOnce(&mut Vec<u8>, AttributeValue) -> Result<(), Mismatch>,
) -> Result<(), Mismatch> {
    infallible(write_str(bytes, name));
    let value = object.remove(name).unwrap_or_default();
    write(bytes, value).map_err(|error| error.below(name))
}

/// Rejects members that no schema describes.
fn no_others(rest: &Object) -> Result<(), Mismatch> {
    match rest.keys().next() {
        None => Ok(()),
        Some(name) => Err(Mismatch::new("is not part of the schema").below(name)),
    }
}

fn write_nested(bytes: &mut Vec<u8>, value: AttributeValue, nested: &NestedBlock) -> Result<(), Mismatch> {
    match (nested.nesting, value) {
        (_, AttributeValue::Null) => infallible(write_nil(bytes)),
        (BlockNesting::Single, AttributeValue::Object(members)) => {
            write_block(bytes, members, &nested.block)?;
        }
        (BlockNesting::List | BlockNesting::Set, AttributeValue::List(blocks)) => {
            write_elements(bytes, blocks, |bytes, block| match block {
                AttributeValue::Object(members) => write_block(bytes, members, &nested.block),
                _ => Err(Mismatch::new("is not a block")),
            })?;
        }
        _ => return Err(Mismatch::new("does not have the nesting in the schema")),
    }
    Ok(())
}

fn write_object<'a>(
    bytes: &mut Vec<u8>,
    mut members: Object,
    of: impl ExactSizeIterator<Item = (&'a String, &'a Type)>,
) -> Result<(), Mismatch> {
    write_length(bytes, of.len(), write_map_len)?;
    for (name, kind) in of {
        write_member(bytes, &mut members, name, |bytes, value| {
            write(bytes, value, kind)
        })?;
    }
    no_others(&members)
}

fn write_elements(
    bytes: &mut Vec<u8>,
    items: Vec<AttributeValue>,
    write: impl Fn(&mut Vec<u8>, AttributeValue) -> Result<(), Mismatch>,
) -> Result<(), Mismatch> {
    write_length(bytes, items.len(), write_array_len)?;
    for (index, item) in items.into_iter().enumerate() {
        write(bytes, item).map_err(|error| error.below(index))?;
    }
    Ok(())
}

fn write(bytes: &mut Vec<u8>, value: AttributeValue, kind: &Type) -> Result<(), Mismatch> {
    match (kind, value) {
        (_, AttributeValue::Null) => infallible(write_nil(bytes)),
        (_, AttributeValue::Unknown) => return Err(Mismatch::new("must be known")),
        (Type::Bool, AttributeValue::Bool(value)) => infallible(write_bool(bytes, value)),
        (Type::Number, AttributeValue::Number(number)) => write_number(bytes, number),
        (Type::String, AttributeValue::String(text)) => infallible(write_str(bytes, &text)),
        (Type::List(of) | Type::Set(of), AttributeValue::List(items)) => {
            write_elements(bytes, items, |bytes, item| write(bytes, item, of))?;
        }
        (Type::Map(of), AttributeValue::Object(members)) => {
            write_length(bytes, members.len(), write_map_len)?;
            for (name, member) in members {
                infallible(write_str(bytes, &name));
                write(bytes, member, of).map_err(|error| error.below(name))?;
            }
        }
        (Type::Object(of), AttributeValue::Object(members)) => write_object(bytes, members, of.iter())?,
        (Type::Nested(of), AttributeValue::Object(members)) => {
            let of = of.iter().map(|member| (&member.name, &member.kind));
            write_object(bytes, members, of)?;
        }
        _ => return Err(Mismatch::new("does not have the type in the schema")),
    }
    Ok(())
}

/// Numbers other than 64-bit integers are decimal strings, because hosts use the exact binary value of a double.
fn write_number(bytes: &mut Vec<u8>, number: Number) {
    match number {
        Number::Integer(number) => match (u64::try_from(number), i64::try_from(number)) {
            (Ok(number), _) => infallible(write_uint(bytes, number).map(drop)),
            (_, Ok(number)) => infallible(write_sint(bytes, number).map(drop)),
            _ => infallible(write_str(bytes, &number.to_string())),
        },
        Number::Float(number) => infallible(write_str(bytes, &number.to_string())),
    }
}

fn write_length<T, E: fmt::Debug>(
    bytes: &mut Vec<u8>,
    length: usize,
    write: impl Fn(&mut Vec<u8>, u32) -> Result<T, E>,
) -> Result<(), Mismatch> {
    let length = u32::try_from(length).map_err(|_| Mismatch::new("has too many members"))?;
    infallible(write(bytes, length).map(drop));
    Ok(())
}

fn infallible<E: fmt::Debug>(written: Result<(), E>) {
    written.expect("writing to memory");
}

#[cfg(test)]
mod tests;
