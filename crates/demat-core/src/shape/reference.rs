use core::fmt;
use core::ops::Deref;
use std::sync::Arc;

/// A part of a shape: a constant of the program, or shared memory made at run time.
///
/// Constants are what lets the derive lay out a shape with no work at run time.
pub enum Ref<T: ?Sized + 'static> {
    /// A constant.
    Static(&'static T),
    /// Made at run time.
    Shared(Arc<T>),
}

impl<T> Ref<T> {
    /// Shares a value made at run time.
    pub fn new(value: T) -> Self {
        Self::Shared(Arc::new(value))
    }
}

impl<T: ?Sized> Deref for Ref<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        match self {
            Self::Static(value) => value,
            Self::Shared(value) => value,
        }
    }
}

impl<T: ?Sized> Clone for Ref<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(value) => Self::Static(value),
            Self::Shared(value) => Self::Shared(Arc::clone(value)),
        }
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(&raw const **self, &raw const **other) || **self == **other
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A record or union that a reference by name led to, kept alive while it is used.
#[derive(Debug)]
pub enum Held<'s, T> {
    /// Kept alive by the shape.
    Borrowed(&'s T),
    /// Reached by a link, which does not keep it alive (that would be a cycle).
    Shared(Arc<T>),
}

impl<T> Deref for Held<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        match self {
            Self::Borrowed(value) => value,
            Self::Shared(value) => value,
        }
    }
}
