//! Chosen fields of single records, read from the bytes without a source.

use core::fmt;
use demat_core::{Record, Result, Sink};

/// A field's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar<'b> {
    /// The field is absent, and nothing stands for it.
    Absent,
    /// Null.
    Null,
    /// A bool.
    Bool(bool),
    /// An integer.
    I64(i64),
    /// An integer that `i64` does not hold.
    U64(u64),
    /// A number as binary64.
    Float(f64),
    /// A number as binary32.
    Float32(f32),
    /// Text.
    Text(&'b str),
}

impl Scalar<'_> {
    /// Writes the value as a field of a record. Writes nothing if it is absent.
    ///
    /// # Errors
    /// The errors of the sink.
    pub fn tell(self, record: &Record, index: usize, sink: &mut (impl Sink + ?Sized)) -> Result<()> {
        if self == Self::Absent {
            return Ok(());
        }
        sink.field(record, index)?;
        match self {
            Self::Absent => Ok(()),
            Self::Null => sink.null(),
            Self::Bool(value) => sink.bool(value),
            Self::I64(value) => sink.i64(value),
            Self::U64(value) => sink.int(&value.into()),
            Self::Float(value) => sink.float(value),
            Self::Float32(value) => sink.float32(value),
            Self::Text(value) => sink.text(value),
        }
    }
}

/// Reads the fields of a record from its bytes, and skips all others.
///
/// It is a shortcut for [`Source`](demat_core::Source) with a record that ignores unknown fields, and gives the same
/// values. Where it gives up, a source has to read the bytes: it has the same values, or the error.
pub trait Picker: fmt::Debug + Send + Sync {
    /// Reads the value of each field into `values`, which has room for all. Returns false if it gives up.
    fn pick<'b>(&self, record: &'b [u8], values: &mut [Scalar<'b>]) -> bool;
}

/// Copies the bytes of chosen fields.
pub trait Projector: fmt::Debug + Send + Sync {
    /// Appends a record with the chosen fields only in the form of an item of a list. Appends the whole record
    /// if its bytes are invalid, so that its reader meets the same error.
    fn project(&self, record: &[u8], out: &mut Vec<u8>);
}
