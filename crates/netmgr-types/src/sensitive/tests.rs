//! Tests of the recognition of secrets.

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

fn is_removed(object: &Value) -> bool {
    let mut object = object.clone();
    remove(&mut object);
    !object.to_string().contains("hidden-")
}

fn is_kept(object: &Value) -> bool {
    let mut kept = object.clone();
    remove(&mut kept);
    kept == *object
}

#[test]
fn secrets_are_removed_at_any_depth_and_nothing_else() {
    let mut object = json!({
        "id": "a", "psk": "x", "credential": { "username": "u", "password": "x", "client_secret": "x" },
        "users": [{ "cli_password": "x", "name": "n" }], "other": "-----BEGIN PRIVATE KEY-----x",
        "keys": ["-----BEGIN RSA PRIVATE KEY-----x-----END RSA PRIVATE KEY-----", "k"],
        "pem_encoded": "-----BEGIN CERTIFICATE-----", "password_change_frequency": 90, "has_private_key": false,
        "community_lists": ["c"], "tokens": 1,
    });
    remove(&mut object);
    assert_eq!(
        object,
        json!({
            "id": "a", "credential": { "username": "u" }, "users": [{ "name": "n" }], "keys": ["k"],
            "pem_encoded": "-----BEGIN CERTIFICATE-----", "password_change_frequency": 90, "has_private_key": false,
            "community_lists": ["c"], "tokens": 1,
        })
    );
}

#[test]
fn secrets_in_names_of_members_are_removed() {
    let mut object = json!({
        "https://u:hidden-1@h": ["x"], "a": { "Bearer hidden-2ee": { "b": 1 }, "c-d": 2 },
        "e": { "https://u:hidden-3@h/token": {} },
    });
    remove(&mut object);
    assert_eq!(
        object,
        json!({
            "[redacted] 3": ["x"], "a": { "[redacted] 1": { "b": 1 }, "c-d": 2 }, "e": { "[redacted] 1": {} },
        })
    );
}

/// Secret names. Each is tried in all spellings.
const SECRET_NAMES: &[&str] = &[
    "password",
    "admin_password",
    "passwd",
    "root_passwd",
    "pwd",
    "passphrase",
    "pass_phrase",
    "passcode",
    "pin",
    "otp",
    "db_pass",
    "psk",
    "pre_shared_key",
    "preshared_key",
    "shared_key",
    "shared_secret",
    "secret",
    "client_secret",
    "secret_key",
    "secret_access_key",
    "access_key",
    "api_key",
    "apikey",
    "license_key",
    "encryption_key",
    "private_key",
    "private_key_pem",
    "tls_key",
    "md5_key",
    "auth_key",
    "authentication_key",
    "privacy_key",
    "session_key",
    "signing_key",
    "token",
    "auth_token",
    "bearer_token",
    "refresh_token",
    "jwt",
    "peer_code",
    "community",
    "snmp_community",
    "community_string",
    "cookie",
    "set_cookie",
    "authorization",
    "proxy_authorization",
    "kubeconfig",
    "kube_config",
    "credentials",
    "keytab",
    "password_hash",
    "secret_value",
    "token_data",
    "old_password",
    "password_confirmation",
    "kubeconfig_raw",
    "password_sha512",
    "csrf_token",
    "unseal_keys",
    "unlock_key",
    "key_material",
    "ikev2_key",
    "bfd_key",
    "registration_code",
    "preshared",
    "bindpw",
    "priv_key",
    "ca_key",
    "application_key",
    "keypass",
    "backup_codes",
    "password_md5",
    "password_salt",
    "password_ciphertext",
    "password_primary",
    "secret_yaml",
    "password_of_root",
    "token_for_admin",
    "session_id",
    "ssh_key",
    "auth",
    "basic_auth",
    "connection_string",
    "nt_hash",
    "token_list",
    "password_admin",
    "key_private",
    "secret_map",
    "seed_phrase",
    "dsn",
    "database_dsn",
    "hmac",
    "oauth",
    "pin_code",
    "secret_answer",
    "peer_key",
    "the_password_is",
    "root_pw",
    "adminpass",
    "senha",
    "unlock_code",
    "tcp_ao_key",
    "isis_key",
    "gcp_key",
    "privatekeydata",
    "docker_config_json",
    "id_rsa",
    "sas_url",
    "authorization_code",
    "tcp_md5",
    "db_cred",
    "dockerconfigjson",
    "enckey_base64",
    "message_digest_key",
    "password_hashed",
    "key_string",
    "community_name",
    "gossip_key",
    "registration_key",
    "join_key",
    "console_ticket",
    "adgangskode",
];

