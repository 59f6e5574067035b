use super::rule::scalars;
use crate::{IntWidth, Value};

/// The ints that `check` notes allow: a least and a greatest one, as far as the notes give them.
///
/// ```
/// use demat_core::{IntRange, IntWidth};
/// let range = IntRange::of(["ge 0", "lt 256"]);
/// assert_eq!((range.least, range.most), (Some(0), Some(255)));
/// assert_eq!(range.width(), Some(IntWidth::Unsigned(8)));
/// assert_eq!(IntRange::of(["ge 0"]).width(), None);
/// assert_eq!(IntRange::of(["one_of [-1, 1]"]).width(), Some(IntWidth::Signed(8)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntRange {
    /// The least one; `None` if there is no lower bound.
    pub least: Option<i128>,
    /// The greatest one; `None` if there is no upper bound.
    pub most: Option<i128>,
}

impl IntRange {
    /// Returns the range of notes for one value. Notes about its parts, and rules that give no bound, do not count.
    pub fn of<'n>(notes: impl IntoIterator<Item = &'n str>) -> Self {
        notes.into_iter().filter_map(Self::of_note).fold(Self::default(), Self::and)
    }

    /// Returns the range of a width; without bounds for [`IntWidth::Any`] and for more than 64 bits.
    #[must_use]
    pub fn of_width(width: IntWidth) -> Self {
        match width {
            IntWidth::Signed(bits @ 1..=64) => Self::between(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            IntWidth::Unsigned(bits @ ..=64) => Self::between(0, (1 << bits) - 1),
            _ => Self::default(),
        }
    }

    /// Returns the ints that are in both ranges.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let least = self.least.max(other.least);
        // `None` is less than every bound, so the greatest one needs the cases.
        let most = match (self.most, other.most) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self { least, most }
    }

    /// Returns the ints from the least to the greatest one of both ranges.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let least = self.least.zip(other.least).map(|(one, other)| one.min(other));
        Self { least, most: self.most.zip(other.most).map(|(one, other)| one.max(other)) }
    }

    /// Returns the narrowest of the usual widths (8, 16, 32 and 64 bits) that holds the range: an unsigned one if
    /// nothing is below zero. `None` if no such width is known to hold it.
    #[must_use]
    pub fn width(self) -> Option<IntWidth> {
        let (least, most) = (self.least?, self.most?);
        let widths = [8, 16, 32].into_iter().flat_map(|bits| [IntWidth::Unsigned(bits), IntWidth::Signed(bits)]);
        widths.chain([IntWidth::Signed(64), IntWidth::Unsigned(64)]).find(|width| {
            let own = Self::of_width(*width);
            own.least.is_some_and(|own| least >= own) && own.most.is_some_and(|own| most <= own)
        })
    }

    const fn between(least: i128, most: i128) -> Self {
        Self { least: Some(least), most: Some(most) }
    }

    fn of_note(note: &str) -> Option<Self> {
        let (what, said) = note.split_once(' ')?;
        let bound = || said.trim().parse::<i128>().ok();
        Some(match what {
            "ge" => Self { least: Some(bound()?), most: None },
            "gt" => Self { least: Some(bound()?.checked_add(1)?), most: None },
            "le" => Self { least: None, most: Some(bound()?) },
            "lt" => Self { least: None, most: Some(bound()?.checked_sub(1)?) },
            "one_of" => {
                let values = scalars(said)?;
                let ints = values.iter().filter(|value| **value != Value::Null).map(|value| match value {
                    Value::Int(int) => int.to_i128(),
                    _ => None,
                });
                let ints = ints.collect::<Option<Vec<_>>>()?;
                Self { least: Some(ints.iter().copied().min()?), most: ints.iter().copied().max() }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(notes: &[&str]) -> Option<IntWidth> {
        IntRange::of(notes.iter().copied()).width()
    }

    #[test]
    fn the_narrowest_width_holds_both_bounds() {
        for bits in [8_u16, 16, 32, 64] {
            let (half, whole) = (1_i128 << (bits - 1), 1_i128 << bits);
            let bounds = |least: i128, most: i128| width(&[&format!("ge {least}"), &format!("le {most}")]);
            assert_eq!(bounds(-half, half - 1), Some(IntWidth::Signed(bits)));
            assert_eq!(bounds(0, whole - 1), Some(IntWidth::Unsigned(bits)));
            let wider = (bits < 64).then_some(IntWidth::Signed(bits * 2));
            assert_eq!(bounds(-half - 1, 0), wider);
            assert_eq!(bounds(-1, half), wider);
            assert_eq!(bounds(-1, whole - 1), wider);
        }
        assert_eq!(width(&["ge 0", "le 9223372036854775807"]), Some(IntWidth::Signed(64)));
    }

    #[test]
    fn open_ends_and_other_rules_give_no_width() {
        for notes in [
            &["ge 0"][..],
            &["lt 10"],
            &["multiple_of 2"],
            &["ge 0.5", "le 10"],
            &["ge 0", "le inf"],
            &["item ge 0", "item le 9"],
            &["one_of [1, \"a\"]"],
            &["one_of [1, true]"],
            &["one_of []"],
            &["gt 170141183460469231731687303715884105727", "le 3"],
            &["ge -99999999999999999999", "le 99999999999999999999"],
        ] {
            assert_eq!(width(notes), None, "{notes:?}");
        }
    }

    #[test]
    fn several_notes_count_together() {
        assert_eq!(width(&["ge -5", "gt -1", "le 70000", "lt 256"]), Some(IntWidth::Unsigned(8)));
        assert_eq!(width(&["one_of [1, null, 300]"]), Some(IntWidth::Unsigned(16)));
        assert_eq!(width(&["one_of [1, 300]", "lt 200"]), Some(IntWidth::Unsigned(8)));
    }
}
