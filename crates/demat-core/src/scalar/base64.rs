//! **Base64** (RFC 4648 §4, and §5 for reading): bytes as text, for formats that have only text.
//!
//! Strict, so that each sequence of bytes has exactly one text: no line breaks or spaces, no byte of another alphabet,
//! complete padding, and zeros in the excess bits of the last digit (RFC 4648 §3.5).
//!
//! ```
//! use demat_core::scalar::base64;
//!
//! let mut text = String::new();
//! base64::encode(b"light work", &mut text);
//! assert_eq!(text, "bGlnaHQgd29yaw==");
//! assert_eq!(base64::decode(&text).as_deref(), Some(&b"light work"[..]));
//! assert_eq!(base64::decode("bGlnaHQgd29yaw"), None);
//! assert_eq!(base64::decode("bGlnaHQgd29yax=="), None);
//! ```

#[cfg(test)]
mod tests;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The bits of each byte as the first, second, third and fourth of four digits: where they stand in the three bytes,
/// which are the low bytes of a word. Four look-ups and three `|` decode four digits.
type Values = [[u32; 256]; 4];

/// Marks bytes that are no digit: a bit beyond those of the three bytes, so that one test covers many digits.
const NONE: u32 = 1 << 31;

static STANDARD_VALUES: Values = values(STANDARD);
static URL_VALUES: Values = values(URL);

const fn values(alphabet: &[u8; 64]) -> Values {
    let mut values = [[NONE; 256]; 4];
    let mut value = 0u32;
    while value < 64 {
        let digit = alphabet[value as usize] as usize;
        let mut place = 0;
        while place < 4 {
            let [_, one, two, three] = (value << (18 - 6 * place)).to_be_bytes();
            values[place][digit] = u32::from_le_bytes([one, two, three, 0]);
            place += 1;
        }
        value += 1;
    }
    values
}

/// The number of bytes encoded at a time: enough that checking and appending the text costs next to nothing per byte.
const BLOCK: usize = 384;

/// Appends `bytes` to `out`, in the standard alphabet and padded: four characters for every three bytes or part of
/// three.
pub fn encode(bytes: &[u8], out: &mut String) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    for block in bytes.chunks(BLOCK) {
        let mut text = [b'='; BLOCK / 3 * 4];
        let mut length = 0;
        // `BLOCK` is a multiple of three, so only the last group of the last block can be short.
        for (group, digits) in block.chunks(3).zip(text.chunks_exact_mut(4)) {
            encode_group(group, digits);
            length += 4;
        }
        append(&text[..length], out);
    }
}

/// Encodes one to three bytes as two to four digits. The rest of the four digits is unchanged.
#[inline]
fn encode_group(group: &[u8], digits: &mut [u8]) {
    let byte = |place: usize| group.get(place).map_or(0, |byte| u32::from(*byte));
    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (place, digit) in digits.iter_mut().take(group.len() + 1).enumerate() {
        *digit = STANDARD[(bits >> (18 - 6 * place)) as usize & 63];
    }
}

fn append(ascii: &[u8], out: &mut String) {
    out.push_str(core::str::from_utf8(ascii).expect("the alphabet is ASCII"));
}

/// Decodes a padded text in the standard alphabet; `None` for any other text.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    decode_digits(without_padding(text.as_bytes())?, &STANDARD_VALUES)
}

/// Decodes a text in the alphabet safe for URLs and file names (RFC 4648 §5), padded or not.
///
/// ```
/// use demat_core::scalar::base64;
///
/// assert_eq!(base64::decode_url("-_8="), Some(vec![0xfb, 0xff]));
/// assert_eq!(base64::decode_url("-_8"), Some(vec![0xfb, 0xff]));
/// assert_eq!(base64::decode_url("+/8="), None);
/// ```
pub fn decode_url(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let digits = if bytes.ends_with(b"=") { without_padding(bytes)? } else { bytes };
    decode_digits(digits, &URL_VALUES)
}

/// Returns the digits of a padded text. Strips at most two `=` at the end; any further `=` is no digit and is refused
/// later.
fn without_padding(text: &[u8]) -> Option<&[u8]> {
    match text {
        _ if !text.len().is_multiple_of(4) => None,
        [digits @ .., b'=', b'='] | [digits @ .., b'='] | digits => Some(digits),
    }
}

fn decode_digits(digits: &[u8], values: &Values) -> Option<Vec<u8>> {
    let mut bytes = vec![0; digits.len() - digits.len().div_ceil(4)];
    let (fours, rest) = digits.as_chunks::<4>();
    let (threes, last) = bytes.as_chunks_mut::<3>();
    // Two fours at a time: their bytes are stored by two stores instead of four.
    let (pairs, single) = fours.as_chunks::<2>();
    let (sixes, three) = threes.as_chunks_mut::<2>();
    let mut all = 0;
    for ([one, other], six) in pairs.iter().zip(sixes) {
        let (one, other) = (bits_of(*one, values), bits_of(*other, values));
        all |= one | other;
        let both = (u64::from(one & !NONE) | u64::from(other) << 24).to_le_bytes();
        let (both, _) = both.as_chunks::<3>();
        *six = [both[0], both[1]];
    }
    for (four, three) in single.iter().zip(three) {
        let bits = bits_of(*four, values);
        all |= bits;
        let [a, b, c, _] = bits.to_le_bytes();
        *three = [a, b, c];
    }
    // A digit has six bits: two digits hold a byte and four excess bits, three hold two bytes and two excess bits.
    // `A` is the digit zero.
    let bits = match *rest {
        [] => 0,
        [a, b] => bits_of([a, b, b'A', b'A'], values),
        [a, b, c] => bits_of([a, b, c, b'A'], values),
        _ => return None,
    };
    let ends = bits.to_le_bytes();
    last.copy_from_slice(ends.get(..last.len())?);
    let excess = ends[last.len()..].iter().any(|byte| *byte != 0);
    (all & NONE == 0 && !excess).then_some(bytes)
}

/// Returns the three bytes of four digits, the first in the lowest byte; with the bit [`NONE`] if one is no digit.
#[inline(always)]
fn bits_of([a, b, c, d]: [u8; 4], values: &Values) -> u32 {
    values[0][usize::from(a)] | values[1][usize::from(b)] | values[2][usize::from(c)] | values[3][usize::from(d)]
}
