//! `netmgr who`: objects, groups and rules, compared with an evaluation of every group for every machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::IpAddr;

use serde_json::{Map, Value, json};

use crate::support::{Manager, Run, netmgr};

const GROUPS: &str = "/infra/domains/default/groups";
const DEV: &str = "/orgs/default/projects/dev/infra";
const MACHINES: usize = 2000;
/// The first machine of the project `dev`. Its machines have the addresses of the first machines.
const FIRST_OF_DEV: usize = 1900;
const TIERS: [&str; 5] = ["web", "app", "db", "job", "log"];

fn name(number: usize) -> String {
    match number % 7 {
        // Names with blanks.
        3 => format!("{} {number} of rack", TIERS[number % 5]),
        _ => format!("{}-{number}", TIERS[number % 5]),
    }
}

fn is_prod(number: usize) -> bool {
    number.is_multiple_of(3)
}

fn address(number: usize) -> String {
    let number = if number >= FIRST_OF_DEV {
        number - FIRST_OF_DEV
    } else {
        number
    };
    match number % 11 {
        5 => format!("2001:db8::{number:x}"),
        _ => format!("10.20.{}.{}", number / 200, number % 200 + 1),
    }
}

fn segment(number: usize) -> String {
    let tree = if number >= FIRST_OF_DEV { DEV } else { "/infra" };
    format!("{tree}/segments/s{}", number % 10)
}

/// Members of a group, without those that follow from them.
#[derive(Default, Clone)]
struct Members {
    machines: BTreeSet<usize>,
    segments: BTreeSet<String>,
    addresses: BTreeSet<IpAddr>,
}

/// Groups of a tree: their expressions, and their members from the definition of the test.
#[derive(Default)]
struct Tree {
    groups: BTreeMap<String, (Value, Members)>,
    paths: String,
    machines: Vec<usize>,
}

impl Tree {
    fn add(&mut self, id: &str, expression: Value, members: Members) {
        self.groups.insert(id.to_owned(), (expression, members));
    }

    fn by_machine(&mut self, id: &str, expression: Value, is_member: impl Fn(usize) -> bool) {
        let machines = self
            .machines
            .iter()
            .copied()
            .filter(|number| is_member(*number))
            .collect();
        self.add(
            id,
            expression,
            Members {
                machines,
                ..Members::default()
            },
        );
    }

    fn by_address(&mut self, id: &str, texts: &[&str], is_member: impl Fn(IpAddr) -> bool) {
        let expression = json!([{"resource_type": "IPAddressExpression", "ip_addresses": texts}]);
        let all = (0..MACHINES).map(|number| address(number).parse().unwrap());
        let addresses = all.filter(|address| is_member(*address)).collect();
        self.add(
            id,
            expression,
            Members {
                addresses,
                ..Members::default()
            },
        );
    }

    fn nested(&mut self, id: &str, inner: &[&str]) {
        let mut members = Members::default();
        for id in inner {
            let (_, of) = self.groups[*id].clone();
            members.machines.extend(of.machines);
            members.segments.extend(of.segments);
            members.addresses.extend(of.addresses);
        }
        let paths: Vec<String> = inner.iter().map(|id| format!("{}/{id}", self.paths)).collect();
        self.add(
            id,
            json!([{"resource_type": "PathExpression", "paths": paths}]),
            members,
        );
    }

    /// The paths of the groups with this machine, or with this address alone.
    fn groups_of(&self, machine: Option<usize>, own: &str) -> Vec<String> {
        let own: IpAddr = own.parse().unwrap();
        let has = |(_, members): &(Value, Members)| {
            let is_connected = |number: usize| {
                members.machines.contains(&number) || members.segments.contains(&segment(number))
            };
            machine.is_some_and(is_connected)
                || members.addresses.contains(&own)
                || self
                    .machines
                    .iter()
                    .any(|other| address(*other).parse::<IpAddr>().unwrap() == own && is_connected(*other))
        };
        let groups = self.groups.iter().filter(|(_, group)| has(group));
        groups.map(|(id, _)| format!("{}/{id}", self.paths)).collect()
    }

    fn document(&self) -> Value {
        let groups = self.groups.iter();
        groups.map(|(id, (expression, _))| json!({"id": id, "display_name": format!("name of {id}"), "expression": expression})).collect()
    }
}

fn condition(key: &str, operator: &str, value: &str) -> Value {
    json!({"resource_type": "Condition", "member_type": "VirtualMachine", "key": key, "operator": operator, "value": value})
}

