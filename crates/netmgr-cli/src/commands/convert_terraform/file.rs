//! One file: its blocks and the references in its expressions.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use hcl_edit::Span as _;
use hcl_edit::expr::{Expression, Object, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::structure::{Attribute, Block, BlockLabel, Body};
use hcl_edit::visit::{Visit, visit_expr, visit_object_key, visit_traversal};

use super::edits::Edits;
use super::names::{self, ADDRESS, FROM, TO};

mod nested;

/// A file that could be read.
pub(super) struct Parsed(Body);

/// What the files of one folder have.
#[derive(Default)]
pub(super) struct Module {
    /// The aliases of the blocks of the new provider; `None` for the block without one.
    pub(super) configured: BTreeSet<Option<String>>,
    /// Whether either provider is required.
    pub(super) requires: bool,
}

/// What the conversion of a file came to.
#[derive(Debug, Default)]
pub(super) struct FileConversion {
    /// The new text, if it differs.
    pub(super) text: Option<String>,
    pub(super) counts: ChangeCounts,
    /// Lines that stay as they are, with the reason.
    pub(super) left: Vec<(usize, String)>,
}

/// Numbers of changes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ChangeCounts {
    data_sources: usize,
    references: usize,
    blocks: usize,
    providers: usize,
    requirements: usize,
}

impl fmt::Display for ChangeCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.data_sources, "data source"),
            (self.references, "reference"),
            (self.blocks, "nested block"),
            (self.providers, "provider block"),
            (self.requirements, "provider requirement"),
        ];
        let parts = counts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        f.write_str(&parts.join(", "))
    }
}

impl ChangeCounts {
    /// Whether the file uses the new provider because of the conversion.
    pub(super) fn needs_requirement(&self) -> bool {
        self.data_sources > 0 || self.providers > 0
    }
}

impl Parsed {
    /// Reads a text. The error names the place.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        text.parse().map(Self).map_err(|error: hcl_edit::parser::Error| {
            let place = error.location();
            format!("line {}, column {}: cannot be read", place.line(), place.column())
        })
    }

    /// Whether the other provider is needed afterwards: for a resource, for a data source without counterpart, or for
    /// a module whose contents are not known.
    pub(super) fn needs_other(&self) -> bool {
        self.0
            .blocks()
            .any(|block| match (block.ident.as_str(), kind(block)) {
                ("resource" | "ephemeral" | "removed", Some(kind)) => names::is_foreign(kind),
                ("data", Some(kind)) => names::is_foreign(kind) && names::data_source(kind).is_none(),
                ("module", _) => is_elsewhere(block),
                _ => false,
            })
    }
}

impl Parsed {
    /// The aliases of the blocks of the new provider.
    pub(super) fn configured(&self) -> impl Iterator<Item = Option<String>> {
        let blocks = self.0.get_blocks("provider");
        blocks.filter(|block| kind(block) == Some(TO)).map(alias)
    }

    /// Whether the module requires either provider.
    pub(super) fn requires(&self) -> bool {
        let terraform = self.0.get_blocks("terraform");
        let mut required = terraform.flat_map(|block| block.body.get_blocks("required_providers"));
        required.any(|block| block.body.has_attribute(FROM) || block.body.has_attribute(TO))
    }
}

/// The alias of the block of a provider.
fn alias(block: &Block) -> Option<String> {
    let alias = block.body.get_attribute("alias")?;
    alias.value.as_str().map(str::to_owned)
}

/// The first label of a block.
fn kind(block: &Block) -> Option<&str> {
    block.labels.first().map(BlockLabel::as_str)
}

/// Whether the source of a module is no folder of the configuration.
fn is_elsewhere(module: &Block) -> bool {
    let source = module.body.get_attribute("source");
    let source = source.and_then(|source| source.value.as_str());
    !source.is_some_and(|source| source.starts_with("./") || source.starts_with("../"))
}

/// Converts a file.
pub(super) fn convert(text: &str, parsed: &Parsed, module: &Module, keeps_other: bool) -> FileConversion {
    let mut conversion = Conversion {
        text,
        line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
        lines: text.match_indices('\n').map(|(end, _)| end).collect(),
        module,
        keeps_other,
        edits: Edits::default(),
        outcome: FileConversion::default(),
        renames_providers: false,
    };
    conversion.visit_body(&parsed.0);
    let Conversion {
        edits, mut outcome, ..
    } = conversion;
    if !edits.is_empty() {
        outcome.text = Some(edits.apply(text));
    }
    outcome.left.sort();
    outcome
}

struct Conversion<'a> {
    text: &'a str,
    line_end: &'static str,
    /// Where lines end.
    lines: Vec<usize>,
    module: &'a Module,
    keeps_other: bool,
    edits: Edits,
    outcome: FileConversion,
    /// Whether the expressions at hand refer to providers.
    renames_providers: bool,
}

