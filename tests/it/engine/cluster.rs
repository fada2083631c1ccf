//! The cluster components inside the real engine: programs in TypeScript and Python, in a cloud that is simulated by
//! stand-ins for the child packages' plugins.

mod adoption;
mod deletion;
mod failures;
mod inputs;
mod lifecycle;
mod options;
mod outputs;
mod scaling;
mod stand_ins;
mod state;
mod switches;

use serde_json::{Value, json};

/// The required inputs of a cluster.
fn least() -> Value {
    json!({ "clusterSubnetIds": ["subnet-1", "subnet-2"], "systemNodeSubnetIds": ["subnet-3"] })
}

/// The required and further inputs.
fn with(more: Value) -> Value {
    let mut inputs = least();
    let members = inputs.as_object_mut().unwrap();
    members.extend(more.as_object().unwrap().clone());
    inputs
}

/// A cluster without the optional add-ons.
pub(crate) fn small(more: Value) -> Value {
    let mut inputs = with(json!({
        "enableCertManager": false, "enableExternalDns": false, "enableNodeAutoscaler": false,
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    }));
    let members = inputs.as_object_mut().unwrap();
    members.extend(more.as_object().unwrap().clone());
    inputs
}

/// A resource of a program.
pub(crate) fn resource(token: &str, name: &str, inputs: Value) -> Value {
    json!({ "type": token, "name": name, "inputs": inputs })
}

/// Like [`resource`], with options.
fn optioned(token: &str, name: &str, inputs: Value, options: Value) -> Value {
    json!({ "type": token, "name": name, "inputs": inputs, "options": options })
}

pub(crate) const CLUSTER: &str = "clusterpkg:index:Cluster";
pub(crate) const NODE_GROUP: &str = "clusterpkg:index:AttachedNodeGroup";
pub(crate) const SERVICE_ACCOUNT_ROLE: &str = "clusterpkg:index:IamServiceAccountRole";

/// A node group for a cluster of another stack.
pub(crate) fn node_group() -> Value {
    json!({ "clusterName": "main", "subnetIds": ["subnet-1"] })
}

/// A role for a service account of a cluster of another stack.
pub(crate) fn service_account() -> Value {
    let issuer = "oidc.eks.eu-west-1.amazonaws.com/id/ABCD";
    json!({
        "oidcProviderArn": format!("arn:aws:iam::123456789012:oidc-provider/{issuer}"),
        "oidcProviderUrl": format!("https://{issuer}"),
        "namespaceName": "shop",
        "serviceAccountName": "orders",
    })
}
