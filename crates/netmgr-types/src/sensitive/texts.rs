//! Texts that contain a key, a password or a token. A text with a secret is secret as a whole.
//!
//! Secrets are recognized by their form: a key, a token, a login, and a value that an `=`, a colon or a flag assigns to a
//! secret name. Sentences and commands of particular programs are not understood: a rule for them would hide the names of
//! objects, such as `auth server-1`.

use std::sync::OnceLock;

use regex::{Captures, Regex};
use serde_json::Value;

use super::{OWNERS, is_bgp_community, is_of_communities, redact, secrecy};
use crate::PolicyPath;

/// A regular expression that is compiled and searched for only in texts with one of its signs. Most texts are names, ids and
/// paths, which have few signs.
struct Pattern {
    /// Characters of which each match has at least one. The space stands for all white space. Empty if there are none.
    signs: &'static str,
    /// Its classes are restricted to ASCII: the tables of Unicode cost memory, and time in the first search.
    expression: &'static str,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    const fn new(signs: &'static str, expression: &'static str) -> Self {
        let compiled = OnceLock::new();
        Self {
            signs,
            expression,
            compiled,
        }
    }

    /// The compiled expression, unless it cannot match `text`.
    fn regex(&self, text: &str) -> Option<&Regex> {
        let is_sign = |byte: u8| {
            let byte = if matches!(byte, b'\t'..=b'\r') { b' ' } else { byte };
            self.signs.as_bytes().contains(&byte)
        };
        let may_match = self.signs.is_empty() || text.bytes().any(is_sign);
        may_match.then(|| self.compiled.get_or_init(|| self.compile()))
    }

    fn compile(&self) -> Regex {
        let classes = [
            // Letters of names. Letters beyond ASCII are one range, without a table. Not for patterns that ignore case,
            // because folding the range takes long.
            (r"\pL", r"A-Za-z\x{80}-\x{10FFFF}"),
            (r"\w", "[0-9A-Za-z_]"),
            (r"\d", "[0-9]"),
            (r"\s", r"[\t-\r\x20]"),
            (r"\S", r"[^\t-\r\x20]"),
            (r"\b", r"(?-u:\b)"),
        ];
        let ascii = classes
            .iter()
            .fold(self.expression.to_owned(), |text, (class, ascii)| {
                text.replace(class, ascii)
            });
        Regex::new(&ascii).expect("the expression is constant")
    }

    fn is_match(&self, text: &str) -> bool {
        self.regex(text).is_some_and(|regex| regex.is_match(text))
    }

    fn captures<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        let regex = self.regex(text).into_iter();
        regex.flat_map(move |regex| regex.captures_iter(text))
    }
}

