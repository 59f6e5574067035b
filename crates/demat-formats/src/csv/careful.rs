//! Cutting one row into cells with all that quotes can mean: the slow, exact way.

use super::fault::Stop;
use super::row::Rules;
use crate::scan::csv_special;

/// How a row that was cut with care ends.
pub(super) struct Found {
    /// The end of its last cell.
    pub(super) end: usize,
    /// Where the next row begins.
    pub(super) next: usize,
    /// Where text follows a closing quote, if it does.
    pub(super) fault: Option<usize>,
}

/// Cuts the row at `at` and appends the ends of its cells, counted from `at`.
///
/// Text after a closing quote is a fault of the row, but one that its end can be found behind: up to the next delimiter
/// it counts as content. A quote that nothing closes leaves no end to find.
pub(super) fn cut(bytes: &[u8], at: usize, rules: Rules, ends: &mut Vec<u32>) -> Result<Found, Stop> {
    let mut from = at;
    let mut fault = None;
    loop {
        if bytes.get(from).is_some_and(|byte| rules.quotes(*byte)) {
            from = after_quoted(bytes, from, rules)?;
            let follows = bytes.get(from).copied().unwrap_or(rules.delimiter);
            if follows != rules.delimiter && follows != b'\n' && follows != b'\r' {
                fault.get_or_insert(from);
            }
        }
        let end = unquoted_end(bytes, from, rules);
        let Ok(counted) = u32::try_from(end - at) else {
            return Err(Stop::TooLong(at));
        };
        ends.push(counted);
        match bytes.get(end) {
            Some(byte) if *byte == rules.delimiter => from = end + 1,
            Some(byte) => {
                let pair = *byte == b'\r' && bytes.get(end + 1) == Some(&b'\n');
                if *byte == b'\r' && end + 1 == bytes.len() && !rules.last {
                    return Err(Stop::Incomplete); // half of a pair, perhaps
                }
                return Ok(Found { end, next: end + 1 + usize::from(pair), fault });
            }
            None if rules.last => return Ok(Found { end, next: end, fault }),
            None => return Err(Stop::Incomplete),
        }
    }
}

/// The byte after the quote that closes the one at `open`.
fn after_quoted(bytes: &[u8], open: usize, rules: Rules) -> Result<usize, Stop> {
    let mut from = open + 1;
    loop {
        match memchr::memchr(rules.quote, &bytes[from..]) {
            Some(closing) if bytes.get(from + closing + 1) == Some(&rules.quote) => from += closing + 2,
            Some(closing) => return Ok(from + closing + 1),
            None if rules.last => return Err(Stop::Unclosed(open)),
            None => return Err(Stop::Incomplete),
        }
    }
}

/// The next delimiter or line break, or the end. A quote that is not the first byte of its cell is a byte like others.
fn unquoted_end(bytes: &[u8], mut from: usize, rules: Rules) -> usize {
    loop {
        from = csv_special(bytes, from, rules.delimiter, rules.quote);
        match bytes.get(from) {
            Some(byte) if rules.quotes(*byte) => from += 1,
            _ => return from,
        }
    }
}
