//! Faults in the pages of lists and searches: cursors, counts, sizes and repeated objects.

use std::collections::HashMap;

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::api::{ApiRequest, ApiResponse, Backend};

/// The cursor after the last page. Real managers mark the end with cursors that start with `0000`.
const DANGLING: &str = "0000dangling";
/// Prefix of cursors that lead to the last page again. The cursor of that page follows after a colon.
const BEYOND: &str = "beyond-";

/// Faults of pages. None by default.
///
/// Only responses with an array `results` are pages; others are not changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PageFaults {
    /// Wrong cursors.
    pub(super) cursor: Option<CursorFault>,
    /// Wrong `result_count`.
    pub(super) result_count: Option<ResultCountFault>,
    /// Pages of at most this many objects if a larger `page_size` was requested.
    pub(super) page_size: Option<usize>,
    /// Every page after the first begins with the last object of the page before.
    pub(super) duplicates: bool,
    /// Every page begins with an object whose fields have wrong types.
    pub(super) malformed: bool,
}

/// Fault of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorFault {
    /// The last page has a cursor, which leads to an empty page without one.
    Dangling,
    /// The last page, if it is not the first, repeats the cursor that led to it. All objects were sent by then.
    RepeatLast,
    /// Every page after the first repeats the cursor that led to it. Pages after the second cannot be
    /// reached.
    Repeat,
    /// Every page has a new cursor. The last page is repeated indefinitely.
    Endless,
    /// Like [`Self::Endless`], with new ids and names in each repetition.
    Growing,
}

/// Fault of `result_count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultCountFault {
    /// No page has it.
    Absent,
    /// Half of the right number.
    TooSmall,
    /// More than double the right number.
    TooBig,
    /// Every page has it, each with one less than the page before.
    Shrinking,
    /// Every page has it, each with one more than the page before.
    Growing,
}

/// State of page faults for each list, by path and query without the cursor.
#[derive(Debug, Default)]
pub(crate) struct PageMemory {
    lists: HashMap<String, ListMemory>,
}

#[derive(Debug, Default)]
struct ListMemory {
    first_count: u64,
    pages: u64,
    last_object: Option<Value>,
}

impl PageFaults {
    pub(crate) fn respond(
        &self,
        mut call: ApiRequest,
        backend: &dyn Backend,
        memory: &mut PageMemory,
    ) -> ApiResponse {
        let list = list_name(&call);
        let cursor = parameter(&call, "cursor").map(str::to_owned);
        if self.cursor == Some(CursorFault::Dangling) && cursor.as_deref() == Some(DANGLING) {
            return ApiResponse {
                status: StatusCode::OK,
                body: Some(json!({ "results": [] })),
            };
        }
        if let Some(size) = self.page_size {
            limit_page_size(&mut call, size);
        }
        let beyond = cursor.as_deref().and_then(beyond);
        if let Some(last) = beyond {
            set_cursor(&mut call, last);
        }
        let mut answer = backend.respond(&call);
        let Some(Value::Object(page)) = &mut answer.body else {
            return answer;
        };
        if !page.get("results").is_some_and(Value::is_array) {
            return answer;
        }
        let remembered = memory.lists.entry(list).or_default();
        if cursor.is_none() {
            *remembered = ListMemory::default();
        }
        if beyond.is_some() && self.cursor == Some(CursorFault::Growing) {
            rename_objects(page, remembered.pages);
        }
        let is_last = is_last(page);
        self.change_count(page, remembered);
        if is_last || self.cursor == Some(CursorFault::Repeat) {
            self.change_cursor(page, cursor, remembered.pages);
        }
        if self.duplicates {
            repeat_object(page, remembered);
        }
        if self.malformed
            && let Some(Value::Array(results)) = page.get_mut("results")
        {
            results.insert(0, malformed());
        }
        remembered.pages += 1;
        answer
    }

