use super::overrule::Override;
use super::{Ref, Shape};
use crate::Value;
use core::any::Any;
use std::borrow::Cow;

/// A field of a record: a name *and* a number, always both.
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
    own: Override,
}

/// What only one place cares about: the place (`sql`, `xml`), and what is said to it (`key`).
pub type Note = (Cow<'static, str>, Cow<'static, str>);

impl Field {
    /// A field as a constant; `key` is the name that places know it by.
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

    /// A field as a constant with [notes](Self::notes), which stand beside its number.
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
            own: Override::NONE,
        }
    }

    /// A field made at run time: required, unless its shape allows null.
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
            own: Override::NONE,
            name,
        }
    }

    /// Forgets what overrode a layout that is another one now.
    fn changed(mut self) -> Self {
        self.own = Override::NONE;
        self
    }

    /// Gives the field another name outside: in texts, headers and tables.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.key = key.into();
        self.token = KeyPattern::new(&self.key);
        self
    }

    /// Names that are read as this field, too; never written.
    #[must_use]
    pub fn with_aliases(mut self, aliases: Vec<Cow<'static, str>>) -> Self {
        self.aliases = Cow::Owned(aliases);
        self
    }

    /// The value where the field is missing; makes it not required.
    #[must_use]
    pub fn with_default(mut self, default: Value) -> Self {
        self.default = Some(default);
        self.required = false;
        self.changed()
    }

    /// Whether a record without it is refused.
    #[must_use]
    pub fn with_required(mut self, required: bool) -> Self {
        self.required = required;
        self.changed()
    }

    /// Adds what only one place cares about: that a column is the table's key is for a place called `sql` to know.
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

    /// Gives the field another number.
    #[must_use]
    pub fn with_number(mut self, number: u32) -> Self {
        self.number = number;
        self
    }

    /// Overrides what a codec's [layout](super::Layout) says of this field, whatever its shape and its notes say: for
    /// hosts that know more of a field than they put into its shape.
    ///
    /// Call it last: a changed default, requirement or note drops the override. It is no part of what the field is
    /// equal to.
    #[must_use]
    pub fn with_override<T: Any + Send + Sync>(mut self, own: T) -> Self {
        self.own = Override::new(own);
        self
    }

    /// Returns what overrides a layout, where it is a `T`.
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

    /// Its name in the type.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name outside.
    #[inline]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Further names that are read as this field.
    pub fn aliases(&self) -> &[Cow<'static, str>] {
        &self.aliases
    }

    /// Its number: position from 1, unless given.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Its shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether a record without it is refused.
    pub fn required(&self) -> bool {
        self.required
    }

    /// Its value where it is missing.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// What only one place cares about, each with that place. No copy looks at it; it is part of what the field is equal to,
    /// and of the shape's text.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What is noted for a place.
    pub fn notes_for<'n>(&'n self, place: &'n str) -> impl Iterator<Item = &'n str> {
        self.notes.iter().filter(move |(own, _)| own == place).map(|(_, note)| &**note)
    }

    /// Its key as quoted text.
    #[inline]
    pub fn token(&self) -> &KeyPattern {
        &self.token
    }

    /// The field is none that is read or written by its key.
    pub(super) fn forget_token(&mut self) {
        self.token = KeyPattern { plain: false, whole: false, ..self.token };
    }

    /// The name for a path, without copying it where it is a constant.
    pub fn path_name(&self) -> Cow<'static, str> {
        self.name.clone()
    }
}

/// The first bytes of a key as every text format quotes it: `"key":`.
///
/// Comparing these sixteen bytes in place, under a mask, is what makes predicted keys cost next to nothing; copying
/// them whole and cutting what is too much is as cheap the other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPattern {
    /// `"key":`, cut or zero-padded to 16 bytes, little-endian.
    pub head: u128,
    /// Ones over the bytes of `head` that are part of the token.
    pub mask: u128,
    /// Length of the whole token in bytes.
    pub len: usize,
    /// Whether the key stands as it is between the quotes: no escapes, ASCII only.
    pub plain: bool,
    /// Whether it is plain and `head` holds all of it.
    pub whole: bool,
}

impl KeyPattern {
    /// The token of a key.
    pub const fn new(key: &str) -> Self {
        let key = key.as_bytes();
        let len = key.len() + 3;
        let mut bytes = [0u8; 16];
        // A key of nothing is what records that keep unknown fields call the field for these: it is never predicted.
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

    /// Ones over the first `len` bytes of a little-endian word.
    pub const fn mask(len: usize) -> u128 {
        if len >= 16 { u128::MAX } else { (1 << (8 * len)) - 1 }
    }
}
