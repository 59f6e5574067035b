//! Plans: descriptions of types, compiled to be followed.

mod cache;
mod check;
mod compile;
mod inline;
mod members;
mod node;
mod noted;
mod optioned;
mod record;
mod shape;
mod union;
mod validator;
mod wire;

pub(crate) use cache::{Plans, any_declared_outside, epoch, forget_plans, is_kept, plan_of, recent, remember};
pub(crate) use check::Checks;
pub(crate) use inline::Attributes;
pub(crate) use node::{BytesKind, EnumNode, HookNode, ListKind, ListNode, LiteralNode, MapNode, Node, Zone};
pub(crate) use noted::{is_judged, pattern};
pub(crate) use optioned::plan_with;
pub(crate) use record::{Default, Make, Read, RecordPlan, Role, Store, Write};
pub(crate) use union::{TagValue, UnionNode, Variant};
pub(crate) use validator::{Face, plan_for};

use crate::lazy::Views;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::sync::{Arc, OnceLock};

/// What a type is to the engines: nodes to follow, from one root.
#[derive(Debug)]
pub(crate) struct Program {
    /// The node of the type itself.
    pub(crate) root: Node,
    /// The records that nodes refer to by index, so that a type may contain itself.
    pub(crate) records: Box<[RecordPlan]>,
    /// What nodes refer to that contain themselves and are no records.
    pub(crate) aliases: Box<[Node]>,
    /// Whether building values may run code of the program's own: hooks, constructors, factories.
    pub(crate) runs_code: bool,
    /// The checks of rows, computed at the first use.
    pub(crate) row_checks: OnceLock<Option<Arc<demat_core::Checks>>>,
    /// The shape that values are written with, computed at the first use.
    pub(crate) written: OnceLock<demat_core::Shape>,
}

/// A program as the interpreter keeps it.
///
/// It holds the classes that it is about, and is itself held by one of them: a cycle, which the collector can see.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Plan {
    pub(crate) program: Program,
    /// What the program was compiled from, for schemas.
    pub(crate) description: Py<PyAny>,
    /// The classes of its records' views, once there are any.
    pub(crate) views: OnceLock<Py<Views>>,
}

#[pymethods]
impl Plan {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.description)?;
        self.views.get().map_or(Ok(()), |views| visit.call(views))?;
        self.program.traverse(&visit)
    }
}

impl Program {
    /// Compiles a description.
    ///
    /// # Errors
    /// Where it is none.
    pub(crate) fn compile(description: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut program = compile::program(description)?;
        program.deepen_members(description.py())?;
        Ok(program)
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.root.traverse(visit)?;
        self.aliases.iter().try_for_each(|alias| alias.traverse(visit))?;
        self.records.iter().try_for_each(|record| record.traverse(visit))
    }
}
