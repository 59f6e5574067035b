//! Collations: how texts compare.

use core::cmp::Ordering;

/// SQLite's built-in collations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collation {
    Binary,
    NoCase,
    RTrim,
}

impl Collation {
    pub(crate) fn named(name: &str) -> Option<Self> {
        [("BINARY", Self::Binary), ("NOCASE", Self::NoCase), ("RTRIM", Self::RTrim)]
            .into_iter()
            .find_map(|(own, collation)| own.eq_ignore_ascii_case(name).then_some(collation))
    }

    #[inline]
    pub(crate) fn compare(self, one: &[u8], other: &[u8]) -> Ordering {
        match self {
            Self::Binary => one.cmp(other),
            Self::NoCase => no_case(one, other),
            Self::RTrim => trimmed(one).cmp(trimmed(other)),
        }
    }
}

/// Compares like SQLite: after a NUL, only the lengths count.
fn no_case(one: &[u8], other: &[u8]) -> Ordering {
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
        if a != b {
            return a.cmp(&b);
        }
        if a == 0 {
            break;
        }
    }
    one.len().cmp(&other.len())
}

/// Removes trailing blanks.
pub(super) fn trimmed(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    &text[..end]
}
