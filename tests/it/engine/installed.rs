//! The examples, run as README shows them: with the plugin installed from its archive.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::support::{PLAYED, Stack, Tools, manager, stand_ins, tools};
use crate::programs::{programs, root, xtask};

/// Creates the archive and the SDK packages that users install, except for languages without an example here.
fn distribution() -> TempDir {
    let folder = TempDir::new().unwrap();
    let made = xtask()
        .args([
            "dist",
            "--part",
            "plugins",
            "--part",
            "sdks",
            "--without-licences",
            "--programs",
        ])
        .arg(programs())
        .arg("--out")
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_run_with_the_plugin_installed_from_its_archive() {
    let tools = tools!("the_examples_run_with_the_plugin_installed_from_its_archive");
    let distribution = distribution();
    let files: Vec<String> = std::fs::read_dir(distribution.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let platform = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "amd64"
    };
    let archive = format!(
        "pulumi-resource-netmgr-v0.1.0-{}-{platform}.tar.gz",
        std::env::consts::OS
    );
    let components = archive.replace("netmgr", "clusterpkg");
    for expected in [
        archive.as_str(),
        &format!("{archive}.sha256"),
        "netmgr-netmgr-0.1.0.tgz",
        "pulumi_netmgr-0.1.0-py3-none-any.whl",
        "netmgr-sdk-go-v0.1.0.tar.gz",
        &components,
        &format!("{components}.sha256"),
        "netmgr-clusterpkg-0.1.0.tgz",
        "pulumi_clusterpkg-0.1.0-py3-none-any.whl",
        "clusterpkg-sdk-go-v0.1.0.tar.gz",
    ] {
        assert!(
            files.iter().any(|file| file == expected),
            "{expected} is not among {files:?}"
        );
    }
    let checked = Command::new("sha256sum")
        .arg("--check")
        .args([&archive, &components].map(|archive| format!("{archive}.sha256")))
        .current_dir(distribution.path())
        .output();
    assert!(checked.unwrap().status.success());

    for (archive, schema) in [(&archive, "netmgr"), (&components, "clusterpkg")] {
        holds_what_publishing_needs(&distribution.path().join(archive), schema);
    }

    let manager = manager().await;
    for example in examples("edge-cluster") {
        let mut stack = Stack::of_folder(tools, &example).await;
        install(&stack, "netmgr", "0.1.0", &distribution.path().join(&archive)).await;
        use_packages(&mut stack, tools, distribution.path(), "netmgr");
        stack.point_at(&manager);
        stack.up().await.succeeded().never_says("warning");
        let outputs = stack.outputs().await;
        assert_eq!(outputs["firstNode"], "edge-03", "{example:?}");
        assert_eq!(
            outputs["clusterPath"],
            "/infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010"
        );
        stack.options = vec!["--expect-no-changes"];
        stack.preview().await.succeeded();
        stack.up().await.succeeded();
        stack.options.clear();
        stack.destroy().await.succeeded();
    }

    let cloud = stand_ins();
    let private = root().join("examples/private-cluster-yaml");
    for example in examples("cluster").chain([private]) {
        let mut stack = Stack::of_folder(tools, &example).await;
        use_packages(&mut stack, tools, distribution.path(), "clusterpkg");
        install(
            &stack,
            "clusterpkg",
            "0.1.0",
            &distribution.path().join(&components),
        )
        .await;
        for (package, version) in PLAYED {
            let plugin = cloud.path().join(format!("pulumi-resource-{package}"));
            install(&stack, package, version, &plugin).await;
        }
        stack.configure(&[], "firstSubnet", "subnet-1").await;
        stack.configure(&[], "secondSubnet", "subnet-2").await;
        if example.ends_with("private-cluster-yaml") {
            stack.configure(&[], "registry", "registry.internal").await;
        }
        stack.up().await.succeeded().never_says("warning");
        stack.options = vec!["--expect-no-changes"];
        stack.preview().await.succeeded();
        stack.options.clear();
        let outputs = stack.outputs().await;
        let kubeconfig = outputs["kubeconfig"].as_str().unwrap();
        assert!(
            kubeconfig.contains(outputs["clusterName"].as_str().unwrap()),
            "{example:?}"
        );
        stack.destroy().await.succeeded();
    }
}

/// Asserts that the archive contains the files that `pulumi package publish` and the public registry require.
fn holds_what_publishing_needs(archive: &Path, package: &str) {
    let file = |name: &str| {
        let read = Command::new("tar")
            .arg("-xzOf")
            .arg(archive)
            .arg(name)
            .output()
            .unwrap();
        assert!(read.status.success(), "{name} is not in {}", archive.display());
        String::from_utf8(read.stdout).unwrap()
    };
    let schema = root().join(format!("schema/{package}.package.json"));
    assert_eq!(file("schema.json"), fs::read_to_string(schema).unwrap());
    assert!(file("README.md").starts_with("# "), "{package}");
    for page in ["_index.md", "installation-configuration.md"] {
        let committed = root().join(format!("docs/registry/{package}/{page}"));
        assert_eq!(
            file(&format!("docs/{page}")),
            fs::read_to_string(committed).unwrap()
        );
    }
}

/// The folders of an example in each language.
fn examples(example: &str) -> impl Iterator<Item = PathBuf> {
    let examples = root().join("examples");
    let languages = ["typescript", "python", "yaml"].into_iter();
    languages.map(move |language| examples.join(format!("{example}-{language}")))
}

/// Installs a plugin as described in docs/install.md.
pub(super) async fn install(stack: &Stack, package: &str, version: &str, file: &Path) {
    let file = file.to_str().unwrap();
    let install = ["plugin", "install", "resource", package, version, "--file", file];
    stack.run(&install).await.succeeded();
}

/// Installs a package's SDKs of a distribution where npm and pip would, together with their dependencies, which come
/// from a registry.
fn use_packages(stack: &mut Stack, tools: &Tools, distribution: &Path, package: &str) {
    let modules = stack.program().join("node_modules");
    fs::remove_file(&modules).unwrap();
    let sdk = modules.join("@netmgr").join(package);
    fs::create_dir_all(&sdk).unwrap();
    for module in fs::read_dir(tools.engine.join("node_modules")).unwrap() {
        let module = module.unwrap();
        if module.file_name() != "@netmgr" {
            symlink(module.path(), modules.join(module.file_name())).unwrap();
        }
    }
    let unpacked = Command::new("tar")
        .arg("-xzf")
        .arg(distribution.join(format!("netmgr-{package}-0.1.0.tgz")))
        .args(["--strip-components=1", "-C"])
        .arg(&sdk)
        .status();
    assert!(unpacked.unwrap().success());

    let site = stack.program().join("site");
    let installed = Command::new(tools.engine.join("python/bin/python"))
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--target",
        ])
        .arg(&site)
        .arg(distribution.join(format!("pulumi_{package}-0.1.0-py3-none-any.whl")))
        .status();
    assert!(installed.unwrap().success());
    stack.set("PYTHONPATH", site.to_str().unwrap());
}
