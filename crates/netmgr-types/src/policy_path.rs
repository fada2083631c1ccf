//! Policy paths, such as `/infra/domains/default/groups/web`: the check of paths that users write, and the parts of a path.

/// How policy paths begin.
const ROOTS: [&str; 3] = ["/infra/", "/global-infra/", "/orgs/"];

/// A policy path without trailing slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyPath<'a>(&'a str);

/// The reason why a text is not a policy path, as a clause about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidPath(&'static str);

impl<'a> PolicyPath<'a> {
    /// Checks a path that a user wrote and removes trailing slashes. Ids can contain blanks, colons and percent signs.
    ///
    /// # Errors
    ///
    /// The text is several paths, the path is below no root of policy paths, or one of its segments is [refused](Self::check_segment).
    pub fn parse(text: &'a str) -> Result<Self, InvalidPath> {
        let path = Self::trusted(text);
        if text.trim() != text {
            return Err(InvalidPath("it begins or ends with a blank"));
        }
        let is_next = |(at, _): (usize, &str)| text[..at].ends_with([',', ';', ' ', '\t', '\n']);
        if ROOTS.iter().any(|root| text.match_indices(root).any(is_next)) {
            return Err(InvalidPath("it is several paths, but one is wanted"));
        }
        let mut segments = path.segments();
        let root = segments.next();
        let is_rooted = matches!(root, Some("infra" | "global-infra"))
            || root == Some("orgs") && segments.clone().next().is_some();
        if !text.starts_with('/') || !is_rooted {
            return Err(InvalidPath(
                "it is not below `/infra`, `/global-infra` or `/orgs`",
            ));
        }
        segments.try_for_each(Self::check_segment)?;
        Ok(path)
    }

    /// Whether a text begins like a policy path.
    #[must_use]
    pub fn is_begun_by(text: &str) -> bool {
        ROOTS.iter().any(|root| text.starts_with(root))
    }

    /// Checks the id of an object or collection, which is a segment of paths.
    ///
    /// # Errors
    ///
    /// The segment is empty, is `.` or `..`, begins or ends with a blank, or contains a character that ends a path.
    pub fn check_segment(segment: &str) -> Result<(), InvalidPath> {
        let ends_path = |letter: char| matches!(letter, '/' | '?' | '#') || letter.is_control();
        Err(InvalidPath(match segment {
            "" => "it has an empty segment",
            "." | ".." => "it has a segment `.` or `..`",
            _ if segment.contains(ends_path) => {
                "an id in it contains \"/\", \"?\", \"#\" or a control character"
            }
            _ if segment.trim() != segment => "an id in it begins or ends with a blank",
            _ => return Ok(()),
        }))
    }

    /// A path that the manager sent or that has been checked, without trailing slashes.
    #[must_use]
    pub fn trusted(path: &'a str) -> Self {
        Self(path.trim_end_matches('/'))
    }

    /// Pattern of the paths that end with one of `ends`, for schemas. A `*` in them matches an id.
    #[must_use]
    pub fn pattern(ends: &[&str]) -> String {
        const ID: &str = r"[^/?#\x00-\x1f\x7f-\x9f]+";
        let ends = match ends {
            [] => String::new(),
            ends => format!("/({})", ends.join("|").replace('*', ID)),
        };
        // There is no second path, and no segment is relative or has a blank at one of its ends.
        let refused = r"(?!.*([,;]/(infra|global-infra|orgs)/|/(\.{1,2}(/|$)|\s|[^/]*\s(/|$))))";
        format!("^{refused}/(infra|global-infra|orgs/{ID})(/{ID})*{ends}/*$")
    }

    /// The path.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// The segments of the path, from its root.
    pub fn segments(self) -> impl Iterator<Item = &'a str> + Clone {
        self.0.split('/').skip(1)
    }

    /// The last segment.
    #[must_use]
    pub fn id(self) -> &'a str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The path without the last segment; empty if there is none.
    #[must_use]
    pub fn collection(self) -> &'a str {
        self.0.rsplit_once('/').unwrap_or_default().0
    }

    /// The name of its collection: `groups`; empty if there is none.
    #[must_use]
    pub fn collection_name(self) -> &'a str {
        Self(self.collection()).id()
    }

    /// The path of the parent: without the id and the name of its collection; empty if there is none.
    #[must_use]
    pub fn parent(self) -> &'a str {
        Self(self.collection()).collection()
    }

    /// Whether this is `ancestor` or a path below it. Paths match by whole segments.
    #[must_use]
    pub fn is_within(self, ancestor: &str) -> bool {
        let rest = self.0.strip_prefix(ancestor);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether this is a path below `ancestor`.
    #[must_use]
    pub fn is_below(self, ancestor: &str) -> bool {
        self.0 != ancestor && self.is_within(ancestor)
    }
}

#[cfg(test)]
mod tests;
