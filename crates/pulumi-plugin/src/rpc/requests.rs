//! Conversions of requests and responses of the engine to plain types.

use std::collections::{BTreeMap, BTreeSet};

use crate::components::{
    Config, ConstructRequest, Constructed, MethodRequest, MethodResult, ResourceOptions,
};
use crate::values::{Object, OutputValue, Urn, Value};
use prost::bytes::Bytes;

use crate::rpc::bags;
use crate::rpc::convert::{
    Malformed, convert_values, in_bag, read_alias, read_dependencies, read_providers, some_urn, texts, urns,
    write_dependencies,
};
use crate::rpc::error::Error;
use crate::rpc::generated::pulumirpc as rpc;
use crate::rpc::messages::{
    Capabilities, Changes, CheckRequest, ConfigureRequest, CreateRequest, Created, DeleteRequest, Diff,
    DiffRequest, HandshakeRequest, InvokeRequest, ReadRequest, ReadState, UpdateRequest,
};
use crate::rpc::status::check_failures;

/// Conversion from a protocol message. A private trait, so that no implementation is public.
pub(crate) trait FromRpc<R>: Sized {
    /// Converts a message.
    fn from_rpc(request: R) -> Result<Self, Malformed>;
}

impl FromRpc<rpc::ProviderHandshakeRequest> for HandshakeRequest {
    fn from_rpc(request: rpc::ProviderHandshakeRequest) -> Result<Self, Malformed> {
        Ok(Self {
            engine_address: request.engine_address,
            root_directory: request.root_directory,
            program_directory: request.program_directory,
            invoke_with_preview: request.invoke_with_preview,
        })
    }
}

/// The provider receives no part of the message.
impl FromRpc<rpc::GetSchemaRequest> for () {
    fn from_rpc(_: rpc::GetSchemaRequest) -> Result<Self, Malformed> {
        Ok(())
    }
}

impl From<Capabilities> for rpc::ProviderHandshakeResponse {
    fn from(capabilities: Capabilities) -> Self {
        Self {
            accept_secrets: capabilities.secrets,
            accept_resources: capabilities.resources,
            accept_outputs: capabilities.outputs,
        }
    }
}

/// The response of the older negotiation. Previews are always supported.
impl From<Capabilities> for rpc::ConfigureResponse {
    fn from(capabilities: Capabilities) -> Self {
        Self {
            accept_secrets: capabilities.secrets,
            supports_preview: true,
            accept_resources: capabilities.resources,
            accept_outputs: capabilities.outputs,
        }
    }
}

impl FromRpc<rpc::CheckRequest> for CheckRequest {
    fn from_rpc(request: rpc::CheckRequest) -> Result<Self, Malformed> {
        let olds = request.olds.map(|olds| bags::read(Some(olds))).transpose();
        Ok(Self {
            urn: request.urn.into(),
            name: request.name,
            resource_type: request.r#type,
            olds: olds.map_err(in_bag("olds"))?,
            news: bags::read(request.news).map_err(in_bag("news"))?,
        })
    }
}

impl FromRpc<rpc::DiffRequest> for DiffRequest {
    fn from_rpc(request: rpc::DiffRequest) -> Result<Self, Malformed> {
        Ok(Self {
            urn: request.urn.into(),
            id: request.id,
            name: request.name,
            resource_type: request.r#type,
            olds: bags::read(request.olds).map_err(in_bag("olds"))?,
            old_inputs: bags::read(request.old_inputs).map_err(in_bag("old inputs"))?,
            news: bags::read(request.news).map_err(in_bag("news"))?,
            ignore_changes: request.ignore_changes,
        })
    }
}

impl From<Diff> for rpc::DiffResponse {
    fn from(diff: Diff) -> Self {
        use rpc::diff_response::DiffChanges;
        let changes = match diff.changes {
            Changes::Unknown => DiffChanges::DiffUnknown,
            Changes::None => DiffChanges::DiffNone,
            Changes::Some => DiffChanges::DiffSome,
        };
        Self {
            replaces: diff.replaces,
            stables: diff.stables,
            delete_before_replace: diff.delete_before_replace,
            changes: changes.into(),
            diffs: diff.diffs,
        }
    }
}

