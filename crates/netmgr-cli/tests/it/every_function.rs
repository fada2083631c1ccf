//! Every function of the list, with the flags of its documented example, on a manager in another process. The tables of
//! the workspace's suite have the other inputs.

use crate::support::{Manager, flags, netmgr};

#[test]
fn every_listed_function_prints_what_it_finds() {
    let (local, global) = (Manager::start(), Manager::with(&["--kind", "global"]));
    let listed = netmgr(&["types", "-o", "json"]).answer();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), netmgr_lookups::ALL.len());
    for function in listed {
        let name = function["name"].as_str().unwrap();
        let flags = flags(&function["example"]);
        let mut arguments: Vec<&str> = vec![name];
        arguments.extend(flags.iter().map(String::as_str));
        let is_here = function["availableOn"]
            .as_array()
            .is_none_or(|kinds| kinds.contains(&"policy manager".into()));
        let manager = if is_here { &local } else { &global };
        let run = manager.get(&arguments);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let found = run.json();
        for output in function["outputs"].as_array().unwrap() {
            let property = output["name"].as_str().unwrap();
            let missing = output["required"] == true && found.get(property).is_none();
            assert!(!missing, "{name}: {property} is missing in {found}");
        }
    }
}

#[test]
fn the_management_cluster_has_the_thumbprint_of_the_node_that_answers() {
    let manager = Manager::start();
    let answer = manager.get(&["management-cluster"]).answer();
    let thumbprint = answer["nodeSha256Thumbprint"].as_str().unwrap();
    assert_eq!(thumbprint.len(), 64, "{thumbprint}");
    assert!(!answer["id"].as_str().unwrap().is_empty());
}
