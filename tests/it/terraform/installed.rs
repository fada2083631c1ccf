//! Installation without a registry: mirrors in both layouts, the folder of a module, and development overrides.

use super::support::{Host, Module, POOL, POOL_ID, host, install, manager};
use crate::programs::program;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The platform as hosts name it.
fn platform() -> String {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}_{architecture}")
}

/// The folder of the provider in a mirror.
fn address(host: &Host) -> String {
    format!("{}/netmgr/netmgr", host.registry())
}

fn file_name() -> String {
    format!("terraform-provider-netmgr_v{VERSION}")
}

fn mirror(folder: &std::path::Path) -> String {
    let path = folder.display();
    format!("provider_installation {{\n  filesystem_mirror {{ path = \"{path}\" }}\n}}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_of_folders_is_enough_and_its_hash_is_stable() {
    let host = host!("a_mirror_of_folders_is_enough_and_its_hash_is_stable");
    let manager = manager().await;
    let module = Module::new(host, POOL).with(&manager);
    let folder = module.path("mirror");
    let place = folder.join(address(host)).join(VERSION).join(platform());
    install(&program("terraform-provider-netmgr"), &place.join(file_name()));
    module.configure_host(&mirror(&folder));
    module.run("init").await.succeeded();
    for command in ["validate", "plan", "apply -auto-approve", "destroy -auto-approve"] {
        module.run(command).await.succeeded();
    }
    let lock = module.read(".terraform.lock.hcl");
    assert!(lock.contains(&format!("version = \"{VERSION}\"")), "{lock}");
    // The hash is that of the contents: the same binary elsewhere has the same one.
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::remove_dir_all(module.path("module").join(".terraform")).unwrap();
    install(&program("terraform-provider-netmgr"), &place.join(file_name()));
    module.run("init -lockfile=readonly").await.succeeded();
    assert_eq!(module.read(".terraform.lock.hcl"), lock);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_of_archives_is_enough() {
    let host = host!("a_mirror_of_archives_is_enough");
    let manager = manager().await;
    let module = Module::new(host, POOL).with(&manager);
    let folder = module.path("mirror");
    let place = folder.join(address(host));
    std::fs::create_dir_all(&place).unwrap();
    let name = format!("terraform-provider-netmgr_{VERSION}_{}.zip", platform());
    let mut zip = zip::ZipWriter::new(std::fs::File::create(place.join(name)).unwrap());
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .unix_permissions(0o755);
    zip.start_file(file_name(), options).unwrap();
    let contents = std::fs::read(program("terraform-provider-netmgr")).unwrap();
    std::io::Write::write_all(&mut zip, &contents).unwrap();
    zip.finish().unwrap();
    module.configure_host(&mirror(&folder));
    module.run("init").await.succeeded();
    module.run("apply -auto-approve").await.succeeded();
    assert_eq!(module.outputs().await["id"], POOL_ID);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_folder_of_a_module_is_a_mirror() {
    let host = host!("the_folder_of_a_module_is_a_mirror");
    let manager = manager().await;
    let module = Module::new(host, POOL).with(&manager);
    let place = format!("terraform.d/plugins/{}/{VERSION}/{}", address(host), platform());
    let place = module.path("module").join(place);
    install(&program("terraform-provider-netmgr"), &place.join(file_name()));
    module.configure_host("");
    module.run("init").await.succeeded();
    module.run("apply -auto-approve").await.succeeded();
    assert_eq!(module.outputs().await["id"], POOL_ID);
}
