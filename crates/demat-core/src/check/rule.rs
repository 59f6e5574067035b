//! Single rules.

use super::bound::{Bound, Scalar};
use super::checks::{CheckOptions, Pattern};
use super::multiple::Multiple;
use crate::{Error, ErrorKind, Result, Shape, Value};
use core::cmp::Ordering;
use core::fmt;

/// What one note says of a value.
pub(super) enum Rule {
    Compare { how: Comparison, bound: Bound, text: Box<str> },
    Multiple { of: Multiple, text: Box<str> },
    MinLength(usize),
    MaxLength(usize),
    Pattern { pattern: Box<dyn Pattern>, text: Box<str> },
    Zone { aware: bool },
    OneOf { values: Box<[Value]>, nullable: bool, text: Box<str> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Ge,
    Gt,
    Le,
    Lt,
}

impl Comparison {
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Self::Gt => matches!(order, Some(Ordering::Greater)),
            Self::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Self::Lt => matches!(order, Some(Ordering::Less)),
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Ge => ">=",
            Self::Gt => ">",
            Self::Le => "<=",
            Self::Lt => "<",
        }
    }
}

impl Rule {
    /// The rule that a note says of values of this shape.
    pub(super) fn parse(shape: &Shape, note: &str, options: &CheckOptions<'_>) -> Result<Self> {
        let wrong = || Error::new(ErrorKind::Type, format!("the check `{note}` says nothing of a {}", shape.name()));
        let (what, said) = note.split_once(' ').ok_or_else(wrong)?;
        let compare = |how| {
            let bound = Bound::parse(shape, said).ok_or_else(wrong)?;
            Ok(Self::Compare { how, bound, text: said.into() })
        };
        let sized = matches!(
            shape.inner(),
            Shape::Text | Shape::Bytes | Shape::List(_) | Shape::Map(..) | Shape::Any | Shape::Tuple(_)
        );
        match what {
            "ge" => compare(Comparison::Ge),
            "gt" => compare(Comparison::Gt),
            "le" => compare(Comparison::Le),
            "lt" => compare(Comparison::Lt),
            "multiple_of" if matches!(shape.inner(), Shape::Int(_) | Shape::Float(_) | Shape::Decimal) => {
                let of = Multiple::parse(said).ok_or_else(wrong)?;
                Ok(Self::Multiple { of, text: said.into() })
            }
            "min_length" if sized => said.parse().map(Self::MinLength).map_err(|_| wrong()),
            "max_length" if sized => said.parse().map(Self::MaxLength).map_err(|_| wrong()),
            "pattern" if *shape.inner() == Shape::Text => {
                let pattern = options.patterns.ok_or_else(|| {
                    Error::new(ErrorKind::Type, "the check `pattern` needs a host that knows regular expressions")
                })?;
                Ok(Self::Pattern { pattern: pattern(said)?, text: said.into() })
            }
            "tz" if *shape.inner() == Shape::Instant && matches!(said, "aware" | "naive") => {
                Ok(Self::Zone { aware: said == "aware" })
            }
            "one_of" => {
                let values = scalars(said).ok_or_else(wrong)?;
                Ok(Self::OneOf {
                    values: values.into(),
                    nullable: matches!(shape, Shape::Option(_)),
                    text: said.into(),
                })
            }
            _ => Err(wrong()),
        }
    }

    /// Whether a rule is about how many items or entries there are.
    pub(super) fn is_length(&self) -> bool {
        matches!(self, Self::MinLength(_) | Self::MaxLength(_))
    }

    /// Whether it is about null as well, which else is not a value.
    pub(super) fn takes_null(&self) -> bool {
        matches!(self, Self::OneOf { nullable: false, .. })
    }

    /// Holds a scalar to it.
    #[inline]
    pub(super) fn holds(&self, value: Scalar<'_>) -> Result<()> {
        let holds = match self {
            Self::Compare { how, bound, .. } => how.holds(bound.compare(value)),
            Self::Multiple { of, .. } => of.divides(value),
            Self::MinLength(_) | Self::MaxLength(_) => match value {
                // As many bytes are as many characters, or more.
                Scalar::Text(text) if self.allows(text.len()) && matches!(self, Self::MaxLength(_)) => true,
                Scalar::Text(text) => return self.holds_length(text.chars().count()),
                Scalar::Bytes(bytes) => return self.holds_length(bytes.len()),
                _ => true,
            },
            Self::Pattern { pattern, .. } => match value {
                Scalar::Text(text) => pattern.is_found(text)?,
                _ => false,
            },
            Self::Zone { aware } => matches!(value, Scalar::Instant(instant) if instant.offset.is_some() == *aware),
            Self::OneOf { values, .. } => values.iter().any(|own| is_same(own, value)),
        };
        if holds { Ok(()) } else { Err(self.broken(value)) }
    }

