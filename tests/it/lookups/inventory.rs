//! Virtual machines and bare-metal servers, which have external ids and no policy path.

use netmgr_lookups::ErrorKind::{Ambiguous, InvalidInput, NotFound};
use serde_json::{Value, json};

use super::harness::World;
use super::harness::fits_schema;

const MACHINES: &str = "/api/v1/fabric/virtual-machines";
const INTERFACES: &str = "/api/v1/fabric/vifs";
const SERVERS: &str = "/inventory/bare-metal-servers";
const SERVER_INTERFACES: &str = "/inventory/bare-metal-server-interfaces";
const GROUPS: &str = "/infra/domains/default/groups";

fn machine(name: &str, end: &str, more: Value) -> Value {
    let mut body = json!({
        "external_id": format!("ext-{end}"), "display_name": name, "description": "text",
        "compute_ids": [
            format!("externalId:ext-{end}"), format!("instanceUuid:inst-{end}"), format!("biosUuid:bios-{end}"),
        ],
        "tags": [{"scope": "s", "tag": end}],
    });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    body
}

fn interface(end: &str, machine: &str, attachment: Option<&str>) -> Value {
    json!({"external_id": format!("vif-{end}"), "owner_vm_id": format!("ext-{machine}"), "lport_attachment_id": attachment})
}

/// Two machines with a common prefix of their names, two with the same name, and one in the project `dev`.
fn machines() -> World {
    let linux = json!({"guest_info": {"os_name": "Ubuntu Linux (64-bit)"}, "power_state": "VM_RUNNING"});
    let windows = json!({"guest_info": {"os_name": "Microsoft Windows"}, "power_state": "VM_STOPPED"});
    World::local()
        .bare()
        .with(MACHINES, machine("web", "1", linux.clone()))
        .with(MACHINES, machine("web-2", "2", windows.clone()))
        .with(MACHINES, machine("twin", "3", windows))
        .with(MACHINES, machine("twin", "4", linux.clone()))
        .with(MACHINES, machine("tenant", "5", linux))
        .with(INTERFACES, interface("1a", "1", Some("port-1a")))
        .with(INTERFACES, interface("1b", "1", Some("port-1b")))
        // An interface that two sources report.
        .with(INTERFACES, interface("1b-again", "1", Some("port-1b")))
        .with(INTERFACES, interface("2", "2", None))
        .with(INTERFACES, interface("5", "5", Some("port-5")))
        .with("/orgs/default/projects", json!({"id": "dev"}))
        .with("/orgs/default/projects", json!({"id": "dev2"}))
        .with(
            "/orgs/default/projects/dev/infra/segments/s/ports",
            json!({"id": "p", "attachment": {"id": "port-5"}}),
        )
}

/// Whether the requests are for virtual machines and their interfaces.
fn are_for_machines(requests: &[String]) -> bool {
    let expected = [
        "/infra/realized-state/virtual-machines",
        "/infra/realized-state/enforcement-points/default/vifs",
        "resource_type:VirtualMachine ",
        "resource_type:VirtualNetworkInterface",
    ];
    requests.iter().all(|request| {
        request.ends_with("resource_type:VirtualMachine")
            || expected.iter().any(|part| request.contains(part))
    })
}

