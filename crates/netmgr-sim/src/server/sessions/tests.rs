//! Tests of `sessions.rs`.

use super::*;

const IDLE: Duration = Duration::from_secs(1800);

fn sessions(needs_affinity: bool) -> (SessionStore, Opened) {
    let sessions = SessionStore::new(IDLE, needs_affinity);
    let opened = sessions.open(Arc::new(User::local("admin", "secret")));
    (sessions, opened)
}

fn shown(opened: &Opened) -> PresentedSession<'_> {
    PresentedSession {
        id: &opened.id,
        xsrf: Some(&opened.xsrf),
        affinity: Some(&opened.affinity),
    }
}

#[tokio::test(start_paused = true)]
async fn use_keeps_a_session_alive_and_idleness_ends_it_for_good() {
    let (sessions, opened) = sessions(false);
    for _ in 0..3 {
        tokio::time::advance(IDLE - Duration::from_secs(1)).await;
        assert!(sessions.check(shown(&opened)).is_ok());
    }
    tokio::time::advance(IDLE).await;
    assert_eq!(
        sessions.check(shown(&opened)).unwrap_err(),
        ManagerError::session()
    );
    assert_eq!(
        sessions.check(shown(&opened)).unwrap_err(),
        ManagerError::session()
    );
}

#[tokio::test]
async fn the_xsrf_token_of_another_session_does_not_help() {
    let (sessions, first) = sessions(false);
    let second = sessions.open(Arc::new(User::local("admin", "secret")));
    let mixed = PresentedSession {
        xsrf: Some(&second.xsrf),
        ..shown(&first)
    };
    assert_eq!(sessions.check(mixed).unwrap_err(), ManagerError::session());
    assert_eq!(
        sessions
            .check(PresentedSession { xsrf: None, ..mixed })
            .unwrap_err(),
        ManagerError::session()
    );
}

#[tokio::test]
async fn another_node_does_not_know_the_session() {
    let (sessions, opened) = sessions(false);
    sessions.switch_node();
    assert_eq!(sessions.check(shown(&opened)).unwrap_err().code, 403);
}

#[tokio::test]
async fn behind_a_balancer_the_affinity_cookie_is_needed() {
    let (sessions, opened) = sessions(true);
    assert!(sessions.check(shown(&opened)).is_ok());
    let dropped = PresentedSession {
        affinity: None,
        ..shown(&opened)
    };
    assert_eq!(sessions.check(dropped).unwrap_err().code, 403);
}
