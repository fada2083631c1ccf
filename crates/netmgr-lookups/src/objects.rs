//! The objects of a read: its rows are decoded as the type of a function, and those that match its plan are kept.

use std::mem;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use netmgr_transport::{Error as RequestError, Reply, Row};
use netmgr_types::wire::ManagedObject;
use serde::de::DeserializeOwned;

use crate::messages::Clues;
use crate::plan::Plan;
use crate::read::{By, Read};
use crate::rows::{RowCollector, Skipped, Source, lock, readable_name};
use crate::selection::{Misfit, NameRule, Selection, name_fits};
use crate::similar_names::SimilarNames;

/// A type of objects of the manager.
pub trait WireObject: DeserializeOwned + ManagedObject + Send + Sync + 'static {}

impl<T: DeserializeOwned + ManagedObject + Send + Sync + 'static> WireObject for T {}

/// A [`Plan`] without the type of its objects, which are passed as the manager sent them.
pub(crate) trait AnyPlan: Send + Sync {
    /// The read.
    fn read(&self) -> &Arc<Read>;

    /// Name and the rule for matching it, if a name selects.
    fn name(&self) -> Option<&(String, NameRule)>;

    /// The input that selects the object, if one does: an id or a key, which take precedence over the name.
    fn selector(&self) -> Option<&str>;

    /// Other properties that the object must have, and their values.
    fn filters(&self) -> Vec<(&str, &str)>;

    /// Adds the object of `row` to `matches` if it matches. `read` may be the plan's read in another place. Returns
    /// whether the object is meant.
    ///
    /// # Errors
    ///
    /// If the row cannot be decoded.
    fn add_row(
        &self,
        read: &Read,
        row: &Row,
        source: Source,
        matches: &mut Matches,
    ) -> Result<bool, serde_json::Error>;

    /// Like [`Self::add_row`], for the reply at the path of a single object.
    ///
    /// # Errors
    ///
    /// If the reply is not the wanted object.
    fn add_reply(&self, read: &Read, reply: &Reply, matches: &mut Matches) -> Result<(), RequestError>;

    /// Compares the object in `text` with the inputs that an id takes precedence over.
    ///
    /// # Errors
    ///
    /// Describes the object if it is not of the wanted kind.
    fn misfits(&self, text: &[u8]) -> Result<Vec<Misfit>, String>;
}

/// The objects that match, each with its text.
#[derive(Default)]
pub(crate) struct Matches {
    selection: Selection<Bytes>,
    /// Names that do not match the name of the plan, if it has one.
    similar: Option<SimilarNames>,
    /// Name of the object whose id is the name of the plan.
    name_of_id: Option<String>,
}

impl Matches {
    fn of(plan: &dyn AnyPlan) -> Self {
        Self {
            selection: Selection::default(),
            similar: plan.name().map(|(name, _)| SimilarNames::to(name)),
            name_of_id: None,
        }
    }
}

impl<T: WireObject> Plan<T> {
    /// Adds `object` to `matches` if it matches. `text` returns its text, not as a part of its page, which would keep the
    /// page in memory.
    fn add(&self, read: &Read, object: &T, text: &dyn Fn() -> Bytes, matches: &mut Matches) -> bool {
        let is_meant = match &read.by {
            By::Id(id) => object.id() == id,
            By::Key { value, .. } => self.means(object, value),
            By::Name(_) | By::All if self.check(object).is_err() => return false,
            By::Name(_) | By::All => {
                if let Some(similar) = &mut matches.similar
                    && !name_fits(object.name(), self.choose.name.as_ref())
                {
                    similar.add(object.name());
                    if self
                        .choose
                        .name
                        .as_ref()
                        .is_some_and(|(name, _)| name == object.id())
                    {
                        matches.name_of_id = Some(object.name().to_owned());
                    }
                }
                return matches.selection.add(&self.choose, object, text);
            }
        };
        // An id or key takes precedence; other inputs are only compared later.
        if is_meant {
            matches.selection.add_any(object, text());
        }
        is_meant
    }
}

impl<T: WireObject> AnyPlan for Plan<T> {
    fn read(&self) -> &Arc<Read> {
        &self.read
    }

    fn name(&self) -> Option<&(String, NameRule)> {
        self.choose.name.as_ref()
    }

    fn selector(&self) -> Option<&str> {
        match &self.read.by {
            By::Id(_) | By::Key { .. } => Some(self.key.as_deref().unwrap_or("id")),
            By::Name(_) => Some("displayName"),
            By::All => None,
        }
    }

    fn filters(&self) -> Vec<(&str, &str)> {
        let filters = self.choose.filters.iter();
        filters
            .map(|filter| (&*filter.property, &*filter.wanted))
            .collect()
    }

