//! The names and shapes of the provider `nsxt`: each data source is also served under its name there.
//!
//! The shape of a data source there is derived from that of `netmgr_*` and from the differences in `table`. It maps
//! arguments to those of `netmgr_*`, and results back.

mod blocks;
mod table;

use terraform_plugin::{
    Attribute, AttributeUsage, AttributeValue, Block, BlockNesting, NestedBlock, Object, Type,
};

use table::{MemberContent, ShapeChange};

/// Prefix of the data sources there.
pub(crate) const PREFIX: &str = "nsxt_";

/// A data source of `nsxt`, as differences from the data source of `netmgr_*`.
pub(crate) struct NsxtShape(Vec<ShapeMember>);

/// An attribute or a block, here and there.
struct ShapeMember {
    here: String,
    there: String,
    /// The members of its object, or of the objects in its list, if they have a shape too.
    members: Option<NsxtShape>,
    /// Whether it is an object here, and at most one block there.
    is_block: bool,
    passed: Passed,
    /// The value if it has none, given the others.
    default: fn(&Object) -> AttributeValue,
}

/// Whether an argument is one here too.
#[derive(Clone, Copy, PartialEq)]
enum Passed {
    Always,
    WithoutId,
    /// If it is not set, with the value of `id`.
    OrId,
    Never,
}

impl NsxtShape {
    /// The shape of the data source `name`, without its prefix, and its block there. One without a counterpart there
    /// only has blocks instead of objects that users write.
    pub(crate) fn of(name: &str, has_counterpart: bool, block: &Block) -> (Self, Block) {
        let differences = Differences {
            name,
            has_counterpart,
        };
        let (shape, there) = differences.apply("", block.attributes.clone());
        let description = block.description.clone();
        (shape, Block { description, ..there })
    }

    /// Arguments there as arguments here.
    pub(crate) fn arguments(&self, there: &Object) -> Object {
        let is_set = |value: &AttributeValue| !matches!(value, AttributeValue::Null) && *value != "".into();
        let has_id = there.get("id").is_some_and(is_set);
        let passed = self.0.iter().filter(|member| match member.passed {
            Passed::Always | Passed::OrId => true,
            Passed::WithoutId => !has_id,
            Passed::Never => false,
        });
        let arguments = passed.filter_map(|member| {
            let value = match (there.get(&member.there)?, there.get("id")) {
                (value, Some(id)) if member.passed == Passed::OrId && !is_set(value) => id.clone(),
                (value, _) => value.clone(),
            };
            Some((member.here.clone(), member.argument(value)))
        });
        arguments.collect()
    }

    /// The state there: the result here, with the arguments that it lacks, and with defaults.
    pub(crate) fn state(&self, result: Object, arguments: Object) -> Object {
        let mut state = self.object(result);
        for (name, value) in arguments {
            let found = state.entry(name).or_default();
            if found.is_null() {
                *found = value;
            }
        }
        self.complete(&mut state);
        state
    }

    /// An object here as one there.
    fn object(&self, mut here: Object) -> Object {
        let members = self.0.iter().map(|member| {
            let value = here.remove(&member.here).unwrap_or_default();
            (member.there.clone(), member.value(value))
        });
        members.collect()
    }

