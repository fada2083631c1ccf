//! Tests of `token_cache.rs`.

use bytes::Bytes;
use http::Response;
use tokio::time::advance;

use super::*;

fn unclear() -> LoginEnd {
    let reply = Response::builder().status(302).body(Bytes::new());
    LoginEnd::Unclear(Ok(reply.unwrap()))
}

fn after(ends: impl IntoIterator<Item = LoginEnd>) -> TokenCache {
    let cache = TokenCache::new(Duration::from_secs(60));
    for end in ends {
        assert!(cache.blocked().is_none());
        drop(cache.sent());
        if matches!(end, LoginEnd::Unchecked(_)) {
            cache.unchecked();
        }
        cache.settle(end);
    }
    cache
}

#[tokio::test(start_paused = true)]
async fn after_four_unclear_logins_there_is_one_in_450_s() {
    let cache = after(vec![unclear(); 4]);
    for _ in 0..3 {
        advance(Duration::from_secs(449)).await;
        assert!(cache.blocked().is_some());
        advance(Duration::from_secs(1)).await;
        assert!(cache.blocked().is_none());
        drop(cache.sent());
        cache.settle(unclear());
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_that_was_not_checked_does_not_count_and_a_clear_one_ends_the_count() {
    let unchecked = || LoginEnd::Unchecked(Err(ErrorKind::Connect.into()));
    assert!(after((0..100).map(|_| unchecked())).blocked().is_none());
    let clear = LoginEnd::Accepted(Arc::new(Credential::new([])));
    let ends = [unclear(), unclear(), unclear(), clear, unclear()];
    assert!(after(ends).blocked().is_none());
}

#[tokio::test(start_paused = true)]
async fn logins_that_are_interrupted_count() {
    let cache = after([]);
    (0..4).for_each(|_| drop(cache.sent()));
    let error = cache.blocked().unwrap().unwrap_err();
    assert!(error.to_string().contains("interrupted"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_was_away_and_responds_again_gets_another_login() {
    let cache = after(vec![unclear(); 4]);
    assert!(!cache.checked(true), "it was never away");
    assert!(!cache.checked(false));
    assert!(cache.blocked().is_some());
    assert!(cache.checked(true));
    assert!(cache.blocked().is_none());
}

#[tokio::test(start_paused = true)]
async fn checks_are_a_second_apart() {
    let cache = after([]);
    assert!(cache.is_check_due());
    assert!(!cache.is_check_due());
    advance(CHECK_PAUSE).await;
    assert!(cache.is_check_due());
}
