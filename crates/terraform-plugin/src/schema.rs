//! Schemas of a provider and its data sources: attributes, nested blocks and types. Their encoding is in `convert`.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

/// The settings and data sources of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schema {
    /// The arguments of the provider's own block.
    pub provider: Block,
    /// Its data sources by their full names, such as `example_pool`.
    pub data_sources: BTreeMap<String, Block>,
}

/// The contents of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// Description in Markdown.
    pub description: String,
    /// Whether it should no longer be used.
    pub deprecated: bool,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The blocks that it can contain.
    pub blocks: Vec<NestedBlock>,
}

/// A kind of block that another block contains: `context { … }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NestedBlock {
    /// Name: lower-case letters, digits and underscores.
    pub name: String,
    /// How its values are represented.
    pub nesting: BlockNesting,
    /// The minimum number of blocks, which hosts check.
    pub min_items: u32,
    /// The maximum number of blocks, which hosts check. `None` stands for any number.
    pub max_items: Option<u32>,
    /// Its contents.
    pub block: Block,
}

/// How the blocks of one name are represented in values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockNesting {
    /// An object, which is null without a block. There is at most one block.
    Single,
    /// A list of objects, which is empty without a block. In results it can also be null.
    List,
    /// A set of objects, which is empty without a block. In results it can also be null.
    Set,
}

/// An attribute of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Name: lower-case letters, digits and underscores.
    pub name: String,
    /// Type of its values.
    pub kind: Type,
    /// Whether the configuration or the provider sets it.
    pub usage: AttributeUsage,
    /// Whether hosts mask its value.
    pub sensitive: bool,
    /// Whether it should no longer be set.
    pub deprecated: bool,
    /// Description in Markdown.
    pub description: String,
}

/// Whether the configuration or the provider sets an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeUsage {
    /// The configuration must set it.
    Required,
    /// The configuration can set it.
    Optional,
    /// The provider sets it if the configuration does not.
    OptionalComputed,
    /// The provider sets it, and the configuration must not.
    Computed,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// Any number.
    Number,
    /// Text.
    String,
    /// A list of values of one type.
    List(Box<Type>),
    /// Different values of one type, without an order.
    Set(Box<Type>),
    /// Values of one type by any names.
    Map(Box<Type>),
    /// Values of different types by fixed names.
    Object(BTreeMap<String, Type>),
    /// An object whose members are attributes with usages and descriptions of their own. Only the type of an
    /// attribute, not of elements.
    Nested(Vec<Attribute>),
}

impl Block {
    /// The attribute with this name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The nested block with this name.
    #[must_use]
    pub fn block(&self, name: &str) -> Option<&NestedBlock> {
        self.blocks.iter().find(|block| block.name == name)
    }
}

impl Type {
    /// A list of `elements`.
    #[must_use]
    pub fn list(elements: Self) -> Self {
        Self::List(Box::new(elements))
    }

    /// A set of `elements`.
    #[must_use]
    pub fn set(elements: Self) -> Self {
        Self::Set(Box::new(elements))
    }

    /// A map of `elements`.
    #[must_use]
    pub fn map(elements: Self) -> Self {
        Self::Map(Box::new(elements))
    }

    /// The form of the protocol: `["list","string"]`.
    pub(crate) fn json(&self) -> Json {
        match self {
            Self::Bool => json!("bool"),
            Self::Number => json!("number"),
            Self::String => json!("string"),
            Self::List(elements) => json!(["list", elements.json()]),
            Self::Set(elements) => json!(["set", elements.json()]),
            Self::Map(elements) => json!(["map", elements.json()]),
            Self::Object(members) => {
                let members = members.iter().map(|(name, kind)| (name.clone(), kind.json()));
                json!(["object", members.collect::<serde_json::Map<_, _>>()])
            }
            Self::Nested(attributes) => {
                let members = attributes.iter();
                let members = members.map(|member| (member.name.clone(), member.kind.json()));
                json!(["object", members.collect::<serde_json::Map<_, _>>()])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_form_of_the_protocol() {
        let object = Type::Object(BTreeMap::from([
            ("b".to_owned(), Type::Bool),
            ("a".to_owned(), Type::list(Type::Number)),
        ]));
        assert_eq!(Type::String.json().to_string(), r#""string""#);
        assert_eq!(Type::set(Type::String).json().to_string(), r#"["set","string"]"#);
        assert_eq!(
            Type::map(object).json().to_string(),
            r#"["map",["object",{"a":["list","number"],"b":"bool"}]]"#
        );
    }
}
