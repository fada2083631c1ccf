//! Schemas and diagnostics as messages of the protocol.

use crate::diagnostic::{AttributeStep, Diagnostic, DiagnosticSeverity, Path};
use crate::generated::tfplugin6 as wire;
use crate::generated::tfplugin6::attribute_path::step::Selector;
use crate::generated::tfplugin6::schema as wire_schema;
use crate::schema::{Attribute, AttributeUsage, Block, BlockNesting, NestedBlock, Schema, Type};

/// The reply to the request for the schema.
pub(crate) fn schema(schema: &Schema) -> wire::get_provider_schema::Response {
    let data_sources = schema.data_sources.iter();
    wire::get_provider_schema::Response {
        provider: Some(root(&schema.provider)),
        data_source_schemas: data_sources
            .map(|(name, block)| (name.clone(), root(block)))
            .collect(),
        server_capabilities: Some(wire::ServerCapabilities {
            get_provider_schema_optional: true,
        }),
    }
}

/// Schemas of data sources need no version, because hosts read data sources anew instead of upgrading them.
fn root(of: &Block) -> wire::Schema {
    wire::Schema {
        version: 0,
        block: Some(block(of)),
    }
}

fn block(of: &Block) -> wire_schema::Block {
    wire_schema::Block {
        attributes: of.attributes.iter().map(attribute).collect(),
        block_types: of.blocks.iter().map(nested).collect(),
        description: of.description.clone(),
        description_kind: wire::StringKind::Markdown.into(),
        deprecated: of.deprecated,
    }
}

fn nested(of: &NestedBlock) -> wire_schema::NestedBlock {
    use wire_schema::nested_block::NestingMode;
    let nesting = match of.nesting {
        BlockNesting::Single => NestingMode::Single,
        BlockNesting::List => NestingMode::List,
        BlockNesting::Set => NestingMode::Set,
    };
    wire_schema::NestedBlock {
        type_name: of.name.clone(),
        block: Some(block(&of.block)),
        nesting: nesting.into(),
        min_items: of.min_items.into(),
        max_items: of.max_items.unwrap_or_default().into(),
    }
}

fn attribute(of: &Attribute) -> wire_schema::Attribute {
    let (kind, nested_type) = match &of.kind {
        Type::Nested(members) => {
            let nested = wire_schema::Object {
                attributes: members.iter().map(attribute).collect(),
                nesting: wire_schema::object::NestingMode::Single.into(),
            };
            (Default::default(), Some(nested))
        }
        kind => (kind.json().to_string().into(), None),
    };
    wire_schema::Attribute {
        name: of.name.clone(),
        r#type: kind,
        nested_type,
        description: of.description.clone(),
        required: of.usage == AttributeUsage::Required,
        optional: matches!(
            of.usage,
            AttributeUsage::Optional | AttributeUsage::OptionalComputed
        ),
        computed: matches!(
            of.usage,
            AttributeUsage::Computed | AttributeUsage::OptionalComputed
        ),
        sensitive: of.sensitive,
        description_kind: wire::StringKind::Markdown.into(),
        deprecated: of.deprecated,
    }
}

/// Diagnostics as messages.
pub(crate) fn diagnostics(all: Vec<Diagnostic>) -> Vec<wire::Diagnostic> {
    all.into_iter().map(diagnostic).collect()
}

fn diagnostic(of: Diagnostic) -> wire::Diagnostic {
    let severity = match of.severity {
        DiagnosticSeverity::Error => wire::diagnostic::Severity::Error,
        DiagnosticSeverity::Warning => wire::diagnostic::Severity::Warning,
    };
    wire::Diagnostic {
        severity: severity.into(),
        summary: of.summary,
        detail: of.detail,
        attribute: path(of.path),
    }
}

fn path(Path(steps): Path) -> Option<wire::AttributePath> {
    let steps: Vec<_> = steps.into_iter().map(step).collect();
    (!steps.is_empty()).then_some(wire::AttributePath { steps })
}

fn step(of: AttributeStep) -> wire::attribute_path::Step {
    let selector = match of {
        AttributeStep::Attribute(name) => Selector::AttributeName(name),
        AttributeStep::Index(index) => Selector::ElementKeyInt(i64::try_from(index).unwrap_or(i64::MAX)),
        AttributeStep::Key(key) => Selector::ElementKeyString(key),
    };
    wire::attribute_path::Step {
        selector: Some(selector),
    }
}
