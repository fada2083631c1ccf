//! The manager's search language: escaping, and queries for reads.
//!
//! Source: the search API of the VMware NSX REST API (`/policy/api/v1/search/query`).

use netmgr_transport::Failure;

use crate::finding::names;
use crate::finding::object_kind::CollectionPlace;
use crate::finding::read::{By, KeyField, Read};
use crate::finding::tree::Tree;

/// Special characters of the query language, which a backslash escapes.
const RESERVED: &str = r#"()[]+-=&|><!{}^~*?:/\""#;

/// `text` as one term, including spaces.
///
/// Boolean operators are converted to lower case, in which they have no special meaning. Terms are
/// case-insensitive.
fn term(text: &str) -> String {
    if matches!(text, "AND" | "OR" | "NOT") {
        return text.to_ascii_lowercase();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if RESERVED.contains(character) || character.is_whitespace() {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Maximum length of the terms in a combined query, in bytes of a URL: well below the 8 KiB that common proxies accept.
/// The manager's own limit is not documented.
pub(crate) const LONGEST: usize = 4000;

/// Bytes of `text` in a URL.
pub(crate) fn encoded(text: &str) -> usize {
    let length = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => 1,
        _ => 3,
    };
    text.bytes().map(length).sum()
}

/// Whether `read` searches for a name in several forms, which some managers reject.
pub(crate) fn has_several_forms(read: &Read) -> bool {
    matches!(&read.by, By::Name(wanted) if name(wanted) != name_of_form(wanted))
}

/// The query for `read`. The term for a name is that of [`name`], or of [`name_of_form`] for the form that was requested.
pub(crate) fn query(read: &Read, name: fn(&str) -> String) -> String {
    let mut terms = Vec::from_iter(type_term(read));
    terms.extend(criterion(read, name));
    if !read.kind.is_inventory {
        terms.push("marked_for_delete:false".to_owned());
    }
    terms.extend(place(read));
    terms.join(" AND ")
}

/// The term for the criterion of `read`. `name` makes the term for a name. `None` if all objects are read.
pub(crate) fn criterion(read: &Read, name: fn(&str) -> String) -> Option<String> {
    match &read.by {
        By::Id(id) => Some(format!("id:{}", term(id))),
        By::Key { fields, value } => Some(key(fields, value)),
        By::Name(wanted) => Some(name(wanted)),
        By::All => None,
    }
}

/// The term for objects of the type of `read`, if it has one.
pub(crate) fn type_term(read: &Read) -> Option<String> {
    let resource_type = read.kind.resource_type;
    (!resource_type.is_empty()).then(|| format!("resource_type:{resource_type}"))
}

/// The terms for the location of the objects of `read`.
pub(crate) fn place(read: &Read) -> Vec<String> {
    let tree = format!("path:{}", scope_term(&read.tree));
    match &read.parent {
        _ if read.kind.is_inventory => Vec::new(),
        None => vec![tree],
        Some(above) if read.kind.place == CollectionPlace::Anywhere => {
            vec![format!("path:{}*", term(&format!("{}/", above.path)))]
        }
        Some(parent) => vec![format!("parent_path:{}", term(&parent.path)), tree],
    }
}

/// The term for objects whose name begins with `wanted`, in each of its forms unless that is too long for a URL.
pub(crate) fn name(wanted: &str) -> String {
    let terms: Vec<String> = names::forms(wanted)
        .iter()
        .map(|form| name_of_form(form))
        .collect();
    if terms.len() > 1 {
        // Each further word is a separate term. Parentheses separate them from other forms.
        let several = format!("(({}))", terms.join(") OR ("));
        if encoded(&several) <= LONGEST {
            return several;
        }
    }
    name_of_form(wanted)
}

/// The term for objects whose name begins with `form`, unchanged. Each further word is a term of its own.
pub(crate) fn name_of_form(form: &str) -> String {
    let words: Vec<String> = form.split_whitespace().map(term).collect();
    format!("display_name:{}*", words.join(" "))
}

/// The term for objects that have the key `value` in one of `fields`.
fn key(fields: &[KeyField], value: &str) -> String {
    let terms_of = |value: &str| {
        let word = term(value);
        let with_field = |field: &KeyField| match field {
            KeyField::Whole(field) => format!("{field}:{word}"),
            KeyField::LastSegment(field) => format!(r"{field}:*\/{word}"),
            KeyField::Within(field) => format!("{field}:*{}*", term(longest_word(value))),
            KeyField::Any => word.clone(),
            KeyField::Phrase => phrase(value),
            KeyField::Below => format!(r"{word}\/*"),
        };
        fields.iter().map(with_field).collect::<Vec<_>>()
    };
    let terms: Vec<String> = names::forms(value)
        .iter()
        .flat_map(|form| terms_of(form))
        .collect();
    format!("({})", terms.join(" OR "))
}

/// `text` as a phrase, which must match a whole value.
fn phrase(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', r#"\""#))
}

/// The longest word of `text`. Names are compared by words, so no word of a name contains a space.
fn longest_word(text: &str) -> &str {
    text.split_whitespace()
        .max_by_key(|word| word.len())
        .unwrap_or_default()
}

/// The path term. For a project or VPC it ends with a slash, so that `dev` does not match `dev2`.
#[must_use]
pub fn scope_term(tree: &Tree) -> String {
    match tree {
        Tree::Local | Tree::Global | Tree::GlobalOnLocal => format!("{}*", term(&tree.base())),
        Tree::Project(id) => format!("{}*", term(&format!("/orgs/default/projects/{id}/"))),
        Tree::Vpc { .. } => format!("{}*", term(&format!("{}/", tree.base()))),
    }
}

/// The index is being rebuilt, timed out or is out of sync. Source: error codes of the VMware NSX search API.
const INDEX_TROUBLE: &[i64] = &[60508, 60514, 60515];

/// Whether the manager rejected the query itself. Otherwise, the index is temporarily unavailable.
#[must_use]
pub fn is_refused_query(failure: &Failure) -> bool {
    let status = failure.status.map(|status| status.as_u16());
    let is_of_index = failure
        .api
        .as_ref()
        .is_some_and(|api| api.has_code(INDEX_TROUBLE));
    matches!(status, Some(400 | 414 | 431 | 500)) && !is_of_index
}

#[cfg(test)]
mod tests {
    use netmgr_types::{Deployment, Host};

    use super::*;
    use crate::finding::object_kind::ObjectKind;
    use crate::finding::read::Scope;

    const DHCP: ObjectKind = ObjectKind::infra("DHCP server", "DhcpServerConfig", "dhcp-server-configs");

    fn read(by: By) -> Read {
        let scope = Scope {
            deployment: Deployment::PolicyManager,
            enforcement_point: "default".to_owned(),
            host: Host::parse("mgr").unwrap(),
            tolerate_partial_success: false,
        };
        Read::new(&DHCP, &scope, by)
    }

    #[test]
    fn a_name_search_is_the_documented_query() {
        assert_eq!(
            query(&read(By::Name("dhcp (lab)/2".to_owned())), name),
            r"resource_type:DhcpServerConfig AND display_name:dhcp \(lab\)\/2* AND marked_for_delete:false AND path:\/infra*"
        );
    }

    #[test]
    fn an_id_search_names_the_type() {
        assert_eq!(
            query(&read(By::Id("a:b".to_owned())), name),
            r"resource_type:DhcpServerConfig AND id:a\:b AND marked_for_delete:false AND path:\/infra*"
        );
    }

    #[test]
    fn a_key_is_looked_for_in_all_its_fields() {
        const FIELDS: &[KeyField] = &[KeyField::Whole("nsx_id"), KeyField::LastSegment("node_path")];
        let value = "6e5d-1".to_owned();
        assert_eq!(
            query(
                &read(By::Key {
                    fields: FIELDS,
                    value
                }),
                name
            ),
            r"resource_type:DhcpServerConfig AND (nsx_id:6e5d\-1 OR node_path:*\/6e5d\-1) AND marked_for_delete:false AND path:\/infra*"
        );
    }

    #[test]
    fn a_key_can_be_in_any_field() {
        assert_eq!(
            key(&[KeyField::Phrase, KeyField::Below], r#"/infra/groups/a"b"#),
            r#"("/infra/groups/a\"b" OR \/infra\/groups\/a\"b\/*)"#
        );
        assert_eq!(
            key(&[KeyField::Within("display_name")], "a web-1"),
            r"(display_name:*web\-1*)"
        );
    }

    #[test]
    fn a_project_search_ends_at_the_slash() {
        assert_eq!(
            query(&read(By::All).in_project(Some("dev")), name),
            r"resource_type:DhcpServerConfig AND marked_for_delete:false AND path:\/orgs\/default\/projects\/dev\/*"
        );
    }

    #[test]
    fn boolean_words_and_quotes_in_a_name_are_text() {
        assert_eq!(name(r#"a AND "b\c" NOT"#), r#"display_name:a and \"b\\c\" not*"#);
    }

    #[test]
    fn a_name_is_looked_for_in_each_of_its_forms() {
        assert_eq!(name("a b"), "display_name:a b*");
        assert_eq!(
            name("caf\u{e9} 1"),
            "((display_name:caf\u{e9} 1*) OR (display_name:cafe\u{301} 1*))"
        );
        // The decomposed form contains a special character.
        assert_eq!(
            name("\u{2260}"),
            "((display_name:\u{2260}*) OR (display_name:\\=\u{338}*))"
        );
    }

    #[test]
    fn a_long_name_is_looked_for_in_the_form_in_which_it_was_requested() {
        let syllables = |number| "\u{ac01}".repeat(number);
        assert!(name(&syllables(100)).contains(" OR "));
        let long = syllables(250);
        assert_eq!(name(&long), format!("display_name:{long}*"));
        assert!(!has_several_forms(&read(By::Name(long))));
    }

    #[test]
    fn only_a_name_can_have_several_forms() {
        assert!(!has_several_forms(&read(By::Name("cafe".to_owned()))));
        assert!(!has_several_forms(&read(By::Id("caf\u{e9}".to_owned()))));
        let several = read(By::Name("caf\u{e9}".to_owned()));
        assert!(has_several_forms(&several));
        assert_eq!(
            query(&several, name_of_form),
            "resource_type:DhcpServerConfig AND display_name:caf\u{e9}* AND marked_for_delete:false AND path:\\/infra*"
        );
    }

    #[test]
    fn any_blank_divides_the_words_of_a_name() {
        assert_eq!(name("\u{a0}a\tAND\n b "), "display_name:a and b*");
        assert_eq!(name(" "), "display_name:*");
    }

    #[test]
    fn blanks_in_an_id_are_part_of_it() {
        assert_eq!(term("a OR/b"), r"a\ OR\/b");
        assert_eq!(term("OR"), "or");
    }
}

#[cfg(test)]
mod fuzz {
    use super::{RESERVED, name_of_form, term};

    /// A term without its escapes. Independent of [`term`].
    fn unescaped(term: &str) -> String {
        let mut text = String::new();
        let mut letters = term.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => text.push(letters.next().expect("a backslash escapes a letter")),
                letter => {
                    assert!(
                        !RESERVED.contains(letter) && !letter.is_whitespace(),
                        "{letter:?} has a meaning in {term}"
                    );
                    text.push(letter);
                }
            }
        }
        text
    }

    /// A string is unchanged after escaping and parsing, and is not an operator.
    #[test]
    fn fuzz_search_terms() {
        let dictionary = [
            "AND", "OR", "NOT", "\\", "\"", "(", " ", "\u{a0}", "\u{2028}", "*", "TO",
        ];
        fuzz_testing::fuzz("search-terms", &dictionary, |input| {
            let text = String::from_utf8_lossy(input);
            let term = term(&text);
            assert!(!["AND", "OR", "NOT"].contains(&term.as_str()));
            let read = unescaped(&term);
            assert!(
                read == *text || read == text.to_ascii_lowercase(),
                "{text:?} is read as {read:?}"
            );
            assert!(term.len() <= 2 * text.len());
            let name = name_of_form(&text);
            let words = name.trim_start_matches("display_name:").trim_end_matches('*');
            let number = words.split(' ').filter(|word| !word.is_empty()).count();
            assert_eq!(number, text.split_whitespace().count(), "{words}");
            format!(
                "{} words",
                number
                    .min(9)
                    .to_string()
                    .replace(char::is_numeric, "x")
                    .repeat(number.min(9))
            )
        });
    }
}
