//! The path of the records in a document.

use core::fmt;
use core::str::FromStr;
use demat_core::{Error, ErrorKind, Result};

#[cfg(test)]
mod tests;

/// The path of the records in a document, in the syntax of `JSONPath` (RFC 9535).
///
/// | | |
/// |---|---|
/// | `$` | the document |
/// | `.name`, `["any name"]`, `['any name']` | the value of a key |
/// | `[3]` | an item of a list, from 0 |
/// | `[*]` | each item of a list |
/// | `.*` | the value of each key of a map |
///
/// ```
/// use demat_formats::stream::RecordPath;
/// let at: RecordPath = r#"$.users[*]["open tasks"][0]"#.parse()?;
/// assert_eq!(at.to_string(), r#"$.users[*]["open tasks"][0]"#);
/// let error = "$.users[".parse::<RecordPath>().unwrap_err();
/// assert_eq!(error.to_string(), "expected `*`, an index or a quoted name after `$.users[`");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordPath {
    steps: Vec<Step>,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The value of this key.
    Key(String),
    /// The item with this index, from 0.
    Index(u64),
    /// Each item of a list.
    Each,
    /// The value of each key of a map.
    Values,
    /// Each element of this name, in an element or in the document.
    Elements(String),
}

impl RecordPath {
    /// Returns the path of the document itself.
    pub fn whole() -> Self {
        Self::default()
    }

    /// Returns the path of each item of the outermost list.
    pub fn items() -> Self {
        Self { steps: vec![Step::Each] }
    }

    /// Returns the path of elements by their names, from the root on: of each `book` in the root `catalog`.
    ///
    /// # Errors
    /// If a name is empty.
    ///
    /// ```
    /// use demat_formats::stream::RecordPath;
    /// assert_eq!(RecordPath::of_elements("/catalog/book")?.to_string(), "catalog/book");
    /// assert!(RecordPath::of_elements("catalog//book").is_err());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn of_elements(text: &str) -> Result<Self> {
        let names = text.strip_prefix('/').unwrap_or(text);
        let is_name = |name: &str| !name.is_empty() && !name.contains(['[', ']', '*', '$', '@', ' ']);
        if !names.split('/').all(is_name) {
            let message = "expected names of elements between `/`, from the root on, such as `catalog/book`";
            return Err(Error::new(ErrorKind::Syntax, message));
        }
        Ok(Self { steps: names.split('/').map(|name| Step::Elements(name.to_string())).collect() })
    }

    /// Returns the path of these steps, outermost first.
    pub(super) fn of_steps(steps: &[Step]) -> Self {
        Self { steps: steps.to_vec() }
    }

    /// Returns the steps, outermost first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns whether the path selects each value of a map, so that each record has a key.
    pub fn has_keys(&self) -> bool {
        matches!(self.steps.last(), Some(Step::Values))
    }

    /// Applies the path to each item of the outermost list: to each line of NDJSON.
    #[must_use]
    pub fn in_each(mut self) -> Self {
        self.steps.insert(0, Step::Each);
        self
    }
}

impl FromStr for RecordPath {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut rest = text.strip_prefix('$').ok_or_else(|| wrong(text, text, "`$`, which is the document,"))?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = match rest.strip_prefix('[') {
                Some(inner) => bracketed(text, inner)?,
                None => named(text, rest)?,
            };
            steps.push(step);
            rest = after;
        }
        Ok(Self { steps })
    }
}

/// `.name` or `.*`
fn named<'t>(text: &str, rest: &'t str) -> Result<(Step, &'t str)> {
    let Some(inner) = rest.strip_prefix('.') else { return Err(wrong(text, rest, "`.` or `[`")) };
    if let Some(after) = inner.strip_prefix('*') {
        return Ok((Step::Values, after));
    }
    let end = inner.find(['.', '[', ']', '*', '"', '\'', ' ']).unwrap_or(inner.len());
    if end == 0 {
        return Err(wrong(text, inner, "a name (or `*`, for each value of a map; `[*]` for each item of a list)"));
    }
    Ok((Step::Key(inner[..end].to_string()), &inner[end..]))
}

/// Parses a step after `[`, up to `]`.
fn bracketed<'t>(text: &str, inner: &'t str) -> Result<(Step, &'t str)> {
    let (step, after) = if let Some(after) = inner.strip_prefix('*') {
        (Step::Each, after)
    } else if let Some(quote) = inner.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let (name, after) = quoted(&inner[1..], quote).ok_or_else(|| wrong(text, inner, "a name in quotes"))?;
        (Step::Key(name), after)
    } else {
        let end = inner.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(inner.len());
        let index = inner[..end].parse().ok();
        let index = index.ok_or_else(|| wrong(text, inner, "`*`, an index or a quoted name"))?;
        (Step::Index(index), &inner[end..])
    };
    let after = after.strip_prefix(']').ok_or_else(|| wrong(text, after, "`]`"))?;
    Ok((step, after))
}

/// Parses a quoted name. Returns it and the text after it. Escapes are those of JSON, `\'`, `\0` and `\u{7f}`.
fn quoted(inner: &str, quote: char) -> Option<(String, &str)> {
    use core::fmt::Write as _;
    let mut json = String::from('"');
    let mut chars = inner.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => match chars.next()?.1 {
                '\'' => json.push('\''),
                '0' => json.push_str("\\u0000"),
                // As errors write characters that can't be seen.
                'u' if inner[at + 2..].starts_with('{') => {
                    let (hex, _) = inner[at + 3..].split_once('}')?;
                    match char::from_u32(u32::from_str_radix(hex, 16).ok()?)? {
                        control if control < ' ' => write!(json, "\\u{:04x}", u32::from(control)).ok()?,
                        other => json.push(other),
                    }
                    chars.nth(hex.len() + 1)?;
                }
                escaped => json.extend(['\\', escaped]),
            },
            end if end == quote => {
                json.push('"');
                let name = crate::json::decode(json.as_bytes()).ok()?;
                return Some((name, &inner[at + 1..]));
            }
            '"' => json.push_str("\\\""),
            // They may stand in a path as they are, but not in JSON.
            control if control < ' ' => write!(json, "\\u{:04x}", u32::from(control)).ok()?,
            other => json.push(other),
        }
    }
    None
}

#[cold]
fn wrong(text: &str, rest: &str, expected: &str) -> Error {
    let read = &text[..text.len() - rest.len()];
    let place = if read.is_empty() { "at the beginning".to_string() } else { format!("after `{read}`") };
    Error::new(ErrorKind::Syntax, format!("expected {expected} {place}"))
}

impl fmt::Display for RecordPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self.steps.first(), Some(Step::Elements(_))) {
            f.write_str("$")?;
        }
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                Step::Elements(name) => write!(f, "{}{name}", if index == 0 { "" } else { "/" })?,
                Step::Each => f.write_str("[*]")?,
                Step::Values => f.write_str(".*")?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(name) => {
                    let mut chars = name.chars();
                    let head = chars.next().is_some_and(|first| first.is_alphabetic() || first == '_');
                    if head && chars.all(|char| char.is_alphanumeric() || char == '_') {
                        write!(f, ".{name}")?;
                    } else {
                        let quoted = crate::json::encode(name).map_err(|_| fmt::Error)?;
                        write!(f, "[{}]", String::from_utf8_lossy(&quoted))?;
                    }
                }
            }
        }
        Ok(())
    }
}
