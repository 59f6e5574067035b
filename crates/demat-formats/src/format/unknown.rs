//! The error for a name that no format has.

use super::Format;
use core::fmt;

/// The error for an unknown format name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormat {
    name: String,
}

impl UnknownFormat {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_string() }
    }

    /// Returns the format with the most similar name, if one is similar enough.
    pub fn suggestion(&self) -> Option<Format> {
        nearest(&self.name, Format::all().map(Format::name)).and_then(|name| name.parse().ok())
    }
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Format::all().map(Format::name).collect();
        write!(f, "no format is called `{}`; there are {}", self.name, names.join(", "))?;
        match self.suggestion() {
            Some(format) => write!(f, "; did you mean `{format}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownFormat {}

/// Returns the most similar of several names, if one is similar enough to be meant.
///
/// ```
/// assert_eq!(demat_formats::nearest("tilte", ["id", "title"]), Some("title"));
/// assert_eq!(demat_formats::nearest("colour", ["id", "title"]), None);
/// ```
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // A long name takes long to compare, and nobody means one by another.
    const LONGEST: usize = 100;
    let name = name.to_ascii_lowercase();
    let names = names.into_iter().filter(|own| own.len().max(name.len()) <= LONGEST);
    let measured = names.map(|own| (distance(&name, &own.to_ascii_lowercase()), own));
    let (distance, nearest) = measured.min_by_key(|(distance, _)| *distance)?;
    (distance <= nearest.len() / 2).then_some(nearest)
}

/// Returns the edit distance: insertions, deletions, substitutions, and swaps of neighbours.
pub(super) fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let one: Vec<char> = one.chars().collect();
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for (i, j) in (0..=one.len()).flat_map(|i| (0..=other.len()).map(move |j| (i, j))) {
        rows[i][j] = if i == 0 || j == 0 {
            i + j
        } else {
            let changed = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            least
        };
    }
    rows[one.len()][other.len()]
}
