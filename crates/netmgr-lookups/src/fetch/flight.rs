//! One request and the lookups that it answers. Equal requests that are not sent yet are one.
//!
//! While one is in flight, an equal one for later lookups begins when it ends, or after 1, 2, 4, and then every 8 s, so
//! that a hanging request does not block other lookups (`schedule.rs`). Not here: which requests replace others
//! (`wide.rs`).

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::Shared;
use netmgr_transport::{
    Error as RequestError, ErrorKind as RequestErrorKind, Failure, Get, ReadSummary, Reservation, Row,
};
use tokio::task::yield_now;
use tokio::time::Instant;
use tracing::dispatcher::with_default;
use tracing::instrument::{Instrument as _, WithSubscriber as _};
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, debug_span};

use super::matcher::Matcher;
use super::schedule::{Drive, LastHeard, Next, RequestKey, RequestPlace, Schedule, Seat, this_runtime};
use super::waiter::{Arrival, Caller, Landing, LookupWaiter, Need, Role, Ticket, Undecided};
use crate::rows::{OfferedRow, SharedCollector, Source};

/// Maximum wait of a lookup for the next page of a wide request.
const SILENCE: Duration = Duration::from_secs(10);

/// Bytes of rows that are read before other tasks run: a plugin has one thread for all tasks.
const STEP: usize = 256 << 10;

/// A request to send.
pub(super) struct Order {
    pub(super) get: Get,
    /// Source of its rows; `None` if it is not paged.
    pub(super) source: Option<Source>,
    pub(super) confidential: bool,
}

/// A request as seen by a lookup that waits for it.
#[derive(Clone)]
pub(super) struct Flight {
    drive: Shared<Drive>,
    heard: Arc<LastHeard>,
}

/// The lookup's own request, alone or with others that have the same one.
pub(super) async fn own(
    schedule: &Arc<Schedule>,
    need: &Need,
    rows: &SharedCollector,
    caller: Caller<'_>,
) -> Result<Arrival, RequestError> {
    let mut ticket = LookupWaiter::begin(need, rows, caller);
    let order = Order {
        get: need.own_request(),
        source: need.source(),
        confidential: caller.confidential,
    };
    schedule.count_joined();
    let flight = join(
        schedule,
        order,
        vec![(Arc::clone(&ticket.waiter), Role::Owner)],
        None,
    );
    match ride(schedule, &mut ticket, flight, Role::Owner, caller).await {
        Landing::Arrived(arrival) => Ok(arrival),
        Landing::Failed(error) => Err(error),
        Landing::Undecided(_) => Err(lost()),
    }
}

/// Waits for the outcome of a request for a lookup: its answer, or, for a wide request, that it does not decide the
/// lookup.
pub(super) async fn ride(
    schedule: &Schedule,
    ticket: &mut Ticket,
    flight: Flight,
    role: Role,
    caller: Caller<'_>,
) -> Landing {
    let Flight { mut drive, heard } = flight;
    let share = caller.share();
    loop {
        let patience = share.min(heard.at() + SILENCE);
        tokio::select! {
            biased;
            landing = &mut ticket.landing => return landing.unwrap_or_else(|_| unanswered(role)),
            () = &mut drive => return ticket.landing.try_recv().unwrap_or_else(|_| unanswered(role)),
            () = schedule.past(patience), if role == Role::Guest => {
                if share.min(heard.at() + SILENCE) <= Instant::now() {
                    caller.meets_silence();
                    return Landing::Undecided(Undecided::ByItsFailure);
                }
            }
        }
    }
}

/// The request ended without an answer, which only a panic in it can cause.
fn unanswered(role: Role) -> Landing {
    match role {
        Role::Owner => Landing::Failed(lost()),
        Role::Guest => Landing::Undecided(Undecided::ByItsFailure),
    }
}

/// The error of a lookup whose request ended without an answer.
pub(super) fn lost() -> RequestError {
    let failure = Failure::default()
        .reason("the shared request ended without a response")
        .hint("please report it");
    RequestError::new(RequestErrorKind::BadReply, failure)
}

