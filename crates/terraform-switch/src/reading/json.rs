//! Configurations in JSON, as the blocks and attributes that they stand for.

use hcl_edit::Ident;
use hcl_edit::expr::{Expression, Object};
use hcl_edit::structure::{Attribute, Block, BlockLabel, Body};

use super::OF_MACHINES;
use super::constants::name_of;

/// The member that is ignored.
pub(super) const COMMENT: &str = "//";

/// Parses a text, which contains only the values of variables if `is_of_values` is set. Blocks inside of blocks become
/// attributes with objects or lists of objects.
pub(super) fn parse(text: &str, is_of_values: bool) -> Result<Body, String> {
    let json = text.trim_start_matches('\u{feff}').trim().parse::<Expression>();
    let json = json.map_err(|error| format!("line {}: cannot be parsed", error.location().line()))?;
    if is_of_values {
        return Ok(attributes(&json));
    }
    let mut body = Body::new();
    for (ident, value) in objects(&json).into_iter().flat_map(entries) {
        let labels = match &*ident {
            "resource" | "data" | "ephemeral" => 2,
            "provider" | "variable" | "module" | "output" | "check" => 1,
            _ => 0,
        };
        add(&mut body, &ident, &[], labels, value);
    }
    Ok(body)
}

/// Adds the blocks of a member, which have `missing` more labels.
fn add(body: &mut Body, ident: &str, labels: &[BlockLabel], missing: usize, value: &Expression) {
    for object in objects(value) {
        if missing > 0 {
            for (label, inner) in entries(object) {
                let labels = [labels, &[label.into()]].concat();
                add(body, ident, &labels, missing - 1, inner);
            }
        } else if let Ok(ident) = Ident::try_new(ident) {
            let mut block = Block::new(ident);
            block.labels = labels.to_vec();
            block.body = attributes(object);
            body.push(block);
        }
    }
}

/// The members of an object as attributes, without those that concern the machine that runs the configuration.
fn attributes(object: &Expression) -> Body {
    let mut body = Body::new();
    for (name, value) in entries(object) {
        let is_left_out = OF_MACHINES.contains(&&*name);
        if let (false, Ok(name)) = (is_left_out, Ident::try_new(name)) {
            // Of equal members, the first applies.
            let _ = body.try_push(Attribute::new(name, value.clone()));
        }
    }
    body
}

/// The members of an object.
fn entries(object: &Expression) -> impl Iterator<Item = (String, &Expression)> {
    let members = object.as_object().into_iter().flat_map(Object::iter);
    members.filter_map(|(key, value)| Some((name_of(key)?, value.expr())))
}

/// The objects of a value that can be a list.
fn objects(value: &Expression) -> Vec<&Expression> {
    value
        .as_array()
        .map_or_else(|| vec![value], |list| list.iter().flat_map(objects).collect())
}
