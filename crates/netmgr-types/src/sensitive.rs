//! What is secret in an object or a text of the manager. This is the only list of it: members with a secret name, values
//! beside a name that is secret, and texts that contain a key, a password or a token.
//!
//! Managers rarely send secrets. Everything that prints or returns members of objects uses this module, and so do errors
//! that quote replies.

mod texts;

use serde_json::{Map, Value};

use crate::foreign::{CharBoundary as _, EXAMINED, REDACTED, Secrets};
use texts::{begins_private_key, ends_private_key, is_secret_in_name, is_secret_text};

/// Ends of secret names, in small letters. Source: the VMware NSX REST API, properties of type `secure_string` and those
/// that its requests accept but its replies omit, and names of such members in other products and languages.
const SECRETS: &str = "accesscode activationcode adgangskode authcode authorizationcode backupcode contrasena contraseña csrf derkey dockercfg \
    dockerconfig dockerconfigjson haslo hasło heslo idecdsa idrsa jelszó jsession jsessionid jwt keymaterial keytab kennwort kennwörter kubeconfig losenord lösenord mnemonic motdepasse netrc onetimecode pairingcode parola pass passcode passkey passord passphrase \
    passwd passwort passwörter password passwrd peercode phpsessid pincode preshared privatekeydata psk pswd pw pwd recoverycode recoveryphrase registrationcode salasana sasuri sasurl secret secretanswer \
    securityanswer securitycode seedphrase senha sessionid token totp unlockcode verificationcode wachtwoord wachtwoorden \
    xsrf şifre пароли пароль 密码 密碼 密钥 密鑰 パスワード 秘密鍵 비밀번호";

/// Words that end like one of [`SECRETS`].
const NO_SECRETS: &str = "bypass compass engpass kompass overpass reisepass surpass trespass underpass";

/// Secret names that are also the end of harmless words (`mapping`, `content_hash`), so they have to be a word, or two words,
/// of their own.
const SHORT_SECRETS: &str = "accesssignature bearer cak clientassertion codeverifier communityname connectionstring \
    consoleticket dek devicecode dsn hmac iddsa ided kek keymaterial keystring lmhash nthash ntlmhash otp \
    phash pin puk pword samlassertion samlresponse sassignature sessionticket tcpmd";

/// Names whose texts are secret, and whose objects have harmless members as well. The short ones have to be a word of
/// their own.
const CREDENTIALS: &str = "authorization community cookie credential";
const SHORT_CREDENTIALS: &str = "auth cred oauth";

/// Words that can stand on either side of a secret name: `adminPassword` and `passwordAdmin`.
const OWNERS: &str = "access admin administrator api audit auditor client guest operator private refresh root superuser sysadmin user";

/// Last words of the names of objects whose member `private` is a key.
const KEY_PAIRS: &str =
    "ca cert certificate crt dsa ecdsa gpg key keypair pair pgp rsa ssh ssl tls wireguard";

/// Last words of the names of several secrets: `token_list`.
const LISTS: &str = "array collection dict list map";

/// Kinds of keys that are secret. Other keys, such as `public_key`, are not.
const KEYS: &str = "access account activation aes ao api app application auth authentication bfd bgp ca cert certificate cipher client consumer \
    crypto decrypt decryption deploy digest dkim dsa ec enc encrypt encrypted encryption enrollment esp gcp gossip hmac ike ikev \
    ipsec isakmp isis join licence license luks mac master md ntp \
    ospf peer pem preshared priv privacy private product radius recovery registration rndc rsa sas secret security serial server session sha shared signature signing snmp \
    ssh ssl storage subscription symmetric tacacs tls tsig unlock unseal vpn wep wifi wireguard wpa wrapping";

/// Words after which a name means the same: `password_hash`. They also name the value beside a name.
const VALUES: &str = "b backup base bcrypt binary blob body bytes cipher ciphertext clear cleartext confirm confirmation content crypt current \
    data decrypted default der digest enc encoded encrypted hash hashed header hex initial is jar json material md new old \
    payload pem plain plaintext previous primary raw repeat salt secondary seed sha str string temporary text unencrypted \
    v val value was yaml";

/// Last words of members that name or classify the value beside them.
const LABELS: &str = "arg argument attr attribute caption config description element entry env field format header id item k key \
    kind label name option param parameter prop property scope setting title type usage var variable";

/// The private members of a JSON Web Key (RFC 7518, section 6), which has a member `kty`.
const PRIVATE_OF_JWK: &str = "d dp dq k oth p q qi";

/// Last words of the members of credentials that are not secret.
const HARMLESS: &str =
    "algorithm enabled host hostname id login mode name path role thumbprint type user username";

