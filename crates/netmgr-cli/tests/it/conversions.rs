//! `netmgr convert-terraform`: files that are read, written and left.

use std::fs;
use std::process::Stdio;

use crate::support::{INTERRUPT, Run, netmgr, signal};

/// A data source of the other provider.
const BEFORE: &str = "data \"nsxt_policy_segment\" \"lab\" {\n  display_name = \"lab\"\n}\n";

#[test]
fn terraform_files_of_others_are_left_and_one_file_can_be_converted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for name in ["node_modules/pkg", "vendor", ".terraform/modules", "live"] {
        fs::create_dir_all(file(name)).unwrap();
        fs::write(file(name).join("main.tf"), BEFORE).unwrap();
    }
    fs::write(file("main.tf"), BEFORE).unwrap();
    let stale = file("live/.netmgr-1.tmp");
    fs::write(&stale, "").unwrap();
    let convert = |name: &str| {
        let run = netmgr(&["convert-terraform", file(name).to_str().unwrap()]);
        assert_eq!(run.code, 0, "{run:?}");
        run.stdout
    };
    let report = convert("main.tf");
    assert!(
        report.starts_with("main.tf: converted: 1 data source\n\nRun `terraform init`"),
        "{report}"
    );
    assert!(
        report.contains("  netmgr.tf: convert the folder for 1 provider requirement\n"),
        "{report}"
    );
    assert_eq!(fs::read_to_string(file("live/main.tf")).unwrap(), BEFORE);

    let report = convert("");
    for changed in ["live/main.tf", "live/netmgr.tf", "netmgr.tf"] {
        assert!(report.contains(&format!("{changed}: converted: 1 ")), "{report}");
    }
    assert!(!stale.exists());
    for other in ["node_modules/pkg", "vendor", ".terraform/modules"] {
        assert_eq!(
            fs::read_to_string(file(other).join("main.tf")).unwrap(),
            BEFORE,
            "{other}"
        );
    }
}

#[cfg(unix)]
#[test]
fn odd_terraform_files_are_named_and_never_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    symlink("/dev/zero", file("zero.tf")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(file("pipe.tf")).status();
    assert!(made.unwrap().success());
    let convert = |name: &str| netmgr(&["convert-terraform", file(name).to_str().unwrap()]);
    for odd in ["zero.tf", "pipe.tf"] {
        assert!(
            convert(odd)
                .failure(2)
                .contains("neither a folder nor a configuration file")
        );
    }
    fs::write(file("a\nb\u{202e}.tf"), BEFORE).unwrap();
    fs::write(folder.path().join(OsStr::from_bytes(b"m\xff.tf")), BEFORE).unwrap();
    fs::write(file("z.tf"), BEFORE).unwrap();
    fs::set_permissions(file("z.tf"), fs::Permissions::from_mode(0o444)).unwrap();
    let failed = convert("");
    assert!(
        failed.failure(2).contains("z.tf") && failed.stdout.is_empty(),
        "{failed:?}"
    );
    assert_eq!(fs::read_to_string(file("a\nb\u{202e}.tf")).unwrap(), BEFORE);
    fs::set_permissions(file("z.tf"), fs::Permissions::from_mode(0o644)).unwrap();
    let report = convert("").stdout;
    for line in [
        "a\\nb\\u{202e}.tf: converted: 1 data source\n",
        "  m\u{fffd}.tf: the name is not UTF-8\n",
        "  pipe.tf: it is a pipe, not a regular file\n",
        "  zero.tf: links are not followed\n",
        "  .: add netmgr = ",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    let again = convert("").stdout;
    assert!(
        again.starts_with("nothing to change\n\nManual steps:\n") && again.contains("pipe.tf: it is a pipe"),
        "{again}"
    );
}

#[cfg(unix)]
#[test]
fn a_conversion_that_fails_in_the_middle_names_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let long = format!("{BEFORE}# {}\n", "x".repeat(4 << 10));
    for (name, text) in [("first", BEFORE), ("second", &long), ("third", BEFORE)] {
        fs::create_dir(file(name)).unwrap();
        fs::write(file(name).join("main.tf"), text).unwrap();
    }
    let program = env!("CARGO_BIN_EXE_netmgr");
    // The disk is full for the long file, even if its user is root.
    let script = format!("trap '' XFSZ; ulimit -f 2; exec {program} convert-terraform .");
    let mut shell = std::process::Command::new("sh");
    let stopped = Run::of(shell.args(["-c", &script]).current_dir(folder.path()));
    assert_eq!(stopped.code, 2, "{stopped:?}");
    assert!(
        stopped.stderr.contains("cannot write ./second/main.tf"),
        "{stopped:?}"
    );
    let new = ["first", "second", "third"].map(|name| format!("{name}/netmgr.tf: converted\n"));
    assert_eq!(
        stopped.stdout,
        format!("{}first/main.tf: converted\n", new.concat())
    );
    assert_eq!(fs::read_to_string(file("second/main.tf")).unwrap(), long);
    assert_eq!(fs::read_dir(file("second")).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn an_interrupted_conversion_leaves_whole_files_and_can_be_completed_or_reverted() {
    const FOLDERS: usize = 60;
    for by in [INTERRUPT, "-KILL"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let file = |number: usize| folder.path().join(number.to_string()).join("main.tf");
        for number in 0..FOLDERS {
            fs::create_dir(file(number).parent().unwrap()).unwrap();
            fs::write(file(number), BEFORE).unwrap();
        }
        let read = |number| fs::read_to_string(file(number)).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_netmgr"));
        let child = command
            .args(["convert-terraform", path])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while read(0) == BEFORE {
            std::thread::yield_now();
        }
        signal(&child, by);
        let ended = child.wait_with_output().unwrap();
        let converted = (0..FOLDERS).filter(|number| read(*number) != BEFORE).count();
        if by == INTERRUPT && ended.status.code() == Some(130) {
            let report = String::from_utf8_lossy(&ended.stdout);
            assert_eq!(report.matches("/main.tf: converted\n").count(), converted);
        }
        let completed = netmgr(&["convert-terraform", path]);
        assert_eq!(
            completed.stdout.matches("/main.tf: converted: ").count(),
            FOLDERS - converted
        );
        netmgr(&["convert-terraform", "--revert", path]);
        for number in 0..FOLDERS {
            assert_eq!(read(number), BEFORE);
            let left = fs::read_dir(file(number).parent().unwrap()).unwrap();
            assert_eq!(left.count(), 1, "{ended:?}");
        }
    }
}
