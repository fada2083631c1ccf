//! `getDiscoveredNode`: a host that a compute manager discovered.

use std::net::IpAddr;

use derive_setters::Setters;
use netmgr_types::InvalidProperty;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::LookupSpec;
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::Plan;
use crate::finding::read::{By, FilterCheck, Read, Scope};
use crate::finding::rows::OfferedRow;
use crate::finding::selection::{Criteria, Filter};

const DISCOVERED_NODE: ObjectKind = ObjectKind::fixed(
    "discovered node",
    "DiscoveredNode",
    "/api/v1/fabric/discovered-nodes",
);

/// Finds a discovered node by external id or IP address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "DiscoveredNodeInput", description = "Input of `getDiscoveredNode`.")]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetDiscoveredNode {
    /// State of the compute manager. Has no effect on the lookup; use it to make the call depend on the
    /// function that waits for the compute manager.
    pub compute_manager_state: Option<String>,
    /// External id of the node. Takes precedence over all other inputs.
    pub id: Option<String>,
    /// IP address of the node.
    pub ip_address: Option<String>,
}

/// Output of `getDiscoveredNode`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DiscoveredNodeOutput {
    /// State of the compute manager from the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_manager_state: Option<String>,
    /// External id.
    pub id: String,
    /// First IP address of the node; empty if it has none.
    pub ip_address: String,
}

fn addresses(node: &ManagedObject) -> Vec<String> {
    node.list("ip_addresses")
}

/// Whether `node` has the address in any notation.
fn has_address(node: &ManagedObject, wanted: &str) -> bool {
    let parsed: Option<IpAddr> = wanted.parse().ok();
    addresses(node)
        .iter()
        .any(|address| address == wanted || parsed.is_some() && address.parse().ok() == parsed)
}

/// Like [`has_address`], for a row of a list, which is decoded only if it contains the address.
fn shows_address(row: &OfferedRow<'_>, wanted: &str) -> bool {
    std::str::from_utf8(row.text()).is_ok_and(|text| text.contains(wanted))
        && row.object().is_ok_and(|node| has_address(node, wanted))
}

/// Like [`has_address`], for a node that the manager found by its address. A node without addresses matches, because
/// the manager selected it.
fn found_by_address(node: &ManagedObject, wanted: &str) -> bool {
    addresses(node).is_empty() || has_address(node, wanted)
}

impl GetDiscoveredNode {
    /// Selects the node with this external id.
    pub fn by_id(id: impl Into<String>) -> Self {
        Self::default().id(id)
    }

    /// Selects the node with this IP address.
    pub fn at(ip_address: impl Into<String>) -> Self {
        Self::default().ip_address(ip_address)
    }
}

impl Lookup for GetDiscoveredNode {
    type Output = DiscoveredNodeOutput;
    const SPEC: LookupSpec = LookupSpec {
        without_effect: &["computeManagerState"],
        example: r#"{"ipAddress": "198.51.100.42"}"#,
        source: "4.2 and 4.3",
        ..LookupSpec::new(
            "getDiscoveredNode",
            "discovered node",
            "Finds a host that a compute manager discovered, by external id or IP address.",
        )
    };

    const KINDS: &'static [&'static ObjectKind] = &[&DISCOVERED_NODE];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let by = match (given(&self.id), given(&self.ip_address)) {
            (Some(id), _) => By::Id(id.to_owned()),
            (None, Some(_)) => By::All,
            (None, None) => return Err(vec![InvalidProperty::new("", "`id` or `ipAddress` is required")]),
        };
        let mut read = Read::new(&DISCOVERED_NODE, scope, by);
        let mut criteria = Criteria::default();
        if let Some(address) = given(&self.ip_address) {
            // The manager compares addresses as text, so the canonical notation is sent.
            let usual = address
                .parse()
                .map_or_else(|_| address.to_owned(), |address: IpAddr| address.to_string());
            // A node may report no address; see `found_by_address`.
            read.filter_check = Some(FilterCheck {
                value: usual.clone(),
                by: Some(shows_address),
            });
            read.list_filters.push(("ip_address", usual));
            criteria.filters.push(Filter::new(
                "ipAddress",
                address,
                |node| addresses(node).join(", "),
                if given(&self.id).is_some() {
                    has_address
                } else {
                    found_by_address
                },
            ));
        }
        let plan = Plan::new(read, criteria);
        Ok(Invocation::object(plan, move |object| {
            // If the node has no address, the output contains the requested address, unless the node was selected
            // by id.
            let asked_for = self.ip_address.clone().filter(|_| given(&self.id).is_none());
            DiscoveredNodeOutput {
                compute_manager_state: given(&self.compute_manager_state).map(str::to_owned),
                id: object.id().to_owned(),
                ip_address: addresses(object)
                    .into_iter()
                    .next()
                    .or(asked_for)
                    .unwrap_or_default(),
            }
        }))
    }
}
