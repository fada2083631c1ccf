//! Compatibility tests of our messages with third-party bindings of the engine's protocol files.
//!
//! Every message is filled completely, encoded by one side and decoded by the other, in both directions.
//! Fields that are missing in the older bindings are marked `newer`, and their side must ignore them.

use prost::Message as _;
use prost::bytes::Bytes;
use prost_types::{Struct, Value, value::Kind};

/// Our bindings, with the names of nested messages.
mod ours {
    pub(super) use crate::rpc::generated::pulumirpc::*;
    pub(super) use crate::rpc::generated::pulumirpc::{
        call_request as resource_call_request, construct_request as construct_response,
        construct_request as register_resource_request, construct_request as register_resource_response,
    };
}

/// The third-party bindings. Their monitor still returns the message of the provider.
mod theirs {
    pub(super) use pulumi_gestalt_proto::pulumi::pulumirpc::InvokeResponse as ResourceInvokeResponse;
    pub(super) use pulumi_gestalt_proto::pulumi::pulumirpc::*;
}

/// Checks that both sides decode the messages of the other.
macro_rules! same {
    ($message:ident { $($field:ident: $value:expr),* $(,)? } $(newer { $($new:ident: $new_value:expr),* $(,)? })?) => {{
        #[allow(clippy::needless_update, reason = "some of theirs have further fields")]
        let theirs = {
            use theirs as rpc;
            rpc::$message { $($field: $value,)* ..Default::default() }
        };
        let (without_newer, ours) = {
            use ours as rpc;
            (
                rpc::$message { $($field: $value,)* $($($new: Default::default(),)*)? },
                rpc::$message { $($field: $value,)* $($($new: $new_value,)*)? },
            )
        };
        let name = stringify!($message);
        assert_eq!(theirs::$message::decode(&*ours.encode_to_vec()).unwrap(), theirs, "{name} written by us");
        assert_eq!(ours::$message::decode(&*theirs.encode_to_vec()).unwrap(), without_newer, "{name} written by them");
    }};
}

fn value(text: &str) -> Value {
    Value {
        kind: Some(Kind::StringValue(text.to_owned())),
    }
}

/// A message in the form in which one of the sides has it in a field.
trait Side<M> {
    fn of(message: M) -> Self;
}

impl Side<Struct> for Option<Struct> {
    fn of(message: Struct) -> Self {
        Some(message)
    }
}

impl Side<Value> for Option<Value> {
    fn of(message: Value) -> Self {
        Some(message)
    }
}

/// Ours has not read it yet.
impl<M: prost::Message> Side<M> for Option<Bytes> {
    fn of(message: M) -> Self {
        Some(message.encode_to_vec().into())
    }
}

fn text<S: Side<Value>>(text: &str) -> S {
    S::of(value(text))
}

fn bag<S: Side<Struct>>(content: &str) -> S {
    S::of(Struct {
        fields: [("key".to_owned(), value(content))].into(),
    })
}

fn list(content: &str) -> Vec<String> {
    vec![content.to_owned(), "second".to_owned()]
}

#[test]
fn lifecycle_messages_are_theirs() {
    same!(ProviderHandshakeRequest {
        engine_address: "a".into(),
        root_directory: Some("r".into()),
        program_directory: Some("p".into()),
        configure_with_urn: true,
        invoke_with_preview: true,
    } newer { accepts_byte_string: true });
    same!(ProviderHandshakeResponse {
        accept_secrets: true,
        accept_resources: true,
        accept_outputs: true
    });
    same!(ProviderHandshakeResponse {
        accept_secrets: false,
        accept_resources: false,
        accept_outputs: true
    });
    same!(PluginAttach { address: "a".into() });
    same!(PluginInfo { version: "1".into() });
    same!(GetSchemaRequest {
        version: 3,
        subpackage_name: "n".into(),
        subpackage_version: "v".into()
    });
    same!(GetSchemaResponse { schema: "{}".into() });
    same!(GetMappingRequest {
        key: "terraform".into(),
        provider: "peer".into(),
    });
    same!(GetMappingResponse {
        provider: "peer".into(),
        data: b"{}"[..].into(),
    });
    same!(GetMappingsRequest {
        key: "terraform".into()
    });
    same!(GetMappingsResponse {
        providers: vec!["peer".into()],
    });
}

