//! Whatever changes, fails or is cancelled in the meantime, every answer was correct at some moment after the lookup
//! began. Not here: inventories that do not change, which the law of the outer tests concerns.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tokio::time::timeout;

use super::*;

/// Objects by id: display name, and a number that changes with each write.
type Inventory = BTreeMap<u8, (u8, u32)>;

/// One write: at a time in milliseconds, object `id` gets a name, or is deleted.
type Write = (u64, u8, Option<u8>);

#[derive(Debug, Clone)]
struct LookupCase {
    /// Milliseconds after the beginning.
    at: u64,
    what: What,
    confidential: bool,
    /// When the caller gives up, in milliseconds after `at`.
    gives_up: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    PoolByName(u8),
    PoolById(u8),
    ServerByName(u8),
    ServerById(u8),
    GroupMap,
}

/// The result of a lookup: the id and the number of the last write to the object, or all names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    One(u8, u32),
    Nothing,
    Several,
    Names(Vec<String>),
}

fn name(name: u8) -> String {
    format!("name-{name}-amber")
}

/// The inventory at each moment at which it changed.
fn history(writes: &[Write]) -> Vec<(u64, Inventory)> {
    let mut writes = writes.to_vec();
    writes.sort_unstable();
    let mut inventory: Inventory = (0..4).map(|id| (id, (id, 0))).collect();
    let mut history = vec![(0, inventory.clone())];
    for (number, (at, id, to)) in writes.into_iter().enumerate() {
        match to {
            Some(to) => drop(inventory.insert(id, (to, number as u32 + 1))),
            None => drop(inventory.remove(&id)),
        }
        history.push((at, inventory.clone()));
    }
    history
}

/// The result of a lookup in an inventory that does not change.
fn found(what: What, inventory: &Inventory) -> Found {
    let one = |(id, (_, number)): (&u8, &(u8, u32))| Found::One(*id, *number);
    match what {
        What::PoolById(id) | What::ServerById(id) => inventory.get_key_value(&id).map_or(Found::Nothing, one),
        What::PoolByName(wanted) | What::ServerByName(wanted) => {
            let mut named = inventory.iter().filter(|(_, (name, _))| *name == wanted);
            match (named.next(), named.next()) {
                (None, _) => Found::Nothing,
                (Some(only), None) => one(only),
                (Some(_), Some(_)) => Found::Several,
            }
        }
        What::GroupMap => {
            let mut names: Vec<String> = inventory.values().map(|(of, _)| name(*of)).collect();
            names.sort();
            names.dedup();
            Found::Names(names)
        }
    }
}

fn row((id, (of, number)): (&u8, &(u8, u32))) -> Value {
    json!({
        "id": id.to_string(),
        "display_name": name(*of),
        "description": number.to_string(),
        "path": format!("/infra/dhcp-server-configs/{id}"),
    })
}

/// The manager's reply when its inventory is `inventory`.
fn answer(target: &str, inventory: &Inventory) -> (u16, Value) {
    let objects = [
        "/api/v1/pools/ip-pools/",
        "/policy/api/v1/infra/dhcp-server-configs/",
    ];
    if let Some(id) = objects.iter().find_map(|path| target.strip_prefix(path)) {
        return match inventory.get_key_value(&id.parse().unwrap()) {
            Some(object) => (200, row(object)),
            None => (404, json!({"error_code": 600, "error_message": "not found"})),
        };
    }
    (200, page(inventory.iter().map(row).collect()))
}

async fn look_up(lookups: &Lookups, what: What, confidential: bool) -> Result<Found, Error> {
    let call = Call {
        confidential,
        ..Call::default()
    };
    let (function, input) = match what {
        What::PoolByName(of) => ("getIpPool", json!({"displayName": name(of)})),
        What::PoolById(id) => ("getIpPool", json!({"id": id.to_string()})),
        What::ServerByName(of) => ("getPolicyDhcpServer", json!({"displayName": name(of)})),
        What::ServerById(id) => ("getPolicyDhcpServer", json!({"id": id.to_string()})),
        What::GroupMap => ("getNsGroups", json!({})),
    };
    let outcome = lookups.invoke(function, input, &call).await;
    if what == What::GroupMap {
        let map = outcome?;
        let names = map["items"].as_object().unwrap().keys().cloned();
        return Ok(Found::Names(names.collect()));
    }
    let number = |value: &Value| value.as_str().unwrap().parse::<u32>().unwrap();
    match outcome {
        Ok(object) => Ok(Found::One(
            number(&object["id"]) as u8,
            number(&object["description"]),
        )),
        Err(Error::NotFound { .. }) => Ok(Found::Nothing),
        Err(Error::Ambiguous { .. }) => Ok(Found::Several),
        Err(error) => Err(error),
    }
}