fn v4(text: &str) -> u32 {
    text.parse::<std::net::Ipv4Addr>().unwrap().into()
}

fn is_between(address: IpAddr, first: &str, last: &str) -> bool {
    matches!(address, IpAddr::V4(address) if (v4(first)..=v4(last)).contains(&address.into()))
}

fn trees() -> (Tree, Tree) {
    let mut here = Tree {
        paths: GROUPS.to_owned(),
        machines: (0..MACHINES).collect(),
        ..Tree::default()
    };
    for (at, tier) in TIERS.iter().enumerate() {
        let tag = condition("Tag", "EQUALS", &format!("tier|{tier}"));
        here.by_machine(&format!("tag-{tier}"), json!([tag]), |number| number % 5 == at);
        let start = condition("Name", "STARTSWITH", &format!("{tier}-"));
        here.by_machine(&format!("name-{tier}"), json!([start]), |number| {
            name(number).starts_with(&format!("{tier}-"))
        });
    }
    let and = json!({"resource_type": "ConjunctionOperator", "conjunction_operator": "AND"});
    let prod = condition("Tag", "EQUALS", "env|prod");
    let both = json!([{"resource_type": "NestedExpression", "expressions": [condition("Tag", "EQUALS", "tier|db"), and, prod]}]);
    here.by_machine("prod-db", both, |number| number % 5 == 2 && is_prod(number));
    here.by_machine(
        "rack",
        json!([condition("Name", "ENDSWITH", " of rack")]),
        |number| number % 7 == 3,
    );
    let ids = json!([{"resource_type": "ExternalIDExpression", "member_type": "VirtualMachine", "external_ids": ["vm-7", "vm-1907"]}]);
    here.by_machine("by-id", ids, |number| number == 7 || number == 1907);
    here.by_address("10.20.0.1", &["10.20.0.2"], |address| {
        is_between(address, "10.20.0.2", "10.20.0.2")
    });
    here.by_address("subnet", &["10.20.3.0/25", "2001:db8::/121"], |address| {
        is_between(address, "10.20.3.0", "10.20.3.127")
            || matches!(address, IpAddr::V6(address) if u128::from(address) & 0xffff_ff80 == 0)
    });
    here.by_address("range", &["10.20.4.100-10.20.5.20"], |address| {
        is_between(address, "10.20.4.100", "10.20.5.20")
    });
    let on = Members {
        segments: BTreeSet::from(["/infra/segments/s4".to_owned()]),
        ..Members::default()
    };
    here.add(
        "on-segment",
        json!([{"resource_type": "PathExpression", "paths": ["/infra/segments/s4"]}]),
        on,
    );
    here.nested("nested", &["tag-web", "range"]);
    here.nested("nested-twice", &["nested", "on-segment"]);
    here.add("empty", json!([]), Members::default());
    let mut dev = Tree {
        paths: format!("{DEV}/domains/default/groups"),
        machines: (FIRST_OF_DEV..MACHINES).collect(),
        ..Tree::default()
    };
    dev.by_machine(
        "tag-web",
        json!([condition("Tag", "EQUALS", "tier|web")]),
        |number| number % 5 == 0,
    );
    dev.by_address("range", &["10.20.0.1-10.20.0.50"], |address| {
        is_between(address, "10.20.0.1", "10.20.0.50")
    });
    (here, dev)
}

