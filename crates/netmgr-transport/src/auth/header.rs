//! `Authorization` headers with user name and password: `Basic`, and `Remote` for directory users of old managers.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::HeaderValue;
use netmgr_types::{Login, LoginScheme, Secret};
use zeroize::Zeroizing;

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
    let pair = Zeroizing::new([name, ":", secret.expose()].concat());
    let encoded = Zeroizing::new(BASE64_STANDARD.encode(pair.as_bytes()));
    // The bytes are shared by all clones of the header, and wiped with the last one (decision foreign-text).
    let text = Zeroizing::new([word, " ", &encoded].concat().into_bytes());
    let text = Bytes::from_owner(text);
    let mut value = HeaderValue::from_maybe_shared(text).expect("base64 is valid in a header");
    value.set_sensitive(true);
    value
}
