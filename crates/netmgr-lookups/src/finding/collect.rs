//! All objects of a kind, for the functions that return more than one.

use std::mem;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure};
use netmgr_types::wire::ManagedObject;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::matching::object_of;
use crate::finding::project;
use crate::finding::read::Read;
use crate::finding::rows::{Kept, RowSource, SharedCollector};
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
        let kept = kept(read, usize::MAX, keep);
        let (incomplete, is_lost) = self.read_all(source, read, Arc::clone(&kept) as _).await?;
        let values = mem::take(&mut lock(&kept).values);
        if let Some(why) = incomplete {
            if values.is_empty() || is_lost {
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
        let kept = kept(read, most, keep);
        self.read_whole(read, Arc::clone(&kept) as _).await?;
        let mut kept = lock(&kept);
        Ok((mem::take(&mut kept.values), kept.total))
    }

    /// The texts that are the rows of `read`.
    ///
    /// # Errors
    ///
    /// Like [`Self::collect`], and if texts may be missing.
    pub(crate) async fn collect_texts(&self, read: &Arc<Read>) -> Result<Vec<String>, Error> {
        let kept = Kept::of(usize::MAX, |row, _| {
            serde_json::from_slice(row.text()).map_err(|problem| problem.to_string())
        });
        self.read_whole(read, Arc::clone(&kept) as _).await?;
        Ok(mem::take(&mut lock(&kept).values))
    }

    /// Reads all objects of `read` into `rows`, and fails if some may be missing.
    async fn read_whole(&self, read: &Arc<Read>, rows: SharedCollector) -> Result<(), Error> {
        match self.read_all(RowSource::List, read, rows).await? {
            (None, _) => Ok(()),
            (Some(why), _) => Err(self.shortened(read, why)),
        }
    }

    /// The error for a list without some of its rows.
    pub(crate) fn shortened(&self, read: &Read, why: String) -> Error {
        let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(why));
        let what = format!("all {}", plural(read.kind.noun));
        Error::request_failed(self.spec.name, what, source)
    }

    /// Reads all objects of `read` into `rows`. Returns the reason if objects may be missing, and whether pages were lost. The
    /// future is boxed, so that it is compiled once rather than for each caller.
    fn read_all<'a>(
        &'a self,
        source: RowSource,
        read: &'a Arc<Read>,
        rows: SharedCollector,
    ) -> BoxFuture<'a, Result<(Option<String>, bool), Error>> {
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
                None => {
                    let skipped = sentences::skipped(self, lock(&*rows).skipped());
                    Ok((fetched.incomplete(skipped), fetched.lost))
                }
                Some(missing) => Err(match no_parent(self, read).filter(|_| missing.is_of_manager()) {
                    Some(what) => self.not_found(what, None, Some(missing)),
                    None => self.no_api(read.kind.noun, missing).await,
                }),
            }
        })
    }
}

/// An empty collector for the objects of `read`, of which it keeps what `keep` makes of them.
fn kept<V>(
    read: &Arc<Read>,
    most: usize,
    keep: impl Fn(&ManagedObject) -> Option<V> + Send + 'static,
) -> Arc<Mutex<Kept<V>>> {
    let read = Arc::clone(read);
    Kept::of(most, move |row, source| {
        Ok(object_of(&read, row, source)?.and_then(|object| keep(object)))
    })
}