fn inventory(here: &Tree, dev: &Tree) -> Value {
    let mut collections: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for number in 0..MACHINES {
        collections
            .entry("/api/v1/fabric/virtual-machines".to_owned())
            .or_default()
            .push(json!({
            "external_id": format!("vm-{number}"), "display_name": name(number), "tags": [
                {"scope": "tier", "tag": TIERS[number % 5]},
                {"scope": "env", "tag": if is_prod(number) { "prod" } else { "test" }},
            ]}));
        collections
            .entry("/api/v1/fabric/vifs".to_owned())
            .or_default()
            .push(json!({
            "external_id": format!("nic-{number}"), "owner_vm_id": format!("vm-{number}"),
            "lport_attachment_id": format!("attachment-{number}"),
            "ip_address_info": [{"source": "VM_TOOLS", "ip_addresses": [address(number)]}]}));
        collections
            .entry(format!("{}/ports", segment(number)))
            .or_default()
            .push(json!({
            "id": format!("p{number}"), "attachment": {"id": format!("attachment-{number}")}}));
    }
    for number in 0..10 {
        let segment = json!({"id": format!("s{number}"), "display_name": format!("segment {number}")});
        collections
            .entry("/infra/segments".to_owned())
            .or_default()
            .push(segment.clone());
        collections
            .entry(format!("{DEV}/segments"))
            .or_default()
            .push(segment);
    }
    let mut document: Map<String, Value> = collections
        .into_iter()
        .map(|(path, objects)| (path, objects.into()))
        .collect();
    document.insert(
        "/orgs/default/projects".to_owned(),
        json!([{"id": "dev"}, {"id": "dev2"}]),
    );
    document.insert(here.paths.clone(), here.document());
    document.insert(dev.paths.clone(), dev.document());
    let everything = json!([{"id": "all", "expression": [
        {"resource_type": "IPAddressExpression", "ip_addresses": ["0.0.0.0/0", "::/0"]}]}]);
    document.insert(
        "/orgs/default/projects/dev2/infra/domains/default/groups".to_owned(),
        everything,
    );
    document.insert(
        "/infra/domains/default/security-policies".to_owned(),
        json!([{"id": "p"}]),
    );
    document.insert("/infra/domains/default/security-policies/p/rules".to_owned(), json!([
        {"id": "r", "action": "DROP", "source_groups": [format!("{GROUPS}/nested")], "destination_groups": ["ANY"]}]));
    document.into()
}

fn paths_of(answer: &Value) -> Vec<String> {
    let groups = answer["groups"].as_array().unwrap().iter();
    groups
        .map(|group| group["path"].as_str().unwrap().to_owned())
        .collect()
}

fn requests(run: &Run) -> usize {
    let rest = run
        .stderr
        .split("requests ")
        .nth(1)
        .and_then(|rest| rest.split(',').next());
    rest.unwrap().parse().unwrap()
}

#[test]
fn a_thousand_names_have_the_groups_of_an_evaluation_of_all_groups_in_few_requests() {
    let (here, dev) = trees();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(file("inventory.json"), inventory(&here, &dev).to_string()).unwrap();
    let names: Vec<String> = (0..500).map(|number| name(number * 4)).collect();
    let addresses: Vec<String> = (0..500).map(|number| address(number * 3)).collect();
    fs::write(file("names.txt"), [&names[..], &addresses].concat().join("\n")).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", &file("inventory.json")]);
    let run = Run::of(&mut manager.program(&["who", "--file", &file("names.txt"), "-o", "json", "--stats"]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(requests(&run) <= 150, "{}", run.stderr);
    let answers: Vec<Value> = serde_json::from_str(&run.stdout).unwrap();
    let expected = |number: usize| {
        let mut groups = here.groups_of(Some(number), &address(number));
        if number >= FIRST_OF_DEV {
            groups.extend(dev.groups_of(Some(number), &address(number)));
        }
        groups
    };
    let mut seen = BTreeSet::new();
    for answer in &answers {
        let number: usize = answer["id"]
            .as_str()
            .unwrap()
            .strip_prefix("vm-")
            .unwrap()
            .parse()
            .unwrap();
        let asked = answer["name"].as_str().unwrap();
        assert!(
            [name(number), address(number)].contains(&asked.to_owned()),
            "{answer}"
        );
        assert_eq!(paths_of(answer), expected(number), "{answer}");
        seen.insert((asked.to_owned(), number));
    }
    // Addresses of the project are those of other machines too.
    let owners = |asked: &str| {
        (0..MACHINES)
            .filter(|number| address(*number) == asked)
            .map(|number| (asked.to_owned(), number))
            .collect::<Vec<_>>()
    };
    let wanted = (0..500).map(|number| (name(number * 4), number * 4));
    let wanted: BTreeSet<_> = wanted
        .chain(addresses.iter().flat_map(|asked| owners(asked)))
        .collect();
    assert_eq!(seen, wanted);
    // A single name is looked up with other requests, and has the same answer.
    for asked in [
        name(4),
        address(15),
        address(5),
        "vm-1907".to_owned(),
        "nic-44".to_owned(),
    ] {
        let run = Run::of(&mut manager.program(&["who", &asked, "-o", "json"]));
        let alone: Vec<Value> = serde_json::from_str(&run.stdout).unwrap();
        for answer in &alone {
            let number: usize = match answer["id"].as_str().unwrap().rsplit_once('-').unwrap().1.parse() {
                Ok(number) => number,
                Err(error) => panic!("{answer}: {error}"),
            };
            assert_eq!(paths_of(answer), expected(number), "{answer}");
            let together = answers
                .iter()
                .find(|other| other["name"] == asked && other["id"] == answer["id"]);
            assert!(together.is_none_or(|together| together == answer), "{answer}");
        }
        assert!(!alone.is_empty(), "{asked}");
    }
    // In a project, only its own groups and objects count.
    let run = Run::of(&mut manager.program(&[
        "who",
        &address(0),
        &name(1901),
        &name(4),
        "--project",
        "dev",
        "-o",
        "json",
    ]));
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains(&format!("{:?}", name(4))), "{}", run.stderr);
    let answers: Vec<Value> = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answers.len(), 2, "{}", run.stdout);
    assert_eq!(paths_of(&answers[0]), dev.groups_of(Some(1900), &address(0)));
    assert_eq!(paths_of(&answers[1]), dev.groups_of(Some(1901), &address(1901)));
}