impl FromRpc<rpc::ConfigureRequest> for ConfigureRequest {
    fn from_rpc(request: rpc::ConfigureRequest) -> Result<Self, Malformed> {
        Ok(Self {
            args: bags::read(request.args).map_err(in_bag("configuration"))?,
            urn: request.urn.map(Urn::from),
            id: request.id,
        })
    }
}

impl FromRpc<rpc::InvokeRequest> for InvokeRequest {
    fn from_rpc(request: rpc::InvokeRequest) -> Result<Self, Malformed> {
        Ok(Self {
            token: request.tok,
            arguments: bags::read(request.args).map_err(in_bag("arguments"))?,
            preview: request.preview,
        })
    }
}

impl FromRpc<rpc::ConstructRequest> for ConstructRequest {
    fn from_rpc(request: rpc::ConstructRequest) -> Result<Self, Malformed> {
        let trigger = request.replacement_trigger.map(bags::read_value).transpose();
        Ok(Self {
            resource_type: request.r#type,
            name: request.name,
            parent: some_urn(request.parent),
            preview: request.dry_run,
            config: Config {
                values: request.config,
                secret_keys: request.config_secret_keys,
            },
            inputs: bags::read(request.inputs).map_err(in_bag("inputs"))?,
            input_dependencies: read_dependencies(request.input_dependencies),
            dependencies: urns(request.dependencies),
            providers: read_providers(request.providers)?,
            deleted_with: some_urn(request.deleted_with),
            options: ResourceOptions {
                protect: request.protect,
                retain_on_delete: request.retain_on_delete,
                delete_before_replace: request.delete_before_replace,
                ignore_changes: request.ignore_changes,
                replace_on_changes: request.replace_on_changes,
                additional_secret_outputs: request.additional_secret_outputs,
                aliases: request.aliases.into_iter().filter_map(read_alias).collect(),
                timeouts: request.custom_timeouts.unwrap_or_default().into(),
                replace_with: urns(request.replace_with),
                replacement_trigger: trigger.map_err(in_bag("replacement trigger"))?,
                hooks: request.resource_hooks.unwrap_or_default().into(),
                ..ResourceOptions::default()
            },
        })
    }
}

impl FromRpc<rpc::CallRequest> for MethodRequest {
    fn from_rpc(request: rpc::CallRequest) -> Result<Self, Malformed> {
        Ok(Self {
            token: request.tok,
            arguments: bags::read(request.args).map_err(in_bag("arguments"))?,
            argument_dependencies: convert_values(request.arg_dependencies, |of| urns(of.urns)),
            preview: request.dry_run,
            config: Config {
                values: request.config,
                secret_keys: request.config_secret_keys,
            },
        })
    }
}

/// The response of a check. Invalid inputs are a part of it.
pub(crate) fn check_response(checked: Result<Object, Error>) -> Result<rpc::CheckResponse, Error> {
    match checked {
        Ok(inputs) => Ok(rpc::CheckResponse {
            inputs: bags::write(inputs),
            failures: Vec::new(),
        }),
        Err(Error::InvalidInput(failures)) => Ok(rpc::CheckResponse {
            inputs: None,
            failures: check_failures(failures),
        }),
        Err(error) => Err(error),
    }
}

/// The response of a function. The engine flattens outputs in results.
pub(crate) fn invoke_response(result: Object) -> rpc::InvokeResponse {
    rpc::InvokeResponse {
        r#return: bags::write(without_outputs(result)),
        failures: Vec::new(),
    }
}

/// The response for a component. Outputs are written in the older form unless the engine accepts them.
pub(crate) fn construct_response(constructed: Constructed, accepts_outputs: bool) -> rpc::ConstructResponse {
    let state = with_dependencies(constructed.state, constructed.state_dependencies);
    let dependencies = bags::dependencies(&state);
    rpc::ConstructResponse {
        urn: constructed.urn.into(),
        state: write_outputs(state, accepts_outputs),
        state_dependencies: write_dependencies(dependencies),
    }
}

