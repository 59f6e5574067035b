//! The text of a date, a time or a UUID, on the stack.
//!
//! A `write!` with `{:02}` for each part costs several times as much as the digits do, and sinks write millions of these.

use core::fmt;

/// The length of the longest text, that of a duration of `i64::MIN` seconds with nanoseconds, rounded up.
const ROOM: usize = 40;

/// ASCII text of at most 40 bytes.
///
/// ```
/// use demat_core::scalar::{Date, ToShortText};
/// let date = Date::new(2026, 5, 1).unwrap();
/// assert_eq!(date.to_short_text().as_bytes(), b"2026-05-01");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ShortText {
    bytes: [u8; ROOM],
    length: usize,
}

/// Has a text of at most 40 ASCII characters, that of its `Display`, which needs no memory.
pub trait ToShortText {
    /// Returns the text.
    fn to_short_text(&self) -> ShortText;

    /// Returns the text in words of eight bytes, the first byte lowest, with any bytes behind it; and its length. `None`
    /// if it takes more than a few steps to make them: then [`to_short_text`](Self::to_short_text) has the text.
    ///
    /// A sink stores words as they are. Bytes that were stored one by one would first have to reach memory.
    #[inline(always)]
    fn to_words(&self) -> Option<([u64; WORDS], usize)> {
        None
    }
}

/// The number of words that hold the longest text.
const WORDS: usize = ROOM / 8;

/// The numbers from 0 to 99, in two digits each.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    pairs
};

impl ShortText {
    #[inline]
    pub(super) const fn new() -> ShortText {
        ShortText { bytes: [0; ROOM], length: 0 }
    }

    /// Returns the bytes of the text.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Returns the text in words, as [`ToShortText::to_words`] does.
    #[inline]
    pub(super) fn words(self) -> ([u64; WORDS], usize) {
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(self.bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        (words, self.length)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        debug_assert!(byte.is_ascii());
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// Appends the last `2 * pairs` digits of a number, with zeros in front.
    #[inline]
    pub(super) fn pairs(&mut self, mut number: u32, pairs: usize) {
        for place in (0..pairs).rev() {
            let from = self.length + 2 * place;
            self.bytes[from..from + 2].copy_from_slice(&PAIRS[(number % 100) as usize]);
            number /= 100;
        }
        self.length += 2 * pairs;
    }

    /// Appends a number in exactly `width` digits: zeros in front, and higher digits are cut off.
    #[inline]
    pub(super) fn fixed(&mut self, mut number: u32, width: usize) {
        for place in (self.length..self.length + width).rev() {
            self.bytes[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.length += width;
    }

    /// Sets the whole text.
    #[inline]
    pub(super) fn whole<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N])) {
        const { assert!(N <= ROOM) };
        if let Some(bytes) = self.bytes.first_chunk_mut() {
            write(bytes);
            self.length = N;
        }
    }

    /// Appends eight bytes, in which numbers below 100 replace two each.
    #[inline]
    pub(super) fn eight<const N: usize>(&mut self, frame: [u8; 8], numbers: [(u32, u8); N]) {
        let mut word = u64::from_le_bytes(frame);
        let mut at = 0;
        while at < N {
            let (place, number) = numbers[at];
            at += 1;
            let pair = u64::from(u16::from_le_bytes(PAIRS[usize::from(number)]));
            word = word & !(0xffff << (8 * place)) | pair << (8 * place);
        }
        self.bytes[self.length..self.length + 8].copy_from_slice(&word.to_le_bytes());
        self.length += 8;
    }

    /// Appends a number from 0 to 99 in two digits.
    #[inline]
    pub(super) fn two(&mut self, number: u8) {
        self.pairs(number.into(), 1);
    }

    /// Appends a number in as many digits as it takes.
    pub(super) fn number(&mut self, mut number: u64) {
        let width = number.checked_ilog10().map_or(1, |log| log as usize + 1);
        for place in (self.length..self.length + width).rev() {
            self.bytes[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.length += width;
    }

    /// Prints it, padded as the formatter demands. A precision has no effect, since `pad` would cut the text off.
    pub(super) fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.precision().is_some() { f.write_str(self.as_str()) } else { f.pad(self.as_str()) }
    }
}

/// Returns the words of a date: `YYYY-MM-DD`.
#[inline(always)]
pub(super) fn date_words(century: u8, year: u8, month: u8, day: u8) -> [u64; 2] {
    [pair(century, 0) | pair(year, 2) | byte(b'-', 4) | pair(month, 5) | byte(b'-', 7), pair(day, 0)]
}

/// Returns the words of a time behind the text of `date`, and their length: `YYYY-MM-DDTHH:MM:SS`, and a fraction of six
/// digits or three, or none if it is zero. Behind it comes one more byte, which the length does not count.
#[inline(always)]
pub(super) fn date_time_words(
    date: [u64; 2],
    (hour, minute, second): (u8, u8, u8),
    micros: u32,
    then: u8,
) -> ([u64; WORDS], usize) {
    let hours = date[1] | byte(b'T', 2) | pair(hour, 3) | byte(b':', 5) | pair(minute, 6);
    let seconds = byte(b':', 0) | pair(second, 1);
    let last = pair((micros % 100) as u8, 0) | byte(then, 2);
    // Texts of all lengths have the same words behind which they end, so the lengths cost no branches.
    let (third, length) = match micros {
        0 => (seconds | byte(then, 3), 19),
        // The fraction ends with a zero here. The byte replaces it.
        _ if micros.is_multiple_of(1_000) => (seconds | fraction(micros) & (u64::MAX >> 8) | byte(then, 7), 23),
        _ => (seconds | fraction(micros), 26),
    };
    ([date[0], hours, third, last, 0], length)
}

/// Returns the words of a time and their length: `HH:MM:SS`, and a fraction of six digits or three, or none if it is zero.
#[inline(always)]
pub(super) fn time_words((hour, minute, second): (u8, u8, u8), micros: u32) -> ([u64; WORDS], usize) {
    let first = pair(hour, 0) | byte(b':', 2) | pair(minute, 3) | byte(b':', 5) | pair(second, 6);
    if micros == 0 {
        return ([first, 0, 0, 0, 0], 8);
    }
    let length = if micros.is_multiple_of(1_000) { 12 } else { 15 };
    ([first, fraction(micros) >> 24 | pair((micros % 100) as u8, 5), 0, 0, 0], length)
}

/// A point and the first four of six digits, from the fourth byte of a word on.
#[inline(always)]
fn fraction(micros: u32) -> u64 {
    byte(b'.', 3) | pair((micros / 10_000) as u8, 4) | pair((micros / 100 % 100) as u8, 6)
}

/// Two digits at a place of a word.
#[inline(always)]
fn pair(number: u8, place: usize) -> u64 {
    u64::from(u16::from_le_bytes(PAIRS[usize::from(number)])) << (8 * place)
}

/// A byte at a place of a word.
#[inline(always)]
fn byte(byte: u8, place: usize) -> u64 {
    u64::from(byte) << (8 * place)
}
