//! The contents of a file before the conversion.

use hcl_edit::expr::{Expression, ObjectKey, TraversalOperator};
use hcl_edit::structure::{Block, BlockLabel, Body};

use super::names::{self, FROM, TO};

/// A file that could be read.
#[derive(Debug, Default)]
pub(super) struct Parsed(pub(super) Body);

impl Parsed {
    /// Parses a file. The error contains the position.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        text.parse().map(Self).map_err(|error: hcl_edit::parser::Error| {
            let place = error.location();
            // The parser has limits, so that no text overflows its stack.
            let reason = match error.message().contains("at most") {
                true => "the expression is too long or too deeply nested",
                false => "cannot be parsed",
            };
            format!("line {}, column {}: {reason}", place.line(), place.column())
        })
    }

    /// Whether it has a data source of the new provider, or one that has a counterpart.
    pub(super) fn converts(&self) -> bool {
        let mut data = self.data().filter_map(kind);
        data.any(|kind| names::data_source(kind).is_some())
    }

    /// The blocks of data sources, with those of checks.
    fn data(&self) -> impl Iterator<Item = &Block> {
        let checks = self.0.get_blocks("check");
        let checked = checks.flat_map(|check| check.body.get_blocks("data"));
        self.0.get_blocks("data").chain(checked)
    }

    /// Whether the other provider is needed afterwards: for a resource, or for a data source without counterpart.
    pub(super) fn needs_other(&self) -> bool {
        let is_without_counterpart = |kind| names::is_foreign(kind) && names::data_source(kind).is_none();
        let is_of_resource = |block: &Block| {
            let address = |name| block.body.get_attribute(name).map(|attribute| &attribute.value);
            match (block.ident.as_str(), kind(block)) {
                ("resource" | "ephemeral", Some(kind)) => names::is_foreign(kind),
                // The host removes and imports objects without a block of the resource.
                ("removed", None) => address("from").is_some_and(is_of_foreign_resource),
                ("import", None) => address("to").is_some_and(is_of_foreign_resource),
                _ => false,
            }
        };
        self.0.blocks().any(is_of_resource) || self.data().filter_map(kind).any(is_without_counterpart)
    }

    /// The sources of the modules that it calls; `None` for one that is not a string.
    pub(super) fn calls(&self) -> impl Iterator<Item = Option<&str>> {
        self.0.get_blocks("module").map(source)
    }

    /// Whether the other provider is configured or passed to a module.
    pub(super) fn names_providers(&self) -> bool {
        let mut modules = self.0.get_blocks("module");
        self.0
            .get_blocks("provider")
            .any(|block| kind(block) == Some(FROM))
            || modules.any(passes)
    }

    /// The aliases of the blocks of the new provider.
    pub(super) fn configured(&self) -> impl Iterator<Item = Option<String>> {
        let blocks = self.0.get_blocks("provider");
        blocks.filter(|block| kind(block) == Some(TO)).map(alias)
    }

    /// Whether either provider is required.
    pub(super) fn requires(&self) -> bool {
        let mut required = self.requirements();
        required.any(|block| block.body.has_attribute(FROM) || block.body.has_attribute(TO))
    }

    /// Whether any provider is required.
    pub(super) fn has_requirements(&self) -> bool {
        self.requirements().next().is_some()
    }

    /// Whether it has a block `terraform`.
    pub(super) fn has_terraform_block(&self) -> bool {
        self.0.has_blocks("terraform")
    }

    fn requirements(&self) -> impl Iterator<Item = &Block> {
        let terraform = self.0.get_blocks("terraform");
        terraform.flat_map(|block| block.body.get_blocks("required_providers"))
    }
}

/// The first label of a block.
pub(super) fn kind(block: &Block) -> Option<&str> {
    block.labels.first().map(BlockLabel::as_str)
}

/// Whether an address is that of a resource of the other provider, in this module or in another one.
fn is_of_foreign_resource(address: &Expression) -> bool {
    let Expression::Traversal(address) = address else {
        return false;
    };
    let is_root = matches!(&address.expr, Expression::Variable(root) if names::is_foreign(root.as_str()));
    let mut operators = address.operators.iter();
    is_root
        || operators.any(|operator| {
            matches!(operator.value(), TraversalOperator::GetAttr(name) if names::is_foreign(name.as_str()))
        })
}

/// The alias of the block of a provider.
pub(super) fn alias(block: &Block) -> Option<String> {
    let alias = block.body.get_attribute("alias")?;
    alias.value.as_str().map(str::to_owned)
}

/// The source of a module.
pub(super) fn source(module: &Block) -> Option<&str> {
    module.body.get_attribute("source")?.value.as_str()
}

/// Whether the call of a module passes the other provider.
fn passes(module: &Block) -> bool {
    let providers = module.body.get_attribute("providers");
    let providers = providers.and_then(|attribute| attribute.value.as_object());
    providers.is_some_and(|providers| providers.iter().any(|(key, _)| of_provider(key)))
}

/// Whether a key names the other provider.
pub(super) fn of_provider(key: &ObjectKey) -> bool {
    match key {
        ObjectKey::Ident(name) => name.as_str() == FROM,
        ObjectKey::Expression(key) => provider_of(key),
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
