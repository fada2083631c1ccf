//! `Authorization` headers with user name and password: `Basic`, and `Remote` for directory users of old
//! managers.
//!
//! Source: manager-transport 2.3, 2.4.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;
use netmgr_types::{Login, LoginScheme, Secret};

/// The value of `Authorization` for a login.
pub(super) fn authorization(login: &Login) -> HeaderValue {
    let word = match login.scheme {
        LoginScheme::Basic => "Basic",
        LoginScheme::Remote => "Remote",
    };
    pair(word, &login.username, &login.password)
}

/// `<word> base64(<name>:<secret>)`, marked as sensitive.
pub(super) fn pair(word: &str, name: &str, secret: &Secret) -> HeaderValue {
    let encoded = BASE64_STANDARD.encode(format!("{name}:{}", secret.expose()));
    let mut value = HeaderValue::try_from(format!("{word} {encoded}")).expect("base64 is fit for a header");
    value.set_sensitive(true);
    value
}