/// Adds `seats` to the request of `order` that is not sent yet, or creates it. `prepared` means that lookups have
/// already gathered; it may contain a slot for the request.
pub(super) fn join(
    schedule: &Arc<Schedule>,
    order: Order,
    seats: Vec<Seat>,
    prepared: Option<Option<Reservation>>,
) -> Flight {
    let key = RequestKey {
        path_and_query: order.get.path_and_query(),
        is_paged: order.source.is_some(),
        confidential: order.confidential,
        runtime: this_runtime(),
    };
    let mut routes = schedule.routes();
    let route = routes.entry(key.clone()).or_default();
    if let Some(next) = &mut route.next
        && let Some(drive) = next.drive.upgrade()
    {
        next.seats.extend(seats);
        return Flight {
            drive,
            heard: Arc::clone(&next.heard),
        };
    }
    let heard = Arc::new(LastHeard::new());
    let place = RequestPlace {
        schedule: Arc::clone(schedule),
        key,
        is_underway: false,
    };
    let drive = fly(place, order, Arc::clone(&heard), prepared);
    // A panic while one lookup is served ends the request, but not the other lookups.
    let drive = AssertUnwindSafe(drive).catch_unwind().map(drop).boxed().shared();
    route.next = drive.downgrade().map(|drive| Next {
        drive,
        heard: Arc::clone(&heard),
        seats,
    });
    drop(routes);
    Flight { drive, heard }
}

/// Sends the request when it is its turn, and answers its lookups.
async fn fly(
    mut place: RequestPlace,
    order: Order,
    heard: Arc<LastHeard>,
    prepared: Option<Option<Reservation>>,
) {
    place.turn().await;
    let reservation = if let Some(reservation) = prepared {
        reservation
    } else {
        place.schedule.gather().await;
        None
    };
    let seats = place.depart();
    if seats.is_empty() {
        return;
    }
    heard.now();
    let schedule = Arc::clone(&place.schedule);
    let get = terms(order.get, &seats, reservation);
    schedule.counters.shared(seats.len());
    let (log, span) = logged(&schedule, &seats);
    let request = async {
        match order.source {
            None => reply(&schedule, &get, seats).await,
            Some(source) => list(&schedule, get, Aboard::new(seats, source), &heard).await,
        }
    };
    request.instrument(span).with_subscriber(log).await;
}

/// The request for all of `seats`, with the latest of their deadlines. It is wide if it is none of their own requests.
fn terms(get: Get, seats: &[Seat], reservation: Option<Reservation>) -> Get {
    let waiters = || seats.iter().map(|(waiter, _)| waiter);
    let get = match (
        waiters().map(|waiter| waiter.deadline).max(),
        waiters().map(|waiter| waiter.since).min(),
    ) {
        (Some(deadline), Some(since)) => get.deadline(deadline).since(since),
        _ => get,
    };
    let get = get.reserved(reservation);
    if seats.iter().all(|(_, role)| *role == Role::Guest) {
        get.wide()
    } else {
        get
    }
}

/// The subscriber to which a request logs, and its span: none if one of its lookups has secret arguments. The span is
/// below the first of its lookups, and linked from the others.
fn logged(schedule: &Schedule, seats: &[Seat]) -> (Dispatch, tracing::Span) {
    let round = schedule.next_round();
    let first = seats.first().map(|(waiter, _)| waiter);
    let is_silent = seats.iter().any(|(waiter, _)| waiter.log.is::<NoSubscriber>());
    let log = match first {
        Some(first) if !is_silent => first.log.clone(),
        _ => Dispatch::none(),
    };
    let span = with_default(&log, || {
        let parent = first.and_then(|first| first.span.id());
        debug_span!(parent: parent, "round", round, lookups = seats.len())
    });
    for (waiter, _) in seats {
        waiter.log_round(round, seats.len());
    }
    for (waiter, _) in seats.iter().skip(1) {
        waiter.span.follows_from(&span);
    }
    (log, span)
}

/// Sends a request that is not paged.
async fn reply(schedule: &Schedule, get: &Get, seats: Vec<Seat>) {
    match schedule.client.get(get).await {
        Ok(reply) => {
            for (waiter, _) in seats {
                waiter.land(Landing::Arrived(Arrival::Reply(reply.clone())));
            }
        }
        Err(error) => fail(seats, &error),
    }
}

/// Requests the pages of a list or search and offers their rows. Only the page at hand is in memory.
async fn list(schedule: &Schedule, get: Get, mut aboard: Aboard, heard: &LastHeard) {
    let path = get.path_and_query();
    let mut pager = schedule.client.pages(get);
    loop {
        let page = match pager.next().await {
            Ok(Some(page)) => page,
            Ok(None) => break,
            Err(error) => return fail(aboard.seats, &error),
        };
        heard.now();
        schedule.counters.page();
        let extent = pager.extent();
        tracing::debug!(pages = extent.pages, rows = extent.rows, "read a page");
        let mut bytes = 0;
        for row in &page {
            aboard.offer(row, &extent);
            bytes += row.text().len();
            if bytes > STEP {
                bytes = 0;
                yield_now().await;
            }
        }
        if aboard.source == Source::List {
            schedule.remember_size(&path, u64::from(extent.pages).saturating_add(pages_left(&extent)));
        }
        if extent.ending.is_none() && !aboard.is_worth_the_rest(&extent) {
            aboard.land_guests();
            if aboard.seats.is_empty() {
                return;
            }
        }
    }
    aboard.land_at_the_end(&pager.extent());
}

