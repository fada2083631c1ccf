//! Commands of the host from the first to the last, and the processes that they start.

use super::support::{Module, POOL, POOL_ID, host, manager};
use crate::programs::program;

#[tokio::test(flavor = "multi_thread")]
async fn every_command_succeeds_and_every_process_ends_by_itself() {
    let host = host!("every_command_succeeds_and_every_process_ends_by_itself");
    let manager = manager().await;
    let module = Module::new(host, POOL).with(&manager);
    // A process that the host kills because it does not end in time writes no line.
    let program = program("terraform-provider-netmgr");
    let journal = module.path("journal");
    module.wrap(
        "netmgr",
        &format!("{} \"$@\"\necho $? >> {}\n", program.display(), journal.display()),
    );
    let mut seen = 0;
    for (command, processes) in [
        ("validate", 2),
        ("plan", 3),
        ("plan -out=saved", 3),
        ("apply saved", 2),
        ("apply -auto-approve", 4),
        ("plan -refresh-only", 3),
        ("destroy -auto-approve", 4),
    ] {
        module.run(command).await.succeeded();
        let codes = module.started();
        assert!(codes.iter().all(|code| code == "0"), "{command}: {codes:?}");
        if !host.is_opentofu {
            assert_eq!(codes.len() - seen, processes, "{command}");
        }
        seen = codes.len();
        assert_eq!(
            module.sockets(),
            [""; 0].map(std::path::PathBuf::from),
            "{command}"
        );
    }
    // Each process that reads has a session, which it ends.
    let counters = manager.counters();
    assert_eq!(counters.logins, counters.sessions_destroyed);
    assert_eq!(counters.writes, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_plan_is_empty() {
    let host = host!("the_second_plan_is_empty");
    let manager = manager().await;
    // Ids of maps and of facts would change outputs if they were random.
    let text = format!(
        "{POOL}\n data \"netmgr_ns_groups\" \"all\" {{}}\n data \"netmgr_manager_info\" \"info\" {{}}\n\
         output \"ids\" {{ value = [data.netmgr_ns_groups.all.id, data.netmgr_manager_info.info.id] }}\n"
    );
    let module = Module::new(host, &text).with(&manager);
    module.run("apply -auto-approve").await.succeeded();
    assert_eq!(module.outputs().await["id"], POOL_ID);
    let plan = module.run("plan -detailed-exitcode").await;
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_before_the_first_read() {
    let host = host!("nothing_is_sent_before_the_first_read");
    let manager = manager().await;
    let module = Module::new(host, POOL).with(&manager);
    module.run("validate").await.succeeded();
    module.run("providers schema -json").await.succeeded();
    // The process of the second walk is configured and has nothing to read.
    module.write("main.tf", "provider \"netmgr\" {}\n");
    module.run("plan").await.succeeded();
    assert_eq!(manager.counters().connections, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_is_valid_without_any_setting() {
    let host = host!("a_module_is_valid_without_any_setting");
    let module = Module::new(host, POOL);
    module.run("validate").await.succeeded();
    let errors = module.run("plan").await.failed();
    for setting in [
        "`host` is required",
        "`username` is required",
        "`password` is required",
    ] {
        assert!(errors.to_lowercase().contains(setting), "{errors}");
    }
    assert!(errors.contains("NETMGR_HOST"), "{errors}");
}
