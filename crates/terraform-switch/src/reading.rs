//! Literals of a configuration, which is read without being evaluated: its texts, and the data blocks whose arguments are constant.

use std::mem;

use hcl_edit::expr::{
    BinaryOp, Conditional, Expression, ForCond, FuncCall, Object, ObjectKey, ObjectValue, TraversalOperator,
};
use hcl_edit::structure::{Attribute, Block, BlockLabel, Body};
use hcl_edit::template::{Element, HeredocTemplate, StringTemplate};
use hcl_edit::visit::{self, Visit};
use hcl_edit::{Decorated, Span};
use serde_json::{Map, Value};

use crate::parsed::{self, kind};
use crate::{SourceFile, Step};
use constants::{Constants, name_of};

mod constants;

/// Functions whose result consists of their arguments. Arguments of others can be parts of a text, or may not be used.
const TRANSPARENT: [&str; 12] = [
    "compact",
    "concat",
    "distinct",
    "flatten",
    "merge",
    "one",
    "sensitive",
    "setunion",
    "tolist",
    "tomap",
    "toset",
    "nonsensitive",
];

/// The member of JSON that is ignored.
const COMMENT: &str = "//";

/// Blocks whose texts concern the machine that runs them.
const OF_MACHINES: [&str; 5] = [
    "backend",
    "cloud",
    "connection",
    "provisioner",
    "required_providers",
];

/// The doubt about texts for another connection.
const ELSEWHERE: &str = "another configuration of the provider reads it";

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// Name of the file.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
}

/// A literal text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Its place.
    pub place: SourceLine,
    /// The argument, the local or the key that it belongs to; empty if there is none.
    pub argument: String,
    /// The type of the resource or data source in which it stands; empty elsewhere.
    pub block: String,
    /// The text.
    pub text: String,
}

/// An object that a resource makes, which does not have to exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeObject {
    /// The type of the resource.
    pub kind: String,
    /// Its id, if it is constant.
    pub id: Option<String>,
}

/// A data block whose arguments follow from literals, locals and defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct DataBlock {
    /// The line on which it begins.
    pub place: SourceLine,
    /// Its type, such as `nsxt_policy_group`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its arguments, with nested blocks as objects. Arguments of the language, such as `depends_on`, are left out.
    pub arguments: Map<String, Value>,
}

/// What a configuration says without being evaluated.
#[derive(Debug, Default)]
pub struct Literals {
    /// All literal texts.
    pub texts: Vec<Text>,
    /// Data blocks with constant arguments.
    pub data: Vec<DataBlock>,
    /// Objects that resources make.
    pub made: Vec<MadeObject>,
    /// Texts and data blocks that depend on other values.
    pub undecided: Vec<Step>,
    /// Files that cannot be read, with the reasons.
    pub unread: Vec<Step>,
}

/// What to read.
#[derive(Clone, Copy)]
pub struct ReadFilter<'a> {
    /// Whether a text with this beginning is of interest. Such texts are reported if they have interpolations.
    pub begins: &'a dyn Fn(&str) -> bool,
    /// Providers of interest. Texts in resources and data sources of others are left out.
    pub providers: &'a [&'a str],
    /// Whether data blocks of this type are of interest.
    pub serves: &'a dyn Fn(&str) -> bool,
    /// The argument of resources with the id of the object that they make.
    pub id: &'a str,
}

impl ReadFilter<'_> {
    /// Whether a type of resources or data sources belongs to a provider of interest.
    fn owns(&self, kind: &str) -> bool {
        let provider = kind.split_once('_').map_or(kind, |(provider, _)| provider);
        self.providers.contains(&provider)
    }
}

