//! The operations on a reference.

use core::fmt;

/// An operation on a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Reads the value.
    Get,
    /// Stores a value; replaces an existing one.
    Put,
    /// Changes a part of the value.
    Patch,
    /// Adds a value to a list.
    Post,
    /// Deletes the value.
    Delete,
}

impl Verb {
    /// All verbs.
    pub const ALL: [Self; 5] = [Self::Get, Self::Put, Self::Patch, Self::Post, Self::Delete];

    /// The name of the verb.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Put => "put",
            Self::Patch => "patch",
            Self::Post => "post",
            Self::Delete => "delete",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of verbs.
///
/// ```
/// use demat_store::{Verb, Verbs};
/// let verbs = Verbs::READ.and(Verb::Post);
/// assert!(verbs.has(Verb::Post) && !verbs.has(Verb::Put));
/// assert_eq!(verbs.to_string(), "get, post");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Verbs(u8);

impl Verbs {
    /// No verbs.
    pub const NONE: Self = Self(0);
    /// Only get.
    pub const READ: Self = Self::NONE.and(Verb::Get);
    /// All verbs.
    pub const ALL: Self = Self(31);

    /// Adds a verb.
    #[must_use]
    pub const fn and(self, verb: Verb) -> Self {
        Self(self.0 | 1 << verb as u8)
    }

    /// Removes a verb.
    #[must_use]
    pub const fn without(self, verb: Verb) -> Self {
        Self(self.0 & !(1 << verb as u8))
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn either(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set contains a verb.
    pub const fn has(self, verb: Verb) -> bool {
        self.0 & 1 << verb as u8 != 0
    }

    /// Iterates over the verbs, in the order of [`Verb::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Verb> {
        Verb::ALL.into_iter().filter(move |verb| self.has(*verb))
    }
}

impl fmt::Display for Verbs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, verb) in self.iter().enumerate() {
            write!(f, "{}{verb}", if index > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
