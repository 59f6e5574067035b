//! Writes text as JSON strings: copies it and searches it for escapes in one pass.

use super::class::{Class, mask16};
use super::json_string::StringEnd;
use super::level::{Level, level};
use super::portable::Portable;
use super::prefix::padded16;
use super::room::Room;
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
pub(crate) fn append_json_quoted(out: &mut impl Room, text: &str, comma: bool, then: Option<u8>) {
    let text = text.as_bytes();
    let len = text.len();
    let (before, behind) = (usize::from(comma) + 1, 1 + usize::from(then.is_some()));
    let end = [b'"', then.unwrap_or_default()];
    if len < 16 {
        let block = padded16(text, 0).to_le_bytes();
        // The padding looks like control characters, so its first byte ends the text.
        if (mask16(StringEnd, &block) | 1 << len).trailing_zeros() as usize == len {
            let to = out.room(24);
            // SAFETY: there is room for 24 bytes. The block ends at `before + 16 <= 18`, and what follows the text at
            // `before + len + 2 <= 19`. Up to there, or one less with nothing behind, all bytes were stored.
            unsafe {
                to.cast::<[u8; 2]>().write(if comma { *b",\"" } else { *b"\"\"" });
                to.add(before).cast::<[u8; 16]>().write(block);
                to.add(before + len).cast::<[u8; 2]>().write(end);
                out.count(before + len + behind);
            }
            return;
        }
    } else if len <= 32
        && let (Some(first), Some(last)) = (text.first_chunk::<16>(), text.last_chunk::<16>())
        && mask16(StringEnd, first) | mask16(StringEnd, last) == 0
    {
        let to = out.room(40);
        // SAFETY: there is room for 40 bytes, and the last store ends at `before + len + 2 <= 36`. The two blocks are
        // all of the text, so all bytes up to there, or one less with nothing behind, were stored.
        unsafe {
            to.cast::<[u8; 2]>().write(if comma { *b",\"" } else { *b"\"\"" });
            to.add(before).cast::<[u8; 16]>().write(*first);
            to.add(before + len - 16).cast::<[u8; 16]>().write(*last);
            to.add(before + len).cast::<[u8; 2]>().write(end);
            out.count(before + len + behind);
        }
        return;
    }
    out.append(|out| append_long(out, text, comma, then));
}

#[inline(never)]
fn append_long(out: &mut Vec<u8>, text: &[u8], comma: bool, then: Option<u8>) {
    if text.len() <= SHORT {
        return append_middle(out, text, comma, then);
    }
    // For the quotes as well, so that none of them has to ask again.
    let _ = out.room(text.len() + SLACK + 4);
    if comma {
        out.push(b',');
    }
    out.push(b'"');
    // SAFETY: `level` only returns an available one.
    unsafe { append_escaped_at(level(), out, text) }
    out.push(b'"');
    out.extend(then);
}

/// Appends text of at most [`SHORT`] bytes, and what is around it. Where its end is stands in a register, not in the
/// vector, from which each step would have to load it again.
#[inline(always)]
fn append_middle(out: &mut Vec<u8>, text: &[u8], comma: bool, then: Option<u8>) {
    let len = text.len();
    let begin = out.room(SHORT + 4);
    // SAFETY: there is room for the text and for at most two bytes before and two behind it, which are all stored.
    let is_plain = len >= 16 && unsafe { store_plain(begin.add(usize::from(comma) + 1), text) };
    let begin = if is_plain { begin } else { out.room(len * LONGEST + 24) };
    // SAFETY: there is room for the text as it is written, for 16 bytes that are stored beyond its end, and for what is
    // around it. All of these but what is beyond the end were stored.
    unsafe {
        begin.write(if comma { b',' } else { b'"' });
        let to = begin.add(usize::from(comma));
        to.write(b'"');
        let to = to.add(1);
        let to = match len {
            _ if is_plain => to.add(len),
            ..16 => store_each(to, text),
            _ => store_short(to, text),
        };
        to.cast::<[u8; 2]>().write([b'"', then.unwrap_or_default()]);
        let behind = 1 + usize::from(then.is_some());
        out.set_len(out.len() + to.offset_from_unsigned(begin) + behind);
    }
}

/// The length up to which text is written without the vectors that only some machines have.
const SHORT: usize = 64;

