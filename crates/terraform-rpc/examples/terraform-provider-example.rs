//! A provider without a remote side, for trying out the protocol: it returns its arguments, panics or waits.

use std::process::ExitCode;

use terraform_rpc::{
    About, Answer, Attribute, Block, Diagnostic, Object, Provider, Schema, Type, Usage, Value,
};

struct Example {
    schema: Schema,
}

fn attribute(name: &str, kind: Type, usage: Usage) -> Attribute {
    Attribute {
        name: name.to_owned(),
        kind,
        usage,
        sensitive: false,
        deprecated: false,
        description: format!("The {name}."),
    }
}

fn schema() -> Schema {
    let echo = Block {
        description: "Returns its arguments.".to_owned(),
        attributes: vec![
            attribute("number", Type::Number, Usage::Optional),
            attribute("numbers", Type::list(Type::Number), Usage::Optional),
            attribute("text", Type::String, Usage::Optional),
            attribute("flag", Type::Bool, Usage::Optional),
            attribute("length", Type::Number, Usage::Computed),
        ],
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

impl Provider for Example {
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

    async fn read(&self, data_source: &str, mut config: Object) -> Answer {
        assert!(data_source != "example_panic", "as requested");
        if let Some(Value::String(text)) = config.get("text") {
            let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            config.insert("length".to_owned(), length.into());
        }
        Answer {
            state: Some(config),
            diagnostics: Vec::new(),
        }
    }

    fn stop(&self) {}
}

fn main() -> ExitCode {
    terraform_rpc::main(
        || Example { schema: schema() },
        About {
            program: "terraform-provider-example",
            version: "0.1.0",
            purpose: "Returns its arguments, for trying out the protocol.",
            address: "netmgr/example",
            logged: &["terraform_"],
        },
    )
}
