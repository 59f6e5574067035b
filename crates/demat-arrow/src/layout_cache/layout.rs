use super::append::Target;
use demat_formats::proto::read_varint;
use demat_formats::scan::prefetch_at;

/// The positions of everything in a message, including its length.
#[derive(Debug)]
pub(super) struct Layout {
    /// The length of the message in bytes.
    pub(super) len: usize,
    /// The bytes that identify the layout.
    words: Vec<Word>,
    /// The cache lines of these bytes and of the values.
    lines: Vec<usize>,
    /// Begin and end of each target's value.
    pub(super) places: Vec<(usize, usize)>,
}

/// Eight bytes at an offset, and the bits of them that matter.
#[derive(Debug, Clone, Copy)]
struct Word {
    at: usize,
    bits: u64,
    mask: u64,
}

/// The maximum number of such words in a layout.
const MOST: usize = 32;
const WIDTH: usize = size_of::<u64>();
/// The size of a cache line in bytes.
const LINE: usize = 64;
/// From this length on, most of a message is not inspected.
const FAR: usize = 512;
/// The number of messages, or of multiples of that length, to prefetch ahead.
const AHEAD: usize = 8;

impl Layout {
    /// Returns the layout of a message. The message must be well-formed and have each wanted field exactly once.
    pub(super) fn of(message: &[u8], targets: &[Target]) -> Option<Self> {
        let mut mask = vec![0; message.len()];
        let mut places = vec![(0, 0); targets.len()];
        let (len, mut at) = read_varint(message)?;
        if len != (message.len() - at) as u64 || message.len() < WIDTH {
            return None;
        }
        mask[..at].fill(u8::MAX);
        while at < message.len() {
            let (tag, read) = read_varint(&message[at..])?;
            mask[at..at + read].fill(u8::MAX);
            at += read;
            let begin = match tag & 7 {
                2 => {
                    let (_, read) = read_varint(&message[at..])?;
                    mask[at..at + read].fill(u8::MAX);
                    at + read
                }
                _ => at,
            };
            let end = match tag & 7 {
                0 => {
                    let (_, read) = read_varint(&message[at..])?;
                    mask[at..at + read].fill(0x80);
                    at + read
                }
                1 => at + 8,
                2 => begin.checked_add(usize::try_from(read_varint(&message[at..])?.0).ok()?)?,
                5 => at + 4,
                _ => return None,
            };
            if end > message.len() || tag < 8 || tag > u64::from(u32::MAX) || read > 5 {
                return None;
            }
            if let Some(target) = targets.iter().position(|target| u64::from(target.number) == tag >> 3) {
                // The last occurrence of a repeated field wins, which only the source handles.
                if places[target] != (0, 0) || targets[target].wire != tag & 7 {
                    return None;
                }
                places[target] = (begin, end);
            }
            at = end;
        }
        let words = words(message, &mask);
        let seen = words.iter().map(|word| word.at).chain(places.iter().map(|(begin, _)| *begin));
        let mut lines: Vec<usize> = seen.map(|at| at / LINE * LINE).collect();
        lines.sort_unstable();
        lines.dedup();
        let is_known = words.len() <= MOST && !places.contains(&(0, 0));
        is_known.then_some(Self { len: message.len(), words, lines, places })
    }

    /// Prefetches the inspected parts of later messages, assuming that they have the same layout.
    #[inline(always)]
    pub(super) fn prefetch(&self, bytes: &[u8], at: usize) {
        if self.len < FAR {
            return prefetch_at(bytes, at.wrapping_add(AHEAD * FAR));
        }
        let next = at.wrapping_add(AHEAD * self.len);
        self.lines.iter().for_each(|line| prefetch_at(bytes, next.wrapping_add(*line)));
    }

    /// Whether a message with this layout begins there.
    #[inline(always)]
    pub(super) fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        let Some(message) = bytes.get(at..at + self.len) else { return false };
        let differs = |word: &Word| {
            message
                .get(word.at..)
                .and_then(<[u8]>::first_chunk)
                .map_or(u64::MAX, |found| (u64::from_le_bytes(*found) ^ word.bits) & word.mask)
        };
        self.words.iter().fold(0, |all, word| all | differs(word)) == 0
    }
}

/// Returns the words of a message that have significant bits. The last one may overlap the one before.
fn words(message: &[u8], mask: &[u8]) -> Vec<Word> {
    let begins = (0..message.len()).step_by(WIDTH).map(|at| at.min(message.len() - WIDTH));
    let word = |bytes: &[u8], at: usize| bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let words = begins.map(|at| Word { at, bits: word(message, at), mask: word(mask, at) });
    words.filter(|word| word.mask != 0).collect()
}
