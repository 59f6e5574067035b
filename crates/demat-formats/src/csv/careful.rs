//! The slow, exact way to split a row into cells: it handles every use of quotes. The index calls it where its fast
//! sweep stops.

use super::fault::Stop;
use super::row::Rules;
use crate::scan::csv_special;

/// The end of a row that was split exactly.
pub(super) struct Found {
    /// The end of its last cell.
    pub(super) end: usize,
    /// The start of the next row.
    pub(super) next: usize,
    /// The position of text after a closing quote, if there is any.
    pub(super) fault: Option<usize>,
}

/// Splits the row at `at`, and appends the ends of its cells relative to `at`.
///
/// Text after a closing quote makes the row faulty, but its end is still found: the text up to the next delimiter
/// belongs to the cell. An unclosed quote is an error, since the row has no end then.
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
                    return Err(Stop::Incomplete); // possibly the first half of `\r\n`
                }
                return Ok(Found { end, next: end + 1 + usize::from(pair), fault });
            }
            None if rules.last => return Ok(Found { end, next: end, fault }),
            None => return Err(Stop::Incomplete),
        }
    }
}

/// Returns the position after the quote that closes the one at `open`.
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

/// Returns the position of the next delimiter or line break, or the end. Here, a quote within a cell is an ordinary
/// byte.
fn unquoted_end(bytes: &[u8], mut from: usize, rules: Rules) -> usize {
    loop {
        from = csv_special(bytes, from, rules.delimiter, rules.quote);
        match bytes.get(from) {
            Some(byte) if rules.quotes(*byte) => from += 1,
            _ => return from,
        }
    }
}
