//! An index of the objects that a query can match.
//!
//! `matcher` decides whether an object matches; the index only excludes objects that cannot. It includes all
//! versions of an object, because the search can return old versions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::Value;

use super::matcher::{name_of, words};
use super::query::{Glyph, Query, Wanted, lower};

/// A set of paths, which are shared because each belongs to several words.
type Paths = BTreeSet<Arc<str>>;

/// Paths by resource type, by each word of the display name, and by id. All in lower case.
#[derive(Debug, Default)]
pub(crate) struct Index {
    types: HashMap<String, Paths>,
    name_words: BTreeMap<String, Paths>,
    ids: BTreeMap<String, Paths>,
}

/// Candidates of a part of a query: some sets of the index, together.
struct Candidates<'a> {
    sets: Vec<&'a Paths>,
    /// The sum of their sizes, which is the cost of examining them.
    size: usize,
}

impl<'a> Candidates<'a> {
    fn new(sets: Vec<&'a Paths>) -> Self {
        let size = sets.iter().map(|set| set.len()).sum();
        Self { sets, size }
    }
}

impl Index {
    /// Adds a version of the object at `path`.
    pub(crate) fn add(&mut self, path: &Arc<str>, body: &Value) {
        let put = |set: &mut Paths| {
            set.insert(Arc::clone(path));
        };
        if let Some(resource_type) = lowered(&body["resource_type"]) {
            put(self.types.entry(resource_type).or_default());
        }
        if let Some(id) = lowered(&body["id"]) {
            put(self.ids.entry(id).or_default());
        }
        if let Some(name) = name_of(body).and_then(lowered) {
            let name: Vec<char> = name.chars().collect();
            for word in words(&name) {
                put(self.name_words.entry(word.iter().collect()).or_default());
            }
        }
    }

    /// Paths of the objects that the query can match, in order. `None` if any object may match.
    pub(crate) fn candidates(&self, query: &Query) -> Option<Paths> {
        let mut paths: Paths = self.narrow(query)?.sets.into_iter().flatten().cloned().collect();
        if let Some(types) = query.resource_types() {
            // A name occurs in every type and project of a large inventory, and to examine an object costs more.
            let types: Vec<&Paths> = types.iter().filter_map(|name| self.types.get(name)).collect();
            paths.retain(|path| types.iter().any(|of_type| of_type.contains(path)));
        }
        Some(paths)
    }

    fn narrow(&self, query: &Query) -> Option<Candidates<'_>> {
        match query {
            Query::All(parts) => parts
                .iter()
                .filter_map(|part| self.narrow(part))
                .min_by_key(|candidates| candidates.size),
            Query::Any(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| self.narrow(part)).collect();
                Some(Candidates::new(
                    parts?.into_iter().flat_map(|part| part.sets).collect(),
                ))
            }
            Query::Not(_) | Query::Term { field: None, .. } => None,
            Query::Term {
                field: Some(field),
                wanted,
            } => self.term(field, wanted),
        }
    }

    fn term(&self, field: &str, wanted: &Wanted) -> Option<Candidates<'_>> {
        let (literal, is_whole) = literal(wanted);
        match field {
            "resource_type" if is_whole => {
                let literal: String = literal.into_iter().collect();
                Some(Candidates::new(self.types.get(&literal).into_iter().collect()))
            }
            "id" if !literal.is_empty() => Some(between(&self.ids, &literal, is_whole)),
            "display_name" => {
                // Every match has these words; the last one may go on where a wildcard follows.
                let mut parts = words(&literal).peekable();
                let mut smallest: Option<Candidates<'_>> = None;
                while let Some(part) = parts.next() {
                    let ends = is_whole || parts.peek().is_some() || literal.last() != part.last();
                    let found = between(&self.name_words, part, ends);
                    if smallest
                        .as_ref()
                        .is_none_or(|smallest| found.size < smallest.size)
                    {
                        smallest = Some(found);
                    }
                }
                smallest
            }
            _ => None,
        }
    }
}

