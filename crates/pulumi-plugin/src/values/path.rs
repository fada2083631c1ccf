//! Paths of properties: `subnetIds[0]`, `proxyIngressConfig.nlbTargetType`, `tags["a.b"]`.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::values::Value;

/// One step of a [`PropertyPath`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// A member of an object.
    Key(String),
    /// An element of an array, from 0.
    Index(usize),
    /// Every member or element; for options such as `ignoreChanges`.
    Wildcard,
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<String> for Segment {
    fn from(key: String) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// A path from a property bag to a value in it. The empty path is the bag itself.
///
/// Parsed and printed like in the engine. A key that ends with a backslash and requires quotes is ambiguous
/// in the engine's notation and is not parsed as printed, and neither is one with control characters, which are printed
/// as escape sequences. A key `*` is parsed as the wildcard.
///
/// ```
/// use pulumi_plugin::values::PropertyPath;
///
/// let path = PropertyPath::from("nodeGroups").join(2).join("labels").join("example.com/role");
/// assert_eq!(path.to_string(), r#"nodeGroups[2].labels["example.com/role"]"#);
/// assert_eq!(path.to_string().parse(), Ok(path));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyPath(Vec<Segment>);

impl PropertyPath {
    /// The segments, outermost first.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the path of the whole bag.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a segment.
    #[must_use]
    pub fn join(&self, segment: impl Into<Segment>) -> Self {
        let mut path = self.clone();
        path.0.push(segment.into());
        path
    }

    pub(crate) fn prepend(&mut self, segment: Segment) {
        self.0.insert(0, segment);
    }

    /// Returns the value at this path in `root`. `None` if there is none, or if the path has a wildcard.
    ///
    /// Secrets and outputs on the path are unwrapped, so the result may be part of a secret without being
    /// marked. A secret or output at the end of the path is returned with its wrapper.
    #[must_use]
    pub fn get<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        let mut value = root;
        for segment in &self.0 {
            value = match (segment, value.known()?) {
                (Segment::Key(key), Value::Object(members)) => members.get(key)?,
                (Segment::Index(index), Value::Array(elements)) => elements.get(*index)?,
                _ => return None,
            };
        }
        Some(value)
    }
}

impl<S: Into<Segment>> From<S> for PropertyPath {
    fn from(segment: S) -> Self {
        Self(vec![segment.into()])
    }
}

impl FromIterator<Segment> for PropertyPath {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

impl fmt::Display for PropertyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if is_bare(key) => {
                    let dot = if position == 0 { "" } else { "." };
                    write!(f, "{dot}{key}")?;
                }
                Segment::Key(key) => {
                    f.write_str("[\"")?;
                    for letter in key.chars() {
                        match letter {
                            '"' => f.write_str("\\\"")?,
                            // Terminals execute control characters.
                            _ if letter.is_control() => write!(f, "{}", letter.escape_default())?,
                            _ => f.write_char(letter)?,
                        }
                    }
                    f.write_str("\"]")?;
                }
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Wildcard => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

/// Whether a key requires no quotes.
fn is_bare(key: &str) -> bool {
    let starts_well = key
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
    starts_well
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

/// Text that is not a property path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAPath {
    /// A dot without a name before or after it.
    #[error("a name or an index is missing next to a dot")]
    LoneDot,
    /// A bracket or quote that is not closed.
    #[error("a bracket or a quote is not closed")]
    Unclosed,
    /// An invalid index, which is neither a number, a quoted name nor `*`.
    #[error("{0:?} is not an index")]
    Index(String),
}

impl FromStr for PropertyPath {
    type Err = NotAPath;

    /// As tolerant as in the engine: any text up to a dot or bracket is a name, and a bracket may follow a
    /// dot.
    fn from_str(text: &str) -> Result<Self, NotAPath> {
        let mut segments = Vec::new();
        let mut rest = text;
        if rest.starts_with('.') {
            return Err(NotAPath::LoneDot);
        }
        while !rest.is_empty() {
            let segment;
            (segment, rest) = if let Some(inside) = rest.strip_prefix("[\"") {
                quoted(inside)?
            } else if let Some(inside) = rest.strip_prefix('[') {
                bracketed(inside)?
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                if end == 0 {
                    return Err(NotAPath::LoneDot);
                }
                (key(&rest[..end]), &rest[end..])
            };
            segments.push(segment);
            if let Some(after) = rest.strip_prefix('.') {
                if after.is_empty() {
                    return Err(NotAPath::LoneDot);
                }
                rest = after;
            }
        }
        Ok(Self(segments))
    }
}

fn key(name: &str) -> Segment {
    if name == "*" {
        Segment::Wildcard
    } else {
        name.into()
    }
}

/// Parses the text after `["`: a name up to the next quote, in which only quotes are escaped.
fn quoted(text: &str) -> Result<(Segment, &str), NotAPath> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        if let Some(after) = rest.strip_prefix("\\\"") {
            name.push('"');
            rest = after;
        } else if let Some(after) = rest.strip_prefix('"') {
            let after = after.strip_prefix(']').ok_or(NotAPath::Unclosed)?;
            return Ok((key(&name), after));
        } else {
            let next = rest.chars().next().ok_or(NotAPath::Unclosed)?;
            name.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
}

/// Parses the text after `[`: an index or `*`.
fn bracketed(text: &str) -> Result<(Segment, &str), NotAPath> {
    let (index, rest) = text.split_once(']').ok_or(NotAPath::Unclosed)?;
    let segment = match index {
        "*" => Segment::Wildcard,
        _ => Segment::Index(index.parse().map_err(|_| NotAPath::Index(index.to_owned()))?),
    };
    Ok((segment, rest))
}

#[cfg(test)]
mod tests;
