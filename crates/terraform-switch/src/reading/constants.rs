//! Values that follow from literals, locals, values of variables, and defaults.

use std::collections::{BTreeMap, BTreeSet};

use hcl_edit::expr::{Expression, Object, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::structure::Body;
use hcl_edit::template::Element;
use serde_json::{Map, Number, Value};

use super::{Parsed, ParsedFile};
use crate::folders::{below, folder};
use crate::parsed::{kind, source};

/// How deeply locals may refer to other locals.
const DEEPEST: u8 = 16;

/// The constant values of all folders.
pub(super) struct Constants<'a> {
    locals: BTreeMap<(String, &'a str), &'a Expression>,
    variables: BTreeMap<(String, &'a str), &'a Expression>,
    /// Folders whose variables a module call sets.
    called: BTreeSet<String>,
}

impl<'a> Constants<'a> {
    pub(super) fn of(files: &'a [ParsedFile]) -> Self {
        let mut constants = Self {
            locals: BTreeMap::new(),
            variables: BTreeMap::new(),
            called: BTreeSet::new(),
        };
        let natives = || {
            files.iter().filter_map(|file| match &file.parsed {
                Parsed::Native(body) => Some((file, body)),
                Parsed::Json(_) => None,
            })
        };
        for (file, body) in natives().filter(|(file, _)| !is_of_values(&file.name)) {
            let folder = folder(&file.name);
            for attribute in body
                .get_blocks("locals")
                .flat_map(|block| block.body.attributes())
            {
                let key = (folder.clone(), attribute.key.as_str());
                constants.locals.insert(key, &attribute.value);
            }
            for block in body.get_blocks("variable") {
                if let (Some(name), Some(default)) = (kind(block), block.body.get_attribute("default")) {
                    constants.variables.insert((folder.clone(), name), &default.value);
                }
            }
            let calls = body.get_blocks("module").filter_map(source);
            constants
                .called
                .extend(calls.filter_map(|source| below(&folder, source)));
        }
        // These are read without a flag, in this order.
        let mut values: Vec<_> = natives().filter(|(file, _)| is_automatic(&file.name)).collect();
        values.sort_by_key(|(file, _)| file.name.ends_with(".auto.tfvars"));
        for (file, body) in values {
            for attribute in body.attributes() {
                let key = (folder(&file.name), attribute.key.as_str());
                constants.variables.insert(key, &attribute.value);
            }
        }
        constants
    }

    /// The arguments of a block, if all are constant.
    pub(super) fn arguments(&self, file: &ParsedFile, body: &Body) -> Option<Map<String, Value>> {
        let mut arguments = Map::new();
        for attribute in body.attributes().filter(|one| !is_of_language(&one.key)) {
            let value = self.value(file, &attribute.value, DEEPEST)?;
            arguments.insert(attribute.key.as_str().to_owned(), value);
        }
        if is_repeated(|name| body.get_attribute(name).is_some()) || is_elsewhere(body) {
            return None;
        }
        for block in body.blocks() {
            match block.ident.as_str() {
                "lifecycle" => {}
                "dynamic" => return None,
                name => {
                    let members = self.arguments(file, &block.body)?;
                    arguments.insert(name.to_owned(), members.into());
                }
            }
        }
        Some(arguments)
    }

    /// The arguments of a data block in JSON, if all are constant.
    pub(super) fn members(&self, file: &ParsedFile, block: &Object) -> Option<Map<String, Value>> {
        let members = block.iter().map(|(key, value)| (name_of(key), value.expr()));
        let mut arguments = Map::new();
        for (name, value) in members {
            let name = name?;
            if name == "provider" && value.as_str().is_none_or(|name| name.contains('.')) {
                return None;
            }
            arguments.insert(name, self.value(file, value, DEEPEST)?);
        }
        (!is_repeated(|name| arguments.contains_key(name))).then_some(arguments)
    }

    fn value(&self, file: &ParsedFile, expression: &Expression, depth: u8) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let value = |expression| self.value(file, expression, depth);
        Some(match expression {
            Expression::Null(_) => Value::Null,
            Expression::Bool(bool) => Value::Bool(**bool),
            Expression::Number(number) => Value::Number(Number::from_f64(number.as_f64()?)?),
            Expression::String(text) => Value::String(text.to_string()),
            Expression::Array(items) => items.iter().map(value).collect::<Option<_>>()?,
            Expression::Object(object) => {
                let members = object.iter();
                let members = members.map(|(key, member)| Some((name_of(key)?, value(member.expr())?)));
                Value::Object(members.collect::<Option<_>>()?)
            }
            Expression::Parenthesis(inner) => value(inner.inner())?,
            Expression::StringTemplate(template) => {
                let pieces = template.iter().map(|piece| match piece {
                    Element::Literal(text) => Some(text.to_string()),
                    Element::Interpolation(inner) => match value(&inner.expr)? {
                        Value::String(text) => Some(text),
                        value @ (Value::Bool(_) | Value::Number(_)) => Some(value.to_string()),
                        _ => None,
                    },
                    Element::Directive(_) => None,
                });
                Value::String(pieces.collect::<Option<_>>()?)
            }
            Expression::Traversal(traversal) => self.referred(file, traversal, depth)?,
            _ => return None,
        })
    }

    /// The value of a local or a variable, or a member of it.
    fn referred(&self, file: &ParsedFile, traversal: &Traversal, depth: u8) -> Option<Value> {
        let folder = folder(&file.name);
        let mut steps = traversal.operators.iter().map(|step| &**step);
        let TraversalOperator::GetAttr(name) = steps.next()? else {
            return None;
        };
        let is_called = self.called.contains(&folder);
        let key = (folder, name.as_str());
        let found = match traversal.expr.as_variable()?.as_str() {
            "local" => self.locals.get(&key),
            "var" if !is_called => self.variables.get(&key),
            _ => None,
        };
        let mut value = self.value(file, found?, depth)?;
        for step in steps {
            value = match step {
                TraversalOperator::GetAttr(name) => value.get_mut(name.as_str())?.take(),
                TraversalOperator::Index(Expression::String(key)) => value.get_mut(key.as_str())?.take(),
                TraversalOperator::Index(Expression::Number(index)) => {
                    value.get_mut(usize::try_from(index.as_u64()?).ok()?)?.take()
                }
                _ => return None,
            };
        }
        Some(value)
    }
}

/// Whether a file contains values of variables.
fn is_of_values(name: &str) -> bool {
    name.ends_with(".tfvars")
}

/// Whether a file with values is read without a flag.
fn is_automatic(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    base == "terraform.tfvars" || base.ends_with(".auto.tfvars")
}

fn is_of_language(name: &str) -> bool {
    ["depends_on", "provider"].contains(&name)
}

/// Whether a block stands for several objects.
fn is_repeated(has: impl Fn(&str) -> bool) -> bool {
    has("count") || has("for_each")
}

/// Whether a data block is read with an alias of the provider, which can have another connection.
fn is_elsewhere(body: &Body) -> bool {
    let provider = body.get_attribute("provider");
    provider.is_some_and(|provider| provider.value.as_variable().is_none())
}

/// The name of a member, if it is a word or a text.
pub(super) fn name_of(key: &ObjectKey) -> Option<String> {
    match key {
        ObjectKey::Ident(name) => Some(name.as_str().to_owned()),
        ObjectKey::Expression(key) => key.as_str().map(str::to_owned),
    }
}