/// Names of members that are not secret.
const HARMLESS_NAMES: &[&str] = &[
    "id",
    "display_name",
    "path",
    "key",
    "keys",
    "keyword",
    "public_key",
    "ssh_public_key",
    "certificate",
    "pem_encoded",
    "token_count",
    "token_type",
    "token_url",
    "community_lists",
    "community_list_path",
    "password_change_frequency",
    "password_policy",
    "secret_name",
    "secret_managed",
    "has_private_key",
    "private_key_id",
    "access_key_id",
    "cookie_name",
    "cookie_mode",
    "credential_type",
    "authorization_type",
    "auth_type",
    "authentication_mode",
    "ssh_enabled",
    "ssh_timeout",
    "content_hash",
    "community_list",
    "connection_state",
    "bypass",
    "sacred",
    "compass",
    "mapping",
    "spin",
    "monkey",
    "dsn_server",
    "oauth_url",
    "hmac_algorithm",
    "passwordless",
    "hash_key",
    "primary_key",
    "routing_key",
    "signature",
    "username",
    "description",
    "tags",
    "value",
    "data",
];

fn spellings(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split('_').collect();
    let capitals = |word: &&str| word[..1].to_uppercase() + &word[1..];
    let pascal: String = words.iter().map(capitals).collect();
    vec![
        name.to_owned(),
        name.to_uppercase(),
        words.join("-"),
        words.join(" "),
        words.join("."),
        pascal[..1].to_lowercase() + &pascal[1..],
        pascal,
        format!("{}s", name.strip_suffix('s').unwrap_or(name)),
        format!("{name}2"),
        format!("{name}_1"),
        format!("_{name}"),
    ]
}

