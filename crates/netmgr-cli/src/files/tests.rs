//! Tests of `files.rs`.

use super::*;

#[test]
fn a_mark_is_split_off() {
    assert_eq!(split_mark("\u{feff}a\u{feff}"), ("\u{feff}", "a\u{feff}"));
    assert_eq!(split_mark("a"), ("", "a"));
}

#[test]
fn text_without_an_end_is_read_up_to_a_limit() {
    let longest = 1 << 20;
    let read = |source: &mut dyn Read| io::read_to_string(Bounded::new(source, longest));
    assert_eq!(read(&mut io::repeat(b'a').take(longest)).unwrap().len(), 1 << 20);
    let error = read(&mut io::repeat(b'a')).unwrap_err();
    assert_eq!(error.to_string(), "it is larger than 1 MiB");
    assert_eq!(too_large(64 << 10).to_string(), "it is larger than 64 KiB");
}

#[cfg(unix)]
#[test]
fn devices_without_an_end_are_refused() {
    let of = |path: &str| text(Path::new(path), 7).map_err(|error| error.to_string());
    assert_eq!(of("/dev/null"), Ok(String::new()));
    for endless in ["/dev/zero", "/dev/urandom"] {
        assert_eq!(of(endless).unwrap_err(), "it is a device, not a file or a pipe");
    }
    assert!(of("/dev").is_err() && of("/nonexistent").is_err());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_to_its_end_unless_its_writer_is_too_slow() {
    let folder = tempfile::tempdir().unwrap();
    let [unused, pipe] = ["unused", "pipe"].map(|name| folder.path().join(name));
    let made = std::process::Command::new("mkfifo")
        .args([&unused, &pipe])
        .status();
    assert!(made.unwrap().success());
    let moment = Duration::from_millis(20);
    let absent = open_within(&unused, moment).unwrap_err();
    assert_eq!(absent.kind(), io::ErrorKind::TimedOut, "{absent}");

    let long = "x".repeat(3 * CHUNK);
    let (path, written) = (pipe.clone(), long.clone());
    let writer = thread::spawn(move || fs::write(path, written));
    assert_eq!(text(&pipe, LONGEST_TEXT).unwrap(), long);
    writer.join().unwrap().unwrap();

    let (silent, _writer) = io::pipe().unwrap();
    let silent = fs::File::from(std::os::fd::OwnedFd::from(silent));
    let slow = Pipe::new(silent, moment).unwrap().read(&mut [0]).unwrap_err();
    assert_eq!(slow.kind(), io::ErrorKind::TimedOut, "{slow}");
}

/// A file with a text, and the path of a link next to it.
#[cfg(unix)]
fn file(text: &str) -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["file", "link"].map(|name| folder.path().join(name));
    fs::write(&paths[0], text).unwrap();
    (folder, paths)
}

#[track_caller]
fn assert_contents(path: &Path, text: &str) {
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn a_file_is_replaced_behind_its_link_with_its_permissions() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    let (folder, [file, link]) = file("old");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    let before = fs::metadata(&file).unwrap().ino();
    replace(&link, "new").unwrap();
    assert!(link.is_symlink());
    assert_contents(&file, "new");
    let after = fs::metadata(&file).unwrap();
    assert_eq!(after.permissions().mode() & 0o777, 0o640);
    assert_ne!(after.ino(), before, "the old contents were overwritten in place");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

    fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
    assert!(replace(&link, "newer").is_err());
    assert_contents(&file, "new");
    assert!(replace(&folder.path().join("absent"), "").is_err());
}

#[test]
fn contents_are_written_over_longer_and_shorter_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    for (old, new) in [
        ("old", "new and longer"),
        ("old and longer", "new"),
        ("", "new"),
        ("old", ""),
    ] {
        fs::write(&file, old).unwrap();
        overwrite(&file, new.as_bytes()).unwrap();
        assert_contents(&file, new);
    }
}

#[cfg(unix)]
#[test]
fn hard_links_and_owners_stay() {
    use std::os::unix::fs::{MetadataExt as _, chown};

    let (folder, [file, link]) = file("old and longer");
    fs::hard_link(&file, &link).unwrap();
    replace(&file, "new").unwrap();
    assert_contents(&link, "new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

    fs::remove_file(&link).unwrap();
    // Only the superuser can change the owner of files.
    let another = 65_534;
    if chown(&file, Some(another), None).is_ok() {
        replace(&file, "newer").unwrap();
        assert_contents(&file, "newer");
        assert_eq!(fs::metadata(&file).unwrap().uid(), another);
    }
}
