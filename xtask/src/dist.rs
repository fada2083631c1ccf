//! Builds what users install: an archive of each program, a formula for Homebrew, and the SDKs (decision archives).

use std::env::{self, consts};
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use serde_json::json;

use crate::Error;
use crate::engine::{CLUSTERPKG, Engine, NETMGR};
use crate::process;
use crate::release::Release;
use crate::templates::Templates;

mod archive;
#[cfg(test)]
mod tests;

/// Version of everything.
const VERSION: &str = env!("CARGO_PKG_VERSION");

const COMMAND_LINE: &str = "netmgr";
const PROVIDER: &str = "terraform-provider-netmgr";

/// The programs, each with its part and its crate.
const PROGRAMS: [[&str; 3]; 4] = [
    ["command-line", "netmgr-cli", COMMAND_LINE],
    ["plugins", "netmgr-plugin", "pulumi-resource-netmgr"],
    ["plugins", "clusterpkg-components", "pulumi-resource-clusterpkg"],
    ["terraform", PROVIDER, PROVIDER],
];

/// Shells with completions, each with the name of its file.
const SHELLS: [[&str; 2]; 4] = [
    ["bash", "netmgr.bash"],
    ["zsh", "_netmgr"],
    ["fish", "netmgr.fish"],
    ["powershell", "_netmgr.ps1"],
];

/// Platforms of Homebrew: the blocks of a formula, and the names of system and processor in archives.
const BREWED: [[&str; 4]; 4] = [
    ["on_macos", "on_arm", "darwin", "arm64"],
    ["on_macos", "on_intel", "darwin", "amd64"],
    ["on_linux", "on_arm", "linux", "arm64"],
    ["on_linux", "on_intel", "linux", "amd64"],
];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write only this part. Can be repeated. `formula` covers the archives of all platforms in the folder.
    #[arg(long, value_parser = PossibleValuesParser::new(["command-line", "plugins", "terraform", "sdks", "formula"]))]
    part: Vec<String>,
    /// Folder of existing binaries. Default: build them with the profile `release`.
    #[arg(long)]
    programs: Option<PathBuf>,
    /// Leave the licences of dependencies out of archives, which cargo-about writes.
    #[arg(long)]
    without_licences: bool,
    /// Folder to write to.
    #[arg(long, default_value = "target/packages")]
    out: PathBuf,
}

/// Writes the wanted parts. Builds the programs unless there is a folder of them.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), Error> {
    let out = root.join(&options.out);
    fs::create_dir_all(&out)?;
    let wants = |part: &str| options.part.is_empty() || options.part.iter().any(|wanted| wanted == part);
    let wanted: Vec<_> = PROGRAMS.into_iter().filter(|[part, ..]| wants(part)).collect();
    let programs = match &options.programs {
        Some(folder) => root.join(folder),
        None => build(root, wanted.iter().map(|[_, krate, _]| *krate))?,
    };
    for [_, krate, program] in wanted {
        let folder = out.join(program);
        lay_out(root, krate, program, &programs, &folder)?;
        if !options.without_licences {
            licences(root, krate, &folder)?;
        }
        archive::write(&folder, &out.join(archive_name(program, platform())))?;
    }
    if wants("sdks") {
        sdks(root, &out)?;
    }
    if wants("formula") || wants("command-line") {
        formula(&Release::read(root)?, &out)?;
    }
    Ok(())
}

/// Builds the programs of crates together, so that what they share is compiled once, and returns their folder.
fn build<'a>(root: &Path, crates: impl Iterator<Item = &'a str>) -> Result<PathBuf, Error> {
    let target = root.join("target");
    let packages: Vec<_> = crates.map(|krate| format!("--package={krate}")).collect();
    if packages.is_empty() {
        return Ok(target);
    }
    let mut build = process::command("cargo", root);
    build.args(["build", "--quiet", "--locked", "--release", "--bins"]);
    build.args(packages).arg("--target-dir").arg(&target);
    // Programs contain no path of the machine that built them, in panic messages for example.
    let home = || env::home_dir().unwrap_or_default().join(".cargo");
    let cargo = env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from);
    let paths = [(cargo.as_path(), "/cargo"), (root, "/netmgr")];
    let flags = paths.map(|(path, by)| format!("--remap-path-prefix={}={by}", path.display()));
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    // `getProviderInfo` returns them. The date of the commit keeps builds reproducible.
    for (variable, format) in [
        ("NETMGR_COMMIT", "--format=%H"),
        ("NETMGR_BUILD_DATE", "--format=%cs"),
    ] {
        let fact = process::output(process::command("git", root).args(["log", "-1", format]))?;
        build.env(variable, fact.trim());
    }
    process::run(&mut build)?;
    Ok(target.join("release"))
}

/// System and processor of this machine, as the engine, Terraform and Go name them.
fn platform() -> [&'static str; 2] {
    let system = if cfg!(target_os = "macos") {
        "darwin"
    } else {
        consts::OS
    };
    let processor = if cfg!(target_arch = "x86_64") {
        "amd64"
    } else {
        "arm64"
    };
    [system, processor]
}

/// Name of a program's archive, in the form that the engine and mirrors of Terraform require.
fn archive_name(program: &str, [system, processor]: [&str; 2]) -> String {
    if program == PROVIDER {
        format!("{program}_{VERSION}_{system}_{processor}.zip")
    } else {
        format!("{program}-v{VERSION}-{system}-{processor}.tar.gz")
    }
}

