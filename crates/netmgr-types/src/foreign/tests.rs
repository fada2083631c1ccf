use proptest::prelude::*;

use super::*;

fn secrets(text: &str) -> Secrets {
    std::iter::once(text).collect()
}

#[test]
fn a_secret_is_found_in_every_form_in_which_it_may_be_written() {
    let password = "P&ss w\"rd!+ä€\\/😀";
    for written in [
        "P&ss w\"rd!+ä€\\/😀",
        "P%26ss%20w%22rd%21%2B%C3%A4%E2%82%AC%5C%2F%F0%9F%98%80",
        "P%26ss+w%22rd!%2b%c3%a4%e2%82%ac%5c/%f0%9f%98%80",
        "P%2526ss%2520w%2522rd%2521%252B%25C3%25A4%25E2%2582%25AC%255C%252F%25F0%259F%2598%2580",
        r#"P&ss w\"rd!+ä€\\\/😀"#,
        r#"P\u0026ss w\u0022rd\u0021+\u00e4\u20AC\u005c/\ud83d\ude00"#,
        r#"P\\u0026ss w\\\"rd!+ä€\\\\/😀"#,
        "P&amp;ss w&quot;rd!+&#228;&#x20ac;\\/&#x1F600;",
        "P&ss w\"rd!+Ã¤â\u{82}¬\\/ð\u{9f}\u{98}\u{80}",
        "P&ss w\"rd!+??\\/?",
        "P&ss w\"rd!+\u{fffd}\u{fffd}\\/\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
        r#"P\&ss\ w\"rd\!\+ä€\\\/😀"#,
        r#"P\x26ss w\"rd!+\u{e4}\u{20ac}\\/\u{1f600}"#,
    ] {
        let shown = secrets(password).sanitized(&format!("login failed: j_password={written}; try again"));
        assert_eq!(
            shown, "login failed: j_password=[redacted]; try again",
            "{written}"
        );
    }
}

#[test]
fn a_text_that_only_resembles_a_secret_stays() {
    let secrets = secrets("tiger 7");
    for text in ["tiger", "tiger-7", "Tiger 7", "tiger%2", "%", "\\", "&#;"] {
        assert_eq!(secrets.sanitized(text), text);
    }
}

#[test]
fn a_secret_in_any_case_is_found_in_both() {
    let mut secrets = Secrets::default();
    secrets.add_in_any_case(" AB12-cd\n");
    for text in ["AB12-cd", "ab12-cd", "Ab12-CD", "%61b12-C%44", r"\u0061b12\-cd"] {
        assert_eq!(secrets.sanitized(text), REDACTED, "{text}");
    }
    assert_eq!(secrets.sanitized("ab13-cd"), "ab13-cd");
    assert!(!secrets.is_empty());
}

