//! Files on a full disk: a small file system in memory, mounted in its own namespace.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use crate::programs::program;

/// A file system of 16 KiB at `$DISK`, and the binary `$netmgr`. `fill` uses all of its space.
const BEFORE: &str = r#"
    mount -t tmpfs -o size=16k tmpfs "$DISK"
    fill() { cat /dev/zero >"$DISK/.filler" 2>/dev/null || true; }
    netmgr="$0"
"#;
/// Copies the remaining files.
const AFTER: &str = r#"
    rm -f "$DISK/.filler"
    cp -R "$DISK/." "$LEFT"
"#;

/// The outcome of a script.
#[derive(Debug)]
struct Outcome {
    stdout: String,
    stderr: String,
    /// All files by their names, without those in folders.
    files: BTreeMap<String, String>,
}

/// Runs `script` in a namespace with the small file system. `None`, with a message that names the test, if that is not
/// permitted and this is not CI.
fn on_small_disk(test: &str, script: &str) -> Option<Outcome> {
    let run = |script: &str, disk: &Path, left: &Path| -> Output {
        Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-euc", script])
            .arg(program("netmgr"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
            .env("DISK", disk)
            .env("LEFT", left)
            .output()
            .unwrap()
    };
    let [disk, left] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mount =
        "mount -t tmpfs -o size=16k tmpfs \"$DISK\"; touch \"$DISK/f\"; mount --bind \"$DISK/f\" \"$DISK/f\"";
    let probe = run(mount, disk.path(), left.path());
    if !probe.status.success() {
        let why = String::from_utf8_lossy(&probe.stderr);
        assert!(
            std::env::var_os("CI").is_none(),
            "no file system can be mounted: {why}"
        );
        // Bypasses the capture of the test harness.
        let _ = writeln!(
            std::io::stderr(),
            "skipped {test}: no file system can be mounted in a namespace: {}",
            why.trim()
        );
        return None;
    }
    let output = run(&format!("{BEFORE}{script}{AFTER}"), disk.path(), left.path());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let files = fs::read_dir(left.path())
        .unwrap()
        .map(|file| file.unwrap().path());
    let files = files.filter(|file| file.is_file()).map(|file| {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(file).unwrap())
    });
    Some(Outcome {
        stdout,
        stderr,
        files: files.collect(),
    })
}

#[test]
fn files_stay_as_they_were() {
    const TEST: &str = "files_stay_as_they_were";
    const CONFIG: &str = "profile = \"a\"\n[profiles.a]\nhost = \"a\"\n[profiles.b]\nhost = \"b\"\n";
    const TERRAFORM: &str = "data \"nsxt_policy_bfd_profile\" \"x\" {\n  display_name = \"x\"\n}\n";

    for (file, old, command) in [
        (
            "config.toml",
            CONFIG,
            r#"config use b --config "$DISK/config.toml""#,
        ),
        ("main.tf", TERRAFORM, r#"convert-terraform "$DISK""#),
        ("netmgr.1", "old\n", r#"man --dir "$DISK""#),
        ("ca.pem", "old\n", r#"simulate --tls --write-ca "$DISK/ca.pem""#),
    ] {
        let script = format!(
            "printf '%s' '{old}' >\"$DISK/{file}\"; fill\n\
             code=0; \"$netmgr\" {command} || code=$?\n\
             echo \"code $code\"\n"
        );
        let Some(outcome) = on_small_disk(TEST, &script) else {
            return;
        };
        assert!(
            ["code 1\n", "code 2\n"].contains(&&*outcome.stdout),
            "{outcome:?}"
        );
        let error = &outcome.stderr;
        // The pages are written in the order of their names, and new files first.
        let written = file
            .replace("netmgr.1", "netmgr-")
            .replace("main.tf", "netmgr.tf");
        assert!(error.contains(&format!("/{written}")), "{error}");
        assert!(error.contains("No space left on device"), "{error}");
        assert_eq!(outcome.files, BTreeMap::from([(file.to_owned(), old.to_owned())]));
    }
}

/// Files that cannot be replaced by others: a mount point, as in a container, and a hard link.
#[test]
fn files_that_are_written_in_place_stay_as_they_were() {
    const TEST: &str = "files_that_are_written_in_place_stay_as_they_were";
    // A longer name needs another page.
    let name = "b".repeat(200);
    let config = format!("profile = \"a\"\n[profiles.a]\n[profiles.{name}]\n");
    let comment = "#".repeat(4095 - config.len());
    let old = format!("{config}{comment}\n");
    assert_eq!(old.len(), 4096);
    let place = [
        // The folder has space, but the file has none.
        "mkdir \"$LEFT/etc\"; touch \"$LEFT/etc/config.toml\"\n\
         mount --bind \"$DISK/config.toml\" \"$LEFT/etc/config.toml\"; config=\"$LEFT/etc/config.toml\"; fill\n",
        // Enough space for one copy, which is deleted for the file itself and then used by another process.
        "ln \"$DISK/config.toml\" \"$DISK/link\"; config=\"$DISK/config.toml\"; fill\n",
    ];
    for place in place {
        let script = format!(
            "printf '%s' '{old}' >\"$DISK/config.toml\"\n{place}\
             code=0; \"$netmgr\" config use {name} --config \"$config\" || code=$?\n\
             echo \"code $code\"\n\
             rm -f \"$DISK/link\"\n"
        );
        let Some(outcome) = on_small_disk(TEST, &script) else {
            return;
        };
        assert_eq!(outcome.stdout, "code 2\n", "{outcome:?}");
        assert!(outcome.stderr.contains("config.toml"), "{outcome:?}");
        assert!(outcome.stderr.contains("No space left on device"), "{outcome:?}");
        assert!(outcome.files["config.toml"] == old, "{outcome:?}");
        assert_eq!(outcome.files.len(), 1, "{outcome:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    const TEST: &str = "output_that_cannot_be_written_is_a_failure";
    let script = r#"
        fill
        code=0; "$netmgr" functions -o json >"$DISK/out" || code=$?
        echo "code $code"
        rm "$DISK/out"
    "#;
    let Some(outcome) = on_small_disk(TEST, script) else {
        return;
    };
    assert_eq!(outcome.stdout, "code 1\n", "{outcome:?}");
    assert!(
        outcome.stderr.contains("the output could not be written"),
        "{outcome:?}"
    );
    assert!(outcome.stderr.contains("No space left on device"), "{outcome:?}");
}

/// A simulated manager in the background, whose settings are in the environment.
const SIMULATE: &str = r#"
    "$netmgr" simulate $options >"$LEFT/lines" 2>"$LEFT/errors" &
    manager=$!
    while ! grep -q '^serving' "$LEFT/errors"; do sleep 0.1; done
    eval "$(cat "$LEFT/lines")"
    rm "$LEFT/lines"
    lookup() { NETMGR_PASSWORD="$1" "$netmgr" get getPolicyBfdProfile --id fast-bfd 2>&1; }
"#;

#[test]
fn the_request_log_reports_a_full_disk_once() {
    const TEST: &str = "the_request_log_reports_a_full_disk_once";
    let script = format!(
        "options=\"--request-log $DISK/log\"\n{SIMULATE}\n\
         lookup \"$NETMGR_PASSWORD\" >/dev/null; fill\n\
         for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do lookup \"$NETMGR_PASSWORD\" >/dev/null; done\n\
         kill -TERM $manager; wait $manager; cat \"$LEFT/errors\" >&2; rm \"$LEFT/errors\"\n"
    );
    let Some(outcome) = on_small_disk(TEST, &script) else {
        return;
    };
    let warnings = outcome.stderr.matches("cannot write the request log ").count();
    assert_eq!(warnings, 1, "{outcome:?}");
    assert!(
        outcome.stderr.contains("/log: No space left on device"),
        "{outcome:?}"
    );
}

#[test]
fn rejected_logins_stay_and_other_logins_are_sent() {
    const TEST: &str = "rejected_logins_stay_and_other_logins_are_sent";
    let script = format!(
        "options=\nexport XDG_STATE_HOME=\"$DISK\"\n{SIMULATE}\n\
         one() {{ code=0; lookup \"$1\" >\"$LEFT/shown\" || code=$?; grep -c 'not sent' \"$LEFT/shown\" || true; echo \"code $code\"; rm \"$LEFT/shown\"; }}\n\
         one wrong; one wrong; fill\n\
         one other; one other; one wrong; one \"$NETMGR_PASSWORD\"\n\
         kill -TERM $manager; wait $manager; rm \"$LEFT/errors\"\n\
         rm \"$DISK/.filler\"; cat \"$DISK\"/netmgr/logins/*.json >\"$DISK/record\"; ls -A \"$DISK/netmgr/logins\" | {{ grep -v json || true; }} >\"$DISK/others\"\n"
    );
    let Some(outcome) = on_small_disk(TEST, &script) else {
        return;
    };
    let expected = [
        "0\ncode 5\n",
        "1\ncode 5\n",
        // The file is overwritten in place, which needs no space.
        "0\ncode 5\n",
        "1\ncode 5\n",
        "1\ncode 5\n",
        "0\ncode 0\n",
    ];
    assert_eq!(outcome.stdout, expected.concat(), "{outcome:?}");
    let record: serde_json::Value = serde_json::from_str(&outcome.files["record"]).unwrap();
    assert_eq!(record["logins"], serde_json::json!([]), "{outcome:?}");
    assert_eq!(outcome.files["others"], "", "{outcome:?}");
}