/// Writes the contents of an archive to its folder, from which `cargo deb` packs the command line as well.
fn lay_out(root: &Path, krate: &str, program: &str, programs: &Path, folder: &Path) -> Result<(), Error> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let version = if program == PROVIDER {
        format!("_v{VERSION}")
    } else {
        String::new()
    };
    let packed = folder.join(format!("{program}{version}{}", consts::EXE_SUFFIX));
    fs::copy(
        programs.join(program).with_extension(consts::EXE_EXTENSION),
        &packed,
    )?;
    fs::copy(root.join("LICENSE"), folder.join("LICENSE"))?;
    let readme = folder.join("README.md");
    if let Some(package) = program.strip_prefix("pulumi-resource-") {
        // `pulumi package publish` and the public registry read these files.
        let pages = root.join("docs/registry").join(package);
        fs::create_dir(folder.join("docs"))?;
        for page in ["_index.md", "installation-configuration.md"] {
            fs::copy(pages.join(page), folder.join("docs").join(page))?;
        }
        fs::write(readme, plain(&fs::read_to_string(pages.join("_index.md"))?))?;
        fs::copy(
            root.join(format!("schema/{package}.package.json")),
            folder.join("schema.json"),
        )?;
    } else {
        fs::copy(root.join("crates").join(krate).join("README.md"), readme)?;
    }
    if program == COMMAND_LINE {
        let [completions, pages] = ["completions", "man/man1"].map(|name| folder.join(name));
        fs::create_dir_all(&completions)?;
        fs::create_dir_all(&pages)?;
        for [shell, file] in SHELLS {
            let script = process::output(process::command(&packed, root).args(["completions", shell]))?;
            fs::write(completions.join(file), script)?;
        }
        process::run(process::command(&packed, root).args(["man", "--dir"]).arg(pages))?;
    }
    Ok(())
}

/// The index page of a package in the registry, without its front matter and shortcodes, and with its title.
fn plain(page: &str) -> String {
    let (front, body) = page.split_once("\n---\n").unwrap_or(("", page));
    let title = front
        .lines()
        .find_map(|line| line.strip_prefix("title: "))
        .unwrap_or_default();
    let lines = body.lines().filter(|line| !line.starts_with("{{"));
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    format!("# {}\n{lines}", title.trim_matches('"'))
}

/// Writes the licences of all code that is linked into the programs of a crate to `folder`.
fn licences(root: &Path, krate: &str, folder: &Path) -> Result<(), Error> {
    // Builds only fetch dependencies of their own platform. Offline, cargo-about requests no licences from a service.
    process::run(process::command("cargo", root).args(["fetch", "--locked"]))?;
    let mut about = process::command("cargo", root);
    about.args([
        "about",
        "generate",
        "--locked",
        "--offline",
        "--config",
        "xtask/about/about.toml",
    ]);
    about.args([
        "--manifest-path",
        &format!("crates/{krate}/Cargo.toml"),
        "--output-file",
    ]);
    about
        .arg(folder.join("THIRD-PARTY-LICENSES.txt"))
        .arg("xtask/about/licences.hbs");
    let advice = "release.yml installs cargo-about, and --without-licences leaves licences out";
    process::run(&mut about).map_err(|error| format!("{error}; {advice}").into())
}

/// Writes the SDKs of the plugins: packages of npm and pip, and sources for `go mod edit -replace`, `dotnet pack` and
/// Gradle. They are the same on all platforms.
fn sdks(root: &Path, out: &Path) -> Result<(), Error> {
    let engine = Engine::of(root);
    engine.sdk_generator()?;
    engine.node()?;
    engine.python()?;
    for package in [&NETMGR, &CLUSTERPKG] {
        let sdks = engine.sdks(package)?;
        let mut npm = process::command("npm", &sdks.nodejs);
        process::run(npm.args(["pack", "--silent", "--pack-destination"]).arg(out))?;
        let mut pip = process::command(engine.folder.join("python/bin/python"), &sdks.python);
        pip.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]);
        process::run(pip.arg(out).arg("."))?;
        for (language, folder) in [("go", &sdks.go), ("dotnet", &sdks.dotnet), ("java", &sdks.java)] {
            let name = format!("{}-sdk-{language}-v{VERSION}.tar.gz", sdks.name);
            archive::write(folder, &out.join(name))?;
        }
    }
    Ok(())
}

/// Writes the formula for all archives of the command line in `out`. Without a published release, it takes them from its
/// own folder.
fn formula(release: &Release, out: &Path) -> Result<(), Error> {
    let mut archives = Vec::new();
    for [system, processor, platform @ ..] in BREWED {
        let name = archive_name(COMMAND_LINE, platform);
        if out.join(&name).exists() {
            let checksum = archive::sha256(&out.join(&name))?;
            let archive =
                json!({ "system": system, "processor": processor, "name": name, "checksum": checksum });
            archives.push(archive);
        }
    }
    let view = json!({
        "version": VERSION,
        "licence": env!("CARGO_PKG_LICENSE"),
        "repository": release.repository(),
        "archives": archives,
    });
    let formula = Templates::new()?.render("dist/netmgr.rb", view)?;
    Ok(fs::write(out.join("netmgr.rb"), formula)?)
}
