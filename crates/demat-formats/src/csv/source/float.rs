//! Floats that are longer than a word, or names.

use super::CsvSource;
use crate::csv::cell;
use crate::text;
use demat_core::Result;

impl CsvSource<'_, '_> {
    /// Parses a float with [`text`], or as `NaN`, `inf` or `-inf`. Refuses a number that is too large.
    #[inline(never)]
    pub(super) fn float_of<F: Copy>(
        &self,
        (start, end): (usize, usize),
        expected: &'static str,
        parse: fn(&[u8]) -> Option<F>,
        by_name: fn(f64) -> F,
        finite: fn(F) -> bool,
    ) -> Result<F> {
        let content = self.content(start, end);
        if let Some(number) = parse(content) {
            return if finite(number) { Ok(number) } else { Err(self.refused(expected, content)) };
        }
        cell::float_by_name(content).map(by_name).ok_or_else(|| self.refused(expected, content))
    }

    /// Reads a float of more than eight bytes, or in another form than digits and a point.
    #[inline(never)]
    pub(super) fn longer_float(&self, start: u32, end: u32) -> Result<f64> {
        match cell::plain_float(self.ahead, start, end) {
            Some(number) => Ok(number),
            None => self.float_of(self.in_window(start, end), "float", text::parse_f64, |named| named, f64::is_finite),
        }
    }
}