    fn add_row(
        &self,
        read: &Read,
        row: &Row,
        source: Source,
        matches: &mut Matches,
    ) -> Result<bool, serde_json::Error> {
        let object: T = row.decode()?;
        if matches!(&read.by, By::Id(id) if object.id() == id)
            && read.kind.is_policy()
            && object.path().is_none_or(str::is_empty)
        {
            // The reply at the object's own path may have it.
            return Err(serde::de::Error::missing_field("path"));
        }
        Ok(is_of_kind(read, &object)
            && is_in_place(read, &object, source)
            && self.add(read, &object, &|| Bytes::copy_from_slice(row.text()), matches))
    }

    fn add_reply(&self, read: &Read, reply: &Reply, matches: &mut Matches) -> Result<(), RequestError> {
        let object: T = reply.json()?;
        if let By::Id(id) = &read.by
            && object.id() != id
        {
            let id = format!("{:?}", object.id());
            return Err(reply.rejected(format!("it is the object with id {id}"), Some(id)));
        }
        if is_of_kind(read, &object) {
            self.add(read, &object, &|| reply.body.clone(), matches);
        }
        Ok(())
    }

    fn misfits(&self, text: &[u8]) -> Result<Vec<Misfit>, String> {
        let object: T = netmgr_types::object::from_slice(text).map_err(|error| error.to_string())?;
        self.check(&object)?;
        Ok(self.choose.misfits(&object))
    }
}

/// Collects the objects that a plan selects from.
pub(crate) struct Objects {
    /// The read, which may be the plan's read in another place.
    read: Arc<Read>,
    plan: Arc<dyn AnyPlan>,
    matches: Matches,
    skipped: Skipped,
}

impl Objects {
    /// An empty collector for the objects of `read`, from which `plan` selects.
    pub(crate) fn of(read: &Arc<Read>, plan: &Arc<dyn AnyPlan>) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            read: Arc::clone(read),
            plan: Arc::clone(plan),
            matches: Matches::of(&**plan),
            skipped: Skipped::default(),
        }))
    }

    /// Takes the objects, and the clues to what was meant if none of them is.
    pub(crate) fn take(objects: &Mutex<Self>) -> (Selection<Bytes>, Clues, Skipped) {
        let mut objects = lock(objects);
        let Matches {
            selection,
            similar,
            name_of_id,
        } = mem::take(&mut objects.matches);
        let clues = Clues {
            selector: objects.plan.selector().map(str::to_owned),
            similar: similar.map_or_else(Vec::new, SimilarNames::into_names),
            name_of_id,
            is_outside: false,
        };
        (selection, clues, mem::take(&mut objects.skipped))
    }

    /// Whether a row with this name, which cannot be decoded, may match.
    fn concerns(&self, name: Option<&str>) -> bool {
        match self.read.by {
            By::Name(_) | By::All => name.is_none_or(|name| name_fits(name, self.plan.name())),
            By::Id(_) | By::Key { .. } => true,
        }
    }
}

impl RowCollector for Objects {
    fn offer(&mut self, row: &Row, source: Source) -> bool {
        match self.plan.add_row(&self.read, row, source, &mut self.matches) {
            Ok(is_meant) => is_meant,
            Err(problem) => {
                if self.concerns(readable_name(row).as_deref()) {
                    self.skipped.add(&problem);
                }
                false
            }
        }
    }

    fn take_reply(&mut self, reply: &Reply) -> Result<(), RequestError> {
        self.plan.add_reply(&self.read, reply, &mut self.matches)
    }

    fn is_empty(&self) -> bool {
        self.matches.selection.is_empty()
    }

    fn is_sound(&self) -> bool {
        self.skipped.is_empty()
    }

    fn clear(&mut self) {
        self.matches = Matches::of(&*self.plan);
        self.skipped = Skipped::default();
    }
}

/// Whether `object` is of the kind that `read` wants and not about to be deleted.
pub(crate) fn is_of_kind<T: ManagedObject>(read: &Read, object: &T) -> bool {
    let wanted = read.kind.resource_type;
    !object.marked_for_delete()
        && (wanted.is_empty() || object.resource_type().is_none_or(|sent| sent == wanted))
}

/// Whether `object` is in the tree and below the parent of `read`. A search also finds objects of other places, and the
/// list of a project includes objects that are shared with it.
pub(crate) fn is_in_place<T: ManagedObject>(read: &Read, object: &T, source: Source) -> bool {
    match object.path().filter(|path| !path.is_empty()) {
        _ if !read.kind.is_policy() => true,
        Some(path) => read.covers(path),
        None => source == Source::List,
    }
}
