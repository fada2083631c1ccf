//! The objects of a read: those that match its plan are kept.

use std::mem;
use std::sync::{Arc, Mutex};

use netmgr_transport::{Error as RequestError, Reply};
use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::Clues;
use crate::fetch::{Fetched, ReadError};
use crate::finding::plan::Plan;
use crate::finding::read::{By, Read};
use crate::finding::rows::{OfferedRow, RowCollector, RowSource, SharedCollector, Skipped};
use crate::finding::selection::{Selection, name_fits};
use crate::lock::lock;
use crate::wording::sentences;
use crate::wording::similar_names::SimilarNames;

/// The objects of a read.
pub(crate) struct Found {
    pub(crate) selection: Selection,
    /// Hints for the error if no object is selected.
    pub(super) clues: Clues,
    pub(super) skipped: Skipped,
    pub(crate) fetched: Fetched,
}

/// Reads the objects of `read`, from which `plan` selects.
pub(crate) async fn find(
    cx: &LookupContext<'_>,
    read: &Arc<Read>,
    plan: &Arc<Plan>,
) -> Result<Found, ReadError> {
    let objects = Objects::of(read, plan);
    let rows: SharedCollector = Arc::clone(&objects) as _;
    let fetched = cx.fetch().find(read, &rows).await?;
    Ok(Found::new(&objects, fetched))
}

impl Found {
    pub(super) fn new(objects: &Mutex<Objects>, fetched: Fetched) -> Self {
        let objects = &mut *lock(objects);
        let similar = objects.similar.take();
        Self {
            selection: mem::take(&mut objects.selection),
            clues: Clues {
                selector: objects.plan.selector().map(str::to_owned),
                similar: similar.map_or_else(Vec::new, SimilarNames::into_names),
                name_of_id: objects.name_of_id.take(),
                is_outside: false,
                missing: None,
            },
            skipped: mem::take(&mut objects.skipped),
            fetched,
        }
    }

    /// Reason why objects may be missing, if any.
    pub(super) fn incomplete(&self, cx: &LookupContext<'_>) -> Option<String> {
        self.fetched.incomplete(sentences::skipped(cx, &self.skipped))
    }
}

/// Collects the objects that a plan selects from.
pub(crate) struct Objects {
    /// The read, which may search another location than the plan's own read.
    read: Arc<Read>,
    plan: Arc<Plan>,
    selection: Selection,
    /// Names that do not match the name of the plan, if it has one.
    similar: Option<SimilarNames>,
    /// Name of the object whose id is the name of the plan.
    name_of_id: Option<String>,
    skipped: Skipped,
}

impl Objects {
    /// An empty collector for the objects of `read`, from which `plan` selects.
    pub(crate) fn of(read: &Arc<Read>, plan: &Arc<Plan>) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self::empty(Arc::clone(read), Arc::clone(plan))))
    }

    fn empty(read: Arc<Read>, plan: Arc<Plan>) -> Self {
        Self {
            selection: Selection::default(),
            similar: plan.name().map(|(name, _)| SimilarNames::to(name)),
            name_of_id: None,
            skipped: Skipped::default(),
            read,
            plan,
        }
    }

    /// Keeps `object` if it matches. Returns whether it is meant.
    fn add(&mut self, object: &Arc<ManagedObject>) -> bool {
        let plan = &self.plan;
        let is_wanted = match &self.read.by {
            By::Id(id) => object.id() == id,
            By::Key { value, .. } => plan.identifies(object, value),
            By::Name(_) | By::All if plan.check(object).is_err() => return false,
            By::Name(_) | By::All => {
                if let (Some(similar), Some((name, _))) = (&mut self.similar, plan.name())
                    && !name_fits(object.name(), plan.name())
                {
                    similar.add(object.name());
                    if name == object.id() {
                        self.name_of_id = Some(object.name().to_owned());
                    }
                }
                return self.selection.add(&plan.criteria, object);
            }
        };
        // An id or key takes precedence; other inputs are only compared later.
        if is_wanted {
            self.selection.add_any(object);
        }
        is_wanted
    }

    /// Counts a row that cannot be decoded, if it may match.
    fn skip(&mut self, row: &OfferedRow<'_>, problem: &str) {
        let may_match = match self.read.by {
            By::Name(_) | By::All => row
                .readable_name()
                .is_none_or(|name| name_fits(&name, self.plan.name())),
            By::Id(_) | By::Key { .. } => true,
        };
        if may_match {
            self.skipped.add(row, problem);
        }
    }
}

impl RowCollector for Objects {
    fn offer(&mut self, row: &OfferedRow<'_>, source: RowSource) -> bool {
        match object_of(&self.read, row, source) {
            Ok(object) => object.is_some_and(|object| self.add(object)),
            Err(problem) => {
                self.skip(row, problem);
                false
            }
        }
    }

    fn take_reply(&mut self, reply: &Reply) -> Result<(), RequestError> {
        let object: Arc<ManagedObject> = Arc::new(reply.json()?);
        if let By::Id(id) = &self.read.by
            && object.id() != id
        {
            let id = format!("{:?}", object.id());
            return Err(reply.rejected(format!("it is the object with id {id}"), Some(id)));
        }
        if is_of_kind(&self.read, &object) {
            self.add(&object);
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.selection.is_empty()
    }

    fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    fn clear(&mut self) {
        *self = Self::empty(Arc::clone(&self.read), Arc::clone(&self.plan));
    }
}

/// The object of `row`, if it is of the kind of `read`, in its tree and below its parent. A search also finds objects of
/// other places, and the list of a project includes objects that are shared with it.
///
/// # Errors
///
/// Describes why the row cannot be decoded.
pub(crate) fn object_of<'r>(
    read: &Read,
    row: &'r OfferedRow<'_>,
    source: RowSource,
) -> Result<Option<&'r Arc<ManagedObject>>, &'r str> {
    let object = row.object()?;
    if object.id().is_empty() && read.kind.has_ids {
        return Err(ManagedObject::WITHOUT_ID);
    }
    let is_in_place = match object.path() {
        _ if !read.kind.is_policy() => true,
        Some(path) => read.covers(path),
        // The reply at the object's own path may have it.
        None if matches!(&read.by, By::Id(id) if object.id() == id) => return Err("has no path"),
        None if source == RowSource::Search && is_of_kind(read, object) => return Err("has no path"),
        None => source == RowSource::List,
    };
    Ok(Some(object).filter(|object| is_in_place && is_of_kind(read, object)))
}

/// Whether `object` is of the kind that `read` wants and not about to be deleted.
fn is_of_kind(read: &Read, object: &ManagedObject) -> bool {
    let wanted = read.kind.resource_type;
    !object.marked_for_delete()
        && (wanted.is_empty() || object.resource_type().is_none_or(|sent| sent == wanted))
}
