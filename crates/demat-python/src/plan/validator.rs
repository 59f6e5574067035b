//! Classes that only Python can judge values of, as the house's validators.

use super::{Node, Plan, Program};
use crate::decode::json_value;
use crate::encode::{EncodeOptions, encode};
use crate::format::Format;
use demat_core::{Result, Shape, Validator, Value};
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::stream::Part;
use demat_place::Host;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// What is done to records: an object is made of each, as decoding makes it, and encoded again.
struct ClassValidator {
    plan: Py<Plan>,
    /// Of what an object is encoded to.
    shape: Shape,
    /// The names that fields are read by, of those that are written by others.
    read: HashMap<String, String>,
    face: Face,
}

/// By which names records come and go, and what null means in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// As a class is written: rows of tables.
    Written,
    /// As it is read: copies.
    Read,
    /// As it is read; a null may stand for what did not come: columns.
    Columns,
}

impl Program {
    /// What Python knows of values of a plan's type, for those that no object is made of.
    ///
    /// # Errors
    /// Where the type has no shape.
    pub(crate) fn host(plan: &Bound<'_, Plan>, face: Face) -> PyResult<Host> {
        let py = plan.py();
        let program = &plan.get().program;
        let root = program.notes(py, &program.root)?;
        let mut host =
            Host { patterns: Some(super::pattern), root, root_is_list: program.lists().is_some(), validator: None };
        if !program.is_judged() {
            return Ok(host);
        }
        let shape = match program.stored_shape(py)? {
            Shape::List(item) => (*item).clone(),
            other => other,
        };
        let mut read = HashMap::new();
        if let Node::Record(index) = program.item() {
            let record = &program.records[*index];
            for (field, own) in record.write.fields().iter().zip(&record.writes) {
                let as_read = record.reads.iter().position(|read| read.label == own.label);
                let as_read = as_read.and_then(|index| record.read.fields().get(index));
                if let Some(as_read) = as_read.filter(|as_read| as_read.key() != field.key()) {
                    read.insert(field.key().to_string(), as_read.key().to_string());
                }
            }
        }
        host.validator = Some(Arc::new(ClassValidator { plan: plan.clone().unbind(), shape, read, face }));
        Ok(host)
    }

    /// The node of the items, where the program is of a list.
    fn lists(&self) -> Option<&Node> {
        match &self.root {
            Node::List(list) => Some(&list.item),
            _ => None,
        }
    }

    fn item(&self) -> &Node {
        self.lists().unwrap_or(&self.root)
    }
}

/// A plan for a description that no class keeps.
///
/// # Errors
/// Where it is none.
pub(crate) fn plan_for<'py>(description: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Plan>> {
    let program = Program::compile(description)?;
    Bound::new(description.py(), Plan { program, description: description.clone().unbind(), views: OnceLock::new() })
}

impl ClassValidator {
    fn renamed(&self, record: Value) -> Value {
        let Value::Map(entries) = record else { return record };
        let renamed = |(key, value)| match &key {
            Value::Text(own) => match self.read.get(&**own) {
                Some(read) => (Value::Text(read.clone().into()), value),
                None => (key, value),
            },
            _ => (key, value),
        };
        Value::Map(entries.into_iter().map(renamed).collect())
    }

    /// Without the nulls that stand for nothing.
    fn there(&self, record: Value) -> Value {
        let (Value::Map(entries), Shape::Record(own)) = (record, &self.shape) else { return Value::Null };
        let own = own.get();
        let nullable = |key: &Value| match key {
            Value::Text(key) => {
                let field = own.fields().iter().find(|field| {
                    let read = self.read.get(field.key()).map_or(field.key(), String::as_str);
                    read == &**key
                });
                field.is_none_or(|field| field.shape().allows_null())
            }
            _ => true,
        };
        Value::Map(entries.into_iter().filter(|(key, value)| *value != Value::Null || nullable(key)).collect())
    }
}

impl Validator for ClassValidator {
    fn validated(&self, record: Value) -> Result<Value> {
        let record = match self.face {
            Face::Written => self.renamed(record),
            Face::Columns if matches!(self.shape, Shape::Record(_)) => self.there(record),
            Face::Read | Face::Columns => record,
        };
        let json = demat_formats::json::encode(&record)?;
        let json = Python::attach(|py| -> Result<Vec<u8>> {
            let program = &self.plan.get().program;
            let part = Part::whole(&json);
            let made = json_value(py, part, ReadOptions::default(), true, program, program.item());
            let made = made.map_err(|failure| failure.into_error(py))?.into_bound(py);
            let encoded = encode(Format::Json, &made, &EncodeOptions::default());
            encoded.map(|bytes| bytes.as_bytes().to_vec()).map_err(|raised| crate::error::error_of(py, &raised))
        })?;
        let record = Value::decode_as(&mut JsonSource::new(&json), &self.shape)?;
        Ok(if self.face == Face::Written { record } else { self.renamed(record) })
    }
}
