use core::ops::Deref;
use std::borrow::Cow;

/// What a source lends: memory of the input that lasts as long as the input (`'a`), or memory of the source's own
/// that is good until its next call (`'s`).
///
/// Text without escapes lasts; text that had to be unescaped, or a database's column, is fleeting. A receiver that
/// copies anyway (a sink, a `String`) need not care; one that borrows (`&'a str`) can take the lasting kind only.
#[derive(Debug, Clone, Copy)]
pub enum Lent<'a, 's, T: ?Sized> {
    /// Part of the input.
    Lasting(&'a T),
    /// The source's own memory, until its next call.
    Fleeting(&'s T),
}

/// Text lent by a source.
pub type Text<'a, 's> = Lent<'a, 's, str>;
/// Bytes lent by a source.
pub type Bytes<'a, 's> = Lent<'a, 's, [u8]>;

impl<T: ?Sized> Deref for Lent<'_, '_, T> {
    type Target = T;
    #[inline]
    #[allow(clippy::match_same_arms)] // they differ in how long the value lasts
    fn deref(&self) -> &T {
        match self {
            Self::Lasting(value) => value,
            Self::Fleeting(value) => value,
        }
    }
}

impl<'a, T: ?Sized + ToOwned> Lent<'a, '_, T> {
    /// Borrowed where it lasts, owned where it does not.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// assert!(matches!(demat_core::Text::Lasting("a").into_cow(), Cow::Borrowed("a")));
    /// ```
    #[inline]
    pub fn into_cow(self) -> Cow<'a, T> {
        match self {
            Self::Lasting(value) => Cow::Borrowed(value),
            Self::Fleeting(value) => Cow::Owned(value.to_owned()),
        }
    }
}
