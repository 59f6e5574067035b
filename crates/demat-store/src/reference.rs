//! References: the paths of values in a store.

#[cfg(test)]
mod tests;

use crate::fault::Fault;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;
use demat_core::{Error, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The path of a value in a store: names from the root on.
///
/// Its text begins with a slash. In names, all bytes except letters, digits and `-._~` are percent-encoded (RFC 3986).
/// A trailing slash has no meaning.
///
/// Any text can be a name. URLs can't express three names: browsers and proxies resolve `.` and `..`, even
/// percent-encoded, and drop empty segments. So their text is `~`, `~.` and `~..`. Names that look like these get one
/// more tilde: the name `~` is `~~`, and `~.` is `~~.`. All others stay as they are. Parsing refuses text with a
/// segment that is empty, `.` or `..`.
///
/// ```
/// use demat_store::Reference;
/// let reference: Reference = "/tasks/a%2Fb".parse()?;
/// assert_eq!(*reference, ["tasks", "a/b"]);
/// assert_eq!(reference.to_string(), "/tasks/a%2Fb");
/// assert_eq!(*"/tasks/~/~..".parse::<Reference>()?, ["tasks", "", ".."]);
/// assert!("/tasks/../secret".parse::<Reference>().is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Reference(Vec<String>);

/// The maximum length of a reference's text in bytes.
const LONGEST: usize = 8 * 1024;
/// The maximum number of names.
const DEEPEST: usize = 64;
/// Characters that need no escape in a name.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

impl Reference {
    /// Returns the reference of the whole store.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns a reference with these names.
    pub fn of<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }

    /// Returns whether its text can be parsed again. The parser refuses text that is too long or has too many names.
    ///
    /// ```
    /// use demat_store::Reference;
    /// assert!(Reference::of(["tasks", ""]).is_readable());
    /// assert!(!Reference::of(["x".repeat(10_000)]).is_readable());
    /// ```
    pub fn is_readable(&self) -> bool {
        self.0.len() <= DEEPEST && shown(self).len() <= LONGEST
    }

    /// Appends names.
    #[must_use]
    pub fn join(&self, names: &[String]) -> Self {
        Self([&self.0[..], names].concat())
    }
}

/// Returns whether a name needs a tilde in front: it is empty, `.` or `..`, or looks like the escaped form of one of
/// these.
fn is_odd(name: &str) -> bool {
    matches!(name.trim_start_matches('~'), "" | "." | "..")
}

/// Decodes a segment of a path; `None` if it is invalid.
fn name_of(segment: &str) -> Option<String> {
    // Refuses a stray percent sign: decoders disagree about its meaning.
    let begins =
        |at: usize| segment.as_bytes()[at + 1..].iter().take(2).filter(|byte| byte.is_ascii_hexdigit()).count() == 2;
    if !segment.match_indices('%').all(|(at, _)| begins(at)) {
        return None;
    }
    let name = percent_decode_str(segment).decode_utf8().ok()?;
    if !is_odd(&name) {
        return Some(name.into_owned());
    }
    name.strip_prefix('~').map(str::to_string)
}

impl From<&[String]> for Reference {
    fn from(names: &[String]) -> Self {
        Self(names.to_vec())
    }
}

impl Deref for Reference {
    type Target = [String];
    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl FromStr for Reference {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad = || Fault::BadReference.because(format!("`{}`", text.chars().take(80).collect::<String>()));
        if text.len() > LONGEST {
            return Err(Error::limit("the length of a reference", LONGEST));
        }
        let text = text.strip_prefix('/').unwrap_or(text);
        if text.is_empty() {
            return Ok(Self::default());
        }
        let text = text.strip_suffix('/').unwrap_or(text);
        let mut names = Vec::new();
        for name in text.split('/') {
            names.push(name_of(name).ok_or_else(bad)?);
        }
        if names.len() > DEEPEST {
            return Err(Error::limit("the depth of a reference", DEEPEST));
        }
        Ok(Self(names))
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self))
    }
}

/// Returns the text of a reference.
pub fn shown(at: &[String]) -> String {
    if at.is_empty() {
        return "/".to_string();
    }
    let mut text = String::new();
    for name in at {
        text.push_str(if is_odd(name) { "/~" } else { "/" });
        text.extend(utf8_percent_encode(name, PLAIN));
    }
    text
}