/// Reads the files of a configuration: native syntax, JSON, and values of variables.
#[must_use]
pub fn read(sources: Vec<SourceFile>, wanted: ReadFilter<'_>) -> Literals {
    let mut reading = Literals::default();
    let mut files = Vec::new();
    for SourceFile { name, text } in sources {
        let parsed = text.and_then(|text| match name.ends_with(".json") {
            true => match text.trim_start_matches('\u{feff}').trim().parse::<Expression>() {
                Ok(json) => Ok((text, Parsed::Json(Box::new(json)))),
                Err(error) => Err(format!("line {}: cannot be parsed", error.location().line())),
            },
            false => parsed::parse(&text).map(|body| (text, Parsed::Native(Box::new(body)))),
        });
        match parsed {
            Ok((text, parsed)) => files.push(ParsedFile::new(name, &text, parsed)),
            Err(reason) => reading.unread.push(Step::of(name, reason)),
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let constants = Constants::of(&files, wanted);
    for file in &files {
        let mut texts = Texts {
            file,
            constants: &constants,
            wanted,
            argument: String::new(),
            block: String::new(),
            doubt: constants.is_elsewhere(file).then_some(ELSEWHERE),
            reading: &mut reading,
        };
        match &file.parsed {
            Parsed::Native(body) => {
                texts.visit_body(body);
                for block in parsed::data_sources(body) {
                    let name = block.labels.get(1).map_or("", BlockLabel::as_str);
                    let block_kind = kind(block).unwrap_or_default();
                    let arguments = constants.arguments(file, &block.body);
                    let arguments = arguments.filter(|_| constants.is_single(file, block_kind, name));
                    reading.data_block(file, block_kind, name, block, arguments, wanted);
                }
            }
            Parsed::Json(json) => {
                texts.visit_json(json);
                for (block_kind, blocks) in members(json, "data").flat_map(entries) {
                    for (name, block) in entries(blocks) {
                        let arguments = block.as_object().and_then(|block| constants.members(file, block));
                        let arguments = arguments.filter(|_| constants.is_single(file, &block_kind, &name));
                        reading.data_block(file, &block_kind, &name, block, arguments, wanted);
                    }
                }
            }
        }
    }
    reading
}

impl Literals {
    fn data_block(
        &mut self,
        file: &ParsedFile,
        kind: &str,
        name: &str,
        block: &impl Span,
        arguments: Option<Map<String, Value>>,
        wanted: ReadFilter<'_>,
    ) {
        if !(wanted.serves)(kind) {
            return;
        }
        let place = file.place(block);
        match arguments {
            Some(mut arguments) => {
                arguments.remove("lifecycle");
                arguments.remove("provider");
                self.data.push(DataBlock {
                    place,
                    kind: kind.to_owned(),
                    name: name.to_owned(),
                    arguments,
                });
            }
            None => self.undecided.push(Step {
                place: place.file,
                line: Some(place.line),
                what: format!("{kind}.{name} depends on other values"),
            }),
        }
    }
}

/// A file and the places in it.
struct ParsedFile {
    name: String,
    parsed: Parsed,
    /// Offsets of the line ends.
    ends: Vec<usize>,
}

enum Parsed {
    Native(Box<Body>),
    Json(Box<Expression>),
}

impl ParsedFile {
    fn new(name: String, text: &str, parsed: Parsed) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end).collect();
        Self { name, parsed, ends }
    }

    fn place(&self, part: &impl Span) -> SourceLine {
        let start = parsed::place_of(part).start;
        SourceLine {
            file: self.name.clone(),
            line: self.ends.partition_point(|end| *end < start) + 1,
        }
    }
}

/// The members of an object.
fn entries(object: &Expression) -> impl Iterator<Item = (String, &Expression)> {
    let members = object.as_object().into_iter().flat_map(Object::iter);
    members.filter_map(|(key, value)| Some((name_of(key)?, value.expr())))
}

/// The members of this name.
fn members<'a>(object: &'a Expression, wanted: &str) -> impl Iterator<Item = &'a Expression> {
    entries(object)
        .filter(move |(name, _)| name == wanted)
        .map(|(_, member)| member)
}

/// The objects of a value that can be a list.
fn objects(value: &Expression) -> Vec<&Expression> {
    value
        .as_array()
        .map_or_else(|| vec![value], |list| list.iter().flat_map(objects).collect())
}

/// Whether a member of JSON is a comment, or concerns the machine that runs the configuration.
fn is_left_out(name: &str) -> bool {
    name == COMMENT || OF_MACHINES.contains(&name)
}

/// Whether blocks with this identifier have a type.
fn is_typed(ident: &str) -> bool {
    ["resource", "data", "ephemeral", "provider"].contains(&ident)
}

/// Collects the literal texts of a file.
struct Texts<'a> {
    file: &'a ParsedFile,
    constants: &'a Constants<'a>,
    wanted: ReadFilter<'a>,
    argument: String,
    /// The type of the resource or data source.
    block: String,
    /// The reason why a text here may not be used as it stands.
    doubt: Option<&'static str>,
    reading: &'a mut Literals,
}

impl Texts<'_> {
    fn within(&mut self, argument: Option<String>, visit: impl FnOnce(&mut Self)) {
        let argument = argument.unwrap_or_default();
        let before = mem::replace(&mut self.argument, argument);
        visit(self);
        self.argument = before;
    }

    /// Visits a part with a doubt, unless there is one already.
    fn doubting(&mut self, doubt: Option<&'static str>, visit: impl FnOnce(&mut Self)) {
        let before = self.doubt;
        self.doubt = before.or(doubt);
        visit(self);
        self.doubt = before;
    }

    /// Visits a file in JSON.
    fn visit_json(&mut self, json: &Expression) {
        let top = objects(json).into_iter().flat_map(entries);
        for (ident, value) in top.filter(|(ident, _)| !is_left_out(ident)) {
            if !is_typed(&ident) {
                self.within(Some(ident), |texts| texts.visit_expr(value));
                continue;
            }
            let typed = objects(value).into_iter().flat_map(entries);
            for (kind, named) in typed {
                let is_wanted = match ident == "provider" {
                    true => self.wanted.providers.contains(&&*kind),
                    false => self.wanted.owns(&kind),
                };
                let blocks = match ident == "provider" {
                    true => objects(named),
                    false => objects(named)
                        .into_iter()
                        .flat_map(|named| entries(named).flat_map(|(_, block)| objects(block)))
                        .collect(),
                };
                for block in blocks.into_iter().filter(|_| is_wanted) {
                    self.visit_json_block(&ident, &kind, block);
                }
            }
        }
    }

    fn visit_json_block(&mut self, ident: &str, kind: &str, block: &Expression) {
        let has = |name: &str| members(block, name).next().is_some();
        if let (true, Some(id)) = (ident == "resource", members(block, self.wanted.id).next()) {
            let id = self
                .constants
                .text(self.file, id)
                .filter(|_| !constants::is_repeated(has));
            let kind = kind.to_owned();
            self.reading.made.push(MadeObject { kind, id });
        }
        let is_own = |provider: &Expression| {
            provider
                .as_str()
                .is_some_and(|name| self.wanted.providers.contains(&name))
        };
        let doubt = match members(block, "provider").all(is_own) {
            false => Some(ELSEWHERE),
            true => has("count").then_some("the block may not be used"),
        };
        let outer = mem::replace(&mut self.block, kind.to_owned());
        self.doubting(doubt, |texts| texts.visit_expr(block));
        self.block = outer;
    }

    fn undecided(&mut self, part: &impl Span, what: &str) {
        let SourceLine { file, line } = self.file.place(part);
        self.reading.undecided.push(Step {
            place: file,
            line: Some(line),
            what: what.to_owned(),
        });
    }
}

