use super::{DEPTH, Heads, is_odd};
use crate::binary::Header;
use crate::direct::{Direct, give_up};
use crate::scan::{Room, Tail};
use crate::small_stack::SmallStack;
use core::marker::PhantomData;
use demat_core::scalar::{Date, DateTime, Decimal, Int, Offset, Uuid};
use demat_core::{Error, Numbers, Record, Result, Shape, Sink};

/// The sink of the fast path.
///
/// Its errors carry no message: after any error, another sink has to write the value.
#[derive(Debug)]
pub(crate) struct DirectSink<'o, H> {
    out: Tail<'o>,
    /// The innermost container.
    top: Open,
    /// Those around it. They are elsewhere, so that the compiler can keep the rest of the sink in registers.
    outer: &'o mut SmallStack<Open>,
    /// Whether the next value is a key.
    key: bool,
    odd: bool,
    heads: PhantomData<H>,
}

/// An open container.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Open {
    /// The offset of its header.
    at: usize,
    /// The count in its header.
    count: u32,
    /// That count, minus the children that came.
    left: u32,
}

impl<'o, H: Heads> DirectSink<'o, H> {
    #[inline(always)]
    pub(crate) fn new(out: &'o mut Vec<u8>, outer: &'o mut SmallStack<Open>) -> Self {
        Self { out: Tail::of(out), top: Open::default(), outer, key: false, odd: false, heads: PhantomData }
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
    fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
    }

    /// Writes a value that needs the buffer itself.
    #[inline]
    fn cold(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        let mut is_written = false;
        self.out.append(|out| is_written = write(out).is_ok());
        if is_written { Ok(()) } else { give_up() }
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
        H::write_list(&mut self.out, count);
        Ok(())
    }

    /// Closes the container. Corrects its header, if it has another count of children.
    #[inline(always)]
    fn close(&mut self, head: fn(u32) -> Header) -> Result<()> {
        if self.top.left != 0 {
            let Open { at, count, left } = self.top;
            self.out.append(|out| recount(out, at, head(count), head(count.wrapping_sub(left))));
        }
        match self.outer.pop() {
            Some(outer) => {
                self.top = outer;
                Ok(())
            }
            None => give_up(),
        }
    }

    #[inline(always)]
    fn next_child(&mut self) {
        self.top.left = self.top.left.wrapping_sub(1);
    }
}

/// Replaces the header of a container.
#[inline(never)]
fn recount(out: &mut Vec<u8>, at: usize, old: Header, new: Header) {
    match out.get_mut(at..at + old.len()) {
        Some(place) if old.len() == new.len() => place.copy_from_slice(new.as_bytes()),
        _ => drop(out.splice(at..at + old.len(), new.as_bytes().iter().copied())),
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
        H::write_null(&mut self.out);
        Ok(())
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        H::write_bool(&mut self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.cold(|out| H::write_int(out, value))
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) -> Result<()> {
        H::write_i64(&mut self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        H::write_u64(&mut self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        H::write_f64(&mut self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn float32(&mut self, value: f32) -> Result<()> {
        H::write_f32(&mut self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        H::write_text(&mut self.out, value)
    }

    #[inline(always)]
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.cold(|out| H::write_bytes(out, value))
    }

    #[inline(always)]
    fn date(&mut self, value: Date) -> Result<()> {
        self.cold(|out| H::write_date(out, value))
    }

    #[inline(always)]
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.cold(|out| H::write_instant(out, at, offset))
    }

    #[inline(always)]
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.cold(|out| H::write_decimal(out, value))
    }

    #[inline(always)]
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.cold(|out| H::write_uuid(out, value))
    }

    #[inline(always)]
    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.open_list(len)
    }

    #[inline(always)]
    fn item(&mut self) -> Result<()> {
        self.next_child();
        Ok(())
    }

    #[inline(always)]
    fn begin_list_of(&mut self, _: &Shape, len: Option<usize>) -> Result<()> {
        self.open_list(len)
    }

    #[inline(always)]
    fn number_items(&mut self, numbers: Numbers<'_>) -> Result<(), (usize, Error)> {
        self.top.left = self.top.left.wrapping_sub(numbers.len() as u32);
        self.out.locally(|out| match numbers {
            Numbers::I32(items) => items.iter().for_each(|item| H::write_i64(out, (*item).into())),
            Numbers::I64(items) => items.iter().for_each(|item| H::write_i64(out, *item)),
            Numbers::U32(items) => items.iter().for_each(|item| H::write_u64(out, (*item).into())),
            Numbers::U64(items) => items.iter().for_each(|item| H::write_u64(out, *item)),
            Numbers::F32(items) => items.iter().for_each(|item| H::write_f32(out, *item)),
            Numbers::F64(items) => items.iter().for_each(|item| H::write_f64(out, *item)),
        });
        Ok(())
    }

    #[inline(always)]
    fn end_list(&mut self) -> Result<()> {
        self.close(H::list)
    }

    #[inline(always)]
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        let Some(len) = len else { return self.give_up_type() };
        let Ok(count) = u32::try_from(len) else { return give_up() };
        self.open(count)?;
        H::write_map(&mut self.out, count);
        Ok(())
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<()> {
        self.next_child();
        self.key = true;
        Ok(())
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        self.key = false;
        Ok(())
    }

    #[inline(always)]
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
        H::write_map(&mut self.out, count);
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.next_child();
        H::write_text(&mut self.out, record.fields()[index].key())
    }

    #[inline(always)]
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

    #[inline(always)]
    fn finish(&mut self) -> Result<()> {
        self.out.store();
        if self.outer.is_empty() { Ok(()) } else { give_up() }
    }
}
