//! The schema, derived from the registry of functions and from the settings.

use netmgr_lookups::{FunctionEntry, Property, Shape};
use terraform_plugin::{Attribute, AttributeUsage, Block, Type};

use crate::names;
use crate::nsxt::optional;

/// The block of the provider's arguments.
pub(crate) fn provider() -> Block {
    let mut block = Block {
        description: "Looks up objects of a VMware NSX manager.".to_owned(),
        ..Block::default()
    };
    for setting in names::SETTINGS.iter() {
        // All settings can also be set in the environment.
        let known = attribute(setting, AttributeUsage::Optional);
        if let Some(name) = names::nsxt_argument(&setting.name) {
            let description = format!("The same setting as `{}`.", known.name);
            let other = Attribute {
                name: name.to_owned(),
                description,
                ..known.clone()
            };
            block.attributes.push(other);
        }
        block.attributes.push(known);
    }
    block.attributes.extend(names::IGNORED.map(|name| Attribute {
        description: "No effect: only concerns the cache of the provider vmware/nsxt.".to_owned(),
        ..optional(name.to_owned(), Type::String)
    }));
    sorted(block)
}

/// The block of `netmgr_*`. Inputs that are also outputs are filled in; every input is in the result.
pub(crate) fn data_source(entry: &FunctionEntry, inputs: &[Property], outputs: &[Property]) -> Block {
    let mut block = Block {
        description: names::WORDS.text(entry.spec.summary),
        ..Block::default()
    };
    let is_in = |properties: &[Property], name: &str| properties.iter().any(|one| one.name == name);
    for input in inputs {
        let usage = match (input.required, is_in(outputs, &input.name)) {
            (true, _) => AttributeUsage::Required,
            (false, true) => AttributeUsage::OptionalComputed,
            (false, false) => AttributeUsage::Optional,
        };
        block.attributes.push(attribute(input, usage));
    }
    for output in outputs.iter().filter(|output| !is_in(inputs, &output.name)) {
        block.attributes.push(attribute(output, AttributeUsage::Computed));
        block.attributes.extend(sensitive(output));
    }
    sorted(block)
}

/// The attribute that contains an output if an input makes it secret, because hosts mask attributes and not values.
fn sensitive(output: &Property) -> Option<Attribute> {
    let input = names::attribute(output.secret_if.as_ref()?);
    let plain = names::attribute(&output.name);
    Some(Attribute {
        name: names::sensitive(&plain),
        sensitive: true,
        description: format!("Replaces `{plain}` if `{input}` is true."),
        ..attribute(output, AttributeUsage::Computed)
    })
}

/// The attribute of a property. Objects that users write are nested attributes (decision terraform); hosts ignore unknown
/// members.
fn attribute(property: &Property, usage: AttributeUsage) -> Attribute {
    let is_written = property.shape == Shape::Object && usage != AttributeUsage::Computed;
    Attribute {
        name: names::attribute(&property.name),
        kind: match is_written {
            true => Type::Nested(members(property)),
            false => kind(property),
        },
        // The provider never fills in objects: the output repeats the input.
        usage: match usage {
            AttributeUsage::OptionalComputed if is_written => AttributeUsage::Optional,
            usage => usage,
        },
        sensitive: property.secret,
        deprecated: property.deprecation.is_some(),
        description: description(property),
    }
}

/// The members of an object that users write.
fn members(property: &Property) -> Vec<Attribute> {
    let members = property.properties.iter().map(|member| {
        let usage = match member.required {
            true => AttributeUsage::Required,
            false => AttributeUsage::Optional,
        };
        attribute(member, usage)
    });
    members.collect()
}

fn description(property: &Property) -> String {
    let text = names::WORDS.text(&property.description);
    match &property.deprecation {
        Some(instead) => format!("{text} Deprecated: {}.", names::WORDS.text(instead)),
        None => text,
    }
}

fn kind(property: &Property) -> Type {
    match property.shape {
        Shape::Boolean => Type::Bool,
        Shape::Integer | Shape::Number => Type::Number,
        // As text, because no list has values of different types (decision any-object).
        Shape::String | Shape::Json => Type::String,
        Shape::Numbers => Type::list(Type::Number),
        Shape::Strings => Type::list(Type::String),
        Shape::Map => Type::map(Type::String),
        Shape::Object => object(property),
        Shape::Objects => Type::list(object(property)),
    }
}

fn object(property: &Property) -> Type {
    let members = property.properties.iter();
    Type::Object(
        members
            .map(|member| (names::attribute(&member.name), kind(member)))
            .collect(),
    )
}

/// By name, as hosts order them.
fn sorted(mut block: Block) -> Block {
    block.attributes.sort_by(|a, b| a.name.cmp(&b.name));
    block
}

#[cfg(test)]
mod tests;
