//! A query's conditions as a sink, for stores that decide about a record while they read it.

#[cfg(test)]
mod tests;

use crate::fault::Fault;
use crate::query::Query;
use core::ops::Range;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, Record, Result, Sink, Union, Value};
use demat_formats::codec::Scalar;
use demat_place::{Condition, Fast, accepts};

/// The conditions of a query, compiled for the records of a shape.
///
/// A store reads only the [fields](Self::fields) that the conditions name, and writes them to a [`FilterSink`].
///
/// ```
/// use demat_core::{Sink, Value, ValueSource, copy};
/// use demat_store::{Filter, Query};
/// let shape: demat_core::Shape = "id: int, done: bool = false".parse()?;
/// let demat_core::Shape::Record(record) = &shape else { unreachable!() };
/// let filter = Filter::new(&Query::parse("id.gt=5")?, &record.get())?;
/// assert_eq!(filter.fields(), ["id"]);
/// let mut sink = filter.sink();
/// let projected = "id: int".parse()?;
/// let task = Value::Map(vec![(Value::Text("id".into()), Value::Int(7.into()))]);
/// copy(&mut ValueSource::new(&task), &projected, &mut sink)?;
/// assert!(sink.holds());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Filter {
    fields: Vec<String>,
    clauses: Vec<Clause>,
    /// The clauses of each field.
    by_field: Vec<Range<usize>>,
}

/// One condition.
#[derive(Debug, Clone)]
struct Clause {
    /// The index of its field in [`Filter::fields`].
    field: usize,
    condition: Condition,
    fast: Fast,
}

impl Filter {
    /// Compiles the conditions of a query.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if there is no such field, or if it can't have the value that it is compared with.
    pub fn new(query: &Query, record: &Record) -> Result<Self> {
        let mut clauses = Vec::new();
        for condition in &query.filter {
            let index = record.index_of(&condition.field).ok_or_else(|| no_field(record, &condition.field))?;
            let shape = record.fields()[index].shape().inner();
            condition.verify(shape).map_err(|error| Fault::BadQuery.because(error.reason()))?;
            let fast = Fast::of(shape, condition);
            clauses.push((index, Clause { field: 0, condition: condition.clone(), fast }));
        }
        clauses.sort_by_key(|(index, _)| *index);
        let (mut fields, mut by_field) = (Vec::new(), Vec::<Range<usize>>::new());
        for (number, (_, clause)) in clauses.iter_mut().enumerate() {
            match by_field.last_mut() {
                Some(range) if fields.last() == Some(&clause.condition.field) => range.end = number + 1,
                _ => {
                    fields.push(clause.condition.field.clone());
                    by_field.push(number..number + 1);
                }
            }
            clause.field = fields.len() - 1;
        }
        Ok(Self { fields, clauses: clauses.into_iter().map(|(_, clause)| clause).collect(), by_field })
    }

    /// The fields that the conditions name, in the order of the shape.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// Returns a sink that decides about one record after the other. Each is a record of the [fields](Self::fields), in
    /// their order.
    pub fn sink(&self) -> FilterSink {
        let holds = vec![false; self.clauses.len()];
        FilterSink { filter: self.clone(), holds, field: 0, depth: 0 }
    }
}

impl Clause {
    #[inline(always)]
    fn holds(&self, value: &Scalar<'_>) -> bool {
        let order = match (&self.fast, value) {
            (Fast::Bool(given), Scalar::Bool(value)) => Some(value.cmp(given)),
            (Fast::Int(given), Scalar::I64(value)) => Some(value.cmp(given)),
            // A NaN is unequal to all.
            (Fast::Float(given), Scalar::Float(value)) => value.partial_cmp(given),
            (Fast::Text, Scalar::Text(value)) => Some((*value).cmp(&*self.condition.values[0])),
            _ => None,
        };
        match order {
            Some(order) => accepts(self.condition.test, order),
            None => self.holds_slowly(*value),
        }
    }

    #[inline(never)]
    fn holds_slowly(&self, value: Scalar<'_>) -> bool {
        let value = match value {
            Scalar::Absent => return self.condition.holds(None),
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::I64(value) => Value::Int(value.into()),
            Scalar::U64(value) => Value::Int(value.into()),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Float32(value) => Value::Float(f64::from(value)),
            Scalar::Text(value) => Value::Text(value.to_string().into()),
        };
        self.condition.holds(Some(&value))
    }
}

/// Decides about records.
#[derive(Debug)]
pub struct FilterSink {
    filter: Filter,
    holds: Vec<bool>,
    field: usize,
    /// The number of open containers.
    depth: usize,
}

impl FilterSink {
    /// Whether all conditions hold for the last record.
    #[inline]
    pub fn holds(&self) -> bool {
        self.holds.iter().all(|holds| *holds)
    }

