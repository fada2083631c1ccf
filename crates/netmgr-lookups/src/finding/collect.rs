//! All objects of a kind, for the functions that return more than one.

use std::mem;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::fetch::Fetched;
use crate::finding::matching::{is_in_place, is_of_kind, object_of};
use crate::finding::project;
use crate::finding::read::Read;
use crate::finding::rows::{OfferedRow, RowCollector, RowSource, SharedCollector, Skipped};
use crate::lock::lock;
use crate::wording::nouns::plural;
use crate::wording::sentences::{self, no_parent};

impl LookupContext<'_> {
    /// Reads all objects of `read` and maps each with `keep`, in any order. A warning reports the number of objects that
    /// could not be read.
    ///
    /// # Errors
    ///
    /// Fails if the request fails, if the parent does not exist, or if an incomplete list would look like a manager
    /// without objects.
    pub(crate) fn collect<V: Send + 'static>(
        &self,
        read: &Arc<Read>,
        keep: impl Fn(&ManagedObject) -> Option<V> + Send + 'static,
    ) -> impl Future<Output = Result<Vec<V>, Error>> + Send {
        self.collect_from(RowSource::List, read, keep)
    }

    /// Like [`Self::collect`], but reads from `source`.
    pub(crate) async fn collect_from<V: Send + 'static>(
        &self,
        source: RowSource,
        read: &Arc<Read>,
        keep: impl Fn(&ManagedObject) -> Option<V> + Send + 'static,
    ) -> Result<Vec<V>, Error> {
        let kept = Kept::of(read, usize::MAX, keep);
        let fetched = self.read_all(source, read, Arc::clone(&kept) as _).await?;
        let (values, _, skipped) = Kept::take(&kept);
        if let Some(why) = self.incomplete(&fetched, &skipped) {
            if values.is_empty() || fetched.lost {
                return Err(self.shortened(read, why));
            }
            self.warn(&format!(
                "the {} may be incomplete: {why}",
                self.spec.answer.word()
            ));
        }
        Ok(values)
    }

    /// Like [`Self::collect`], but fails if objects may be missing. Keeps at most `most` values, and also returns the
    /// total number of them.
    pub(crate) async fn collect_all<V: Send + 'static>(
        &self,
        read: &Arc<Read>,
        most: usize,
        keep: impl Fn(&ManagedObject) -> Option<V> + Send + 'static,
    ) -> Result<(Vec<V>, usize), Error> {
        let kept = Kept::of(read, most, keep);
        let fetched = self
            .read_all(RowSource::List, read, Arc::clone(&kept) as _)
            .await?;
        let (values, total, skipped) = Kept::take(&kept);
        match self.incomplete(&fetched, &skipped) {
            None => Ok((values, total)),
            Some(why) => Err(self.shortened(read, why)),
        }
    }

    /// The texts that are the rows of `read`.
    ///
    /// # Errors
    ///
    /// Like [`Self::collect`], and if texts may be missing.
    pub(crate) async fn collect_texts(&self, read: &Arc<Read>) -> Result<Vec<String>, Error> {
        let texts: Arc<Mutex<CollectedTexts>> = Arc::default();
        let fetched = self
            .read_all(RowSource::List, read, Arc::clone(&texts) as _)
            .await?;
        let CollectedTexts { values, skipped } = mem::take(&mut *lock(&texts));
        match self.incomplete(&fetched, &skipped) {
            None => Ok(values),
            Some(why) => Err(self.shortened(read, why)),
        }
    }

    /// The error for a list without some of its rows.
    pub(crate) fn shortened(&self, read: &Read, why: String) -> Error {
        let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(why));
        let what = format!("all {}", plural(read.kind.noun));
        Error::request_failed(self.spec.name, what, source)
    }

    /// Reads all objects of `read` into `rows`. The future is boxed, so that it is compiled once rather than for each
    /// caller.
    fn read_all<'a>(
        &'a self,
        source: RowSource,
        read: &'a Arc<Read>,
        rows: SharedCollector,
    ) -> BoxFuture<'a, Result<Fetched, Error>> {
        Box::pin(async move {
            self.admit().await?;
            let fetched = match source {
                RowSource::Search => self.fetch().search(read, &rows).await,
                RowSource::Direct | RowSource::List => self.fetch().find(read, &rows).await,
            };
            let mut fetched = match fetched {
                Ok(fetched) => fetched,
                Err(refused) => return Err(project::refused(self, read, refused).await),
            };
            match fetched.missing.take() {
                None => Ok(fetched),
                Some(missing) => Err(match no_parent(self, read) {
                    Some(what) => self.not_found(what, None, Some(missing)),
                    None => self.no_api(missing).await,
                }),
            }
        })
    }

    /// Why objects may be missing, if they may.
    fn incomplete(&self, fetched: &Fetched, skipped: &Skipped) -> Option<String> {
        fetched.incomplete(sentences::skipped(self, skipped))
    }
}

/// Collects the values that are kept.
struct Kept<V, K> {
    read: Arc<Read>,
    keep: K,
    /// Maximum number of values to keep.
    most: usize,
    values: Vec<V>,
    total: usize,
    skipped: Skipped,
}

impl<V: Send + 'static, K: Fn(&ManagedObject) -> Option<V> + Send + 'static> Kept<V, K> {
    /// An empty collector for the objects of `read`.
    fn of(read: &Arc<Read>, most: usize, keep: K) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            read: Arc::clone(read),
            keep,
            most,
            values: Vec::new(),
            total: 0,
            skipped: Skipped::default(),
        }))
    }

    /// Takes the values, the total number of objects, and the rows that could not be decoded.
    fn take(kept: &Mutex<Self>) -> (Vec<V>, usize, Skipped) {
        let mut kept = lock(kept);
        (
            mem::take(&mut kept.values),
            kept.total,
            mem::take(&mut kept.skipped),
        )
    }
}

impl<V: Send, K: Fn(&ManagedObject) -> Option<V> + Send> RowCollector for Kept<V, K> {
    fn offer(&mut self, row: &OfferedRow<'_>, source: RowSource) -> bool {
        match object_of(&self.read, row) {
            Ok(object) => {
                let is_wanted = is_of_kind(&self.read, object) && is_in_place(&self.read, object, source);
                if is_wanted && let Some(value) = (self.keep)(object) {
                    self.total += 1;
                    if self.values.len() < self.most {
                        self.values.push(value);
                    }
                }
                is_wanted
            }
            Err(problem) => {
                self.skipped.add(row, problem);
                false
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn is_sound(&self) -> bool {
        self.skipped.is_empty()
    }

    fn clear(&mut self) {
        self.values.clear();
        self.total = 0;
        self.skipped = Skipped::default();
    }
}

/// Collects rows that are texts.
#[derive(Default)]
struct CollectedTexts {
    values: Vec<String>,
    skipped: Skipped,
}

impl RowCollector for CollectedTexts {
    fn offer(&mut self, row: &OfferedRow<'_>, _: RowSource) -> bool {
        match serde_json::from_slice(row.text()) {
            Ok(text) => self.values.push(text),
            Err(problem) => {
                self.skipped.add(row, &problem.to_string());
                return false;
            }
        }
        true
    }

    fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn is_sound(&self) -> bool {
        self.skipped.is_empty()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}
