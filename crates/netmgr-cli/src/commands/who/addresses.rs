//! Addresses, and the texts in which a manager names one or several of them.

use std::collections::HashSet;
use std::net::IpAddr;

use serde_json::Value;

/// The address that a text is, in its usual form.
pub(super) fn parse(text: &str) -> Option<IpAddr> {
    text.trim()
        .parse::<IpAddr>()
        .ok()
        .map(|address| address.to_canonical())
}

/// A range of addresses of one family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    first: IpAddr,
    last: IpAddr,
}

impl Range {
    /// The addresses that a text names: an address, a subnet with its prefix length, or a range with a hyphen.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (first, last) = match text.split_once('-') {
            Some((first, last)) => (parse(first)?, parse(last)?),
            None => match text.split_once('/') {
                Some((network, length)) => Self::subnet(parse(network)?, length.trim().parse().ok()?)?,
                None => (parse(text)?, parse(text)?),
            },
        };
        (first.is_ipv4() == last.is_ipv4() && first <= last).then_some(Self { first, last })
    }

    /// The first and the last address of a subnet.
    fn subnet(address: IpAddr, length: u32) -> Option<(IpAddr, IpAddr)> {
        Some(match address {
            IpAddr::V4(address) => {
                let host = u32::MAX
                    .checked_shr(length)
                    .filter(|_| length <= 32)
                    .or((length == 32).then_some(0))?;
                let bits = u32::from(address);
                (
                    IpAddr::V4((bits & !host).into()),
                    IpAddr::V4((bits | host).into()),
                )
            }
            IpAddr::V6(address) => {
                let host = u128::MAX.checked_shr(length).or((length == 128).then_some(0))?;
                let bits = u128::from(address);
                (
                    IpAddr::V6((bits & !host).into()),
                    IpAddr::V6((bits | host).into()),
                )
            }
        })
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        // Addresses of different families are ordered as well.
        self.first.is_ipv4() == address.is_ipv4() && (self.first..=self.last).contains(&address)
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
        match (parse(text), Range::parse(text)) {
            (Some(address), _) => drop(self.single.insert(address)),
            (None, Some(range)) => self.ranges.push(range),
            (None, None) => {}
        }
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        self.single.contains(&address) || self.ranges.iter().any(|range| range.contains(address))
    }
}

/// Whether a member of an object, at this place in lists and objects, names the address or several with it.
pub(super) fn is_named(value: &Value, place: &[&str], address: IpAddr) -> bool {
    match (value, place) {
        (Value::Array(items), _) => items.iter().any(|item| is_named(item, place, address)),
        (Value::Object(members), [first, rest @ ..]) => members
            .get(*first)
            .is_some_and(|inner| is_named(inner, rest, address)),
        (Value::String(text), []) => Range::parse(text).is_some_and(|range| range.contains(address)),
        _ => false,
    }
}

/// The addresses at this place in lists and objects, without the lengths of their prefixes.
pub(super) fn all(value: &Value, place: &[&str], found: &mut Vec<IpAddr>) {
    match (value, place) {
        (Value::Array(items), _) => items.iter().for_each(|item| all(item, place, found)),
        (Value::Object(members), [first, rest @ ..]) => {
            if let Some(inner) = members.get(*first) {
                all(inner, rest, found);
            }
        }
        (Value::String(text), []) => found.extend(text.split('/').next().and_then(parse)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            assert_eq!(Range::parse(text), None, "{text}");
        }
    }
}
