//! Tests of `page.rs`.

use super::*;

fn page(text: &str) -> Page<'_> {
    serde_json::from_str(text).unwrap()
}

#[test]
fn rows_stay_as_they_came() {
    let page = page(r#"{"results":[{"id" : "a"}, 7],"result_count":2,"cursor":"2","sort_by":"id"}"#);
    let rows: Vec<&str> = page.results.iter().map(|row| row.get()).collect();
    assert_eq!(rows, [r#"{"id" : "a"}"#, "7"]);
    assert_eq!(page.result_count, Some(2));
    assert_eq!(page.cursor.as_deref(), Some("2"));
}

#[test]
fn a_bare_array_is_the_only_page() {
    let page = page(r#" [{"id":"a"},{"id":"b"}]"#);
    assert_eq!(page.results.len(), 2);
    assert_eq!(page.result_count, None);
    assert_eq!(page.cursor, None);
}

#[test]
fn an_object_without_results_is_a_page_only_when_it_counts_none() {
    for text in [
        r#"{"result_count":0}"#,
        r#"{"results":null,"result_count":"0","cursor":null}"#,
    ] {
        assert!(page(text).results.is_empty(), "{text}");
    }
    for text in [
        "{}",
        r#"{"results":null,"result_count":null,"cursor":null}"#,
        r#"{"redirectUrl":"/login.jsp"}"#,
        r#"{"result_count":1}"#,
    ] {
        let error = serde_json::from_str::<Page<'_>>(text).unwrap_err();
        assert!(
            error.to_string().starts_with("missing field `results`"),
            "{error}"
        );
    }
}

#[test]
fn counts_and_cursors_are_read_as_number_or_text() {
    for (value, count, cursor) in [
        ("12", Some(12), Some("12")),
        (r#""12""#, Some(12), Some("12")),
        (r#""0003a\u00e9""#, None, Some("0003aé")),
        (r#""""#, None, None),
        ("-1", None, Some("-1")),
        (
            "123456789012345678901234567890",
            None,
            Some("123456789012345678901234567890"),
        ),
        ("1e999", None, Some("1e999")),
        (r#""\ud800""#, None, None),
        ("true", None, None),
        ("{}", None, None),
    ] {
        let text = format!(r#"{{"results":[],"result_count":{value},"cursor":{value}}}"#);
        let page = page(&text);
        assert_eq!(
            (page.result_count, page.cursor.as_deref()),
            (count, cursor),
            "{value}"
        );
    }
}

#[test]
fn the_rest_of_a_page_with_too_many_rows_is_not_read() {
    let rows = vec!["7"; Page::MOST_ROWS].join(",");
    assert_eq!(page(&format!("[{rows}]")).results.len(), Page::MOST_ROWS);
    for text in [format!("[{rows},7,"), format!(r#"{{"results":[{rows},7,"#)] {
        let error = serde_json::from_str::<Page<'_>>(&text).unwrap_err().to_string();
        assert!(error.starts_with("the page has more than 250000 rows"), "{error}");
    }
}

#[test]
fn other_values_are_not_pages() {
    for text in ["7", r#""text""#, "null", r#"{"results":{}}"#, r#"{"results":[{"#] {
        assert!(serde_json::from_str::<Page<'_>>(text).is_err(), "{text}");
    }
}
