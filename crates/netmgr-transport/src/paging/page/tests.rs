use netmgr_types::wire::ManagedObject;

use super::*;

fn page(text: &'static [u8]) -> RowPage {
    RowPage::read(&Bytes::from_static(text)).unwrap()
}

#[test]
fn rows_are_slices_of_the_body() {
    let body = Bytes::from_static(br#"{"results":[{"id":"a"}, {"id" : "b"}],"result_count":2}"#);
    let page = RowPage::read(&body).unwrap();
    let row = page.rows[1].text();
    assert_eq!(row, br#"{"id" : "b"}"#);
    assert!(body.as_ptr_range().contains(&row.as_ptr()));
}

#[test]
fn a_row_that_cannot_be_decoded_fails_alone() {
    for odd in [
        r#""odd""#,
        r#"["a"]"#,
        r#"{"id":"\ud800"}"#,
        r#"{"id":"a","id":"b"}"#,
    ] {
        let body = Bytes::from(format!(r#"[{{"id":"a"}},{odd},{{"id":"c"}}]"#));
        let rows = RowPage::read(&body).unwrap().rows;
        let ids = rows
            .iter()
            .map(|row| row.decode::<ManagedObject>().ok().map(|row| row.id().to_owned()));
        let ids: Vec<_> = ids.collect();
        assert_eq!(ids, [Some("a".to_owned()), None, Some("c".to_owned())], "{odd}");
    }
}

#[test]
fn a_row_that_is_not_utf8_fails_alone() {
    let page = page(b"{\"results\":[{\"id\":\"a\xc3\"},{\"id\":\"b\xe9\"},{\"id\":\"c\"}],\"cursor\":\"x\"}");
    assert!(page.rows[0].decode::<ManagedObject>().is_err());
    assert_eq!(page.rows[1].text(), b"{\"id\":\"b\xe9\"}");
    assert_eq!(page.rows[2].decode::<ManagedObject>().unwrap().id(), "c");
    assert_eq!(page.cursor.as_deref(), Some("x"));
}

#[test]
fn a_byte_that_is_not_utf8_does_not_end_an_escape() {
    let page = page(b"[{\"id\":\"a\\\xff\"},{\"id\":\"\\u00\xff0\"},{\"id\":\"c\"}]");
    let ids = page.rows.iter().map(|row| row.decode::<ManagedObject>().is_ok());
    assert_eq!(ids.collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn a_page_with_too_many_rows_is_rejected() {
    let page = |rows: usize| Bytes::from(format!("[{}]", vec!["7"; rows].join(",")));
    assert_eq!(
        RowPage::read(&page(RowPage::MOST_ROWS)).unwrap().rows.len(),
        RowPage::MOST_ROWS
    );
    let error = RowPage::read(&page(RowPage::MOST_ROWS + 1))
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("the page has more than 250000 rows"), "{error}");
}

/// Rows are parts of their page, regardless of its contents.
#[test]
fn fuzz_pages() {
    let words = [
        "{\"results\":[",
        "],\"cursor\":\"",
        "\"result_count\":",
        "{\"id\":\"a\"},",
        "\"display_name\":",
        "\"path\":",
        "\\u00e9",
        "null",
    ];
    fuzz_testing::fuzz("pages", &words, |input| {
        let body = Bytes::copy_from_slice(input);
        match RowPage::read(&body) {
            Ok(page) => {
                for row in &page.rows {
                    assert!(body.as_ptr_range().contains(&row.text().as_ptr()));
                    // An object that has each field once has a head.
                    if let Ok(object) = row.decode::<serde_json::Value>() {
                        let row = Row::new(object.to_string().into());
                        assert!(row.head().is_some(), "{row:?}");
                    }
                }
                format!("{} {:?}", page.rows.len(), page.result_count)
            }
            Err(error) => error.to_string(),
        }
    });
}
