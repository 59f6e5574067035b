//! 64 bytes of CSV as four bit masks.

use super::vector::{Base, Vector};

/// The special bytes among 64 bytes of CSV: one bit per byte, the first byte's lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvMasks {
    /// The delimiters.
    pub delimiter: u64,
    /// The quotes.
    pub quote: u64,
    /// The newlines.
    pub newline: u64,
    /// The carriage returns.
    pub carriage: u64,
}

impl CsvMasks {
    /// All special bytes.
    ///
    /// ```
    /// use demat_formats::scan::csv_block;
    /// assert_eq!(csv_block(b"a,\"b\"\r\n", 0, b',', b'"').any(), 0b111_0110);
    /// ```
    #[inline]
    pub fn any(self) -> u64 {
        self.delimiter | self.quote | self.newline | self.carriage
    }
}

/// Returns the masks of the 64 bytes at `from`. Bits past the end are zero.
///
/// It is meant to be inlined, and uses the vectors that every machine of the target has. For many blocks,
/// [`csv_index`](super::csv_index()) uses the best vectors of this machine.
///
/// ```
/// use demat_formats::scan::csv_block;
/// let masks = csv_block(b"a,\"b\"\r\n", 0, b',', b'"');
/// assert_eq!((masks.delimiter, masks.quote), (0b10, 0b1_0100));
/// assert_eq!((masks.carriage, masks.newline), (1 << 5, 1 << 6));
/// ```
#[inline]
pub fn csv_block(bytes: &[u8], from: usize, delimiter: u8, quote: u8) -> CsvMasks {
    let rest = bytes.get(from..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => masks(block, delimiter, quote),
        None => last_block(rest, delimiter, quote),
    }
}

#[inline(always)]
fn masks(block: &[u8; 64], delimiter: u8, quote: u8) -> CsvMasks {
    let mut masks = CsvMasks::default();
    for at in (0..64).step_by(Base::BYTES) {
        // SAFETY: every machine of the target has `Base`; `BYTES` divides 64, so `at + BYTES <= 64`.
        unsafe {
            let bytes = Base::load(block.as_ptr().add(at));
            masks.delimiter |= bytes.eq(Base::splat(delimiter)).mask() << at;
            masks.quote |= bytes.eq(Base::splat(quote)).mask() << at;
            masks.newline |= bytes.eq(Base::splat(b'\n')).mask() << at;
            masks.carriage |= bytes.eq(Base::splat(b'\r')).mask() << at;
        }
    }
    masks
}

/// Fewer than 64 bytes: masks a padded copy, and clears the bits of the padding, since the delimiter might equal it.
#[cold]
fn last_block(rest: &[u8], delimiter: u8, quote: u8) -> CsvMasks {
    let mut block = [0; 64];
    block[..rest.len()].copy_from_slice(rest);
    let masks = masks(&block, delimiter, quote);
    let valid = (1 << rest.len()) - 1;
    CsvMasks {
        delimiter: masks.delimiter & valid,
        quote: masks.quote & valid,
        newline: masks.newline & valid,
        carriage: masks.carriage & valid,
    }
}