/// What each byte is written as, and in the last byte how many of these there are.
static WRITTEN: [[u8; 8]; 256] = {
    let mut written = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte < 32 || byte == b'"' as usize || byte == b'\\' as usize {
            written[byte] = ESCAPES[byte];
            written[byte][7] = if ESCAPES[byte][1] == b'u' { 6 } else { 2 };
        } else {
            written[byte][0] = byte as u8;
            written[byte][7] = 1;
        }
        byte += 1;
    }
    written
};

/// Stores short text with escapes where necessary: each byte by a table, without a branch. A vector would be loaded
/// from bytes that were just stored one by one, and wait for them. Returns the end.
///
/// # Safety
/// There is room for [`LONGEST`] bytes for each byte of the text, and 8 more.
#[inline(always)]
unsafe fn store_each(mut to: *mut u8, text: &[u8]) -> *mut u8 {
    for byte in text {
        let written = WRITTEN[usize::from(*byte)];
        // SAFETY: as the caller guarantees; so many bytes at most were stored for those before.
        unsafe {
            to.cast::<[u8; 8]>().write(written);
            to = to.add(usize::from(written[7]));
        }
    }
    to
}

/// Stores 16 to [`SHORT`] bytes that need no escape, by four blocks that overlap. Returns false if one is needed.
///
/// # Safety
/// There is room for as many bytes as the text has.
#[inline(always)]
unsafe fn store_plain(to: *mut u8, text: &[u8]) -> bool {
    let len = text.len();
    let mut marks = 0;
    // Between the first and the last block there are at most two more, which lie before the last, or before the end.
    // They cover up to 64 bytes, which are all of the text.
    for at in [0, 16.min(len - 16), len.saturating_sub(32), len - 16] {
        let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk::<16>) else { return false };
        marks |= mask16(StringEnd, block);
        // SAFETY: as the caller guarantees; the block is within the text.
        unsafe { to.add(at).cast::<[u8; 16]>().write(*block) };
    }
    marks == 0
}

/// Stores 16 to [`SHORT`] bytes with escapes where necessary. Returns the end.
///
/// Each block begins behind the last escape: it is stored before it is known how much of it counts, so that there is no
/// branch on the distance to the next one.
///
/// # Safety
/// There is room for [`LONGEST`] bytes for each byte of the text, and 16 more. The text has at least 16 bytes.
#[inline(always)]
unsafe fn store_short(mut to: *mut u8, text: &[u8]) -> *mut u8 {
    let len = text.len();
    let mut at = 0;
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk::<16>) {
        let run = (mask16(StringEnd, block) | 1 << 16).trailing_zeros() as usize;
        // SAFETY: as the caller guarantees: `at` took `LONGEST` bytes for each at most, and 16 are stored. An escape takes one byte of the text, and no more than eight are stored for it.
        unsafe {
            to.cast::<[u8; 16]>().write(*block);
            to = to.add(run);
            at += run;
            if run < 16 {
                let written = WRITTEN[usize::from(block[run])];
                to.cast::<[u8; 8]>().write(written);
                to = to.add(usize::from(written[7]));
                at += 1;
            }
        }
    }
    // Of less than 16 bytes, all the escapes come from one mask. They are the last of a block that the text has.
    let (before, left) = (16 - (len - at), len - at);
    if let (1.., Some(last)) = (left, text.last_chunk::<16>()) {
        let mut mask = mask16(StringEnd, last) >> before;
        let mut padded = [0; 32];
        padded[..16].copy_from_slice(last);
        // What was copied of these bytes, with the escapes.
        let mut done = 0;
        let piece = |done: usize| padded[before + done..].first_chunk::<16>().copied().unwrap_or_default();
        // SAFETY: as above. `done` is 16 at most, and `before + done` as well.
        unsafe {
            while mask != 0 {
                let run = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                to.cast::<[u8; 16]>().write(piece(done));
                to = to.add(run - done);
                let written = WRITTEN[usize::from(text[at + run])];
                to.cast::<[u8; 8]>().write(written);
                to = to.add(usize::from(written[7]));
                done = run + 1;
            }
            to.cast::<[u8; 16]>().write(piece(done));
            to = to.add(left - done);
        }
    }
    to
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

/// How many bytes are tested at once: a bit for each makes a word.
const BLOCK: usize = 64;
/// How many bytes there is room for beyond the text that is left: what the last vectors are stored over.
const SLACK: usize = 64;

/// The longest escape: `\u0001`.
const LONGEST: usize = 6;

