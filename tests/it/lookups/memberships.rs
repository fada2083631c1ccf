//! Members of groups, and groups of members.

use futures_util::future::join_all;
use http::StatusCode;
use netmgr_lookups::ErrorKind::{InvalidInput, NotFound, Other, PermissionDenied, Unsupported};
use netmgr_sim::{ApiRequest, ApiResponse};
use serde_json::{Value, json};

use super::harness::{Changed, World, fits_schema};

const MEMBERS: &str = "getPolicyGroupMembers";
const ASSOCIATIONS: &str = "getPolicyGroupAssociations";
const GROUPS: &str = "/infra/domains/default/groups";
const DEV: &str = "/orgs/default/projects/dev";
const DEV_GROUPS: &str = "/orgs/default/projects/dev/infra/domains/default/groups";
const VPC: &str = "/orgs/default/projects/dev/vpcs/shop";

fn machine(number: usize, tag: &str) -> Value {
    json!({"external_id": format!("vm-{number}"), "display_name": format!("web {number}"),
        "tags": [{"scope": "tier", "tag": tag}]})
}

fn interface(number: usize, address: &str) -> Value {
    json!({"external_id": format!("nic-{number}"), "owner_vm_id": format!("vm-{number}"),
        "display_name": format!("nic {number}"), "lport_attachment_id": format!("port-{number}"),
        "ip_address_info": [{"source": "VM_TOOLS", "ip_addresses": [address]}]})
}

fn condition(kind: &str, key: &str, operator: &str, value: &str) -> Value {
    json!({"resource_type": "Condition", "member_type": kind, "key": key, "operator": operator, "value": value})
}

fn paths(paths: &[&str]) -> Value {
    json!({"resource_type": "PathExpression", "paths": paths})
}

fn addresses(addresses: &[&str]) -> Value {
    json!({"resource_type": "IPAddressExpression", "ip_addresses": addresses})
}

fn group(id: &str, expressions: &[Value]) -> Value {
    let mut all = Vec::new();
    for expression in expressions {
        if !all.is_empty() {
            all.push(json!({"resource_type": "ConjunctionOperator", "conjunction_operator": "OR"}));
        }
        all.push(expression.clone());
    }
    json!({"id": id, "display_name": format!("name {id}"), "expression": all})
}

/// Three machines, of which the last two are in the project `dev`, and the last one is in a VPC.
fn world() -> World {
    let attached =
        |number: usize| json!({"id": format!("p{number}"), "attachment": {"id": format!("port-{number}")}});
    World::local()
        .bare()
        .with("/api/v1/fabric/virtual-machines", machine(1, "web"))
        .with("/api/v1/fabric/virtual-machines", machine(2, "web"))
        .with("/api/v1/fabric/virtual-machines", machine(3, "db"))
        .with("/api/v1/fabric/vifs", interface(1, "10.0.0.1"))
        .with("/api/v1/fabric/vifs", interface(2, "10.0.0.2"))
        .with("/api/v1/fabric/vifs", interface(3, "2001:db8::3"))
        .with("/infra/segments", json!({"id": "s"}))
        .with("/infra/segments/s/ports", attached(1))
        .with("/orgs/default/projects", json!({"id": "dev"}))
        .with(&format!("{DEV}/infra/segments"), json!({"id": "s"}))
        .with(&format!("{DEV}/infra/segments/s/ports"), attached(2))
        .with(&format!("{DEV}/vpcs"), json!({"id": "shop"}))
        .with(&format!("{VPC}/subnets"), json!({"id": "n"}))
        .with(&format!("{VPC}/subnets/n/ports"), attached(3))
        .with(
            GROUPS,
            group("tag", &[condition("VirtualMachine", "Tag", "EQUALS", "tier|web")]),
        )
        .with(GROUPS, group("segment", &[paths(&["/infra/segments/s"])]))
        .with(
            GROUPS,
            group(
                "nested",
                &[
                    paths(&["/infra/domains/default/groups/segment"]),
                    addresses(&["10.9.0.0/16"]),
                ],
            ),
        )
        .with(
            GROUPS,
            group(
                "2001:db8::3",
                &[addresses(&["2001:db8::1-2001:db8::9", "10.0.0.1"])],
            ),
        )
        .with(
            GROUPS,
            group(
                "people",
                &[
                    json!({"resource_type": "IdentityGroupExpression", "identity_groups": [
                    {"distinguished_name": "CN=ops,DC=corp", "domain_base_distinguished_name": "DC=corp"}]}),
                ],
            ),
        )
        .with(GROUPS, group("empty", &[]))
        .with(
            DEV_GROUPS,
            group("tag", &[condition("VirtualMachine", "Name", "STARTSWITH", "web")]),
        )
        .with("/orgs/default/projects", json!({"id": "dev2"}))
        .with(
            "/orgs/default/projects/dev2/infra/domains/default/groups",
            group("other", &[addresses(&["10.0.0.0/24"])]),
        )
        .with(
            &format!("{VPC}/groups"),
            group(
                "vpc",
                &[paths(&["/orgs/default/projects/dev/vpcs/shop/subnets/n"])],
            ),
        )
}

