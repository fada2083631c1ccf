use super::*;
use crate::release::sample;
use crate::workspace;

#[test]
fn archives_of_equal_files_are_equal_and_keep_programs_executable() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["tar.gz", "zip"] {
        let [once, again] = ["once", "again"].map(|name| {
            let files = folder.path().join(name);
            fs::create_dir_all(files.join("man")).unwrap();
            fs::write(files.join("man/page.1"), "page").unwrap();
            fs::write(files.join("program"), "program").unwrap();
            process::make_executable(&files.join("program")).unwrap();
            let archive = folder.path().join(format!("{name}.{extension}"));
            archive::write(&files, &archive).unwrap();
            fs::read(archive).unwrap()
        });
        assert!(once == again, "{extension}");
    }
    let mut zip = zip::ZipArchive::new(fs::File::open(folder.path().join("once.zip")).unwrap()).unwrap();
    for (name, mode) in [("man/page.1", 0o644), ("program", 0o755)] {
        assert_eq!(zip.by_name(name).unwrap().unix_mode().unwrap() & 0o777, mode);
    }
}

/// cargo-binstall downloads what the metadata of a crate names.
#[test]
fn binstall_finds_the_archives() {
    let crates = workspace::read(workspace::root()).unwrap().packages;
    for [_, krate, program] in PROGRAMS.into_iter().filter(|[part, ..]| *part != "plugins") {
        let package = crates.iter().find(|package| *package.name == krate).unwrap();
        for (target, platform) in [
            ("x86_64-unknown-linux-gnu", ["linux", "amd64"]),
            ("aarch64-unknown-linux-gnu", ["linux", "arm64"]),
            ("x86_64-apple-darwin", ["darwin", "amd64"]),
            ("aarch64-apple-darwin", ["darwin", "arm64"]),
            ("x86_64-pc-windows-msvc", ["windows", "amd64"]),
        ] {
            let archive = archive_name(program, platform).replace(VERSION, "{ version }");
            let address = format!("{{ repo }}/releases/download/v{{ version }}/{archive}");
            assert_eq!(
                package.metadata["binstall"]["overrides"][target]["pkg-url"],
                address
            );
        }
    }
}

#[test]
fn the_formula_has_the_archives_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    for platform in [["linux", "amd64"], ["darwin", "arm64"]] {
        fs::write(
            folder.path().join(archive_name(COMMAND_LINE, platform)),
            platform[0],
        )
        .unwrap();
    }
    formula(&sample(true), folder.path()).unwrap();
    let text = fs::read_to_string(folder.path().join("netmgr.rb")).unwrap();
    let address = "https://github.com/acme/tools/releases/download";
    let block = format!(
        "  on_linux do\n    on_intel do\n      url \"{address}/v{VERSION}/netmgr-v{VERSION}-linux-amd64.tar.gz\"\n"
    );
    assert!(text.contains(&block), "{text}");
    assert_eq!(text.matches("sha256 ").count(), 2);

    formula(&sample(false), folder.path()).unwrap();
    let text = fs::read_to_string(folder.path().join("netmgr.rb")).unwrap();
    assert!(
        text.contains("url \"file://#{__dir__}/netmgr-v") && !text.contains("homepage"),
        "{text}"
    );
}
