//! What is done with a reference.

use core::fmt;

/// What is done with a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Its value is told.
    Get,
    /// It gets a value, in place of what it had.
    Put,
    /// A part of its value is changed.
    Patch,
    /// A value is added to the list that it is.
    Post,
    /// It is no more.
    Delete,
}

impl Verb {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Get, Self::Put, Self::Patch, Self::Post, Self::Delete];

    /// Its name.
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

/// Some of the verbs.
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
    /// None.
    pub const NONE: Self = Self(0);
    /// Get.
    pub const READ: Self = Self::NONE.and(Verb::Get);
    /// All of them.
    pub const ALL: Self = Self(31);

    /// With one more.
    #[must_use]
    pub const fn and(self, verb: Verb) -> Self {
        Self(self.0 | 1 << verb as u8)
    }

    /// Without one.
    #[must_use]
    pub const fn without(self, verb: Verb) -> Self {
        Self(self.0 & !(1 << verb as u8))
    }

    /// Those that both have.
    #[must_use]
    pub const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that any of the two has.
    #[must_use]
    pub const fn either(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a verb is one of them.
    pub const fn has(self, verb: Verb) -> bool {
        self.0 & 1 << verb as u8 != 0
    }

    /// Each of them, in the order of [`Verb::ALL`].
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