/// Runs the lookups against a manager that changes. Each request takes the next of `delays`, half of it on the way to
/// the manager, and fails when its delay is less than `faults`. Returns the result of each lookup and when it ended, or
/// `None` if it gave up or failed.
async fn run(
    asked: &[LookupCase],
    history: Vec<(u64, Inventory)>,
    delays: Vec<u8>,
    faults: u8,
) -> Vec<Option<(Found, u64)>> {
    let begun = Instant::now();
    let history = Arc::new(history);
    let delays = Arc::new(Mutex::new(delays.into_iter().cycle()));
    let stack = Stack::new(tower::service_fn(move |request: Request<Bytes>| {
        let target = request.uri().path_and_query().unwrap().to_string();
        let history = Arc::clone(&history);
        let delay = delays.lock().unwrap().next().unwrap();
        async move {
            let way = Duration::from_millis(u64::from(delay) + 1);
            sleep(way).await;
            let now = begun.elapsed().as_millis() as u64;
            let current = history.iter().rev().find(|(at, _)| *at <= now).unwrap();
            let (status, body) = match delay < faults {
                true => (
                    [500, 502, 503, 504, 429, 400][usize::from(delay) % 6],
                    json!({"error_code": 1, "error_message": "failed"}),
                ),
                false => answer(&target, &current.1),
            };
            sleep(way).await;
            let reply = Response::builder().status(status);
            Ok(reply.body(Bytes::from(body.to_string())).unwrap())
        }
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    let outcomes = asked.iter().map(|asked| async {
        sleep(Duration::from_millis(asked.at)).await;
        let patience = asked
            .gives_up
            .map_or(Duration::from_secs(3600), Duration::from_millis);
        let found = timeout(patience, look_up(&lookups, asked.what, asked.confidential))
            .await
            .ok()?
            .ok()?;
        Some((found, begun.elapsed().as_millis() as u64))
    });
    let outcomes = join_all(outcomes).await;
    sleep(Duration::from_secs(1)).await;
    assert_idle(&lookups);
    outcomes
}

/// The permitted results of a lookup that began at `from` and ended at `to`.
fn allowed(what: What, history: &[(u64, Inventory)], from: u64, to: u64) -> Vec<Found> {
    let ends = history.iter().skip(1).map(|(at, _)| *at).chain([u64::MAX]);
    let within = history
        .iter()
        .zip(ends)
        .filter(|((at, _), end)| *at <= to && *end >= from);
    within.map(|((_, inventory), _)| found(what, inventory)).collect()
}

/// Lookups that one request answers, so that their results are from one moment.
fn any_of_one_request() -> impl Strategy<Value = What> {
    prop_oneof![
        (0_u8..5).prop_map(What::PoolByName),
        (0_u8..5).prop_map(What::PoolById),
        (0_u8..12).prop_map(What::ServerByName),
        (0_u8..5).prop_map(What::ServerById),
        Just(What::GroupMap),
    ]
}

fn lookup(what: impl Strategy<Value = What>) -> impl Strategy<Value = LookupCase> {
    let gives_up = prop::option::weighted(0.2, 1_u64..150);
    // Many lookups come in one burst, as engines send them.
    let at = prop_oneof![2 => Just(1_u64), 1 => 0_u64..200];
    (at, what, prop::bool::weighted(0.1), gives_up).prop_map(|(at, what, confidential, gives_up)| {
        LookupCase {
            at,
            what,
            confidential,
            gives_up,
        }
    })
}

fn any_write() -> impl Strategy<Value = Write> {
    (1_u64..400, 0_u8..5, prop::option::of(0_u8..5))
}

fn drive<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(work)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8 * 3))]

    #[test]
    fn prop_every_answer_is_one_that_some_moment_after_the_lookup_began_allows(
        asked in prop::collection::vec(lookup(any_of_one_request()), 1..60),
        writes in prop::collection::vec(any_write(), 0..12),
        delays in prop::collection::vec(0_u8..60, 1..40),
        faults in 0_u8..6,
    ) {
        let history = history(&writes);
        let answers = drive(run(&asked, history.clone(), delays, faults));
        for (asked, answer) in asked.iter().zip(answers) {
            let Some((found, ended)) = answer else { continue };
            // A search and the list after it see two moments, which can disagree about a name.
            if matches!((asked.what, &found), (What::ServerByName(_), Found::Several)) {
                continue;
            }
            let allowed = allowed(asked.what, &history, asked.at, ended);
            prop_assert!(allowed.contains(&found), "{asked:?} found {found:?}, not one of {allowed:?}");
        }
    }
}
