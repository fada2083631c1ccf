//! Tests of `options.rs`.

use super::*;
use crate::flags::Flag;

#[test]
fn secrets_and_on_demand_have_no_flag() {
    let flags: Vec<String> = setting_flags().iter().map(Flag::long).collect();
    for flag in [
        "host",
        "username",
        "ca-file",
        "allow-unverified-ssl",
        "max-retries",
        "retry-on-status-codes",
    ] {
        assert!(
            flags.iter().any(|known| known == flag),
            "{flag} is missing in {flags:?}"
        );
    }
    for secret in [
        "password",
        "client-auth-key",
        "cloud-token",
        "cloud-client-secret",
        "license-keys",
        "on-demand-connection",
    ] {
        assert!(flags.iter().all(|known| known != secret), "{secret}");
    }
}
