//! Certificates that are renewed while the program runs: of the client, and of the manager.

use std::path::Path;
use std::sync::{Arc, Mutex};

use netmgr_transport::{Client, Error, Get};
use netmgr_types::{ClientIdentity, Pem, TlsSettings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;
use x509_parser::prelude::{FromDer, X509Certificate};

use crate::support::{
    Authority, Certified, connection, listen, named, report, self_signed, server_config, text, trusting,
};

/// A manager with one request for each connection, whose certificate can be renewed. It replies with the common name of
/// the client's certificate.
#[derive(Clone)]
struct Renewable(Arc<Mutex<TlsAcceptor>>);

impl Renewable {
    fn new(shown: &Certified, clients: Option<&Authority>) -> Self {
        Self(Arc::new(Mutex::new(
            server_config(shown, clients, &["http/1.1"]).into(),
        )))
    }

    fn renew(&self, shown: &Certified) {
        *self.0.lock().unwrap() = server_config(shown, None, &["http/1.1"]).into();
    }

    async fn serve(&self) -> u16 {
        let manager = self.clone();
        listen(move |stream| {
            let acceptor = manager.0.lock().unwrap().clone();
            async move {
                // The client may refuse the certificate.
                let Ok(mut stream) = acceptor.accept(stream).await else {
                    return;
                };
                let certificates = stream.get_ref().1.peer_certificates();
                let name =
                    certificates.map_or_else(|| "no certificate".to_owned(), |shown| common_name(&shown[0]));
                let mut request = vec![0; 4096];
                let _the_request = stream.read(&mut request).await;
                let body = serde_json::json!({ "name": name }).to_string();
                let reply = format!(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                );
                let _unless_the_client_is_gone = stream.write_all(reply.as_bytes()).await;
                let _likewise = stream.shutdown().await;
            }
        })
        .await
    }
}

fn common_name(der: &[u8]) -> String {
    let (_, certificate) = X509Certificate::from_der(der).unwrap();
    let mut names = certificate.subject().iter_common_name();
    names.next().unwrap().as_str().unwrap().to_owned()
}

async fn ask(client: &Client) -> Result<String, Error> {
    let reply = client.get(&Get::new("/api/v1/node/version")).await?;
    let body: serde_json::Value = reply.json()?;
    Ok(body["name"].as_str().unwrap().to_owned())
}

fn client(port: u16, tls: TlsSettings) -> Client {
    Client::builder(connection("https", "127.0.0.1", port, tls))
        .build()
        .unwrap()
}

fn write(folder: &Path, certified: &Certified) {
    std::fs::write(folder.join("client.pem"), &certified.certificate).unwrap();
    std::fs::write(folder.join("key.pem"), &certified.key).unwrap();
}

#[tokio::test]
async fn renewed_files_of_the_client_certificate_are_used_by_new_connections() {
    let authority = Authority::new("Lab CA");
    let port = Renewable::new(&authority.server(), Some(&authority))
        .serve()
        .await;
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("client.pem"), folder.path().join("key.pem"));
    write(folder.path(), &authority.issue(named("first", &[])));
    let identity = ClientIdentity::new(
        Pem::file("clientAuthCertFile", &certificate),
        Pem::file("clientAuthKeyFile", &key),
    );
    let client = client(port, trusting(&authority).identity(identity));
    assert_eq!(ask(&client).await.unwrap(), "first");

    // During a renewal, the files do not match. Their lengths differ, so that the resolution of the clock does not
    // matter.
    let second = authority.issue(named("second certificate", &[]));
    std::fs::write(&certificate, &second.certificate).unwrap();
    assert_eq!(ask(&client).await.unwrap(), "first");
    std::fs::write(&certificate, "no longer PEM").unwrap();
    assert_eq!(ask(&client).await.unwrap(), "first");
    write(folder.path(), &second);
    assert_eq!(ask(&client).await.unwrap(), "second certificate");

    // Without files, the previous contents are used.
    std::fs::remove_file(&key).unwrap();
    assert_eq!(ask(&client).await.unwrap(), "second certificate");
}

#[tokio::test]
async fn a_renewed_file_of_authorities_is_followed() {
    let (first, second) = (Authority::new("Lab CA"), Authority::new("Lab CA, renewed"));
    let manager = Renewable::new(&first.server(), None);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, &first.certificate).unwrap();
    let client = client(
        manager.serve().await,
        TlsSettings::default().ca(Pem::file("caFile", &file)),
    );
    assert_eq!(ask(&client).await.unwrap(), "no certificate");
    manager.renew(&second.server());
    let error = report(&ask(&client).await.unwrap_err());
    assert!(error.contains("is signed by an unknown authority"), "{error}");
    // A file that is damaged, missing or no file at all changes nothing.
    std::fs::write(&file, "no longer PEM").unwrap();
    ask(&client).await.unwrap_err();
    std::fs::remove_file(&file).unwrap();
    ask(&client).await.unwrap_err();
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        assert!(made.unwrap().success());
        ask(&client).await.unwrap_err();
        std::fs::remove_file(&file).unwrap();
    }
    manager.renew(&first.server());
    assert_eq!(ask(&client).await.unwrap(), "no certificate");
    std::fs::write(&file, &second.certificate).unwrap();
    manager.renew(&second.server());
    assert_eq!(ask(&client).await.unwrap(), "no certificate");
}

#[tokio::test]
async fn a_renewed_certificate_of_the_manager_is_followed_below_the_same_authority() {
    let authority = Authority::new("Lab CA");
    let manager = Renewable::new(&authority.server(), None);
    let client = client(manager.serve().await, trusting(&authority));
    assert_eq!(ask(&client).await.unwrap(), "no certificate");
    manager.renew(&authority.server());
    assert_eq!(ask(&client).await.unwrap(), "no certificate");
    // One of another authority is not.
    manager.renew(&Authority::new("Other CA").server());
    let error = report(&ask(&client).await.unwrap_err());
    assert!(
        error.contains("is signed by an unknown authority") && error.contains("issuer CN=Other CA"),
        "{error}"
    );
}

#[tokio::test]
async fn a_renewed_self_signed_certificate_is_refused_until_it_is_configured() {
    let of = |name: &str| self_signed(named(name, &["127.0.0.1"]));
    let (first, second) = (of("first"), of("second"));
    let manager = Renewable::new(&first, None);
    let port = manager.serve().await;
    let pinned = |shown: &Certified| TlsSettings::default().ca(text("ca", &shown.certificate));
    let running = client(port, pinned(&first));
    assert_eq!(ask(&running).await.unwrap(), "no certificate");
    manager.renew(&second);
    let error = ask(&running).await.unwrap_err();
    assert!(report(&error).contains("subject CN=second"), "{error}");
    let hint = error.failure().hint.clone().unwrap_or_default();
    assert!(hint.contains("`ca` or `caFile`"), "{hint}");
    assert_eq!(
        ask(&client(port, pinned(&second))).await.unwrap(),
        "no certificate"
    );
}