/// Words in communities of BGP: well-known ones (the registry of IANA), kinds of extended communities, and operations.
const COMMUNITIES: &str = "accept-own additive blackhole graceful-shutdown internet local-as no-advertise no-export \
    no-export-subconfed no-peer none rt soo";

/// Members of VMware NSX that are not secret: modes of a load balancer, the cookie that a rule compares, and ids.
const OF_MANAGER: &str = "client_auth cookie_value ipsec_vpn_session_id l2vpn_session_id live_trace_session_id \
    mirror_session_id server_auth";

/// Members of the manager's objects that name or describe the object, and no value beside them.
const OF_OBJECTS: &str = "description display_name id";

/// Members with rules that find secrets in traffic, as the manager and as functions name them. Source: the VMware NSX REST
/// API, `IdsCustomSignature`.
const RULES: [&str; 2] = ["original_signature", "originalSignature"];

/// Removes what is secret, at any depth.
pub fn remove(value: &mut Value) {
    redact(value);
    remove_redacted(value);
}

/// Replaces what is secret, at any depth. The structure stays.
pub fn redact(value: &mut Value) {
    redact_below("", value);
}

/// Replaces what is secret in the member `owner`.
fn redact_below(owner: &str, value: &mut Value) {
    match value {
        Value::Object(members) => {
            // Written objects can lack a type; the PEM of a certificate is no secret value.
            let is_object = ["path", "pem_encoded", "resource_type"]
                .iter()
                .any(|name| members.contains_key(*name));
            let is_label = |name: &str| {
                is_last(&words(name), LABELS) && !(is_object && OF_OBJECTS.split(' ').any(|own| own == name))
            };
            let is_pair = members.iter().any(|(name, value)| {
                is_label(name) && value.as_str().is_some_and(|name| secrecy(name).is_some())
            });
            let is_jwk = members.get("kty").is_some_and(Value::is_string);
            let has_value = members.keys().any(|name| is_value(name));
            // The key of `api`, unless it is the name of a value, and the private half of a pair.
            let is_key_of_owner = |name: &str| match name.to_lowercase().as_str() {
                "key" | "keys" => !has_value && secrecy(&format!("{owner}_key")).is_some(),
                "private" => is_last(&words(owner), KEY_PAIRS),
                _ => false,
            };
            for (name, member) in &mut *members {
                match secrecy(name) {
                    _ if is_pair && (name == "tag" || is_value(name)) => hide(member, true),
                    _ if is_jwk && PRIVATE_OF_JWK.split(' ').any(|private| private == name) => {
                        hide(member, true);
                    }
                    None if is_text(member) && is_key_of_owner(name) => hide(member, true),
                    Some(Secrecy::Whole { is_plural }) => hide(member, !is_plural),
                    Some(Secrecy::Texts) if member.is_number() && !name.ends_with('s') => hide(member, true),
                    Some(Secrecy::Texts) => hide_texts(member, is_of_communities(name)),
                    None if is_rule(name, member) => {}
                    None => redact_below(name, member),
                }
            }
            hide_names(members);
        }
        Value::Array(items) => {
            // The lines of a key can be separate items, and so can a flag and its value.
            let (mut is_in_key, mut is_after_flag) = (false, false);
            for item in items.iter_mut() {
                let text = item.as_str().unwrap_or_default();
                let ends = ends_private_key(text);
                let is_flag = text.starts_with('-') && !text.contains(['=', ' ']) && secrecy(text).is_some();
                is_in_key |= begins_private_key(text);
                match (is_in_key || is_after_flag, &mut *item) {
                    (true, item) => hide(item, true),
                    (_, Value::Array(pair)) if is_pair(pair) => hide(&mut pair[1], true),
                    (_, item) => redact_below(owner, item),
                }
                (is_in_key, is_after_flag) = (is_in_key && !ends, is_flag);
            }
        }
        Value::String(text) if is_secret_below(owner, text) => *value = REDACTED.into(),
        _ => {}
    }
}

/// Whether the text of the member `owner`, which can be the name of an object, contains a secret.
fn is_secret_below(owner: &str, text: &str) -> bool {
    match ["displayName", "display_name", "id", "name"].contains(&owner) {
        true => is_secret_in_name(text),
        false => is_secret_text(text),
    }
}

/// Whether a member of this name is the value of the name beside it: `value`, `value_list`.
fn is_value(name: &str) -> bool {
    let mut words = words(name);
    words.truncate(words.len() - usize::from(words.len() > 1 && is_last(&words, LISTS)));
    is_last(&words, VALUES)
}

/// Whether a value is a text or a list of texts.
fn is_text(value: &Value) -> bool {
    value.is_string()
        || value
            .as_array()
            .is_some_and(|items| items.iter().all(Value::is_string))
}

/// Whether a list is a secret name and its value.
fn is_pair(items: &[Value]) -> bool {
    items.len() == 2 && items[0].as_str().is_some_and(|name| secrecy(name).is_some())
}