/// The prefix of every match, and whether it is the whole match.
fn literal(wanted: &Wanted) -> (Vec<char>, bool) {
    match wanted {
        Wanted::Phrase(letters) => (letters.clone(), true),
        Wanted::Word(glyphs) => {
            let letters: Vec<char> = glyphs
                .iter()
                .map_while(|glyph| match glyph {
                    Glyph::Letter(letter) => Some(*letter),
                    Glyph::One | Glyph::Many => None,
                })
                .collect();
            let is_whole = letters.len() == glyphs.len();
            (letters, is_whole)
        }
    }
}

fn between<'a>(sets: &'a BTreeMap<String, Paths>, start: &[char], is_whole: bool) -> Candidates<'a> {
    let start: String = start.iter().collect();
    if is_whole {
        return Candidates::new(sets.get(&start).into_iter().collect());
    }
    let found = sets
        .range(start.clone()..)
        .take_while(|(word, _)| word.starts_with(&start))
        .map(|(_, paths)| paths);
    Candidates::new(found.collect())
}

fn lowered(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(lower(text).collect()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::matcher::fits;
    use super::*;

    fn index(objects: &[Value]) -> Index {
        let mut index = Index::default();
        for (number, object) in objects.iter().enumerate() {
            index.add(&number.to_string().into(), object);
        }
        index
    }

    fn candidates(objects: &[Value], query: &str) -> Option<String> {
        let paths = index(objects).candidates(&Query::parse(query).unwrap())?;
        Some(paths.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_smallest_part_of_a_query_decides() {
        let object = |id: &str, resource_type: &str, name: &str| json!({"id": id, "resource_type": resource_type, "display_name": name});
        let objects = [
            object("a", "Pool", "rack one 001"),
            object("b", "Pool", "rack two 002"),
            object("c", "Host", "rack two 0022"),
        ];
        for (query, found) in [
            ("resource_type:pool", Some("0 1")),
            ("resource_type:pool AND id:b", Some("1")),
            ("display_name:two AND resource_type:host", Some("2")),
            ("resource_type:pool AND path:x*", Some("0 1")),
            ("display_name:Rack*", Some("0 1 2")),
            (r"display_name:rack\ two\ 002*", Some("1 2")),
            ("display_name:(rack 002)", Some("1")),
            (r#"display_name:"two rack""#, Some("1 2")),
            ("id:a OR (resource_type:host AND display_name:rack)", Some("0 2")),
            ("id:a OR path:x*", None),
            ("NOT id:a", None),
            ("display_name:*one", None),
            ("resource_type:none", Some("")),
        ] {
            assert_eq!(candidates(&objects, query).as_deref(), found, "{query}");
        }
    }

    proptest! {
        #[test]
        fn prop_every_match_is_a_candidate(
            names in prop::collection::vec(r"[abAB01ÄßİéÉ ./()-]{0,8}", 1..8),
            terms in prop::collection::vec(
                (prop::sample::select(vec!["display_name", "id", "resource_type"]), r"([abAB01ÄßİéÉ]|\\[ ./()-]){1,5}[*?]?"),
                1..4,
            ),
            operator in prop::sample::select(vec![" AND ", " OR "]),
        ) {
            let objects: Vec<Value> = names
                .iter()
                .map(|name| json!({"display_name": name, "id": name, "resource_type": name}))
                .collect();
            let terms: Vec<_> = terms.iter().map(|(field, term)| format!("{field}:{term}")).collect();
            let query = Query::parse(&terms.join(operator)).unwrap();
            if let Some(paths) = index(&objects).candidates(&query) {
                for (number, object) in objects.iter().enumerate().filter(|(_, object)| fits(&query, object)) {
                    prop_assert!(paths.contains(number.to_string().as_str()), "{object}");
                }
            }
        }
    }
}
