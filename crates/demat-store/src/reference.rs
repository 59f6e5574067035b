//! Where in a store.

use crate::fault::Fault;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;
use demat_core::{Error, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Where in a store: a path of names, from outside to inside.
///
/// As text it begins with a slash, and what is no letter, digit or one of `-._~` in a name is percent-encoded (RFC 3986). No
/// name is empty, `.` or `..`, nor has it a zero byte. A slash at the end says nothing.
///
/// ```
/// use demat_store::Reference;
/// let reference: Reference = "/tasks/a%2Fb".parse()?;
/// assert_eq!(*reference, ["tasks", "a/b"]);
/// assert_eq!(reference.to_string(), "/tasks/a%2Fb");
/// assert!("/tasks/../secret".parse::<Reference>().is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Reference(Vec<String>);

/// So many bytes a reference may have as text.
const LONGEST: usize = 8 * 1024;
/// So many names it may have.
const DEEPEST: usize = 64;
/// What stands in a name as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

impl Reference {
    /// The whole store.
    pub fn root() -> Self {
        Self::default()
    }

    /// A reference of these names.
    ///
    /// # Errors
    /// Where one of them is no name.
    pub fn of<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Result<Self> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        if let Some(name) = names.iter().find(|name| !is_name(name)) {
            return Err(Fault::BadReference.because(format!("`{name}`")));
        }
        Ok(Self(names))
    }

    /// The reference of these names within this one.
    #[must_use]
    pub fn join(&self, names: &[String]) -> Self {
        Self([&self.0[..], names].concat())
    }
}

fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains('\0')
}

impl From<&[String]> for Reference {
    /// Of names that are names.
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
        let text = text.strip_suffix('/').unwrap_or(text);
        if text.is_empty() {
            return Ok(Self::default());
        }
        let mut names = Vec::new();
        for name in text.split('/') {
            let name = percent_decode_str(name).decode_utf8().map_err(|_| bad())?;
            if !is_name(&name) {
                return Err(bad());
            }
            names.push(name.into_owned());
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

/// The text of a reference of these names.
pub fn shown(at: &[String]) -> String {
    if at.is_empty() {
        return "/".to_string();
    }
    at.iter().fold(String::new(), |text, name| text + "/" + &utf8_percent_encode(name, PLAIN).to_string())
}
