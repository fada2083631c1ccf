//! Sentences about reads and what they brought, for errors and warnings.

use netmgr_transport::Error as RequestError;

use crate::error::and_more;
use crate::executor::names_an_object;
use crate::lookup::Plan;
use crate::read::{By, Place, Read, Tree};
use crate::select::{Excluded, Misfit, NameRule};

/// What a read asks for: `the IP pool with id "x"`.
pub(crate) fn what(read: &Read) -> String {
    let noun = read.kind.noun;
    let place = place(read);
    match &read.by {
        By::Id(id) | By::Key { value: id, .. } => format!("the {noun} with id {id:?}{place}"),
        By::Name(name) => format!("{noun}s{place} by display name {name:?}"),
        By::All if read.list_filters.is_empty() => format!("all {noun}s{place}"),
        By::All => {
            let filters = read.list_filters.iter();
            let filters: Vec<String> = filters.map(|(name, value)| format!("{name} {value:?}")).collect();
            format!("the {noun}s{place} with {}", filters.join(" and "))
        }
    }
}

/// Where a read looks, when it does not look everywhere.
fn place(read: &Read) -> String {
    match (&read.parent, &read.tree) {
        (Some(parent), _) => format!(" below {}", parent.path),
        (None, Tree::Project(id)) => format!(" in project {id}"),
        // Without a search, a name is looked for in one list only.
        (None, _)
            if matches!(read.kind.place, Place::Below(_))
                && !read.kind.searched
                && !matches!(read.by, By::Id(_)) =>
        {
            format!(" below {}", read.default_parent)
        }
        (None, _) => String::new(),
    }
}

/// There is no object with this id.
pub(crate) fn no_such_id(read: &Read, id: &str) -> String {
    format!("there is no {} with id {id:?}{}", read.kind.noun, place(read))
}

/// Several objects have this id.
pub(crate) fn several_of_id(read: &Read, id: &str) -> String {
    format!("several {}s{} have id {id:?}", read.kind.noun, place(read))
}

/// The manager says that the list is `missing`, and so the parent of what was looked for.
pub(crate) fn missing_parent(read: &Read, missing: Option<&RequestError>) -> Option<String> {
    let parent = read.parent.as_ref()?;
    let says_so = missing.is_some_and(names_an_object);
    says_so.then(|| format!("the manager says that the {} does not exist", parent.noun))
}

/// No object fits, or only such as other inputs exclude.
pub(crate) fn nothing<T>(plan: &Plan<T>, excluded: Option<&Excluded>) -> String {
    let noun = plan.read.kind.noun;
    let place = place(&plan.read);
    match (excluded, &plan.choose.name) {
        (Some(excluded), Some((name, _))) => {
            let named = if excluded.exact {
                "with display name"
            } else {
                "whose display name begins with"
            };
            format!(
                "no {noun}{place} {named} {name:?} fits the other inputs: {}",
                misfits(excluded)
            )
        }
        (Some(excluded), None) => format!("no {noun}{place} fits the inputs: {}", misfits(excluded)),
        (None, Some((name, NameRule::Exact))) => format!("no {noun}{place} has display name {name:?}"),
        (None, Some((name, NameRule::ExactOrPrefix))) => {
            format!("no {noun}{place} has a display name that is or begins with {name:?}")
        }
        (None, None) if plan.choose.filters.is_empty() => format!("there is no {noun}{place}"),
        (None, None) => format!("no {noun}{place} has {}", filters(plan)),
    }
}

/// Several objects fit.
pub(crate) fn several<T>(plan: &Plan<T>, exact: bool) -> String {
    let noun = plan.read.kind.noun;
    let place = place(&plan.read);
    match &plan.choose.name {
        Some((name, _)) if exact => {
            format!("several {noun}s{place} have display name {name:?}; select one by `id`")
        }
        Some((name, _)) => {
            format!(
                "several {noun}s{place} have a display name that begins with {name:?}; give the whole name or `id`"
            )
        }
        None if plan.choose.filters.is_empty() => {
            format!("there are several {noun}s{place}; select one by `id`")
        }
        None => format!(
            "several {noun}s{place} have {}; select one by `id`",
            filters(plan)
        ),
    }
}

/// The properties that an object must have: `` `ipAddress` "192.0.2.1" ``.
fn filters<T>(plan: &Plan<T>) -> String {
    let filters = plan.choose.filters.iter();
    let filters: Vec<String> = filters
        .map(|filter| format!("`{}` {:?}", filter.property, filter.wanted))
        .collect();
    filters.join(" and ")
}

/// Which objects were excluded, each with the first input that it does not fit.
fn misfits(excluded: &Excluded) -> String {
    let misfit = |misfit: &Misfit| {
        let Misfit {
            object,
            property,
            wanted,
            actual,
        } = misfit;
        format!("{object} has `{property}` {actual:?}, not {wanted:?}")
    };
    let shown: Vec<String> = excluded.found.iter().map(misfit).collect();
    and_more(&shown, "; ", excluded.total)
}
