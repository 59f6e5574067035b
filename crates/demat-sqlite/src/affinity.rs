//! What a column does to the values that are put into it.

use demat_core::scalar::{Decimal, Int};

/// What a column makes of values of other classes, as its declared type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Affinity {
    /// Numbers become text.
    Text,
    /// Text that is a number becomes one, and a float that is whole an int.
    Numeric,
    /// As numeric.
    Integer,
    /// Text that is a number becomes one, and ints floats.
    Real,
    /// Values stay what they are.
    Blob,
}

impl Affinity {
    /// The affinity that a declared type has, by SQLite's rules.
    ///
    /// ```
    /// use demat_sqlite::Affinity;
    /// assert_eq!(Affinity::of("VARCHAR(220)", false), Affinity::Text);
    /// assert_eq!(Affinity::of("DECIMAL(10,2)", false), Affinity::Numeric);
    /// assert_eq!(Affinity::of("FLOATING POINT", false), Affinity::Integer); // it ends in INT, and that comes first
    /// ```
    pub fn of(declared: &str, strict: bool) -> Self {
        let declared = declared.to_ascii_uppercase();
        let has = |part: &str| declared.contains(part);
        if strict && declared == "ANY" || declared.is_empty() {
            Self::Blob
        } else if has("INT") {
            Self::Integer
        } else if has("CHAR") || has("CLOB") || has("TEXT") {
            Self::Text
        } else if has("BLOB") {
            Self::Blob
        } else if has("REAL") || has("FLOA") || has("DOUB") {
            Self::Real
        } else {
            Self::Numeric
        }
    }

    /// Whether text that is put into such a column says the same when it is read: it stays text, or becomes a number whose
    /// text it is.
    pub(crate) fn keeps(self, text: &str) -> bool {
        if self.leaves(text) {
            return true;
        }
        if let Some(int) = Int::from_digits(text).and_then(|int| int.to_i64()) {
            // A float says `.0`.
            return self != Self::Real && int.to_string() == text;
        }
        // One that is whole becomes an int.
        let float = text.parse::<f64>().unwrap_or(0.0);
        self.keeps_number(text) && float.fract() != 0.0 && format!("{float:?}") == text
    }

    /// Whether a number that is put into such a column as text is the same number when it is read.
    pub(crate) fn keeps_number(self, text: &str) -> bool {
        if self.leaves(text) {
            return true;
        }
        if let Some(int) = Int::from_digits(text).and_then(|int| int.to_i64()) {
            return self != Self::Real || int.unsigned_abs() <= 1 << 53;
        }
        // So many digits every float has, unless it is at the end of what there is.
        let size = text.parse::<f64>().unwrap_or(0.0).abs();
        Decimal::parse(text).is_some() && digits(text) <= 15 && (size == 0.0 || (1e-290..1e290).contains(&size))
    }

    /// Whether text stays text.
    fn leaves(self, text: &str) -> bool {
        if matches!(self, Self::Text | Self::Blob) {
            return true;
        }
        // As SQLite looks at it: blanks around a number are no part of it.
        let bare = text.trim_matches(|c: char| c == ' ' || ('\t'..='\r').contains(&c));
        let first = bare.bytes().next().unwrap_or(b'x');
        !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) || bare.parse::<f64>().is_err()
    }
}

/// How many significant digits a number has.
fn digits(number: &str) -> usize {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').len()
}
