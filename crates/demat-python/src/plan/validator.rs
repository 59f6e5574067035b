//! Runs Python classes as [`Validator`]s.

use super::{Node, Plan, Program};
use crate::decode::named_value;
use crate::encode::{EncodeOptions, encode};
use crate::format::Format;
use demat_core::{Result, Shape, Validator, Value};
use demat_formats::json::JsonSource;
use demat_place::Host;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Validates a record by decoding it to an object and encoding that again.
struct ClassValidator {
    plan: Py<Plan>,
    /// Shape of an encoded object.
    shape: Shape,
    /// Maps the written name of a field to the name it is read by, if they differ.
    read: HashMap<String, String>,
    face: Face,
}

/// The names that records have before and after validation, and the meaning of null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// Written names: rows of tables.
    Written,
    /// Read names: copies.
    Read,
    /// As `Read`, and the validated record is the list that it stands as: copies from such lists.
    Lists,
    /// Read names, and a null may stand for a missing field: columns.
    Columns,
}

impl Face {
    /// Returns the face of a copy that reads values of a shape.
    pub(crate) fn of_copy(shape: &Shape) -> Self {
        match shape.row().map(|record| record.get()) {
            Some(record) if record.items().is_some_and(|items| !items.allows_names()) => Self::Lists,
            _ => Self::Read,
        }
    }
}

impl Program {
    /// Returns the constraints and validators of a plan's type, for code that makes no objects.
    ///
    /// # Errors
    /// If the type has no shape.
    pub(crate) fn host(plan: &Bound<'_, Plan>, face: Face) -> PyResult<Host> {
        let py = plan.py();
        let program = &plan.get().program;
        let root = program.notes(py, &program.root)?;
        let mut host =
            Host { patterns: Some(super::pattern), root, root_is_list: program.lists().is_some(), ..Host::default() };
        if !program.is_judged() {
            return Ok(host);
        }
        let shape = match program.stored_shape_of_lists(py)? {
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

    /// Returns the node of the items, if the program is a list.
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

/// Compiles a plan for a description that belongs to no class.
///
/// # Errors
/// If the description is invalid.
pub(crate) fn plan_for<'py>(description: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Plan>> {
    let program = Program::compile(description)?;
    let (description, views) = (description.clone(), OnceLock::new());
    let py = description.py();
    Bound::new(py, Plan { program, description: description.unbind(), placed: Box::default(), caller: None, views })
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

    /// Removes nulls that mean a missing field.
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
            Face::Read | Face::Lists | Face::Columns => record,
        };
        let json = demat_formats::json::encode(&record)?;
        let json = Python::attach(|py| -> Result<Vec<u8>> {
            let program = &self.plan.get().program;
            let made = named_value(py, &json, program, program.item());
            let made = made.map_err(|failure| failure.into_error(py))?.into_bound(py);
            let encoded = encode(Format::DEFAULT, &made, &EncodeOptions::default());
            encoded.map(|bytes| bytes.as_bytes().to_vec()).map_err(|raised| crate::error::error_of(py, &raised))
        })?;
        let record = Value::decode_as(&mut JsonSource::new(&json), &self.shape)?;
        Ok(match (self.face, record) {
            (Face::Written, record) => record,
            (Face::Lists, Value::Map(entries)) => Value::List(entries.into_iter().map(|(_, value)| value).collect()),
            (_, record) => self.renamed(record),
        })
    }
}
