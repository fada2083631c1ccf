//! Tests of the formats. The layout of tables is tested in its own file.

use anstyle::{Reset, Style};
use netmgr_types::foreign;
use serde_json::json;

use super::json::json;
use super::*;

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn table_of(value: &Value) -> String {
    plain(&table::object(value, &[], None))
}

#[test]
fn a_table_aligns_names_and_values() {
    let value =
        json!({ "displayName": "edge", "id": "e-1", "memberIndex": 0, "dfwEnabled": true, "path": "" });
    insta::assert_snapshot!(table_of(&value));
}

#[test]
fn a_map_is_two_columns_below_its_name() {
    let value = json!({ "id": "x", "items": { "blue": "1", "grün & weiß": "2", "緑": "3" } });
    insta::assert_snapshot!(table_of(&value));
    assert_eq!(table_of(&json!({ "items": {} })), "items  (empty)\n");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let value = json!({ "displayName": "a\u{1b}[2Jb\nc\u{9b}\u{202e}" });
    assert_eq!(
        table_of(&value),
        "displayName  a\\u{1b}[2Jb\\nc\\u{9b}\\u{202e}\n"
    );
    for text in [json(&value), json_line(&value)] {
        assert!(text.contains(r#""a\u001b[2Jb\nc\u009b\u202e""#), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}

#[test]
fn control_characters_of_results_and_their_names_do_not_reach_the_terminal() {
    let evil = "\u{1b}]0;x\u{7}\u{202e}";
    for value in [
        json!({ evil: 1 }),
        json!({ evil: { "a": 1 } }),
        json!([{ evil: 1 }]),
        json!(evil),
        json!([evil]),
    ] {
        // Names, comma-separated values and lines are written by a separate function.
        let formats = Format::value_variants().iter();
        for format in formats.filter(|format| !matches!(format, Format::Csv | Format::Name)) {
            let output = Printer {
                format: *format,
                filter: None,
                fields: Vec::new(),
                is_raw: false,
            };
            if output.is_lines(&value) {
                continue;
            }
            let styles = [Style::new().bold().to_string(), Reset.render().to_string()];
            let text = output.text(&value, &[]);
            let text = styles.iter().fold(text, |text, style| text.replace(style, ""));
            assert!(
                text.chars()
                    .all(|letter| letter == '\n' || !foreign::steers(letter)),
                "{format:?}: {text:?}"
            );
        }
    }
}

#[test]
fn json_is_the_object_alone() {
    assert_eq!(json(&json!({ "id": "x" })), "{\n  \"id\": \"x\"\n}\n");
    assert_eq!(json_line(&json!({ "id": "x" })), "{\"id\":\"x\"}\n");
}

#[cfg(feature = "yaml")]
#[test]
fn yaml_reads_back_as_the_same_value() {
    let value =
        json!({ "id": "0123", "on": "yes", "text": "a: b # c\nd", "n": 1.5, "none": "", "tilde": "~" });
    let back: Value = serde_saphyr::from_str(&yaml(&value)).unwrap();
    assert_eq!(back, value);
    for text in ["\n", "\n\n", "\nx\n", " \n", "x\n\n", "x\n", "\n x"] {
        let value = json!({ "a": text, "b": [text] });
        let printed = yaml(&value);
        let back: Value = serde_saphyr::from_str(&printed).unwrap();
        assert_eq!(back, value, "{printed}");
    }
    for text in [
        "2024-01-01",
        "2001-12-14t21:59:43.10-05:00",
        "<<",
        "=",
        "12:30:45",
        "1_000",
        "0x1_F",
        "No",
        "y",
    ] {
        assert_eq!(yaml(&json!({ "a": text })), format!("a: {text:?}\n"));
        assert!(
            yaml(&json!({ text: "a" })).contains(&format!("{text:?}: ")),
            "{text}"
        );
    }
    for text in [
        "\u{1f469}\u{200d}\u{1f4bb}",
        "a\u{202e}b\nc",
        "\u{1b}[31m",
        "\u{feff}x",
        "\"\u{feff}",
        "\\uFEFF",
        "\t",
    ] {
        let value = json!({ text: text, "list": [text, { text: 1 }] });
        let printed = yaml(&value);
        assert_eq!(
            serde_saphyr::from_str::<Value>(&printed).unwrap(),
            value,
            "{printed}"
        );
        let steers = |letter| letter != '\n' && foreign::steers(letter);
        assert!(!printed.contains(steers), "{printed}");
    }
    assert_eq!(
        yaml(&json!({ "a\u{200d}b": "\u{202e}" })),
        "\"a\\U0000200db\": \"\\U0000202e\"\n"
    );
    assert_eq!(yaml(&json!({ "2b1c-0d": "v1.2" })), "2b1c-0d: v1.2\n");
    let pem = json!({ "pem": "-----BEGIN\nMII\n" });
    assert_eq!(yaml(&pem), "pem: |\n  -----BEGIN\n  MII\n");
}

#[test]
fn fields_reach_into_objects_and_unknown_ones_are_refused() {
    let known = ["displayName", "context"].map(str::to_owned);
    let wanted = |field: &str| [field.to_owned()];
    let object = json!({ "displayName": "x", "context": { "projectId": "dev" } });
    assert!(fields::check(FIELDS, &wanted("context.projectId"), &known).is_ok());
    assert_eq!(
        fields::keep(&object, &wanted("context.projectId")),
        json!({ "context.projectId": "dev" })
    );
    let error = fields::check(FIELDS, &wanted("displayNam"), &known)
        .unwrap_err()
        .report();
    assert_eq!(
        error,
        "error: --fields: there is no field \"displayNam\"\n  hint: did you mean `displayName`?"
    );
}

#[test]
fn the_name_of_a_row_is_the_most_readable_one() {
    assert_eq!(rows::name(&json!({ "id": "1", "displayName": "blue" })), "blue\n");
    assert_eq!(rows::name(&json!({ "id": "1", "displayName": "" })), "1\n");
    assert_eq!(rows::name(&json!({ "function": "ip-pool" })), "ip-pool\n");
    assert_eq!(rows::name(&json!({ "n": 1 })), "1\n");
    assert_eq!(rows::name(&json!({ "n": 1, "m": 2 })), "{\"m\":2,\"n\":1}\n");
    assert_eq!(rows::name(&json!({ "id": "two\r\nlines" })), "two\\r\\nlines\n");
    assert_eq!(rows::name(&json!("x")), "x\n");
}
