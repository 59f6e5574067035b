use super::overrule::Override;
use super::{Ref, Shape};
use crate::Value;
use core::any::Any;
use std::borrow::Cow;

/// A field of a record. It always has a name *and* a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    name: Cow<'static, str>,
    key: Cow<'static, str>,
    aliases: Cow<'static, [Cow<'static, str>]>,
    number: u32,
    shape: Ref<Shape>,
    required: bool,
    default: Option<Value>,
    notes: Cow<'static, [Note]>,
    token: KeyPattern,
    column: Column,
    own: Override,
}

/// The column of a field. Any two are equal, since equality of fields ignores it.
#[derive(Debug, Clone, Copy)]
struct Column(Option<u32>);

impl PartialEq for Column {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Information for one place only: the place (`sql`, `xml`), and the note (`key`).
pub type Note = (Cow<'static, str>, Cow<'static, str>);

impl Field {
    /// Returns a field in a constant. `key` is its name in places.
    pub const fn fixed(
        name: &'static str,
        key: &'static str,
        aliases: &'static [Cow<'static, str>],
        number: u32,
        shape: &'static Shape,
        required: bool,
    ) -> Self {
        Self::fixed_with(name, key, aliases, (number, &[]), shape, required)
    }

    /// Returns a field in a constant with [notes](Self::notes).
    pub const fn fixed_with(
        name: &'static str,
        key: &'static str,
        aliases: &'static [Cow<'static, str>],
        (number, notes): (u32, &'static [Note]),
        shape: &'static Shape,
        required: bool,
    ) -> Self {
        Self {
            name: Cow::Borrowed(name),
            key: Cow::Borrowed(key),
            aliases: Cow::Borrowed(aliases),
            number,
            shape: Ref::Static(shape),
            required,
            default: None,
            notes: Cow::Borrowed(notes),
            token: KeyPattern::new(key),
            column: Column(None),
            own: Override::NONE,
        }
    }

    /// Returns a field made at run time. It is required, unless its shape allows null.
    pub fn new(name: impl Into<Cow<'static, str>>, number: u32, shape: Shape) -> Self {
        let name = name.into();
        Self {
            key: name.clone(),
            aliases: Cow::Borrowed(&[]),
            number,
            required: !shape.allows_null(),
            shape: Ref::new(shape),
            default: None,
            notes: Cow::Borrowed(&[]),
            token: KeyPattern::new(&name),
            column: Column(None),
            own: Override::NONE,
            name,
        }
    }

    /// Drops the override, since it was for the unchanged field.
    fn changed(mut self) -> Self {
        self.own = Override::NONE;
        self
    }

