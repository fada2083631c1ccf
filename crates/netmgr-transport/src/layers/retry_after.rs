//! The delay that a reply requests in `Retry-After`: seconds or a date.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

/// The delay that `headers` request. `None` if there is none or it is invalid.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let seconds = text.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    // Use the manager's clock if the reply has a date, because the clocks may differ by minutes.
    let now = headers
        .get(DATE)
        .and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok())
        .unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(http::HeaderName, &str)]) -> Option<Duration> {
        retry_after(
            &headers
                .iter()
                .map(|(name, value)| (name.clone(), value.parse().unwrap()))
                .collect(),
        )
    }

    #[test]
    fn seconds_are_read() {
        assert_eq!(asked(&[(RETRY_AFTER, "7")]), Some(Duration::from_secs(7)));
    }

    #[test]
    fn a_number_of_any_length_is_a_long_delay() {
        for text in ["18446744073709551615", "99999999999999999999999"] {
            assert_eq!(
                asked(&[(RETRY_AFTER, text)]),
                Some(Duration::from_secs(u64::MAX)),
                "{text}"
            );
        }
    }

    #[test]
    fn a_date_counts_from_the_managers_own_clock() {
        let headers = [
            (RETRY_AFTER, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (DATE, "Sun, 06 Nov 1994 08:49:07 GMT"),
        ];
        assert_eq!(asked(&headers), Some(Duration::from_secs(30)));
    }

    #[test]
    fn a_date_counts_from_now_without_the_managers_clock() {
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(40));
        let wait = asked(&[(RETRY_AFTER, soon.as_str())]).unwrap();
        assert!(
            wait > Duration::from_secs(30) && wait <= Duration::from_secs(40),
            "{wait:?}"
        );
    }

    #[test]
    fn a_date_in_the_past_is_no_wait() {
        let headers = [(RETRY_AFTER, "Sun, 06 Nov 1994 08:49:37 GMT")];
        assert_eq!(asked(&headers), Some(Duration::ZERO));
    }

    #[test]
    fn anything_else_is_ignored() {
        assert_eq!(asked(&[(RETRY_AFTER, "soon")]), None);
        assert_eq!(asked(&[(RETRY_AFTER, "-1")]), None);
        assert_eq!(asked(&[]), None);
    }
}
