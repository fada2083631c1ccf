use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use futures_util::future::join_all;
use tokio::time::{sleep, timeout};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// Counts how often the work is done, which takes a second.
#[derive(Clone, Default)]
struct Work(Arc<AtomicU32>);

impl Work {
    async fn on(&self, task: &SharedTask<u32>) -> u32 {
        let work = || {
            let count = Arc::clone(&self.0);
            async move {
                let number = count.fetch_add(1, Relaxed) + 1;
                sleep(SECOND).await;
                count.fetch_add(100, Relaxed);
                number
            }
        };
        task.run(|| None, work).await
    }

    /// Number of times that the work was started, and ended.
    fn counts(&self) -> (u32, u32) {
        let count = self.0.load(Relaxed);
        (count % 100, count / 100)
    }
}

#[tokio::test(start_paused = true)]
async fn callers_during_the_work_share_it_and_a_later_one_starts_it_again() {
    let (task, work) = (SharedTask::new(), Work::default());
    assert_eq!(join_all((0..5).map(|_| work.on(&task))).await, [1; 5]);
    assert_eq!(work.on(&task).await, 102);
    assert_eq!(task.run(|| Some(7), || async { 8 }).await, 7);
}

#[tokio::test(start_paused = true)]
async fn work_ends_with_the_last_caller_unless_it_outlives_callers() {
    for outlives in [false, true] {
        let task = match outlives {
            true => SharedTask::outliving_callers(None),
            false => SharedTask::new(),
        };
        let work = Work::default();
        let first = timeout(SECOND / 2, work.on(&task));
        let (first, second) = tokio::join!(first, timeout(SECOND * 2 / 3, work.on(&task)));
        assert!(first.is_err() && second.is_err());
        task.settled().await;
        assert_eq!(work.counts(), (1, u32::from(outlives)));
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_while_another_task_is_started_beside_a_slow_one() {
    let task = SharedTask::outliving_callers(Some(SECOND));
    let JoinedTask::Started(slow) = task.join(|| None, || async { sleep(3 * SECOND).await }) else {
        panic!("nothing was under way")
    };
    let start = Instant::now();
    task.run(|| None, || async {}).await;
    assert_eq!(start.elapsed(), SECOND);
    drop(slow);
}

#[test]
fn work_of_a_runtime_that_ends_or_rests_is_started_by_another_caller() {
    let runtime = || {
        let builder = &mut tokio::runtime::Builder::new_current_thread();
        builder.enable_time().start_paused(true).build().unwrap()
    };
    for is_dropped in [true, false] {
        let task = Arc::new(SharedTask::outliving_callers(None));
        let first = runtime();
        let of_first = Arc::clone(&task);
        first.spawn(async move { of_first.run(|| None, std::future::pending::<u32>).await });
        first.block_on(async { sleep(SECOND).await });
        let first = (!is_dropped).then_some(first);
        let found = runtime().block_on(async { task.run(|| None, || async { 2 }).await });
        assert_eq!(found, 2);
        drop(first);
    }
}
