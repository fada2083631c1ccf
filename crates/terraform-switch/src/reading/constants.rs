//! Values that follow from literals, locals, values of variables, and defaults.

use std::collections::{BTreeMap, BTreeSet};

use hcl_edit::expr::{Expression, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::structure::{BlockLabel, Body};
use hcl_edit::template::{Element, Strip};
use serde_json::{Map, Number, Value};

use super::{ParsedFile, ReadFilter};
use crate::folders::{below, folder};
use crate::parsed::{self, kind};

/// How deeply locals may refer to other locals.
const DEEPEST: u8 = 16;

/// The constant values of all folders.
pub(super) struct Constants<'a> {
    wanted: ReadFilter<'a>,
    locals: BTreeMap<(String, String), &'a Expression>,
    variables: BTreeMap<(String, String), &'a Expression>,
    /// Variables that files set which are read only if a flag names them.
    doubtful: BTreeSet<String>,
    /// Folders whose variables a module call sets, and the names of folders of other sources.
    called: BTreeSet<String>,
    /// Folders that are called with another configuration of the provider.
    elsewhere: BTreeSet<String>,
    /// The numbers of data blocks by folder, type and name. Several are merged.
    blocks: BTreeMap<(String, String, String), usize>,
}

impl<'a> Constants<'a> {
    pub(super) fn of(files: &'a [ParsedFile], wanted: ReadFilter<'a>) -> Self {
        let mut constants = Self {
            wanted,
            locals: BTreeMap::new(),
            variables: BTreeMap::new(),
            doubtful: BTreeSet::new(),
            called: BTreeSet::new(),
            elsewhere: BTreeSet::new(),
            blocks: BTreeMap::new(),
        };
        // Files that override others are read after them.
        let mut files: Vec<&ParsedFile> = files.iter().collect();
        files.sort_by_key(|file| {
            (
                is_of_values(&file.name),
                is_override(&file.name),
                is_auto(&file.name),
            )
        });
        for file in files {
            let folder = folder(&file.name);
            if !is_of_values(&file.name) {
                constants.add(&folder, &file.body);
                continue;
            }
            for (name, value) in values_of(&file.body) {
                match is_automatic(&file.name) {
                    true => drop(constants.variables.insert((folder.clone(), name), value)),
                    false => drop(constants.doubtful.insert(name)),
                }
            }
        }
        constants
    }

    fn add(&mut self, folder: &str, body: &'a Body) {
        for block in body.get_blocks("locals") {
            for (name, value) in values_of(&block.body) {
                self.locals.insert((folder.to_owned(), name), value);
            }
        }
        for block in body.get_blocks("variable") {
            if let (Some(name), Some(default)) = (kind(block), block.body.get_attribute("default")) {
                self.variables
                    .insert((folder.to_owned(), name.to_owned()), &default.value);
            }
        }
        for block in parsed::data_sources(body) {
            let name = block.labels.get(1).map_or("", BlockLabel::as_str);
            let key = (
                folder.to_owned(),
                kind(block).unwrap_or_default().to_owned(),
                name.to_owned(),
            );
            *self.blocks.entry(key).or_default() += 1;
        }
        for block in body.get_blocks("module") {
            let Some(source) = block.body.get_attribute("source") else {
                continue;
            };
            let called = self.call(folder, &source.value);
            if passes_alias(&block.body) {
                self.elsewhere.insert(called);
            }
        }
    }

    /// Records that a module is called: its folder, or the last part of a source that is not a relative path.
    fn call(&mut self, folder: &str, source: &Expression) -> String {
        let called = source.as_str().and_then(|source| below(folder, source));
        let called = called.unwrap_or_else(|| {
            let source = source.to_string();
            let path = source
                .trim()
                .trim_matches('"')
                .split('?')
                .next()
                .unwrap_or_default();
            path.rsplit('/').next().unwrap_or_default().to_owned()
        });
        self.called.insert(called.clone());
        called
    }

    /// Whether a module is called, so that its variables have values that are not known.
    fn is_called(&self, folder: &str) -> bool {
        let last = folder.rsplit('/').next().unwrap_or(folder);
        self.called.contains(folder) || self.called.contains(last)
    }

    /// Whether a file belongs to a module that is called with another configuration of the provider.
    pub(super) fn is_elsewhere(&self, file: &ParsedFile) -> bool {
        self.elsewhere.contains(&folder(&file.name))
    }

    /// Whether a data block stands alone, and is not merged with others.
    pub(super) fn is_single(&self, file: &ParsedFile, kind: &str, name: &str) -> bool {
        let key = (folder(&file.name), kind.to_owned(), name.to_owned());
        self.blocks.get(&key) == Some(&1)
    }

