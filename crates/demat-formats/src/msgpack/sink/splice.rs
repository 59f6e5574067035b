//! [`Splice`] for MessagePack.

use super::super::head::{Head, begins_map, head};
use super::MsgpackSink;
use super::header::Counted;
use super::open::{End, Frame};
use crate::binary::Wide;
use crate::{Drain, Splice, SpliceMark};
use demat_core::{Error, ErrorKind, Record, Result, Sink};

/// A map that gets new fields is a container of unknown count until it ends. Its header is copied, and replaced only if
/// the count changes. Until then nothing leaves the memory, as for any such container.
impl<D: Drain> Splice for MsgpackSink<D> {
    /// A value that is no map is not spliced: an extension type that was read as a record.
    fn open_splice(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let is_record = bytes.first().copied().is_some_and(begins_map);
        let is_list_of_sequence = self.options.sequence && self.open.depth() == 0;
        if format != "msgpack" || self.key || is_list_of_sequence || !is_record {
            return Ok(false);
        }
        self.spliced += 1;
        Ok(true)
    }

    fn piece(&mut self, bytes: &[u8]) {
        self.output.buffer.extend_from_slice(bytes);
    }

    fn new_field(&mut self, record: &Record, index: usize, _: bool) -> Result<()> {
        self.field(record, index)
    }

    fn begin_growing(&mut self, bytes: &[u8]) -> Result<usize> {
        let Ok((Head::Map(count), reserved)) = head(bytes, 0) else {
            return Err(Error::new(ErrorKind::Internal, "a spliced record is no map"));
        };
        let at = self.output.buffer.len();
        self.output.buffer.extend_from_slice(&bytes[..reserved]);
        self.open.enter(Frame {
            at: at as u64,
            count: count.into(),
            stated: count,
            of: Some(Counted::Map),
            reserved: reserved as u8,
            end: End::Copied,
        });
        Ok(reserved)
    }

    fn end_growing(&mut self) -> Result<()> {
        self.close("map")
    }

    fn close_splice(&mut self) {
        self.spliced = self.spliced.saturating_sub(1);
    }

    fn pause(&mut self) -> SpliceMark {
        self.output.pause();
        SpliceMark { bytes: self.output.buffer.len(), wide: self.wide.len(), count: self.open.counted() }
    }

    /// Compares the headers that are still to be replaced, too, by their position within each part.
    fn is_repeated(&self, from: SpliceMark, to: SpliceMark) -> bool {
        let buffer = &self.output.buffer;
        let is_same = |(one, other): (&Wide, &Wide)| {
            one.at - from.bytes == other.at - to.bytes
                && one.reserved == other.reserved
                && one.header.as_bytes() == other.header.as_bytes()
        };
        let (before, after) = (&self.wide[from.wide..to.wide], &self.wide[to.wide..]);
        buffer[from.bytes..to.bytes] == buffer[to.bytes..]
            && before.len() == after.len()
            && before.iter().zip(after).all(is_same)
    }

    fn take_back(&mut self, mark: SpliceMark) {
        self.output.take_back(mark.bytes);
        self.wide.truncate(mark.wide);
        self.open.set_counted(mark.count);
    }

    /// The removed piece has no header that is still to be replaced; those behind it move.
    fn take_out(&mut self, from: SpliceMark, to: SpliceMark) {
        self.output.take_out(from.bytes, to.bytes);
        for wide in self.wide.iter_mut().filter(|wide| wide.at >= to.bytes) {
            wide.at -= to.bytes - from.bytes;
        }
    }

    fn resume(&mut self) {
        self.output.resume();
    }
}
