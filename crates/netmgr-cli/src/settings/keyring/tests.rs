//! Tests of `keyring.rs`.

use super::*;

#[test]
fn no_command_line_contains_the_password() {
    let entry = KeyringEntry::new("lab:8443", r#"la"b\"#, "my lab");
    let (words, input) = Program::Security.storing(&entry, "pä s");
    assert_eq!(words, ["security", "-i"]);
    assert_eq!(
        input,
        "add-generic-password -U -s \"netmgr https://lab:8443 my lab\" -a \"la\\\"b\\\\\" -X 70c3a42073\n"
    );
    let (words, input) = Program::SecretTool.storing(&entry, "pä s");
    assert_eq!(words[..2], ["secret-tool", "store"]);
    assert_eq!(words[4..], entry.attributes());
    assert_eq!(input, "pä s");
}

#[test]
fn entries_of_other_hosts_users_and_profiles_differ() {
    let of = |host, user, profile| KeyringEntry::new(host, user, profile);
    let entry = of("lab", "admin", "default");
    assert_eq!(entry, of("https://lab/", "admin", "default"));
    let others = [
        of("lab:8443", "admin", "default"),
        of("lab", "a", "default"),
        of("lab", "admin", "b"),
    ];
    for program in [Program::Security, Program::SecretTool] {
        assert!(
            others
                .iter()
                .all(|other| program.reading(other) != program.reading(&entry))
        );
    }
}

#[tokio::test]
async fn a_name_with_a_line_break_is_refused() {
    let error = KeyringEntry::new("lab", "x", "a\nb")
        .store("x")
        .await
        .unwrap_err();
    assert!(error.to_string().contains("control character"), "{error}");
}