impl Conversion<'_> {
    /// Replaces a name. Text of another form, such as one with escapes, is listed instead.
    fn rename(&mut self, place: Option<Range<usize>>, from: &str, to: &str) -> bool {
        let Some(place) = place else { return false };
        let found = &self.text[place.clone()];
        let offset = found.find(from).filter(|_| found.trim_matches('"') == from);
        let Some(offset) = offset else {
            self.leave(
                place.start,
                format!("{from} is written in a form that is not converted"),
            );
            return false;
        };
        let start = place.start + offset;
        self.edits.replace(start..start + from.len(), to);
        true
    }

    fn leave(&mut self, offset: usize, reason: String) {
        let line = self.lines.partition_point(|end| *end < offset) + 1;
        self.outcome.left.push((line, reason));
    }

    fn data_source(&mut self, block: &Block) {
        let Some(label) = block.labels.first() else { return };
        let kind = label.as_str();
        match names::data_source(kind) {
            Some(name) => {
                if self.rename(label.span(), kind, &name) {
                    self.outcome.counts.data_sources += 1;
                }
                self.arguments(block, kind, &name);
                self.quoted_provider(block);
                self.nested_blocks(block, kind);
                self.with_providers(|this| this.visit_body(&block.body));
            }
            None => {
                if names::is_foreign(kind) {
                    let place = block.span().unwrap_or_default().start;
                    self.leave(place, format!("{TO} has no data source for {kind}"));
                }
                self.visit_body(&block.body);
            }
        }
    }

    /// Lists arguments that the data source here does not have.
    fn arguments(&mut self, block: &Block, kind: &str, here: &str) {
        let attributes = block.body.attributes().map(|one| (one.key.as_str(), one.span()));
        let blocks = block.body.blocks().map(|one| {
            let name = one.ident.as_str();
            let generated = self::kind(one).filter(|_| name == "dynamic");
            (generated.unwrap_or(name), one.span())
        });
        for (name, place) in attributes.chain(blocks) {
            if !names::has_argument(kind, name) {
                let start = place.unwrap_or_default().start;
                self.leave(start, format!("{here} has no argument {name}"));
            }
        }
    }

    /// The provider of a data source as Terraform 0.11 wrote it: `provider = "nsxt.a"`.
    fn quoted_provider(&mut self, block: &Block) {
        let Some(attribute) = block.body.get_attribute("provider") else {
            return;
        };
        if let Some(written) = attribute.value.as_str()
            && let Some(rest) = written.strip_prefix(FROM)
            && (rest.is_empty() || rest.starts_with('.'))
        {
            self.rename(attribute.value.span(), written, &format!("{TO}{rest}"));
        }
    }

    /// Visits expressions in which the name of a provider is one.
    fn with_providers(&mut self, visit: impl FnOnce(&mut Self)) {
        self.renames_providers = true;
        visit(self);
        self.renames_providers = false;
    }

    /// The block of the provider: renamed, or copied if the other provider needs it as well.
    fn provider(&mut self, block: &Block) {
        let (Some(place), Some(label)) = (block.span(), block.labels.first()) else {
            return;
        };
        if self.module.configured.contains(&alias(block)) {
            if !self.keeps_other {
                self.leave(
                    place.start,
                    format!("{TO} is configured already; remove this block if nothing needs it"),
                );
            }
            return self.visit_body(&block.body);
        }
        let outer = std::mem::take(&mut self.edits);
        self.rename(label.span(), FROM, TO);
        for attribute in block.body.attributes() {
            let name = attribute.key.as_str();
            let start = attribute.span().unwrap_or_default().start;
            match names::argument(name) {
                Some(here) if here != name => {
                    self.rename(attribute.key.span(), name, &here);
                }
                Some(_) => {}
                None if name == "alias" => {}
                None => self.leave(start, format!("{TO} has no argument {name}")),
            }
        }
        self.visit_body(&block.body);
        let edits = std::mem::replace(&mut self.edits, outer);
        self.outcome.counts.providers += 1;
        let copy = edits.within(&place).apply(&self.text[place.clone()]);
        if !self.keeps_other {
            return self.edits.replace(place, copy);
        }
        // References in the block that stays; they are counted above.
        let references = self.outcome.counts.references;
        self.visit_body(&block.body);
        self.outcome.counts.references = references;
        let end = self.line_end;
        self.edits
            .replace(place.end..place.end, format!("{end}{end}{}", copy.trim_end()));
    }

    /// The entry in `required_providers`: replaced, or one more.
    fn requirement(&mut self, attribute: &Attribute) {
        let (Some(place), Some(value)) = (attribute.span(), attribute.value.span()) else {
            return;
        };
        let line = self.text[..place.start].rfind('\n').map_or(0, |end| end + 1);
        let indent = &self.text[line..place.start];
        let aliases = attribute.value.as_object().and_then(aliases);
        let aliases = aliases.map(|aliases| {
            let text = &self.text[aliases];
            format!(
                ", configuration_aliases = {}",
                text.replace(&format!("{FROM}."), &format!("{TO}."))
            )
        });
        let entry = format!("{{ source = \"{ADDRESS}\"{} }}", aliases.unwrap_or_default());
        if self.keeps_other && !indent.trim().is_empty() {
            // A block in one line has one entry.
            return self.leave(place.start, format!("add {TO} = {entry} to required_providers"));
        }
        self.outcome.counts.requirements += 1;
        if self.keeps_other {
            let added = format!("{}{indent}{TO} = {entry}", self.line_end);
            self.edits.replace(value.end..value.end, added);
        } else {
            self.rename(attribute.key.span(), FROM, TO);
            self.edits.replace(value, entry);
        }
    }

    /// Providers that are passed to a module.
    fn passed(&mut self, attribute: &Attribute) {
        let Some(object) = attribute.value.as_object() else {
            return;
        };
        let names = object.iter().any(|(key, _)| of_provider(key));
        if names && self.keeps_other {
            let start = attribute.span().unwrap_or_default().start;
            self.leave(
                start,
                format!("the module may need {FROM} and {TO}; add the latter if it does"),
            );
        } else if names {
            self.with_providers(|this| this.visit_expr(&attribute.value));
        }
    }
}

