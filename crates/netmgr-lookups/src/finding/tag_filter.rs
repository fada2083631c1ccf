//! Conditions on the tags of an object: a scope and a tag, and the text `scope:tag`.

use std::fmt;
use std::str::FromStr;

use netmgr_types::shapes::{Tag, given};

/// A tag that an object must have. A part that is absent is not compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct TagCondition {
    /// The scope.
    pub scope: Option<String>,
    /// The value.
    pub tag: Option<String>,
}

impl TagCondition {
    /// The condition of two inputs. Empty strings are treated as unset.
    pub(crate) fn new(scope: Option<&str>, tag: Option<&str>) -> Self {
        let part = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        Self {
            scope: part(scope),
            tag: part(tag),
        }
    }

    /// Like [`Self::new`], of the inputs of a function.
    pub(crate) fn of(scope: &Option<String>, tag: &Option<String>) -> Self {
        Self::new(given(scope), given(tag))
    }

    /// Whether one of `tags` meets the condition, if there is one.
    #[must_use]
    pub fn fits(&self, tags: &[Tag]) -> bool {
        let is_wanted = |tag: &Tag| {
            self.scope.as_ref().is_none_or(|scope| *scope == tag.scope)
                && self.tag.as_ref().is_none_or(|wanted| *wanted == tag.tag)
        };
        self.scope.is_none() && self.tag.is_none() || tags.iter().any(is_wanted)
    }
}

impl fmt::Display for TagCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.scope, &self.tag) {
            (Some(scope), Some(tag)) => write!(f, "scope {scope:?} with tag {tag:?}"),
            (Some(scope), None) => write!(f, "scope {scope:?}"),
            (None, tag) => write!(f, "tag {:?}", tag.as_deref().unwrap_or_default()),
        }
    }
}

/// A tag as text: `scope:tag`, `tag` or `:tag` of any scope, or `scope:` for any tag of a scope. Scopes and tags can
/// contain colons, so a text can have several meanings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagFilter {
    text: String,
    meanings: Vec<TagCondition>,
}

impl TagFilter {
    /// All meanings of the text.
    #[must_use]
    pub fn meanings(&self) -> &[TagCondition] {
        &self.meanings
    }

    /// The meanings that objects have `met`, as a sentence, if the text has several.
    #[must_use]
    pub fn note<'a>(&'a self, met: impl Fn(&&'a TagCondition) -> bool) -> Option<String> {
        let met: Vec<String> = self
            .meanings
            .iter()
            .filter(met)
            .map(TagCondition::to_string)
            .collect();
        let is_unclear = self.meanings.len() > 1 && !met.is_empty();
        is_unclear.then(|| format!("{:?} matches {}", self.text, met.join(", and ")))
    }

    /// The advice if nothing matches.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        let has_scope = self.meanings.iter().any(|meaning| meaning.scope.is_some());
        has_scope.then_some("a tag with colons in any scope is written `:TAG`")
    }
}

/// A string with neither a scope nor a tag.
#[derive(Debug, thiserror::Error)]
#[error("must be scope:tag, a tag of any scope, or scope: for any tag of a scope")]
pub struct NoTag;

impl FromStr for TagFilter {
    type Err = NoTag;

    fn from_str(text: &str) -> Result<Self, NoTag> {
        let split = |(at, colon): (usize, &str)| {
            TagCondition::new(Some(&text[..at]), Some(&text[at + colon.len()..]))
        };
        let mut meanings: Vec<TagCondition> = text.match_indices(':').map(split).collect();
        if meanings.is_empty() {
            meanings.push(TagCondition::new(None, Some(text)));
        }
        meanings.retain(|meaning| *meaning != TagCondition::default());
        match meanings.is_empty() {
            true => Err(NoTag),
            false => Ok(Self {
                text: text.to_owned(),
                meanings,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_and_tag_can_each_be_left_open() {
        let tag = |scope: &str, tag: &str| Tag {
            scope: scope.to_owned(),
            tag: tag.to_owned(),
        };
        for (text, found, fits) in [
            ("env:prod:eu", tag("env", "prod:eu"), true),
            ("env:prod:eu", tag("env:prod", "eu"), true),
            ("env:prod:eu", tag("env", "eu"), false),
            ("env:", tag("env", "prod"), true),
            ("azure:region:", tag("azure:region", "west"), true),
            ("azure:region:", tag("azure", "region:"), true),
            ("azure:region:", tag("azure", "region"), false),
            (":prod:eu", tag("env", "prod:eu"), true),
            ("env:prod", tag("env", "prod:eu"), false),
            ("Env:", tag("env", "prod"), false),
            ("prod", tag("env", "prod:eu"), false),
            ("prod", tag("env", "prod"), true),
        ] {
            let filter: TagFilter = text.parse().unwrap();
            let tags = [found];
            let is_met = filter.meanings().iter().any(|meaning| meaning.fits(&tags));
            assert_eq!(is_met, fits, "{text} {tags:?}");
        }
        assert!(":".parse::<TagFilter>().is_err() && "".parse::<TagFilter>().is_err());
    }

    #[test]
    fn a_note_names_the_meanings_that_were_met() {
        let filter: TagFilter = "site:north:web".parse().unwrap();
        let last = filter.meanings().last();
        assert_eq!(
            filter.note(|met| Some(*met) == last).unwrap(),
            r#""site:north:web" matches scope "site:north" with tag "web""#
        );
        assert_eq!(filter.note(|_| false), None);
        assert_eq!("site:north".parse::<TagFilter>().unwrap().note(|_| true), None);
    }
}
