//! Texts that contain a key, a password or a token. A text with a secret is secret as a whole.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::{redact, secrecy};

/// Compiles a pattern. Its classes are those of ASCII: the tables of Unicode cost memory, and time in the first search.
fn pattern(pattern: &str) -> Regex {
    let classes = [
        (r"\w", "[0-9A-Za-z_]"),
        (r"\d", "[0-9]"),
        (r"\s", r"[\t-\r\x20]"),
        (r"\S", r"[^\t-\r\x20]"),
        (r"\b", r"(?-u:\b)"),
    ];
    let ascii = classes
        .iter()
        .fold(pattern.to_owned(), |pattern, (class, ascii)| {
            pattern.replace(class, ascii)
        });
    Regex::new(&ascii).expect("the pattern is constant")
}

/// `user:password@` in a URL. A password may contain slashes, a port is a number.
static URL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"//[^\s/?#@:\[]*:(?:[^\s/?#]*|\d*[^\s@\d/?#][^\s@/?#]*[/?#][^\s@]*)@"));
/// The same, percent-encoded.
static ENCODED_URL: LazyLock<Regex> = LazyLock::new(|| pattern(r"%2[Ff]%2[Ff][^\s/?#@:%]*%3[Aa]\S*%40"));
/// `user:password@host`.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^([^\s:@/]+):[^\s@/][^\s@]*@(?:localhost|\[[^\s\]]+\]|[\w-]+(?:\.[\w-]+)+|[\w-]+:\d+)(?:[:/]\S*)?$",
    )
});
/// Schemes of addresses with a user and no password.
const OF_USERS: [&str; 5] = ["acct", "mailto", "sip", "sips", "xmpp"];
/// A word for a kind of login, and the next word.
static LOGIN: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?i)\b(bearer|basic)[\s:=]+["']?([^\s"',;]+)"#));
/// A header with a login: its first words.
static HEADER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?i)\bauthorization["']?\s*[:=]\s*["']?([^\s"']+)["']?(?:\s+["']?([^\s"']+))?"#)
});
/// Words for a kind of login in a header, before the login itself.
const SCHEMES: &str = "apikey basic bearer digest key negotiate ntlm oauth token";
/// A name and its value in a list, such as a query string, a part of JSON or an element of XML.
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"([A-Za-z][\w.-]*)(?:(?:\s[^<>]*=[^<>]*)?>|(?:\\?["']|&quot;)?\s*(?:=|%3[AaDd])|(?:\\?["']|&quot;)\s*:)\s*(?:\\?["']|&quot;)?([^\s;,&"'<\\]+)"#,
    )
});
/// A name and its value after a colon, which begin a line or an item, or follow a quote as headers do.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?m)(?:^[\s"'-]*|[,;(\[{|"']\s*)([A-Za-z][\w.-]*)["']?\s*:\s*["']?([^\s"',;]+)"#)
});
/// A name of several words and its value on a line of its own, which may end with a comment.
static LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?m)^[\s"'-]*([A-Za-z][\w. -]*?)["']?\s*:\s*(\S+)\s*(?:\s#.*)?$"#));
/// A flag and its value.
static FLAG: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|\s)[-/]-?([A-Za-z][\w-]*)(?:\s+|:)([^\s-]\S*)"));
/// A login or a password as an argument of a program, or as a flag with a short name.
static ARGUMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?x)
        \b(?:curl|govc)\s(?:.*\s)?(?:-[A-Za-z]*[uU]|--(?:proxy-)?user)[\s=]*["']?[^\s:"']*:[^\s"']
        | \bhttps?\s(?:.*\s)?(?:-a|--auth)[\s=]*["']?[^\s:"']*:[^\s"']
        | \blftp\s(?:.*\s)?-u\s*["']?[^\s,"']+,[^\s"']
        | \b(?:mysql\w*|mariadb\S*|7z\w*|rar|unrar)\s(?:.*\s)?-p["']?[^\s"']
        | \b(?:sshpass|(?i:psexec)\S*|mongo\w*|rdesktop|racadm|user(?:add|mod)
            |(?:docker|podman|nerdctl|buildah|skopeo|crane|helm\s+registry|az|oc)\s+login)\s(?:.*\s)?-p[\s=]*["']?[^\s"'-]
        | \b(?:ipmitool|sqlcmd|osql|isql|bcp|zip|unzip)\s(?:.*\s)?-P[\s=]*["']?[^\s"'-]
        | \bldap\w+\s(?:.*\s)?-w[\s=]*["']?[^\s"'-]
        | \bredis-cli\s(?:.*\s)?-a[\s=]*["']?[^\s"'-]
        | \bsnmp[a-z]+\s(?:.*\s)?-[cAX][\s=]*["']?[^\s"'-]
        | \bopenssl\s(?:.*\s)?(?:enc\s(?:.*\s)?-k\s+|-pass(?:in|out)?\s+pass:)[^\s-]
        | \bsmb\w+\s(?:.*\s)?-U\s*[^\s%]+%\S
        | \bxfreerdp\S*\s(?:.*\s)?/p:\S
        | \bschtasks\S*\s(?:.*\s)?/rp\s+\S
        | \bnet\s+use\s(?:.*\s)?/u(?:ser)?:
        | \bnet\s+user\s+[^\s/]+\s+[^\s/]
        | \bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+\S
        | \bsqlplus\s+(?:-\w+\s+)*[^\s/]+/[^\s@]
        | \bwpa_passphrase\s+\S+\s+\S
        | \becho\s+\S+\s*\|\s*(?:sudo\s+)?(?:passwd|chpasswd)\b
        | \bvault\s+login\s+[^\s=-]+$"#,
    )
});
/// A password or a community in a command of a network device, or a login in a file for `ftp`.
static DEVICE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?im)\b(?:snmp-(?:server|agent)|set snmp)\s(?:.*\s)?community\s+\S|\b(?:tacacs|radius)-server\s(?:.*\s)?key\s+\S|\bkey-string\s+\S|\bisakmp\s+key\s+\S|\b(?:ospf|ntp)\s+(?:authentication|message-digest)-key\s(?:.*\s)?\S|\blogin\s\S+\s+password\s+\S|\bsnmp-server\s+user\s(?:.*\s)?auth\s+\w+\s+\S|\bsnmp-server\s+host\s(?:.*\s)?version\s+(?:1|2c)\s+\S|^\s*(?:enable|(?:username|neighbor)\s(?:.*\s)?)\s*(?:password|secret)\s+\S",
    )
});
/// A name and its value in a command of any network device: words that say how the value is written can precede it.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?m)^\s*(?:(?:set|config|configure|crypto|ip|ike|ikev2|ipsec|vpn|ppp|user|local-user|standby|vrrp|nmcli|iwconfig|security|protocols)\s(?:.*?\s)?)?([a-z][a-z0-9-]*)((?:\s+(?:[0-9]|md5|sha\w*|ascii|ascii-text|plain|plaintext|text|cipher|simple|hex|local|remote|key|address\s+\S+))*)\s+["']?([^\s"']+)["']?\s*$"#,
    )
});
/// A secret in the address of a webhook, or the signature of an address that anyone may use.
static CAPABILITY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?ix)
        \bhooks?\.[\w.-]+/\w+/\S
        | \boffice(?:365)?\.com/webhook\w*/\S
        | \bdiscord(?:app)?\.com/api/webhooks/\S
        | \bapi\.telegram\.org/(?:file/)?bot\d+:\S
        | \bpagerduty\.com/integration/\S
        | \bopen-apis/bot/v\d/hook/\S
        | /webhook/send\?key=[^&\s]
        | /with/key/\S
        | /(?:web-?)?hooks?/(?:[\w-]+/)*[\w-]{20}
        | //[0-9a-f]{32}@
        | [?&](?:[\w-]*-)?sig(?:nature)?=[^&\s]",
    )
});
/// A name and its value in a sentence: `the root password is x`.
static SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"\b((?:[A-Za-z][\w-]*\s+)?[A-Za-z][\w-]*)(?:\s+(?:for|of)\s+\S+)?(?:\s+(?i:is|was)|\s*:)\s+([^\s(]\S*)"#,
    )
});
/// Words beside the name of a secret that describe it.
const DESCRIPTIONS: &str = "absent and ask auth authentication case-sensitive changed correct different disabled empty enabled \
    encrypted expired false forgotten header hidden in invalid is kept known long mandatory masked missing must n/a never new \
    no none not null off optional or redacted required revoked rotated same secret see set short stored strong token too true \
    unchanged undefined unknown unset valid weak wrong yes";