#[test]
fn names_without_an_object_fail_after_the_answers_for_others() {
    let who = |arguments: &[&str]| {
        netmgr(
            &[
                &[
                    "who",
                    "--simulate",
                    "-o",
                    "csv",
                    "--fields",
                    "name,displayName,groupPath",
                ],
                arguments,
            ]
            .concat(),
        )
    };
    let run = who(&[
        "10.10.0.11",
        "nothing",
        "10.10.1.255",
        "build",
        "/infra/nothing/x",
        "/infra/segments/web-tier",
    ]);
    assert_eq!(run.code, 3);
    let missing = "error: no object is called \"nothing\"\nerror: there is no object at \"/infra/nothing/x\"\n  hint: names";
    assert!(run.stderr.contains(missing), "{run:?}");
    assert_eq!(
        run.stdout,
        "name,displayName,groupPath\n\
         10.10.0.11,web-01,/infra/domains/default/groups/web-network\n\
         10.10.0.11,web-01,/infra/domains/default/groups/web-servers\n\
         10.10.1.255,10.10.1.255,\n\
         build,build,\nbuild,build,\n\
         /infra/segments/web-tier,web-tier,/infra/domains/default/groups/web-network\n"
    );
    // A table without rows has no header.
    netmgr(&["who", "nothing", "--simulate"]).failure(3);
    let run = who(&["10.10.0.11", "--project", "nothing"]);
    assert!(
        run.failure(3).contains("project nothing does not exist"),
        "{run:?}"
    );
    assert_eq!(
        who(&["10.0.0.1", "--global-manager"]).stdout,
        "name,displayName,groupPath\n10.0.0.1,10.0.0.1,\n"
    );
    assert!(who(&[]).failure(2).contains("required"));
    for (name, code, expected) in [
        ("10.10.0.0/24", 3, "hint: pass single addresses"),
        ("/infra/segments/none", 3, "hint: check the paths"),
        (
            "/infra/../segments/web-tier",
            2,
            "is not a policy path: it has a segment",
        ),
        ("/web-01", 2, "is not a policy path: it is not below"),
    ] {
        let run = who(&[name]);
        assert!(run.code == code && run.stderr.contains(expected), "{run:?}");
    }
}

#[test]
fn a_recording_answers_as_its_manager() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("demo.json");
    let file = file.to_str().unwrap();
    let recorded = netmgr(&["export", "--simulate", "-o", file]);
    assert_eq!(recorded.code, 0, "{recorded:?}");
    let who = |from: &[&str]| {
        let names = [
            "who",
            "10.10.0.11",
            "build",
            "/infra/segments/web-tier",
            "-o",
            "json",
        ];
        netmgr(&[&names, from].concat())
    };
    let run = who(&["--recording", file]);
    assert_eq!((run.code, run.stdout), (0, who(&["--simulate"]).stdout));
}

/// Ids of objects, each with the paths of its groups.
type Objects<'a> = Vec<(&'a str, Vec<String>)>;

