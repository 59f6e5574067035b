//! Decides about records.

use super::bound::Bound;
use super::whole::Term;
use super::{Fast, accepts};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Record, Result, Sink, Union, Value};
use demat_formats::codec::Scalar;
use demat_formats::stream::Decide;

/// The sink of a condition: it decides about one record after the other, and keeps nothing of them.
#[derive(Debug)]
pub struct WhereSink {
    bound: Bound,
    /// Whether each term is true; `None` if its value is null or absent.
    truths: Vec<Option<bool>>,
    /// The truths for a record without fields.
    absent: Vec<Option<bool>>,
    /// The records that are open, as places.
    open: Vec<usize>,
    /// The place of the current value.
    at: usize,
    /// The number of open containers in a value that is compared.
    within: usize,
}

impl WhereSink {
    pub(super) fn new(bound: Bound) -> Self {
        let absent: Vec<_> = bound.whole.terms.iter().map(|term| term.holds(None)).collect();
        Self { bound, truths: absent.clone(), absent, open: Vec::new(), at: 0, within: 0 }
    }

    /// Whether the condition is true for the record that was written last.
    pub fn holds(&self) -> bool {
        self.bound.whole.holds(&self.truths)
    }

    /// Decides by a value of the current field.
    #[inline]
    fn decide(&mut self, fast: impl Fn(&Fast) -> Option<core::cmp::Ordering>, value: impl Fn() -> Value) {
        if self.within > 0 {
            return;
        }
        if self.at == 0 {
            // A null in place of a record.
            self.truths.clone_from(&self.absent);
            return;
        }
        for number in &self.bound.places[self.at].terms {
            let term = &self.bound.whole.terms[*number];
            self.truths[*number] = match fast(&self.bound.fast[*number]) {
                Some(order) => Some(accepts(term.condition.test, order)),
                None => term.holds(Some(&value())),
            };
        }
    }

    #[inline]
    fn slow(&mut self, value: impl Fn() -> Value) {
        self.decide(|_| None, value);
    }

    /// Begins a container that is compared as a whole: it is not null, and equals nothing.
    fn begin(&mut self) {
        self.slow(|| Value::List(Vec::new()));
        self.within += 1;
    }
}

impl Decide for WhereSink {
    #[inline]
    fn holds(&self) -> bool {
        Self::holds(self)
    }

    /// Where all terms must hold, the first that does not decides.
    #[inline]
    fn holds_for(&mut self, record: &Record, values: &[Scalar<'_>]) -> Result<bool> {
        let Bound { flat: Some(flat), whole, fast, .. } = &self.bound else {
            return self.holds_by_record(record, values);
        };
        let holds = |((field, term), fast): ((&usize, &Term), &Fast)| {
            values.get(*field).is_some_and(|value| term.holds_for(fast, value))
        };
        Ok(flat.iter().zip(&whole.terms).zip(fast).all(holds))
    }
}

impl Term {
    #[inline(always)]
    fn holds_for(&self, fast: &Fast, value: &Scalar<'_>) -> bool {
        let order = match (fast, value) {
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
            Scalar::Absent | Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::I64(value) => Value::Int(value.into()),
            Scalar::U64(value) => Value::Int(value.into()),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Float32(value) => Value::Float(f64::from(value)),
            Scalar::Text(value) => Value::Text(value.to_string().into()),
        };
        self.holds(Some(&value)) == Some(true)
    }
}

impl Sink for WhereSink {
    fn null(&mut self) -> Result<()> {
        self.slow(|| Value::Null);
        Ok(())
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.decide(
            |fast| if let Fast::Bool(given) = fast { Some(value.cmp(given)) } else { None },
            || Value::Bool(value),
        );
        Ok(())
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.slow(|| Value::Int(value.clone().into_owned()));
        Ok(())
    }
    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.decide(
            |fast| if let Fast::Int(given) = fast { Some(value.cmp(given)) } else { None },
            || Value::Int(value.into()),
        );
        Ok(())
    }
    fn float(&mut self, value: f64) -> Result<()> {
        // A NaN has no order, and is unequal to all.
        self.decide(
            |fast| if let Fast::Float(given) = fast { value.partial_cmp(given) } else { None },
            || Value::Float(value),
        );
        Ok(())
    }
    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.within > 0 || self.at == 0 {
            return Ok(());
        }
        for number in &self.bound.places[self.at].terms {
            let term = &self.bound.whole.terms[*number];
            self.truths[*number] = match &self.bound.fast[*number] {
                Fast::Text => Some(accepts(term.condition.test, value.cmp(&*term.condition.values[0]))),
                _ => term.holds(Some(&Value::Text(value.to_string().into()))),
            };
        }
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
        self.begin();
        Ok(())
    }
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.within -= 1;
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin();
        Ok(())
    }
    fn entry(&mut self) -> Result<()> {
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        self.within -= 1;
        Ok(())
    }
    #[inline]
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        if self.within > 0 || self.at != 0 && self.bound.places[self.at].fields.is_empty() {
            self.begin();
            return Ok(());
        }
        if self.open.is_empty() {
            self.truths.clone_from(&self.absent);
        } else {
            self.slow(|| Value::Map(Vec::new()));
        }
        self.open.push(self.at);
        Ok(())
    }
    #[inline]
    fn field(&mut self, _: &Record, index: usize) -> Result<()> {
        if self.within == 0
            && let Some(record) = self.open.last()
        {
            self.at = self.bound.places[*record].fields[index];
        }
        Ok(())
    }
    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        if self.within > 0 {
            self.within -= 1;
        } else {
            self.open.pop();
            self.at = 0;
        }
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
        self.open.clear();
        (self.at, self.within) = (0, 0);
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
