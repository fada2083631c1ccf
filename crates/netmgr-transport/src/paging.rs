//! One pager for lists and searches: asks page after page, always ends, loses no object.
//!
//! Not here: reading one page (`page.rs`) and the rules for what is new and when to stop
//! (`progress.rs`).

use bytes::Bytes;
use http::{Method, StatusCode};

use crate::offload::offload;
use crate::{Client, Error, Failure, Get, RequestLine};

mod page;
mod progress;

pub use page::Row;
pub use progress::{Ending, ReadSummary};

use page::Page;
use progress::{Progress, Step};

/// Rows asked for per page where the caller says nothing: the manager's largest page.
const PAGE_SIZE: u32 = 1000;
/// Pages are not asked for smaller than this.
const SMALLEST_PAGE: u32 = 25;
/// A read that has not ended after this many bytes of pages fails; [`Pager::next`] names the
/// other limits.
const MOST_BYTES: u64 = 1 << 30;

/// A read of all pages of a list or search, one page at a time.
///
/// Each object is yielded once, also when pages overlap. The pager holds no page: what a call
/// yields is the caller's.
///
/// Source: manager-api C.6, C.8, D.1; our choices in decision 0030.
pub struct Pager {
    client: Client,
    get: Get,
    /// Rows to ask for; none for a list without paging parameters.
    page_size: Option<u32>,
    progress: Progress,
    /// Bytes of all pages so far.
    bytes: u64,
}

impl Client {
    /// A pager over the list or search that `get` asks for. Sends nothing yet.
    ///
    /// The pager asks for 1000 rows a page unless `get` names a `page_size` or is
    /// [unpaged](Get::unpaged), and sets `cursor` itself.
    #[must_use]
    pub fn pages(&self, mut get: Get) -> Pager {
        if !get.is_unpaged() && get.parameter("page_size").is_none() {
            get.set("page_size", PAGE_SIZE.to_string());
        }
        let page_size = get.parameter("page_size").and_then(|text| text.parse().ok());
        let progress = Progress::starting_at(get.parameter("cursor"));
        Pager {
            client: self.clone(),
            get,
            page_size,
            progress,
            bytes: 0,
        }
    }
}

impl Pager {
    /// The new rows of the next page, possibly none; `None` after the last page. A large page is
    /// taken apart on a thread of its own.
    ///
    /// Dropping the future loses nothing: the next call asks for the same page. So does a call
    /// after an error.
    ///
    /// # Errors
    ///
    /// Those of [`Client::get`]; [`Error::BadReply`] when the answer is not a page, when its cursor
    /// is too long for a URL, and when there is no end after 4000 pages, 250,000 rows or 1 GiB (0030).
    pub async fn next(&mut self) -> Result<Option<Vec<Row>>, Error> {
        while !self.progress.is_over() {
            if self.progress.is_exhausted() || self.bytes >= MOST_BYTES {
                return Err(self.endless());
            }
            let reply = match self.client.get(&self.get).await {
                Ok(reply) => reply,
                Err(error) if is_page_too_large(&error) && self.shrink() => continue,
                Err(error) => return Err(error),
            };
            let (size, body) = (reply.body.len(), reply.body.clone());
            let page = offload(size, move || Page::read(&body))
                .await
                .map_err(|cause| self.bad_page(&reply.request_line, &reply.body, cause))?;
            let (rows, step) = self.progress.take(page, self.page_size);
            if let Step::Continue(cursor) = step {
                let length = cursor.len();
                let mut next = self.get.clone();
                next.set("cursor", cursor);
                if next.unfit(&self.client.connection().host.prefix).is_some() {
                    return Err(unfit_cursor(reply.request_line, length));
                }
                self.get = next;
            }
            self.bytes += size as u64;
            return Ok(Some(rows));
        }
        Ok(None)
    }

    fn bad_page(&self, request_line: &RequestLine, body: &Bytes, cause: serde_json::Error) -> Error {
        Error::bad_reply(request_line.clone(), body, cause).shown(&self.client.secrets().all())
    }

    /// The failure of a read that never comes to an end.
    fn endless(&self) -> Error {
        let ReadSummary { pages, rows, .. } = self.extent();
        Error::BadReply(Box::new(Failure {
            request_line: Some(self.client.request_line(&Method::GET, self.get.path())),
            reason: Some(format!(
                "the list has no end: {pages} pages with {rows} objects were read"
            )),
            hint: Some("select the object by its id, and check what answers at host".to_owned()),
            ..Failure::default()
        }))
    }

    /// All rows and how far they reach. The rows keep their pages in memory; [`Pager::next`] does
    /// not.
    ///
    /// # Errors
    ///
    /// Those of [`Pager::next`].
    pub async fn rows(mut self) -> Result<(Vec<Row>, ReadSummary), Error> {
        let mut all = Vec::new();
        while let Some(rows) = self.next().await? {
            all.extend(rows);
        }
        Ok((all, self.extent()))
    }

    /// What was read so far and, after the last page, why it was the last.
    #[must_use]
    pub fn extent(&self) -> ReadSummary {
        self.progress.extent()
    }

    /// Halves the page size; false when it cannot get smaller.
    fn shrink(&mut self) -> bool {
        match self.page_size {
            Some(size) if size > SMALLEST_PAGE => {
                let smaller = (size / 2).max(SMALLEST_PAGE);
                self.page_size = Some(smaller);
                self.get.set("page_size", smaller.to_string());
                true
            }
            _ => false,
        }
    }
}

fn unfit_cursor(request_line: RequestLine, length: usize) -> Error {
    Error::BadReply(Box::new(Failure {
        request_line: Some(request_line),
        status: Some(StatusCode::OK),
        reason: Some(format!(
            "the cursor of the page has {length} bytes, which is too long for a URL"
        )),
        hint: Some("check what answers at host".to_owned()),
        ..Failure::default()
    }))
}

/// Whether the manager says that a page of the asked size is too large for it.
///
/// Source: manager-api C.8.
fn is_page_too_large(error: &Error) -> bool {
    let Some(failure) = error.failure() else {
        return false;
    };
    let code = match failure.status {
        Some(StatusCode::SERVICE_UNAVAILABLE) => 60576,
        Some(StatusCode::BAD_REQUEST) => 255,
        _ => return false,
    };
    failure.api.as_ref().is_some_and(|api| api.has_code(&[code]))
}

#[cfg(test)]
mod tests;
