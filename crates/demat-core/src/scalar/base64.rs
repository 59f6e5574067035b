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

/// The two digits of each twelve bits.
static PAIRS: [[u8; 2]; 4096] = {
    let mut pairs = [[0; 2]; 4096];
    let mut bits = 0;
    while bits < 4096 {
        pairs[bits] = [STANDARD[bits >> 6], STANDARD[bits & 63]];
        bits += 1;
    }
    pairs
};

/// Appends `bytes` to `out`, in the standard alphabet and padded: four characters for every three bytes or part of
/// three.
pub fn encode(bytes: &[u8], out: &mut String) {
    let mut text = Vec::new();
    append(bytes, &mut text);
    out.push_str(ascii(&text));
}

fn ascii(text: &[u8]) -> &str {
    core::str::from_utf8(text).expect("the alphabet is ASCII")
}

/// As [`encode`], for text that is written as bytes.
///
/// ```
/// use demat_core::scalar::base64;
///
/// let mut text = b"data:".to_vec();
/// base64::append(b"light work", &mut text);
/// assert_eq!(text, b"data:bGlnaHQgd29yaw==");
/// ```
pub fn append(bytes: &[u8], out: &mut Vec<u8>) {
    let before = out.len();
    out.resize(before + bytes.len().div_ceil(3) * 4, b'=');
    let (threes, rest) = bytes.as_chunks::<3>();
    let (digits, last) = out[before..].as_chunks_mut::<4>().0.split_at_mut(threes.len());
    for (&[a, b, c], digits) in threes.iter().zip(digits) {
        let bits = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
        let ([first, second], [third, fourth]) = (PAIRS[bits >> 12], PAIRS[bits & 0xFFF]);
        *digits = [first, second, third, fourth];
    }
    if let Some(last) = last.first_mut() {
        match *rest {
            [a] => last[..2].copy_from_slice(&PAIRS[usize::from(a) << 4]),
            [a, b] => {
                let bits = usize::from(a) << 16 | usize::from(b) << 8;
                last[..2].copy_from_slice(&PAIRS[bits >> 12]);
                last[2] = PAIRS[bits & 0xFFF][0];
            }
            _ => {}
        }
    }
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
