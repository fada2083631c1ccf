//! The public interfaces of the crates that Rust programs use, as committed text, and the types of other projects that
//! appear in them.
//!
//! rustdoc describes each crate as JSON, which is unstable: the compiler whose format the crate `public-api` reads has to
//! run. Others skip the comparison and print why.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::codegen::difference;
use crate::process::{self, command};

mod foreign;

/// The crates, each a folder of `crates/` with the committed text.
const CRATES: &[&str] = &[
    "netmgr",
    "netmgr-lookups",
    "netmgr-transport",
    "netmgr-types",
    "netmgr-sim",
    "engine-values",
    "engine-components",
    "engine-rpc",
    "terraform-rpc",
];

/// The committed text in the folder of a crate.
const FILE: &str = "public-api.txt";

/// Set when this program stands in for rustdoc, see [`rustdoc`].
const AS_RUSTDOC: &str = "NETMGR_XTASK_AS_RUSTDOC";

/// Writes the interfaces, or with `check` compares them. Fails in both cases when a type of another project appears that
/// is not meant to.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Error> {
    let folder = describe(root)?;
    let mut findings = String::new();
    for name in CRATES {
        let file = folder.join(name.replace('-', "_")).with_extension("json");
        let Some(lines) = interface(&file)? else {
            return Ok(());
        };
        for (path, line) in foreign::unexpected(name, &lines) {
            findings.push_str(&format!(
                "{name}: {path} is not in the list of xtask/src/api/foreign.rs: {line}\n"
            ));
        }
        for path in foreign::unused(name, &lines) {
            findings.push_str(&format!(
                "{name}: {path} is in the list of xtask/src/api/foreign.rs and does not appear\n"
            ));
        }
        let text = lines.join("\n") + "\n";
        let path = format!("crates/{name}/{FILE}");
        let file = root.join(&path);
        let committed = fs::read_to_string(&file).unwrap_or_default();
        if !check && committed != text {
            fs::write(&file, text)?;
            println!("wrote {path}");
        } else if let Some(difference) = difference(&path, &committed, &text) {
            findings.push_str(&difference);
        }
    }
    if findings.is_empty() {
        return Ok(());
    }
    Err(format!("the public interfaces differ; `cargo xtask api` writes them\n\n{findings}").into())
}

/// The interface of a crate, one item a line; none when the compiler writes another format.
fn interface(file: &Path) -> Result<Option<Vec<String>>, Error> {
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(file)?)?;
    let found = &json["format_version"];
    if *found != FORMAT {
        println!(
            "skipped: this rustdoc writes format {found}; the comparison reads format {FORMAT}, that of {TOOLCHAIN}"
        );
        return Ok(None);
    }
    let interface = public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let lines: BTreeSet<String> = interface.items().map(ToString::to_string).collect();
    Ok(Some(lines.into_iter().collect()))
}

/// The format that the crate `public-api` reads.
const FORMAT: u32 = 57;
/// The toolchain that writes it.
const TOOLCHAIN: &str = "Rust 1.95";

/// Has rustdoc describe every library, and returns the folder of the descriptions. All of them at once: for a single
/// crate, its dependencies would be built again with fewer features.
fn describe(root: &Path) -> Result<PathBuf, Error> {
    let mut cargo = command("cargo", root);
    cargo
        .args(["doc", "--quiet", "--locked", "--workspace", "--no-deps", "--lib"])
        .env(
            "RUSTDOCFLAGS",
            "-Z unstable-options --output-format json --cap-lints allow",
        )
        .env("RUSTDOC", std::env::current_exe()?)
        .env(AS_RUSTDOC, "1");
    process::run(&mut cargo)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("doc"))
}

/// Runs rustdoc with its unstable options when cargo started this program in its place. The variable that allows them
/// reaches only rustdoc: set for cargo it would rebuild every dependency that reads it.
pub(crate) fn rustdoc() -> Option<Result<(), Error>> {
    std::env::var_os(AS_RUSTDOC)?;
    let mut rustdoc = std::process::Command::new("rustdoc");
    rustdoc
        .args(std::env::args_os().skip(1))
        .env("RUSTC_BOOTSTRAP", "1");
    Some(process::run(&mut rustdoc))
}
