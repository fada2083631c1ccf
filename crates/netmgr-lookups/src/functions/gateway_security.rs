//! The security settings of a gateway.

use std::collections::BTreeMap;

use netmgr_transport::Get;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;

/// Output of `getPolicyGatewaySecurityConfig`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyGatewaySecurityConfig {
    /// Whether the identity firewall is enabled.
    pub idfw_enabled: bool,
    /// Whether the intrusion service is enabled.
    pub idps_enabled: bool,
    /// Whether malware prevention is enabled. Always false for tier-0 gateways.
    pub malware_prevention_enabled: bool,
    /// Policy path of the configuration.
    pub path: String,
    /// Whether TLS inspection is enabled. Always false for tier-0 gateways.
    pub tls_enabled: bool,
}

/// The security settings of a gateway, as the manager sends them.
#[derive(Debug, Default, Deserialize)]
struct GatewayFeatures {
    path: Option<String>,
    features: Vec<GatewayFeature>,
}

/// A feature of a gateway.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct GatewayFeature {
    feature: Option<String>,
    enable: Option<bool>,
}

pub(crate) async fn gateway_config(
    cx: &LookupContext<'_>,
    tier0: &Option<String>,
    tier1: &Option<String>,
) -> Result<PolicyGatewaySecurityConfig, Error> {
    let (collection, id) = match (given(tier0), given(tier1)) {
        (Some(id), None) => ("tier-0s", id),
        (None, Some(id)) => ("tier-1s", id),
        _ => {
            let problem = InvalidProperty::new("", "either `tier0Id` or `tier1Id` is required");
            return Err(cx.invalid(vec![problem]));
        }
    };
    let get = Get::new("/policy/api/v1/infra")
        .segment(collection)
        .segment(id)
        .segment("security-config");
    let what = format!("security configuration of the gateway {}", cx.quoted(id));
    let config: GatewayFeatures = cx.get(what, get).await?;
    let enabled: BTreeMap<_, _> = config
        .features
        .into_iter()
        .map(|feature| (feature.feature.unwrap_or_default(), feature.enable == Some(true)))
        .collect();
    let has = |feature: &str| enabled.get(feature).copied().unwrap_or_default();
    let is_tier1 = collection == "tier-1s";
    Ok(PolicyGatewaySecurityConfig {
        idfw_enabled: has("IDFW"),
        idps_enabled: has("IDPS"),
        malware_prevention_enabled: is_tier1 && has("MALWAREPREVENTION"),
        path: config.path.unwrap_or_default(),
        tls_enabled: is_tier1 && has("TLS"),
    })
}
