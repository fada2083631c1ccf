//! Numbers in inputs: whole numbers, which the engine may send as `5.0`, and seconds.
//!
//! Functions for the serde attributes of inputs, always in combination with `#[serde(default)]`.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// Reads an optional whole number: `#[serde(default, deserialize_with = "number::whole")]`.
///
/// Accepts `5` and `5.0`, because the engine sends every number as a double, and `null` as absent.
///
/// # Errors
///
/// A fraction, a negative number, one too large for `T`, or anything but a number.
pub fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Ok(Option::<Whole<T>>::deserialize(deserializer)?.map(|whole| whole.0))
}

/// Reads an optional list of whole numbers; see [`whole`].
///
/// # Errors
///
/// As [`whole`], for each item.
pub fn whole_list<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let list = Option::<Vec<Whole<T>>>::deserialize(deserializer)?;
    Ok(list.map(|list| list.into_iter().map(|whole| whole.0).collect()))
}

/// Optional seconds: `#[serde(default, with = "number::seconds")]` on an `Option<Duration>`.
///
/// In schemas the field is a number: `#[schemars(with = "Option<f64>", range(min = 0))]`.
pub mod seconds {
    use super::{Deserialize, Deserializer, Duration, Error};
    use serde::Serializer;

    /// Smallest number of seconds that exceeds a [`Duration`]: 2 to the 64th.
    pub const END: f64 = 18_446_744_073_709_551_616.0;

    /// Reads a number of seconds, which may have a fraction, and `null` as absent.
    ///
    /// # Errors
    ///
    /// A negative number, one too large, or anything but a number.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Option::<f64>::deserialize(deserializer)?
            .map(|seconds| {
                if seconds < 0.0 {
                    return Err(D::Error::custom(format_args!(
                        "must be 0 or more seconds, not {seconds}"
                    )));
                }
                Duration::try_from_secs_f64(seconds)
                    .map_err(|_| D::Error::custom(format_args!("is too long: {seconds} seconds")))
            })
            .transpose()
    }

    /// Serializes seconds, as a whole number if possible.
    ///
    /// # Errors
    ///
    /// Only the serializer's own.
    pub fn serialize<S: Serializer>(value: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            None => serializer.serialize_none(),
            Some(time) if time.subsec_nanos() == 0 => serializer.serialize_u64(time.as_secs()),
            Some(time) => serializer.serialize_f64(time.as_secs_f64()),
        }
    }
}

/// A whole number that is not negative.
struct Whole<T>(T);

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor(PhantomData))
    }
}

/// Above this value, doubles cannot represent every whole number.
const LARGEST: u64 = (1 << 53) - 1;

/// The error for a number that `T` cannot represent.
fn outside<E: Error, T: TryFrom<u64>>(number: impl fmt::Display) -> E {
    let bounds = [LARGEST, u32::MAX.into(), u16::MAX.into(), u8::MAX.into()];
    let largest = bounds.into_iter().find(|bound| T::try_from(*bound).is_ok());
    let largest = largest.unwrap_or_default();
    E::custom(format_args!(
        "must be a whole number from 0 to {largest}, not {number}"
    ))
}

struct WholeVisitor<T>(PhantomData<T>);

impl<T: TryFrom<u64>> Visitor<'_> for WholeVisitor<T> {
    type Value = Whole<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Whole<T>, E> {
        T::try_from(number)
            .map(Whole)
            .map_err(|_| outside::<E, T>(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Whole<T>, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(negative(number)),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Whole<T>, E> {
        if number.fract() != 0.0 {
            Err(E::custom(format_args!("must be a whole number, not {number}")))
        } else if number < 0.0 {
            Err(negative(number))
        } else if number > LARGEST as f64 {
            // In short: 1e30.
            Err(outside::<E, T>(format_args!("{number:e}")))
        } else {
            self.visit_u64(number as u64)
        }
    }
}

fn negative<E: Error>(number: impl fmt::Display) -> E {
    E::custom(format_args!("must be a non-negative whole number, not {number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize, serde::Serialize, PartialEq)]
    struct Durations {
        #[serde(default, with = "seconds")]
        time: Option<Duration>,
    }

    #[test]
    fn whole_numbers_may_be_written_as_doubles() {
        for (text, expected) in [("5", Some(5)), ("5.0", Some(5)), ("0", Some(0)), ("null", None)] {
            let read: Option<u16> = whole(&mut serde_json::Deserializer::from_str(text)).unwrap();
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn other_numbers_are_refused_with_the_reason() {
        for (text, expected) in [
            ("5.5", "must be a whole number, not 5.5"),
            ("-1", "must be a non-negative whole number, not -1"),
            ("-1.0", "must be a non-negative whole number, not -1"),
            ("70000", "must be a whole number from 0 to 65535, not 70000"),
            ("1e300", "must be a whole number from 0 to 65535, not 1e300"),
            ("true", "invalid type: boolean `true`, expected a whole number"),
        ] {
            let error = whole::<_, u16>(&mut serde_json::Deserializer::from_str(text)).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn seconds_may_have_a_fraction_and_come_back_as_written() {
        for (text, time) in [
            (r#"{"time":1200}"#, Some(Duration::from_secs(1200))),
            (r#"{"time":0.25}"#, Some(Duration::from_millis(250))),
            (r#"{"time":null}"#, None),
        ] {
            let read: Durations = serde_json::from_str(text).unwrap();
            assert_eq!(read, Durations { time });
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
    }

    #[test]
    fn seconds_below_zero_or_without_end_are_refused() {
        for (text, expected) in [
            (r#"{"time":-1}"#, "must be 0 or more seconds, not -1"),
            (r#"{"time":1e300}"#, "is too long: "),
            (r#"{"time":"1"}"#, "expected f64"),
        ] {
            let error = serde_json::from_str::<Durations>(text).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
    }
}
