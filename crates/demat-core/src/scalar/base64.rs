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
