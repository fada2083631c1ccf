//! Literals of a configuration, which is read without being evaluated: its texts, and the data blocks whose arguments are constant.

use std::collections::BTreeMap;
use std::mem;

use hcl_edit::expr::{BinaryOp, Conditional, ForCond, FuncCall, ObjectKey, ObjectValue, TraversalOperator};
use hcl_edit::structure::{Attribute, Block, BlockLabel, Body};
use hcl_edit::template::{Element, HeredocTemplate, StringTemplate, Template};
use hcl_edit::visit::{self, Visit};
use hcl_edit::{Decorated, Span};
use serde_json::{Map, Value};

use crate::parsed::{self, kind};
use crate::program::{is_program, scalars};
use crate::{SourceFile, Step};
use constants::{Constants, name_of};

mod constants;
mod json;

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
    /// The type of the resource or data source in which it stands; empty if there is none.
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
    /// The argument of resources with the id of the object that they make.
    pub id: &'a str,
}

impl ReadFilter<'_> {
    /// Whether a type of resources or data sources, such as `nsxt_policy_group` or `nsxt:PolicyGroup`, belongs to a
    /// provider of interest.
    fn owns(&self, kind: &str) -> bool {
        let provider = kind.split(['_', ':']).next();
        provider.is_some_and(|provider| self.providers.contains(&provider))
    }
}

