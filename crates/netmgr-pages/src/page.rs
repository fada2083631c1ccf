//! A page of a list or search: undecoded rows, cursor and count.

use std::sync::Arc;

use bytes::Bytes;
use netmgr_types::wire;
use serde_json::value::RawValue;

use crate::row::{Place, Row, Rows};
use crate::scan::{self, Scan};

/// A page with separate rows.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Page {
    /// The rows; may be empty.
    pub rows: Vec<Row>,
    /// Cursor of the next page. `None` if it was absent, null or empty.
    pub cursor: Option<String>,
    /// Number of rows of all pages that this page announces.
    pub result_count: Option<u64>,
}

impl Page {
    /// Decodes a list object or a bare array. The rows are parts of `body`.
    ///
    /// # Errors
    ///
    /// If `body` is not a page, or has more than 250,000 rows. A malformed row is not an error.
    pub fn read(body: &Bytes) -> Result<Self, serde_json::Error> {
        match Self::scan(body) {
            Some(page) => Ok(page),
            None => Self::decode(body),
        }
    }

    /// Reads a page of the usual form.
    fn scan(body: &Bytes) -> Option<Self> {
        let Scan {
            mut rows,
            mut members,
            list,
        } = scan::page(body)?;
        // A page stays in memory as long as one of its rows.
        rows.shrink_to_fit();
        members.shrink_to_fit();
        // The members beside the rows.
        let rest = [body.get(..list.start)?, b"[]", body.get(list.end..)?].concat();
        let rest = serde_json::from_slice(&rest).ok()?;
        let rows = Rows {
            places: rows,
            body: body.clone(),
            members,
        };
        Some(Self::of(rows, &rest))
    }

    /// Reads any page, and reports what is wrong with it.
    fn decode(body: &Bytes) -> Result<Self, serde_json::Error> {
        let page: wire::Page<'_> = serde_json::from_slice(body)?;
        let place = |row: &&RawValue| {
            let start = row.get().as_ptr() as usize - body.as_ptr() as usize;
            Place::read(body, start..start + row.get().len())
        };
        let rows = Rows {
            places: page.results.iter().map(place).collect(),
            body: body.clone(),
            members: Vec::new(),
        };
        Ok(Self::of(rows, &page))
    }

    fn of(rows: Rows, page: &wire::Page<'_>) -> Self {
        let rows = Arc::new(rows);
        let row = |number| Row {
            page: Arc::clone(&rows),
            number,
        };
        Self {
            rows: (0..rows.places.len()).map(row).collect(),
            cursor: page.cursor.clone(),
            result_count: page.result_count,
        }
    }
}

/// What the scanner accepts is what serde_json decodes, down to the members of the rows.
#[cfg(test)]
fn assert_scanned_as_decoded(body: &Bytes) {
    use netmgr_types::wire::{ManagerObject, MapRow, PolicyObject};
    use serde::{Deserialize, Deserializer};
    use serde_json::Value;

    /// A row of a map without what it borrows.
    #[derive(Debug, PartialEq)]
    struct OfMap(String);

    impl<'de> Deserialize<'de> for OfMap {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            MapRow::deserialize(deserializer).map(|row| Self(format!("{row:?}")))
        }
    }

    /// A row with a place for the members that are not fields.
    #[derive(Debug, PartialEq, Deserialize)]
    struct WithOthers {
        id: Option<Value>,
        #[serde(flatten)]
        others: Option<Value>,
    }

    let Some(scanned) = Page::scan(body) else { return };
    let decoded = Page::decode(body).expect("the scanner accepts pages only");
    assert_eq!(scanned.rows, decoded.rows);
    assert_eq!(
        (&scanned.cursor, scanned.result_count),
        (&decoded.cursor, decoded.result_count)
    );
    for (row, same) in scanned.rows.iter().zip(&decoded.rows) {
        assert_eq!(
            format!("{:?}", row.head()),
            format!("{:?}", same.head()),
            "{row:?}"
        );
        assert_decoded_as_its_text::<Value>(row);
        assert_decoded_as_its_text::<ManagerObject>(row);
        assert_decoded_as_its_text::<PolicyObject>(row);
        assert_decoded_as_its_text::<OfMap>(row);
        assert_decoded_as_its_text::<WithOthers>(row);
    }
}