/// The response of a method, in the same forms.
pub(crate) fn call_response(result: MethodResult, accepts_outputs: bool) -> rpc::CallResponse {
    let values = with_dependencies(result.values, result.dependencies);
    let dependencies = convert_values(bags::dependencies(&values), |urns| {
        let urns = texts(urns);
        rpc::call_response::ReturnDependencies { urns }
    });
    rpc::CallResponse {
        return_dependencies: dependencies,
        r#return: write_outputs(values, accepts_outputs),
        failures: Vec::new(),
    }
}

fn write_outputs(values: Object, accepts_outputs: bool) -> Option<Bytes> {
    bags::write(match accepts_outputs {
        true => values,
        false => without_outputs(values),
    })
}

/// Adds the dependencies of each property to its value.
fn with_dependencies(mut state: Object, dependencies: BTreeMap<String, BTreeSet<Urn>>) -> Object {
    for (name, urns) in dependencies {
        if let Some(value) = state.get_mut(&name)
            && !urns.is_empty()
        {
            *value = output(std::mem::take(value), urns);
        }
    }
    state
}

fn output(value: Value, dependencies: BTreeSet<Urn>) -> Value {
    let (value, secret) = match value {
        Value::Secret(inner) => (*inner, true),
        value => (value, false),
    };
    let known = !matches!(value, Value::Unknown(_));
    Value::from(OutputValue {
        value: known.then(|| Box::new(value)),
        secret,
        dependencies: dependencies.into_iter().collect(),
    })
}

fn without_outputs(mut members: Object) -> Object {
    members.values_mut().for_each(Value::drop_outputs);
    members
}

impl From<Created> for rpc::CreateResponse {
    fn from(created: Created) -> Self {
        Self {
            id: created.id,
            properties: bags::write(created.properties),
        }
    }
}

impl From<ReadState> for rpc::ReadResponse {
    fn from(state: ReadState) -> Self {
        Self {
            id: state.id,
            properties: bags::write(state.properties),
            inputs: bags::write(state.inputs),
        }
    }
}

impl FromRpc<rpc::CreateRequest> for CreateRequest {
    fn from_rpc(request: rpc::CreateRequest) -> Result<Self, Malformed> {
        Ok(Self {
            urn: request.urn.into(),
            name: request.name,
            resource_type: request.r#type,
            properties: bags::read(request.properties).map_err(in_bag("properties"))?,
            preview: request.preview,
        })
    }
}

impl FromRpc<rpc::ReadRequest> for ReadRequest {
    fn from_rpc(request: rpc::ReadRequest) -> Result<Self, Malformed> {
        Ok(Self {
            id: request.id,
            urn: request.urn.into(),
            resource_type: request.r#type,
            properties: bags::read(request.properties).map_err(in_bag("properties"))?,
            inputs: bags::read(request.inputs).map_err(in_bag("inputs"))?,
        })
    }
}

impl FromRpc<rpc::UpdateRequest> for UpdateRequest {
    fn from_rpc(request: rpc::UpdateRequest) -> Result<Self, Malformed> {
        Ok(Self {
            id: request.id,
            urn: request.urn.into(),
            resource_type: request.r#type,
            olds: bags::read(request.olds).map_err(in_bag("olds"))?,
            news: bags::read(request.news).map_err(in_bag("news"))?,
            preview: request.preview,
        })
    }
}

impl FromRpc<rpc::DeleteRequest> for DeleteRequest {
    fn from_rpc(request: rpc::DeleteRequest) -> Result<Self, Malformed> {
        Ok(Self {
            id: request.id,
            urn: request.urn.into(),
            resource_type: request.r#type,
            properties: bags::read(request.properties).map_err(in_bag("properties"))?,
        })
    }
}
