//! Mutations of inputs: bits, bytes, ranges, words of a dictionary, and parts of other inputs.

use fastrand::Rng;

/// Bytes with a meaning in many formats: ends of ranges, quotes, brackets, separators.
const BYTES: &[u8] = b"\0\x01\x7f\x80\xff\"'{}[]:,;=%&\\/\n\r\t -+.0919aAzZ<>?*()@#|~^!";
/// Numbers at which something changes.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1e999",
    "-0.0",
    "255",
    "256",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "18446744073709551616",
    "1.5",
    "00",
];

/// A source of inputs.
#[derive(Debug)]
pub struct Random<'a> {
    rng: Rng,
    dictionary: &'a [&'a str],
}

impl<'a> Random<'a> {
    /// Random inputs of a seed.
    #[must_use]
    pub fn new(seed: u64, dictionary: &'a [&'a str]) -> Self {
        Self {
            rng: Rng::with_seed(seed),
            dictionary,
        }
    }

    /// A mutation of an input of `pool`, which is not empty.
    pub fn next(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = pool[self.rng.usize(..pool.len())].clone();
        // Most often a few, sometimes many.
        let times = 1 << self.rng.u32(..5);
        for _ in 0..times {
            self.mutate(&mut input, pool);
        }
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>, pool: &[Vec<u8>]) {
        let at = self.rng.usize(..=input.len());
        match self.rng.u32(..10) {
            0 if at < input.len() => input[at] ^= 1 << self.rng.u32(..8),
            1 if at < input.len() => input[at] = self.byte(),
            2 => input.insert(at, self.byte()),
            3 => {
                let end = self.end(at, input.len());
                input.drain(at..end);
            }
            4 => {
                // Repeated once, or often.
                let end = self.end(at, input.len());
                let part = input[at..end].repeat(1 << self.rng.u32(..6));
                insert(input, at, &part);
            }
            5 | 6 if !self.dictionary.is_empty() => {
                let word = self.dictionary[self.rng.usize(..self.dictionary.len())];
                insert(input, at, word.as_bytes());
            }
            7 => {
                let number = NUMBERS[self.rng.usize(..NUMBERS.len())];
                insert(input, at, number.as_bytes());
            }
            8 => {
                let other = &pool[self.rng.usize(..pool.len())];
                let start = self.rng.usize(..=other.len());
                let end = self.end(start, other.len());
                insert(input, at, &other[start..end]);
            }
            9 => input.truncate(at),
            _ => input.push(self.byte()),
        }
    }

    fn byte(&mut self) -> u8 {
        match self.rng.bool() {
            true => BYTES[self.rng.usize(..BYTES.len())],
            false => self.rng.u8(..),
        }
    }

    /// The end of a part that begins at `start`, most often a short one.
    fn end(&mut self, start: usize, length: usize) -> usize {
        let longest = 1 << self.rng.u32(..10);
        start + self.rng.usize(..=longest.min(length - start))
    }
}

/// Inserts `part`, unless the input would become very long.
fn insert(input: &mut Vec<u8>, at: usize, part: &[u8]) {
    if input.len() + part.len() <= 64 << 10 {
        input.splice(at..at, part.iter().copied());
    }
}
