//! A condition on whole records: comparisons of fields, joined by `and`, `or` and `not`.

use super::bound::Bound;
use super::{Condition, Test, text};
use core::fmt;
use core::str::FromStr;
use demat_core::{Error, Record, Result, Shape, Value};
use std::sync::Arc;

/// A condition on records, as text such as `done = false and (title like "%x%" or n >= 3)`.
///
/// | write | holds if |
/// |---|---|
/// | `n = 3`, `<>`, `<`, `<=`, `>`, `>=` | the field's value compares so; `==` and `!=` work, too |
/// | `title like "%x%"` | the text matches: `%` is any characters, `_` is one, a backslash escapes either |
/// | `title contains "x"` | the text contains the other |
/// | `n in (1, 2)` | the value is one of these |
/// | `n between 1 and 5` | it is in this range, its ends included |
/// | `n is null`, `n is not null` | the field is null or absent, or not |
/// | `done` | the field is true |
/// | `not …`, `… and …`, `… or …`, `(…)` | as in SQL; `and` binds tighter than `or` |
///
/// `not` may also precede `like`, `contains`, `in` and `between`. Words count in either case. `like` and `contains`
/// ignore the case of ASCII letters.
///
/// **Fields** are names; `a.b` is the field `b` of the record in `a`. A name that is a word of the table, or not
/// letters, digits, `_` and `-`, stands in backticks: `` `first name` ``.
///
/// **Values** are numbers, `true`, `false`, and text in `'…'` or `"…"`, in which a doubled quote is one. Text is
/// compared with text only, and numbers with numbers only: nothing is converted. Dates, times and UUIDs may stand with
/// or without quotes. Bytes are in base64.
///
/// **Null** is as in SQL: a comparison with it is neither true nor false, and a record is chosen only if its condition
/// is true.
///
/// ```
/// use demat_place::Where;
/// let open: Where = "done = false and title like 'clean%'".parse()?;
/// assert_eq!(open.to_string(), "done = false and title like 'clean%'");
/// let error = "done = false and".parse::<Where>().unwrap_err();
/// assert_eq!(error.position().column, Some(17));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Where {
    pub(super) root: Node,
    pub(super) terms: Vec<Term>,
    text: String,
}

/// A part of a condition.
#[derive(Debug, Clone)]
pub(super) enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// The term with this index.
    Term(usize),
}

/// A comparison of a field.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// The names that lead to the field, outermost first.
    pub(super) path: Vec<String>,
    pub(super) condition: Condition,
    /// Whether each value is text in quotes.
    pub(super) quoted: Vec<bool>,
}

impl Where {
    pub(super) fn new(root: Node, terms: Vec<Term>, text: &str) -> Self {
        Self { root, terms, text: text.to_string() }
    }

    /// Compiles the condition for records.
    ///
    /// `as_read`: whether values will be read as the kinds that they are, since the record's shape is only what a
    /// sample suggests. Otherwise they are read in this shape.
    ///
    /// # Errors
    /// [`Constraint`](demat_core::ErrorKind::Constraint) if there is no such field, or if it can't be compared so.
    pub fn bound(&self, record: &Record, as_read: bool) -> Result<Bound> {
        Bound::new(&Arc::new(self.clone()), record, as_read)
    }

    /// As [`bound`](Self::bound), for a list of records. Returns `None` if the shape is `any`.
    ///
    /// # Errors
    /// As [`bound`](Self::bound), and if the shape is that of other values.
    pub fn bound_to(&self, list: &Shape, as_read: bool) -> Result<Option<Bound>> {
        let message = match list.inner() {
            Shape::List(item) => match item.inner() {
                Shape::Record(record) => {
                    return self.bound(&record.get(), as_read).map(|bound| Some(bound.or_null(item.allows_null())));
                }
                Shape::Any => return Ok(None),
                other => format!("a condition chooses records, and these are values of shape {}", other.name()),
            },
            Shape::Any => return Ok(None),
            other => format!("records are chosen from a list, and this is a {}", other.name()),
        };
        Err(Error::new(demat_core::ErrorKind::Constraint, message))
    }

    /// Returns whether the condition is true. `truths`: whether each term is; `None` if its value is null.
    pub(super) fn holds(&self, truths: &[Option<bool>]) -> bool {
        self.root.holds(truths) == Some(true)
    }
}

impl Node {
    fn holds(&self, truths: &[Option<bool>]) -> Option<bool> {
        match self {
            Self::Term(index) => truths.get(*index).copied().flatten(),
            Self::Not(part) => part.holds(truths).map(|holds| !holds),
            Self::All(parts) => Self::joined(parts, truths, false),
            Self::Any(parts) => Self::joined(parts, truths, true),
        }
    }

    /// Joins parts, one of which is enough if it is `enough`.
    fn joined(parts: &[Self], truths: &[Option<bool>], enough: bool) -> Option<bool> {
        let mut joined = Some(!enough);
        for part in parts {
            match part.holds(truths) {
                Some(holds) if holds == enough => return Some(enough),
                Some(_) => {}
                None => joined = None,
            }
        }
        joined
    }
}

impl Term {
    /// Returns whether the term is true for a value; `None` if that is null.
    pub(super) fn holds(&self, value: Option<&Value>) -> Option<bool> {
        let Condition { test, .. } = self.condition;
        match value {
            _ if test == Test::Null => Some(self.condition.holds(value)),
            None | Some(Value::Null) => None,
            Some(value) if self.quoted.iter().all(|quoted| is_comparable(value, *quoted)) => {
                Some(self.condition.holds(Some(value)))
            }
            // Text in quotes and a number are unequal, whatever digits they have.
            Some(value) => Some(match test {
                Test::Ne => true,
                Test::In => self.condition.values.iter().zip(&self.quoted).any(|(given, quoted)| {
                    is_comparable(value, *quoted)
                        && super::against(value, given).is_some_and(core::cmp::Ordering::is_eq)
                }),
                _ => false,
            }),
        }
    }
}

/// Whether a value may equal a given one, by its quotes.
fn is_comparable(value: &Value, quoted: bool) -> bool {
    match value {
        Value::Text(_) => quoted,
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => !quoted,
        _ => true,
    }
}

impl FromStr for Where {
    type Err = Error;

    /// # Errors
    /// [`Syntax`](demat_core::ErrorKind::Syntax) with line and column, what was expected and what was found;
    /// [`Limit`](demat_core::ErrorKind::Limit) if it has more than 256 comparisons or nests deeper than 64 levels.
    fn from_str(text: &str) -> Result<Self> {
        text::parsed(text)
    }
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
