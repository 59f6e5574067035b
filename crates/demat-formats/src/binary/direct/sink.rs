use super::{DEPTH, Heads, is_odd};
use crate::binary::Header;
use crate::direct::{Direct, give_up};
use crate::small_stack::SmallStack;
use core::marker::PhantomData;
use demat_core::scalar::{Date, DateTime, Decimal, Int, Offset, Uuid};
use demat_core::{Record, Result, Shape, Sink};

/// The sink of the fast path.
///
/// Its errors carry no message: after any error, another sink has to write the value.
#[derive(Debug)]
pub(crate) struct DirectSink<'o, H> {
    out: &'o mut Vec<u8>,
    /// The innermost container.
    top: Open,
    outer: SmallStack<Open>,
    /// Whether the next value is a key.
    key: bool,
    odd: bool,
    heads: PhantomData<H>,
}

/// An open container.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    /// The offset of its header.
    at: usize,
    /// The count in its header.
    count: u32,
    /// That count, minus the children that came.
    left: u32,
}

impl<'o, H: Heads> DirectSink<'o, H> {
    #[inline]
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        let (top, outer) = (Open::default(), SmallStack::new());
        Self { out, top, outer, key: false, odd: false, heads: PhantomData }
    }

    /// Gives up, and marks the type as unsupported.
    #[cold]
    #[inline(never)]
    fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
    }

    /// Opens a container, whose header the caller writes.
    #[inline(always)]
    fn open(&mut self, count: u32) -> Result<()> {
        if self.key || self.outer.len() >= DEPTH {
            return give_up();
        }
        self.outer.push(self.top);
        self.top = Open { at: self.out.len(), count, left: count };
        Ok(())
    }

    #[inline(always)]
    fn open_list(&mut self, len: Option<usize>) -> Result<()> {
        let Some(len) = len else { return self.give_up_type() };
        let Ok(count) = u32::try_from(len) else { return give_up() };
        self.open(count)?;
        H::write_list(self.out, count);
        Ok(())
    }

    /// Closes the container. Corrects its header, if it has another count of children.
    #[inline(always)]
    fn close(&mut self, head: fn(u32) -> Header) -> Result<()> {
        if self.top.left != 0 {
            self.recount(head);
        }
        match self.outer.pop() {
            Some(outer) => {
                self.top = outer;
                Ok(())
            }
            None => give_up(),
        }
    }

    #[inline(never)]
    fn recount(&mut self, head: fn(u32) -> Header) {
        let Open { at, count, left } = self.top;
        let (old, new) = (head(count), head(count.wrapping_sub(left)));
        match self.out.get_mut(at..at + old.len()) {
            Some(place) if old.len() == new.len() => place.copy_from_slice(new.as_bytes()),
            _ => drop(self.out.splice(at..at + old.len(), new.as_bytes().iter().copied())),
        }
    }

    #[inline(always)]
    fn next_child(&mut self) {
        self.top.left = self.top.left.wrapping_sub(1);
    }
}

impl<H> Direct for DirectSink<'_, H> {
    fn is_odd(&self) -> bool {
        self.odd
    }
}

impl<H: Heads> Sink for DirectSink<'_, H> {
    #[inline(always)]
    fn null(&mut self) -> Result<()> {
        H::write_null(self.out);
        Ok(())
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        H::write_bool(self.out, value);
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        H::write_int(self.out, value).or_else(|_| give_up())
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) -> Result<()> {
        H::write_i64(self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        H::write_u64(self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        H::write_f64(self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn float32(&mut self, value: f32) -> Result<()> {
        H::write_f32(self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        H::write_text(self.out, value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        H::write_bytes(self.out, value)
    }

    fn date(&mut self, value: Date) -> Result<()> {
        H::write_date(self.out, value)
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        H::write_instant(self.out, at, offset)
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        H::write_decimal(self.out, value).or_else(|_| give_up())
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        H::write_uuid(self.out, value)
    }

    #[inline]
    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.open_list(len)
    }

    #[inline(always)]
    fn item(&mut self) -> Result<()> {
        self.next_child();
        Ok(())
    }

    #[inline]
    fn end_list(&mut self) -> Result<()> {
        self.close(H::list)
    }

    #[inline]
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        let Some(len) = len else { return self.give_up_type() };
        let Ok(count) = u32::try_from(len) else { return give_up() };
        self.open(count)?;
        H::write_map(self.out, count);
        Ok(())
    }

    #[inline]
    fn entry(&mut self) -> Result<()> {
        self.next_child();
        self.key = true;
        Ok(())
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        self.key = false;
        Ok(())
    }

    #[inline]
    fn end_map(&mut self) -> Result<()> {
        self.close(H::map)
    }

    #[inline(always)]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        if is_odd::<H>(record) {
            return self.give_up_type();
        }
        // A record has at most 65,535 fields. A header of this count is corrected if some are left out.
        let count = record.fields().len() as u32;
        self.open(count)?;
        H::write_map(self.out, count);
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.next_child();
        H::write_text(self.out, record.fields()[index].key())
    }

    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close(H::map)
    }

    fn stated(&mut self, _: &Shape) -> Result<()> {
        self.give_up_type()
    }

    fn as_is(&mut self, format: &str, _: &[u8]) -> Result<bool> {
        if format == H::NAME { self.give_up_type() } else { Ok(false) }
    }

    fn commit(&mut self) -> Result<()> {
        self.give_up_type()
    }

    fn rollback(&mut self) -> Result<()> {
        self.give_up_type()
    }

    fn finish(&mut self) -> Result<()> {
        if self.outer.is_empty() { Ok(()) } else { give_up() }
    }
}
