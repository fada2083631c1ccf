//! Rows of a list or search: parts of their page that are not decoded yet.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use netmgr_types::object;
use netmgr_types::wire::RowHead;
use serde::de::DeserializeOwned;

use crate::identity::Identity;
use crate::members::Members;
use crate::scan::Member;

/// An object of a list or search as JSON text.
///
/// A part of its page, which it keeps in memory.
#[derive(Clone)]
pub struct Row {
    pub(crate) page: Arc<Rows>,
    pub(crate) number: usize,
}

/// The rows of a page.
pub(crate) struct Rows {
    pub(crate) body: Bytes,
    pub(crate) places: Vec<Place>,
    /// Members of all rows.
    pub(crate) members: Vec<Member>,
}

/// Where a row is in its page, and what was found there, so that it is read only once.
#[derive(Debug)]
pub(crate) struct Place {
    /// Its bytes.
    pub(crate) text: Range<usize>,
    /// Its members. `None` if it is not an object, or one of an unusual form.
    pub(crate) members: Option<Range<u32>>,
    pub(crate) head: Head,
}

/// The fields of a [`RowHead`].
#[derive(Debug)]
pub(crate) enum Head {
    /// The bytes of the row between these positions, in the order of [`Head::field`].
    Within([Range<u32>; Head::FIELDS]),
    /// Their texts, in the same order. `None` if the row is not an object that can be read.
    Read(Option<Box<[String; Head::FIELDS]>>),
}

impl Row {
    /// The row with this text.
    #[must_use]
    pub fn new(text: Bytes) -> Self {
        let rows = Rows {
            places: vec![Place::read(&text, 0..text.len())],
            body: text,
            members: Vec::new(),
        };
        Self {
            page: Arc::new(rows),
            number: 0,
        }
    }

    fn place(&self) -> &Place {
        &self.page.places[self.number]
    }

    /// Its JSON text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.page.body[self.place().text.clone()]
    }

    /// The fields that identify it; none when it is not an object that can be read.
    #[must_use]
    pub fn head(&self) -> Option<RowHead<'_>> {
        let fields = self.fields()?;
        let [resource_type, path, id, external_id, node_uuid, display_name] =
            fields.map(|field| Cow::Borrowed(std::str::from_utf8(field).unwrap_or_default()));
        Some(RowHead {
            resource_type,
            path,
            id,
            external_id,
            node_uuid,
            display_name,
        })
    }

    /// Decodes the row, which must be a JSON object.
    ///
    /// # Errors
    ///
    /// If the row is not a valid object of type `T`. Other rows may still be valid.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        if let Some(Range { start, end }) = self.place().members
            && let members = &self.page.members[start as usize..end as usize]
            && let Ok(decoded) = T::deserialize(Members::new(self.text(), members))
        {
            return Ok(decoded);
        }
        // Errors name the place in the row.
        object::from_slice(self.text())
    }

    /// What it is recognized by on other pages.
    pub(crate) fn identity(&self) -> Identity<'_> {
        self.fields()
            .and_then(Identity::named)
            .unwrap_or_else(|| Identity::Text(self.text()))
    }

    /// The texts of the fields, in the order of [`Head::field`].
    fn fields(&self) -> Option<[&[u8]; Head::FIELDS]> {
        let row = self.text();
        Some(match &self.place().head {
            Head::Within(places) => places.each_ref().map(|place| {
                row.get(place.start as usize..place.end as usize)
                    .unwrap_or_default()
            }),
            Head::Read(texts) => texts.as_deref()?.each_ref().map(String::as_bytes),
        })
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Row {}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row({})", self.text().escape_ascii())
    }
}

impl Place {
    /// A row that is decoded by serde_json.
    pub(crate) fn read(body: &[u8], text: Range<usize>) -> Self {
        Self {
            head: Head::read(&body[text.clone()]),
            text,
            members: None,
        }
    }
}

impl Head {
    /// Number of fields.
    pub(crate) const FIELDS: usize = 6;

    /// The number of a field.
    #[inline]
    pub(crate) fn field(name: &[u8]) -> Option<usize> {
        Some(match name {
            b"resource_type" => 0,
            b"path" => 1,
            b"id" => 2,
            b"external_id" => 3,
            b"node_uuid" => 4,
            b"display_name" => 5,
            _ => return None,
        })
    }

    /// Reads a row that can have any form.
    #[cold]
    pub(crate) fn read(row: &[u8]) -> Self {
        let fields = RowHead::of(row).map(|head| {
            [
                head.resource_type,
                head.path,
                head.id,
                head.external_id,
                head.node_uuid,
                head.display_name,
            ]
        });
        Self::Read(fields.map(|fields| Box::new(fields.map(Cow::into_owned))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_printed_with_its_text() {
        assert_eq!(
            format!("{:?}", Row::new(Bytes::from_static(b"[7]\n"))),
            "Row([7]\\n)"
        );
    }

    #[test]
    fn a_head_is_what_the_row_has_also_with_escapes() {
        let row = Row::new(Bytes::from_static(
            br#"{"id":"a","display_name":"d\u00e9","path":"","resource_type":"T"}"#,
        ));
        let head = row.head().unwrap();
        assert_eq!((&*head.id, head.name(), &*head.path), ("a", "d\u{e9}", ""));
        assert_eq!(&*head.resource_type, "T");
        assert!(Row::new(Bytes::from_static(b"7")).head().is_none());
    }
}