#[cfg(test)]
fn assert_decoded_as_its_text<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(row: &Row) {
    let text = netmgr_types::object::from_slice::<T>(row.text());
    assert_eq!(
        row.decode::<T>().map_err(|error| error.to_string()),
        text.map_err(|error| error.to_string()),
        "{row:?}"
    );
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::progress::MOST_ROWS;

    fn page(text: &'static str) -> Page {
        Page::read(&Bytes::from_static(text.as_bytes())).unwrap()
    }

    #[test]
    fn rows_are_slices_of_the_body() {
        let body = Bytes::from_static(br#"{"results":[{"id":"a"}, {"id" : "b"}],"result_count":2}"#);
        let page = Page::read(&body).unwrap();
        let row = page.rows[1].text();
        assert_eq!(row, br#"{"id" : "b"}"#);
        assert!(body.as_ptr_range().contains(&row.as_ptr()));
    }

    #[test]
    fn a_row_decodes_on_its_own() {
        let page = page(r#"[{"id":"a"},"odd",["a"]]"#);
        let decode = |number: usize| page.rows[number].decode::<wire::ManagerObject>();
        assert_eq!(decode(0).unwrap().id, "a");
        assert!(decode(1).is_err());
        // A list of its members is not an object.
        assert!(decode(2).is_err());
    }

    /// Rows with everything that JSON has, and what is almost JSON.
    const ROWS: [&str; 36] = [
        r#"{"id":"a","display_name":"b","resource_type":"T","path":"/infra/a"}"#,
        "{ \"id\" :\t\"a\" ,\r\n\"tags\" : [ ] , \"more\" : { } }",
        r#"{"id":"a","id":"b"}"#,
        r#"{"id":"a","display_name":null,"marked_for_delete":null,"external_id":"x","node_uuid":"y"}"#,
        r#"{"id":7,"display_name":7}"#,
        r#"{"id":"a","resource_type":"\u0054","path":7,"marked_for_delete":true}"#,
        r#"{"$serde_json::private::RawValue":"7","id":"a"}"#,
        r#"{"id":1e999}"#,
        r#"{"id":"","path":["a"]}"#,
        r#"{"id":"\u00e9","display_name":"a\"b\\"}"#,
        r#"{"\u0069d":"a","id":"b"}"#,
        r#"{"id":"a","description":"\ud800"}"#,
        r#"{"id":"a","description":"\ud83d\ude00","x":"\ud800"}"#,
        r#"{"id":"a","description":"\u12g4"}"#,
        r#"{"id":"a","description":"\x"}"#,
        "{\"id\":\"a\",\"description\":\"a\nb\"}",
        r#"{"id":"a","x":[0,-0,1.5,-1e+5,2E-3,true,false,null,{"y":[[]]}]}"#,
        r#"{"id":"a","x":01}"#,
        r#"{"id":"a","x":-}"#,
        r#"{"id":"a","x":1.}"#,
        r#"{"id":"a","x":+1}"#,
        r#"{"id":"a","x":.5}"#,
        r#"{"id":"a","x":1e}"#,
        r#"{"id":"a","x":tru}"#,
        r#"{"id":"a","x":nulls}"#,
        r#"{"id":"a","x":[1,]}"#,
        r#"{"id":"a","x":[1}}"#,
        r#"{"id":"a",}"#,
        r#"{"id":"a" "x":1}"#,
        r#"{"id" "a"}"#,
        r#"{id:"a"}"#,
        r#"{"":"","id":"e\u0301é日本","display_name":"日本語の名前です、長い"}"#,
        "{}",
        "7",
        r#"["a",{"id":"b"}]"#,
        r#""text""#,
    ];

    #[test]
    fn what_is_scanned_is_what_serde_json_decodes() {
        let check = |text: String| assert_scanned_as_decoded(&Bytes::from(text));
        for row in ROWS {
            for other in ROWS {
                check(format!("[{row},{other}]"));
            }
            check(format!(
                r#" {{"sort_by":"id","results" : [{row}] ,"result_count":"3","cursor":"c"}} "#
            ));
            for other in ["[]", "null", "7", r#"{"id":"a"}"#] {
                for count in [0, 1] {
                    check(format!(
                        r#"{{"results":[{row}],"results":{other},"result_count":{count}}}"#
                    ));
                    check(format!(
                        r#"{{"results":{other},"results":[{row}],"result_count":{count}}}"#
                    ));
                }
            }
            check(format!(
                r#"{{"results":[{row}],"result_count":1,"result_count":2}}"#
            ));
            check(format!(r#"{{"results":[{row}],"r\u0065sults":[]}}"#));
            check(format!(r#"{{"x":{row},"results":null,"result_count":0}}"#));
            check(format!("[{row}]]"));
            check(format!("[{row}"));
            check(format!("[{row},]"));
        }
    }

    #[test]
    fn a_row_of_which_only_the_first_members_are_read_is_rejected() {
        let text = r#"[{"$serde_json::private::RawValue":"7","id":"a"}]"#;
        let page = Page::scan(&Bytes::from(text)).expect("a page of the usual form");
        let error = page.rows[0].decode::<serde_json::Value>().unwrap_err();
        assert!(error.to_string().starts_with("trailing comma"), "{error}");
    }

    #[test]
    fn usual_pages_are_scanned() {
        for (text, rows) in [
            (
                r#"{"results":[{"id":"a"},{"id":"b"}],"result_count":2,"cursor":"1"}"#,
                2,
            ),
            (" [\n  {\"id\": \"a\"}\n]\n", 1),
            (r#"{"results":[],"result_count":0}"#, 0),
        ] {
            let page = Page::scan(&Bytes::from(text)).expect(text);
            assert_eq!(page.rows.len(), rows);
        }
    }

    #[test]
    fn pages_that_are_nested_too_deeply_are_left_to_serde_json() {
        for depth in [10, 63, 64, 65, 66, 127, 128, 1000, 200_000] {
            let text = format!(r#"[{{"id":"a","x":{}{}}}]"#, "[".repeat(depth), "]".repeat(depth));
            let body = Bytes::from(text);
            assert_eq!(Page::scan(&body).is_some(), depth <= 65, "{depth}");
            if depth < 1000 {
                assert_scanned_as_decoded(&body);
            }
            assert_eq!(Page::read(&body).unwrap().rows.len(), 1);
        }
    }

    #[test]
    fn a_page_with_too_many_rows_is_rejected() {
        let page = |rows: usize| Bytes::from(format!("[{}]", vec!["7"; rows].join(",")));
        assert_eq!(Page::scan(&page(MOST_ROWS)).unwrap().rows.len(), MOST_ROWS);
        let error = Page::read(&page(MOST_ROWS + 1)).unwrap_err().to_string();
        assert!(error.starts_with("the page has more than 250000 rows"), "{error}");
    }

    #[test]
    fn invalid_utf8_is_left_to_serde_json() {
        let body = Bytes::from_static(b"[{\"id\":\"a\",\"x\":\"\xff\"}]");
        assert!(Page::scan(&body).is_none());
        assert!(Page::read(&body).is_err());
    }

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
            assert_scanned_as_decoded(&body);
            match Page::read(&body) {
                Ok(page) => format!("{} {:?}", page.rows.len(), page.result_count),
                Err(error) => error.to_string(),
            }
        });
    }

    proptest! {
        /// One byte of a page is another one, or the page ends there.
        #[test]
        fn prop_a_damaged_page_is_scanned_as_it_is_decoded(
            first in 0..ROWS.len(),
            second in 0..ROWS.len(),
            at in any::<prop::sample::Index>(),
            byte in prop::option::of(prop::sample::select(&b"\"\\{}[],:0-.eut \n\x1f\xc3a"[..])),
        ) {
            let page = format!(r#"{{"results":[{},{}],"result_count":2}}"#, ROWS[first], ROWS[second]);
            let mut body = page.into_bytes();
            let at = at.index(body.len());
            match byte {
                Some(byte) => body[at] = byte,
                None => body.truncate(at),
            }
            assert_scanned_as_decoded(&Bytes::from(body));
        }
    }
}