#[test]
fn a_word_is_not_found_inside_another() {
    let mut secrets = Secrets::default();
    secrets.add_word("ed");
    secrets.add_word("a/b");
    assert_eq!(
        secrets.redacted(r#"needed: "ed" or id:ed at /infra/ed/a%2Fb, x%20ed\ned and edge (ed2, ed)"#),
        r#"needed: "[redacted]" or id:[redacted] at /infra/[redacted]/[redacted], x%20[redacted]\n[redacted] and edge (ed2, [redacted])"#
    );
}

#[test]
fn of_secrets_that_begin_alike_the_longest_is_replaced() {
    let secrets: Secrets = ["pool", "pool-1"].into_iter().collect();
    assert_eq!(secrets.sanitized("pool-1 or pool"), "[redacted] or [redacted]");
}

#[test]
fn blank_texts_are_no_secrets_and_white_space_around_one_is_no_part_of_it() {
    let secrets: Secrets = ["", " \n", " key\n"].into_iter().collect();
    assert_eq!(secrets.sanitized("a key b"), "a [redacted] b");
}

#[test]
fn control_characters_and_those_that_turn_the_writing_are_escaped() {
    assert_eq!(
        sanitized("a\u{1b}[2Jb\u{9b}c\u{202e}d\u{200b}e\tf\u{7f}"),
        r"a\u{1b}[2Jb\u{9b}c\u{202e}d\u{200b}e\tf\u{7f}"
    );
    assert_eq!(sanitized("grün 緑 😀"), "grün 緑 😀");
}

#[test]
fn further_lines_are_indented_so_that_none_looks_like_ours() {
    assert_eq!(
        sanitized("\nfirst\r\nerror: forged\n\n  \n\tthird\n"),
        "first\n    error: forged\n    third"
    );
}

#[test]
fn a_text_is_cut_at_2_kib_between_characters() {
    let shown = sanitized(&"ü".repeat(5000));
    assert!(
        shown.len() <= LONGEST && shown.len() > LONGEST - 4,
        "{}",
        shown.len()
    );
    assert!(shown.ends_with("ü…"));
    assert_eq!(Secrets::default().sanitized_within("abcdef", 5), "ab…");
    assert_eq!(Secrets::default().sanitized_within("abcde", 5), "abcde");
    assert_eq!(Secrets::default().sanitized_within("abc", 2), "");
}

#[test]
fn a_secret_is_found_where_the_examined_text_ends() {
    let password = "correct horse battery staple";
    let text = format!("{}{password}", "x".repeat(EXAMINED - 10));
    let shown = secrets(password).sanitized_within(&text, 2 * EXAMINED);
    assert!(shown.ends_with("x[redacted]…"), "{}", &shown[shown.len() - 40..]);
}

#[test]
fn a_huge_text_is_cut_like_any_other() {
    let text = "x".repeat(64 << 20);
    assert_eq!(secrets("secret").sanitized(&text).len(), LONGEST);
}

#[test]
fn a_sentence_of_ours_keeps_its_form_without_the_secrets_that_it_quotes() {
    let text = "no pool has id \"blue/2\"\n  hint: blue%2F2";
    assert_eq!(
        secrets("blue/2").redacted(text),
        "no pool has id \"[redacted]\"\n  hint: [redacted]"
    );
}

#[test]
fn a_secret_that_was_cut_before_is_found_by_its_beginning() {
    let secrets = secrets("blue/2");
    assert_eq!(secrets.redacted("pool blu… is gone"), "pool [redacted]… is gone");
    assert_eq!(
        secrets.redacted("pool blue%2… is gone"),
        "pool [redacted]… is gone"
    );
    assert_eq!(secrets.redacted("blurred…"), "blurred…");
}

#[test]
fn lines_are_kept_or_escaped_as_asked_for() {
    assert_eq!(one_line("a\nb\u{1b}"), r"a\nb\u{1b}");
    assert_eq!(lines("a\n  b\u{1b}\n"), "a\n  b\\u{1b}\n");
}

#[test]
fn debug_does_not_show_them() {
    assert_eq!(format!("{:?}", secrets("tiger")), "Secrets(1)");
}

/// Every character in the form that `which` selects for it.
fn written(secret: &str, which: &[u8]) -> String {
    let forms = secret.chars().zip(which.iter().cycle());
    forms
        .map(|(letter, form)| {
            let mut utf8 = [0; 4];
            let bytes = letter.encode_utf8(&mut utf8).bytes();
            match form % 7 {
                0 => bytes.map(|byte| format!("%{byte:02X}")).collect(),
                1 => {
                    let mut units = [0; 2];
                    let units = letter.encode_utf16(&mut units);
                    units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
                }
                2 => format!("&#{};", u32::from(letter)),
                3 => {
                    let json = serde_json::to_string(&letter).unwrap();
                    json[1..json.len() - 1].to_owned()
                }
                4 if letter == ' ' => "+".to_owned(),
                5 => bytes.map(|byte| format!("%25{byte:02x}")).collect(),
                _ => letter.to_string(),
            }
        })
        .collect()
}

/// Secrets without brackets, because their replacement has brackets.
fn secret() -> impl Strategy<Value = String> {
    "[!-Z^-~\\\\ äß€😀]{2,20}".prop_filter("not blank", |text| text.trim() == text)
}

proptest! {
    #[test]
    fn prop_no_secret_survives(
        secret in secret(),
        which in prop::collection::vec(any::<u8>(), 1..8),
        before in "(?s).{0,40}",
        after in "(?s).{0,40}",
    ) {
        let written = written(&secret, &which);
        let shown = secrets(&secret).sanitized(&format!("{before}{written}{after}"));
        // The replacement may contain a short secret.
        let shown = shown.replace(REDACTED, "\u{0}");
        prop_assert!(!shown.contains(&written), "{shown:?} has {written:?}");
        prop_assert!(!shown.contains(&secret), "{shown:?} has {secret:?}");
    }

    #[test]
    fn prop_what_is_shown_is_short_legible_and_shown_again_as_it_is(
        secret in secret(),
        text in "(?s)([\\PC\n\r\t ]|.|\u{202e}|password|\\[redacted\\]){0,400}",
        limit in 3_usize..600,
    ) {
        let secrets = secrets(&secret);
        let shown = secrets.sanitized_within(&text, limit);
        prop_assert!(shown.len() <= limit);
        prop_assert!(!shown.chars().any(|letter| letter != '\n' && steers(letter)), "{shown:?}");
        prop_assert!(shown.split('\n').skip(1).all(|line| line.starts_with("    ")), "{shown:?}");
        prop_assert_eq!(secrets.sanitized_within(&shown, limit), shown);
    }
}