    /// Adds defaults.
    fn complete(&self, there: &mut Object) {
        for member in &self.0 {
            let default = (member.default)(there);
            match (&member.members, there.entry(member.there.clone()).or_default()) {
                (_, value @ AttributeValue::Null) => *value = default,
                (Some(shape), AttributeValue::List(items)) => {
                    for item in items {
                        if let AttributeValue::Object(item) = item {
                            shape.complete(item);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

impl ShapeMember {
    /// One that is the same on both sides.
    fn plain(name: &str) -> Self {
        Self {
            here: name.to_owned(),
            there: name.to_owned(),
            members: None,
            is_block: false,
            passed: Passed::Always,
            default: |_| AttributeValue::Null,
        }
    }

    /// Its value here, of an argument there.
    fn argument(&self, there: AttributeValue) -> AttributeValue {
        match (there, &self.members) {
            (AttributeValue::List(mut blocks), Some(shape)) if self.is_block => match blocks.pop() {
                Some(AttributeValue::Object(block)) => AttributeValue::Object(shape.arguments(&block)),
                other => other.unwrap_or_default(),
            },
            (value, _) => value,
        }
    }

    /// Its value there, of a result here.
    fn value(&self, here: AttributeValue) -> AttributeValue {
        match (here, &self.members) {
            (AttributeValue::Object(object), Some(shape)) if self.is_block => {
                AttributeValue::List(vec![AttributeValue::Object(shape.object(object))])
            }
            (AttributeValue::List(items), Some(shape)) => {
                let items = items.into_iter().map(|item| match item {
                    AttributeValue::Object(object) => AttributeValue::Object(shape.object(object)),
                    other => other,
                });
                AttributeValue::List(items.collect())
            }
            (value, _) => value,
        }
    }
}

/// The differences of a data source.
struct Differences<'a> {
    name: &'a str,
    has_counterpart: bool,
}

impl Differences<'_> {
    /// The differences of the attribute or object with this path.
    fn of(&self, path: &str) -> impl Iterator<Item = &'static ShapeChange> {
        let rows = table::DIFFERENCES
            .iter()
            .filter(|(names, _)| self.has_counterpart && (names.is_empty() || names.contains(&self.name)));
        let rows = rows.flat_map(|(_, rows)| *rows);
        rows.filter(move |(attribute, _)| *attribute == path)
            .map(|(_, change)| change)
    }

    /// The shape of the object at this path, and its contents there.
    fn apply(&self, path: &str, attributes: Vec<Attribute>) -> (NsxtShape, Block) {
        let mut shape = Vec::new();
        let mut block = Block::default();
        for attribute in attributes {
            self.add(path, attribute, &mut shape, &mut block);
        }
        for change in self.of(path) {
            match change {
                ShapeChange::Added(name, content) => {
                    content.add(name, &mut block);
                    if let MemberContent::Made(make) = content {
                        shape.push(ShapeMember {
                            default: *make,
                            ..ShapeMember::plain(name)
                        });
                    }
                }
                ShapeChange::Deprecated => block.deprecated = true,
                _ => {}
            }
        }
        block.attributes.sort_by(|a, b| a.name.cmp(&b.name));
        block.blocks.sort_by(|a, b| a.name.cmp(&b.name));
        (NsxtShape(shape), block)
    }

    fn add(&self, path: &str, mut attribute: Attribute, shape: &mut Vec<ShapeMember>, block: &mut Block) {
        let here = attribute.name.clone();
        let path = match path {
            "" => here.clone(),
            path => format!("{path}.{here}"),
        };
        let mut member = ShapeMember::plain(&here);
        let is_argument = attribute.usage != AttributeUsage::Computed;
        let mut blocks = match &attribute.kind {
            Type::Nested(_) => Some((BlockNesting::List, Some(1))),
            _ => None,
        };
        match self
            .of(&path)
            .find(|change| !matches!(change, ShapeChange::Added(..)))
        {
            Some(ShapeChange::Dropped) => return,
            Some(ShapeChange::DroppedOutput) if !is_argument => return,
            Some(ShapeChange::Ignored) if is_argument => {
                member.passed = Passed::Never;
                "Description of the object.".clone_into(&mut attribute.description);
            }
            Some(ShapeChange::Settable) => {
                member.passed = Passed::Never;
                attribute.usage = AttributeUsage::OptionalComputed;
            }
            Some(ShapeChange::WithoutId) if attribute.usage != AttributeUsage::Required => {
                member.passed = Passed::WithoutId;
            }
            Some(ShapeChange::Unrequired) => attribute.usage = AttributeUsage::Optional,
            Some(ShapeChange::OrId) => {
                member.passed = Passed::OrId;
                attribute.usage = AttributeUsage::OptionalComputed;
            }
            Some(ShapeChange::Default(value)) => member.default = *value,
            Some(ShapeChange::Named(name)) => (*name).clone_into(&mut member.there),
            Some(ShapeChange::Sorted) => attribute.kind = into_set(attribute.kind),
            Some(ShapeChange::Blocks(name, nesting, max_items)) => {
                (*name).clone_into(&mut member.there);
                blocks = Some((*nesting, *max_items));
            }
            _ => {}
        }
        attribute.name.clone_from(&member.there);
        if let Some((nesting, max_items)) = blocks {
            member.is_block = matches!(attribute.kind, Type::Nested(_) | Type::Object(_));
            let (members, contents) = self.apply(&path, attributes(attribute.kind));
            member.members = Some(members);
            block.blocks.push(NestedBlock {
                name: attribute.name,
                nesting,
                min_items: u32::from(attribute.usage == AttributeUsage::Required),
                max_items,
                block: Block {
                    description: attribute.description,
                    ..contents
                },
            });
            if !is_argument {
                member.passed = Passed::Never;
            }
        } else {
            let (kind, members) = self.within(&path, attribute.kind);
            member.members = members;
            block.attributes.push(Attribute { kind, ..attribute });
        }
        shape.push(member);
    }

    /// The type of an attribute there, and the shape of its objects.
    fn within(&self, path: &str, kind: Type) -> (Type, Option<NsxtShape>) {
        match kind {
            Type::List(of) => {
                let (of, shape) = self.within(path, *of);
                (Type::list(of), shape)
            }
            Type::Set(of) => {
                let (of, shape) = self.within(path, *of);
                (Type::set(of), shape)
            }
            kind @ Type::Object(_) => {
                let (shape, block) = self.apply(path, attributes(kind));
                let members = block.attributes.into_iter();
                let members = members.map(|member| (member.name, member.kind));
                (Type::Object(members.collect()), Some(shape))
            }
            kind => (kind, None),
        }
    }
}

impl MemberContent {
    fn add(&self, name: &str, block: &mut Block) {
        let kind = match self {
            Self::Entries(nesting, max_items, contents) => {
                let mut inner = Block::default();
                for (name, content) in *contents {
                    content.add(name, &mut inner);
                }
                block.blocks.push(NestedBlock {
                    name: name.to_owned(),
                    nesting: *nesting,
                    min_items: 0,
                    max_items: *max_items,
                    block: inner,
                });
                return;
            }
            Self::Text | Self::Made(_) => Type::String,
            Self::Flag => Type::Bool,
            Self::Number => Type::Number,
            Self::Texts => Type::set(Type::String),
        };
        let mut attribute = optional(name.to_owned(), kind);
        if let Self::Made(_) = self {
            attribute.usage = AttributeUsage::Computed;
        }
        block.attributes.push(attribute);
    }
}

/// The members of an object, or of the objects in a list. Those that the provider fills in are optional in blocks.
fn attributes(kind: Type) -> Vec<Attribute> {
    match kind {
        Type::Nested(attributes) => attributes,
        Type::List(of) | Type::Set(of) => attributes(*of),
        Type::Object(members) => members
            .into_iter()
            .map(|(name, kind)| optional(name, kind))
            .collect(),
        _ => Vec::new(),
    }
}

/// An optional attribute without a description.
pub(crate) fn optional(name: String, kind: Type) -> Attribute {
    Attribute {
        name,
        kind,
        usage: AttributeUsage::Optional,
        sensitive: false,
        deprecated: false,
        description: String::new(),
    }
}

fn into_set(kind: Type) -> Type {
    match kind {
        Type::List(of) => Type::Set(of),
        kind => kind,
    }
}

#[cfg(test)]
mod tests;
