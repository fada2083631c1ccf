use proptest::prelude::*;

use super::*;

const LIMITS: Limits = Limits {
    per_second: 90,
    in_flight: 32,
    longest_hold: Duration::from_secs(61),
};

const TOO_MANY: ManagerLoad = ManagerLoad::TooManyRequests;

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

#[test]
fn throttling_halves_the_rate_down_to_a_quarter_and_from_there_once_a_second() {
    let start = Instant::now();
    let mut window = Window::new(LIMITS, start);
    for expected in [45.0, 22.5, 22.5, 22.5] {
        window.throttled(start, start, TOO_MANY);
        assert_eq!(window.rate(start), expected);
    }
    let mut rates = Vec::new();
    for millis in (0..10_000).step_by(100) {
        let now = start + Duration::from_millis(millis);
        window.throttled(now, now, TOO_MANY);
        rates.push(window.rate(now));
    }
    assert!(rates.iter().all(|rate| *rate >= 4.5), "{rates:?}");
    assert!(rates.iter().skip(50).all(|rate| *rate < 10.0), "{rates:?}");
}

#[test]
fn an_overloaded_manager_lowers_the_rate_to_a_quarter_and_no_further() {
    let start = Instant::now();
    let mut window = Window::new(LIMITS, start);
    for expected in [45.0, 22.5, 22.5] {
        window.throttled(start, start, ManagerLoad::Overloaded);
        assert_eq!(window.rate(start), expected);
    }
    let later = start + seconds(1.0);
    window.throttled(later, later, TOO_MANY);
    window.throttled(later, later, ManagerLoad::Overloaded);
    assert_eq!(window.rate(later), 13.5, "nor does it raise the rate");
}

#[test]
fn the_rate_recovers_steadily_and_not_beyond_the_limit() {
    let start = Instant::now();
    let mut window = Window::new(LIMITS, start);
    window.throttled(start, start, TOO_MANY);
    assert_eq!(window.rate(start + seconds(2.0)), 45.0 + 9.0);
    assert_eq!(window.rate(start + seconds(60.0)), 90.0);
}

#[test]
fn one_burst_of_throttled_replies_lowers_the_rate_once() {
    let start = Instant::now();
    let mut window = Window::new(LIMITS, start);
    for millis in 10..20 {
        window.throttled(start, start + Duration::from_millis(millis), TOO_MANY);
    }
    assert!(window.rate(start + Duration::from_millis(20)) > 44.0);
}

#[test]
fn a_third_of_a_second_is_sent_at_once_and_the_rest_is_spaced() {
    let start = Instant::now();
    let limits = Limits {
        in_flight: 90,
        ..LIMITS
    };
    let mut window = Window::new(limits, start);
    window.width = 90;
    for _ in 0..30 {
        let slot = window.admit(start, false).unwrap();
        window.give_back(slot, Some(start));
    }
    let mut now = start;
    for sent in 30..90 {
        let later = window.admit(now, false).expect_err("spaced").expect("at a time");
        assert!(
            later - now <= seconds(1.0 / 90.0) + Duration::from_nanos(1),
            "{sent}"
        );
        now = later;
        let slot = window.admit(now, false).unwrap();
        window.give_back(slot, Some(now));
    }
    assert!(now - start <= seconds(60.0 / 90.0) + Duration::from_micros(1));
    assert_eq!(
        window.admit(now, true),
        Err(Some(start + SECOND)),
        "the limit stays"
    );
}

#[test]
fn a_slot_that_is_not_released_is_lost_after_a_while() {
    let start = Instant::now();
    let mut window = Window::new(LIMITS, start);
    let slots: Vec<_> = (0..NARROW).map(|_| window.admit(start, false).unwrap()).collect();
    let lost = start + LIMITS.longest_hold;
    assert_eq!(window.admit(start, false), Err(Some(lost)));
    window.sent(slots[0], start + SECOND);
    assert!(window.admit(lost, false).is_ok());
    assert_eq!(window.in_flight.len(), 2, "the one that was sent later holds");
    // The slots of the other requests are released after all.
    slots
        .into_iter()
        .for_each(|slot| window.give_back(slot, Some(lost)));
    assert_eq!(window.in_flight.len(), 1);
}

#[test]
fn a_login_that_never_takes_its_slot_holds_requests_back_for_5_s() {
    let start = Instant::now();
    let mut window = Window::new(LIMITS, start);
    window.login_waits(start);
    assert_eq!(window.admit(start, false), Err(Some(start + LOGINS_FIRST)));
    assert!(window.admit(start, true).is_ok());
    assert!(window.admit(start + LOGINS_FIRST, false).is_ok());
}

#[test]
fn a_login_is_not_spaced() {
    let start = Instant::now();
    let mut window = Window::new(LIMITS, start);
    for _ in 0..30 {
        let slot = window.admit(start, false).unwrap();
        window.give_back(slot, Some(start));
    }
    assert!(window.admit(start, false).is_err());
    assert!(window.admit(start, true).is_ok());
}

proptest! {
    /// The manager counts each request at some moment between its start and its end.
    #[test]
    fn prop_no_second_of_the_managers_clock_sees_more_than_the_limit(
        latencies in prop::collection::vec((0u64..1500, 0.0f64..1.0), 1..400),
        per_second in 1u32..40,
        in_flight in 1u32..20,
    ) {
        let start = Instant::now();
        let mut window = Window::new(Limits { per_second, in_flight, ..LIMITS }, start);
        let mut now = start;
        let mut running: Vec<(Instant, u64)> = Vec::new();
        let mut counted: Vec<Instant> = Vec::new();
        for (latency, part) in latencies {
            let slot = loop {
                running.sort();
                while running.first().is_some_and(|(end, _)| *end <= now) {
                    let (end, slot) = running.remove(0);
                    window.give_back(slot, Some(end));
                }
                match window.admit(now, false) {
                    Ok(slot) => break slot,
                    Err(later) => {
                        let first = running.first().map(|(end, _)| *end);
                        now = later.into_iter().chain(first).min().expect("a slot becomes free");
                    }
                }
            };
            let latency = Duration::from_millis(latency);
            prop_assert!(running.len() < in_flight as usize);
            running.push((now + latency, slot));
            counted.push(now + latency.mul_f64(part));
        }
        counted.sort();
        for (first, begin) in counted.iter().enumerate() {
            let seen = counted[first..].iter().take_while(|at| **at < *begin + SECOND).count();
            prop_assert!(seen <= per_second as usize, "{seen} in one second");
        }
    }
}