/// Text in the place of a secret, `***`, `<password>`, `${PASSWORD}`, or a method or version: `ikev2`, `aes-256`.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?i:aes|group|ikev?|md|oauth|sha|tls|v|wpa)-?[\d.]+|[*.-]+|[xX]{3,}|\$\{.*|\$[A-Z][A-Z_]+|\{\{.*|<[\w -]*>?|\[\w+\]|%\w+%)$",
    )
});
/// A name as the value of a member, and the value in the next member.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(?:name|key)\\?["']?\s*[:=>]\s*\\?["']?([a-z][\w.-]*)\\?["']?(?:</\w+>)?[,;\s]+\\?["'<]?(?:value|string)\b"#,
    )
});
/// A JSON Web Token (RFC 7519), a token whose beginning names its service, or a hash of a password (crypt(5)).
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+|\b(?:AGE-SECRET-KEY-1|ATATT3x|dckr_pat_|do[opr]_v1_|gh[oprsu]_|github_pat_|gl(?:pat|rt|sa)-|glsa_|hv[bs]\.|nvapi-|pul-|pypi-A|[rs]k_(?:live|test)_|SG\.|shp(?:at|ca|pa|ss)_|sk-(?:ant|proj)-|tskey-|whsec_|xapp-|xox[abeprs]-|ya29\.)[\w-]{16}|\b(?:hf_|npm_|sk-)[A-Za-z0-9]{30}|\bAIza[\w-]{30}|\b1//0[\w-]{20}|\$(?:1|2[abxy]|5|6|y|argon2\w*)\$\S{8}",
    )
});
/// The beginning of a private key in PEM, and its end.
static KEY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)----\s*BEGIN[\w ]*PRIVATE KEY|^PuTTY-User-Key-File-"));
static KEY_END: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)-----\s*END[\w ]*PRIVATE KEY"));
/// Text that may be Base64.
static BASE64: LazyLock<Regex> = LazyLock::new(|| pattern(r"[A-Za-z0-9+/_-]{24,}"));