/// Appends text with escapes where necessary.
///
/// Most text has none. So whole vectors are copied as long as they have none; the last one overlaps the one before it.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn append_escaped_with<V: Vector>(out: &mut Vec<u8>, text: &[u8]) {
    let (from, len) = (text.as_ptr(), text.len());
    let to = out.room(len + SLACK);
    let mut at = 0;
    // SAFETY: the caller says that the machine has `V`. Every vector lies within the `len` bytes of the text, and is stored
    // at the same offset in as much room.
    unsafe {
        while len - at >= 2 * V::BYTES {
            let (first, second) = (V::load(from.add(at)), V::load(from.add(at + V::BYTES)));
            if StringEnd.test(first).or(StringEnd.test(second)).mask() != 0 {
                break;
            }
            first.store(to.add(at));
            second.store(to.add(at + V::BYTES));
            at += 2 * V::BYTES;
        }
        if len - at >= V::BYTES && len - at < 2 * V::BYTES {
            let last = len - V::BYTES;
            let (first, second) = (V::load(from.add(at)), V::load(from.add(last)));
            if StringEnd.test(first).or(StringEnd.test(second)).mask() == 0 {
                first.store(to.add(at));
                second.store(to.add(last));
                at = len;
            }
        } else if len - at < V::BYTES && at > 0 {
            let last = V::load(from.add(len - V::BYTES));
            if StringEnd.test(last).mask() == 0 {
                last.store(to.add(len - V::BYTES));
                at = len;
            }
        }
        out.set_len(out.len() + at);
        if at < len {
            append_escaping::<V>(out, &text[at..]);
        }
    }
}

/// Appends text that has escapes.
///
/// The positions of all escapes of a block come from one mask, so finding the next escape does not wait for the last one
/// to be written. What is between two of them is stored by whole vectors, of which the rest is overwritten.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn append_escaping<V: Vector>(out: &mut Vec<u8>, text: &[u8]) {
    const { assert!(V::BYTES <= SLACK && BLOCK.is_multiple_of(V::BYTES)) };
    // The last bytes of the text, with bytes behind them that can be loaded.
    let mut tail = [0; 2 * BLOCK + SLACK];
    let (mut from, mut at, mut len) = (text.as_ptr(), 0, text.len());
    // Copies bytes by vectors.
    let copy = |from: *const u8, to: *mut u8, count: usize| {
        let mut done = 0;
        loop {
            // SAFETY: the caller has the vectors. There are `SLACK` bytes more to read and to write than are copied.
            unsafe { V::load(from.add(done)).store(to.add(done)) };
            done += V::BYTES;
            if done >= count {
                break;
            }
        }
    };
    // SAFETY: the caller says that the machine has `V`.
    // Loads: `from` has `len` bytes. As long as that is the text, `BLOCK + SLACK` bytes are left, and what is loaded begins
    // in the first `BLOCK` of these. Then it is `tail`, which has `SLACK` bytes behind the less than `BLOCK + SLACK`.
    // Stores: there is room for `LONGEST` bytes for each of the block and for `SLACK` more; what is stored begins before
    // the end of the former, and is a vector or eight bytes.
    unsafe {
        loop {
            if len - at < BLOCK + SLACK && from == text.as_ptr() {
                let left = len - at;
                tail[..left].copy_from_slice(&text[at..]);
                (from, at, len) = (tail.as_ptr(), 0, left);
            }
            if at == len {
                return;
            }
            let block = from.add(at);
            let count = BLOCK.min(len - at);
            let mut mask = 0;
            for part in 0..BLOCK / V::BYTES {
                mask |= StringEnd.test(V::load(block.add(part * V::BYTES))).mask() << (part * V::BYTES);
            }
            mask &= u64::MAX >> (64 - count);
            let begin = out.room(LONGEST * BLOCK + SLACK);
            // What was copied of the block, with the escapes.
            let (mut to, mut done) = (begin, 0);
            while mask != 0 {
                let run = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                copy(block.add(done), to, run - done);
                to = to.add(run - done);
                let written = WRITTEN[usize::from(block.add(run).read())];
                to.cast::<[u8; 8]>().write(written);
                to = to.add(usize::from(written[7]));
                done = run + 1;
            }
            copy(block.add(done), to, count - done);
            to = to.add(count - done);
            out.set_len(out.len() + to.offset_from_unsigned(begin));
            at += count;
        }
    }
}
