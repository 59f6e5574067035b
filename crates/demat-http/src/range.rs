//! Byte ranges (RFC 9110, 14).

use core::ops::Range;
use http::HeaderMap;
use http::header::RANGE;

/// What a request wants of a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All of it: it names no range, several, or one that can't be parsed, which HTTP says to ignore.
    Whole,
    Part(Range<u64>),
    /// A range that begins behind the end.
    Unsatisfiable,
}

impl Wanted {
    /// Returns what the header `Range` wants of a body with this length.
    pub(crate) fn of(headers: &HeaderMap, len: u64) -> Self {
        let mut said = headers.get_all(RANGE).iter();
        match (said.next(), said.next()) {
            (Some(said), None) => said.to_str().ok().and_then(|said| Self::parsed(said, len)).unwrap_or(Self::Whole),
            _ => Self::Whole,
        }
    }

    fn parsed(said: &str, len: u64) -> Option<Self> {
        let (unit, range) = said.split_once('=')?;
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        let (first, last) = range.trim().split_once('-')?;
        let (first, last) = (first.trim_end(), last.trim_start());
        if first.is_empty() {
            return Some(match number(last)? {
                0 => Self::Unsatisfiable,
                // The last bytes of nothing are nothing, for which there is no `Content-Range`.
                _ if len == 0 => Self::Whole,
                count => Self::Part(len.saturating_sub(count)..len),
            });
        }
        let first = number(first)?;
        let last = if last.is_empty() { u64::MAX } else { number(last)? };
        if first > last {
            return None;
        }
        if first >= len {
            return Some(Self::Unsatisfiable);
        }
        Some(Self::Part(first..last.saturating_add(1).min(len)))
    }
}

/// Parses digits; a number that is too large counts as the largest.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{RANGE, Wanted};
    use http::{HeaderMap, HeaderValue};
    use proptest::prelude::*;

    fn of(said: &str, len: u64) -> Wanted {
        let mut headers = HeaderMap::new();
        headers.insert(RANGE, HeaderValue::from_str(said).unwrap());
        Wanted::of(&headers, len)
    }

    #[test]
    fn one_range_is_a_part() {
        for (said, part) in [
            ("bytes=0-0", 0..1),
            ("bytes=2-4", 2..5),
            ("Bytes = 2 - 4", 2..5),
            ("bytes=7-", 7..10),
            ("bytes=7-99", 7..10),
            ("bytes=9-18446744073709551615", 9..10),
            ("bytes=9-99999999999999999999999", 9..10),
            ("bytes=-3", 7..10),
            ("bytes=-99", 0..10),
        ] {
            assert_eq!(of(said, 10), Wanted::Part(part), "{said}");
        }
    }

    #[test]
    fn what_begins_behind_the_end_is_unsatisfiable() {
        for said in ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(of(said, 10), Wanted::Unsatisfiable, "{said}");
        }
        assert_eq!(of("bytes=0-", 0), Wanted::Unsatisfiable);
        assert_eq!(of("bytes=-5", 0), Wanted::Whole);
    }

    #[test]
    fn what_is_no_range_is_ignored() {
        for said in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=4-2",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=0-1,3-4",
            "items=0-1",
            "bytes=--1",
        ] {
            assert_eq!(of(said, 10), Wanted::Whole, "{said}");
        }
        let mut headers = HeaderMap::new();
        assert_eq!(Wanted::of(&headers, 10), Wanted::Whole);
        headers.append(RANGE, HeaderValue::from_static("bytes=0-1"));
        headers.append(RANGE, HeaderValue::from_static("bytes=3-4"));
        assert_eq!(Wanted::of(&headers, 10), Wanted::Whole);
    }

    proptest! {
        #[test]
        fn a_part_is_within(said in "bytes=[0-9]{0,20}-[0-9]{0,20}", len: u64) {
            if let Wanted::Part(part) = of(&said, len) {
                prop_assert!(part.start < part.end && part.end <= len);
            }
        }
    }
}
