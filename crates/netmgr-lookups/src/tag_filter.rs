//! A condition on the tags of an object: `scope:tag`.

use std::str::FromStr;

use netmgr_types::shapes::Tag;

/// A tag that an object must have. `FromStr` reads `scope:tag`; without a scope, `tag` may have any, and `scope:` means any
/// tag of the scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagFilter {
    scope: Option<String>,
    tag: Option<String>,
}

impl TagFilter {
    /// The scope, if it is part of the condition.
    #[must_use]
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// The value, if it is part of the condition.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// Whether `tag` meets the condition.
    #[must_use]
    pub fn fits(&self, tag: &Tag) -> bool {
        self.scope.as_ref().is_none_or(|scope| *scope == tag.scope)
            && self.tag.as_ref().is_none_or(|wanted| *wanted == tag.tag)
    }
}

/// A string with neither a scope nor a tag.
#[derive(Debug, thiserror::Error)]
#[error("must be scope:tag, a tag of any scope, or scope: for any tag of a scope")]
pub struct NoTag;

impl FromStr for TagFilter {
    type Err = NoTag;

    fn from_str(text: &str) -> Result<Self, NoTag> {
        let (scope, tag) = text.split_once(':').unwrap_or(("", text));
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        match (given(scope), given(tag)) {
            (None, None) => Err(NoTag),
            (scope, tag) => Ok(Self { scope, tag }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_and_tag_can_each_be_left_open() {
        let mut tag = Tag {
            scope: "env".to_owned(),
            tag: "prod:eu".to_owned(),
        };
        for (text, fits) in [
            ("env:prod:eu", true),
            ("env:", true),
            (":prod:eu", true),
            ("env:prod", false),
            ("Env:", false),
            ("prod", false),
        ] {
            assert_eq!(text.parse::<TagFilter>().unwrap().fits(&tag), fits, "{text}");
        }
        tag.tag = "prod".to_owned();
        assert!("prod".parse::<TagFilter>().unwrap().fits(&tag));
        assert!(":".parse::<TagFilter>().is_err() && "".parse::<TagFilter>().is_err());
    }
}
