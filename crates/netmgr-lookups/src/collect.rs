//! All objects of a kind, for the functions that return more than one.

use std::mem;
use std::sync::{Arc, Mutex};

use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Failure, Reply, Row};

use crate::context::LookupContext;
use crate::error::Error;
use crate::objects::{WireObject, is_in_place, is_of_kind};
use crate::read::Read;
use crate::rows::{RowCollector, SharedCollector, Skipped, Source, lock};
use crate::sentences::{no_parent, plural, what};

impl LookupContext<'_> {
    /// Reads all objects of `read` and maps each with `keep`, in any order. A warning reports the number of objects that
    /// could not be read.
    ///
    /// # Errors
    ///
    /// Fails if the request fails, if the parent does not exist, or if an incomplete list would look like a manager
    /// without objects.
    pub(crate) async fn collect<T: WireObject, V: Send + 'static>(
        &self,
        read: &Arc<Read>,
        keep: impl Fn(T) -> Option<V> + Send + 'static,
    ) -> Result<Vec<V>, Error> {
        self.collect_from(Source::List, read, keep).await
    }

    /// The same, from the search where that is the source.
    pub(crate) async fn collect_from<T: WireObject, V: Send + 'static>(
        &self,
        source: Source,
        read: &Arc<Read>,
        keep: impl Fn(T) -> Option<V> + Send + 'static,
    ) -> Result<Vec<V>, Error> {
        self.admit().await?;
        let kept = Arc::new(Mutex::new(Kept {
            read: Arc::clone(read),
            keep,
            values: Vec::new(),
            skipped: Skipped::default(),
            object: std::marker::PhantomData,
        }));
        let rows: SharedCollector = Arc::clone(&kept) as _;
        let fetched = match source {
            Source::Search => self.fetch().search(read, &rows).await,
            Source::Direct | Source::List => self.fetch().find(read, &rows).await,
        };
        let fetched = match fetched {
            Ok(fetched) => fetched,
            Err(refused) => return Err(self.refused(what(self, read), refused).await),
        };
        if let Some(missing) = fetched.missing {
            return Err(self.not_found(no_parent(self, read), None, Some(missing)));
        }
        let (values, skipped) = {
            let mut kept = lock(&*kept);
            (mem::take(&mut kept.values), mem::take(&mut kept.skipped))
        };
        if let Some(why) = fetched.incomplete(skipped.clause(self)) {
            if values.is_empty() || fetched.lost {
                let source = RequestError::new(RequestErrorKind::BadReply, Failure::default().reason(why));
                let what = format!("all {}", plural(read.kind.noun));
                return Err(Error::request_failed(self.name(), what, source));
            }
            self.warn(&format!(
                "the {} may be incomplete: {why}",
                self.spec.answer.word()
            ));
        }
        Ok(values)
    }
}

/// Collects what is kept of objects.
struct Kept<T, V, K> {
    read: Arc<Read>,
    keep: K,
    values: Vec<V>,
    skipped: Skipped,
    object: std::marker::PhantomData<fn(T)>,
}

impl<T: WireObject, V: Send, K: Fn(T) -> Option<V> + Send> RowCollector for Kept<T, V, K> {
    fn offer(&mut self, row: &Row, source: Source) -> bool {
        match row.decode::<T>() {
            Ok(object) => {
                let is_meant = is_of_kind(&self.read, &object) && is_in_place(&self.read, &object, source);
                if is_meant {
                    self.values.extend((self.keep)(object));
                }
                is_meant
            }
            Err(problem) => {
                self.skipped.add(&problem);
                false
            }
        }
    }

    fn take_reply(&mut self, reply: &Reply) -> Result<(), RequestError> {
        Err(reply.rejected("it is a single object".to_owned(), None))
    }

    fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn is_sound(&self) -> bool {
        self.skipped.is_empty()
    }

    fn clear(&mut self) {
        self.values.clear();
        self.skipped = Skipped::default();
    }
}