/// `user:password@` in a URL. A password may contain slashes, a port is a number.
static URL: Pattern = Pattern::new(
    "@",
    r"//[^\s/?#:\[]*(?::|%3[Aa])(?:[^\s/?#]*|\d*[^\s@\d/?#][^\s@/?#]*[/?#][^\s@]*)@",
);
/// The same, percent-encoded.
static ENCODED_URL: Pattern = Pattern::new("%", r"(?://|%2[Ff]%2[Ff])[^\s/?#@:%]*%3[Aa]\S*%40");
/// `user:password@host`. A user of VMware can itself have an `@`.
static ADDRESS: Pattern = Pattern::new(
    "@",
    r#"(?:^|[\s<=,;"'(\[{|`])([^\s:/<=,;"'(\[{|`]+):([^\s@/][^\s@]*)@(localhost|\[[^\s\]]+\]|[\w-]+(?:\.[\w-]+)+|[\w-]+:\d+)\.?(?:[:/,;\s>)"'\]}|`?!]|$)"#,
);
/// Words before an address with a user and no password.
const OF_USERS: &str = "acct author by contact e-mail email from mail mailto owner sip sips team to xmpp";
/// A word for a kind of login, and the next word.
static LOGIN: Pattern = Pattern::new(
    " :=+%",
    r#"(?i)(?:\b|%20)(bearer|basic)(?:[\s:=+]|%20)+["']?([^\s"',;]+)"#,
);
/// A header with a login: its first words.
static HEADER: Pattern = Pattern::new(
    ":=",
    r#"(?i)\bauthorization["']?\s*[:=]\s*["']?([^\s"']+)["']?(?:\s+["']?([^\s"']+))?"#,
);
/// Words for a kind of login in a header, before the login itself.
const SCHEMES: &str = "apikey basic bearer digest key negotiate ntlm oauth token";
/// A name and its value in a list, such as a query string or a part of JSON.
static PAIR: Pattern = Pattern::new(
    "=%:",
    r#"([\pL][\pL\w.-]*)(?:(?:\\?["']|&quot;)?\s*(?:=|%3[AaDd])|(?:\\?["']|&quot;)\s*:)\s*(?:\\?["']|&quot;)?([^\s;,&"'<\\]+)"#,
);
/// A name and its value in an element of XML.
static ELEMENT: Pattern = Pattern::new(
    "<",
    r#"<(?:[\w.-]+:)?([\pL][\pL\w.-]*)(?:\s[^<>]*)?>\s*([^\s;,&"'<\\]+)"#,
);
/// A name and its value after a colon, which begin a line or an item, or follow a quote as headers do.
static ITEM: Pattern = Pattern::new(
    ":",
    r#"(?m)(?:^[\s"'-]*|[,;(\[{|"']\s*)([\pL][\pL\w.-]*)["']?\s*:\s*["']?([^\s"',;]+)"#,
);
/// A name of several words and its value on a line of its own, which may end with a comment. The wide colon is common in
/// Chinese and Japanese.
static LINE: Pattern = Pattern::new(
    ":：",
    r#"(?m)^[\s"'-]*([\pL][\pL\w. -]*?)["']?\s*(?:\([^)]*\)\s*)?[:：]\s*(\S+)\s*(?:\s#.*)?$"#,
);
/// A flag and its value: `--password x`, `/pass:x`.
static FLAG: Pattern = Pattern::new(" ", r"(?:^|\s)--?([\pL][\pL\w-]*)\s+([^\s-]\S*)");
/// The same, as programs of Windows write it.
static SLASHED: Pattern = Pattern::new(":", r"(?:^|\s)/([\pL][\pL\w-]*):([^\s-]\S*)");
/// A secret in the address of a webhook, or the signature of an address that anyone may use.
static CAPABILITY: Pattern = Pattern::new(
    "/?",
    r"(?ix)
        \bhooks?\.[\w.-]+/\w+/\S
        | \boffice(?:365)?\.com/webhook\w*/\S
        | \bdiscord(?:app)?\.com/api/webhooks/\S
        | \bapi\.telegram\.org/(?:file/)?bot\d+:\S
        | \bpagerduty\.com/integration/\S
        | \bopen-apis/bot/v\d/hook/\S
        | /webhook/send\?key=[^&\s]
        | \bifttt\.com/\S*/with/key/\S
        | [\w-](?:\.[\w-]+|:\d+)+/(?:[^\s?\#]*/)?(?:web-?)?hooks?/(?:[\w-]+/)*[\w-]{20}
        | //[0-9a-f]{32}@
        | [?&](?:[\w-]*-)?sig(?:nature)?=[^&\s]",
);
/// A name and its value after a colon within a line: `log in with password: x`.
static INLINE: Pattern = Pattern::new(
    ":",
    r#"\b((?:[\pL][\pL\w-]*\s+)?[\pL][\pL\w-]*)\s*:\s+([^\s(]\S*)"#,
);
/// Words in the place of a value, or that continue a sentence about a flag.
const NO_VALUES: &str = "and aucun aucune disabled enabled false geen has in is keine keiner keins must nicht ninguna ninguno no none not null off \
     on or siehe true undefined voir yes zie";
/// Words beside the name of a secret in a sentence or a setting that describe it.
const DESCRIPTIONS: &str = "absent ask auth authentication case-sensitive changed correct different empty encrypted expired \
    forgotten header hidden invalid kept known long mandatory masked missing n/a never new optional redacted required revoked \
    rotated same see set short stale stored strong token too unchanged unknown unset valid weak wrong";
/// Words with which messages about a secret begin: `PSK: length must be at least 8`.
const SUBJECTS: &str = "audience json length line signature size type value yaml";
/// Methods that a number can follow: `ikev2`, `aes-256`.
const METHODS: &str = "aes group ike ikev md oauth sha tls v wpa";
/// Text in the place of a secret: `***`, `<password>`, `${PASSWORD}`.
static PLACEHOLDER: Pattern = Pattern::new(
    "",
    r"^(?:[*.-]+|[xX]{3,}|\$\{.*|\$[A-Z][A-Z_]+|\{\{.*|<[\w -]*>?|\[\w+\]|%\w+%)$",
);
/// A name as the value of a member, and the value in the next member.
static LABELLED: Pattern = Pattern::new(
    ":=>",
    r#"(?i)(?:name|key)\\?["']?\s*[:=>]\s*\\?["']?([a-z][\w.-]*)\\?["']?(?:</\w+>)?[,;\s]+\\?["'<]?(?:value|string)\b"#,
);
/// A JSON Web Token (RFC 7519), a token whose beginning names its service, or a hash of a password (crypt(5)).
static TOKEN: Pattern = Pattern::new(
    "",
    r"\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+|\b(?:AGE-SECRET-KEY-1|ATATT3x|dckr_pat_|do[opr]_v1_|gh[oprsu]_|github_pat_|gl(?:dt|pat|ptt|rt|sa|soat)-|glsa_|hv[bs]\.|nvapi-|NRAK-|GOCSPX-|PMAK-|HRKU-|pypi-A|[rs]k_(?:live|test)_|shp(?:at|ca|pa|ss)_|tskey-|whsec_|xox[abeprs]-|ya29\.)[\w-]{16}|\b(?:hf_|npm_|sk-)[A-Za-z0-9]{30}|\bsk-(?:ant|proj)-[\w-]{40}|\bSG\.[\w-]{22}\.[\w-]{43}|\bpul-[0-9a-f]{40}|\bdapi[0-9a-f]{32}|\.atlasv1\.[\w-]{40}|\bxapp-\d-\w+-\d+-[0-9a-f]|\bAIza[\w-]{30}|\b1//0[\w-]{20}|\$(?:1|2[abxy]|5|6|apr1|y|argon2\w*)\$\S{8}",
);
/// The beginning of a private key in PEM, and its end.
static KEY: Pattern = Pattern::new(
    "-",
    r"(?i)----(?:[\s+]|%20)*BEGIN(?:[\w +]|%20)*PRIVATE(?:[ +]|%20)KEY|^PuTTY-User-Key-File-",
);
static KEY_END: Pattern = Pattern::new(
    "-",
    r"(?i)-----(?:[\s+]|%20)*END(?:[\w +]|%20)*PRIVATE(?:[ +]|%20)KEY",
);
/// Whether `text` contains a secret.
pub(super) fn is_secret_text(text: &str) -> bool {
    is_only_login(text) || is_secret_in_name(text)
}

/// Whether `text`, which can be the name of an object such as `Basic Policy-1`, contains a secret.
pub(super) fn is_secret_in_name(text: &str) -> bool {
    // The id of an object is not secret, even if it looks like a secret. With a blank, the path can begin a sentence.
    if PolicyPath::is_begun_by(text) && !text.contains(' ') && PolicyPath::parse(text).is_ok() {
        return false;
    }
    let gives = |patterns: &[&Pattern], is_harmless: fn(&str) -> bool| {
        let mut pairs = patterns.iter().flat_map(|pattern| pattern.captures(text));
        pairs.any(|found| is_given(&found[1], &found[2], is_harmless) && !is_message(text, &found))
    };
    begins_private_key(text)
        || URL.is_match(text)
        || ENCODED_URL.is_match(text)
        || ADDRESS.captures(text).any(|found| is_user_and_password(&found[1], &found[2], &found[3]))
        || HEADER.captures(text).any(|found| is_header(&found[1], found.get(2).map(|next| next.as_str())))
        || LOGIN.captures(text).any(|found| is_login(text, &found[1], &found[2]))
        || [&TOKEN, &CAPABILITY].iter().any(|pattern| pattern.is_match(text))
        // A value can be any word; beside a colon, it can also describe the secret.
        || gives(&[&PAIR, &ELEMENT, &FLAG, &SLASHED], is_no_value)
        || gives(&[&ITEM, &LINE], is_description)
        || INLINE.captures(text).any(|found| {
            let is_secret = is_given(&found[1], &found[2], is_description) && is_stated(text, &found[2]);
            is_secret && !is_message(text, &found)
        })
        || LABELLED.captures(text).any(|found| secrecy(&found[1]).is_some())
        || is_secret_json(text)
        || text.split(|letter| !is_base64(letter)).any(|run| run.len() >= 24 && is_encoded_key(run))
        // Base64 can be wrapped.
        || text.contains('\n') && is_encoded_key(&text.replace(char::is_whitespace, ""))
}

/// Whether a private key in PEM begins in `text`.
pub(super) fn begins_private_key(text: &str) -> bool {
    KEY.is_match(text)
}

/// Whether a private key in PEM ends in `text`.
pub(super) fn ends_private_key(text: &str) -> bool {
    KEY_END.is_match(text)
}

/// Whether a user and what follows its colon are a login, and not a host with its port, or a word before an address of
/// mail.
fn is_user_and_password(user: &str, password: &str, host: &str) -> bool {
    let is_host = user.contains('.') && !user.contains('@');
    let is_number = password.bytes().all(|digit| digit.is_ascii_digit());
    let is_port = is_number && (is_host || password.len() <= 3);
    let is_person = password
        .bytes()
        .all(|letter| letter.is_ascii_lowercase() || b"._-".contains(&letter));
    let is_domain = host.contains('.') && host.ends_with(|letter: char| letter.is_ascii_alphabetic());
    let user = user.to_lowercase();
    let is_mail = is_person && is_domain && !is_one_of(&user, OWNERS);
    !is_port && !is_mail && !is_one_of(&user, OF_USERS)
}

/// Whether `text` is only the kind of a login and its secret: `Basic x1`.
fn is_only_login(text: &str) -> bool {
    let is_alone = text.split_whitespace().take(3).count() == 2;
    is_alone
        && LOGIN.captures(text).any(|found| {
            let is_bearer = found[1].eq_ignore_ascii_case("bearer");
            is_bearer && !is_challenge(&found[2]) || found[2].len() >= 8 && !is_word(&found[2])
        })
}

/// Whether `next` after the kind of a login is its secret, and not the next word of a sentence.
fn is_login(text: &str, kind: &str, next: &str) -> bool {
    let word = next.trim_end_matches(|letter: char| letter.is_ascii_punctuation() && letter != '=');
    let is_alone = text.split_whitespace().take(3).count() == 2;
    let is_name_and_password = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes);
        text.is_ok_and(|text| text.contains(':') && !text.contains(char::is_control))
    };
    match kind.eq_ignore_ascii_case("bearer") {
        true => !is_challenge(next) && (word.len() >= 16 || !is_alone && !is_word(word)),
        false => is_name_and_password(decoded(next)),
    }
}

