//! What notes and options say of a column beyond its shape: which ints it has to hold, and whether its texts are a
//! dictionary.

use super::Options;
use demat_core::{Field, IntRange, IntWidth};
use demat_formats::proto::{Form, Wire};

/// What is said of the values at one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Said<'n> {
    /// The `check` notes of the values; of no interest unless columns are narrow.
    checks: Vec<&'n str>,
    /// The ints that the notes of formats leave, for the values and those within them.
    range: IntRange,
    /// The same for the keys of maps.
    key: IntRange,
    narrow: bool,
    /// Whether texts become dictionaries.
    pub(super) dictionary: bool,
}

/// The part of a container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Item,
    Key,
    Value,
    /// An item of a tuple.
    At(usize),
}

impl<'n> Said<'n> {
    /// Returns what is said of a field of the rows.
    pub(super) fn of_column(field: &'n Field, options: &Options) -> Self {
        Self::of_field(field, options.narrow, options.dictionary.has(field.key()))
    }

    /// Returns what is said of a field of a record within a column of which this is said.
    pub(super) fn of_inner<'f>(&self, field: &'f Field) -> Said<'f> {
        Said::of_field(field, self.narrow, self.dictionary)
    }

    fn of_field(field: &'n Field, narrow: bool, dictionary: bool) -> Self {
        if !narrow {
            return Self { dictionary, ..Self::default() };
        }
        // A note, or what the type's own plan says in its place.
        let wire = Wire::of_field(field);
        let (mut range, key) = (of_form(wire.form), of_form(wire.key));
        for note in field.notes_for("nbt") {
            range = range.and(of_tag(note.trim()));
        }
        Self { checks: field.notes_for("check").collect(), range, key, narrow, dictionary }
    }

    /// Returns what is said of the parts of a container.
    pub(super) fn within(&self, part: Part) -> Self {
        let rest = |note: &&'n str| {
            let (what, rest) = note.split_once(' ')?;
            match (part, what) {
                (Part::Item, "item") | (Part::Key, "key") | (Part::Value, "value") => Some(rest),
                (Part::At(index), "at") => {
                    let (at, rest) = rest.split_once(' ')?;
                    (at.parse() == Ok(index)).then_some(rest)
                }
                _ => None,
            }
        };
        let checks = self.checks.iter().filter_map(rest).collect();
        // Dictionaries are of values: readers look a key up in its text.
        let (range, dictionary) = if let Part::Key = part { (self.key, false) } else { (self.range, self.dictionary) };
        Self { checks, range, key: self.key, narrow: self.narrow, dictionary }
    }

    /// Returns what is said of all items of a tuple, whose column they share.
    pub(super) fn within_tuple(&self, len: usize) -> Self {
        let mut items = (0..if self.narrow { len } else { 1 }).map(|index| self.within(Part::At(index)));
        let first = items.next().unwrap_or_else(|| self.within(Part::Item));
        items.fold(first, |all, item| Self { range: all.range().or(item.range()), checks: Vec::new(), ..all })
    }

    /// Returns the ints that the values can be.
    fn range(&self) -> IntRange {
        IntRange::of(self.checks.iter().copied()).and(self.range)
    }

    /// Returns the width of a column of ints of this shape: the shape's own, unless a narrower one holds all values.
    pub(super) fn width(&self, own: IntWidth) -> IntWidth {
        if !self.narrow {
            return own;
        }
        let Some(found) = self.range().and(IntRange::of_width(own)).width() else { return own };
        let bits = |width| match width {
            // Columns of ints of any width have 64 bits.
            IntWidth::Any => 64,
            IntWidth::Signed(bits) | IntWidth::Unsigned(bits) => bits,
        };
        // Of 64 bits each, an unsigned column holds what one of any ints refuses.
        let holds_more = own == IntWidth::Any && found == IntWidth::Unsigned(64);
        if bits(found) < bits(own) || holds_more { found } else { own }
    }
}

/// Returns the ints of a form of Protocol Buffers; of signed ones of 64 bits, which are those of any ints, all.
fn of_form(form: Form) -> IntRange {
    match form {
        Form::Int32 | Form::Sint32 | Form::Sfixed32 => IntRange::of_width(IntWidth::Signed(32)),
        Form::Uint32 | Form::Fixed32 => IntRange::of_width(IntWidth::Unsigned(32)),
        Form::Uint64 | Form::Fixed64 => IntRange::of_width(IntWidth::Unsigned(64)),
        _ => IntRange::default(),
    }
}

/// Returns the ints of a tag of NBT.
fn of_tag(name: &str) -> IntRange {
    match name {
        "byte" | "byte_array" => IntRange::of_width(IntWidth::Signed(8)),
        "short" => IntRange::of_width(IntWidth::Signed(16)),
        "int" | "int_array" => IntRange::of_width(IntWidth::Signed(32)),
        "long" | "long_array" => IntRange::of_width(IntWidth::Signed(64)),
        _ => IntRange::default(),
    }
}
