//! Shapes of what oneof members hold.
//!
//! The shape of any other field stops at the single value, since the engine visits what is inside. No engine visits a
//! member that a later one overrides: the source checks it alone, so it needs the whole shape.

use super::{Node, Program, wire};
use demat_core::{Field, Record, Shape, Union, UnionRef, Variant};
use demat_formats::proto::{Cardinality, Wire, oneof};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

impl Program {
    /// Sets the full shapes of oneof members that hold messages.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(super) fn deepen_members(&mut self, py: Python<'_>) -> PyResult<()> {
        for at in 0..self.records.len() {
            let plan = &self.records[at];
            let is_member =
                |field: &Field| oneof(field).is_some() || Wire::of_field(field).cardinality == Cardinality::Oneof;
            if !plan.read.fields().iter().any(is_member) {
                continue;
            }
            let mut fields = plan.read.fields().to_vec();
            for (field, own) in fields.iter_mut().zip(&plan.reads) {
                if is_member(field)
                    && let Some(shape) = self.member(py, field.shape(), &own.node)?
                {
                    *field = field.clone().with_inner(shape);
                }
            }
            let record = Record::new(plan.name.clone(), fields);
            let record = record.map_err(|error| PyTypeError::new_err(error.to_string()))?;
            let unknown = plan.read.unknown();
            self.records[at].read = record.with_unknown(unknown);
        }
        Ok(())
    }

    /// Returns the full shape of a member; `None` if its current shape is complete.
    fn member(&self, py: Python<'_>, shape: &Shape, node: &Node) -> PyResult<Option<Shape>> {
        match wire::inside(node, false).0 {
            Node::Record(_) => self.numbered_shape_of(py, node).map(Some),
            Node::Union(own) => {
                let Shape::Union(union) = shape.inner() else { return Ok(None) };
                let union = union.get();
                let variants = union.variants().iter().zip(&own.variants).map(|(variant, own)| {
                    let inner = self.member(py, variant.shape(), &own.node)?;
                    let inner = inner.unwrap_or_else(|| variant.shape().clone());
                    Ok(Variant::new(variant.name().to_owned(), variant.number(), inner))
                });
                let variants = variants.collect::<PyResult<Vec<_>>>()?;
                let whole = Union::new(union.name().to_owned(), variants, union.tag().clone());
                Ok(Some(Shape::Union(UnionRef::new(whole)).optional()))
            }
            _ => Ok(None),
        }
    }
}
