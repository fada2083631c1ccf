//! The pager for lists and searches.
//!
//! Pages are split into rows in `paging/page.rs`; the rules for new rows and the last page are in `paging/progress.rs`.

use bytes::Bytes;
use http::{Method, StatusCode};

use crate::{Client, Error, ErrorKind, Failure, Get, RequestLine};

mod page;
mod progress;
mod row;

use page::RowPage;
pub use progress::{Ending, ReadSummary};
use progress::{NextPage, ReadProgress, ReadSource};
pub use row::Row;

/// Default number of rows per page, which is the manager's maximum.
const PAGE_SIZE: u32 = 1000;
/// Minimum number of rows per page.
const SMALLEST_PAGE: u32 = 25;
/// Minimum length of a page in bytes that is split into rows on a separate thread. A shorter one takes about a millisecond.
const LARGE: usize = 256 << 10;
/// End of the path of a search.
const SEARCH: &str = "/search/query";
/// Maximum number of bytes of all pages. [`Pager::next`] documents the other limits.
const MOST_BYTES: u64 = 1 << 30;

/// A read of all pages of a list or search, one page at a time.
///
/// Each object is returned once, even if pages overlap. A list whose announced number of objects changes while it is read
/// is read again, once. The pager keeps no pages. Our choices in decision paging.
pub struct Pager {
    client: Client,
    /// The request of the first page.
    first: Get,
    /// The request of the next page.
    get: Get,
    /// Requested rows per page; `None` for a list without paging parameters.
    page_size: Option<u32>,
    progress: ReadProgress,
    /// Number of bytes of all pages so far.
    bytes: u64,
}

impl Client {
    /// Creates a pager for the list or search in `get`. Sends nothing yet.
    ///
    /// The pager requests 1000 rows per page unless `get` has a `page_size` or is [unpaged](Get::unpaged),
    /// and sets `cursor`.
    #[must_use]
    pub fn pages(&self, mut get: Get) -> Pager {
        if !get.is_unpaged() && get.parameter("page_size").is_none() {
            get.set("page_size", PAGE_SIZE.to_string());
        }
        let page_size = get.parameter("page_size").and_then(|text| text.parse().ok());
        let source = match get.path().ends_with(SEARCH) {
            true => ReadSource::Search,
            false if get.parameter("sort_by").is_some() => ReadSource::SortedList,
            false => ReadSource::List,
        };
        Pager {
            client: self.clone(),
            progress: ReadProgress::new(source, get.parameter("cursor")),
            first: get.clone(),
            get,
            page_size,
            bytes: 0,
        }
    }
}

impl Pager {
    /// Returns the new rows of the next page, which may be empty, or `None` after the last page. Large pages are split into
    /// rows on a separate thread.
    ///
    /// If the future is dropped or returns an error, the next call requests the same page.
    ///
    /// # Errors
    ///
    /// Errors of [`Client::get`]. [`ErrorKind::BadReply`] if the reply is not a page, if its cursor is too long
    /// for a URL, if a page has more than 250,000 rows, and if the list does not end after 4000 pages, 250,000 rows
    /// or 1 GiB (decision paging).
    pub async fn next(&mut self) -> Result<Option<Vec<Row>>, Error> {
        while !self.progress.is_over() {
            if self.progress.is_exhausted() || self.bytes >= MOST_BYTES {
                return Err(self.endless());
            }
            let reply = match self.client.get(&self.get).await {
                Ok(reply) => reply,
                Err(error) if is_page_too_large(&error) && self.shrink() => continue,
                Err(error) if is_rejected(&error) && self.progress.reject_guess() => continue,
                Err(error) => return Err(self.of_page(error)),
            };
            let page = read(&reply.body)
                .await
                .map_err(|cause| self.bad_page(&reply.request_line, &reply.body, cause))?;
            self.bytes += reply.body.len() as u64;
            let (rows, step) = self.progress.take(page, self.page_size);
            match step {
                NextPage::Continue(cursor) => {
                    let length = cursor.len();
                    let mut next = self.get.clone();
                    next.set("cursor", cursor);
                    if self.client.check(&next).is_err() {
                        return Err(unfit_cursor(reply.request_line, length));
                    }
                    self.get = next;
                }
                NextPage::StartAgain => {
                    tracing::debug!("the list changed while it was read; reading it again");
                    self.get = self.first.clone();
                    self.set_page_size();
                    self.bytes = 0;
                }
                NextPage::Stop => {}
            }
            return Ok(Some(rows));
        }
        Ok(None)
    }

