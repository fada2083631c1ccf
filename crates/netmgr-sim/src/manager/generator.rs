//! Generated objects for tests with large inventories. The same seed generates the same objects.

use serde_json::{Value, json};

use super::inventory::Inventory;
use super::object::{hash, made_up_uuid};

/// Collections with generated objects, and the prefixes of their names. Kinds with few objects, or whose
/// number is relevant for a lookup ("the only one"), have none.
const COLLECTIONS: [(&str, &str); 24] = [
    ("/infra/certificates", "tls"),
    ("/infra/context-profiles", "app"),
    ("/infra/dhcp-server-configs", "leases"),
    ("/infra/flood-protection-profiles", "limits"),
    ("/infra/bfd-profiles", "probe"),
    (
        "/infra/sites/default/enforcement-points/default/edge-clusters",
        "rack",
    ),
    (
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes",
        "machine",
    ),
    (
        "/infra/sites/default/enforcement-points/default/edge-bridge-profiles",
        "vlans",
    ),
    (
        "/infra/sites/default/enforcement-points/default/cluster-control-planes",
        "pods",
    ),
    ("/orgs/default/projects/dev/infra/certificates", "tls"),
    ("/orgs/default/projects/dev/infra/dhcp-server-configs", "leases"),
    ("/orgs/default/projects/dev2/infra/certificates", "tls"),
    ("/global-infra/context-profiles", "app"),
    ("/api/v1/ns-groups", "members"),
    ("/api/v1/ns-services", "ports"),
    ("/api/v1/logical-routers", "hop"),
    ("/api/v1/firewall/sections", "rules"),
    ("/api/v1/pools/ip-pools", "addresses"),
    ("/api/v1/pools/mac-pools", "macs"),
    ("/api/v1/edge-clusters", "rack"),
    ("/api/v1/trust-management/certificates", "tls"),
    ("/api/v1/fabric/compute-collections", "hosts"),
    ("/api/v1/fabric/discovered-nodes", "host"),
    ("/api/v1/upgrade/upgrade-unit-groups", "batch"),
];

const ADJECTIVES: [&str; 12] = [
    "amber", "brisk", "calm", "deep", "eager", "fair", "grand", "hazy", "idle", "keen", "lunar", "mossy",
];

impl Inventory {
    /// The default inventory and `objects` generated objects of most kinds. The same seed generates the same
    /// objects. Some share a name, and a third have a description.
    pub fn generated(objects: usize, seed: u64) -> Self {
        let mut inventory = Self::default();
        for number in 0..objects {
            let draw = hash(&number.to_string(), seed);
            let (collection, start) = COLLECTIONS[number % COLLECTIONS.len()];
            inventory = inventory.with(collection, body(collection, start, number, seed, draw));
        }
        inventory
    }
}

fn body(collection: &str, start: &str, number: usize, seed: u64, draw: u64) -> Value {
    let id = made_up_uuid(&format!("{seed}/{number}"));
    let adjective = ADJECTIVES[(draw >> 8) as usize % ADJECTIVES.len()];
    // The name of one in fifty has no number, so that names repeat.
    let name = if draw.is_multiple_of(50) {
        format!("{start}-{adjective}")
    } else {
        format!("{start}-{adjective}-{number:06}")
    };
    if collection.starts_with("/api/v1/fabric/") {
        let local = format!("{start}-{number}");
        return json!({
            "external_id": format!("7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:{local}"),
            "cm_local_id": local, "display_name": name,
            "origin_id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001",
        });
    }
    let mut body = json!({
        "id": id, "display_name": name,
        "tags": [{"scope": "rack", "tag": (draw >> 16 & 0xff).to_string()}],
    });
    if (draw >> 24).is_multiple_of(3) {
        body["description"] = json!(format!("Generated as number {number}"));
    }
    body
}