    fn change_count(&self, page: &mut Map<String, Value>, remembered: &mut ListMemory) {
        let Some(fault) = self.result_count else { return };
        let count = page.get("result_count").and_then(Value::as_u64);
        if let Some(count) = count
            && remembered.pages == 0
        {
            remembered.first_count = count;
        }
        let wrong = match fault {
            ResultCountFault::Absent => None,
            ResultCountFault::TooSmall => count.map(|count| count / 2),
            ResultCountFault::TooBig => count.map(|count| count * 2 + 1),
            ResultCountFault::Shrinking => Some(remembered.first_count.saturating_sub(remembered.pages)),
            ResultCountFault::Growing => Some(remembered.first_count + remembered.pages),
        };
        match wrong {
            Some(wrong) => page.insert("result_count".to_owned(), wrong.into()),
            None => page.remove("result_count"),
        };
    }

    fn change_cursor(&self, page: &mut Map<String, Value>, asked: Option<String>, pages: u64) {
        let wrong = match self.cursor {
            Some(CursorFault::Dangling) => Some(DANGLING.to_owned()),
            Some(CursorFault::RepeatLast | CursorFault::Repeat) => asked,
            Some(CursorFault::Endless | CursorFault::Growing) => {
                let asked = asked.as_deref().unwrap_or_default();
                let last = beyond(asked).unwrap_or(asked);
                Some(format!("{BEYOND}{pages}:{last}"))
            }
            None => None,
        };
        if let Some(wrong) = wrong {
            page.insert("cursor".to_owned(), wrong.into());
        }
    }
}

/// Whether no page follows. The last page of a search has its total as the cursor.
fn is_last(page: &Map<String, Value>) -> bool {
    let Some(cursor) = page.get("cursor").and_then(Value::as_str) else {
        return true;
    };
    let total = page.get("result_count").and_then(Value::as_u64);
    total.is_some_and(|total| cursor.parse() == Ok(total))
}

fn repeat_object(page: &mut Map<String, Value>, remembered: &mut ListMemory) {
    let Some(Value::Array(results)) = page.get_mut("results") else {
        return;
    };
    let last = results.last().cloned();
    if let Some(earlier) = remembered.last_object.take() {
        results.insert(0, earlier);
    }
    remembered.last_object = last;
}

/// Gives every object an id, a path and a name that no other has.
fn rename_objects(page: &mut Map<String, Value>, number: u64) {
    let Some(Value::Array(results)) = page.get_mut("results") else {
        return;
    };
    for object in results.iter_mut().filter_map(Value::as_object_mut) {
        for field in ["id", "external_id", "node_uuid", "path", "display_name"] {
            if let Some(Value::String(text)) = object.get_mut(field) {
                text.push_str(&format!("-{number}"));
            }
        }
    }
}

/// An object with only malformed fields, including its name.
fn malformed() -> Value {
    json!({ "id": { "not": "an id" }, "external_id": [], "display_name": 7, "path": false })
}

fn list_name(call: &ApiRequest) -> String {
    let mut name = call.path.clone();
    for (parameter, value) in call.query.iter().filter(|(parameter, _)| parameter != "cursor") {
        name.push_str(&format!("&{parameter}={value}"));
    }
    name
}

fn parameter<'a>(call: &'a ApiRequest, name: &str) -> Option<&'a str> {
    call.query
        .iter()
        .find(|(parameter, _)| parameter == name)
        .map(|(_, value)| value.as_str())
}

/// The cursor of the last page, empty when it was the first; none when `cursor` does not lead there once more.
fn beyond(cursor: &str) -> Option<&str> {
    let (_, last) = cursor.strip_prefix(BEYOND)?.split_once(':')?;
    Some(last)
}

fn set_cursor(call: &mut ApiRequest, cursor: &str) {
    call.query.retain(|(parameter, _)| parameter != "cursor");
    if !cursor.is_empty() {
        call.query.push(("cursor".to_owned(), cursor.to_owned()));
    }
}

/// Only affects lists with a requested page size.
fn limit_page_size(call: &mut ApiRequest, limit: usize) {
    for (parameter, value) in &mut call.query {
        if parameter == "page_size" {
            let asked = value.parse().unwrap_or(limit);
            *value = asked.min(limit).to_string();
        }
    }
}
