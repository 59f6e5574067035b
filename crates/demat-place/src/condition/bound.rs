//! A condition that is compiled for records of a shape.

use super::sink::WhereSink;
use super::verify::number_in;
use super::whole::{Term, Where};
use super::{Fast, Test};
use crate::fields::at_its_column;
use demat_core::{Error, ErrorKind, Field, Record, Result, Shape, Unknown};
use demat_formats::nearest;
use std::sync::Arc;

/// A condition that is compiled for records of a shape.
///
/// Its [sink](Self::sink) decides about records of its own [shape](Self::shape): the fields that the condition names.
///
/// ```
/// use demat_core::{Shape, Value, ValueSource, copy};
/// use demat_formats::stream::Decide;
/// use demat_place::Where;
/// let shape: Shape = "id: int, by: {name: text}".parse()?;
/// let Shape::Record(record) = &shape else { unreachable!() };
/// let bound = "by.name = 'Ada'".parse::<Where>()?.bound(&record.get(), false)?;
/// assert_eq!(bound.shape().to_string(), "by@2:{name:text}");
/// let mut sink = bound.sink();
/// let task = demat_formats::json::decode::<Value>(br#"{"id": 1, "by": {"name": "Ada"}}"#)?;
/// copy(&mut ValueSource::new(&task), bound.shape(), &mut sink)?;
/// assert!(sink.holds());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bound {
    pub(super) whole: Arc<Where>,
    pub(super) fast: Vec<Fast>,
    /// The root, and all fields on the way to compared ones.
    pub(super) places: Vec<Place>,
    /// The index of the field of each term, if all terms must hold, and compare fields of the record itself.
    pub(super) flat: Option<Vec<usize>>,
    shape: Shape,
}

/// A field that the condition compares, or a record that has one.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// The terms that compare it.
    pub(super) terms: Vec<usize>,
    /// The indices of the places in it, in the order of the fields of its record; empty if it is read as a value.
    pub(super) fields: Vec<usize>,
    /// The index of its field in the record around it.
    own: usize,
}

impl Bound {
    pub(super) fn new(whole: &Arc<Where>, record: &Record, as_read: bool) -> Result<Self> {
        let mut bound = Self {
            fast: vec![Fast::No; whole.terms.len()],
            whole: Arc::clone(whole),
            places: vec![Place::default()],
            flat: None,
            shape: Shape::Any,
        };
        for (number, term) in whole.terms.iter().enumerate() {
            bound.place(term, number, record)?;
        }
        bound.flat = bound.flat();
        bound.shape = Shape::record(bound.projected(0, record, as_read)?);
        Ok(bound)
    }

    fn flat(&self) -> Option<Vec<usize>> {
        if !self.whole.root.is_all_of(self.whole.terms.len()) {
            return None;
        }
        let compares = |term: usize| self.places[0].fields.iter().position(|at| self.places[*at].terms.contains(&term));
        (0..self.whole.terms.len()).map(compares).collect()
    }

    /// The shape of the records that the [sink](Self::sink) decides about.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns a sink that decides about one record after the other.
    pub fn sink(&self) -> WhereSink {
        WhereSink::new(self.clone())
    }

    /// Sets whether a record may be null. The condition holds for null as it does for a record without fields.
    #[must_use]
    pub(super) fn or_null(mut self, may: bool) -> Self {
        if may {
            self.shape = self.shape.optional();
        }
        self
    }

    /// Finds the field of a term.
    fn place(&mut self, term: &Term, number: usize, record: &Record) -> Result<()> {
        let (mut at, mut rest) = (0, &*term.path);
        let mut record = record.clone();
        loop {
            let (index, taken) = found(&record, rest)?;
            at = self.child(at, index);
            rest = &rest[taken..];
            let shape = record.fields()[index].shape().inner().clone();
            if rest.is_empty() {
                check(term, &shape)?;
                if let Shape::Enum(names) = &shape
                    && term.condition.test.is_equality()
                {
                    Arc::make_mut(&mut self.whole).terms[number].by_name(names);
                }
                let term = &self.whole.terms[number];
                self.places[at].terms.push(number);
                self.fast[number] = Fast::of(&shape, &term.condition);
                return Ok(());
            }
            let Shape::Record(inner) = &shape else {
                let key = record.fields()[index].key();
                let message = format!("`{key}` is a {}, which has no field `{}`", shape.name(), rest[0]);
                return Err(Error::new(ErrorKind::Constraint, message));
            };
            record = inner.get().clone();
        }
    }