#[test]
fn configuration_messages_are_theirs() {
    same!(CheckRequest {
        urn: "u".into(),
        olds: bag("olds"),
        news: bag("news"),
        name: "n".into(),
        r#type: "t".into(),
    });
    same!(CheckResponse {
        inputs: bag("inputs"),
        failures: vec![rpc::CheckFailure {
            property: "p".into(),
            reason: "r".into()
        }],
    });
    same!(DiffRequest {
        id: "i".into(),
        urn: "u".into(),
        olds: bag("olds"),
        news: bag("news"),
        ignore_changes: list("ignore"),
        old_inputs: bag("old inputs"),
        name: "n".into(),
        r#type: "t".into(),
    });
    same!(DiffResponse {
        replaces: list("replaces"),
        stables: list("stables"),
        delete_before_replace: true,
        changes: rpc::diff_response::DiffChanges::DiffSome.into(),
        diffs: list("diffs"),
    });
    same!(ConfigureRequest {
        args: bag("args"),
        id: Some("i".into()),
        urn: Some("u".into())
    });
    same!(ConfigureResponse {
        accept_secrets: true,
        supports_preview: false,
        accept_resources: true,
        accept_outputs: false,
    });
    same!(ConfigureErrorMissingKeys {
        missing_keys: vec![rpc::configure_error_missing_keys::MissingKey {
            name: "n".into(),
            description: "d".into(),
        }],
    });
}

#[test]
fn function_messages_are_theirs() {
    same!(InvokeRequest {
        tok: "t".into(),
        args: bag("args"),
        preview: true
    });
    same!(InvokeResponse {
        r#return: bag("return"),
        failures: vec![rpc::CheckFailure {
            property: "p".into(),
            reason: "r".into()
        }],
    });
    same!(ResourceInvokeRequest {
        tok: "t".into(),
        args: bag("args"),
        provider: "p".into(),
        version: "v".into(),
        accept_resources: true,
        plugin_download_url: "url".into(),
        parent_stack_trace_handle: "h".into(),
    } newer { parent: "parent".into() });
    same!(ResourceInvokeResponse {
        r#return: bag("return"),
        failures: vec![rpc::CheckFailure { property: "p".into(), reason: "r".into() }],
    } newer { unknown: true });
}

#[test]
fn component_messages_are_theirs() {
    same!(ConstructRequest {
        project: "p".into(),
        stack: "s".into(),
        config: [("k".to_owned(), "v".to_owned())].into(),
        dry_run: true,
        parallel: 7,
        monitor_endpoint: "m".into(),
        r#type: "t".into(),
        name: "n".into(),
        parent: "parent".into(),
        inputs: bag("inputs"),
        input_dependencies: [(
            "input".to_owned(),
            rpc::construct_request::PropertyDependencies { urns: list("urn") },
        )]
        .into(),
        protect: Some(false),
        providers: [("package".to_owned(), "urn::id".to_owned())].into(),
        dependencies: list("dependency"),
        config_secret_keys: list("key"),
        organization: "o".into(),
        additional_secret_outputs: list("secret"),
        custom_timeouts: Some(rpc::construct_request::CustomTimeouts {
            create: "1m".into(),
            update: "2m".into(),
            delete: "3m".into(),
            ..Default::default()
        }),
        deleted_with: "with".into(),
        delete_before_replace: Some(true),
        ignore_changes: list("ignore"),
        replace_on_changes: list("replace"),
        retain_on_delete: Some(true),
        accepts_output_values: true,
        resource_hooks: Some(rpc::construct_request::ResourceHooksBinding {
            before_create: list("a"),
            after_create: list("b"),
            before_update: list("c"),
            after_update: list("d"),
            before_delete: list("e"),
            after_delete: list("f"),
            ..Default::default()
        }),
        stack_trace_handle: "trace".into(),
        replace_with: list("other"),
        aliases: vec![rpc::Alias {
            alias: Some(rpc::alias::Alias::Urn("alias".into()))
        }],
        replacement_trigger: text("trigger"),
    });
    same!(ConstructResponse {
        urn: "u".into(),
        state: bag("state"),
        state_dependencies: [(
            "output".to_owned(),
            rpc::construct_response::PropertyDependencies { urns: list("urn") },
        )]
        .into(),
    });
    same!(Alias {
        alias: Some(rpc::alias::Alias::Spec(rpc::alias::Spec {
            name: "n".into(),
            r#type: "t".into(),
            stack: "s".into(),
            project: "p".into(),
            parent: Some(rpc::alias::spec::Parent::ParentUrn("u".into())),
        })),
    });
    same!(Alias {
        alias: Some(rpc::alias::Alias::Spec(rpc::alias::Spec {
            parent: Some(rpc::alias::spec::Parent::NoParent(true)),
            ..Default::default()
        })),
    });
}

#[test]
fn method_messages_are_theirs() {
    same!(CallRequest {
        tok: "t".into(),
        args: bag("args"),
        arg_dependencies: [(
            "argument".to_owned(),
            rpc::call_request::ArgumentDependencies { urns: list("urn") },
        )]
        .into(),
        project: "p".into(),
        stack: "s".into(),
        config: [("k".to_owned(), "v".to_owned())].into(),
        config_secret_keys: list("key"),
        dry_run: true,
        parallel: 7,
        monitor_endpoint: "m".into(),
        organization: "o".into(),
        accepts_output_values: true,
        stack_trace_handle: "trace".into(),
    });
    same!(CallResponse {
        r#return: bag("return"),
        return_dependencies: [(
            "result".to_owned(),
            rpc::call_response::ReturnDependencies { urns: list("urn") },
        )]
        .into(),
        failures: vec![rpc::CheckFailure {
            property: "p".into(),
            reason: "r".into()
        }],
    });
    same!(ResourceCallRequest {
        tok: "t".into(),
        args: bag("args"),
        arg_dependencies: [(
            "argument".to_owned(),
            rpc::resource_call_request::ArgumentDependencies { urns: list("urn") },
        )]
        .into(),
        provider: "provider".into(),
        version: "7.0.0".into(),
        plugin_download_url: "url".into(),
        parent_stack_trace_handle: "trace".into(),
    });
}

