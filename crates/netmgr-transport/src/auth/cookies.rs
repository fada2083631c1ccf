//! The cookies of a login: those of the session and of a load balancer.
//!
//! They are set by the reply to the login. Later replies can change their values but not add cookies (decision logins).
//! Attributes are ignored because all cookies belong to the same host.

use http::HeaderMap;
use http::header::{HeaderValue, SET_COOKIE};

/// Maximum number of cookies.
const MOST: usize = 16;
/// Maximum length of the `Cookie` header in bytes. Servers accept at least 8 KiB of headers.
const LONGEST: usize = 6 << 10;

/// Cookies by name.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Cookies(Vec<Cookie>);

#[derive(Clone, PartialEq, Eq)]
struct Cookie {
    name: Box<[u8]>,
    value: Box<[u8]>,
}

impl Cookies {
    /// The cookies of a reply to a login, starting with the `session` cookie. If a name occurs several times,
    /// the last value applies. Cookies beyond 16, or beyond 6 KiB, are dropped.
    pub(super) fn of_login(reply: &HeaderMap, session: &str) -> Self {
        let mut cookies = Self::default();
        for cookie in set_cookies(reply) {
            match cookies.get_mut(&cookie.name) {
                Some(known) => *known = cookie,
                None => cookies.0.push(cookie),
            }
        }
        cookies
            .0
            .sort_by_key(|cookie| *cookie.name != *session.as_bytes());
        cookies.0.truncate(MOST);
        while cookies.length() > LONGEST {
            cookies.0.pop();
        }
        cookies
    }

    /// Updates the values of these cookies from a later reply. A value that would exceed 6 KiB in total is
    /// ignored.
    pub(super) fn update(&mut self, reply: &HeaderMap) {
        for cookie in set_cookies(reply) {
            let others = self.length();
            if let Some(known) = self.get_mut(&cookie.name)
                && others - known.value.len() + cookie.value.len() <= LONGEST
            {
                *known = cookie;
            }
        }
    }

    /// Whether there is a cookie of this name with a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0
            .iter()
            .any(|cookie| *cookie.name == *name.as_bytes() && !cookie.value.is_empty())
    }

    /// The value of the `Cookie` header.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        let pair = |cookie: &Cookie| [&cookie.name, &b"="[..], &cookie.value].concat();
        let pairs: Vec<_> = self.0.iter().map(pair).collect();
        let mut value = HeaderValue::from_bytes(&pairs.join(&b"; "[..])).ok()?;
        value.set_sensitive(true);
        (!self.0.is_empty()).then_some(value)
    }

    fn get_mut(&mut self, name: &[u8]) -> Option<&mut Cookie> {
        self.0.iter_mut().find(|cookie| *cookie.name == *name)
    }

    /// The length of the header, including a trailing separator.
    fn length(&self) -> usize {
        let pair = |cookie: &Cookie| cookie.name.len() + cookie.value.len() + "=; ".len();
        self.0.iter().map(pair).sum()
    }
}

/// Every `Set-Cookie` of a reply, without its attributes.
fn set_cookies(reply: &HeaderMap) -> impl Iterator<Item = Cookie> {
    reply.get_all(SET_COOKIE).iter().filter_map(|header| {
        let pair = header.as_bytes().split(|byte| *byte == b';').next()?;
        let equals = pair.iter().position(|byte| *byte == b'=')?;
        Some(Cookie {
            name: pair[..equals].trim_ascii().into(),
            value: pair[equals + 1..].trim_ascii().into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a manager sets, the header is short and legible, and later replies add no cookie.
    #[test]
    fn fuzz_cookies() {
        let words = [
            "JSESSIONID=",
            "ROUTE=",
            "; Path=/",
            "; Max-Age=0",
            "=",
            ";",
            "\n",
            "\n\n",
            "\"",
        ];
        fuzz_testing::fuzz("cookies", &words, |input| {
            let lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
            let of = |lines: &[&[u8]]| {
                let values = lines.iter().filter_map(|line| HeaderValue::from_bytes(line).ok());
                values.map(|value| (SET_COOKIE, value)).collect::<HeaderMap>()
            };
            // An empty line separates the login from later replies.
            let end = lines
                .iter()
                .position(|line| line.is_empty())
                .unwrap_or(lines.len());
            let (login, later) = lines.split_at(end);
            let mut cookies = Cookies::of_login(&of(login), "JSESSIONID");
            let names = |cookies: &Cookies| {
                cookies
                    .0
                    .iter()
                    .map(|cookie| cookie.name.clone())
                    .collect::<Vec<_>>()
            };
            let before = names(&cookies);
            for line in later {
                cookies.update(&of(&[line]));
            }
            assert_eq!(names(&cookies), before, "a later reply adds cookies");
            assert!(cookies.0.len() <= MOST && cookies.length() <= LONGEST);
            let header = cookies.header();
            assert_eq!(
                header.is_some(),
                !before.is_empty(),
                "the cookies do not fit a header"
            );
            if let Some(header) = &header {
                assert!(header.is_sensitive());
                let parts = header.as_bytes().split(|byte| *byte == b';').count();
                assert_eq!(parts, cookies.0.len(), "a value contains a separator");
            }
            format!(
                "{} {} {}",
                "x".repeat(before.len()),
                cookies.has("JSESSIONID"),
                header.is_some()
            )
        });
    }

    fn reply<'a>(cookies: impl IntoIterator<Item = (&'a str, String)>) -> HeaderMap {
        let header = |(name, value)| HeaderValue::try_from(format!("{name}={value}; Path=/")).unwrap();
        cookies
            .into_iter()
            .map(|cookie| (SET_COOKIE, header(cookie)))
            .collect()
    }

    fn text(cookies: &Cookies) -> String {
        cookies.header().unwrap().to_str().unwrap().to_owned()
    }

    #[test]
    fn a_later_reply_changes_values_and_adds_no_cookie() {
        let mut cookies = Cookies::of_login(&reply([("ROUTE", "a".into()), ("ID", "1".into())]), "ID");
        cookies.update(&reply([("ROUTE", "b".into()), ("NEW", "x".into())]));
        assert_eq!(text(&cookies), "ID=1; ROUTE=b");
    }

    #[test]
    fn the_cookies_of_a_login_are_bounded_in_number_and_the_session_is_kept() {
        let names: Vec<_> = (0..100).map(|number| format!("c{number}")).collect();
        let many = names.iter().map(|name| (name.as_str(), "v".to_owned()));
        let cookies = Cookies::of_login(&reply(many.chain([("ID", "1".to_owned())])), "ID");
        assert_eq!(cookies.0.len(), MOST);
        assert!(cookies.has("ID"));
    }

    #[test]
    fn the_cookies_of_a_login_are_bounded_in_size() {
        let mut cookies = Cookies::of_login(
            &reply([
                ("A", "a".repeat(5000)),
                ("B", "b".repeat(5000)),
                ("ID", "1".into()),
            ]),
            "ID",
        );
        assert!(cookies.has("ID") && cookies.has("A") && !cookies.has("B"));
        cookies.update(&reply([("ID", "2".repeat(2000))]));
        assert!(text(&cookies).starts_with("ID=1; "));
        cookies.update(&reply([("ID", "2".into())]));
        assert!(text(&cookies).starts_with("ID=2; "));
    }
}
