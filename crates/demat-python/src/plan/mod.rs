//! Plans: compiled descriptions of types, which the engines execute.

mod as_dict;
mod by_shape;
mod cache;
mod check;
mod compile;
mod constant;
mod copied;
mod fits;
mod header;
mod inline;
mod instance_dict;
mod items;
mod members;
mod named;
mod node;
mod noted;
pub(crate) mod notes;
mod optioned;
mod record;
mod shape;
mod straight;
mod union;
mod validator;
mod wire;

pub(crate) use as_dict::{AsDict, Entry};
pub(crate) use cache::{
    Plans, any_declared_outside, epoch, forget_plans, has_places, is_kept, plan_of, recent, remember,
};
pub(crate) use check::Checks;
pub(crate) use compile::slot;
pub(crate) use fits::Fits;
pub(crate) use inline::Attributes;
pub(crate) use items::{Lists, has_lists};
pub(crate) use named::{Name, Named, is_same};
pub(crate) use node::{
    BytesKind, Clock, EnumNode, HookNode, ListKind, ListNode, LiteralNode, MapNode, Node, Times, Zone,
};
pub(crate) use noted::{is_judged, pattern};
pub(crate) use optioned::plan_at;
pub(crate) use record::{ArrayForm, Default, Direct, Make, Read, RecordPlan, Role, Store, Write};
pub(crate) use union::{TagField, TagValue, UnionNode, Variant};
pub(crate) use validator::{Face, plan_for};
pub(crate) use wire::NO_FIELD;

use crate::lazy::Views;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::sync::{Arc, OnceLock};

/// A compiled type: a graph of nodes with one root.
#[derive(Debug)]
pub(crate) struct Program {
    /// The node of the type.
    pub(crate) root: Node,
    /// The records; nodes refer to them by index, so that types can be recursive.
    pub(crate) records: Box<[RecordPlan]>,
    /// The recursive types that are no records; nodes refer to them by index.
    pub(crate) aliases: Box<[Node]>,
    /// Whether building values may run user code: hooks, constructors, factories.
    pub(crate) runs_code: bool,
    /// Whether values of builtins are converted to it directly.
    pub(crate) straight: bool,
    /// The checks of rows, computed at the first use.
    pub(crate) row_checks: OnceLock<Option<Arc<demat_core::Checks>>>,
    /// For validation without objects.
    pub(crate) validation: crate::decode::Known,
    /// The shape that values are written with, computed at the first use.
    pub(crate) written: OnceLock<demat_core::Shape>,
}

/// A program as a Python object.
///
/// It references the classes that it describes, and one of them references it: a cycle, which the collector detects.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Plan {
    pub(crate) program: Program,
    /// What the program was compiled from, for schemas.
    pub(crate) description: Py<PyAny>,
    /// The places that it has hooks of their own for. If there are any, a plan for no place is not used.
    pub(crate) placed: Box<[String]>,
    /// The code whose names the type refers to; `None` if it means the same everywhere.
    caller: Option<Py<PyAny>>,
    /// The view classes of its records, once they are used.
    pub(crate) views: OnceLock<Py<Views>>,
}

#[pymethods]
impl Plan {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.description)?;
        self.caller.as_ref().map_or(Ok(()), |caller| visit.call(caller))?;
        self.views.get().map_or(Ok(()), |views| visit.call(views))?;
        self.program.traverse(&visit)
    }
}

impl Plan {
    /// Returns whether the names in the type mean to the code that calls now what they meant when the plan was made.
    ///
    /// # Errors
    /// If user code raises.
    fn counts(&self, py: Python<'_>) -> PyResult<bool> {
        let Some(caller) = &self.caller else { return Ok(true) };
        caller.bind(py).call_method0(pyo3::intern!(py, "means_the_same"))?.is_truthy()
    }
}

impl Program {
    /// Compiles a description.
    ///
    /// # Errors
    /// If the description is invalid.
    pub(crate) fn compile(description: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut program = compile::program(description)?;
        program.deepen_members(description.py())?;
        program.find_tag_fields(description.py())?;
        program.straight = program.builds_straight();
        Ok(program)
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.root.traverse(visit)?;
        self.aliases.iter().try_for_each(|alias| alias.traverse(visit))?;
        self.records.iter().try_for_each(|record| record.traverse(visit))
    }
}
