//! Versions of the manager: parsing and comparing.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A manager version such as `9.1.0.0.24952111`: any number of numeric parts.
///
/// Parts compare as numbers and a missing part counts as 0, so `9.1` equals `9.1.0.0`. Text after the numbers
/// (`9.0.0-rc1`) does not take part in comparisons.
#[derive(Debug, Clone)]
pub struct ManagerVersion {
    text: String,
    parts: Vec<u64>,
}

/// The text does not start with a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a version")]
pub struct NotAVersion(String);

impl FromStr for ManagerVersion {
    type Err = NotAVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = Vec::new();
        for part in text.trim().split('.') {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            match part[..digits].parse() {
                Ok(number) => parts.push(number),
                Err(_) => break,
            }
            if digits < part.len() {
                break;
            }
        }
        if parts.is_empty() {
            return Err(NotAVersion(text.to_owned()));
        }
        Ok(Self {
            text: text.trim().to_owned(),
            parts,
        })
    }
}

impl fmt::Display for ManagerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Ord for ManagerVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        let longest = self.parts.len().max(other.parts.len());
        let part = |of: &Self, i: usize| of.parts.get(i).copied().unwrap_or(0);
        (0..longest)
            .map(|i| part(self, i).cmp(&part(other, i)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for ManagerVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ManagerVersion {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ManagerVersion {}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> ManagerVersion {
        text.parse().unwrap()
    }

    #[test]
    fn parts_compare_as_numbers_and_missing_parts_are_zero() {
        assert_eq!(version("9.1.0"), version("9.1.0.0"));
        assert!(version("4.1.2.1") < version("9.0.0"));
        assert!(version("9.0.0.0.24952111") >= version("9.0.0"));
        assert!(version("9.10") > version("9.9.9.9"));
        assert!(version("9.0.1.0.24952111") < version("9.1"));
    }

    #[test]
    fn text_after_the_numbers_does_not_count() {
        assert_eq!(version("9.0.0-rc1"), version("9.0.0"));
    }

    #[test]
    fn text_without_a_number_is_refused() {
        assert_eq!(
            "unknown".parse::<ManagerVersion>().unwrap_err().to_string(),
            "\"unknown\" is not a version"
        );
    }
}