/// Reads the files of a configuration: native syntax, JSON, values of variables, and programs of Pulumi in YAML.
#[must_use]
pub fn read(sources: Vec<SourceFile>, wanted: ReadFilter<'_>) -> Literals {
    let mut reading = Literals::default();
    let mut files = Vec::new();
    for SourceFile { name, text } in sources {
        let parsed = text.and_then(|text| match name.ends_with(".json") {
            _ if is_program(&name) => reading.program(&name, &text, wanted).map(|()| None),
            true => json::parse(&text, constants::is_of_values(&name)).map(|body| Some((text, body))),
            false => parsed::parse(&text).map(|body| Some((text, body))),
        });
        match parsed {
            Ok(parsed) => files.extend(parsed.map(|(text, body)| ParsedFile::new(name, &text, body))),
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
        texts.visit_body(&file.body);
        for block in parsed::data_sources(&file.body) {
            reading.data_block(file, block, &constants, wanted);
        }
    }
    reading
}

impl Literals {
    fn data_block(
        &mut self,
        file: &ParsedFile,
        block: &Block,
        constants: &Constants<'_>,
        wanted: ReadFilter<'_>,
    ) {
        let kind = kind(block).unwrap_or_default();
        let name = block.labels.get(1).map_or("", BlockLabel::as_str);
        if !wanted.owns(kind) {
            return;
        }
        // Blocks of JSON have no place of their own.
        let first = block.body.attributes().next().map(|one| &one.value);
        let place = match (block.span(), first) {
            (None, Some(value)) => file.place(value),
            _ => file.place(block),
        };
        let arguments = constants.arguments(file, &block.body);
        match arguments.filter(|_| constants.is_single(file, kind, name)) {
            Some(arguments) => self.data.push(DataBlock {
                place,
                kind: kind.to_owned(),
                name: name.to_owned(),
                arguments,
            }),
            None => self.undecided(place, format!("{kind}.{name} depends on other values")),
        }
    }

    /// Reads a program of Pulumi.
    fn program(&mut self, file: &str, program: &str, wanted: ReadFilter<'_>) -> Result<(), String> {
        let id = wanted.id.replace('_', "");
        let scalars = scalars(program)?;
        let kinds = scalars.iter().filter_map(|scalar| match &scalar.keys[..] {
            [section, name, part] if section == "resources" && part == "type" => {
                Some((name.clone(), scalar.text.clone()))
            }
            _ => None,
        });
        let kinds: BTreeMap<String, String> = kinds.collect();
        for scalar in scalars {
            let block = match &scalar.keys[..] {
                [section, name, ..] if section == "resources" => kinds.get(name).cloned().unwrap_or_default(),
                _ => String::new(),
            };
            if !block.is_empty() && !wanted.owns(&block) {
                continue;
            }
            let argument = scalar.keys.last().cloned().unwrap_or_default();
            let place = SourceLine {
                file: file.to_owned(),
                line: scalar.line,
            };
            let doubt = if scalar.keys.iter().any(|key| key.starts_with("fn::")) {
                "the text is an argument of a function"
            } else if scalar.text.contains("${") {
                "the text has interpolations"
            } else if argument.eq_ignore_ascii_case(&id) {
                let (kind, id) = (String::new(), Some(scalar.text));
                self.made.push(MadeObject { kind, id });
                continue;
            } else {
                self.texts.push(Text {
                    place,
                    argument,
                    block,
                    text: scalar.text,
                });
                continue;
            };
            if (wanted.begins)(&scalar.text) {
                self.undecided(place, doubt.to_owned());
            }
        }
        Ok(())
    }

    fn undecided(&mut self, place: SourceLine, what: String) {
        let (place, line) = (place.file, Some(place.line));
        self.undecided.push(Step { place, line, what });
    }
}

/// A file and the places in it.
struct ParsedFile {
    name: String,
    body: Body,
    /// Offsets of the line ends.
    ends: Vec<usize>,
}

impl ParsedFile {
    fn new(name: String, text: &str, body: Body) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end).collect();
        Self { name, body, ends }
    }

    fn place(&self, part: &impl Span) -> SourceLine {
        let start = parsed::place_of(part).start;
        SourceLine {
            file: self.name.clone(),
            line: self.ends.partition_point(|end| *end < start) + 1,
        }
    }
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

    /// Whether a template can be a text of interest. If it begins with a value that is not known, it can be if it goes on
    /// with a segment of a path in a block of interest.
    fn may_be_wanted(&self, node: &StringTemplate) -> bool {
        let mut elements = node.iter().map(Element::as_literal);
        if let Some(first) = elements.next().flatten() {
            return (self.wanted.begins)(first);
        }
        let next = elements.next().flatten().and_then(|text| text.strip_prefix('/'));
        let goes_on = next.is_some_and(|segment| segment.starts_with(char::is_alphabetic));
        let value = self.constants.text(self.file, &node.clone().into());
        value.map_or(goes_on && !self.block.is_empty(), |text| {
            (self.wanted.begins)(&text)
        })
    }

    fn undecided(&mut self, part: &impl Span, what: &str) {
        self.reading.undecided(self.file.place(part), what.to_owned());
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
        if name.as_deref().is_some_and(self.wanted.begins) {
            self.undecided(key, "the text is a key");
        }
        if name.as_deref() != Some(json::COMMENT) {
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
        let doubt = "the text has interpolations";
        if self.may_be_wanted(node) {
            self.undecided(node, doubt);
        }
        self.doubting(Some(doubt), |texts| visit::visit_string_template(texts, node));
    }

    /// Visits the texts between which a template chooses.
    fn visit_template(&mut self, node: &Template) {
        let first = node.iter().next().and_then(Element::as_literal);
        if first.is_some_and(|text| (self.wanted.begins)(text)) {
            self.undecided(node, "only one of several texts is used");
        }
        visit::visit_template(self, node);
    }

    fn visit_heredoc_template(&mut self, node: &HeredocTemplate) {
        let doubt = "the text has several lines";
        let mut literals = node.template.iter().filter_map(Element::as_literal);
        if literals.any(|text| text.lines().any(|line| (self.wanted.begins)(line.trim()))) {
            self.undecided(node, doubt);
        }
        self.doubting(Some(doubt), |texts| {
            node.template
                .iter()
                .for_each(|element| texts.visit_element(element));
        });
    }

    fn visit_func_call(&mut self, node: &FuncCall) {
        let is_transparent = node.name.namespace.is_empty() && TRANSPARENT.contains(&node.name.name.as_str());
        let doubt = (!is_transparent).then_some("the text is an argument of a function");
        self.doubting(doubt, |texts| visit::visit_func_args(texts, &node.args));
    }

    // Texts in conditions are compared.

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