#[test]
fn registration_messages_are_theirs() {
    same!(RegisterResourceRequest {
        r#type: "t".into(),
        name: "n".into(),
        parent: "parent".into(),
        custom: true,
        object: bag("object"),
        protect: Some(true),
        dependencies: list("dependency"),
        provider: "provider".into(),
        property_dependencies: [(
            "property".to_owned(),
            rpc::register_resource_request::PropertyDependencies { urns: list("urn") },
        )]
        .into(),
        delete_before_replace: true,
        version: "7.0.0".into(),
        ignore_changes: list("ignore"),
        accept_secrets: true,
        additional_secret_outputs: list("secret"),
        import_id: "import".into(),
        custom_timeouts: Some(rpc::register_resource_request::CustomTimeouts {
            create: "1m".into(),
            update: "2m".into(),
            delete: "3m".into(),
            ..Default::default()
        }),
        delete_before_replace_defined: true,
        supports_partial_values: true,
        remote: true,
        accept_resources: true,
        providers: [("package".to_owned(), "urn::id".to_owned())].into(),
        replace_on_changes: list("replace"),
        plugin_download_url: "url".into(),
        retain_on_delete: Some(false),
        aliases: vec![rpc::Alias {
            alias: Some(rpc::alias::Alias::Urn("alias".into()))
        }],
        deleted_with: "with".into(),
        alias_specs: true,
        supports_result_reporting: true,
        hooks: Some(rpc::register_resource_request::ResourceHooksBinding {
            before_create: list("a"),
            after_create: list("b"),
            before_update: list("c"),
            after_update: list("d"),
            before_delete: list("e"),
            after_delete: list("f"),
            ..Default::default()
        }),
        parent_stack_trace_handle: "trace".into(),
        replace_with: list("other"),
        replacement_trigger: text("trigger"),
    });
    same!(RegisterResourceResponse {
        urn: "u".into(),
        id: "i".into(),
        object: bag("object"),
        property_dependencies: [(
            "output".to_owned(),
            rpc::register_resource_response::PropertyDependencies { urns: list("urn") },
        )]
        .into(),
        result: rpc::Result::Skip.into(),
    } newer { unknown: true });
    same!(ReadResourceRequest {
        id: "i".into(),
        r#type: "t".into(),
        name: "n".into(),
        parent: "parent".into(),
        properties: bag("properties"),
        dependencies: list("dependency"),
        provider: "provider".into(),
        version: "7.0.0".into(),
        accept_secrets: true,
        additional_secret_outputs: list("secret"),
        accept_resources: true,
        plugin_download_url: "url".into(),
        parent_stack_trace_handle: "trace".into(),
    });
    same!(ReadResourceResponse {
        urn: "u".into(),
        properties: bag("properties"),
    });
    same!(RegisterResourceOutputsRequest {
        urn: "u".into(),
        outputs: bag("outputs")
    });
    same!(LogRequest {
        severity: rpc::LogSeverity::Warning.into(),
        message: "m".into(),
        urn: "u".into(),
        ephemeral: true,
    });
}

#[test]
fn resource_messages_are_theirs() {
    same!(CreateRequest {
        urn: "u".into(),
        properties: bag("properties"),
        preview: true,
        name: "n".into(),
        r#type: "t".into(),
    });
    same!(CreateResponse {
        id: "i".into(),
        properties: bag("properties")
    });
    same!(ReadRequest {
        id: "i".into(),
        urn: "u".into(),
        properties: bag("properties"),
        inputs: bag("inputs"),
        name: "n".into(),
        r#type: "t".into(),
    });
    same!(ReadResponse {
        id: "i".into(),
        properties: bag("properties"),
        inputs: bag("inputs")
    });
    same!(UpdateRequest {
        id: "i".into(),
        urn: "u".into(),
        olds: bag("olds"),
        news: bag("news"),
        ignore_changes: list("ignore"),
        preview: true,
        old_inputs: bag("old inputs"),
        name: "n".into(),
        r#type: "t".into(),
    });
    same!(UpdateResponse {
        properties: bag("properties")
    });
    same!(DeleteRequest {
        id: "i".into(),
        urn: "u".into(),
        properties: bag("properties"),
        old_inputs: bag("old inputs"),
        name: "n".into(),
        r#type: "t".into(),
    });
}