/// Whether `text` contains a secret.
pub(super) fn is_secret_text(text: &str) -> bool {
    begins_private_key(text)
        || URL.is_match(text)
        || ADDRESS
            .captures(text.trim())
            .is_some_and(|found| !OF_USERS.contains(&&*found[1].to_lowercase()))
        || HEADER.captures_iter(text).any(|found| is_header(&found[1], found.get(2).map(|next| next.as_str())))
        || TOKEN.is_match(text)
        || CAPABILITY.is_match(text)
        // Most texts are names, ids and paths, which need no further search.
        || text.contains('%') && ENCODED_URL.is_match(text)
        || text.contains([' ', '\t']) && (ARGUMENT.is_match(text) || DEVICE.is_match(text) || is_command(text))
        || LOGIN.captures_iter(text).any(|found| is_login(text, &found[1], &found[2]))
        || [&PAIR, &ITEM, &LINE, &FLAG]
            .iter()
            .any(|pairs| pairs.captures_iter(text).any(|found| is_given(&found[1], &found[2])))
        || LABELLED.captures_iter(text).any(|found| secrecy(&found[1]).is_some())
        || text.contains(' ')
            && SENTENCE
                .captures_iter(text)
                .any(|found| is_given(&found[1], &found[2]) && is_stated(text, &found[2]))
        || is_secret_json(text)
        || BASE64.find_iter(text).any(|run| is_encoded_key(run.as_str()))
        // Base64 can be wrapped.
        || text.contains('\n') && is_encoded_key(&text.replace(char::is_whitespace, ""))
}

