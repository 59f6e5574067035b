//! The fields around the records of a reader.

use super::options::HeaderOption;
use crate::decode::{DecodeOptions, of_value};
use crate::known;
use crate::plan::{Plan, plan_at};
use demat_core::Shape;
use demat_formats::stream::{Header, HeaderChange};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

/// The maximum length of a header, in bytes of the document.
pub(crate) const LIMIT: usize = 1 << 20;

/// The fields around the records of a reader, as far as it has come.
pub(crate) struct HeaderReader {
    header: Header,
    plan: Option<Py<Plan>>,
    /// The object of these fields, once it was asked for.
    object: Option<Py<PyAny>>,
}

impl HeaderReader {
    /// Creates what the option `header` says; `None` if it says nothing.
    ///
    /// # Errors
    /// If the type can't be described.
    pub(crate) fn of(py: Python<'_>, option: &HeaderOption, options: &DecodeOptions) -> PyResult<Option<Self>> {
        let plan = match option {
            HeaderOption::No => return Ok(None),
            HeaderOption::Dict => None,
            HeaderOption::Of(type_) => planned(type_.bind(py), options)?,
        };
        Ok(Some(Self { header: Header::default(), plan, object: None }))
    }

    /// Returns the shape to keep the fields in.
    pub(crate) fn shape(&self) -> Shape {
        self.plan.as_ref().map_or(Shape::Any, |plan| plan.get().program.header_shape())
    }

    pub(crate) fn apply(&mut self, change: HeaderChange) {
        self.header.apply(change);
        self.object = None;
    }

    /// Returns the fields: the same object until there are others.
    ///
    /// # Errors
    /// If they are not of the type.
    pub(crate) fn value<'py>(&mut self, py: Python<'py>, options: &DecodeOptions) -> PyResult<Bound<'py, PyAny>> {
        if let Some(object) = &self.object {
            return Ok(object.bind(py).clone());
        }
        let object = of_value(py, &self.header.value(), self.plan.as_ref().map(Py::get), options)?;
        self.object = Some(object.clone().unbind());
        Ok(object)
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plan)?;
        visit.call(&self.object)
    }
}

/// Returns the plan of a header's type, by the options that are about types in general; `fields` is about the records.
fn planned(type_: &Bound<'_, PyAny>, options: &DecodeOptions) -> PyResult<Option<Py<Plan>>> {
    let py = type_.py();
    if type_.is(known::any(py)?) {
        return Ok(None);
    }
    if let Some(table) = &options.describe {
        let table = table.bind(py).copy()?;
        if table.contains("fields")? {
            table.del_item("fields")?;
        }
        if !table.is_empty() {
            return plan_at(type_, Some(&table), options.place).map(|plan| Some(plan.unbind()));
        }
    }
    plan_at(type_, None, options.place).map(|plan| Some(plan.unbind()))
}