#[test]
fn names_are_compared_without_case_separators_plural_and_digits() {
    let names: Vec<String> = SECRET_NAMES.iter().flat_map(|name| spellings(name)).collect();
    for name in &names {
        for value in [
            json!("hidden-1"),
            json!(["hidden-1"]),
            json!({ "one": "hidden-1" }),
            json!([{ "a": ["hidden-1"] }]),
        ] {
            let object = json!({ name: value });
            assert!(is_removed(&object), "{object}");
        }
        assert!(is_kept(&json!({ name: true, "x": { name: null } })), "{name}");
        for (label, value) in [
            ("key", "value"),
            ("name", "values"),
            ("property_name", "property_value"),
            ("Key", "Value"),
            ("key", "val"),
            ("key", "value_list"),
            ("k", "v"),
            ("setting", "value"),
            ("env", "value"),
            ("description", "payload"),
        ] {
            let pair = json!({ "pairs": [{ label: name, value: ["hidden-1"] }] });
            assert!(is_removed(&pair), "{pair}");
        }
    }
    for name in HARMLESS_NAMES.iter().flat_map(|name| spellings(name)) {
        for value in [
            json!("text"),
            json!(7),
            json!(["a", "b"]),
            json!({ "one": "text" }),
        ] {
            let object = json!({ &name: value });
            assert!(is_kept(&object), "{object}");
        }
    }
    assert!(is_removed(
        &json!({ "attribute_type": "PASSWORD", "key": "root", "value": "hidden-1" })
    ));
    assert!(is_kept(
        &json!({ "attribute_type": "TEXT", "key": "root", "value": "text" })
    ));
    assert!(is_kept(&json!({
        "set": { "community": "65001:100 1:2:3" },
        "communities": ["1:2", "65001:*", "NO_EXPORT", "no-export", "LOCAL_AS", "INTERNET"],
    })));
    assert!(is_removed(&json!({ "community": "hidden-1 65001:100" })));
    assert!(!is_kept(&json!({ "auth": "INTERNET" })) && !is_kept(&json!({ "cookie": "1:2" })));
    assert!(is_kept(&json!({
        "communities": ["65001:.*", "^65001:"], "extended_community": "rt 65001:100", "client_auth": "REQUIRED",
        "set": { "community": "65001:100 additive" }, "community": "65000:100,rt:65000:1", "cookie_value": "east", "ipsec_vpn_session_id": "5f0a8f0e",
    })));
    for secret in [
        json!({ "credential": { "password": 87654321 } }),
        json!({ "auth": { "pass": 87654321 }, "community": 87654321 }),
    ] {
        let mut kept = secret.clone();
        redact(&mut kept);
        assert!(!kept.to_string().contains("87654321"), "{kept}");
    }
    assert!(is_removed(
        &json!({ "community": [{ "name": "hidden-1", "access": "hidden-ro" }] })
    ));
    assert!(is_kept(&json!({
        "display_name": "api-token", "pem_encoded": "-----BEGIN CERTIFICATE-----", "resource_type": "TlsCertificate",
    })));
    assert!(is_kept(
        &json!({ "display_name": "Basic Policy-01", "id": "Bearer Network1" })
    ));
    assert!(is_removed(
        &json!({ "description": "Basic hidden-1", "header": "Bearer hidden-1" })
    ));
    let rule =
        json!({ "original_signature": "content:\"user=a&password=b\"; pcre:\"/token=[0-9a-f]{32}/\"" });
    assert!(is_kept(&rule));
    assert!(is_removed(
        &json!({ "tags": [{ "scope": "admin-password", "tag": "hidden-1" }] })
    ));
    assert!(is_kept(&json!({ "tags": [{ "scope": "zone", "tag": "dmz" }] })));
    let mut output = json!([{ "scope": "token", "tag": "hidden-1" }, { "secret": "an own name" }]);
    redact_texts("items", &mut output);
    assert_eq!(
        output,
        json!([{ "scope": "token", "tag": REDACTED }, { "secret": "an own name" }])
    );
    // The outputs of functions follow the same rule as objects.
    for (name, is_hidden) in [("displayName", false), ("description", true)] {
        let mut output = json!("Basic NAT64-rules");
        redact_texts(name, &mut output);
        assert_eq!(output == json!(REDACTED), is_hidden, "{name}");
    }
    let jwk =
        json!({ "kty": "RSA", "n": "n", "e": "AQAB", "d": "hidden-1", "p": "hidden-2", "qi": "hidden-3" });
    assert!(is_removed(&jwk));
    assert!(is_kept(&json!({ "kty": "EC", "x": "x", "y": "y" })) && is_kept(&json!({ "k": "x", "d": "y" })));
    assert_eq!(secrecy("tokens"), Some(Secrecy::Whole { is_plural: true }));
    assert!(!is_kept(&json!({ "pin": 1234 })));
    for secret in [
        json!({ "api": { "key": "hidden-1" } }),
        json!({ "API": { "Keys": ["hidden-1"] } }),
        json!({ "keys": [{ "public": "x", "private": "hidden-1" }] }),
        json!({ "cert": { "pem": "x", "Private": "hidden-1" }, "key_pair": { "private": "hidden-2" } }),
        json!({ "args": ["connect", "--pass", "hidden-1", "--port", "22"] }),
        json!({ "pairs": [["password", "hidden-1"]] }),
        json!({ "cookieJar": "hidden-1", "text": "password:\thidden-1" }),
    ] {
        assert!(is_removed(&secret), "{secret}");
    }
    for harmless in [
        json!({ "app": { "key": "tier", "value": "web" }, "sort": { "key": "name" } }),
        json!({ "link": { "private": "yes" }, "keys": { "private": true } }),
        json!({ "addresses": { "private": "10.0.0.1" }, "server": { "private": "10.0.0.2" } }),
        json!({ "command": ["ssh", "-p", "22"], "methods": ["password", "certificate"] }),
        json!({ "args": [["docker", "run", "-u", "1000", "-p", "8080:80"], ["iptables", "-p", "tcp"], ["mkdir", "-p", "/a1"]] }),
        json!({ "tls_bypass": "always", "compass": "north" }),
    ] {
        assert!(is_kept(&harmless), "{harmless}");
    }
}

#[test]
fn names_in_other_languages_are_secret() {
    for name in [
        "contraseña",
        "contrasen\u{303}a",
        "HASŁO",
        "adminPasswort",
        "ПАРОЛЬ",
        "密码",
        "パスワード2",
        "비밀번호",
        "Passwörter",
        "wachtwoorden",
        "ПАРОЛИ",
        "şifre",
        "秘密鍵",
        "密钥",
    ] {
        for secret in [
            json!({ name: "hidden-1" }),
            json!({ "text": format!("{name}: hidden-1") }),
            json!({ "text": format!("{name}：hidden-1") }),
            json!({ "text": format!("a=1&{name}=hidden-1") }),
            json!({ "text": format!("login --{name} hidden-1") }),
            json!([{ "key": name, "value": "hidden-1" }]),
        ] {
            assert!(is_removed(&secret), "{secret}");
        }
    }
    assert!(is_kept(&json!({ "größe": "5", "text": "größe: 5, 名前=x" })));
}