#[tokio::test(start_paused = true)]
async fn a_virtual_machine_is_found_by_name_and_by_each_of_its_ids() {
    const FUNCTION: &str = "getPolicyVm";
    let bench = machines().start();
    for input in [
        json!({"displayName": "web"}),
        json!({"externalId": "ext-1"}),
        json!({"biosId": "bios-1"}),
        json!({"instanceId": "inst-1"}),
        json!({"externalId": "ext-1", "displayName": "web-2"}),
    ] {
        let output = bench.answer(FUNCTION, input.clone()).await;
        let requests = bench.requests();
        assert!(are_for_machines(&requests), "{requests:?}");
        for (name, value) in [
            ("displayName", json!("web")),
            ("description", json!("text")),
            ("externalId", json!("ext-1")),
            ("biosId", json!("bios-1")),
            ("instanceId", json!("inst-1")),
            ("tags", json!([{"scope": "s", "tag": "1"}])),
            ("vifIds", json!(["port-1a", "port-1b"])),
        ] {
            assert_eq!(output[name], value, "{input} {name}");
        }
    }
    assert_eq!(
        bench.answer(FUNCTION, json!({"displayName": "web-"})).await["externalId"],
        "ext-2"
    );
    assert_eq!(
        bench.answer(FUNCTION, json!({"externalId": "ext-2"})).await["vifIds"],
        json!([])
    );
    bench
        .fails(FUNCTION, json!({"displayName": "twin"}), Ambiguous)
        .await;
    bench
        .fails(FUNCTION, json!({"displayName": "WEB"}), NotFound)
        .await;
    for id in ["externalId", "biosId", "instanceId"] {
        bench.fails(FUNCTION, json!({id: "missing"}), NotFound).await;
    }
    // An id of one kind is not an id of another.
    bench.fails(FUNCTION, json!({"biosId": "inst-1"}), NotFound).await;
    bench.requests();
    bench.fails(FUNCTION, json!({}), InvalidInput).await;
    assert_eq!(bench.requests(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn virtual_machines_together_read_their_interfaces_once() {
    let bench = machines().start();
    let of = |name: &'static str| bench.answer("getPolicyVm", json!({"displayName": name}));
    let (web, second) = tokio::join!(of("web"), of("web-2"));
    assert_eq!(web["vifIds"], json!(["port-1a", "port-1b"]));
    assert_eq!(second["vifIds"], json!([]));
    let requests = bench.requests();
    let lists = requests.iter().filter(|request| request.contains("/vifs"));
    assert_eq!(lists.count(), 1, "{requests:?}");
}

#[tokio::test(start_paused = true)]
async fn a_project_has_its_own_virtual_machines() {
    let dev = json!({"projectId": "dev"});
    let bench = machines().start();
    let input = json!({"displayName": "tenant", "context": dev});
    assert_eq!(
        bench.answer("getPolicyVm", input).await["vifIds"],
        json!(["port-5"])
    );
    bench
        .fails(
            "getPolicyVm",
            json!({"displayName": "web", "context": dev}),
            NotFound,
        )
        .await;
    bench
        .fails(
            "getPolicyVm",
            json!({"externalId": "ext-1", "context": dev}),
            NotFound,
        )
        .await;
    let other = json!({"displayName": "tenant", "context": {"projectId": "dev2"}});
    bench.fails("getPolicyVm", other, NotFound).await;
    let output = bench.answer("getPolicyVms", json!({"context": dev})).await;
    assert_eq!(output["items"], json!({"tenant": "bios-5"}));
}

#[tokio::test(start_paused = true)]
async fn virtual_machines_are_listed_whatever_their_number() {
    const FUNCTION: &str = "getPolicyVms";
    let mut world = World::local().bare();
    // The list reports neither a cursor nor a number of rows.
    for number in 0..2000 {
        let name = format!("vm-{number:04}");
        world
            .inventory
            .add(MACHINES, machine(&name, &name, json!({})))
            .unwrap();
    }
    let output = world.start().answer(FUNCTION, json!({})).await;
    assert_eq!(output["objects"].as_array().unwrap().len(), 2000);
}

#[tokio::test(start_paused = true)]
async fn virtual_machines_are_listed_with_filters() {
    const FUNCTION: &str = "getPolicyVms";
    let bench = machines().start();
    let names = |output: &Value| -> Vec<String> {
        let objects = output["objects"].as_array().unwrap().iter();
        objects
            .map(|object| object["externalId"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = bench.answer(FUNCTION, json!({})).await;
    let requests = bench.requests();
    assert!(are_for_machines(&requests), "{requests:?}");
    fits_schema(FUNCTION, &all).unwrap();
    assert_eq!(names(&all), ["ext-1", "ext-2", "ext-3", "ext-4", "ext-5"]);
    assert_eq!(all["items"]["web"], "bios-1");
    assert_eq!(all["items"].as_object().unwrap().len(), 4);
    assert_eq!(bench.warnings().len(), 1, "two machines have one name");
    for (value_type, value) in [
        ("bios_id", "bios-2"),
        ("instance_id", "inst-2"),
        ("external_id", "ext-2"),
    ] {
        let output = bench
            .answer(FUNCTION, json!({"valueType": value_type, "displayName": "^web-"}))
            .await;
        assert_eq!(output["items"], json!({"web-2": value}));
    }
    for (filter, expected) in [
        (
            json!({"displayName": "^(web|tenant)"}),
            vec!["ext-1", "ext-2", "ext-5"],
        ),
        (json!({"displayName": "^web$"}), vec!["ext-1"]),
        (json!({"state": "running"}), vec!["ext-1", "ext-4", "ext-5"]),
        (json!({"state": "stopped"}), vec!["ext-2", "ext-3"]),
        (json!({"state": "suspended"}), vec![]),
        (json!({"guestOs": "ubuntu"}), vec!["ext-1", "ext-4", "ext-5"]),
        (json!({"guestOs": "windows"}), vec![]),
        (json!({"displayName": "missing"}), vec![]),
    ] {
        assert_eq!(
            names(&bench.answer(FUNCTION, filter.clone()).await),
            expected,
            "{filter}"
        );
    }
    bench.requests();
    for input in [
        json!({"state": "asleep"}),
        json!({"valueType": "name"}),
        json!({"displayName": "("}),
    ] {
        bench.fails(FUNCTION, input, InvalidInput).await;
    }
    assert_eq!(bench.requests(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn lists_of_virtual_machines_are_complete_if_pages_are_shorter_than_requested() {
    let mut world = World::local().bare();
    world.settings.max_page_size = 2;
    for end in ["1", "2", "3", "4", "5"] {
        world = world.with(MACHINES, machine(&format!("vm-{end}"), end, json!({})));
    }
    let output = world.start().answer("getPolicyVms", json!({})).await;
    assert_eq!(output["objects"].as_array().unwrap().len(), 5);
}

#[tokio::test(start_paused = true)]
async fn lists_of_virtual_machines_name_an_enforcement_point_other_than_the_default_one() {
    let linux = machine("web", "1", json!({}));
    let point = "enforcement_point_path=/infra/sites/default/enforcement-points/vmc-enforcementpoint";
    for (world, is_named) in [(World::cloud(), true), (World::local(), false)] {
        let bench = world.bare().with(MACHINES, linux.clone()).start();
        let output = bench.answer("getPolicyVms", json!({})).await;
        assert_eq!(output["items"], json!({"web": "bios-1"}));
        // The list confirms that there is no such name.
        bench
            .fails("getPolicyVm", json!({"displayName": "missing"}), NotFound)
            .await;
        let requests = bench.requests();
        let mut lists = requests
            .iter()
            .filter(|request| request.contains("/realized-state/virtual-machines"))
            .peekable();
        assert!(lists.peek().is_some(), "{requests:?}");
        for list in lists {
            assert_eq!(list.contains(point), is_named, "{list}");
            assert_eq!(list.contains("enforcement_point_path"), is_named, "{list}");
        }
    }
}

fn server(name: &str, end: &str, more: Value) -> Value {
    let mut body = json!({
        "external_id": format!("ext-{end}"), "display_name": name, "cpu_cores": 8, "source_id": "source-1",
        "os_info": {"os_name": "Ubuntu Linux", "os_version": "22.04"},
        "_last_sync_time": 7, "tags": [{"scope": "s", "tag": "t"}],
    });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    body
}

/// Servers and interfaces, and a group with one of each.
fn servers() -> World {
    let expression = |member_type: &str, id: &str| json!({"resource_type": "ExternalIDExpression", "member_type": member_type, "external_ids": [id]});
    let nic = |end: &str, name: &str, server: &str| {
        json!({
            "external_id": format!("nic-{end}"), "display_name": name, "bms_external_id": format!("ext-{server}"),
            "source_id": "source-1", "is_mgmt_interface": true, "ip_addresses": ["192.0.2.1"], "state": "UP",
            "_last_sync_time": 7, "tags": [{"scope": "s", "tag": end}],
        })
    };
    World::local()
        .bare()
        .with(SERVERS, server("db", "1", json!({})))
        .with(
            SERVERS,
            server("db-2", "2", json!({"source_id": "source-2", "tags": []})),
        )
        .with(
            SERVERS,
            server(
                "twin",
                "3",
                json!({"os_info": {"os_name": "Other", "os_version": "9"}}),
            ),
        )
        .with(
            SERVERS,
            server("twin", "4", json!({"tags": [{"scope": "s", "tag": "other"}]})),
        )
        .with(SERVER_INTERFACES, nic("1", "eth0", "1"))
        .with(SERVER_INTERFACES, nic("2", "eth0-data", "1"))
        .with(SERVER_INTERFACES, nic("3", "twin", "2"))
        .with(SERVER_INTERFACES, nic("4", "twin", "3"))
        .with(
            GROUPS,
            json!({"id": "g", "display_name": "group", "expression": [
                expression("BareMetalServer", "ext-1"), expression("BareMetalServerInterface", "nic-1"),
            ]}),
        )
        .with(GROUPS, json!({"id": "g2", "display_name": "other"}))
}

#[tokio::test(start_paused = true)]
async fn bare_metal_inventory_is_found_by_external_id_and_exact_name() {
    for (function, name, id, more) in [
        (
            "getPolicyBaremetalServer",
            "db",
            "ext-1",
            json!({"sourceId": "source-1", "cpuCores": 8, "osName": "Ubuntu Linux", "osVersion": "22.04",
                "resourceType": "BareMetalServer", "lastSyncTime": 7, "tags": [{"scope": "s", "tag": "t"}]}),
        ),
        (
            "getPolicyBaremetalServerInterface",
            "eth0",
            "nic-1",
            json!({"bmsExternalId": "ext-1", "sourceId": "source-1", "isMgmtInterface": true,
                "ipAddresses": ["192.0.2.1"], "state": "UP", "resourceType": "BareMetalServerInterface",
                "lastSyncTime": 7, "tags": [{"scope": "s", "tag": "1"}]}),
        ),
    ] {
        let bench = servers().start();
        for input in [json!({"externalId": id}), json!({"displayName": name})] {
            let output = bench.answer(function, input).await;
            assert_eq!(output["id"], id, "{function}");
            for (member, value) in more.as_object().unwrap() {
                assert_eq!(output[member], *value, "{function} {member}");
            }
        }
        let resource_type = format!("resource_type:{} ", more["resourceType"].as_str().unwrap());
        let requests = bench.requests();
        assert!(
            requests
                .iter()
                .all(|request| (request.clone() + " ").contains(&resource_type)
                    || request.ends_with("/node/version")),
            "{requests:?}"
        );
        for (input, kind) in [
            (json!({"displayName": "twin"}), Ambiguous),
            (json!({"displayName": &name[..1]}), NotFound),
            (json!({"externalId": "missing"}), NotFound),
            (json!({}), InvalidInput),
        ] {
            bench.fails(function, input, kind).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn bare_metal_inventory_is_listed_with_filters() {
    for (function, cases) in [
        (
            "getPolicyBaremetalServers",
            vec![
                (json!({}), vec!["ext-1", "ext-2", "ext-3", "ext-4"]),
                (json!({"displayName": "^db"}), vec!["ext-1", "ext-2"]),
                (json!({"displayName": "^db$"}), vec!["ext-1"]),
                (json!({"sourceId": "source-2"}), vec!["ext-2"]),
                (json!({"osName": "linux"}), vec!["ext-1", "ext-2", "ext-4"]),
                (json!({"osVersion": "22"}), vec!["ext-1", "ext-2", "ext-4"]),
                (json!({"tagScope": "s"}), vec!["ext-1", "ext-3", "ext-4"]),
                (json!({"tagScope": "s", "tag": "other"}), vec!["ext-4"]),
                (json!({"tag": "t"}), vec!["ext-1", "ext-3"]),
                (json!({"displayName": "none"}), vec![]),
            ],
        ),
        (
            "getPolicyBaremetalServerInterfaces",
            vec![
                (json!({}), vec!["nic-1", "nic-2", "nic-3", "nic-4"]),
                (json!({"displayName": "eth0$"}), vec!["nic-1"]),
                (json!({"bmsExternalId": "ext-1"}), vec!["nic-1", "nic-2"]),
                (json!({"sourceId": "source-2"}), vec![]),
                (json!({"tagScope": "s", "tag": "3"}), vec!["nic-3"]),
            ],
        ),
    ] {
        let bench = servers().start();
        for (input, expected) in cases {
            let output = bench.answer(function, input.clone()).await;
            let ids = |name: &str| -> Vec<Value> {
                let objects = output[name].as_array().unwrap().iter();
                objects.map(|object| object["externalId"].clone()).collect()
            };
            assert_eq!(ids("results"), expected, "{function} {input}");
            assert_eq!(ids("objects"), expected, "{function} {input}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn tags_of_bare_metal_inventory_are_read_by_external_id() {
    for (function, id, tag) in [
        ("getPolicyBaremetalServerTags", "ext-1", "t"),
        ("getPolicyBaremetalServerInterfaceTags", "nic-1", "1"),
    ] {
        let bench = servers().start();
        let output = bench.answer(function, json!({"externalId": id})).await;
        assert_eq!(output["id"], id);
        assert_eq!(output["tags"], json!([{"scope": "s", "tag": tag}]));
        bench
            .fails(function, json!({"externalId": "missing"}), NotFound)
            .await;
        bench.fails(function, json!({}), InvalidInput).await;
    }
}

#[tokio::test(start_paused = true)]
async fn members_and_groups_of_bare_metal_inventory_are_listed() {
    let point = "/infra/sites/default/enforcement-points/default";
    for (function, part, id) in [
        ("getPolicyGroupBaremetalServerMembers", "bms", "ext-1"),
        ("getPolicyGroupBaremetalServerInterfaceMembers", "bmsi", "nic-1"),
    ] {
        let bench = servers().start();
        for input in [
            json!({"groupId": "g"}),
            json!({"groupId": "g", "domain": "default"}),
            json!({"groupId": "g", "enforcementPointPath": point}),
        ] {
            let output = bench.answer(function, input).await;
            assert_eq!(output["items"].as_array().unwrap().len(), 1);
            assert_eq!(output["items"][0]["externalId"], id);
        }
        let url = format!("GET /policy/api/v1{GROUPS}/g/members/{part}");
        let requests = bench.requests();
        let others = requests
            .iter()
            .filter(|request| !request.ends_with("/node/version"));
        for request in others {
            assert!(request.starts_with(&url), "{request}");
        }
        assert!(
            requests
                .iter()
                .any(|request| request.contains(&format!("enforcement_point_path={point}")))
        );
        let empty = bench.answer(function, json!({"groupId": "g2"})).await;
        assert_eq!(empty["items"], json!([]));
        bench
            .fails(function, json!({"groupId": "missing"}), NotFound)
            .await;
    }
    for (function, part, id) in [
        ("getPolicyBaremetalServerGroupAssociations", "bms", "ext-1"),
        (
            "getPolicyBaremetalServerInterfaceGroupAssociations",
            "bmsi",
            "nic-1",
        ),
    ] {
        let bench = servers().start();
        let output = bench.answer(function, json!({"externalId": id})).await;
        let path = format!("{GROUPS}/g");
        let expected =
            json!([{"path": path, "displayName": "group", "targetType": "Group", "isValid": true}]);
        assert_eq!(output["groups"], expected);
        let input = json!({"externalId": id, "enforcementPointPath": point});
        assert_eq!(bench.answer(function, input).await["groups"], expected);
        let url = format!("GET /policy/api/v1/infra/{part}-group-associations");
        let requests = bench.requests();
        assert!(
            requests
                .iter()
                .all(|request| request.starts_with(&url) || request.ends_with("/node/version")),
            "{requests:?}"
        );
        let none = bench.answer(function, json!({"externalId": "ext-9"})).await;
        assert_eq!(none["groups"], json!([]));
    }
}