/// The type and the id of each member, or its path if it has one.
fn members(output: &Value) -> Vec<String> {
    let members = output["members"].as_array().unwrap().iter();
    let shown = |member: &Value| {
        let (path, id) = (member["path"].as_str().unwrap(), member["id"].as_str().unwrap());
        format!(
            "{} {}",
            member["memberType"].as_str().unwrap(),
            if path.is_empty() { id } else { path }
        )
    };
    members.map(shown).collect()
}

fn groups(output: &Value) -> Vec<String> {
    let groups = output["groups"].as_array().unwrap().iter();
    groups
        .map(|group| group["path"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn members_follow_from_criteria_paths_and_nested_groups() {
    let bench = world().start();
    for (path, expected) in [
        (
            format!("{GROUPS}/tag"),
            &[
                "IPAddress 10.0.0.1",
                "IPAddress 10.0.0.2",
                "VirtualMachine vm-1",
                "VirtualMachine vm-2",
                "VirtualNetworkInterface nic-1",
                "VirtualNetworkInterface nic-2",
            ][..],
        ),
        (
            format!("{GROUPS}/nested"),
            &[
                "IPAddress 10.0.0.1",
                "IPAddress 10.9.0.0/16",
                "Segment /infra/segments/s",
                "SegmentPort /infra/segments/s/ports/p1",
            ],
        ),
        (format!("{GROUPS}/people"), &["IdentityGroup CN=ops,DC=corp"]),
        (format!("{GROUPS}/empty"), &[]),
        (
            format!("{DEV_GROUPS}/tag"),
            &[
                "IPAddress 10.0.0.2",
                "IPAddress 2001:db8::3",
                "VirtualMachine vm-2",
                "VirtualMachine vm-3",
                "VirtualNetworkInterface nic-2",
                "VirtualNetworkInterface nic-3",
            ],
        ),
        (
            format!("{VPC}/groups/vpc"),
            &[
                "IPAddress 2001:db8::3",
                "VpcSubnet /orgs/default/projects/dev/vpcs/shop/subnets/n",
                "VpcSubnetPort /orgs/default/projects/dev/vpcs/shop/subnets/n/ports/p3",
            ],
        ),
    ] {
        let output = bench.answer(MEMBERS, json!({"path": path})).await;
        fits_schema(MEMBERS, &output).unwrap();
        assert_eq!(members(&output), expected, "{path}");
        assert_eq!(output["path"], path);
    }
    let input = json!({"path": format!("{GROUPS}/tag"), "memberTypes": ["VirtualMachine"]});
    bench.requests();
    assert_eq!(
        members(&bench.answer(MEMBERS, input).await),
        ["VirtualMachine vm-1", "VirtualMachine vm-2"]
    );
    assert_eq!(bench.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn static_members_are_those_of_the_definition() {
    let bench = world().start();
    for (path, expected) in [
        (format!("{GROUPS}/tag"), &[][..]),
        (
            format!("{GROUPS}/nested"),
            &[
                "Group /infra/domains/default/groups/segment",
                "IPAddress 10.9.0.0/16",
            ],
        ),
        (format!("{GROUPS}/people"), &["IdentityGroup CN=ops,DC=corp"]),
        (
            format!("{VPC}/groups/vpc"),
            &["VpcSubnet /orgs/default/projects/dev/vpcs/shop/subnets/n"],
        ),
    ] {
        let output = bench
            .answer(MEMBERS, json!({"path": path, "staticOnly": true}))
            .await;
        assert_eq!(members(&output), expected, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn groups_of_a_member_are_those_of_its_tree() {
    let bench = world().start();
    let here = |ids: &[&str]| -> Vec<String> { ids.iter().map(|id| format!("{GROUPS}/{id}")).collect() };
    for (input, expected) in [
        (json!({"virtualMachineId": "vm-1"}), here(&["tag"])),
        (json!({"interfaceId": "nic-1"}), here(&["tag"])),
        (
            json!({"ipAddress": "10.0.0.1"}),
            here(&["2001:db8::3", "nested", "segment", "tag"]),
        ),
        (json!({"ipAddress": "10.9.255.255"}), here(&["nested"])),
        (json!({"ipAddress": "2001:DB8:0::3"}), here(&["2001:db8::3"])),
        (json!({"ipAddress": "192.0.2.1"}), vec![]),
        (json!({"path": "/infra/segments/s"}), here(&["nested", "segment"])),
        (
            json!({"path": "/infra/segments/s/ports/p1/"}),
            here(&["nested", "segment"]),
        ),
        (json!({"path": format!("{GROUPS}/segment")}), here(&["nested"])),
        (
            json!({"virtualMachineId": "vm-2", "context": {"projectId": "dev"}}),
            vec![format!("{DEV_GROUPS}/tag")],
        ),
        (
            json!({"virtualMachineId": "vm-1", "context": {"projectId": "dev"}}),
            vec![],
        ),
        (
            json!({"path": format!("{VPC}/subnets/n")}),
            vec![format!("{VPC}/groups/vpc")],
        ),
        (json!({"virtualMachineId": "missing"}), vec![]),
    ] {
        let said = input.to_string();
        let output = bench.answer(ASSOCIATIONS, input).await;
        fits_schema(ASSOCIATIONS, &output).unwrap();
        assert_eq!(groups(&output), expected, "{said}");
    }
    let missing = json!({"path": "/infra/segments/missing"});
    bench.fails(ASSOCIATIONS, missing, NotFound).await;
}

#[tokio::test(start_paused = true)]
async fn a_group_of_another_project_is_never_listed() {
    let foreign = |call: &ApiRequest, answer: &mut ApiResponse| {
        if call.path.ends_with("ip-address-group-associations") {
            let row = |path: &str| json!({"target_id": path, "target_display_name": "g", "is_valid": true});
            let dev2 = "/orgs/default/projects/dev2/infra/domains/default/groups/g";
            let rows = [
                dev2,
                "/infra/domains/default/groups/g",
                "/global-infra/domains/default/groups/g",
            ];
            answer.body = Some(json!({"results": rows.map(row), "result_count": 3}));
        }
    };
    let bench = world().start_behind(|manager| Changed {
        manager,
        change: foreign,
    });
    for input in [
        json!({"ipAddress": "10.0.0.1"}),
        json!({"ipAddress": "10.0.0.1", "context": {"projectId": "dev"}}),
    ] {
        let output = bench.answer(ASSOCIATIONS, input).await;
        let expected = [
            "/global-infra/domains/default/groups/g",
            "/infra/domains/default/groups/g",
        ];
        assert_eq!(groups(&output), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn the_global_manager_has_members_and_associations() {
    let groups_there = "/global-infra/domains/default/groups";
    let world = World::global()
        .bare()
        .with(groups_there, group("g", &[addresses(&["10.0.0.0/8"])]));
    let bench = world.start();
    let path = format!("{groups_there}/g");
    let output = bench
        .answer(MEMBERS, json!({"path": path, "memberTypes": ["IPAddress"]}))
        .await;
    assert_eq!(members(&output), ["IPAddress 10.0.0.0/8"]);
    let output = bench.answer(ASSOCIATIONS, json!({"ipAddress": "10.1.1.1"})).await;
    assert_eq!(groups(&output), [path]);
    let requests = bench.requests();
    assert!(
        requests
            .iter()
            .all(|line| line.starts_with("GET /global-manager/api/v1/global-infra/")),
        "{requests:?}"
    );
    bench
        .fails(MEMBERS, json!({"path": format!("{GROUPS}/g")}), InvalidInput)
        .await;
}

#[tokio::test(start_paused = true)]
async fn inputs_are_checked_before_any_request() {
    let bench = world().start();
    for (function, input, part) in [
        (MEMBERS, json!({}), "path"),
        (
            MEMBERS,
            json!({"path": "/infra/segments/s"}),
            "must be the policy path of a group",
        ),
        (
            "getPolicyIpsecVpnLocalEndpoint",
            json!({"displayName": "x", "servicePath": "/infra/segments/s"}),
            "must be the policy path of an IPsec VPN service",
        ),
        (
            MEMBERS,
            json!({"path": format!("{GROUPS}/tag"), "memberTypes": ["Machine"]}),
            "memberTypes[0]",
        ),
        (
            MEMBERS,
            json!({"path": format!("{DEV_GROUPS}/tag"), "memberTypes": ["IdentityGroup"]}),
            "memberTypes[0]",
        ),
        (
            MEMBERS,
            json!({"path": format!("{GROUPS}/tag"), "memberTypes": ["VpcSubnet"]}),
            "memberTypes[0]",
        ),
        (ASSOCIATIONS, json!({}), "is required"),
        (
            ASSOCIATIONS,
            json!({"ipAddress": "10.0.0.0/24"}),
            "without a prefix length",
        ),
        (
            ASSOCIATIONS,
            json!({"ipAddress": "web"}),
            "must be an IPv4 or IPv6 address",
        ),
        (
            ASSOCIATIONS,
            json!({"ipAddress": "10.0.0.1", "path": "/infra/segments/s"}),
            "cannot be combined",
        ),
        (ASSOCIATIONS, json!({"path": "segments"}), "must be a policy path"),
        (
            ASSOCIATIONS,
            json!({"ipAddress": "10.0.0.1", "enforcementPointPath": "x"}),
            "enforcementPointPath",
        ),
    ] {
        let said = bench.fails(function, input, InvalidInput).await;
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(bench.requests(), [""; 0]);
}

/// A change of the body of a reply.
type Change = fn(&mut Value);

#[tokio::test(start_paused = true)]
async fn a_list_is_complete_or_an_error() {
    let members_of = |bench_path: &str| json!({"path": format!("{GROUPS}/tag"), "memberTypes": [bench_path]});
    let cases: [(Value, Change); 6] = [
        // A text in which an object is expected, and the reverse.
        (members_of("VirtualMachine"), |body| {
            body["results"][0] = json!("vm-1")
        }),
        (members_of("IPAddress"), |body| {
            body["results"][0] = json!({"id": "10.0.0.1"})
        }),
        (members_of("VirtualMachine"), |body| {
            body["results"][0] = json!({"display_name": "no id"})
        }),
        // Pages that lead to themselves.
        (members_of("IPAddress"), |body| body["cursor"] = json!("again")),
        (members_of("IPAddress"), |body| body["result_count"] = json!(7)),
        (members_of("IPAddress"), |body| body["results"] = json!({})),
    ];
    for (input, change) in cases {
        let bench = world().start_behind(|manager| Changed {
            manager,
            change: move |call: &ApiRequest, answer: &mut ApiResponse| {
                if call.path.contains("/members/") {
                    change(answer.body.as_mut().unwrap());
                }
            },
        });
        bench.fails(MEMBERS, input, Other).await;
    }
    let bench = world().start_behind(|manager| Changed {
        manager,
        change: |call: &ApiRequest, answer: &mut ApiResponse| {
            if call.path.contains("associations") {
                answer.body.as_mut().unwrap()["results"][0] = json!({"target_display_name": "g"});
            }
        },
    });
    bench
        .fails(ASSOCIATIONS, json!({"ipAddress": "10.0.0.1"}), Other)
        .await;
}

#[tokio::test(start_paused = true)]
async fn refused_and_missing_lists_are_errors() {
    let bench = world().start();
    bench
        .fails(MEMBERS, json!({"path": format!("{GROUPS}/missing")}), NotFound)
        .await;
    bench
        .fails(
            MEMBERS,
            json!({"path": format!("{GROUPS}/missing"), "staticOnly": true}),
            NotFound,
        )
        .await;
    for (status, kind) in [(403, PermissionDenied), (404, Unsupported)] {
        let bench = world().start_behind(|manager| Changed {
            manager,
            change: move |call: &ApiRequest, answer: &mut ApiResponse| {
                if call.path.contains("/projects/dev/infra/") {
                    answer.status = StatusCode::from_u16(status).unwrap();
                    answer.body = None;
                }
            },
        });
        let context = json!({"projectId": "dev"});
        bench
            .fails(
                ASSOCIATIONS,
                json!({"ipAddress": "10.0.0.1", "context": context}),
                kind,
            )
            .await;
        bench.answer(ASSOCIATIONS, json!({"ipAddress": "10.0.0.1"})).await;
    }
}

#[tokio::test(start_paused = true)]
async fn lookups_at_once_send_equal_requests_once() {
    let bench = world().start();
    let inputs = (0..200).map(|number| json!({"ipAddress": format!("10.0.0.{}", number % 3 + 1)}));
    let together = join_all(inputs.map(|input| bench.answer(ASSOCIATIONS, input))).await;
    assert_eq!(bench.requests().len(), 3);
    assert_eq!(groups(&together[0]).len(), 4);
}