impl Visit for Texts<'_> {
    fn visit_attr(&mut self, node: &Attribute) {
        let name = node.key.as_str().to_owned();
        self.within(Some(name), |texts| visit::visit_attr(texts, node));
    }

    fn visit_block(&mut self, node: &Block) {
        let ident = node.ident.as_str();
        let is_typed = is_typed(ident);
        let block_kind = kind(node).filter(|_| is_typed).unwrap_or_default();
        let is_of_others = match ident {
            "provider" => !self.wanted.providers.contains(&block_kind),
            _ => is_typed && !self.wanted.owns(block_kind),
        };
        if is_of_others || OF_MACHINES.contains(&ident) {
            return;
        }
        if let (true, Some(id)) = (ident == "resource", node.body.get_attribute(self.wanted.id)) {
            let is_repeated = constants::is_repeated(|name| node.body.has_attribute(name));
            let id = self.constants.text(self.file, &id.value).filter(|_| !is_repeated);
            let kind = block_kind.to_owned();
            self.reading.made.push(MadeObject { kind, id });
        }
        let doubt = if constants::is_elsewhere(&node.body, self.wanted) || constants::passes_alias(&node.body)
        {
            Some(ELSEWHERE)
        } else if node
            .body
            .get_attribute("count")
            .is_some_and(|count| count.value.as_number().is_some())
        {
            Some("the block may not be used")
        } else if ident == "data" && node.body.has_attribute("depends_on") {
            Some("it is read after changes")
        } else {
            None
        };
        let outer = mem::take(&mut self.block);
        self.block = if is_typed {
            block_kind.to_owned()
        } else {
            outer.clone()
        };
        self.doubting(doubt, |texts| texts.visit_body(&node.body));
        self.block = outer;
    }

    fn visit_object_item(&mut self, key: &ObjectKey, value: &ObjectValue) {
        let name = name_of(key);
        let is_json = matches!(self.file.parsed, Parsed::Json(_));
        if !(is_json && name.as_deref().is_some_and(is_left_out)) {
            self.within(name, |texts| texts.visit_expr(value.expr()));
        }
    }

    fn visit_string(&mut self, node: &Decorated<String>) {
        if let Some(doubt) = self.doubt {
            if (self.wanted.begins)(node) {
                self.undecided(node, doubt);
            }
            return;
        }
        let text = Text {
            place: self.file.place(node),
            argument: self.argument.clone(),
            block: self.block.clone(),
            text: node.to_string(),
        };
        self.reading.texts.push(text);
    }

    fn visit_string_template(&mut self, node: &StringTemplate) {
        let first = node.iter().next().and_then(Element::as_literal);
        if first.is_some_and(|text| (self.wanted.begins)(text)) {
            self.undecided(node, "the text has interpolations");
        }
    }

    fn visit_heredoc_template(&mut self, node: &HeredocTemplate) {
        let mut literals = node.template.iter().filter_map(Element::as_literal);
        if literals.any(|text| text.lines().any(|line| (self.wanted.begins)(line.trim()))) {
            self.undecided(node, "the text has several lines");
        }
    }

    fn visit_func_call(&mut self, node: &FuncCall) {
        let is_transparent = node.name.namespace.is_empty() && TRANSPARENT.contains(&node.name.name.as_str());
        let doubt = (!is_transparent).then_some("the text is an argument of a function");
        self.doubting(doubt, |texts| visit::visit_func_args(texts, &node.args));
    }

    // Texts in conditions are compared, and keys are names.

    fn visit_conditional(&mut self, node: &Conditional) {
        self.doubting(Some("only one of two values is used"), |texts| {
            texts.visit_expr(&node.true_expr);
            texts.visit_expr(&node.false_expr);
        });
    }

    fn visit_binary_op(&mut self, _: &BinaryOp) {}

    fn visit_for_cond(&mut self, _: &ForCond) {}

    fn visit_traversal_operator(&mut self, _: &TraversalOperator) {}
}
