//! Reads JSON strings with escapes: copies them and searches them for escapes in one pass.

use super::json_plain::json_plain_run;

/// What each byte stands for behind a backslash; 0 for `u`, and for those that stand for nothing.
pub(crate) static ESCAPED: [u8; 256] = {
    let mut escaped = [0; 256];
    let known = [(b'"', b'"'), (b'\\', b'\\'), (b'/', b'/'), (b'b', 8), (b'f', 12), (b'n', 10), (b'r', 13), (b't', 9)];
    let mut index = 0;
    while index < known.len() {
        escaped[known[index].0 as usize] = known[index].1;
        index += 1;
    }
    escaped
};

/// The values of the hexadecimal digits. Other bytes have a bit that no value has.
pub(crate) static HEX: [u8; 256] = {
    let mut values = [0x80; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value] as usize] = value as u8;
        values[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    values
};

/// The most bytes that one step of [`append_unescaped`] stores: a block, and the character of the escape behind it.
const STEP: usize = 16 + 4;

/// Appends what it can find by blocks of 16 bytes, escapes included, and returns where that ends. It leaves all else to
/// the caller: the end, faults, text beyond ASCII, and the last 32 bytes of the input.
///
/// A block is stored before it is known how much of it counts. So there is no branch on the distance to the next escape,
/// which nobody can predict.
pub(crate) fn append_unescaped(bytes: &[u8], from: usize, out: &mut String) -> usize {
    // SAFETY: only ASCII bytes and the UTF-8 of characters are appended.
    let out = unsafe { out.as_mut_vec() };
    let mut at = from;
    loop {
        out.reserve(16 * STEP);
        // SAFETY: this is at most `STEP` bytes before the end of the allocation, which has that many.
        let last = unsafe { out.as_mut_ptr().add(out.capacity() - STEP) };
        // SAFETY: the length is at most the capacity.
        let mut to = unsafe { out.as_mut_ptr().add(out.len()) };
        let is_full = loop {
            if to > last {
                break true;
            }
            let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<32>) else { break false };
            let (first, _) = block.split_first_chunk::<16>().unwrap_or((&[0; 16], &[]));
            let run = json_plain_run(first);
            // SAFETY: there is room for `STEP` bytes, of which these are the first 16; `run` is 16 at most.
            unsafe {
                to.cast::<[u8; 16]>().write(*first);
                to = to.add(run);
            }
            at += run;
            if run == 16 {
                continue;
            }
            let Some(escape) = block[run..].first_chunk::<16>() else { break false };
            let Some((character, len, width)) = escaped_in(escape) else { break false };
            // SAFETY: behind the first 16 bytes of `STEP` there are four, and `len` is four at most.
            unsafe {
                to.cast::<[u8; 4]>().write(character);
                to = to.add(len);
            }
            at += width;
        };
        // SAFETY: `to` is in the allocation, and all bytes before it were stored.
        unsafe { out.set_len(to.offset_from_unsigned(out.as_ptr())) };
        if !is_full {
            return at;
        }
    }
}

/// Returns the UTF-8 of the escape at the start of the bytes, its length, and that of the escape. `None` if there is
/// none that is valid.
#[inline(always)]
fn escaped_in(bytes: &[u8; 16]) -> Option<([u8; 4], usize, usize)> {
    let [b'\\', mark, digits @ ..] = bytes else { return None };
    let simple = ESCAPED[usize::from(*mark)];
    if simple != 0 {
        return Some(([simple, 0, 0, 0], 1, 2));
    }
    if *mark != b'u' {
        return None;
    }
    let unit = hex4_in(digits.first_chunk()?)?;
    if unit & 0xf800 == 0xd800 {
        return pair_in(unit, digits);
    }
    // Its UTF-8, once as if it were two bytes long and once as if three: which one counts can't be predicted.
    let three = 0x0080_80e0 | unit >> 12 | (unit >> 6 & 0x3f) << 8 | (unit & 0x3f) << 16;
    let two = 0x80c0 | unit >> 6 | (unit & 0x3f) << 8;
    let several = if unit < 0x800 { two } else { three };
    let word = if unit < 0x80 { unit } else { several };
    Some((word.to_le_bytes(), 1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800), 6))
}

/// As [`escaped_in`], for a surrogate whose digits are at the start of the bytes, and the second one of its pair.
#[inline(never)]
fn pair_in(high: u32, bytes: &[u8; 14]) -> Option<([u8; 4], usize, usize)> {
    let [_, _, _, _, b'\\', b'u', digits @ ..] = bytes else { return None };
    let low = hex4_in(digits.first_chunk()?)?;
    if high >= 0xdc00 || low & 0xfc00 != 0xdc00 {
        return None;
    }
    let mut utf8 = [0; 4];
    char::from_u32(0x1_0000 + (high - 0xd800) * 0x400 + (low - 0xdc00))?.encode_utf8(&mut utf8);
    Some((utf8, 4, 12))
}

/// Returns the value of four hexadecimal digits.
#[inline(always)]
fn hex4_in(digits: &[u8; 4]) -> Option<u32> {
    let [first, second, third, last] = digits.map(|digit| u32::from(HEX[usize::from(digit)]));
    ((first | second | third | last) & 0x80 == 0).then_some(first << 12 | second << 8 | third << 4 | last)
}