/// A manager with one machine in the default space and one in a VPC of `dev`, both with the address 10.30.0.5.
fn vpc_manager(folder: &tempfile::TempDir) -> Manager {
    let vpc = "/orgs/default/projects/dev/vpcs/shop";
    let machine = |number: usize| json!({"external_id": format!("vm-{number}"), "display_name": format!("caf\u{e9} {number}")});
    let interface = |number: usize, address: &str| {
        json!({
        "external_id": format!("nic-{number}"), "owner_vm_id": format!("vm-{number}"),
        "lport_attachment_id": format!("a-{number}"), "mac_address": format!("00:50:56:0a:00:0{number}"),
        "ip_address_info": [{"source": "VM_TOOLS", "ip_addresses": [address]}]})
    };
    let path_group = |id: &str, path: &str| json!({"id": id, "expression": [{"resource_type": "PathExpression", "paths": [path]}]});
    let range = |start: &str, end: &str| json!([{"start": start, "end": end}]);
    let inventory = json!({
        "/api/v1/fabric/virtual-machines": [machine(1), machine(2)],
        "/api/v1/fabric/vifs": [interface(1, "10.30.0.5"), interface(2, "10.30.0.5")],
        "/infra/segments": [{"id": "s", "subnets": [{"network": "10.30.0.0/24", "gateway_address": "10.30.0.1/24"}]}],
        "/infra/segments/s/ports": [
            {"id": "p1", "attachment": {"id": "a-1"}},
            {"id": "bound", "address_bindings": [{"ip_address": "10.30.0.9", "mac_address": "00:50:56:0b:00:09"}]}],
        "/infra/ip-pools": [{"id": "pool"}],
        "/infra/ip-pools/pool/ip-subnets": [
            {"id": "low", "cidr": "10.40.0.0/24", "allocation_ranges": range("10.40.0.10", "10.40.0.20")},
            {"id": "high", "cidr": "2001:db8:40::/64", "allocation_ranges": range("2001:db8:40::10", "2001:db8:40::ff")}],
        "/infra/ip-pools/pool/ip-allocations": [{"id": "lease", "allocation_ip": "10.40.0.11"}],
        "/orgs/default/projects": [{"id": "dev"}, {"id": "dev2"}],
        "/orgs/default/projects/dev/ip-address-allocations": [{"id": "nat", "allocation_ips": "10.50.0.0/28"}],
        "/orgs/default/projects/dev/vpcs": [{"id": "shop"}],
        format!("{vpc}/ip-address-allocations"): [{"id": "out", "allocation_ips": "10.50.1.7"}],
        format!("{vpc}/subnets"): [{"id": "n", "ip_addresses": ["10.30.0.0/26"]}],
        format!("{vpc}/subnets/n/ports"): [{"id": "p2", "attachment": {"id": "a-2"},
            "address_bindings": [{"ip_address": "10.30.0.6"}]}],
        format!("{vpc}/groups"): [path_group("on-subnet", &format!("{vpc}/subnets/n")), {"id": "empty", "expression": []}],
        format!("{DEV}/domains/default/groups"): [
            {"id": "named", "expression": [condition("Name", "ENDSWITH", "2")]}],
        "/orgs/default/projects/dev2/infra/domains/default/groups": [
            {"id": "all", "expression": [{"resource_type": "IPAddressExpression", "ip_addresses": ["0.0.0.0/0", "::/0"]}]}],
        GROUPS: [path_group("on-segment", "/infra/segments/s"),
            {"id": "leases", "expression": [{"resource_type": "IPAddressExpression", "ip_addresses": ["10.40.0.11"]}]}],
    });
    let file = folder.path().join("inventory.json");
    fs::write(&file, inventory.to_string()).unwrap();
    Manager::with(&["--no-demo", "--inventory", file.to_str().unwrap()])
}

