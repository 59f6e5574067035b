//! Single rules.

use super::bound::{Bound, Scalar};
use super::checks::{CheckOptions, Pattern};
use super::multiple::Multiple;
use crate::{Error, ErrorKind, Result, Shape, Value};
use core::cmp::Ordering;
use core::fmt;

/// One constraint, parsed from one note.
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
    /// Parses a note for values of this shape.
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

    /// Returns whether the rule limits the number of items or entries.
    pub(super) fn is_length(&self) -> bool {
        matches!(self, Self::MinLength(_) | Self::MaxLength(_))
    }

    /// Returns whether the rule also applies to null. Other rules skip it.
    pub(super) fn takes_null(&self) -> bool {
        matches!(self, Self::OneOf { nullable: false, .. })
    }

    /// Checks a scalar.
    #[inline]
    pub(super) fn holds(&self, value: Scalar<'_>) -> Result<()> {
        let holds = match self {
            Self::Compare { how, bound, .. } => how.holds(bound.compare(value)),
            Self::Multiple { of, .. } => of.divides(value),
            Self::MinLength(_) | Self::MaxLength(_) => match value {
                // Text never has more characters than bytes, so the byte length is enough here.
                Scalar::Text(text) if self.allows(text.len()) && matches!(self, Self::MaxLength(_)) => true,
                Scalar::Text(text) => return self.holds_length(text.chars().count()),
                Scalar::Bytes(bytes) => return self.holds_length(bytes.len()),
                _ => true,
            },
            Self::Pattern { pattern, .. } => match value {
                Scalar::Text(text) => pattern.is_found(text)?,
                _ => false,
            },
            Self::Zone { aware: true } => matches!(value, Scalar::Instant(_)),
            Self::Zone { aware: false } => matches!(value, Scalar::DateTime(_)),
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

    /// Checks a length.
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

    /// Refuses a list or a map if the rule allows only some scalars.
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

/// Formats a value for an error message; cuts off long text.
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
        Scalar::DateTime(value) => value.to_string(),
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

/// Parses a JSON list of scalars: null, bools, ints and texts. `\"` and `\\` are the only escapes.
pub(super) fn scalars(text: &str) -> Option<Vec<Value>> {
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
