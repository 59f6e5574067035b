//! Writes text as JSON strings: copies it and searches it for escapes in one pass.

use super::append::room;
use super::class::{Class, mask16};
use super::json_string::StringEnd;
use super::level::{Level, level};
use super::portable::Portable;
use super::prefix::padded16;
use super::vector::Vector;

/// The escape of each ASCII byte that needs one: two bytes, or six if the second is `u`. The rest is padding, so that
/// all escapes are stored in the same way.
pub(crate) static ESCAPES: [[u8; 8]; 128] = {
    let mut escapes = [*b"\\u0000  "; 128];
    let mut byte = 0;
    while byte < 128 {
        let digits = b"0123456789abcdef";
        escapes[byte][4] = digits[byte >> 4];
        escapes[byte][5] = digits[byte & 0xf];
        byte += 1;
    }
    let short = [(b'"', b'"'), (b'\\', b'\\'), (8, b'b'), (12, b'f'), (b'\n', b'n'), (b'\r', b'r'), (b'\t', b't')];
    let mut index = 0;
    while index < short.len() {
        escapes[short[index].0 as usize][1] = short[index].1;
        index += 1;
    }
    escapes
};

/// Returns the length of an escape.
#[inline(always)]
pub(crate) fn escape_len(escape: &[u8; 8]) -> usize {
    if escape[1] == b'u' { 6 } else { 2 }
}

/// Appends text in quotes, with escapes where necessary; before it a comma, if `comma` is set, and behind it the byte
/// `then`, if there is one.
///
/// Most text is a word or two without escapes. So short text is put between its quotes in one register, or in two that
/// overlap, and stored as a whole.
#[inline(always)]
pub(crate) fn append_json_quoted(out: &mut Vec<u8>, text: &str, comma: bool, then: Option<u8>) {
    let text = text.as_bytes();
    let len = text.len();
    let (before, behind) = (usize::from(comma) + 1, 1 + usize::from(then.is_some()));
    let end = [b'"', then.unwrap_or_default()];
    if len < 16 {
        let block = padded16(text, 0).to_le_bytes();
        // The padding looks like control characters, so its first byte ends the text.
        if (mask16(StringEnd, &block) | 1 << len).trailing_zeros() as usize == len {
            let to = room(out, 24);
            // SAFETY: there is room for 24 bytes. The block ends at `before + 16 <= 18`, and what follows the text at
            // `before + len + 2 <= 19`. Up to there, or one less with nothing behind, all bytes were stored.
            unsafe {
                to.cast::<[u8; 2]>().write(if comma { *b",\"" } else { *b"\"\"" });
                to.add(before).cast::<[u8; 16]>().write(block);
                to.add(before + len).cast::<[u8; 2]>().write(end);
                out.set_len(out.len() + before + len + behind);
            }
            return;
        }
    } else if len <= 32
        && let (Some(first), Some(last)) = (text.first_chunk::<16>(), text.last_chunk::<16>())
        && mask16(StringEnd, first) | mask16(StringEnd, last) == 0
    {
        let to = room(out, 40);
        // SAFETY: there is room for 40 bytes, and the last store ends at `before + len + 2 <= 36`. The two blocks are
        // all of the text, so all bytes up to there, or one less with nothing behind, were stored.
        unsafe {
            to.cast::<[u8; 2]>().write(if comma { *b",\"" } else { *b"\"\"" });
            to.add(before).cast::<[u8; 16]>().write(*first);
            to.add(before + len - 16).cast::<[u8; 16]>().write(*last);
            to.add(before + len).cast::<[u8; 2]>().write(end);
            out.set_len(out.len() + before + len + behind);
        }
        return;
    }
    append_long(out, text, comma, then);
}

#[inline(never)]
fn append_long(out: &mut Vec<u8>, text: &[u8], comma: bool, then: Option<u8>) {
    if comma {
        out.push(b',');
    }
    out.push(b'"');
    // SAFETY: `level` only returns an available one.
    unsafe { append_escaped_at(level(), out, text) }
    out.push(b'"');
    out.extend(then);
}

/// Appends text with escapes where necessary, at a given level.
///
/// # Safety
/// The level is available.
#[inline(always)]
pub(super) unsafe fn append_escaped_at(level: Level, out: &mut Vec<u8>, text: &[u8]) {
    debug_assert!(level.available());
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller guarantees that the level is available: the machine has AVX2 and its companions.
        Level::Avx2 => unsafe { append_escaped_avx2(out, text) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86_64 has SSE2.
        Level::Sse2 => unsafe { append_escaped_with::<std::arch::x86_64::__m128i>(out, text) },
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // SAFETY: the target has NEON.
        Level::Neon => unsafe { append_escaped_with::<std::arch::aarch64::uint8x16_t>(out, text) },
        // SAFETY: every machine runs plain Rust.
        _ => unsafe { append_escaped_with::<Portable>(out, text) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn append_escaped_avx2(out: &mut Vec<u8>, text: &[u8]) {
    // SAFETY: AVX2 is enabled for this function, so every caller has it.
    unsafe { append_escaped_with::<std::arch::x86_64::__m256i>(out, text) }
}

/// The room that is kept beyond the remaining text: for the rest of a vector, or for an escape.
const SLACK: usize = 32;

/// Each vector is stored unchanged. Then the length that counts is found: all of it, or up to the next escape.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn append_escaped_with<V: Vector>(out: &mut Vec<u8>, text: &[u8]) {
    const { assert!(V::BYTES <= SLACK) };
    let len = text.len();
    let mut at = 0;
    let mut to = room(out, len + SLACK);
    // The number of bytes stored since the length of `out` was set.
    let mut stored = 0;
    // SAFETY: the caller guarantees that the machine has `V`. Loads are of `V::BYTES` bytes where at least that many
    // are left. Throughout, `to` is `stored` bytes behind the end of `out`, and behind it there is room for the
    // `len - at` bytes that are left and `SLACK` more: text takes as many bytes as it has, so that this stays true; for
    // an escape, which is longer than its byte, it is made true again. A store is of a vector, sixteen bytes or eight,
    // and `SLACK` is more.
    unsafe {
        while at < len {
            let run = if len - at >= V::BYTES {
                let block = V::load(text.as_ptr().add(at));
                block.store(to);
                let mask = StringEnd.test(block).mask();
                if mask == 0 {
                    (at, to, stored) = (at + V::BYTES, to.add(V::BYTES), stored + V::BYTES);
                    continue;
                }
                mask.trailing_zeros() as usize
            } else {
                let block = padded16(text, at).to_le_bytes();
                to.cast::<[u8; 16]>().write(block);
                let run = (mask16(StringEnd, &block) | 1 << 16).trailing_zeros() as usize;
                let left = (len - at).min(16);
                if run >= left {
                    (at, to, stored) = (at + left, to.add(left), stored + left);
                    continue;
                }
                run
            };
            // The mask has a bit for this byte only if it is ASCII.
            let escape = &ESCAPES[usize::from(text[at + run] & 0x7f)];
            to.add(run).cast::<[u8; 8]>().write(*escape);
            out.set_len(out.len() + stored + run + escape_len(escape));
            at += run + 1;
            stored = 0;
            to = room(out, len - at + SLACK);
        }
        out.set_len(out.len() + stored);
    }
}
