//! Addresses, and the texts in which a manager names one or several of them.

use std::collections::HashSet;
use std::net::IpAddr;
use std::slice;

use serde_json::{Map, Value};

/// The address that a text is, in its usual form. Brackets and zones, as in `[fe80::1%eth0]`, are not part of it.
pub(super) fn parse(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let address = match inner.unwrap_or(text).split_once('%') {
        Some((address, _)) => IpAddr::V6(address.parse().ok()?),
        None => inner.unwrap_or(text).parse().ok()?,
    };
    Some(address.to_canonical())
}

/// The MAC address that a text is in any notation, with colons.
pub(super) fn mac(text: &str) -> Option<String> {
    let digits = text.replace([':', '-', '.'], "").into_bytes();
    let is_mac = digits.len() == 12 && digits.iter().all(u8::is_ascii_hexdigit);
    let pairs = digits.chunks(2).map(String::from_utf8_lossy);
    is_mac.then(|| pairs.collect::<Vec<_>>().join(":"))
}

/// A range of addresses of one family, as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    is_v4: bool,
    first: u128,
    last: u128,
}

impl Range {
    /// The addresses that a text names: an address, a subnet with its prefix length, or a range with a hyphen.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some((first, last)) = text.split_once('-') {
            return Self::between(parse(first)?, parse(last)?);
        }
        let (address, length) = text
            .split_once('/')
            .map_or((text, None), |(address, length)| (address, Some(length)));
        let address = parse(address)?;
        let width: u32 = if address.is_ipv4() { 32 } else { 128 };
        let length = length.map_or(Some(width), |length| length.trim().parse().ok())?;
        let host = u128::MAX
            .checked_shl(width.checked_sub(length)?)
            .map_or(u128::MAX, |network| !network);
        let bits = bits(address);
        Some(Self {
            is_v4: address.is_ipv4(),
            first: bits & !host,
            last: bits | host,
        })
    }

    /// The addresses from one to another.
    pub(super) fn between(first: IpAddr, last: IpAddr) -> Option<Self> {
        (first.is_ipv4() == last.is_ipv4() && first <= last).then(|| Self {
            is_v4: first.is_ipv4(),
            first: bits(first),
            last: bits(last),
        })
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        self.is_v4 == address.is_ipv4() && (self.first..=self.last).contains(&bits(address))
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u32::from(address).into(),
        IpAddr::V6(address) => address.into(),
    }
}

/// The addresses of a group.
#[derive(Debug, Default)]
pub(super) struct AddressSet {
    single: HashSet<IpAddr>,
    ranges: Vec<Range>,
}

impl AddressSet {
    /// Adds the addresses that a text names. Other texts contain none.
    pub(super) fn add(&mut self, text: &str) {
        match parse(text) {
            Some(address) => drop(self.single.insert(address)),
            None => self.ranges.extend(Range::parse(text)),
        }
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        self.single.contains(&address) || self.ranges.iter().any(|range| range.contains(address))
    }
}

/// The texts at a place such as `address_bindings.ip_address`, in all items of lists.
pub(super) fn texts_at<'o>(members: &'o Map<String, Value>, place: &str) -> Vec<&'o str> {
    let (first, rest) = place.split_once('.').unwrap_or((place, ""));
    let items = match members.get(first) {
        Some(Value::Array(items)) => items.as_slice(),
        other => other.map_or(&[][..], slice::from_ref),
    };
    let texts = items.iter().flat_map(|item| match item {
        Value::String(text) if rest.is_empty() => vec![text.as_str()],
        Value::Object(inner) => texts_at(inner, rest),
        _ => Vec::new(),
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mac_addresses_have_several_notations() {
        for text in [
            "00:50:56:AA:bb:01",
            "00-50-56-AA-bb-01",
            "0050.56AA.bb01",
            "005056AAbb01",
        ] {
            assert_eq!(mac(text).as_deref(), Some("00:50:56:AA:bb:01"), "{text}");
        }
        for text in [
            "",
            "00:50:56:aa:bb",
            "00:50:56:aa:bb:0g",
            "00:50:56:aa:bb:01:02",
            "\u{e9}5056aabb01",
        ] {
            assert_eq!(mac(text), None, "{text}");
        }
    }

    #[test]
    fn texts_name_addresses_subnets_and_ranges() {
        for (text, inside, outside) in [
            ("10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("10.0.0.9/24", "10.0.0.255", "10.0.1.0"),
            ("0.0.0.0/0", "255.255.255.255", "::1"),
            ("10.0.0.7/32", "10.0.0.7", "10.0.0.6"),
            ("10.0.0.1-10.0.1.4", "10.0.1.0", "10.0.1.5"),
            ("10.0.0.1 - 10.0.0.3", "10.0.0.2", "10.0.0.4"),
            ("2001:db8::/64", "2001:DB8:0:0::ffff", "2001:db8:0:1::"),
            ("::/0", "::1", "10.0.0.1"),
            ("2001:db8::1/128", "2001:db8::1", "2001:db8::2"),
            ("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("[2001:DB8::1]", "2001:db8::1", "2001:db8::2"),
            ("fe80::1%eth0", "fe80::1", "fe80::2"),
        ] {
            let mut set = AddressSet::default();
            set.add(text);
            assert!(set.contains(parse(inside).unwrap()), "{text} contains {inside}");
            assert!(
                !set.contains(parse(outside).unwrap()),
                "{text} does not contain {outside}"
            );
        }
        for text in [
            "",
            "web",
            "10.0.0.1/33",
            "::/129",
            "10.0.0.2-10.0.0.1",
            "10.0.0.1-::1",
            "10.0.0.0/x",
            "a/24",
            "-",
            "10.0.0.1%eth0",
            "[::1",
        ] {
            assert_eq!(Range::parse(text), None, "{text}");
        }
    }
}