    /// Returns the place of a field of the record at a place.
    fn child(&mut self, at: usize, own: usize) -> usize {
        if let Some(known) = self.places[at].fields.iter().find(|place| self.places[**place].own == own) {
            return *known;
        }
        let new = self.places.len();
        self.places.push(Place { own, ..Place::default() });
        let before = self.places[at].fields.iter().filter(|place| self.places[**place].own < own).count();
        self.places[at].fields.insert(before, new);
        new
    }

    /// Returns the record of the fields that the condition compares.
    fn projected(&self, at: usize, record: &Record, as_read: bool) -> Result<Record> {
        let mut fields = Vec::new();
        for place in &self.places[at].fields {
            let field = at_its_column(record, self.places[*place].own);
            let inner = match field.shape().inner() {
                Shape::Record(inner) if !self.places[*place].fields.is_empty() => {
                    let inner = Shape::record(self.projected(*place, &inner.get(), as_read)?);
                    Some(if as_read || field.shape().allows_null() { inner.optional() } else { inner })
                }
                _ if as_read => Some(Shape::Any),
                _ => None,
            };
            fields.push(match inner {
                Some(shape) if as_read => {
                    let read = Field::new(field.key().to_string(), field.number(), shape).with_required(false);
                    match field.column() {
                        Some(column) => read.with_column(column),
                        None => read,
                    }
                }
                Some(shape) => field.with_inner(shape),
                None => field,
            });
        }
        let kept: Vec<usize> = self.places[at].fields.iter().map(|place| self.places[*place].own).collect();
        let projected = Record::new(record.name().to_string(), fields)?.with_unknown(Unknown::Ignore);
        Ok(projected.with_items(record.items().map(|items| items.of_some(&kept))))
    }
}

/// Returns the index of the field that a path leads to, and how many of its names that takes: a key may have points.
pub(crate) fn found(record: &Record, path: &[String]) -> Result<(usize, usize)> {
    for taken in (1..=path.len()).rev() {
        let name = path[..taken].join(".");
        let by_name = || record.fields().iter().position(|field| field.name() == name);
        if let Some(index) = record.index_of(&name).or_else(by_name) {
            return Ok((index, taken));
        }
    }
    Err(no_field(record, &path[0]))
}

/// Returns the error for a field that a record lacks.
#[cold]
fn no_field(record: &Record, name: &str) -> Error {
    let keys = || record.fields().iter().map(Field::key);
    let known: Vec<_> = keys().map(|key| format!("`{key}`")).collect();
    let known = if known.is_empty() { "there are none".to_string() } else { format!("there are {}", known.join(", ")) };
    let meant = nearest(name, keys()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Error::new(ErrorKind::Constraint, format!("there is no field `{name}`; {known}{meant}"))
}

/// Checks that a field of this shape can be compared so. A value of unknown kind is compared as what it is.
fn check(term: &Term, shape: &Shape) -> Result<()> {
    let condition = &term.condition;
    if condition.test == Test::Null || matches!(shape, Shape::Any | Shape::Union(_)) {
        return Ok(());
    }
    condition.verify(shape)?;
    let field = &condition.field;
    for (given, quoted) in condition.values.iter().zip(&term.quoted) {
        let message = match shape {
            Shape::Enum(names) if condition.test.is_equality() && number_in(names, given).is_some() => continue,
            Shape::Text | Shape::Enum(_) if !quoted => {
                format!("`{field}` is {}, and {given} is not: text stands in quotes", shape.name())
            }
            Shape::Bool | Shape::Int(_) | Shape::Float(_)
                if *quoted && !matches!(condition.test, Test::Like | Test::Contains) =>
            {
                format!("`{field}` is of shape {}, and '{given}' is text: it stands without quotes", shape.name())
            }
            _ => continue,
        };
        return Err(Error::new(ErrorKind::Constraint, message));
    }
    Ok(())
}