/// Whether the word after `Bearer` begins what a server wants, which is no login.
fn is_challenge(next: &str) -> bool {
    next.ends_with('=') && CHALLENGES.contains(&next.trim_end_matches('='))
}

/// Parameters of a challenge, which is what a server wants and no login (RFC 6750, section 3).
const CHALLENGES: [&str; 5] = ["error", "error_description", "error_uri", "realm", "scope"];

/// Whether the first words of a header are a login.
fn is_header(first: &str, second: Option<&str>) -> bool {
    let scheme = first.to_lowercase();
    match is_one_of(&scheme, SCHEMES) {
        true => second.is_some_and(|login| !is_description(login)),
        false => !is_word(first) && !is_description(first),
    }
}

/// Whether `name` is the name of a secret and `value` is the secret.
fn is_given(name: &str, value: &str, is_harmless: fn(&str) -> bool) -> bool {
    // `auth: ldap` names a method, and headers have patterns of their own.
    let is_method = || is_word(value) && name.to_lowercase().ends_with("auth");
    let is_header = || name.to_lowercase().ends_with("authorization");
    let is_number = || value.bytes().all(|digit| digit.is_ascii_digit());
    match secrecy(name) {
        None => false,
        Some(_) if name.to_lowercase().ends_with("tokens") && is_number() => false,
        Some(_) if is_of_communities(name) && is_bgp_community(value) => false,
        Some(_) => !is_harmless(value) && !is_method() && !is_header(),
    }
}

