//! `getPolicyClusterSecurityConfig`: the security configuration of a cluster of hosts.

use std::sync::Arc;

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::{Error, ErrorKind};
use crate::contract::spec::{ResultKind, Since};
use crate::declared::calls;
use crate::declared::rules::Rule::{NoEffect, Required};
use crate::declared::wording::{OBJECT, Wording};
use crate::finding::matching::find;
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::Plan;
use crate::finding::read::{By, Read};
use crate::finding::selection::{Chosen, Criteria};
use crate::wording::sentences::what;

const CLUSTER_CONFIG: ObjectKind = ObjectKind::fixed(
    "cluster security configuration",
    "ClusterSecurityConfiguration",
    "/policy/api/v1/infra/settings/security/cluster-configs",
);

const INPUT: Wording = OBJECT.shared(
    "ClusterSecurityConfigInput",
    "Input of `getPolicyClusterSecurityConfig`.",
);

calls! {
    ENTRIES;

    /// Reads the security configuration of a cluster of hosts.
    GetPolicyClusterSecurityConfig = "getPolicyClusterSecurityConfig", "cluster security configuration" {
        inputs: as INPUT {
            /// External id of the cluster, as returned by `getComputeCollection`.
            cluster_id: String => Required,
            /// Has no effect. The output has the id of the cluster.
            id: Option<String> => NoEffect,
        },
        output: ClusterSecurityConfigOutput => cluster_config(cluster_id),
        reads: [&CLUSTER_CONFIG],
        facts: since(&[Since::version("9.1.0")])
            .answer(ResultKind::Fact)
            .own_errors(&[
                (
                    "Cluster not found",
                    "the cluster is not registered with the manager, the id is not the one that `getComputeCollection` \
                     returns, or the permission to read is missing",
                ),
                (
                    "API not supported",
                    "the version of the manager is below 9.1.0, or the manager does not have the API",
                ),
            ])
            .example(r#"{"clusterId": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20"}"#)
            .source("4.2, 7 and 9")
    }
}

/// Output of `getPolicyClusterSecurityConfig`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ClusterSecurityConfigOutput {
    /// External id of the cluster.
    pub cluster_id: String,
    /// Description; empty if the object has none.
    pub description: String,
    /// Whether the distributed firewall is enabled on the cluster.
    pub dfw_enabled: bool,
    /// Display name.
    pub display_name: String,
    /// External id of the cluster.
    pub id: String,
    /// Policy path.
    pub path: String,
}

/// A feature as the manager sends it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SecurityFeature {
    feature: String,
    enabled: bool,
}

impl GetPolicyClusterSecurityConfig {
    /// Selects the configuration of the cluster with this external id: the `id` of
    /// [`GetComputeCollection`](crate::typed::GetComputeCollection).
    pub fn of(cluster_id: impl Into<String>) -> Self {
        Self::default().cluster_id(cluster_id)
    }
}

/// The specification defines the messages `Cluster not found` and `API not supported`.
async fn cluster_config(cx: &LookupContext<'_>, id: &str) -> Result<ClusterSecurityConfigOutput, Error> {
    cx.admit().await.map_err(fixed_text)?;
    let read = Read::new(&CLUSTER_CONFIG, cx.scope, By::Id(id.to_owned()));
    let plan = Arc::new(Plan::new(read, Criteria::default()));
    let found = match find(cx, &plan.read, &plan).await {
        Ok(found) => found,
        Err(refused) => {
            return Err(fixed_text(
                cx.refused(cx.spec.noun, what(cx, &plan.read), refused).await,
            ));
        }
    };
    let Chosen::One(object) = found.selection.choose() else {
        let what = format!(
            "no cluster with id {} is registered; use the `id` that `getComputeCollection` returns",
            cx.quoted(id)
        );
        return Err(fixed_text(cx.not_found(what, None, found.fetched.missing)));
    };
    let features: Vec<SecurityFeature> = object.list("features");
    Ok(ClusterSecurityConfigOutput {
        display_name: object.name().to_owned(),
        dfw_enabled: features
            .iter()
            .any(|feature| feature.enabled && feature.feature == "DFW"),
        description: object.description().to_owned(),
        path: object.path().unwrap_or_default().to_owned(),
        id: id.to_owned(),
        cluster_id: id.to_owned(),
    })
}

/// Whether the manager refused the read with one of its error codes. A proxy that refuses the path sends
/// none.
fn lacks_permission(error: &RequestError) -> bool {
    let api = error.failure().api.as_ref();
    error.kind() == RequestErrorKind::PermissionDenied && api.is_some_and(|api| api.error_code.is_some())
}

/// Wraps the errors for which the specification defines messages. A failed login is not wrapped, although it has the
/// status of a missing permission.
fn fixed_text(error: Error) -> Error {
    let (text, kind) = match &error {
        Error::Unsupported { .. } => ("API not supported", ErrorKind::Unsupported),
        Error::NotFound { .. } => ("Cluster not found", ErrorKind::NotFound),
        Error::Manager { source, .. } if lacks_permission(source) => {
            ("Cluster not found", ErrorKind::NotFound)
        }
        _ => return error,
    };
    Error::Fixed {
        text,
        kind,
        source: Arc::new(error),
    }
}
