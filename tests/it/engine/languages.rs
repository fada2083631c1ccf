//! A lookup and a component in languages whose programs are slow to compile. `cargo xtask samples` prepares them;
//! without it they are skipped by name.

use std::io::Write as _;
use std::path::PathBuf;

use super::support::{Cloud, Stack, Tools, manager, tools};

const LANGUAGES: [&str; 2] = ["go", "java"];

/// The folder of a program, or `None` after saying so.
fn prepared(tools: &Tools, test: &str, program: &str) -> Option<PathBuf> {
    let folder = tools.engine.join("programs").join(program);
    let is_there = folder.join("Pulumi.yaml").exists();
    if !is_there {
        let _ = writeln!(
            std::io::stderr(),
            "skipped {test}: {program} is not prepared; run `cargo xtask samples`"
        );
    }
    is_there.then_some(folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lookup_runs_in_go_and_in_java() {
    let name = "a_lookup_runs_in_go_and_in_java";
    let tools = tools!("a_lookup_runs_in_go_and_in_java");
    for language in LANGUAGES {
        let Some(program) = prepared(tools, name, &format!("lookup-{language}")) else {
            continue;
        };
        let manager = manager().await;
        let mut stack = Stack::of(tools, program.to_str().unwrap()).await;
        stack.point_at(&manager);
        stack.up().await.succeeded();
        assert_eq!(
            stack.outputs().await["path"],
            "/infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
            "{language}"
        );
        assert_eq!(manager.counters().logins, 1, "{language}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_runs_in_go_and_in_java() {
    let name = "a_component_runs_in_go_and_in_java";
    let tools = tools!("a_component_runs_in_go_and_in_java");
    for language in LANGUAGES {
        let Some(program) = prepared(tools, name, &format!("component-{language}")) else {
            continue;
        };
        let mut cloud = Cloud::of(tools, program.to_str().unwrap()).await;
        cloud.stack.up().await.succeeded();
        let journal = cloud.journal();
        assert!(journal.names("create").contains("Role main"), "{language}");
        cloud.stack.is_settled().await;
        cloud.stack.destroy().await.succeeded();
    }
}
