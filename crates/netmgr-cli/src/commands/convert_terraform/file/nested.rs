//! Blocks of data sources that are nested attributes here: `context { … }` becomes `context = { … }`.

use std::ops::Range;

use hcl_edit::expr::{Object, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::structure::Block;
use hcl_edit::{Decorated, Ident, Span as _};

use super::{Conversion, kind};
use crate::commands::convert_terraform::names::{self, RULE_MEMBERS};

impl Conversion<'_> {
    /// Converts the blocks in a data source of the type `kind_there`.
    pub(super) fn nested_blocks(&mut self, data_source: &Block, kind_there: &str) {
        let is_object = |name: &str| names::is_object(kind_there, name);
        for attribute in data_source.body.attributes() {
            let name = attribute.key.as_str();
            let members = attribute.value.as_object().filter(|_| is_object(name));
            for (member, _) in members.into_iter().flat_map(Object::iter) {
                if let ObjectKey::Ident(member) = member {
                    self.member(kind_there, name, member);
                }
            }
        }
        for block in data_source.body.blocks() {
            let name = block.ident.as_str();
            if is_object(name) {
                let place = block.ident.span().unwrap_or_default().start;
                // An attribute has no blocks, and there is one of a name.
                if let Some(inside) = block.body.blocks().next() {
                    let inside = inside.ident.as_str();
                    let reason = format!(
                        "`{name}` becomes an attribute, which cannot contain blocks: remove `{inside}`"
                    );
                    self.leave(place, reason);
                    continue;
                }
                if data_source.body.get_blocks(name).count() > 1 {
                    self.leave(place, format!("`{name}` is an attribute: set it only once"));
                    continue;
                }
                if self.rename(block.ident.span(), name, &format!("{name} =")) {
                    self.outcome.counts.blocks += 1;
                }
                for attribute in block.body.attributes() {
                    self.member(kind_there, name, &attribute.key);
                }
            } else if name == "dynamic"
                && let Some(name) = kind(block).filter(|name| is_object(name))
            {
                let reason = "is an attribute: set it to an object or to null instead of a dynamic block";
                self.leave(
                    block.span().unwrap_or_default().start,
                    format!("`{name}` {reason}"),
                );
            }
        }
    }

    /// Lists a member that the attribute `name` does not have.
    fn member(&mut self, kind_there: &str, name: &str, member: &Decorated<Ident>) {
        let place = member.span().unwrap_or_default().start;
        let member = member.as_str();
        if !names::has_member(kind_there, name, member) {
            let reason = format!("`{name}` has no member `{member}`; the host ignores it");
            self.leave(place, reason);
        }
    }

    /// Converts the rest of a reference to a data source: an attribute with another name here, and the index of the
    /// only block, as in `context[0]`, which becomes `context`.
    pub(super) fn nested_reference(&mut self, kind_there: &str, reference: &Traversal) {
        // After the type and the name of the data source.
        let operators = reference.operators.iter().skip(2);
        let mut attributes = operators.filter_map(|operator| match operator.value() {
            TraversalOperator::GetAttr(name) => Some(name),
            _ => None,
        });
        let Some(attribute) = attributes.next() else {
            return self.whole_value(kind_there, reference);
        };
        let Some(place) = attribute.span() else { return };
        let name = attribute.as_str();
        match names::result(kind_there, name) {
            Some(here) if here != name => {
                self.rename(Some(place.clone()), name, here);
                if name == "rule" {
                    match attributes.next() {
                        Some(member) => self.rule_member(member.as_str(), member.span()),
                        None => self.list_renamed(place.start, RULE_MEMBERS),
                    }
                }
            }
            Some(_) if names::is_object_result(kind_there, name) => {
                self.index_of_object(kind_there, name, &place)
            }
            Some(_) => {}
            None => self.leave(
                place.start,
                format!("the data source here has no attribute {name}"),
            ),
        }
    }

    /// Lists attributes with another name here that some file may read from the value of a data source.
    fn whole_value(&mut self, kind_there: &str, reference: &Traversal) {
        if self.is_dependency {
            return;
        }
        let place = reference.span().unwrap_or_default().start;
        self.list_renamed(place, names::renamed(kind_there));
    }

    /// Lists those of the renamed members that some file reads.
    fn list_renamed(
        &mut self,
        place: usize,
        renamed: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) {
        for (there, here) in renamed {
            if self.members_read.contains(there) {
                self.leave(
                    place,
                    format!("`{there}` is named `{here}` here: rename it where this value is used"),
                );
            }
        }
    }

    fn rule_member(&mut self, member: &str, place: Option<Range<usize>>) {
        if let Some((there, here)) = RULE_MEMBERS.into_iter().find(|(there, _)| *there == member) {
            self.rename(place, there, here);
        }
    }

    fn index_of_object(&mut self, kind_there: &str, name: &str, place: &Range<usize>) {
        let rest = &self.text[place.end..];
        match ["[0]", ".0"].into_iter().find(|index| rest.starts_with(index)) {
            Some(index) => self.edits.replace(place.end..place.end + index.len(), ""),
            None if !names::is_foreign(kind_there) => {}
            None => self.leave(
                place.start,
                format!("`{name}` is an object here, not a list of blocks"),
            ),
        }
    }
}
