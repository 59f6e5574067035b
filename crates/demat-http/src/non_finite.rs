//! Replaces numbers that a format can't represent.

use demat_core::{Result, Sink, forward};
use demat_store::Unrepresentable;

/// Sink adapter in front of a JSON sink: replaces numbers that are not finite by null or text, and counts them.
///
/// Tables replace values themselves and report which. This adapter is for all other stores.
pub(crate) struct NonFiniteReplacer<'s> {
    sink: &'s mut dyn Sink,
    how: Unrepresentable,
    /// The number of replaced values.
    pub(crate) replaced: u64,
    committed: u64,
}

impl<'s> NonFiniteReplacer<'s> {
    pub(crate) fn new(sink: &'s mut dyn Sink, how: Unrepresentable) -> Self {
        Self { sink, how, replaced: 0, committed: 0 }
    }

    #[cold]
    fn instead(&mut self, value: f64) -> Result<()> {
        self.replaced += 1;
        match self.how {
            Unrepresentable::Null => self.sink.null(),
            Unrepresentable::Text => self.sink.text(&value.to_string()),
            Unrepresentable::Refuse => self.sink.float(value),
        }
    }
}

impl Sink for NonFiniteReplacer<'_> {
    fn float(&mut self, value: f64) -> Result<()> {
        if value.is_finite() { self.sink.float(value) } else { self.instead(value) }
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if value.is_finite() { self.sink.float32(value) } else { self.instead(f64::from(value)) }
    }

    forward! { self => self.sink;
        null bool int i64 u64 text bytes decimal date time date_time instant duration uuid variant
        containers begin stated begin_list_of key as_is finish
    }

    fn commit(&mut self) -> Result<()> {
        self.committed = self.replaced;
        self.sink.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.replaced = self.committed;
        self.sink.rollback()
    }
}