    /// Sets the field's external name: in texts, headers and tables.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.key = key.into();
        self.token = KeyPattern::new(&self.key);
        self
    }

    /// Sets further names that are read as this field, but never written.
    #[must_use]
    pub fn with_aliases(mut self, aliases: Vec<Cow<'static, str>>) -> Self {
        self.aliases = Cow::Owned(aliases);
        self
    }

    /// Sets the value for a missing field; makes the field optional.
    #[must_use]
    pub fn with_default(mut self, default: Value) -> Self {
        self.default = Some(default);
        self.required = false;
        self.changed()
    }

    /// Sets whether a record without the field is refused.
    #[must_use]
    pub fn with_required(mut self, required: bool) -> Self {
        self.required = required;
        self.changed()
    }

    /// Adds a note for one place: for example, only the place `sql` needs to know that a column is the table's key.
    ///
    /// ```
    /// use demat_core::{Field, IntWidth, Shape};
    /// let id = Field::new("id", 1, Shape::Int(IntWidth::Any)).with_note("sql", "key");
    /// assert!(id.notes_for("sql").eq(["key"]));
    /// ```
    #[must_use]
    pub fn with_note(mut self, place: impl Into<Cow<'static, str>>, note: impl Into<Cow<'static, str>>) -> Self {
        self.notes.to_mut().push((place.into(), note.into()));
        self.changed()
    }

    /// Keeps only the notes for which `keep` returns true: it gets the place and the note.
    ///
    /// ```
    /// use demat_core::{Field, IntWidth, Shape};
    /// let id = Field::new("id", 1, Shape::Int(IntWidth::Any)).with_note("sql", "key").with_note("xml", "attribute");
    /// assert!(id.with_notes_where(|place, _| place != "sql").notes_for("sql").next().is_none());
    /// ```
    #[must_use]
    pub fn with_notes_where(mut self, keep: impl Fn(&str, &str) -> bool) -> Self {
        if self.notes.iter().all(|(place, note)| keep(place, note)) {
            return self;
        }
        self.notes.to_mut().retain(|(place, note)| keep(place, note));
        self.changed()
    }

    /// Sets the column of tables without a header that the field is read from, counted from 0: for a record of some of the
    /// fields of another one. Either all fields of a record have a column or none; equality ignores it.
    ///
    /// # Panics
    /// If the column is not below 2³² - 1.
    #[must_use]
    pub fn with_column(mut self, column: usize) -> Self {
        self.column = Column(Some(u32::try_from(column).expect("a column below 2^32")));
        self
    }

    /// The column of tables without a header that it is read from, if it is not its place among the fields.
    pub fn column(&self) -> Option<usize> {
        self.column.0.map(|column| column as usize)
    }

    /// Sets the field's number.
    #[must_use]
    pub fn with_number(mut self, number: u32) -> Self {
        self.number = number;
        self
    }

    /// Overrides a codec's [layout](super::Layout) of this field, whatever its shape and notes say: for hosts that know
    /// more about a field than its shape shows.
    ///
    /// Call it last: changing the default, the requirement or the notes drops the override. Equality ignores it.
    #[must_use]
    pub fn with_override<T: Any + Send + Sync>(mut self, own: T) -> Self {
        self.own = Override::new(own);
        self
    }

    /// Returns the override of a layout, if it is a `T`.
    #[inline]
    pub fn overridden<T: Any>(&self) -> Option<&T> {
        self.own.get()
    }

    /// Replaces the inner shape with a more detailed one; keeps an [override](Self::with_override).
    #[must_use]
    pub fn with_inner(mut self, shape: Shape) -> Self {
        self.shape = Ref::new(shape);
        self
    }

    /// Returns whether it is a constant, as [`fixed`](Self::fixed) makes it.
    #[inline]
    pub fn is_fixed(&self) -> bool {
        matches!(self.shape, Ref::Static(_))
    }

    /// Returns its shape for as long as the program runs, if it is a constant.
    #[inline]
    pub fn fixed_shape(&self) -> Option<&'static Shape> {
        match self.shape {
            Ref::Static(shape) => Some(shape),
            Ref::Shared(_) => None,
        }
    }

    /// Its name in the type.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its external name.
    #[inline]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Further names that are read as this field.
    pub fn aliases(&self) -> &[Cow<'static, str>] {
        &self.aliases
    }

    /// Its number: by default its position, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Its shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether a record without the field is refused.
    pub fn required(&self) -> bool {
        self.required
    }

    /// The value for a missing field.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// The notes, each with its place. Copies ignore them; they are part of the field's equality and of the shape's
    /// text.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns whether it has notes.
    pub(super) const fn has_notes(&self) -> bool {
        match &self.notes {
            Cow::Borrowed(notes) => !notes.is_empty(),
            Cow::Owned(_) => true,
        }
    }

    /// Returns the notes for a place.
    pub fn notes_for<'n>(&'n self, place: &'n str) -> impl Iterator<Item = &'n str> {
        self.notes.iter().filter(move |(own, _)| own == place).map(|(_, note)| &**note)
    }

    /// Its key as quoted text.
    #[inline]
    pub fn token(&self) -> &KeyPattern {
        &self.token
    }

    /// Prevents prediction by the key, for a field that is not read or written by it.
    pub(super) fn forget_token(&mut self) {
        self.token = KeyPattern { plain: false, whole: false, ..self.token };
    }

    /// Returns the name for a path, without copying it if it is a constant.
    pub fn path_name(&self) -> Cow<'static, str> {
        self.name.clone()
    }
}

/// The first bytes of a key as every text format quotes it: `"key":`.
///
/// Comparing these sixteen bytes in place, under a mask, makes predicted keys almost free. Writing copies all of them
/// and cuts off the excess, which is as cheap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPattern {
    /// `"key":`, truncated or zero-padded to 16 bytes, little-endian.
    pub head: u128,
    /// Ones over the bytes of `head` that are part of the token.
    pub mask: u128,
    /// The length of the whole token in bytes.
    pub len: usize,
    /// Whether the key needs no escapes and is ASCII.
    pub plain: bool,
    /// Whether it is plain and `head` holds all of it.
    pub whole: bool,
}

impl KeyPattern {
    /// Returns the token of a key.
    pub const fn new(key: &str) -> Self {
        let key = key.as_bytes();
        let len = key.len() + 3;
        let mut bytes = [0u8; 16];
        // An empty key is that of the field for unknown fields, which is never predicted.
        let mut plain = !key.is_empty();
        bytes[0] = b'"';
        let mut i = 0;
        while i < key.len() {
            if key[i] < 0x20 || key[i] >= 0x80 || key[i] == b'"' || key[i] == b'\\' {
                plain = false;
            }
            if i + 1 < 16 {
                bytes[i + 1] = key[i];
            }
            i += 1;
        }
        if len - 2 < 16 {
            bytes[len - 2] = b'"';
        }
        if len - 1 < 16 {
            bytes[len - 1] = b':';
        }
        let mask = Self::mask(len);
        Self { head: u128::from_le_bytes(bytes), mask, len, plain, whole: plain && len <= 16 }
    }

    /// Returns ones over the first `len` bytes of a little-endian word.
    pub const fn mask(len: usize) -> u128 {
        if len >= 16 { u128::MAX } else { (1 << (8 * len)) - 1 }
    }
}