/// Base64 of `text`.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |part: &[u8]| {
        let bits = part
            .iter()
            .chain([0, 0].iter())
            .take(3)
            .fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        (0..=part.len()).map(move |index| char::from(LETTERS[bits >> (18 - 6 * index) & 63]))
    };
    bytes.chunks(3).flat_map(group).collect()
}

#[test]
fn texts_with_a_key_or_a_login_are_secret_wherever_they_stand() {
    let pem = "-----BEGIN EC PRIVATE KEY-----\nhidden-1\n-----END EC PRIVATE KEY-----\n";
    let der = |start: &[u8]| base64(&[start, b"hidden-1 and more bytes of a key"].concat());
    let secrets = [
        pem.to_owned(),
        pem.to_lowercase(),
        pem.replace('\n', "\\n"),
        base64(pem.as_bytes()),
        base64(format!("Bag Attributes\n{pem}").as_bytes()),
        der(&[0x30, 0x82, 1, 2, 2, 1, 0]),
        der(&[0x30, 0x81, 99, 2, 1, 0])
            .replace('+', "-")
            .replace('/', "_"),
        der(&[0x30, 0x40, 2, 1, 1]),
        der(b"openssh-key-v1\0"),
        der(&[
            0x30, 0x82, 1, 2, 0x30, 0x40, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 0x0d,
        ]),
        format!("data:application/x-pem;base64,{}", base64(pem.as_bytes())),
        "https://user:hidden-1@host.example/x".to_owned(),
        "https://user:hidden/1@host.example/x".to_owned(),
        "see ftp://u:hidden-1@[2001:db8::1]:21/ for more".to_owned(),
        "redis://:hidden-1@127.0.0.1:6379".to_owned(),
        "admin:hidden-1@10.0.0.1".to_owned(),
        "Bearer hidden-1".to_owned(),
        "bearer hidden".to_owned(),
        "Authorization%3A%20Bearer%20hidden-1".to_owned(),
        "curl -H 'Authorization: Bearer eyJhbGciOi' https://host".to_owned(),
        "Basic dXNlcjpoaWRkZW4=".to_owned(),
        "Basic hidden-1".to_owned(),
        "Authorization: Digest hidden-1".to_owned(),
        "Server=db;User=sa;Password=hidden-1;".to_owned(),
        "https://host/x?a=b&access_token=hidden-1".to_owned(),
        "users:\n- name: x\n  token: hidden-1\n".to_owned(),
        "- token: hidden-1 # rotated\n".to_owned(),
        r#"{"a": [{"client_secret": "hidden-1"}]}"#.to_owned(),
        r#"log: {\"password\":\"hidden-1\"}"#.to_owned(),
        "{'user': 'x', 'password': 'hidden-1'}".to_owned(),
        "<user>x</user><password>hidden-1</password>".to_owned(),
        "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.aGlkZGVu".to_owned(),
        "use glpat-hidden1hidden1hid".to_owned(),
        "use glptt-hidden1hidden1hid".to_owned(),
        "NRAK-hidden1hidden1hidden".to_owned(),
        "$apr1$hidden1$hidden".to_owned(),
        "root:$6$salt$hidden1hidden1:19000:0:99999:7:::".to_owned(),
        "login --password hidden-1".to_owned(),
        "login --password=hidden-1".to_owned(),
        "/x;(password=hidden-1)".to_owned(),
        "password%3Dhidden-1".to_owned(),
        "{&quot;password&quot;:&quot;hidden-1&quot;}".to_owned(),
        "<ns:password type=\"plain\">hidden-1</ns:password>".to_owned(),
        "passphrase: \"two words hidden-1\"".to_owned(),
        "user: x, password: hidden-1".to_owned(),
        "curl -H 'X-Api-Key: hidden-1' https://host".to_owned(),
        "- name: DB_PASSWORD\n  value: hidden-1\n".to_owned(),
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nhidden-1".to_owned(),
        "PuTTY-User-Key-File-3: ssh-rsa\nhidden-1".to_owned(),
        "https://hooks.slack.com/services/T0/B0/hidden-1".to_owned(),
        "post to https://example.webhook.office.com/webhookb2/hidden-1".to_owned(),
        "https://store.example/x?sv=1&sig=hidden-1".to_owned(),
        "https://store.example/x?X-Amz-Expires=60&X-Amz-Signature=hidden-1".to_owned(),
        "https://host/x?token=hidden-1".to_owned(),
        "cmdkey /add:host /user:x /pass:hidden-1".to_owned(),
        "log in with password: hidden-1".to_owned(),
        "see ?next=https%3A%2F%2Fuser%3Ahidden-1%40host".to_owned(),
    ];
    for secret in secrets {
        assert!(is_secret_text(&secret), "{secret}");
        let wrapped: Vec<String> = secret
            .as_bytes()
            .chunks(64)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        assert!(
            is_secret_text(&secret) && (secret.contains(' ') || is_secret_text(&wrapped.join("\n"))),
            "{secret}"
        );
    }
    for text in [
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr0cDh7Vw",
        "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQsw",
        "https://host.example:8443/users/a@b",
        "https://user@host.example/x",
        "https://[2001:db8::1]:443/x@y",
        "mailto:team@example.com",
        "team@example.com",
        "registry/image:1.25@sha256:0123",
        "/infra/domains/default/groups/password-servers-of-the-data-centre",
        "Basic rules of the firewall",
        "Basic Authentication",
        "Basic DHCP",
        "Bearer of bad news",
        "the password is rotated each month",
        "curl -k https://host:443/a -o file:x",
        "enable the secret service",
        "snmp-server location rack 7",
        "the password is required",
        "the password is Required.",
        "invalid password: must contain a digit",
        "the token is short, and the password is long",
        "the key is kept in the vault",
        "passwordless: login with keys is possible",
        "https://example.com/?design=flat&assignature=no&signed=yes",
        "net use is not available",
        "the login of a user and the password are checked",
        "{'name': 'x', 'password': ''}",
        "<password></password>",
        "if tokens > 5",
        "unexpected token: found at line 1, column 2",
        "name: password-servers, value: 5",
        "the option --token-url is missing",
        "vlan=7",
        "00:50:56:aa:bb:cc",
        "12:30",
        "a: b",
        "",
    ] {
        assert!(!is_secret_text(text), "{text}");
    }
    let lines: Value = pem.lines().collect();
    assert!(is_removed(&json!({ "lines": lines })));
    let mut arguments = json!(["login", "--password", "hidden-1", "--verbose"]);
    remove(&mut arguments);
    assert_eq!(arguments, json!(["login", "--password", "--verbose"]));
}

