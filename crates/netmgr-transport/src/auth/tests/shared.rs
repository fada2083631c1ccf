//! Logins whose replies were lost, with a folder that processes share. The clock is not paused, because files are used in
//! threads of their own.

use std::fs;
use std::path::Path;

use netmgr_types::{Connection, Deployment};

use super::*;
use crate::RefusedLogins;
use crate::testing::login;

/// A client in a process of its own.
fn process(peer: &Peer, connection: &Connection, folder: &Path) -> Auth {
    let guard = RefusedLogins::in_folder(folder).guard(connection);
    let auth = AuthLayer::try_new(connection, guard).unwrap();
    let named = origin(peer.stack(), Base::new(&connection.host).unwrap());
    auth.over(in_all_lanes(BoxCloneSyncService::new(named)))
}

fn notes(folder: &Path) -> Vec<std::path::PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|extension| extension == "lost"))
        .collect()
}

/// A peer whose gateway responds with `status` until the result is set to 200.
fn gateway(status: u16) -> (Peer, Arc<Mutex<u16>>) {
    let status = Arc::new(Mutex::new(status));
    let shared = status.clone();
    let peer = Peer::new(move |arrived| {
        let status = *shared.lock().unwrap();
        let mut reply = reply(status, "{}");
        if arrived.is_login() && status == 200 {
            let headers = reply.headers_mut();
            headers.insert("set-cookie", "JSESSIONID=1".parse().unwrap());
            headers.insert("x-xsrf-token", "x".parse().unwrap());
        }
        Ok(reply)
    });
    (peer, status)
}

#[tokio::test]
async fn an_outage_that_a_client_notices_ends_for_all_processes() {
    for credentials in [Credentials::Session(login()), Credentials::Header(login())] {
        let folder = tempfile::tempdir().unwrap();
        let is_header = matches!(credentials, Credentials::Header(_));
        let connection = connection().credentials(credentials);
        let (peer, status) = gateway(502);
        let auth = process(&peer, &connection, folder.path());
        if is_header {
            // The client counts only its fixed requests.
            assert_eq!(read(&auth).await.unwrap().status(), 502);
            notes(folder.path())
                .iter()
                .for_each(|note| fs::remove_file(note).unwrap());
        }
        for _ in 0..3 {
            assert_eq!(read(&auth).await.unwrap().status(), 502);
        }
        assert_eq!(notes(folder.path()).len(), 3);
        // Sends the check instead of a login.
        assert_eq!(read(&auth).await.unwrap().status(), 502);
        *status.lock().unwrap() = 200;
        let other = process(&peer, &connection, folder.path());
        assert_eq!(read(&other).await.unwrap().status(), 200);
        assert_eq!(notes(folder.path()).len(), 0);
        assert_eq!(read(&auth).await.unwrap().status(), 200);
    }
}

#[tokio::test]
async fn an_outage_that_ends_for_a_client_ends_for_all_processes() {
    let folder = tempfile::tempdir().unwrap();
    let connection = connection().credentials(Credentials::Session(login()));
    let (peer, status) = gateway(502);
    let auth = process(&peer, &connection, folder.path());
    for _ in 0..4 {
        assert_eq!(read(&auth).await.unwrap().status(), 502);
    }
    *status.lock().unwrap() = 200;
    assert_eq!(read(&auth).await.unwrap().status(), 200);
    assert_eq!(notes(folder.path()).len(), 0);
}

#[tokio::test]
async fn slow_lookups_of_the_hosted_cloud_are_no_lost_logins() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = connection().credentials(Credentials::Header(login()));
    connection.deployment = Deployment::HostedCloud;
    let (peer, status) = gateway(504);
    let auth = process(&peer, &connection, folder.path());
    for _ in 0..5 {
        assert_eq!(read(&auth).await.unwrap().status(), 504);
    }
    assert_eq!(notes(folder.path()).len(), 0);
    *status.lock().unwrap() = 200;
    let other = process(&peer, &connection, folder.path());
    assert_eq!(read(&other).await.unwrap().status(), 200);
}
