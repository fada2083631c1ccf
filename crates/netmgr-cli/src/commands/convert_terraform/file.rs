//! One file: its blocks and the references in its expressions.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use hcl_edit::Span as _;
use hcl_edit::expr::{Expression, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::structure::{Attribute, Block};
use hcl_edit::template::ForTemplateExpr;
use hcl_edit::visit::{
    Visit, visit_attr, visit_expr, visit_for_template_expr, visit_object_key, visit_traversal,
};
use netmgr_types::ManagerVersion;

use super::edits::Edits;
use super::modules::{Module, Modules, Requirement};
use super::names::{self, FROM, TO};
use super::parsed::{Parsed, alias, kind};

mod nested;
mod passed;
mod requirements;

/// The outcome of converting a file.
#[derive(Debug, Default)]
pub(super) struct FileConversion {
    /// The new text, if it differs.
    pub(super) text: Option<String>,
    pub(super) counts: ChangeCounts,
    /// Lines that are not changed, with the reason.
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

/// Converts the file `name` with the text `text`. Lists data sources that a manager of `version` does not have.
/// `members_read` are the renamed attributes that some file of the configuration reads.
pub(super) fn convert(
    name: &str,
    text: &str,
    parsed: &Parsed,
    modules: &Modules,
    members_read: &BTreeSet<&str>,
    version: Option<&ManagerVersion>,
) -> FileConversion {
    let module = modules.of(name);
    let mut conversion = Conversion {
        name,
        text,
        line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
        lines: text.match_indices('\n').map(|(end, _)| end).collect(),
        modules,
        module,
        members_read,
        version,
        edits: Edits::default(),
        outcome: FileConversion::default(),
        renames_providers: false,
        is_dependency: false,
        requirement_is_written: false,
    };
    conversion.visit_body(&parsed.0);
    if module.requirement == Requirement::File(name.to_owned()) {
        conversion.own_requirement();
    }
    let Conversion {
        edits, mut outcome, ..
    } = conversion;
    if edits.count() > 0 {
        outcome.text = Some(edits.apply(text));
    }
    outcome
}

struct Conversion<'a> {
    name: &'a str,
    text: &'a str,
    line_end: &'static str,
    /// Byte offsets at which lines end.
    lines: Vec<usize>,
    modules: &'a Modules,
    module: &'a Module,
    members_read: &'a BTreeSet<&'a str>,
    version: Option<&'a ManagerVersion>,
    edits: Edits,
    outcome: FileConversion,
    /// Whether the current expressions refer to providers.
    renames_providers: bool,
    /// Whether the current expressions are dependencies, which have no value.
    is_dependency: bool,
    /// Whether the requirement was added to a block of this file.
    requirement_is_written: bool,
}

impl Conversion<'_> {
    /// Replaces a name. Text of another form, such as one with escapes, is listed instead.
    fn rename(&mut self, place: Option<Range<usize>>, from: &str, to: &str) -> bool {
        let Some(place) = place.filter(|_| from != to) else {
            return false;
        };
        let found = &self.text[place.clone()];
        let offset = found.find(from).filter(|_| found.trim_matches('"') == from);
        let Some(offset) = offset else {
            self.leave(place.start, format!("this form of {from} is not converted"));
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
        self.removed(block, kind);
        match names::data_source(kind) {
            Some(name) => {
                if self.rename(label.span(), kind, &name) {
                    self.outcome.counts.data_sources += 1;
                }
                self.arguments(block, kind, &name);
                self.named_provider(block);
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

    /// Lists a data source that the manager does not have.
    fn removed(&mut self, block: &Block, kind: &str) {
        let removed = self.version.and_then(|version| names::removed(kind, version));
        if let Some(reason) = removed {
            self.leave(block.span().unwrap_or_default().start, reason);
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

    /// The provider of a data source: as Terraform 0.11 wrote it (`provider = "nsxt.a"`), or under another name.
    fn named_provider(&mut self, block: &Block) {
        let Some(attribute) = block.body.get_attribute("provider") else {
            return;
        };
        let root = match &attribute.value {
            Expression::Traversal(traversal) => &traversal.expr,
            other => other,
        };
        let name = match root {
            Expression::Variable(name) => name.as_str(),
            Expression::String(name) => name.split('.').next().unwrap_or_default(),
            _ => "",
        };
        if name != FROM && name != TO {
            let start = attribute.span().unwrap_or_default().start;
            let what = format!("`provider` is not {FROM}: set it to {TO} or to one of its aliases");
            return self.leave(start, what);
        }
        if let Some(written) = attribute.value.as_str()
            && let Some(rest) = written.strip_prefix(FROM)
        {
            self.rename(attribute.value.span(), written, &format!("{TO}{rest}"));
        }
    }

    /// A dependency as Terraform 0.11 wrote it: `depends_on = ["data.nsxt_ip_pool.x"]`.
    fn quoted_dependency(&mut self, dependency: &Expression) {
        if let Some(written) = dependency.as_str()
            && let Some((kind, rest)) = written
                .strip_prefix("data.")
                .and_then(|rest| rest.split_once('.'))
            && let Some(name) = names::data_source(kind)
            && self.rename(dependency.span(), written, &format!("data.{name}.{rest}"))
        {
            self.outcome.counts.references += 1;
        }
    }

    /// Visits expressions in which the name of a provider refers to it.
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
            if !self.module.needs_other {
                self.leave(
                    place.start,
                    format!("{TO} is already configured; remove this block if it is unused"),
                );
            }
            return self.visit_body(&block.body);
        }
        if !self.module.needs_new {
            return self.visit_body(&block.body);
        }
        let outer = std::mem::take(&mut self.edits);
        self.rename(label.span(), FROM, TO);
        self.provider_arguments(block);
        self.visit_body(&block.body);
        let edits = std::mem::replace(&mut self.edits, outer);
        self.outcome.counts.providers += 1;
        let copy = edits.within(&place).apply(&self.text[place.clone()]);
        if !self.module.needs_other {
            return self.edits.replace(place, copy);
        }
        // References in the block that is kept; they are counted above.
        let references = self.outcome.counts.references;
        self.visit_body(&block.body);
        self.outcome.counts.references = references;
        let end = self.line_end;
        self.edits
            .replace(place.end..place.end, format!("{end}{end}{}", copy.trim_end()));
    }

    fn provider_arguments(&mut self, block: &Block) {
        for attribute in block.body.attributes() {
            let name = attribute.key.as_str();
            let start = attribute.span().unwrap_or_default().start;
            match names::argument(name) {
                Some(here) => {
                    self.rename(attribute.key.span(), name, &here);
                }
                None if name == "alias" => {}
                None => self.leave(start, format!("{TO} has no argument {name}")),
            }
        }
    }
}

impl Visit for Conversion<'_> {
    fn visit_block(&mut self, block: &Block) {
        match (block.ident.as_str(), kind(block)) {
            ("data", Some(_)) => self.data_source(block),
            ("provider", Some(FROM)) => self.provider(block),
            ("provider", Some(TO)) => {
                let before = self.edits.count();
                self.provider_arguments(block);
                self.outcome.counts.providers += usize::from(self.edits.count() > before);
                self.visit_body(&block.body);
            }
            ("terraform", None) => {
                self.visit_body(&block.body);
                self.terraform(block);
            }
            ("required_providers", None) => self.requirements(block),
            ("module", _) => {
                self.visit_body(&block.body);
                self.passed(block);
            }
            _ => self.visit_body(&block.body),
        }
    }

    fn visit_attr(&mut self, attribute: &Attribute) {
        self.is_dependency = attribute.key.as_str() == "depends_on";
        if self.is_dependency {
            for dependency in attribute.value.as_array().into_iter().flatten() {
                self.quoted_dependency(dependency);
            }
        }
        visit_attr(self, attribute);
        self.is_dependency = false;
    }

    /// Also visits the collection of `%{ for one in collection }`, which the function of the library omits.
    fn visit_for_template_expr(&mut self, directive: &ForTemplateExpr) {
        self.visit_expr(&directive.collection_expr);
        visit_for_template_expr(self, directive);
    }

    /// `data.nsxt_ip_pool.pool.id`, and names that refer to providers.
    fn visit_traversal(&mut self, traversal: &Traversal) {
        if let Expression::Variable(root) = &traversal.expr
            && root.as_str() == "data"
            && let Some(TraversalOperator::GetAttr(kind)) =
                traversal.operators.first().map(|first| first.value())
            && let Some(name) = names::data_source(kind.as_str())
        {
            let before = self.edits.count();
            self.rename(kind.span(), kind.as_str(), &name);
            self.nested_reference(kind.as_str(), traversal);
            self.outcome.counts.references += usize::from(self.edits.count() > before);
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
        let (name, place) = match key {
            ObjectKey::Ident(name) => (name.as_str(), name.span()),
            ObjectKey::Expression(Expression::String(name)) => (name.as_str(), name.span()),
            ObjectKey::Expression(_) => ("", None),
        };
        if self.renames_providers && name == FROM {
            self.rename(place, FROM, TO);
        }
        visit_object_key(self, key);
    }
}
