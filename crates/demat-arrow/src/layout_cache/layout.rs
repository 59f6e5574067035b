use super::append::Target;
use demat_formats::proto::read_varint;
use demat_formats::scan::prefetch_at;

/// Where everything stands in a message, its length included.
#[derive(Debug)]
pub(super) struct Layout {
    /// How many bytes it has.
    pub(super) len: usize,
    /// The places that say so.
    words: Vec<Word>,
    /// The parts of it that are looked at, as a machine has them.
    lines: Vec<usize>,
    /// Where the value of each target begins and ends.
    pub(super) places: Vec<(usize, usize)>,
}

/// Eight bytes at a place, and which of their bits count.
#[derive(Debug, Clone, Copy)]
struct Word {
    at: usize,
    bits: u64,
    mask: u64,
}

/// A message of more such places is none that is found so.
const MOST: usize = 32;
const WIDTH: usize = size_of::<u64>();
/// So many bytes a machine takes at once.
const LINE: usize = 64;
/// Of messages so long most is not looked at.
const FAR: usize = 512;
/// So many messages ahead, or so many times that length, the machine is told what is looked at next.
const AHEAD: usize = 8;

impl Layout {
    /// The layout of a message that has each wanted field once, and nothing that is not well-formed.
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
                // Of a field that comes again the last one counts, which the source knows.
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

    /// Asks for what will be looked at of messages to come, if they go on like this one.
    #[inline(always)]
    pub(super) fn prefetch(&self, bytes: &[u8], at: usize) {
        if self.len < FAR {
            return prefetch_at(bytes, at.wrapping_add(AHEAD * FAR));
        }
        let next = at.wrapping_add(AHEAD * self.len);
        self.lines.iter().for_each(|line| prefetch_at(bytes, next.wrapping_add(*line)));
    }

    /// Whether a message of this layout begins there.
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

/// The words of a message that have bits which count; the last one may begin within the one before.
fn words(message: &[u8], mask: &[u8]) -> Vec<Word> {
    let begins = (0..message.len()).step_by(WIDTH).map(|at| at.min(message.len() - WIDTH));
    let word = |bytes: &[u8], at: usize| bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let words = begins.map(|at| Word { at, bits: word(message, at), mask: word(mask, at) });
    words.filter(|word| word.mask != 0).collect()
}
