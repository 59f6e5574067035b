//! Parses the text of a [`Duration`].

use super::super::front;
use super::{DAY, Duration, SECOND};

/// A unit of a duration: its letter, whether it comes after the `T`, and its length in seconds.
struct Unit {
    designator: u8,
    timed: bool,
    seconds: u32,
}

/// In their mandatory order. `Y`, and `M` before the `T`, are missing, since years and months have no fixed length.
const UNITS: [Unit; 5] = [
    Unit { designator: b'W', timed: false, seconds: 7 * DAY },
    Unit { designator: b'D', timed: false, seconds: DAY },
    Unit { designator: b'H', timed: true, seconds: 3_600 },
    Unit { designator: b'M', timed: true, seconds: 60 },
    Unit { designator: b'S', timed: true, seconds: 1 },
];

impl Duration {
    /// Parses `P`, then weeks, days, `T`, hours, minutes and seconds: at least one of them, each at most once, in this
    /// order, in capitals. Only the seconds may have a fraction, of one to nine digits after a `.`. A part may exceed
    /// the next larger unit. A `-` may precede everything.
    ///
    /// ```
    /// use demat_core::scalar::Duration;
    ///
    /// assert_eq!(Duration::parse("P1W"), Duration::new(604_800, 0));
    /// assert_eq!(Duration::parse("-P1DT0.25S"), Duration::new(-86_401, 750_000_000));
    /// assert_eq!(Duration::parse("PT0.5H"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Duration> {
        let bytes = text.as_bytes();
        let (negative, rest) = match front::byte(bytes, b'-') {
            Some(rest) => (true, rest),
            None => (false, bytes),
        };
        let mut rest = front::byte(rest, b'P')?;
        if rest.is_empty() {
            return None;
        }
        let mut units = UNITS.iter();
        let mut timed = false;
        let mut total = 0i128;
        while !rest.is_empty() {
            if !timed && let Some(behind) = front::byte(rest, b'T') {
                timed = true;
                rest = behind; // a part must follow, or `run` returns `None`
            }
            let (digits, behind) = front::run(rest)?;
            let (nanos, behind_fraction) = front::fraction(behind)?;
            let has_fraction = behind_fraction.len() < behind.len();
            let (designator, behind) = behind_fraction.split_first()?;
            // `find` consumes the units that it passes, which enforces their order and that each comes once.
            let unit = units.find(|unit| unit.designator == *designator && unit.timed == timed)?;
            if has_fraction && unit.designator != b'S' {
                return None;
            }
            // Each is less than 2⁶⁴ · 2²⁰ · 2³⁰, so five of them fit.
            total += i128::from(number(digits)?) * i128::from(unit.seconds) * i128::from(SECOND) + i128::from(nanos);
            rest = behind;
        }
        Duration::from_nanos(if negative { -total } else { total })
    }
}

/// Parses digits; `None` if the number does not fit.
fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, digit| number.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}
