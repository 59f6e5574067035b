//! A condition on whole records: comparisons of fields, joined by `and`, `or` and `not`.

use super::bound::{Bound, found};
use super::verify::number_in;
use super::{Condition, Test, text};
use core::fmt;
use core::str::FromStr;
use demat_core::{Enum, Error, ErrorKind, Field, Record, Result, Shape, Value};
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Where {
    pub(super) root: Node,
    pub(super) terms: Vec<Term>,
    text: String,
}

/// A part of a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// The term with this index.
    Term(usize),
}

/// A comparison of a field in a [`Where`].
///
/// ```
/// use demat_place::{Test, Where};
/// let named: Where = "by.name = 'Ada'".parse()?;
/// let term = &named.terms()[0];
/// assert_eq!((term.condition().test, &*term.condition().field), (Test::Eq, "by.name"));
/// assert_eq!(term.is_quoted(0), Some(true));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// The names that lead to the field, outermost first.
    pub(super) path: Vec<String>,
    pub(super) condition: Condition,
    /// Whether each value is text in quotes; empty if they are as in a URL, where nothing has quotes.
    pub(super) quoted: Vec<bool>,
}

impl Where {
    pub(super) fn new(root: Node, terms: Vec<Term>, text: &str) -> Self {
        Self { root, terms, text: text.to_string() }
    }

    /// Returns the condition that holds for records for which all of these hold, as a query's do: values have no quotes,
    /// and a text that is a number equals the number. Its text is for messages: it can't be parsed, as it has no quotes.
    pub fn all(conditions: &[Condition]) -> Self {
        let term = |condition: &Condition| Term {
            path: vec![condition.field.clone()],
            condition: condition.clone(),
            quoted: Vec::new(),
        };
        let text = |condition: &Condition| {
            format!("{} {} {}", condition.field, condition.test.name(), condition.values.join(","))
        };
        let text = conditions.iter().map(text).collect::<Vec<_>>().join(" and ");
        Self::new(
            Node::All((0..conditions.len()).map(Node::Term).collect()),
            conditions.iter().map(term).collect(),
            &text,
        )
    }

    /// Returns the condition that holds if both hold.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        let other_root = other.root.renumbered(self.terms.len());
        let mut parts = match self.root {
            Node::All(parts) => parts,
            root => vec![root],
        };
        match other_root {
            Node::All(more) => parts.extend(more),
            root => parts.push(root),
        }
        self.terms.extend_from_slice(&other.terms);
        let text = match (&*self.text, &*other.text) {
            (own, "") => own.to_string(),
            ("", other) => other.to_string(),
            (own, other) => format!("({own}) and ({other})"),
        };
        Self { root: Node::All(parts), terms: self.terms, text }
    }

    /// The comparisons, in the order of the text.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether the condition is true for a record.
    ///
    /// ```
    /// use demat_core::Value;
    /// use demat_place::Where;
    /// let task: Value = demat_formats::json::decode(br#"{"n": 3, "by": {"name": "Ada"}}"#)?;
    /// assert!("n > 5 or by.name = 'Ada'".parse::<Where>()?.chooses(&task));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn chooses(&self, record: &Value) -> bool {
        let truths: Vec<_> = self.terms.iter().map(|term| term.holds(term.value_in(record))).collect();
        self.holds(&truths)
    }

    /// Translates the condition to SQL; `compare` translates each comparison.
    ///
    /// ```
    /// use demat_place::Where;
    /// let open: Where = "not (done and n > 1) or n = 0".parse()?;
    /// let sql = open.to_sql(&mut |term| Ok(term.condition().field.clone()))?;
    /// assert_eq!(sql, "(NOT ((done) AND (n))) OR (n)");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of `compare`.
    pub fn to_sql(&self, compare: &mut dyn FnMut(&Term) -> Result<String>) -> Result<String> {
        self.root.to_sql(&self.terms, compare)
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
        Err(Error::new(ErrorKind::Constraint, message))
    }

    /// Returns whether the condition is true. `truths`: whether each term is; `None` if its value is null.
    pub(super) fn holds(&self, truths: &[Option<bool>]) -> bool {
        self.root.holds(truths) == Some(true)
    }
}