#[test]
fn vpcs_pools_and_allocations_are_found_one_by_one_and_together() {
    let folder = tempfile::tempdir().unwrap();
    let manager = vpc_manager(&folder);
    let vpc = "/orgs/default/projects/dev/vpcs/shop";
    let (on_segment, on_subnet) = (format!("{GROUPS}/on-segment"), format!("{vpc}/groups/on-subnet"));
    let named = format!("{DEV}/domains/default/groups/named");
    let in_vpc = vec![named.clone(), on_subnet.clone()];
    // Names, each with its objects and their groups.
    let expected: Vec<(&str, Objects<'_>)> = vec![
        (
            "10.30.0.5",
            vec![
                ("vm-1", vec![on_segment.clone()]),
                ("vm-2", [vec![on_segment.clone()], in_vpc.clone()].concat()),
            ],
        ),
        ("10.30.0.6", vec![("vm-2", in_vpc.clone())]),
        (
            "10.30.0.9",
            vec![
                ("bound", vec![on_segment.clone()]),
                ("10.30.0.9", vec![on_segment.clone()]),
            ],
        ),
        ("10.30.0.200", vec![("10.30.0.200", Vec::new())]),
        (
            "10.40.0.11",
            vec![("10.40.0.11", vec![format!("{GROUPS}/leases")])],
        ),
        ("2001:db8:40::42", vec![("2001:db8:40::42", Vec::new())]),
        ("10.50.0.9", vec![("10.50.0.9", Vec::new())]),
        ("10.50.1.7", vec![("10.50.1.7", Vec::new())]),
        ("lease", vec![("lease", vec![format!("{GROUPS}/leases")])]),
        ("cafe\u{301} 1", vec![("vm-1", vec![on_segment.clone()])]),
        (
            "00:50:56:0A:00:02",
            vec![("nic-2", [vec![on_segment.clone()], in_vpc.clone()].concat())],
        ),
        ("00-50-56-0B-00-09", vec![("bound", vec![on_segment.clone()])]),
        (
            "/orgs/default/projects/dev/vpcs/shop/subnets/n/ports/p2",
            vec![("p2", [vec![on_segment], in_vpc].concat())],
        ),
        (
            "/orgs/default/projects/dev/vpcs/shop/subnets/n",
            vec![("n", vec![on_subnet])],
        ),
    ];
    let found = |answers: &[Value], name: &str| -> Vec<(String, Vec<String>)> {
        let of_name = answers.iter().filter(|answer| answer["name"] == name);
        of_name
            .map(|answer| (answer["id"].as_str().unwrap().to_owned(), paths_of(answer)))
            .collect()
    };
    let who = |names: &[&str]| -> Vec<Value> {
        let run = Run::of(&mut manager.program(&[&["who", "-o", "json"], names].concat()));
        assert_eq!(run.code, 0, "{run:?}");
        serde_json::from_str(&run.stdout).unwrap()
    };
    let mut all: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
    all.extend(["a-name", "b-name", "c-name"]);
    let together = Run::of(&mut manager.program(&[&["who", "-o", "json"], &all[..]].concat()));
    assert_eq!(together.code, 3, "{together:?}");
    let together: Vec<Value> = serde_json::from_str(&together.stdout).unwrap();
    for (name, objects) in &expected {
        let objects: Vec<(String, Vec<String>)> = objects
            .iter()
            .map(|(id, groups)| ((*id).to_owned(), groups.clone()))
            .collect();
        let alone = who(&[name]);
        for group in alone
            .iter()
            .flat_map(|answer| answer["groups"].as_array().unwrap())
        {
            let path = group["path"].as_str().unwrap();
            assert!(
                path.ends_with(&format!("/{}", group["displayName"].as_str().unwrap())),
                "{group}"
            );
            assert_ne!(group["displayName"], "", "{path}");
        }
        assert_eq!(found(&alone, name), objects, "{name}");
        assert_eq!(found(&together, name), objects, "{name}");
    }
    // What contains an address.
    let objects = |name: &str| -> Vec<String> {
        let answers = who(&[name]);
        let objects = answers
            .iter()
            .flat_map(|answer| answer["objects"].as_array().unwrap());
        objects
            .map(|object| object["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(objects("10.40.0.11"), ["lease", "low"]);
    assert_eq!(objects("2001:db8:40:0::42"), ["high"]);
    assert_eq!(objects("10.50.0.9"), ["nat"]);
    assert_eq!(objects("10.30.0.200"), ["s"]);
}

#[test]
fn names_are_exact_and_can_be_those_of_several_objects() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("inventory.json");
    let document = json!({
        "/infra/segments": [
            { "id": "a", "display_name": "rack 7 " },
            { "id": "b", "display_name": "twin" },
            { "id": "c", "display_name": "twin" },
        ],
        "/api/v1/fabric/virtual-machines": [{ "external_id": "machine", "display_name": "twin" }],
    });
    fs::write(&inventory, document.to_string()).unwrap();
    let manager = Manager::serve(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let found = Run::of(&mut manager.program(&["who", "rack 7 ", "-o", "json"]));
    assert_eq!(found.json()[0]["path"], "/infra/segments/a", "{found:?}");
    assert_eq!(Run::of(&mut manager.program(&["who", "rack 7"])).code, 3);
    // The inventory has no paths.
    let twins = Run::of(&mut manager.program(&["who", "twin"])).stdout;
    for name in ["/infra/segments/b", "/infra/segments/c", "machine"] {
        assert!(twins.contains(&format!(" {name} ")), "{twins}");
    }
}

#[test]
fn names_together_have_each_member_of_a_rule_once() {
    let query = "[.[].groups[].rules[].members | length == (unique | length)] | unique";
    let run = netmgr(&[
        "--simulate",
        "who",
        "db-01-port",
        "app-03",
        "web-01",
        "-o",
        "json",
        "--query",
        query,
    ]);
    assert_eq!(run.answer(), json!([true]));
}