    /// The error of the next page. The list exists, if it has pages already.
    fn of_page(&self, error: Error) -> Error {
        match self.extent().pages {
            pages @ 1.. if error.kind() == ErrorKind::NotFound => {
                let mut failure = error.failure().clone();
                failure.add_reason(&format!("page {} of the list was not found", pages + 1));
                Error::new(ErrorKind::Rejected, failure)
            }
            _ => error,
        }
    }

    fn bad_page(&self, request_line: &RequestLine, body: &Bytes, cause: serde_json::Error) -> Error {
        Error::bad_reply(request_line.clone(), body, cause).sanitized(&self.client.secrets().all())
    }

    /// The error for an endless list.
    fn endless(&self) -> Error {
        let ReadSummary { pages, rows, .. } = self.extent();
        Error::new(
            ErrorKind::BadReply,
            Failure::default()
                .request_line(self.client.request_line(&Method::GET, self.get.path()))
                .reason(format!(
                    "the list does not end: {pages} pages with {rows} objects were read"
                ))
                .hint("select the object by its id, and check which server responds at host"),
        )
    }

    /// Reads all rows. The rows keep their pages in memory; [`Pager::next`] does not.
    ///
    /// # Errors
    ///
    /// Errors of [`Pager::next`].
    pub async fn rows(mut self) -> Result<(Vec<Row>, ReadSummary), Error> {
        let mut all = Vec::new();
        while let Some(rows) = self.next().await? {
            all.extend(rows);
        }
        Ok((all, self.extent()))
    }

    /// The extent of the read so far and, after the last page, the reason for its end.
    #[must_use]
    pub fn extent(&self) -> ReadSummary {
        self.progress.extent()
    }

    /// Halves the page size. Returns false if it is already the minimum.
    fn shrink(&mut self) -> bool {
        match self.page_size {
            Some(size) if size > SMALLEST_PAGE => {
                self.page_size = Some((size / 2).max(SMALLEST_PAGE));
                self.set_page_size();
                true
            }
            _ => false,
        }
    }

    /// Requests pages of the current size.
    fn set_page_size(&mut self) {
        if let Some(size) = self.page_size {
            self.get.set("page_size", size.to_string());
        }
    }
}

/// Splits a page into rows. On one thread, a page of 50 MiB would delay all calls, their timeouts and cancellation.
async fn read(body: &Bytes) -> Result<RowPage, serde_json::Error> {
    if body.len() > LARGE {
        let body = body.clone();
        if let Ok(page) = tokio::task::spawn_blocking(move || RowPage::read(&body)).await {
            return page;
        }
        // The runtime of the other thread has ended.
    }
    RowPage::read(body)
}

/// Whether the manager rejected the request as such.
fn is_rejected(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Rejected | ErrorKind::NotFound)
}

fn unfit_cursor(request_line: RequestLine, length: usize) -> Error {
    Error::new(
        ErrorKind::BadReply,
        Failure {
            request_line: Some(request_line),
            status: Some(StatusCode::OK),
            reason: Some(format!(
                "the cursor of the page has {length} bytes, which is too long for a URL"
            )),
            hint: Some("check which server responds at host".to_owned()),
            ..Failure::default()
        },
    )
}

/// Whether the manager rejected the page as too large.
fn is_page_too_large(error: &Error) -> bool {
    let failure = error.failure();
    let code = match failure.status {
        Some(StatusCode::SERVICE_UNAVAILABLE) => 60576,
        Some(StatusCode::BAD_REQUEST) => 255,
        _ => return false,
    };
    failure.api.as_ref().is_some_and(|api| api.has_code(&[code]))
}

#[cfg(test)]
mod tests;