    fn allows(&self, len: usize) -> bool {
        match self {
            Self::MinLength(least) => len >= *least,
            Self::MaxLength(most) => len <= *most,
            _ => true,
        }
    }

    /// Holds the length of something to it.
    pub(super) fn holds_length(&self, len: usize) -> Result<()> {
        if self.allows(len) {
            return Ok(());
        }
        let expected = match self {
            Self::MinLength(least) => format!("a length of at least {least}"),
            Self::MaxLength(most) => format!("a length of at most {most}"),
            _ => return Ok(()),
        };
        Err(Error::mismatch(ErrorKind::Constraint, expected, format!("a length of {len}")))
    }

    /// A list or a map where one of some scalars was to be.
    pub(super) fn holds_container(&self, what: &'static str) -> Result<()> {
        match self {
            Self::OneOf { text, .. } => {
                Err(Error::mismatch(ErrorKind::Type, format!("one of {text}"), what.to_string()))
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn broken(&self, value: Scalar<'_>) -> Error {
        let (kind, expected) = match self {
            Self::Compare { how, text, .. } => (ErrorKind::Constraint, format!("a value {} {text}", how.sign())),
            Self::Multiple { text, .. } => (ErrorKind::Constraint, format!("a multiple of {text}")),
            Self::Pattern { text, .. } => (ErrorKind::Constraint, format!("text that matches `{text}`")),
            Self::Zone { aware: true } => (ErrorKind::Constraint, "an instant with an offset".to_string()),
            Self::Zone { aware: false } => (ErrorKind::Constraint, "an instant without an offset".to_string()),
            Self::OneOf { text, .. } => (ErrorKind::Type, format!("one of {text}")),
            Self::MinLength(_) | Self::MaxLength(_) => (ErrorKind::Constraint, "another length".to_string()),
        };
        Error::mismatch(kind, expected, shown(value))
    }
}

/// A value for an error, not all of it where it is long.
fn shown(value: Scalar<'_>) -> String {
    let text = match value {
        Scalar::Null => "null".to_string(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::I64(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => format!("{value:?}"),
        Scalar::Text(value) => value.to_string(),
        Scalar::Bytes(value) => return format!("{} bytes", value.len()),
        Scalar::Decimal(value) => value.as_str().to_string(),
        Scalar::Date(value) => value.to_string(),
        Scalar::Time(value) => value.to_string(),
        Scalar::Instant(value) => value.to_string(),
        Scalar::Duration(value) => value.to_string(),
        Scalar::Uuid => return "a UUID".to_string(),
    };
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

fn is_same(own: &Value, value: Scalar<'_>) -> bool {
    match (own, value) {
        (Value::Null, Scalar::Null) => true,
        (Value::Bool(own), Scalar::Bool(value)) => *own == value,
        (Value::Int(own), Scalar::I64(value)) => own.to_i64() == Some(value),
        (Value::Int(own), Scalar::Int(value)) => own == value,
        (Value::Text(own), Scalar::Text(value)) => *own == value,
        _ => false,
    }
}

/// The scalars of a list, as JSON writes them: null, bools, ints and texts, whose only escapes are `\"` and `\\`.
fn scalars(text: &str) -> Option<Vec<Value>> {
    let mut rest = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim_start();
    let mut values = Vec::new();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut own = String::new();
            let mut characters = quoted.char_indices();
            let end = loop {
                match characters.next()? {
                    (end, '"') => break end,
                    (_, '\\') => own.push(characters.next()?.1),
                    (_, character) => own.push(character),
                }
            };
            values.push(Value::Text(own.into()));
            rest = &quoted[end + 1..];
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            values.push(match rest[..end].trim() {
                "null" => Value::Null,
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                int => Value::Int(crate::scalar::Int::from_digits(int)?.into_owned()),
            });
            rest = &rest[end..];
        }
        rest = rest.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(more) => more.trim_start(),
            None if rest.is_empty() => rest,
            None => return None,
        };
    }
    Some(values)
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compare { how, text, .. } => write!(f, "{} {text}", how.sign()),
            Self::Multiple { text, .. } => write!(f, "multiple of {text}"),
            Self::MinLength(least) => write!(f, "length >= {least}"),
            Self::MaxLength(most) => write!(f, "length <= {most}"),
            Self::Pattern { text, .. } => write!(f, "matches {text}"),
            Self::Zone { aware } => write!(f, "aware: {aware}"),
            Self::OneOf { text, .. } => write!(f, "one of {text}"),
        }
    }
}
