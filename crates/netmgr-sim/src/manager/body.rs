//! Bodies as they are kept and sent: an object with its JSON text, and a page of such objects.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

/// The body of an object.
#[derive(Debug, Clone)]
pub(crate) enum ObjectBody {
    /// Decoded. Its JSON text is made once, when it is first sent.
    Decoded {
        /// The body.
        body: Value,
        /// Its JSON text.
        text: OnceLock<Box<str>>,
    },
    /// Only its JSON text, which takes a quarter of the memory: one of very many objects.
    Text(Box<str>),
}

impl ObjectBody {
    pub(crate) fn new(body: Value) -> Self {
        Self::Decoded {
            body,
            text: OnceLock::new(),
        }
    }

    /// A body that is stored as text and decoded for each use, unless it is nested too deeply for that.
    pub(crate) fn compact(body: &Value) -> Self {
        match depth(body) <= DEEPEST {
            true => Self::Text(body.to_string().into()),
            false => Self::new(body.clone()),
        }
    }

    /// The decoded body.
    pub(crate) fn body(&self) -> Cow<'_, Value> {
        match self {
            Self::Decoded { body, .. } => Cow::Borrowed(body),
            Self::Text(text) => Cow::Owned(serde_json::from_str(text).expect("the text of a value is JSON")),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Decoded { body, text } => text.get_or_init(|| body.to_string().into()),
            Self::Text(text) => text,
        }
    }
}

/// Deepest nesting that serde_json decodes.
const DEEPEST: usize = 127;

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// What a call reads.
#[derive(Debug)]
pub(crate) enum ResponseBody {
    /// One object.
    One(Value),
    /// A page of a list or search.
    Page {
        /// `results`
        rows: Vec<Arc<ObjectBody>>,
        /// The other members: `cursor`, `result_count`, ...
        rest: Map<String, Value>,
    },
}

impl From<Value> for ResponseBody {
    fn from(value: Value) -> Self {
        Self::One(value)
    }
}

impl ResponseBody {
    /// Removes a field of each row.
    pub(crate) fn remove(&mut self, field: &str) {
        let Self::Page { rows, .. } = self else { return };
        for row in rows {
            let mut body = row.body().into_owned();
            if let Value::Object(fields) = &mut body
                && fields.remove(field).is_some()
            {
                *row = Arc::new(ObjectBody::new(body));
            }
        }
    }

    /// The body, to be looked at or changed.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::One(value) => value,
            Self::Page { rows, mut rest } => {
                let rows = rows.iter().map(|row| row.body().into_owned()).collect();
                rest.insert("results".to_owned(), rows);
                Value::Object(rest)
            }
        }
    }

    /// The body, to be sent.
    pub(crate) fn into_text(self) -> String {
        let (rows, rest) = match self {
            Self::One(value) => return value.to_string(),
            Self::Page { rows, rest } => (rows, rest),
        };
        let length: usize = rows.iter().map(|row| row.text().len() + 1).sum();
        let mut text = String::with_capacity(length + 256);
        text.push_str("{\"results\":[");
        for (number, row) in rows.iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            text.push_str(row.text());
        }
        text.push(']');
        for (name, value) in &rest {
            write!(text, ",{}:{value}", Value::from(name.as_str())).expect("a String takes any text");
        }
        text.push('}');
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_of_any_depth_can_be_decoded() {
        let mut body = json!({});
        for depth in 1..200 {
            let row = ObjectBody::compact(&body);
            assert_eq!(*row.body(), body, "{depth}");
            assert_eq!(matches!(row, ObjectBody::Text(_)), depth <= DEEPEST, "{depth}");
            body = match depth % 2 {
                0 => json!({"x": body, "y": []}),
                _ => json!([body, 7]),
            };
        }
    }

    #[test]
    fn a_page_reads_the_same_as_value_and_as_text() {
        let cases = [&[][..], &["a"], &["a", "quote \" here"]];
        let made: [fn(Value) -> ObjectBody; 2] = [ObjectBody::new, |body| ObjectBody::compact(&body)];
        for (names, row) in cases.iter().flat_map(|names| made.map(|row| (names, row))) {
            let page = || ResponseBody::Page {
                rows: names
                    .iter()
                    .map(|name| Arc::new(row(json!({"display_name": name}))))
                    .collect(),
                rest: Map::from_iter([("result_count".to_owned(), json!(names.len()))]),
            };
            let text: Value = serde_json::from_str(&page().into_text()).unwrap();
            assert_eq!(text, page().into_value());
        }
    }
}