impl Node {
    /// Whether it holds if each of these terms does.
    pub(super) fn is_all_of(&self, terms: usize) -> bool {
        match self {
            Self::Term(_) => terms == 1,
            Self::All(parts) => parts.len() == terms && parts.iter().all(|part| matches!(part, Self::Term(_))),
            Self::Any(_) | Self::Not(_) => false,
        }
    }

    /// Returns the same with terms whose indices begin at another one.
    fn renumbered(&self, from: usize) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.renumbered(from)).collect();
        match self {
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Not(part) => Self::Not(Box::new(part.renumbered(from))),
            Self::Term(index) => Self::Term(index + from),
        }
    }

    fn to_sql(&self, terms: &[Term], compare: &mut dyn FnMut(&Term) -> Result<String>) -> Result<String> {
        let (parts, word) = match self {
            Self::Term(index) => return compare(&terms[*index]),
            Self::Not(part) => return Ok(format!("NOT ({})", part.to_sql(terms, compare)?)),
            Self::All(parts) => (parts, " AND "),
            Self::Any(parts) => (parts, " OR "),
        };
        if parts.is_empty() {
            return Ok("TRUE".to_string());
        }
        let parts: Vec<_> =
            parts.iter().map(|part| Ok(format!("({})", part.to_sql(terms, compare)?))).collect::<Result<_>>()?;
        Ok(parts.join(word))
    }

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
    /// The comparison. Its field is the path, joined by points.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// Replaces the numbers of an enum by their names, as which its values are compared.
    pub(super) fn by_name(&mut self, names: &Enum) {
        for (place, given) in self.condition.values.iter_mut().enumerate() {
            let Some(index) = number_in(names, given) else { continue };
            *given = names.name_at(index).to_string();
            if let Some(quoted) = self.quoted.get_mut(place) {
                *quoted = true;
            }
        }
    }

    /// Whether a value is text in quotes. `None` if there is no such value, or if the condition has no quotes at all,
    /// as in a URL.
    pub fn is_quoted(&self, value: usize) -> Option<bool> {
        self.quoted.get(value).copied()
    }

    /// Returns the fields that lead to the compared one, which is the last.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if there is no such field.
    pub fn fields(&self, record: &Record) -> Result<Vec<Field>> {
        let (mut rest, mut record, mut fields) = (&*self.path, record.clone(), Vec::new());
        loop {
            let (index, taken) = found(&record, rest)?;
            let field = record.fields()[index].clone();
            rest = &rest[taken..];
            let inner = match field.shape().inner() {
                Shape::Record(inner) if !rest.is_empty() => Some(inner.get().clone()),
                shape if !rest.is_empty() => {
                    let message = format!("`{}` is a {}, which has no field `{}`", field.key(), shape.name(), rest[0]);
                    return Err(Error::new(ErrorKind::Constraint, message));
                }
                _ => None,
            };
            fields.push(field);
            match inner {
                Some(inner) => record = inner,
                None => return Ok(fields),
            }
        }
    }

    /// Returns the value that the term compares.
    pub fn value_in<'v>(&self, record: &'v Value) -> Option<&'v Value> {
        fn at<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
            if path.is_empty() {
                return Some(value);
            }
            // A key may have points.
            (1..=path.len()).rev().find_map(|taken| at(value.get(&path[..taken].join("."))?, &path[taken..]))
        }
        at(record, &self.path)
    }

    /// Returns whether the term is true for a value; `None` if that is null.
    pub(super) fn holds(&self, value: Option<&Value>) -> Option<bool> {
        let Condition { test, .. } = self.condition;
        match value {
            _ if test == Test::Null => Some(self.condition.holds(value)),
            None | Some(Value::Null) => None,
            // A pattern is always text, and matches a number as it is written.
            Some(value) if matches!(test, Test::Like | Test::Contains) => Some(self.condition.holds(Some(value))),
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
