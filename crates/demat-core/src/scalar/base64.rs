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

/// The value of each byte: 0 to 63, or [`NONE`].
type Values = [u8; 256];

/// Marks bytes that are no digit: a bit that no value has, so that one test covers four digits.
const NONE: u8 = 0x80;

static STANDARD_VALUES: Values = values(STANDARD);
static URL_VALUES: Values = values(URL);

const fn values(alphabet: &[u8; 64]) -> Values {
    let mut values = [NONE; 256];
    let mut value = 0u8;
    while value < 64 {
        values[alphabet[value as usize] as usize] = value;
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
    let mut bytes = Vec::with_capacity(digits.len() - digits.len().div_ceil(4));
    let (fours, rest) = digits.as_chunks::<4>();
    for four in fours {
        let [_, three @ ..] = bits_of(*four, values)?.to_be_bytes();
        bytes.extend_from_slice(&three);
    }
    // A digit has six bits: two digits hold a byte and four excess bits, three hold two bytes and two excess bits.
    match *rest {
        [] => {}
        [a, b] => match bits_of([a, b, b'A', b'A'], values)?.to_be_bytes() {
            [_, one, 0, 0] => bytes.push(one),
            _ => return None,
        },
        [a, b, c] => match bits_of([a, b, c, b'A'], values)?.to_be_bytes() {
            [_, one, two, 0] => bytes.extend_from_slice(&[one, two]),
            _ => return None,
        },
        _ => return None,
    }
    Some(bytes)
}

/// Returns the 24 bits of four digits. `A` is the digit zero.
#[inline]
fn bits_of(digits: [u8; 4], values: &Values) -> Option<u32> {
    let [a, b, c, d] = digits.map(|digit| values[usize::from(digit)]);
    let bits = u32::from(a) << 18 | u32::from(b) << 12 | u32::from(c) << 6 | u32::from(d);
    ((a | b | c | d) & NONE == 0).then_some(bits)
}
