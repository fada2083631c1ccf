//! Sentences about reads and their results, for errors and warnings.

use netmgr_transport::Error as RequestError;

use crate::contract::context::LookupContext;
use crate::contract::error::and_more;
use crate::finding::object_kind::CollectionPlace;
use crate::finding::plan::Plan;
use crate::finding::read::{By, KeyField, Parent, Read};
use crate::finding::rows::Skipped;
use crate::finding::selection::{Excluded, Misfit, NameRule};
use crate::finding::tree::Tree;
use crate::wording::nouns::plural;

/// Describes objects that could not be decoded; `None` if there are none.
pub(crate) fn skipped(cx: &LookupContext<'_>, skipped: &Skipped) -> Option<String> {
    let (head, problem) = skipped.first();
    let problem = cx.sanitized(problem);
    let place = match (&*head.path, head.ids().next()) {
        ("", None) => String::new(),
        ("", Some(id)) => format!(" (id {})", cx.sanitized(id)),
        (path, _) => format!(" (path {})", cx.sanitized(path)),
    };
    let first = match (head.name(), &*place) {
        ("", "") => "without a readable name, id or path".to_owned(),
        ("", _) => format!("without a readable name{place}"),
        (name, _) => format!("{}{place}", cx.quoted(name)),
    };
    match skipped.count() {
        0 => None,
        1 => Some(format!(
            "1 object could not be decoded, {first}: {problem}; correct it on the manager"
        )),
        many => Some(format!(
            "{many} objects could not be decoded; the first, {first}: {problem}; correct them on the manager"
        )),
    }
}

/// Describes the objects of a read: `the IP pool with id "x"`.
pub(crate) fn what(cx: &LookupContext<'_>, read: &Read) -> String {
    let noun = read.kind.noun;
    let nouns = plural(noun);
    let place = place(cx, read);
    match &read.by {
        By::Id(id) => format!("the {noun} with id {}{place}", cx.quoted(id)),
        By::Key { fields, value } => {
            let value = cx.quoted(value);
            match fields {
                [KeyField::Phrase | KeyField::Below] => format!("the {nouns}{place} that refer to {value}"),
                [KeyField::Within(_)] => format!("the {nouns}{place} whose display name contains {value}"),
                [KeyField::Whole("tags.scope")] => format!("the {nouns}{place} with tag scope {value}"),
                [KeyField::Whole("tags.tag")] => format!("the {nouns}{place} with tag {value}"),
                _ => format!("the {noun} with id {value}{place}"),
            }
        }
        By::Name(name) => format!("{nouns}{place} by display name {}", cx.quoted(name)),
        By::All if read.list_filters.is_empty() => format!("all {nouns}{place}"),
        By::All => {
            let filters = read.list_filters.iter();
            let filters: Vec<String> = filters
                .map(|(name, value)| format!("{name} {}", cx.quoted(value)))
                .collect();
            format!("the {nouns}{place} with {}", filters.join(" and "))
        }
    }
}

/// The sentence that the place of a read has no objects.
pub(crate) fn none(cx: &LookupContext<'_>, read: &Read) -> String {
    format!("there are no {}{}", plural(read.kind.noun), place(cx, read))
}

/// The reason if there are no objects because their parent does not exist; `None` if the read is not restricted to one.
pub(crate) fn no_parent(cx: &LookupContext<'_>, read: &Read) -> Option<String> {
    let is_restricted = !place(cx, read).is_empty();
    is_restricted.then(|| format!("{}, which does not exist", none(cx, read)))
}

/// Describes the place of a read, unless it is not restricted to one.
fn place(cx: &LookupContext<'_>, read: &Read) -> String {
    match (&read.parent, &read.tree) {
        (Some(parent), _) => format!(" below {}", cx.sanitized(&parent.path)),
        (None, Tree::Project(id)) => format!(" in project {}", cx.sanitized(id)),
        (None, Tree::Vpc { project, vpc }) => {
            format!(
                " in VPC {} of project {}",
                cx.sanitized(vpc),
                cx.sanitized(project)
            )
        }
        (None, Tree::GlobalOnLocal) => " of the global manager".to_owned(),
        // Without a search, a name is only searched in one list.
        (None, _)
            if matches!(read.kind.place, CollectionPlace::Below(_))
                && !read.kind.searched
                && !matches!(read.by, By::Id(_)) =>
        {
            format!(" below {}", read.default_parent)
        }
        (None, _) => String::new(),
    }
}