/// Whether `text` is a word without digits and signs, which few secrets are.
fn is_word(text: &str) -> bool {
    let word = text.trim_end_matches([',', '.', ';', ')', '"', '\'']);
    let is_capital = word.chars().all(char::is_uppercase);
    let mut rest = word.chars().skip(1);
    word.starts_with(char::is_alphabetic)
        && (is_capital || rest.all(|letter| letter.is_lowercase() || letter == '-'))
}

/// Whether `text` in the place of a value is none.
fn is_no_value(text: &str) -> bool {
    is_one_of(&word(text).to_lowercase(), NO_VALUES) || PLACEHOLDER.is_match(text)
}

/// Whether `text` beside the name of a secret describes the secret or stands in its place.
fn is_description(text: &str) -> bool {
    let lower = word(text).to_lowercase();
    let method = lower.trim_end_matches(|letter: char| letter.is_ascii_digit() || ".-".contains(letter));
    is_one_of(&lower, DESCRIPTIONS)
        || method.len() < lower.len() && is_one_of(method, METHODS)
        || is_no_value(text)
}

/// Whether `next` after `password:` within a line is the password, and not a word that describes it.
fn is_stated(text: &str, next: &str) -> bool {
    let word = word(next);
    if word.is_empty() || word.to_lowercase().ends_with("ed") {
        return false;
    }
    let is_word = word.chars().all(|letter| letter.is_lowercase() || letter == '-');
    !is_word || text.trim_end().ends_with(next)
}

