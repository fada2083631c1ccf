//! The texts, unset arguments and references of one resource.

use hcl_edit::Decorated;
use hcl_edit::expr::{ObjectKey, ObjectValue, Traversal, TraversalOperator};
use hcl_edit::structure::{Attribute, Block};
use hcl_edit::visit::{self, Visit};

use super::{Generated, Literal, Unset};
use crate::parsed::place_of;

/// Arguments of resources that concern the host itself.
const OF_HOST: [&str; 4] = ["count", "depends_on", "for_each", "provider"];
/// Blocks of resources that concern the host itself.
const BLOCKS_OF_HOST: [&str; 3] = ["connection", "lifecycle", "provisioner"];

/// Reads a resource.
pub(super) struct Reader<'a> {
    pub(super) generated: &'a mut Generated,
    pub(super) file: usize,
    /// OpenTofu generates unset texts as empty ones, some of which providers reject.
    pub(super) is_of_opentofu: bool,
    pub(super) owner: String,
}

impl Visit for Reader<'_> {
    fn visit_attr(&mut self, node: &Attribute) {
        let name = node.key.as_str();
        let is_empty = |text: &str| self.is_of_opentofu && text.is_empty();
        if OF_HOST.contains(&name) {
            return;
        }
        if node.value.is_null() || node.value.as_str().is_some_and(is_empty) {
            self.generated.unset.push(Unset {
                file: self.file,
                name: name.to_owned(),
                place: place_of(node),
            });
        } else {
            visit::visit_attr(self, node);
        }
    }

    fn visit_block(&mut self, node: &Block) {
        if !BLOCKS_OF_HOST.contains(&node.ident.as_str()) {
            visit::visit_block(self, node);
        }
    }

    fn visit_object_item(&mut self, _: &ObjectKey, value: &ObjectValue) {
        self.visit_expr(value.expr());
    }

    fn visit_string(&mut self, node: &Decorated<String>) {
        self.generated.literals.push(Literal {
            file: self.file,
            owner: self.owner.clone(),
            place: place_of(node),
            text: node.to_string(),
            is_quoted: false,
        });
    }

    fn visit_traversal(&mut self, node: &Traversal) {
        if let Some(target) = target(node) {
            let references = self.generated.references.entry(self.owner.clone());
            references.or_default().insert(target);
        }
        visit::visit_traversal(self, node);
    }
}

/// The address of the resource that a traversal begins with.
pub(super) fn target(traversal: &Traversal) -> Option<String> {
    let TraversalOperator::GetAttr(name) = traversal.operators.first()?.value() else {
        return None;
    };
    let kind = traversal.expr.as_variable()?;
    Some(format!("{}.{}", kind.as_str(), name.as_str()))
}
