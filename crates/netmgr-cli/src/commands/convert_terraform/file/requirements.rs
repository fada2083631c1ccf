//! `required_providers`: the new provider replaces the other one, is added to it, or is the first one.

use std::ops::Range;

use hcl_edit::Span as _;
use hcl_edit::expr::{Object, ObjectKey};
use hcl_edit::structure::{Attribute, Block, Structure};

use super::Conversion;
use crate::commands::convert_terraform::modules::Requirement;
use crate::commands::convert_terraform::names::{ADDRESS, FROM, TO};

/// The entry of `required_providers` for the new provider.
fn entry(aliases: &str) -> String {
    format!("{{ source = \"{ADDRESS}\"{aliases} }}")
}

impl Conversion<'_> {
    /// A block `required_providers` that may have an entry of either provider.
    pub(super) fn requirements(&mut self, block: &Block) {
        let Some(attribute) = block.body.get_attribute(FROM) else {
            if self.module.requirement == Requirement::Entry(self.name.to_owned())
                && !self.requirement_is_written
            {
                self.requirement_is_written = true;
                self.additional_requirement(block);
            }
            return;
        };
        if !block.body.has_attribute(TO) {
            if self.module.needs_new {
                self.requirement(attribute);
            }
        } else if !self.module.needs_other {
            self.leave(
                attribute.span().unwrap_or_default().start,
                format!("{TO} is already required; remove {FROM} if it is unused"),
            );
        }
    }

    /// The entry of the other provider: replaced, or one more.
    fn requirement(&mut self, attribute: &Attribute) {
        let (Some(place), Some(value)) = (attribute.span(), attribute.value.span()) else {
            return;
        };
        let aliases = attribute.value.as_object().and_then(aliases);
        let aliases = aliases.map(|aliases| {
            let text = &self.text[aliases];
            format!(
                ", configuration_aliases = {}",
                text.replace(&format!("{FROM}."), &format!("{TO}."))
            )
        });
        let entry = entry(&aliases.unwrap_or_default());
        if self.module.needs_other {
            self.add_line(value.end, place.start, &format!("{TO} = {entry}"));
        } else {
            self.rename(attribute.key.span(), FROM, TO);
            self.edits.replace(value, entry);
            self.outcome.counts.requirements += 1;
        }
    }

    /// Adds an entry to a block that has neither provider.
    fn additional_requirement(&mut self, block: &Block) {
        let last = block.body.iter().last().and_then(Structure::span);
        let place = last.unwrap_or_else(|| block.span().unwrap_or_default());
        self.add_line(place.end, place.start, &format!("{TO} = {}", entry("")));
    }

    /// Adds a line to `required_providers` after the position `end`, with the indentation at `start`.
    fn add_line(&mut self, end: usize, start: usize, added: &str) {
        let indent = self.indent(start);
        match (indent, self.rest_of_line(end)) {
            (Some(indent), Some(end)) => {
                let line = format!("{}{indent}{added}", self.line_end);
                self.edits.replace(end..end, line);
                self.outcome.counts.requirements += 1;
            }
            // A block in one line has one entry.
            _ => self.leave(start, format!("add {added} to required_providers")),
        }
    }

    /// A block `terraform`, which may be where the requirement is written.
    pub(super) fn terraform(&mut self, block: &Block) {
        if self.module.requirement != Requirement::Block(self.name.to_owned()) || self.requirement_is_written
        {
            return;
        }
        self.requirement_is_written = true;
        let last = block.body.iter().last().and_then(Structure::span);
        let places = last.and_then(|last| Some((self.rest_of_line(last.end)?, self.indent(last.start)?)));
        let Some((end, indent)) = places else {
            let start = block.span().unwrap_or_default().start;
            return self.leave(
                start,
                format!("add required_providers {{ {TO} = {} }}", entry("")),
            );
        };
        let line = format!("{}{indent}", self.line_end);
        let added = format!("{line}required_providers {{{line}  {TO} = {}{line}}}", entry(""));
        self.edits.replace(end..end, added);
        self.outcome.counts.requirements += 1;
    }

    /// A separate block at the end of the file.
    pub(super) fn own_requirement(&mut self) {
        let end = self.line_end;
        let entry = entry("");
        let mut added = String::new();
        if !self.text.is_empty() {
            added.push_str(if self.text.ends_with('\n') { "" } else { end });
            added.push_str(end);
        }
        added.push_str(&format!(
            "terraform {{{end}  required_providers {{{end}    {TO} = {entry}{end}  }}{end}}}{end}"
        ));
        let at = self.text.len();
        self.edits.replace(at..at, added);
        self.outcome.counts.requirements += 1;
    }

    /// The indentation before `start`; `None` if other text precedes it in its line.
    pub(super) fn indent(&self, start: usize) -> Option<&str> {
        let line = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let indent = &self.text[line..start];
        indent.trim().is_empty().then_some(indent)
    }

    /// The end of the line that contains `end`; `None` if anything but a comment follows.
    pub(super) fn rest_of_line(&self, end: usize) -> Option<usize> {
        let rest = self.text[end..].lines().next().unwrap_or_default();
        let rest = rest.trim_end_matches('\r');
        let behind = rest.trim_start().trim_start_matches(',').trim_start();
        let is_free = behind.is_empty() || behind.starts_with('#') || behind.starts_with("//");
        is_free.then_some(end + rest.len())
    }
}

/// The position of `configuration_aliases` in a requirement.
fn aliases(requirement: &Object) -> Option<Range<usize>> {
    let mut members = requirement.iter();
    let is_aliases =
        |key: &ObjectKey| matches!(key, ObjectKey::Ident(name) if name.as_str() == "configuration_aliases");
    let (_, value) = members.find(|(key, _)| is_aliases(key))?;
    value.expr().span()
}
