//! A provider without a remote side, for trying out the protocol: it returns its arguments and blocks, or panics.

use std::process::ExitCode;

use terraform_plugin::{
    Attribute, AttributeUsage, AttributeValue, Block, BlockNesting, DataSourceProvider, Diagnostic,
    NestedBlock, Object, ProviderProgram, ReadOutcome, Schema, Type,
};

struct Example {
    schema: Schema,
}

fn attribute(name: &str, kind: Type, usage: AttributeUsage) -> Attribute {
    Attribute {
        name: name.to_owned(),
        kind,
        usage,
        sensitive: false,
        deprecated: false,
        description: format!("The {name}."),
    }
}

fn block(name: &str, nesting: BlockNesting, max_items: Option<u32>, blocks: Vec<NestedBlock>) -> NestedBlock {
    NestedBlock {
        name: name.to_owned(),
        nesting,
        min_items: 0,
        max_items,
        block: Block {
            description: format!("The {name}."),
            attributes: vec![attribute("name", Type::String, AttributeUsage::Required)],
            blocks,
            ..Block::default()
        },
    }
}

fn schema() -> Schema {
    let echo = Block {
        description: "Returns its arguments.".to_owned(),
        attributes: vec![
            attribute("number", Type::Number, AttributeUsage::Optional),
            attribute("numbers", Type::list(Type::Number), AttributeUsage::Optional),
            attribute("text", Type::String, AttributeUsage::Optional),
            attribute("flag", Type::Bool, AttributeUsage::Optional),
            attribute("words", Type::set(Type::String), AttributeUsage::Optional),
            attribute("length", Type::Number, AttributeUsage::Computed),
        ],
        blocks: vec![
            block("one", BlockNesting::Single, None, Vec::new()),
            block(
                "row",
                BlockNesting::List,
                Some(2),
                vec![block("tag", BlockNesting::Set, None, Vec::new())],
            ),
        ],
        ..Block::default()
    };
    let panics = Block {
        description: "Panics.".to_owned(),
        ..Block::default()
    };
    Schema {
        provider: Block::default(),
        data_sources: [
            ("example_echo".to_owned(), echo),
            ("example_panic".to_owned(), panics),
        ]
        .into(),
    }
}

impl DataSourceProvider for Example {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate_config(&self, _config: Object) -> Vec<Diagnostic> {
        Vec::new()
    }

    async fn configure(&self, _config: Object) -> Vec<Diagnostic> {
        Vec::new()
    }

    fn validate_data(&self, _data_source: &str, _config: Object) -> Vec<Diagnostic> {
        Vec::new()
    }

    async fn read(&self, data_source: &str, mut config: Object) -> ReadOutcome {
        assert!(data_source != "example_panic", "as requested");
        if config.get("text") == Some(&"without rows".into()) {
            config.remove("row");
        }
        if let Some(AttributeValue::String(text)) = config.get("text") {
            let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            config.insert("length".to_owned(), length.into());
        }
        ReadOutcome {
            state: Some(config),
            diagnostics: Vec::new(),
        }
    }

    fn stop(&self) {}
}

fn main() -> ExitCode {
    terraform_plugin::main(
        || Example { schema: schema() },
        ProviderProgram {
            name: "terraform-provider-example",
            version: "0.1.0",
            purpose: "Returns its arguments, for trying out the protocol.",
            address: "netmgr/example",
            logged: &["terraform_"],
        },
    )
}
