//! Column affinities: the conversions of stored values.

use demat_core::scalar::{Decimal, Int};

/// A column's affinity: how it converts values of other storage classes, as its declared type determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Affinity {
    /// Numbers become text.
    Text,
    /// Text that is a number becomes one, and a whole float becomes an int.
    Numeric,
    /// As `Numeric`.
    Integer,
    /// Text that is a number becomes one, and ints become floats.
    Real,
    /// Values stay unchanged.
    Blob,
}

impl Affinity {
    /// Returns the affinity of a declared type, by SQLite's rules.
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

    /// Returns whether text stored in such a column reads back the same: it stays text, or becomes a number with the
    /// same text.
    pub(crate) fn keeps(self, text: &str) -> bool {
        if self.leaves(text) {
            return true;
        }
        if let Some(int) = Int::from_digits(text).and_then(|int| int.to_i64()) {
            // A float would read back with `.0`.
            return self != Self::Real && int.to_string() == text;
        }
        // A whole float would become an int.
        let float = text.parse::<f64>().unwrap_or(0.0);
        self.keeps_number(text) && float.fract() != 0.0 && format!("{float:?}") == text
    }

    /// Returns whether a number stored in such a column as text reads back as the same number.
    pub(crate) fn keeps_number(self, text: &str) -> bool {
        if self.leaves(text) {
            return true;
        }
        if let Some(int) = Int::from_digits(text).and_then(|int| int.to_i64()) {
            return self != Self::Real || int.unsigned_abs() <= 1 << 53;
        }
        // A float represents up to 15 digits exactly, except at the limits of its range.
        let size = text.parse::<f64>().unwrap_or(0.0).abs();
        Decimal::parse(text).is_some() && digits(text) <= 15 && (size == 0.0 || (1e-290..1e290).contains(&size))
    }

    /// Returns whether text stays text.
    fn leaves(self, text: &str) -> bool {
        if matches!(self, Self::Text | Self::Blob) {
            return true;
        }
        // Like SQLite, ignores blanks around a number.
        let bare = text.trim_matches(|c: char| c == ' ' || ('\t'..='\r').contains(&c));
        let first = bare.bytes().next().unwrap_or(b'x');
        !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) || bare.parse::<f64>().is_err()
    }
}

/// Returns the number of significant digits.
fn digits(number: &str) -> usize {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').len()
}