/// There is no object with this id or key.
pub(crate) fn no_such_id(cx: &LookupContext<'_>, plan: &Plan, id: &str) -> String {
    let (noun, place) = (plan.read.kind.noun, place(cx, &plan.read));
    format!("there is no {noun} with {} {}{place}", key(plan), cx.quoted(id))
}

/// Several objects have this id or key.
pub(crate) fn several_of_id(cx: &LookupContext<'_>, plan: &Plan, id: &str) -> String {
    let (nouns, place) = (plural(plan.read.kind.noun), place(cx, &plan.read));
    format!("several {nouns}{place} have {} {}", key(plan), cx.quoted(id))
}

/// The id or the input that identifies the object of a plan.
fn key(plan: &Plan) -> String {
    match plan.selector() {
        Some("id") | None => "id".to_owned(),
        Some(input) => format!("`{input}`"),
    }
}

/// The sentence if the manager reported that the list, and therefore the parent, is `missing`.
pub(crate) fn missing_parent(read: &Read, missing: Option<&RequestError>) -> Option<String> {
    let parent = read.parent.as_ref()?;
    let says_so = missing.is_some_and(RequestError::names_an_object);
    says_so.then(|| does_not_exist(parent))
}

/// The sentence that an object that an input names does not exist.
pub(crate) fn does_not_exist(named: &Parent) -> String {
    format!("the manager reports that the {} does not exist", named.noun)
}

/// No object matches, or other inputs exclude the objects that do.
pub(crate) fn nothing(cx: &LookupContext<'_>, plan: &Plan, excluded: Option<&Excluded>) -> String {
    let noun = plan.read.kind.noun;
    let place = place(cx, &plan.read);
    let filters = filters(cx, plan);
    match (excluded, plan.name()) {
        (Some(excluded), Some((name, _))) => {
            let named = if excluded.exact {
                "with display name"
            } else {
                "whose display name begins with"
            };
            format!(
                "no {noun}{place} {named} {} matches the other inputs: {}",
                cx.quoted(name),
                misfits(cx, excluded)
            )
        }
        (Some(excluded), None) => format!("no {noun}{place} matches the inputs: {}", misfits(cx, excluded)),
        (None, Some((name, NameRule::Exact))) => {
            format!("no {noun}{place} has display name {}", cx.quoted(name))
        }
        (None, Some((name, NameRule::ExactOrPrefix))) => {
            format!(
                "no {noun}{place} has a display name that is or begins with {}",
                cx.quoted(name)
            )
        }
        (None, None) if filters.is_empty() => format!("there is no {noun}{place}"),
        (None, None) => format!("no {noun}{place} has {filters}"),
    }
}

/// Several objects match.
pub(crate) fn several(cx: &LookupContext<'_>, plan: &Plan, exact: bool) -> String {
    let nouns = plural(plan.read.kind.noun);
    let place = place(cx, &plan.read);
    let filters = filters(cx, plan);
    match plan.name() {
        Some((name, _)) if exact => {
            format!("several {nouns}{place} have display name {}", cx.quoted(name))
        }
        Some((name, _)) => {
            format!(
                "several {nouns}{place} have a display name that begins with {}",
                cx.quoted(name)
            )
        }
        None if filters.is_empty() => format!("there are several {nouns}{place}"),
        None => format!("several {nouns}{place} have {filters}"),
    }
}

/// Describes the properties that an object must have: `` `ipAddress` "192.0.2.1" ``.
fn filters(cx: &LookupContext<'_>, plan: &Plan) -> String {
    let filters = plan.criteria.filters.iter();
    let filters: Vec<String> = filters
        .map(|filter| format!("`{}` {}", filter.property, cx.quoted(&filter.wanted)))
        .collect();
    filters.join(" and ")
}

/// Describes excluded objects, each with the first input that it does not match.
fn misfits(cx: &LookupContext<'_>, excluded: &Excluded) -> String {
    let misfit = |misfit: &Misfit| {
        let Misfit {
            object,
            property,
            wanted,
            actual,
        } = misfit;
        let object = cx.sanitized_candidate(object);
        format!(
            "{object} has {}, which does not match `{property}` {}",
            cx.quoted(&cx.stored(actual)),
            cx.quoted(wanted)
        )
    };
    let shown: Vec<String> = excluded.found.iter().map(misfit).collect();
    and_more(&shown, "; ", excluded.total)
}