/// Whether a key names the other provider.
fn of_provider(key: &ObjectKey) -> bool {
    match key {
        ObjectKey::Ident(name) => name.as_str() == FROM,
        ObjectKey::Expression(key) => key.span().is_some() && provider_of(key),
    }
}

/// Whether an expression is the provider or one of its aliases.
fn provider_of(expression: &Expression) -> bool {
    match expression {
        Expression::Variable(name) => name.as_str() == FROM,
        Expression::String(name) => name.as_str() == FROM,
        Expression::Traversal(traversal) => provider_of(&traversal.expr),
        _ => false,
    }
}

/// The place of `configuration_aliases` in a requirement.
fn aliases(requirement: &Object) -> Option<Range<usize>> {
    let mut members = requirement.iter();
    let is_aliases =
        |key: &ObjectKey| matches!(key, ObjectKey::Ident(name) if name.as_str() == "configuration_aliases");
    let (_, value) = members.find(|(key, _)| is_aliases(key))?;
    value.expr().span()
}

impl Visit for Conversion<'_> {
    fn visit_block(&mut self, block: &Block) {
        match (block.ident.as_str(), kind(block)) {
            ("data", Some(_)) => self.data_source(block),
            ("provider", Some(FROM)) => self.provider(block),
            ("required_providers", None) => {
                if let Some(attribute) = block.body.get_attribute(FROM) {
                    if !block.body.has_attribute(TO) {
                        self.requirement(attribute);
                    } else if !self.keeps_other {
                        let start = attribute.span().unwrap_or_default().start;
                        self.leave(
                            start,
                            format!("{TO} is required already; remove {FROM} if nothing needs it"),
                        );
                    }
                }
            }
            ("module", _) => {
                self.visit_body(&block.body);
                if let Some(attribute) = block.body.get_attribute("providers") {
                    self.passed(attribute);
                }
            }
            _ => self.visit_body(&block.body),
        }
    }

    /// `data.nsxt_ip_pool.pool.id`, and providers where they are meant.
    fn visit_traversal(&mut self, traversal: &Traversal) {
        if let Expression::Variable(root) = &traversal.expr
            && root.as_str() == "data"
            && let Some(TraversalOperator::GetAttr(kind)) =
                traversal.operators.first().map(|first| first.value())
            && let Some(name) = names::data_source(kind.as_str())
            && self.rename(kind.span(), kind.as_str(), &name)
        {
            self.outcome.counts.references += 1;
            self.nested_reference(kind.as_str(), traversal);
        }
        visit_traversal(self, traversal);
    }

    fn visit_expr(&mut self, expression: &Expression) {
        if let Expression::Variable(name) = expression
            && self.renames_providers
            && name.as_str() == FROM
        {
            self.rename(name.span(), FROM, TO);
        }
        visit_expr(self, expression);
    }

    fn visit_object_key(&mut self, key: &ObjectKey) {
        if let ObjectKey::Ident(name) = key
            && self.renames_providers
            && name.as_str() == FROM
        {
            self.rename(name.span(), FROM, TO);
        }
        if let ObjectKey::Expression(Expression::String(name)) = key
            && self.renames_providers
            && name.as_str() == FROM
        {
            self.rename(name.span(), FROM, TO);
        }
        visit_object_key(self, key);
    }
}