    /// Whether all conditions hold for a record with these values, one for each of the filter's fields.
    ///
    /// Its slow twin is to write them as a record and to ask [`holds`](Self::holds).
    #[inline]
    pub fn holds_for(&self, values: &[Scalar<'_>]) -> bool {
        self.filter.clauses.iter().all(|clause| values.get(clause.field).is_some_and(|value| clause.holds(value)))
    }

    /// Decides by a value of the current field.
    #[inline]
    fn decide(&mut self, fast: impl Fn(&Clause) -> Option<bool>, value: impl FnOnce() -> Value) {
        if self.depth != 1 {
            return;
        }
        let Some(clauses) = self.filter.by_field.get(self.field).cloned() else { return };
        let mut value = Some(value);
        let mut made = None;
        for number in clauses {
            let clause = &self.filter.clauses[number];
            self.holds[number] = if let Some(holds) = fast(clause) {
                holds
            } else {
                let own = made.get_or_insert_with(|| value.take().map_or(Value::Null, |value| value()));
                clause.condition.holds(Some(own))
            };
        }
    }

    #[inline]
    fn slow(&mut self, value: impl FnOnce() -> Value) {
        self.decide(|_| None, value);
    }

    /// Begins a container. As the value of a field it is not null, and compares with nothing.
    fn open(&mut self) {
        self.slow(|| Value::List(Vec::new()));
        self.depth += 1;
    }
}

impl Sink for FilterSink {
    fn null(&mut self) -> Result<()> {
        self.slow(|| Value::Null);
        Ok(())
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        let fast = |clause: &Clause| match clause.fast {
            Fast::Bool(given) => Some(accepts(clause.condition.test, value.cmp(&given))),
            _ => None,
        };
        self.decide(fast, || Value::Bool(value));
        Ok(())
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.slow(|| Value::Int(value.clone().into_owned()));
        Ok(())
    }
    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        let fast = |clause: &Clause| match clause.fast {
            Fast::Int(given) => Some(accepts(clause.condition.test, value.cmp(&given))),
            _ => None,
        };
        self.decide(fast, || Value::Int(value.into()));
        Ok(())
    }
    fn float(&mut self, value: f64) -> Result<()> {
        let fast = |clause: &Clause| match clause.fast {
            // A NaN is unequal to all.
            Fast::Float(given) => value.partial_cmp(&given).map(|order| accepts(clause.condition.test, order)),
            _ => None,
        };
        self.decide(fast, || Value::Float(value));
        Ok(())
    }
    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        let fast = |clause: &Clause| match clause.fast {
            Fast::Text => Some(accepts(clause.condition.test, value.cmp(&*clause.condition.values[0]))),
            _ => None,
        };
        self.decide(fast, || Value::Text(value.to_string().into()));
        Ok(())
    }
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.slow(|| Value::Bytes(value.to_vec().into()));
        Ok(())
    }
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.slow(|| Value::Decimal(value.clone().into_owned()));
        Ok(())
    }
    fn date(&mut self, value: Date) -> Result<()> {
        self.slow(|| Value::Date(value));
        Ok(())
    }
    fn time(&mut self, value: Time) -> Result<()> {
        self.slow(|| Value::Time(value));
        Ok(())
    }
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.slow(|| Value::DateTime(at));
        Ok(())
    }
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.slow(|| Value::Instant(at, offset));
        Ok(())
    }
    fn duration(&mut self, value: Duration) -> Result<()> {
        self.slow(|| Value::Duration(value));
        Ok(())
    }
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.slow(|| Value::Uuid(value));
        Ok(())
    }
    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.text(names.name_at(index))
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.open();
        Ok(())
    }
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.depth -= 1;
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.open();
        Ok(())
    }
    fn entry(&mut self) -> Result<()> {
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        self.depth -= 1;
        Ok(())
    }
    #[inline]
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        if self.depth > 0 {
            self.open();
            return Ok(());
        }
        self.depth = 1;
        for (holds, clause) in self.holds.iter_mut().zip(&self.filter.clauses) {
            *holds = clause.condition.holds(None);
        }
        Ok(())
    }
    #[inline]
    fn field(&mut self, _: &Record, index: usize) -> Result<()> {
        if self.depth == 1 {
            self.field = index;
        }
        Ok(())
    }
    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.depth -= 1;
        Ok(())
    }
    fn begin_variant(&mut self, _: &Union, _: usize) -> Result<()> {
        Ok(())
    }
    fn end_variant(&mut self, _: &Union, _: usize) -> Result<()> {
        Ok(())
    }
    fn commit(&mut self) -> Result<()> {
        Ok(())
    }
    /// Begins the record anew.
    fn rollback(&mut self) -> Result<()> {
        self.depth = 0;
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        if self.depth == 0 { Ok(()) } else { Err(Error::new(ErrorKind::Internal, "a record has not ended")) }
    }
}

#[cold]
fn no_field(record: &Record, name: &str) -> Error {
    let names: Vec<_> = record.fields().iter().map(|field| format!("`{}`", field.key())).collect();
    Fault::BadQuery.because(format!("there is no field `{name}`; there are {}", names.join(", ")))
}