/// Whether the word in the place of a value begins a message about the secret.
fn is_message(text: &str, found: &Captures<'_>) -> bool {
    let (name, value) = (found.get(1).expect("a name"), found.get(2).expect("a value"));
    let between = &text[name.end()..value.start()];
    let is_after_colon = between.ends_with(": ") && !between.contains(['=', '%', '>']);
    let subject = value.as_str().trim_end_matches(':').to_lowercase();
    is_after_colon && is_one_of(&subject, SUBJECTS) && text[value.end()..].starts_with(' ')
}

/// `text` without the punctuation after it.
fn word(text: &str) -> &str {
    text.trim_end_matches(|letter: char| ".,;!?)]}\"'`".contains(letter))
}

fn is_one_of(word: &str, known: &str) -> bool {
    known.split_whitespace().any(|known| known == word)
}

/// Whether `text` is JSON that contains a secret.
fn is_secret_json(text: &str) -> bool {
    let parsed = text
        .trim_start()
        .starts_with(['{', '['])
        .then(|| serde_json::from_str(text));
    parsed.and_then(Result::ok).is_some_and(|value: Value| {
        let mut redacted = value.clone();
        redact(&mut redacted);
        redacted != value
    })
}

/// Whether `text` is a private key in Base64: of PEM, of OpenSSH, or of DER, which begins with its version or, if the key
/// is encrypted, with the method. Sources: RFC 5208, RFC 5915, RFC 7292, RFC 8017 and RFC 8018.
fn is_encoded_key(text: &str) -> bool {
    const ENCRYPTED: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05];
    let bytes = decoded(text);
    let content = match bytes.as_slice() {
        [0x30, 0x82, _, _, content @ ..] | [0x30, 0x81, _, content @ ..] | [0x30, _, content @ ..] => content,
        other => other,
    };
    let is_encrypted = || {
        content
            .windows(ENCRYPTED.len())
            .take(16)
            .any(|part| part == ENCRYPTED)
    };
    begins_private_key(&String::from_utf8_lossy(&bytes))
        || bytes.starts_with(b"openssh-key-v1")
        || bytes.starts_with(&[0x30]) && (matches!(content, [2, 1, 0 | 1 | 3, ..]) || is_encrypted())
}

/// Whether a character is one of Base64 in either alphabet.
fn is_base64(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "+/_-".contains(letter)
}

/// The bytes of Base64 in either alphabet, up to the first other letter.
fn decoded(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len() * 3 / 4), 0_u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    bytes
}
