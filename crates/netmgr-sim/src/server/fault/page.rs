//! Faults in the pages of lists and searches: cursors, counts, sizes and repeated objects.

use std::collections::HashMap;

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::api::{Answer, Call};
use crate::server::Backend;

/// The cursor after the last page. Real managers mark the end with cursors that start with `0000`
/// (manager-transport 6.3).
const DANGLING: &str = "0000dangling";

/// What goes wrong in pages. The default is nothing.
///
/// Only answers with an array `results` are pages; everything else is left as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageFaults {
    /// Wrong cursors.
    pub cursor: Option<CursorFault>,
    /// Wrong `result_count`.
    pub result_count: Option<ResultCountFault>,
    /// Pages of at most this many objects, whatever was asked for.
    pub page_size: Option<usize>,
    /// Every page after the first begins with the last object of the page before.
    pub duplicates: bool,
}

/// How a cursor is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorFault {
    /// The last page has a cursor, which leads to an empty page without one.
    Dangling,
    /// The last page, if it is not the first, repeats the cursor that led to it. All objects were sent by then.
    RepeatLast,
    /// Every page after the first repeats the cursor that led to it. What follows the second page is out of reach.
    Repeat,
}

/// How `result_count` is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultCountFault {
    /// No page has it.
    Absent,
    /// Half of the right number.
    TooSmall,
    /// More than double the right number.
    TooBig,
    /// Every page has it, each with one less than the page before.
    Shrinking,
}

/// What a page fault remembers of every list that it saw, by path and query without cursor.
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
    pub(crate) fn respond(&self, mut call: Call, backend: &dyn Backend, memory: &mut PageMemory) -> Answer {
        let list = list_name(&call);
        let cursor = parameter(&call, "cursor").map(str::to_owned);
        if self.cursor == Some(CursorFault::Dangling) && cursor.as_deref() == Some(DANGLING) {
            return Answer {
                status: StatusCode::OK,
                body: Some(json!({ "results": [] })),
            };
        }
        if let Some(size) = self.page_size {
            limit_page_size(&mut call, size);
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
        self.change_count(page, remembered);
        self.change_cursor(page, cursor);
        if self.duplicates {
            repeat_object(page, remembered);
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
        };
        match wrong {
            Some(wrong) => page.insert("result_count".to_owned(), wrong.into()),
            None => page.remove("result_count"),
        };
    }

    fn change_cursor(&self, page: &mut Map<String, Value>, asked: Option<String>) {
        let is_last = !page.contains_key("cursor");
        let wrong = match self.cursor {
            Some(CursorFault::Dangling) if is_last => Some(DANGLING.to_owned()),
            Some(CursorFault::RepeatLast) if is_last => asked,
            Some(CursorFault::Repeat) => asked,
            _ => None,
        };
        if let Some(wrong) = wrong {
            page.insert("cursor".to_owned(), wrong.into());
        }
    }
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

fn list_name(call: &Call) -> String {
    let mut name = call.path.clone();
    for (parameter, value) in call.query.iter().filter(|(parameter, _)| parameter != "cursor") {
        name.push_str(&format!("&{parameter}={value}"));
    }
    name
}

fn parameter<'a>(call: &'a Call, name: &str) -> Option<&'a str> {
    call.query
        .iter()
        .find(|(parameter, _)| parameter == name)
        .map(|(_, value)| value.as_str())
}

fn limit_page_size(call: &mut Call, limit: usize) {
    let asked = parameter(call, "page_size")
        .and_then(|size| size.parse().ok())
        .unwrap_or(limit);
    call.query.retain(|(parameter, _)| parameter != "page_size");
    call.query
        .push(("page_size".to_owned(), asked.min(limit).to_string()));
}