    /// A text that is constant.
    pub(super) fn text(&self, file: &ParsedFile, expression: &Expression) -> Option<String> {
        match self.value(file, expression, DEEPEST)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The arguments of a block, if all are constant.
    pub(super) fn arguments(&self, file: &ParsedFile, body: &Body) -> Option<Map<String, Value>> {
        let mut arguments = Map::new();
        for attribute in body.attributes().filter(|one| !is_of_language(&one.key)) {
            let name = attribute.key.as_str();
            // JSON has lists of blocks.
            let value = match attribute.value.as_array() {
                Some(blocks) if name == "context" && blocks.len() == 1 => blocks.get(0)?,
                _ => &attribute.value,
            };
            arguments.insert(name.to_owned(), self.value(file, value, DEEPEST)?);
        }
        let has = |name: &str| body.has_attribute(name);
        if is_repeated(has) || has("depends_on") || is_elsewhere(body, self.wanted) || self.is_elsewhere(file)
        {
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

    fn value(&self, file: &ParsedFile, expression: &Expression, depth: u8) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let value = |expression| self.value(file, expression, depth);
        Some(match expression {
            Expression::Null(_) => Value::Null,
            Expression::Bool(bool) => Value::Bool(**bool),
            Expression::Number(number) => match number.as_i64() {
                Some(whole) => whole.into(),
                None => Value::Number(Number::from_f64(number.as_f64()?)?),
            },
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
                    Element::Interpolation(inner) if inner.strip != Strip::None => None,
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
        let is_known = !self.is_called(&folder) && !self.doubtful.contains(name.as_str());
        let key = (folder, name.as_str().to_owned());
        let found = match traversal.expr.as_variable()?.as_str() {
            "local" => self.locals.get(&key),
            "var" if is_known => self.variables.get(&key),
            _ => None,
        };
        // The default of a variable, or of a member, can stand for null.
        let mut value = self.value(file, found?, depth).filter(|value| !value.is_null())?;
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

/// The attributes of a body.
fn values_of(body: &Body) -> Vec<(String, &Expression)> {
    let attributes = body.attributes();
    attributes
        .map(|one| (one.key.as_str().to_owned(), &one.value))
        .collect()
}

/// The name of a file without its folder and `.json`.
fn base(name: &str) -> &str {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.strip_suffix(".json").unwrap_or(base)
}

/// Whether a file contains values of variables.
pub(super) fn is_of_values(name: &str) -> bool {
    base(name).ends_with(".tfvars")
}

/// Whether a file with values is read without a flag.
fn is_automatic(name: &str) -> bool {
    base(name) == "terraform.tfvars" || is_auto(name)
}

fn is_auto(name: &str) -> bool {
    base(name).ends_with(".auto.tfvars")
}

/// Whether a file overrides others.
fn is_override(name: &str) -> bool {
    let stem = base(name);
    let stem = stem.strip_suffix(".tf").or_else(|| stem.strip_suffix(".tofu"));
    stem.is_some_and(|stem| stem == "override" || stem.ends_with("_override"))
}

fn is_of_language(name: &str) -> bool {
    ["depends_on", "lifecycle", "provider"].contains(&name)
}

/// Whether a block stands for several objects.
pub(super) fn is_repeated(has: impl Fn(&str) -> bool) -> bool {
    has("count") || has("for_each")
}

/// Whether a block is read with an alias of the provider or another provider, which can have another connection.
pub(super) fn is_elsewhere(body: &Body, wanted: ReadFilter<'_>) -> bool {
    let provider = body.get_attribute("provider").map(|one| word(&one.value));
    provider.is_some_and(|name| name.is_none_or(|name| !wanted.providers.contains(&name)))
}

/// Whether a module call passes aliases of providers.
pub(super) fn passes_alias(body: &Body) -> bool {
    let providers = body.get_attribute("providers");
    let providers = providers.and_then(|one| one.value.as_object());
    providers.is_some_and(|providers| providers.iter().any(|(_, value)| word(value.expr()).is_none()))
}

/// A word, or in JSON a text, that is not the alias of a provider.
fn word(expression: &Expression) -> Option<&str> {
    let word = expression.as_variable().map(|name| name.as_str());
    word.or(expression.as_str()).filter(|name| !name.contains('.'))
}

/// The name of a member, if it is a word or a text.
pub(super) fn name_of(key: &ObjectKey) -> Option<String> {
    match key {
        ObjectKey::Ident(name) => Some(name.as_str().to_owned()),
        ObjectKey::Expression(key) => key.as_str().map(str::to_owned),
    }
}
