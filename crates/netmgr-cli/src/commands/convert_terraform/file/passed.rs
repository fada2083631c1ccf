//! Providers that are passed to modules of the configuration.

use hcl_edit::Span as _;
use hcl_edit::expr::Object;
use hcl_edit::structure::Block;
use hcl_edit::visit::Visit as _;

use super::Conversion;
use crate::commands::convert_terraform::names::TO;
use crate::commands::convert_terraform::parsed::{of_provider, source};

impl Conversion<'_> {
    /// Converts the providers of a call: renamed, or passed as well if the module needs both.
    pub(super) fn passed(&mut self, module: &Block) {
        let Some(attribute) = module.body.get_attribute("providers") else {
            return;
        };
        let called = source(module).and_then(|source| self.modules.called(self.name, source));
        let (Some(called), Some(object)) = (called, attribute.value.as_object()) else {
            return;
        };
        match (called.needs_new, called.needs_other) {
            (true, false) => self.with_providers(|this| this.visit_expr(&attribute.value)),
            (true, true) => self.passed_as_well(object),
            (false, _) => {}
        }
    }

    fn passed_as_well(&mut self, providers: &Object) {
        let has_new = providers.iter().any(|(key, _)| {
            let place = key.span().unwrap_or_default();
            self.text[place].trim_matches('"').starts_with(TO)
        });
        if has_new {
            return;
        }
        let outer = std::mem::take(&mut self.edits);
        self.with_providers(|this| this.visit_object(providers));
        let renamed = std::mem::replace(&mut self.edits, outer);
        for (key, value) in providers.iter().filter(|(key, _)| of_provider(key)) {
            let (Some(key), Some(value)) = (key.span(), value.expr().span()) else {
                continue;
            };
            let item = key.start..value.end;
            let copy = renamed.within(&item).apply(&self.text[item.clone()]);
            let added = match self.indent(item.start) {
                Some(indent) => format!("{}{indent}{copy}", self.line_end),
                None => format!(", {copy}"),
            };
            self.edits.replace(item.end..item.end, added);
        }
    }
}