/// Commands, settings and addresses with a secret, one a line.
const SECRET_LINES: &str = r#"psk: hidden1
https://api.telegram.org/bot123456789:AAhidden-1/sendMessage
post to api.telegram.org/bot123456789:AAhidden-1
https://api.telegram.org/file/bot123456:hidden-1/photos/x
sshpass -e ssh; SSHPASS=hidden1
https://hooks.slack.com/workflows/T/A/1/hidden1
https://events.pagerduty.com/integration/hidden1hidden1hidden1/enqueue
https://hooks.zapier.com/hooks/catch/123/hidden1
https://maker.ifttt.com/trigger/e/with/key/hidden1
https://mattermost.example/hooks/hidden1hidden1hidden199
https://open.feishu.cn/open-apis/bot/v2/hook/hidden1-aaaa
https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=hidden1-aaaa
SG.hidden1hidden1hidden1h.hidden1hidden1hidden1hidden1hidden1hidden1h
sk-proj-hidden1hidden1hidden1hidden1hidden1hidden1
xapp-1-A0HIDDEN1-123-a1b2c3
sk-hidden1hidden1hidden1hidden1hidden1hidden1hu
dop_v1_hidden1hidden1hidden1hidden1hidden1
pul-0123456789012345678901234567890123456789
hf_hidden1hidden1hidden1hidden1hu
ya29.hidden1hidden1hidden1
1//0hidden1hidden1hidden1hidden1hidden1
AGE-SECRET-KEY-1HIDDEN1HIDDEN1HIDDEN1
pypi-AgEIhidden1hidden1hidden1
dckr_pat_hidden1hidden1hidden1
ATATT3xFfGF0hidden1hidden1hidden1
shpat_hidden1hidden1hidden1hidden1
whsec_hidden1hidden1hidden1hidden1
authorization: hidden19secret
Authorization: Token hidden1
Authorization: ApiKey hidden1
kennwort: hidden1
Passwort: hidden1
mot de passe : hidden1
Password (temporary): hidden-1
authorization: hidden-1
"authorization": "Token hidden-1"
-H "authorization: ApiKey hidden-1"
Authorization: Negotiate hidden-1
password: Required1
password=secret
password: secret
https://host/x?user=a&password=strong&b=c
https://host/x?password%3Dstrong
{"user": "a", "password": "strong", "te
{\"user\":\"a\",\"password\":\"new\",\"te
<password>changed</password>
login --password secret
login --password=required
cmdkey /pass:correct
password=group1
psk=ikev2
/infra/domains/default is read with password=hidden-1
password: Sommer must be changed after the first login
psk: correct-horse-battery may be shared with site B
token: abcdefghijklmnop is valid until 2030
Password: Geheim: only for admins
tool --password hunter does not work
recovery codes: 48291034
password: nsx in the lab
mattermost.example/hooks/hidden1hidden1hidden199
chat.example:8065/hooks/hidden1hidden1hidden199
the_password_is: hidden-1
sftp admin:hidden-1@10.0.0.9:/backup
rsync admin:hidden-1@nas1.local:/backup .
<admin:hidden-1@10.0.0.1>
proxy=admin:hidden-1@proxy.local:3128
admin:hidden-1@10.0.0.1,admin:hidden-1@10.0.0.2
administrator@vsphere.local:hidden-1@vc01.example
https://administrator@vsphere.local:hidden-1@vc01.example/sdk
https://user%3Ahidden-1@host.example/
https%3A//user%3Ahidden-1%40host
-----BEGIN%20PRIVATE%20KEY-----%0AMIIE
-----BEGIN+PRIVATE+KEY-----%0AMIIE
Authorization%3A+Bearer+hidden-1hidden-1
Log in as admin:hidden-1!@nsx01.lab.local.
is it admin:hidden-1@10.0.0.5?
[admin:hidden-1@10.0.0.5]
`admin:hidden-1@localhost`
root:2024@10.0.0.5
admin:swordfish@nsx01.lab.local
alice:swordfish@10.0.0.5
auth=8392:1029384
credentials: 4711:998877
Basic+dXNlcjpoaWRkZW4="#;

/// Similar lines without one.
const HARMLESS_LINES: &str = r#"authorization: required
Authorization: Required
authorization: none
authorization: optional
authorization: expired
authorization: enabled
authorization = disabled
authorization: basic
authorization: bearer
Authorization: Basic
"authorization": "none"
authorization: local
authorization: RBAC
authorization: ldap
authorization: remote, then local
Authorization: see the wiki
authorization: true
authorization: no
authorization: off
authorization header is missing
missing Authorization: header
token: required
token: none
token: expired
token: optional
token: invalid
token: missing
token: not set
token = none
password: required
password: none
password: optional
password: expired
password: never
password: unchanged
password: see vault
password: n/a
password: -
password: ***
password: ********
password: <redacted>
password: [redacted]
password: ${DB_PASSWORD}
password: $PASSWORD
password: {{ password }}
password: null
password: false
password=true
password is required
password is expired
password has expired
password must change
secret: none
psk: none
psk required
psk mode
the psk is stored in the vault
psk rotated
token expired
password policy
password servers
key 7
https://telegram.org/bot
https://api.telegram.org/
https://api.telegram.org/bots
https://hooks.example.com/x
https://discord.com/channels/1/2
https://example.com/?key=value
https://example.com/x?signature_version=4
https://example.com/x?signed=1
snmp community is set
key (see wiki): vault
cookie: none
community: none
credential: none
credentials: see vault
credentials: none
basic auth: disabled
auth: none
auth: basic
auth: ldap
auth: required
authentication: required
authentication: psk
psk ikev2
psk aes256
psk AES-256 tunnel
token oauth2
password v2
the flag --password is required
--password-file FILE
netmgr get ip-pool --display-name x
Authorization: basic authentication
authorization: bearer token
https://hooks.example.com/
https://git.example/hooks/pre-receive
https://host/webhook/status
password=***
password=[redacted]
password=${DB_PASSWORD}
https://host/x?password=********&b=c
{"password": "[redacted]", "te
{"password": null}
password = none
password=disabled
login --password ***
the flags --user and --password must be set
the value of --password has no effect
the secret "db-1" does not exist
password "required"
the field 'password' is not known
the property "password" must not be empty
a group named "token" exists
/infra/domains/default/groups/psk=a1
/orgs/default/projects/webhook/infra/domains/default/groups/production-web-servers-east
/infra/segments/webhooks/ports/5f0a8f0e-6d7e-4b15-9a57-21c0c1d7a001
no group /infra/hooks/a/production-web-servers-east
SG.production-web-servers
SG.production-web-servers.data-centre-1
pul-production-web-servers
xapp-production-web-servers
sk-project-web-servers
Enable password reset for users
Header X-XSRF-TOKEN is stale
Bearer error="invalid_token", error_description="The token expired"
WWW-Authenticate: Bearer realm="nsx"
The session token: Signature verification failed
Access token: Audience mismatch
Field 'password' : value is not valid
PSK: length must be 1-128
BGP neighbor 10.0.0.1 password: length exceeds 80
credential: Type UsernamePassword is unsupported
invalid kubeconfig: yaml: line 3
tls: bad key: 2048 bits required
Kompass: Nord
Engpass: WAN
Passwort: siehe KeePass
Passwort: nicht gesetzt
Tokens: keine
Wachtwoord: zie kluis
max_tokens=100
tokens: 5 per user
auth server-01
oauth2 proxy-1
Basic Policy-01 of the site
token service-2
cookie persistence-1
community list-10
secret project-x1
password vault-01
vpn psk site-1
user auth zone-2
mysql -prod
zip -Profile
web:80@dc1.example.com
owner:team@example.com
Contact:bob@example.com
GET /token HTTP/1.1
BGP community: 65001:100
The cookie is JSESSIONID
insert cookie "JSESSIONID"
isakmp key exchange
password|gold
10.0.0.1:8443@site.example
requester:jane.doe@corp.example is away
git:git@github.com:org/repo
PFX: 10.0.0.0/24
keystore: JKS
auth: sha256
community: 65000:100,65000:200
community: rt:65000:1
community: BLACKHOLE"#;

#[test]
fn lines_with_a_secret_are_secret_and_similar_ones_are_not() {
    for line in SECRET_LINES.lines() {
        assert!(is_secret_text(line), "{line}");
    }
    for line in HARMLESS_LINES.lines() {
        assert!(!is_secret_text(line), "{line}");
    }
}

fn harmless() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let name = proptest::sample::select(HARMLESS_NAMES);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name, inner, 0..4).prop_map(|members| {
                let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect::<Map<_, _>>())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn a_planted_secret_never_appears_and_harmless_members_stay(
        above in proptest::collection::vec(proptest::option::of(proptest::sample::select(HARMLESS_NAMES)), 0..5),
        name in proptest::sample::select(SECRET_NAMES).prop_flat_map(|name| proptest::sample::select(spellings(name))),
        beside in harmless(),
        is_in_list in any::<bool>(),
    ) {
        prop_assert!(is_kept(&beside), "{}", beside);
        let secret = if is_in_list { json!(["hidden-1"]) } else { json!("hidden-1") };
        let object = above.iter().fold(json!({ &name: secret, "beside": beside }), |value, name| match name {
            Some(name) => json!({ *name: value }),
            None => json!([value]),
        });
        let mut kept = object.clone();
        remove(&mut kept);
        prop_assert!(!kept.to_string().contains("hidden-1"), "{}", kept);
        let expected = above.iter().fold(json!({ "beside": beside }), |value, name| match name {
            Some(name) => json!({ *name: value }),
            None => json!([value]),
        });
        prop_assert_eq!(kept, expected);
        let mut replaced = object.clone();
        redact(&mut replaced);
        prop_assert!(!replaced.to_string().contains("hidden-1"), "{}", replaced);
    }
}

/// Its time is not quadratic: the test would take a minute.
#[test]
fn a_word_before_a_secret_can_be_repeated() {
    for words in ["Bearer ", "a =x "] {
        let text = words.repeat(1 << 14);
        assert_eq!(redacted(&text), text);
    }
}

#[test]
fn only_the_beginning_of_a_long_text_is_examined() {
    let long = "x ".repeat(1 << 19);
    let shown = |text: &str| sanitized_within(&Secrets::default(), text, 20);
    assert!(shown(&format!("{long} password=hidden-1")).starts_with("x x"));
    assert_eq!(shown(&format!("password=hidden-1 {long}")), REDACTED);
}
