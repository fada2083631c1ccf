//! The objects of a read: rows decoded as the type of a function, of which its plan keeps those that match.

use std::mem;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use netmgr_transport::{Error as RequestError, Reply, Row};
use netmgr_types::wire::ManagedObject;
use serde::de::DeserializeOwned;

use crate::plan::Plan;
use crate::read::{By, Read};
use crate::rows::{RowCollector, Skipped, Source, lock, readable_name};
use crate::selection::{Selected, Selection};
use crate::similar_names::SimilarNames;

/// A type of objects of the manager.
pub trait WireObject: DeserializeOwned + ManagedObject + Send + Sync + 'static {}

impl<T: DeserializeOwned + ManagedObject + Send + Sync + 'static> WireObject for T {}

/// Collects the objects that a plan selects from.
pub(crate) struct Objects<T> {
    /// The read, which may be that of the plan in another place.
    read: Arc<Read>,
    plan: Arc<Plan<T>>,
    /// Whether the texts of objects are kept.
    keeps_text: bool,
    selection: Selection<T>,
    /// Names that do not match the name of the plan, if it has one.
    similar: Option<SimilarNames>,
    skipped: Skipped,
}

impl<T: WireObject> Objects<T> {
    /// No objects of `read` yet, among which `plan` selects.
    pub(crate) fn of(read: &Arc<Read>, plan: &Arc<Plan<T>>, keeps_text: bool) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            read: Arc::clone(read),
            plan: Arc::clone(plan),
            keeps_text,
            selection: Selection::default(),
            similar: similar_to(plan),
            skipped: Skipped::default(),
        }))
    }

    /// Takes the objects out, and the names that are similar to the wanted one.
    pub(crate) fn take(objects: &Mutex<Self>) -> (Selection<T>, Vec<String>, Skipped) {
        let mut objects = lock(objects);
        let similar = objects.similar.take();
        (
            mem::take(&mut objects.selection),
            similar.map_or_else(Vec::new, SimilarNames::into_names),
            mem::take(&mut objects.skipped),
        )
    }

    fn add(&mut self, object: T, text: &[u8]) -> bool {
        let plan = &self.plan;
        let is_meant = match &self.read.by {
            By::Id(id) => object.id() == id,
            By::Key { value, .. } => plan.means(&object, value),
            By::Name(_) | By::All if plan.check(&object).is_err() => return false,
            By::Name(_) | By::All => {
                if let Some(similar) = &mut self.similar
                    && !plan.choose.name_fits(&object)
                {
                    similar.add(object.name());
                }
                let text = self.kept(text);
                return self.selection.add(&plan.choose, Selected { object, text });
            }
        };
        // An id or key takes precedence; other inputs are only compared later.
        if is_meant {
            let text = self.kept(text);
            self.selection.add_any(Selected { object, text });
        }
        is_meant
    }

    /// A copy of `text` if texts are kept; a part of its page would keep the page in memory.
    fn kept(&self, text: &[u8]) -> Option<Bytes> {
        self.keeps_text.then(|| Bytes::copy_from_slice(text))
    }

    /// Whether a row with this name, which cannot be decoded, may be wanted.
    fn concerns(&self, name: Option<&str>) -> bool {
        match self.read.by {
            By::Name(_) | By::All => self.plan.choose.concerns(name),
            By::Id(_) | By::Key { .. } => true,
        }
    }
}

impl<T: WireObject> RowCollector for Objects<T> {
    fn offer(&mut self, row: &Row, source: Source) -> bool {
        match row.decode::<T>() {
            Ok(object) => {
                is_of_kind(&self.read, &object)
                    && is_in_place(&self.read, &object, source)
                    && self.add(object, row.text())
            }
            Err(problem) => {
                if self.concerns(readable_name(row).as_deref()) {
                    self.skipped.add(&problem);
                }
                false
            }
        }
    }

    fn take_reply(&mut self, reply: &Reply) -> Result<(), RequestError> {
        let object: T = reply.json()?;
        if let By::Id(id) = &self.read.by
            && object.id() != id
        {
            let id = format!("{:?}", object.id());
            return Err(reply.rejected(format!("it is the object with id {id}"), Some(id)));
        }
        if is_of_kind(&self.read, &object) {
            self.add(object, &reply.body);
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.selection.is_empty()
    }

    fn is_sound(&self) -> bool {
        self.skipped.is_empty()
    }

    fn clear(&mut self) {
        self.selection = Selection::default();
        self.similar = similar_to(&self.plan);
        self.skipped = Skipped::default();
    }
}

/// No names yet that are similar to that of `plan`.
fn similar_to<T>(plan: &Plan<T>) -> Option<SimilarNames> {
    let (name, _) = plan.choose.name.as_ref()?;
    Some(SimilarNames::to(name))
}

/// Whether `object` is of the kind that `read` wants and not about to be deleted.
pub(crate) fn is_of_kind<T: ManagedObject>(read: &Read, object: &T) -> bool {
    let wanted = read.kind.resource_type;
    !object.marked_for_delete()
        && (wanted.is_empty() || object.resource_type().is_none_or(|sent| sent == wanted))
}

/// Whether `object` is in the tree and below the parent of `read`. A search finds objects of other places, and the list
/// of a project has those that are shared with it.
pub(crate) fn is_in_place<T: ManagedObject>(read: &Read, object: &T, source: Source) -> bool {
    match object.path().filter(|path| !path.is_empty()) {
        _ if !read.kind.is_policy() => true,
        Some(path) => read.covers(path),
        None => source == Source::List,
    }
}
