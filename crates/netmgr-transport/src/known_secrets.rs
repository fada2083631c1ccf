//! The secrets of a client: those in its configuration, and those that managers issue.
//!
//! They are found in texts by `netmgr_types::foreign`, and recorded by `layers/remember.rs`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};
use netmgr_types::foreign::Secrets;
use netmgr_types::{CloudGrant, Connection, Credentials, Secret};
use zeroize::Zeroizing;

use crate::lock::lock;

/// Maximum number of issued secrets. Older ones belong to expired sessions.
const MOST_ISSUED: usize = 64;
/// Minimum length of secrets that are found wherever they stand. Shorter ones are also parts of words and names of
/// objects. A shorter password is only found beside its user name, and in texts that look like secrets
/// (`netmgr_types::sensitive`); a shorter issued value, such as the name of a node in a cookie, is not secret.
const SHORTEST: usize = 4;

/// The secrets of this client. Clones share the issued ones.
#[derive(Clone)]
pub(crate) struct KnownSecrets(Arc<Mutex<SecretLists>>);

struct SecretLists {
    configured: Secrets,
    /// Newest last.
    issued: VecDeque<Secret>,
}

impl KnownSecrets {
    /// The secrets of a configuration that are sent.
    pub(crate) fn of(connection: &Connection) -> Self {
        let mut configured = Secrets::default();
        for key in &connection.license_keys {
            // Managers accept and return keys in any case.
            configured.add_in_any_case(key.expose());
        }
        match &connection.credentials {
            Credentials::Session(login) | Credentials::Header(login) => {
                add_with_base64(&mut configured, &login.username, &login.password);
            }
            Credentials::Cloud(login) => match &login.grant {
                CloudGrant::ApiToken(token) => add_long(&mut configured, token.expose()),
                CloudGrant::App { id, secret } => add_with_base64(&mut configured, id, secret),
            },
            Credentials::Certificate => {}
        }
        Self(Arc::new(Mutex::new(SecretLists {
            configured,
            issued: VecDeque::new(),
        })))
    }

    /// Adds a secret that a manager issued or that is derived from others, such as the value of
    /// `Authorization`.
    pub(crate) fn remember(&self, secret: &str) {
        if secret.len() < SHORTEST {
            return;
        }
        let mut known = self.known();
        if known.issued.iter().any(|known| known.expose() == secret) {
            return;
        }
        if known.issued.len() == MOST_ISSUED {
            known.issued.pop_front();
        }
        known.issued.push_back(Secret::new(secret));
    }

    /// All current secrets.
    pub(crate) fn all(&self) -> Secrets {
        let known = self.known();
        let mut all = known.configured.clone();
        known.issued.iter().for_each(|secret| all.add(secret.expose()));
        all
    }

    fn known(&self) -> MutexGuard<'_, SecretLists> {
        lock(&self.0)
    }
}

/// Adds a secret that is long enough to be found wherever it stands.
fn add_long(secrets: &mut Secrets, secret: &str) {
    if secret.len() >= SHORTEST {
        secrets.add(secret);
    }
}

/// Adds a password, and the Base64 forms of it and of the pair with its user name.
fn add_with_base64(secrets: &mut Secrets, name: &str, password: &Secret) {
    // Messages name the user. A replacement where the name is expected would disclose that the password is the same.
    let pair = Zeroizing::new([name, ":", password.expose()].concat());
    match password.expose() {
        same if same == name => {}
        short if short.len() < SHORTEST => secrets.add(&pair),
        password => secrets.add(password),
    }
    for text in [password.expose(), pair.as_str()] {
        for engine in [BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD] {
            add_long(secrets, &Zeroizing::new(engine.encode(text)));
        }
    }
}

/// Prints no secret.
impl std::fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KnownSecrets")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::connection;

    #[test]
    fn the_password_is_known_and_issued_secrets_are_remembered() {
        let secrets = KnownSecrets::of(&connection());
        secrets.remember("0123456789abcdef");
        secrets.remember("n1");
        assert_eq!(
            secrets
                .all()
                .sanitized("p%2Bw+%26%25%C3%A4 at n1 with 0123456789abcdef"),
            "[redacted] at n1 with [redacted]"
        );
    }

    #[test]
    fn a_password_that_is_the_name_of_its_user_is_shown_but_not_their_base64() {
        let mut connection = connection();
        let Credentials::Session(login) = &mut connection.credentials else {
            panic!("{connection:?}")
        };
        login.password = Secret::new(login.username.clone());
        let user = login.username.clone();
        let encoded = BASE64_STANDARD_NO_PAD.encode(format!("{user}:{user}"));
        let text = format!("login of {user} with {encoded}");
        assert_eq!(
            KnownSecrets::of(&connection).all().sanitized(&text),
            format!("login of {user} with [redacted]")
        );
    }

    #[test]
    fn a_short_password_is_only_found_beside_its_user() {
        let mut connection = connection();
        let Credentials::Session(login) = &mut connection.credentials else {
            panic!("{connection:?}")
        };
        login.password = Secret::new("e");
        let name = login.username.clone();
        let text = format!(
            "{name}:e may not read \"e\" or {}",
            BASE64_STANDARD_NO_PAD.encode(format!("{name}:e"))
        );
        assert_eq!(
            KnownSecrets::of(&connection).all().sanitized(&text),
            "[redacted] may not read \"e\" or [redacted]"
        );
    }

    #[test]
    fn base64_of_the_password_and_licence_keys_in_both_cases_are_known() {
        let mut connection = connection();
        connection.license_keys = vec![Secret::new("AAAAA-BBBBB-CCCCC-DDDDD-EEEEE")];
        let secrets = KnownSecrets::of(&connection);
        // Of `p+w &%ä`, and of `admin@corp:p+w &%ä`.
        let text = "cCt3ICYlw6Q= YWRtaW5AY29ycDpwK3cgJiXDpA== Aaaaa-bbbbb-CCCCC-ddddd-eeeee";
        assert_eq!(
            secrets.all().sanitized(text),
            "[redacted]= [redacted]== [redacted]"
        );
    }

    #[test]
    fn a_bounded_number_of_issued_secrets_is_remembered_the_newest() {
        let secrets = KnownSecrets::of(&connection());
        let session = |number: usize| format!("session-{number:04}");
        for number in 0..1000 {
            secrets.remember(&session(number));
            secrets.remember(&session(number));
        }
        assert_eq!(secrets.known().issued.len(), MOST_ISSUED);
        assert_eq!(secrets.all().sanitized(&session(999)), "[redacted]");
        assert_eq!(
            secrets.all().sanitized(&session(1000 - MOST_ISSUED)),
            "[redacted]"
        );
        assert_eq!(secrets.all().sanitized(&session(0)), session(0));
    }
}