/// Whether a private key in PEM begins in `text`.
pub(super) fn begins_private_key(text: &str) -> bool {
    KEY.is_match(text)
}

/// Whether a private key in PEM ends in `text`.
pub(super) fn ends_private_key(text: &str) -> bool {
    text.contains("----") && KEY_END.is_match(text)
}

/// Whether `next` after the kind of a login is its secret, and not the next word of a sentence.
fn is_login(text: &str, kind: &str, next: &str) -> bool {
    let word = next.trim_end_matches(|letter: char| letter.is_ascii_punctuation() && letter != '=');
    let is_word = word.chars().skip(1).all(char::is_lowercase) && word.starts_with(char::is_alphabetic);
    let is_alone = text.split_whitespace().count() == 2;
    let is_name_and_password = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes);
        text.is_ok_and(|text| text.contains(':') && !text.contains(char::is_control))
    };
    match kind.eq_ignore_ascii_case("bearer") {
        true => is_alone || !is_word || word.len() >= 16,
        false => is_name_and_password(decoded(next)) || is_alone && !is_word && word.len() >= 8,
    }
}

/// Whether the first words of a header are a login.
fn is_header(first: &str, second: Option<&str>) -> bool {
    let scheme = first.to_lowercase();
    match SCHEMES.split(' ').any(|known| known == scheme) {
        true => second.is_some_and(|login| !is_description(login)),
        false => !is_word(first) && !is_description(first),
    }
}

/// Whether `name` is the name of a secret and `value` is the secret, and not a word or a sign in its place.
fn is_given(name: &str, value: &str) -> bool {
    // Its login has two words.
    let is_kind = || is_word(value) && name.to_lowercase().ends_with("auth");
    let is_header = || name.to_lowercase().ends_with("authorization");
    secrecy(name).is_some() && !is_description(value) && !is_kind() && !is_header()
}

/// Whether a line of `text` is a command with a secret.
fn is_command(text: &str) -> bool {
    COMMAND.captures_iter(text).any(|found| {
        let (name, written, value) = (&found[1], &found[2], &found[3]);
        let is_named =
            secrecy(name).is_some() || ["authentication", "key"].contains(&name) && !written.is_empty();
        let is_number = value.bytes().all(|digit| digit.is_ascii_digit());
        is_named && !is_word(value) && !is_number && !is_description(value)
    })
}

/// Whether `text` is a word without digits and signs, which few secrets are.
fn is_word(text: &str) -> bool {
    let word = text.trim_end_matches([',', '.', ';', ')', '"', '\'']);
    let is_capital = word.chars().all(char::is_uppercase);
    let mut rest = word.chars().skip(1);
    word.starts_with(char::is_alphabetic)
        && (is_capital || rest.all(|letter| letter.is_lowercase() || letter == '-'))
}

/// Whether `text` beside the name of a secret describes the secret or stands in its place.
fn is_description(text: &str) -> bool {
    let word = text.trim_end_matches(|letter: char| ".,;!?)\"'`".contains(letter));
    let lower = word.to_lowercase();
    DESCRIPTIONS.split_whitespace().any(|known| known == lower) || PLACEHOLDER.is_match(text)
}

/// Whether `next` after `password is` is the password, and not a word that describes it.
fn is_stated(text: &str, next: &str) -> bool {
    let word = next.trim_end_matches(|letter: char| ".,;!?)\"'`".contains(letter));
    if word.is_empty() || word.to_lowercase().ends_with("ed") {
        return false;
    }
    let is_word = word.chars().all(|letter| letter.is_lowercase() || letter == '-');
    !is_word || text.trim_end().ends_with(next)
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