/// Replaces texts that contain secrets in the output `name` of a function. Names of outputs are not secret.
pub fn redact_texts(name: &str, output: &mut Value) {
    match output {
        // A tag. Its scope can be a secret name.
        Value::Object(members) if members.contains_key("scope") => redact(output),
        Value::Object(members) => {
            members
                .iter_mut()
                .for_each(|(name, member)| redact_texts(name, member));
            hide_names(members);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact_texts(name, item)),
        text if is_rule(name, text) => {}
        text => redact_below(name, text),
    }
}

/// Whether a member is a rule that finds secrets in traffic.
fn is_rule(name: &str, member: &Value) -> bool {
    RULES.contains(&name) && member.is_string()
}

/// Replaces the names in a map that contain secrets. They can be names of objects, or addresses.
fn hide_names(members: &mut Map<String, Value>) {
    let is_prose = |name: &str| name.contains(|letter: char| !letter.is_alphanumeric() && letter != '_');
    // `bearer token` is the name of a secret, and contains none.
    let is_label = |name: &str| {
        secrecy(name).is_some() && words(name).len() < 3 && !name.contains(['%', '/', ':', '=', '@'])
    };
    let is_secret = |name: &str| is_prose(name) && is_secret_text(name) && !is_label(name);
    if members.keys().any(|name| is_secret(name)) {
        let all = std::mem::take(members).into_iter().enumerate();
        members.extend(all.map(|(index, (name, value))| match is_secret(&name) {
            true => (format!("{REDACTED} {}", index + 1), value),
            false => (name, value),
        }));
    }
}

/// Whether a member of this name, or the tag of this scope, is secret.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    secrecy(name).is_some()
}

/// `text`, such as the name of an object, or a placeholder if it contains a secret.
#[must_use]
pub fn redacted(text: &str) -> &str {
    if is_secret_in_name(text) { REDACTED } else { text }
}

/// Sanitizes `text` like [`Secrets::sanitized_within`]. What is secret, although it is not one of `secrets`, is replaced too:
/// members in JSON, otherwise the text as a whole. Only its beginning is examined, because no more is shown.
#[must_use]
pub fn sanitized_within(secrets: &Secrets, text: &str, limit: usize) -> String {
    let examined = &text[..text.floor_char_boundary_at(EXAMINED)];
    if limit == 0 || !is_secret_text(examined) {
        return secrets.sanitized_within(text, limit);
    }
    let mut text = match examined.len() < text.len() {
        true => REDACTED.to_owned(),
        false => secrets.redacted(text),
    };
    if is_secret_text(&text.replace(REDACTED, "")) {
        let value = serde_json::from_str(&text).ok().filter(Value::is_object);
        text = value.map_or(REDACTED.to_owned(), |mut value| {
            redact(&mut value);
            value.to_string()
        });
    }
    secrets.sanitized_within(&text, limit)
}

/// How a member with a secret name is secret.
#[derive(Debug, PartialEq, Eq)]
enum Secrecy {
    /// Everything in it. The number of a plural is a count.
    Whole { is_plural: bool },
    /// Its texts, and the texts of its members that do not name the user.
    Texts,
}

/// Whether a name is secret, and how. Case, separators, digits and the plural make no difference. `password_of_root` is a
/// password.
fn secrecy(name: &str) -> Option<Secrecy> {
    match OF_MANAGER.split_whitespace().any(|known| known == name) {
        true => None,
        false => secrecy_of(words(name)),
    }
}

fn secrecy_of(mut words: Vec<String>) -> Option<Secrecy> {
    if words
        .first()
        .is_some_and(|first| ["has", "is"].contains(&first.as_str()))
    {
        return None;
    }
    let owner = words
        .iter()
        .position(|word| ["for", "of"].contains(&word.as_str()));
    if let Some(secrecy) = owner.and_then(|owner| secrecy_of(words[..owner].to_vec())) {
        return Some(secrecy);
    }
    let owners = words.iter().skip(1).map(|word| known_form(word, OWNERS));
    if let Some(mut owners) = owners
        .collect::<Option<Vec<_>>>()
        .filter(|owners| !owners.is_empty())
    {
        owners.push(words.swap_remove(0));
        words = owners;
    }
    let is_list = words.len() > 1 && is_last(&words, LISTS);
    words.truncate(words.len() - usize::from(is_list));
    let is_short = |words: &[String]| {
        let two = [words[words.len().saturating_sub(2)..].concat()];
        is_last(words, SHORT_SECRETS) || is_last(&two, SHORT_SECRETS)
    };
    let mut is_word = is_short(&words);
    while words.len() > 1 && is_last(&words, VALUES) {
        words.pop();
        is_word |= is_short(&words);
    }
    let joined = words.concat();
    let forms = singulars(&joined);
    let ends_with = |secrets: &str| {
        forms
            .iter()
            .any(|form| secrets.split(' ').any(|end| form.ends_with(end)))
    };
    let is_key = || {
        let mut kinds = forms.iter().filter_map(|form| form.strip_suffix("key"));
        kinds.any(|kind| KEYS.split(' ').any(|secret| kind.ends_with(secret)))
    };
    if ends_with(CREDENTIALS) || is_last(&words, SHORT_CREDENTIALS) {
        // A list of communities has rules.
        return (!is_list).then_some(Secrecy::Texts);
    }
    let is_whole = ends_with(SECRETS) && !ends_with(NO_SECRETS) || is_key() || is_word;
    is_whole.then(|| Secrecy::Whole {
        is_plural: is_list || joined.ends_with('s') && !joined.ends_with("ss"),
    })
}

