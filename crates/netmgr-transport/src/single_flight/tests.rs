use std::cell::Cell;

use futures_util::future::join_all;
use tokio::time::{sleep, timeout};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn flight() -> Arc<SingleFlight<u32>> {
    Arc::new(SingleFlight::new(10 * SECOND))
}

/// Counts how often work is done, which takes `takes` each time.
async fn work(flight: &Arc<SingleFlight<u32>>, count: &Cell<u32>, takes: Duration) -> u32 {
    let work = |driver: Driver<u32>| async move {
        count.set(count.get() + 1);
        let number = count.get();
        sleep(takes).await;
        driver.end(number)
    };
    flight.run(|| None, work).await.into_inner()
}

#[tokio::test(start_paused = true)]
async fn who_comes_during_the_work_shares_it_and_who_comes_later_starts_anew() {
    let (flight, count) = (flight(), Cell::new(0));
    let results = join_all((0..5).map(|_| work(&flight, &count, SECOND))).await;
    assert_eq!(results, [1; 5]);
    assert_eq!(work(&flight, &count, SECOND).await, 2);
}

#[tokio::test(start_paused = true)]
async fn what_is_known_is_no_work() {
    let flight = flight();
    let known = flight.run(|| Some(7), |driver| async { driver.end(8) });
    assert!(matches!(known.await, Landed::Known(7)));
}

#[tokio::test(start_paused = true)]
async fn if_the_caller_that_works_is_dropped_the_next_one_works() {
    let (flight, count) = (flight(), Cell::new(0));
    let first = timeout(SECOND / 2, work(&flight, &count, SECOND));
    let (first, second) = tokio::join!(first, work(&flight, &count, SECOND));
    assert!(first.is_err());
    assert_eq!((second, count.get()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn work_without_progress_is_taken_over() {
    let (flight, count) = (flight(), Cell::new(0));
    let start = Instant::now();
    let takes = [100, 100, 1].map(|seconds| work(&flight, &count, seconds * SECOND));
    // The second caller takes over after 10 s, and the third one 20 s later.
    let results = join_all(takes).await;
    assert_eq!((results, count.get()), (vec![1, 2, 3], 3));
    assert_eq!(start.elapsed(), 110 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn progress_makes_the_others_wait_longer() {
    let flight = flight();
    let slow = |driver: Driver<u32>| async move {
        for _ in 0..3 {
            sleep(8 * SECOND).await;
            driver.progress();
        }
        driver.end(1)
    };
    let second = flight.run(|| None, |driver| async { driver.end(2) });
    let (_, second) = tokio::join!(flight.run(|| None, slow), second);
    assert!(matches!(second, Landed::Shared(1)));
}

#[test]
fn work_of_a_runtime_that_ends_or_rests_is_done_by_another_caller() {
    let runtime = || {
        let builder = &mut tokio::runtime::Builder::new_current_thread();
        builder.enable_time().start_paused(true).build().unwrap()
    };
    for is_dropped in [true, false] {
        let flight = flight();
        let first = runtime();
        let of_first = Arc::clone(&flight);
        first.spawn(async move {
            let hang = |driver: Driver<u32>| async {
                std::future::pending::<()>().await;
                driver.end(1)
            };
            of_first.run(|| None, hang).await.into_inner()
        });
        first.block_on(async { sleep(SECOND).await });
        let first = (!is_dropped).then_some(first);
        let work = |driver: Driver<u32>| async { driver.end(2) };
        let found = runtime().block_on(async { flight.run(|| None, work).await });
        assert!(matches!(found, Landed::Own(2)));
        drop(first);
    }
}

#[tokio::test(start_paused = true)]
async fn work_that_was_taken_over_does_not_replace_a_later_result() {
    let (flight, count) = (flight(), Cell::new(0));
    let takes = [15, 1].map(|seconds| work(&flight, &count, seconds * SECOND));
    assert_eq!(join_all(takes).await, [1, 2]);
    assert_eq!(flight.slot().last, Some((2, 2)));
}
