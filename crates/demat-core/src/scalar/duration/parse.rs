//! Reading the text of a [`Duration`].

use super::super::front;
use super::{DAY, Duration, SECOND};

/// A part of a duration: the letter behind its number, whether it stands behind the `T`, and its length in seconds.
struct Unit {
    designator: u8,
    timed: bool,
    seconds: u32,
}

/// In the order they must come in. `Y`, and `M` before the `T`, are not among them: no one knows how long they are.
const UNITS: [Unit; 5] = [
    Unit { designator: b'W', timed: false, seconds: 7 * DAY },
    Unit { designator: b'D', timed: false, seconds: DAY },
    Unit { designator: b'H', timed: true, seconds: 3_600 },
    Unit { designator: b'M', timed: true, seconds: 60 },
    Unit { designator: b'S', timed: true, seconds: 1 },
];

impl Duration {
    /// Reads `P`, then weeks, days, `T`, hours, minutes and seconds: any of them but at least one, each at most once,
    /// in this order, in capitals. Only the seconds may have a fraction, of one to nine digits behind a `.`; none is
    /// limited to what the next greater holds. A `-` may stand in front of all.
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
                rest = behind; // and a part must follow, or `run` says no
            }
            let (digits, behind) = front::run(rest)?;
            let (nanos, behind_fraction) = front::fraction(behind)?;
            let has_fraction = behind_fraction.len() < behind.len();
            let (designator, behind) = behind_fraction.split_first()?;
            // What `find` passes over is spent, and that keeps them in order and single.
            let unit = units.find(|unit| unit.designator == *designator && unit.timed == timed)?;
            if has_fraction && unit.designator != b'S' {
                return None;
            }
            // Less than 2⁶⁴ · 2²⁰ · 2³⁰ each, so that five of them fit.
            total += i128::from(number(digits)?) * i128::from(unit.seconds) * i128::from(SECOND) + i128::from(nanos);
            rest = behind;
        }
        Duration::from_nanos(if negative { -total } else { total })
    }
}

/// The number these digits are, where it fits.
fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, digit| number.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}
