//! Members of the manager's objects that hold secrets. This is the only list of them.
//!
//! Managers rarely send them. Functions that return whole objects remove them.

use serde_json::Value;

/// Names of members, or the words after the last underscore of longer names: `secret`, `client_secret`. Source: the
/// VMware NSX REST API, properties of type `secure_string` and those that its requests accept but its replies omit.
const MEMBERS: [&str; 13] = [
    "api_key",
    "authentication_key",
    "community_string",
    "license_key",
    "passphrase",
    "password",
    "peer_code",
    "preshared_key",
    "private_key",
    "psk",
    "secret",
    "secret_key",
    "token",
];

/// Part of a private key in PEM.
const PRIVATE_KEY: &str = "PRIVATE KEY-----";

/// Removes members that hold secrets, at any depth.
pub(crate) fn remove(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, member| !is_sensitive(name) && !is_private_key(member));
            members.values_mut().for_each(remove);
        }
        Value::Array(items) => {
            items.retain(|item| !is_private_key(item));
            items.iter_mut().for_each(remove);
        }
        _ => {}
    }
}

fn is_sensitive(name: &str) -> bool {
    MEMBERS.iter().any(|member| {
        name.strip_suffix(member)
            .is_some_and(|before| before.is_empty() || before.ends_with('_'))
    })
}

fn is_private_key(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains(PRIVATE_KEY))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_removed_at_any_depth_and_nothing_else() {
        let mut object = json!({
            "id": "a", "psk": "x", "credential": { "username": "u", "password": "x", "client_secret": "x" },
            "users": [{ "cli_password": "x", "name": "n" }], "keys": ["-----BEGIN RSA PRIVATE KEY-----x", "k"],
            "other": "-----BEGIN PRIVATE KEY-----x", "pem_encoded": "-----BEGIN CERTIFICATE-----",
            "password_change_frequency": 90, "has_private_key": false, "community_lists": ["c"], "tokens": 1,
        });
        remove(&mut object);
        assert_eq!(
            object,
            json!({
                "id": "a", "credential": { "username": "u" }, "users": [{ "name": "n" }], "keys": ["k"],
                "pem_encoded": "-----BEGIN CERTIFICATE-----", "password_change_frequency": 90,
                "community_lists": ["c"], "tokens": 1,
            })
        );
    }
}