/// Reports a failure to the lookups whose own request it was, or to all lookups if every request would fail like it.
fn fail(seats: Vec<Seat>, error: &RequestError) {
    for (waiter, role) in seats {
        waiter.land(if role == Role::Owner || is_everybodys(error) {
            Landing::Failed(error.clone())
        } else {
            Landing::Undecided(Undecided::ByItsFailure)
        });
    }
}

/// Whether every request of the client fails in the same way: the login was rejected, or the connection is refused.
fn is_everybodys(error: &RequestError) -> bool {
    match error.kind() {
        // A read that is rejected although the login was accepted concerns its path.
        RequestErrorKind::Unauthenticated => {
            let rejected = error.failure().request_line.as_ref();
            rejected.is_some_and(|rejected| rejected.method != "GET")
        }
        RequestErrorKind::Connect | RequestErrorKind::Tls => error.failure().unsent,
        _ => false,
    }
}

/// The lookups of a list or search.
struct Aboard {
    seats: Vec<Seat>,
    source: Source,
    matcher: Matcher,
    /// The positions of the lookups that the current row may concern.
    concerned: Vec<usize>,
}

impl Aboard {
    fn new(seats: Vec<Seat>, source: Source) -> Self {
        Self {
            matcher: Matcher::new(seats.iter().map(|(waiter, _)| &waiter.need)),
            concerned: Vec::new(),
            seats,
            source,
        }
    }

    /// Offers `row` to the lookups that it may concern. One that needs a single object is answered by it.
    fn offer(&mut self, row: &Row, extent: &ReadSummary) {
        self.matcher.concerned(row.head().as_ref(), &mut self.concerned);
        let row = OfferedRow::new(row);
        for position in &self.concerned {
            let (waiter, role) = &self.seats[*position];
            if waiter.offer(&row, self.source, *role) && matches!(waiter.need, Need::Object(..)) {
                waiter.land(Landing::Arrived(Arrival::Rows(*extent, self.source)));
            }
        }
    }

    /// Whether the pages that are left take no more requests than the own requests of the guests that still wait.
    fn is_worth_the_rest(&self, extent: &ReadSummary) -> bool {
        let guests = self
            .seats
            .iter()
            .filter(|(waiter, role)| *role == Role::Guest && waiter.is_waiting());
        let own: HashSet<String> = guests
            .map(|(waiter, _)| waiter.need.own_request().path_and_query())
            .collect();
        pages_left(extent) <= own.len() as u64
    }

    /// Sends the guests to other requests, and keeps those that still wait for their own.
    fn land_guests(&mut self) {
        for (waiter, _) in self
            .seats
            .extract_if(.., |(waiter, role)| *role == Role::Guest || !waiter.is_waiting())
        {
            waiter.land(Landing::Undecided(Undecided::TooLong));
        }
        self.matcher = Matcher::new(self.seats.iter().map(|(waiter, _)| &waiter.need));
    }

    /// Answers those that still wait after the last page.
    fn land_at_the_end(self, extent: &ReadSummary) {
        let source = self.source;
        self.land_all(|(waiter, role)| {
            let is_answer = match role {
                Role::Owner => true,
                Role::Guest => is_complete(extent) && waiter.is_decided(),
            };
            if is_answer {
                Landing::Arrived(Arrival::Rows(*extent, source))
            } else {
                Landing::Undecided(Undecided::ByItsRows)
            }
        });
    }

    fn land_all(self, landing: impl Fn(&Seat) -> Landing) {
        for seat in self.seats {
            seat.0.land(landing(&seat));
        }
    }
}

/// The number of pages that are left of a list or search, from the announced rows and the size of its pages, which a
/// manager or proxy may reduce. Without announced rows, as many as were read.
fn pages_left(extent: &ReadSummary) -> u64 {
    if extent.ending.is_some() {
        return 0;
    }
    let pages = u64::from(extent.pages);
    let rows_left = extent
        .announced
        .and_then(|announced| announced.checked_sub(extent.rows));
    match rows_left {
        Some(rows_left @ 1..) if extent.rows > 0 => {
            let left = (u128::from(rows_left) * u128::from(pages)).div_ceil(u128::from(extent.rows));
            u64::try_from(left).unwrap_or(u64::MAX)
        }
        _ => pages,
    }
}

/// Whether a list or search contains every object, so that absent objects do not exist.
fn is_complete(extent: &ReadSummary) -> bool {
    extent.ending.is_some() && !extent.maybe_incomplete()
}
