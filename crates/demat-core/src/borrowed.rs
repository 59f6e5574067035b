use core::ops::Deref;
use std::borrow::Cow;

/// Text or bytes borrowed from a source: from its input, which lives for `'a`, or from its scratch memory, which is
/// valid until the next call (`'s`).
///
/// Text without escapes is part of the input. Unescaped text and a database's column are in scratch memory. A receiver
/// that copies (a sink, a `String`) accepts both; one that borrows (`&'a str`) accepts text of the input only.
#[derive(Debug, Clone, Copy)]
pub enum Borrowed<'a, 's, T: ?Sized> {
    /// Part of the input.
    Input(&'a T),
    /// The source's scratch memory, until its next call.
    Scratch(&'s T),
}

/// Text borrowed from a source.
pub type Text<'a, 's> = Borrowed<'a, 's, str>;
/// Bytes borrowed from a source.
pub type Bytes<'a, 's> = Borrowed<'a, 's, [u8]>;

impl<T: ?Sized> Deref for Borrowed<'_, '_, T> {
    type Target = T;
    #[inline]
    #[allow(clippy::match_same_arms)] // they differ in lifetime
    fn deref(&self) -> &T {
        match self {
            Self::Input(value) => value,
            Self::Scratch(value) => value,
        }
    }
}

impl<'a, T: ?Sized + ToOwned> Borrowed<'a, '_, T> {
    /// Returns borrowed text of the input, and an owned copy of text in scratch memory.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// assert!(matches!(demat_core::Text::Input("a").into_cow(), Cow::Borrowed("a")));
    /// ```
    #[inline]
    pub fn into_cow(self) -> Cow<'a, T> {
        match self {
            Self::Input(value) => Cow::Borrowed(value),
            Self::Scratch(value) => Cow::Owned(value.to_owned()),
        }
    }
}