/// The words of a name in small letters, without digits.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let mut words = vec![String::new()];
    for (index, letter) in letters.iter().enumerate() {
        let is_small = |index: usize| letters.get(index).is_some_and(|letter| letter.is_lowercase());
        let begins = letter.is_uppercase() && index > 0 && (is_small(index - 1) || is_small(index + 1));
        if begins || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            words
                .last_mut()
                .expect("there is one")
                .extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether the last word, or its singular, is one of `known`.
fn is_last(words: &[String], known: &str) -> bool {
    words.last().is_some_and(|word| known_form(word, known).is_some())
}

/// The form of a word, which may be a plural, that is one of `known`.
fn known_form(word: &str, known: &str) -> Option<String> {
    let mut forms = singulars(word).into_iter();
    forms.find(|form| known.split(' ').any(|word| word == form))
}

/// A word and what it can be the plural of.
fn singulars(word: &str) -> Vec<String> {
    let of_y = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let of_s = word.strip_suffix('s').map(str::to_owned);
    let of_es = word.strip_suffix("es").map(str::to_owned);
    [Some(word.to_owned()), of_s, of_es, of_y]
        .into_iter()
        .flatten()
        .collect()
}

/// Replaces a value, unless it can be no secret.
fn hide(value: &mut Value, hides_numbers: bool) {
    let is_harmless = match &*value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(_) => !hides_numbers,
        Value::String(text) => ["", "true", "false"].contains(&text.as_str()),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
    };
    if !is_harmless {
        *value = REDACTED.into();
    }
}

/// Replaces the texts of a member with credentials. The name of a community is the community.
fn hide_texts(value: &mut Value, is_community: bool) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let is_own_name = is_community && ["id", "name"].contains(&name.as_str());
                match secrecy(name) {
                    None if is_last(&words(name), HARMLESS) && !is_own_name => redact(member),
                    Some(Secrecy::Whole { is_plural }) => hide(member, !is_plural),
                    _ => hide_texts(member, is_community),
                }
            }
        }
        Value::Array(items) if !items.iter().any(|item| is_hidden_text(item, is_community)) => {
            items.iter_mut().for_each(|item| hide_texts(item, is_community));
        }
        Value::Array(_) => hide(value, true),
        text if is_hidden_text(text, is_community) => hide(text, true),
        _ => {}
    }
}

/// Whether a member with this name can have communities of BGP: SNMP also has communities, which are passwords.
fn is_of_communities(name: &str) -> bool {
    is_last(&words(name), "community")
}

/// Whether a value is a text, and not communities of BGP.
fn is_hidden_text(value: &Value, is_community: bool) -> bool {
    let Value::String(text) = value else { return false };
    !is_community || !is_bgp_community(text)
}

/// Whether a text is communities of BGP, which mark routes, or a pattern for them: `65001:100 65001:*`, `NO_EXPORT`.
fn is_bgp_community(text: &str) -> bool {
    let is_word = |text: &str| {
        let word = text.to_lowercase().replace('_', "-");
        COMMUNITIES.split(' ').any(|known| known == word)
    };
    let is_number = |part: &str| {
        let mut letters = part.chars();
        letters.all(|letter| letter.is_ascii_digit() || "*.^$[]()+-|_?\\".contains(letter)) || is_word(part)
    };
    let is_one = |community: &str| {
        community.contains(':') && community.split(':').all(is_number) || is_word(community)
    };
    let all = text.split(|letter: char| letter == ',' || letter.is_whitespace());
    all.filter(|community| !community.is_empty()).all(is_one)
}

/// Removes members and items that were replaced.
fn remove_redacted(value: &mut Value) {
    let is_kept = |value: &Value| value != REDACTED;
    match value {
        Value::Object(members) => {
            members.retain(|_, member| is_kept(member));
            members.values_mut().for_each(remove_redacted);
        }
        Value::Array(items) => {
            items.retain(is_kept);
            items.iter_mut().for_each(remove_redacted);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
