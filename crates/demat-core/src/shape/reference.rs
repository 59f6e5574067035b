use super::same::same;
use core::fmt;
use core::ops::Deref;
use std::borrow::Cow;
use std::sync::{Arc, Weak};

/// A part of a shape: a constant of the program, or shared memory made at run time.
///
/// Constants let the derive define a shape without any work at run time.
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

/// A record or union that a reference by name leads to, kept alive while it is used.
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

/// A part of a shape that a [`Reference`] can refer to by name: a record or a union.
pub trait Named: PartialEq + fmt::Debug + 'static {
    /// Its name in `Debug` output.
    const KIND: &'static str;

    /// Its name; empty if it has none.
    fn name(&self) -> &str;
}

/// A record or union within a shape.
pub enum Reference<T: Named> {
    /// A constant, returned by a function so that a constant may refer to itself.
    Static(fn() -> &'static T),
    /// Made at run time.
    Shared(Arc<T>),
    /// Recursion: a link by name to an enclosing part.
    Link(Cow<'static, str>, Weak<T>),
}

impl<T: Named> Reference<T> {
    /// Shares a part made at run time.
    pub fn new(part: T) -> Self {
        Self::Shared(Arc::new(part))
    }

    /// Returns the part.
    ///
    /// # Panics
    /// If a link is followed after its shape was dropped. Use a part of a recursive shape only while the whole exists.
    #[inline]
    pub fn get(&self) -> Held<'_, T> {
        match self {
            Self::Static(part) => Held::Borrowed(part()),
            Self::Shared(part) => Held::Borrowed(part),
            Self::Link(name, part) => Held::Shared(follow(name, part)),
        }
    }

    /// Returns the part, kept alive by the result.
    ///
    /// # Panics
    /// As [`get`](Self::get).
    pub fn own(&self) -> Ref<T> {
        match self {
            Self::Static(part) => Ref::Static(part()),
            Self::Shared(part) => Ref::Shared(Arc::clone(part)),
            Self::Link(name, part) => Ref::Shared(follow(name, part)),
        }
    }
}

fn follow<T: Named>(name: &str, part: &Weak<T>) -> Arc<T> {
    part.upgrade().unwrap_or_else(|| panic!("the shape around {} `{name}` is gone", T::KIND.to_lowercase()))
}

impl<T: Named> Clone for Reference<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(part) => Self::Static(*part),
            Self::Shared(part) => Self::Shared(Arc::clone(part)),
            Self::Link(name, part) => Self::Link(name.clone(), Weak::clone(part)),
        }
    }
}

impl<T: Named> PartialEq for Reference<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Link(a, _), Self::Link(b, _)) => a == b,
            (Self::Link(a, _), Self::Static(b)) | (Self::Static(b), Self::Link(a, _)) => a == b().name(),
            (Self::Static(a), Self::Static(b)) if core::ptr::eq(a(), b()) => true,
            (Self::Link(..), _) | (_, Self::Link(..)) => false,
            _ => same(&*self.get(), &*other.get()),
        }
    }
}

impl<T: Named> fmt::Debug for Reference<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shared(part) => part.fmt(f),
            // Only the name, since a constant may refer to itself.
            Self::Static(part) => f.debug_tuple(T::KIND).field(&part().name()).finish(),
            Self::Link(name, _) => f.debug_tuple("Link").field(name).finish(),
        }
    }
}
