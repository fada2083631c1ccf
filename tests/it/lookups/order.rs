//! Answers do not depend on the order in which the manager lists its objects.

use netmgr_sim::{ApiRequest, ApiResponse, Backend, Manager};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::harness::fits_schema;
use super::harness::{World, chain};

/// A manager that reorders the rows of every page.
struct Shuffled {
    manager: Manager,
    seed: u64,
}

impl Backend for Shuffled {
    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        let mut answer = self.manager.respond(call);
        let rows = answer
            .body
            .as_mut()
            .and_then(|body| body.get_mut("results"))
            .and_then(Value::as_array_mut);
        if let Some(rows) = rows {
            let mut state = self.seed | 1;
            for last in (1..rows.len()).rev() {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                rows.swap(last, (state >> 33) as usize % (last + 1));
            }
        }
        answer
    }
}

/// Functions that select, and the locations of their objects.
const CHOOSING: [(&str, &str); 4] = [
    ("getPolicyDhcpServer", "/infra/dhcp-server-configs"),
    ("getMacPool", "/api/v1/pools/mac-pools"),
    ("getEdgeCluster", "/api/v1/edge-clusters"),
    ("getNsGroups", "/api/v1/ns-groups"),
];

/// Everything that a caller sees of a call.
async fn seen(names: &[String], wanted: &str, seed: u64) -> Vec<String> {
    let mut seen = Vec::new();
    for (function, collection) in CHOOSING {
        let mut world = World::local().bare();
        for (number, name) in names.iter().enumerate() {
            let body = json!({"id": format!("id-{number}"), "display_name": name});
            world.inventory.add(collection, body).expect("a collection");
        }
        let bench = world.start_behind(|manager| Shuffled { manager, seed });
        let input = if function == "getNsGroups" {
            json!({})
        } else {
            json!({"displayName": wanted})
        };
        seen.push(match bench.invoke(function, input).await {
            Ok(output) => {
                fits_schema(function, &output).expect("outputs fit their schema");
                output.to_string()
            }
            Err(error) => chain(&error),
        });
        seen.extend(bench.warnings());
    }
    seen
}

proptest! {
    #[test]
    fn prop_any_order_of_the_list_gives_the_same_answer(
        names in prop::collection::vec("[ab]{1,3}", 0..14),
        wanted in "[ab]{1,2}",
        seeds in any::<(u64, u64)>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        let (one, other) = runtime.block_on(async {
            (seen(&names, &wanted, seeds.0).await, seen(&names, &wanted, seeds.1).await)
        });
        prop_assert_eq!(one, other);
    }
}
