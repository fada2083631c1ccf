//! Random identifiers for sessions, tokens and requests. Sufficient for a simulator, but not
//! cryptographically secure.

use std::hash::{BuildHasher, Hasher, RandomState};

/// 32 hexadecimal digits, as in a session cookie.
pub(crate) fn hex32() -> String {
    format!("{:016X}{:016X}", random(), random())
}

/// A version 4 UUID, as in XSRF tokens and request ids.
pub(crate) fn uuid() -> String {
    let (high, low) = (random(), random());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        0x8000 | (low >> 48) & 0x3fff,
        low & 0xffff_ffff_ffff
    )
}

/// The standard library seeds every `RandomState` randomly, so the hash of empty input is a random number.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}
