//! Formats a plan's constraints as `check` notes of a shape, and finds those that only Python can enforce.

use super::{ArrayForm, Checks, Clock, Default, ListKind, Lists, Make, Node, Program, RecordPlan, Role, Zone};
use demat_core::{CheckOptions, Error, ErrorKind, Pattern, Result, Shape};
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::Arc;

impl Program {
    /// Compiles the checks for values of one of this program's shapes; `None` if there are none.
    ///
    /// # Errors
    /// If a constraint has no note.
    pub(crate) fn checks(&self, py: Python<'_>, shape: &Shape) -> PyResult<Option<Arc<demat_core::Checks>>> {
        let mut root = self.notes(py, &self.root)?;
        if let (Shape::List(_), false) = (shape, matches!(self.root, Node::List(_))) {
            // The shape is a list of this program's values.
            for note in &mut root {
                *note = format!("item {note}");
            }
        }
        checks_of(py, shape, &root)
    }

    /// As [`checks`](Self::checks), for a part of the program.
    ///
    /// # Errors
    /// If a constraint has no note.
    pub(crate) fn checks_of(
        &self,
        py: Python<'_>,
        shape: &Shape,
        node: &Node,
    ) -> PyResult<Option<Arc<demat_core::Checks>>> {
        checks_of(py, shape, &self.notes(py, node)?)
    }

    /// Compiles the checks for a list of this program's values.
    ///
    /// # Errors
    /// If a constraint has no note.
    pub(crate) fn row_checks(&self, py: Python<'_>) -> PyResult<Option<Arc<demat_core::Checks>>> {
        if let Some(checks) = self.row_checks.get() {
            return Ok(checks.clone());
        }
        let checks = self.checks(py, &self.stored_shape(py)?.list())?;
        Ok(self.row_checks.get_or_init(|| checks).clone())
    }

    /// Returns the `check` notes for a value.
    ///
    /// # Errors
    /// If a bound has no note.
    pub(crate) fn notes(&self, py: Python<'_>, node: &Node) -> PyResult<Vec<String>> {
        self.notes_within(py, node, Within { texts: false, tuples: false, lists: Lists::Nowhere })
    }

    /// As [`notes`](Self::notes), for the value of a field.
    ///
    /// # Errors
    /// If a bound has no note.
    pub(super) fn notes_within(&self, py: Python<'_>, node: &Node, within: Within) -> PyResult<Vec<String>> {
        let mut notes = Notes { said: Vec::new(), lists: Vec::new(), null: false, within };
        self.note(py, node, "", &mut notes)?;
        Ok(notes.said)
    }

    fn note(&self, py: Python<'_>, node: &Node, part: &str, notes: &mut Notes) -> PyResult<()> {
        let one_of = |values: Vec<Bound<'_, PyAny>>| -> PyResult<String> {
            let module = py.import(intern!(py, "demat._checked"))?;
            Ok(format!("{part}{}", module.call_method1(intern!(py, "one_of"), (values,))?))
        };
        // Applies only to the next value, not to its parts.
        let null = core::mem::take(&mut notes.null);
        match node {
            Node::Optional(inner) => {
                notes.null = true;
                self.note(py, inner, part, notes)?;
                notes.null = false;
            }
            Node::Checked(checked) => {
                notes.null = null;
                self.note(py, &checked.0, part, notes)?;
                checked.1.note(py, &checked.0, part, &mut notes.said)?;
            }
            Node::List(list) => self.note(py, &list.item, &format!("{part}item "), notes)?,
            Node::Tuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.note(py, item, &format!("{part}at {index} "), notes)?;
                }
            }
            Node::Map(map) => {
                self.note(py, &map.key, &format!("{part}key "), notes)?;
                self.note(py, &map.value, &format!("{part}value "), notes)?;
            }
            Node::Datetime(Clock { zone: Zone::Aware, .. }) => notes.said.push(format!("{part}tz aware")),
            Node::Enum(own) if own.any_int && !own.asks => {
                let mut values: Vec<Bound<'_, PyAny>> = own.members.bind(py).keys().iter().collect();
                if null {
                    values.push(py.None().into_bound(py));
                }
                notes.said.push(one_of(values)?);
            }
            Node::Literal(own)
                if notes.within.texts || own.none || own.bools != [false; 2] || !own.ints.bind(py).is_empty() =>
            {
                let mut values: Vec<Bound<'_, PyAny>> = own.texts.bind(py).keys().iter().collect();
                values.extend(own.ints.bind(py).keys().iter());
                for (value, there) in [false, true].into_iter().zip(own.bools) {
                    if there {
                        values.push(pyo3::types::PyBool::new(py, value).to_owned().into_any());
                    }
                }
                if own.none || null {
                    values.push(py.None().into_bound(py));
                }
                notes.said.push(one_of(values)?);
            }
            Node::Hook(hook) if hook.decode.is_none() => self.note(py, &hook.read, part, notes)?,
            // Named tuples and such within a row are tuples.
            Node::Record(index) if notes.within.tuples => {
                let plan = &self.records[*index];
                let is_tuple = plan.is_listed() && !(notes.within.lists == Lists::Kept && plan.form == ArrayForm::List);
                if is_tuple && !notes.lists.contains(index) {
                    notes.lists.push(*index);
                    for (at, field) in plan.writes.iter().enumerate() {
                        self.note(py, &field.node, &format!("{part}at {at} "), notes)?;
                    }
                    notes.lists.pop();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns whether validation needs Python code, such as `__post_init__`, a constructor, a hook or a factory. If
    /// so, an object is created from each untrusted value.
    pub(crate) fn is_judged(&self) -> bool {
        self.judges(&self.root, &mut vec![false; self.records.len()])
    }

    fn judges(&self, node: &Node, seen: &mut Vec<bool>) -> bool {
        match node {
            Node::Optional(inner) => self.judges(inner, seen),
            Node::Checked(checked) => {
                // The length of a set counts equal items once, which a note about a list can't express.
                let set =
                    matches!(&checked.0, Node::List(list) if matches!(list.kind, ListKind::Set | ListKind::Frozenset));
                set || self.judges(&checked.0, seen)
            }
            Node::List(list) => {
                let own = matches!(&list.kind, ListKind::Other(class) if !is_of_python(class));
                own || self.judges(&list.item, seen)
            }
            Node::Tuple(items) => items.iter().any(|item| self.judges(item, seen)),
            Node::Map(map) => {
                map.class.as_ref().is_some_and(|class| !is_of_python(class))
                    || self.judges(&map.key, seen)
                    || self.judges(&map.value, seen)
            }
            Node::Enum(own) => own.asks,
            Node::Flag(_) => true,
            Node::Hook(hook) => hook.decode.is_some() || self.judges(&hook.read, seen),
            Node::Union(union) => union
                .variants
                .iter()
                .any(|variant| self.has_checks(&variant.node, &mut Vec::new()) || self.judges(&variant.node, seen)),
            // Recursive types that are no records can't carry notes.
            Node::Named(index) => {
                self.has_checks(&self.aliases[*index], &mut Vec::new()) || self.aliases_judge(*index, seen)
            }
            Node::Record(index) => {
                if core::mem::replace(&mut seen[*index], true) {
                    return false;
                }
                self.records[*index].judges()
                    || self.records[*index].reads.iter().any(|field| self.judges(&field.node, seen))
            }
            _ => false,
        }
    }

    fn aliases_judge(&self, index: usize, seen: &mut Vec<bool>) -> bool {
        // `seen` has the aliases after the records.
        let place = self.records.len() + index;
        if seen.len() <= place {
            seen.resize(place + 1, false);
        }
        !core::mem::replace(&mut seen[place], true) && self.judges(&self.aliases[index], seen)
    }

    /// Returns whether a constraint may decide which variant of a union a value belongs to.
    fn has_checks(&self, node: &Node, open: &mut Vec<usize>) -> bool {
        match node {
            Node::Checked(_) | Node::Datetime(Clock { zone: Zone::Aware | Zone::Naive, .. }) => true,
            Node::Optional(inner) => self.has_checks(inner, open),
            Node::List(list) => self.has_checks(&list.item, open),
            Node::Tuple(items) => items.iter().any(|item| self.has_checks(item, open)),
            Node::Map(map) => self.has_checks(&map.key, open) || self.has_checks(&map.value, open),
            Node::Enum(own) => own.any_int,
            Node::Literal(own) => {
                own.none || own.bools != [false; 2] || Python::attach(|py| !own.ints.bind(py).is_empty())
            }
            Node::Union(union) => union.variants.iter().any(|variant| self.has_checks(&variant.node, open)),
            Node::Record(index) => {
                if open.contains(index) {
                    return false;
                }
                open.push(*index);
                self.records[*index].reads.iter().any(|field| self.has_checks(&field.node, open))
            }
            _ => false,
        }
    }
}

/// Returns three flags for a type of rows. First: validation needs Python code. Second: a field defaults to a list or
/// dict, which SQL can't supply. Either means that dicts become instances before they are written. Third: it has hooks
/// for single places, so that a dict does not say which of them its values are for.
#[pyfunction]
pub(crate) fn is_judged(r#type: &Bound<'_, PyAny>) -> PyResult<(bool, bool, bool)> {
    let plan = super::plan_at(r#type, None, Some("sql"))?;
    let program = &plan.get().program;
    let fills = |field: &super::Read| matches!(field.default, Default::List | Default::Dict);
    let filled = match &program.root {
        Node::Record(index) => program.records[*index].reads.iter().any(fills),
        _ => false,
    };
    Ok((program.is_judged(), filled, super::has_places(r#type)?))
}

/// The record that a value is part of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    /// Whether to list allowed texts even if the shape has them: objects may hold other texts, which the shape alone
    /// would not catch.
    pub(super) texts: bool,
    /// Whether records that stand as lists are tuples there: the value is part of a record.
    pub(super) tuples: bool,
    pub(super) lists: Lists,
}

/// Collects notes.
struct Notes {
    said: Vec<String>,
    /// The named tuples around the current value.
    lists: Vec<usize>,
    /// Whether the next value may also be null.
    null: bool,
    within: Within,
}

fn checks_of(py: Python<'_>, shape: &Shape, root: &[String]) -> PyResult<Option<Arc<demat_core::Checks>>> {
    let options = CheckOptions { root, patterns: Some(&pattern), ..CheckOptions::default() };
    demat_core::Checks::of(shape, options).map_err(|error| crate::error::exception(py, error.into()))
}

impl RecordPlan {
    /// Returns whether the class's own code builds its instances or supplies a default.
    fn judges(&self) -> bool {
        matches!(self.make, Make::Call | Make::Validate)
            || self.post_init.is_some()
            || self.reads.iter().any(|field| field.role == Role::Value && matches!(field.default, Default::Factory(_)))
    }
}

impl Checks {
    fn note(&self, py: Python<'_>, node: &Node, part: &str, notes: &mut Vec<String>) -> PyResult<()> {
        let kind = match node {
            Node::Int => "int",
            Node::Float => "float",
            Node::Decimal => "decimal",
            Node::Timedelta => "timedelta",
            _ => "",
        };
        let module = py.import(intern!(py, "demat._checked"))?;
        let mut say = |name: &str, bound: &Bound<'_, PyAny>| -> PyResult<()> {
            let note = module.call_method1(intern!(py, "said"), (kind, name, bound))?;
            notes.push(format!("{part}{note}"));
            Ok(())
        };
        let bounds = [
            ("ge", &self.ge),
            ("gt", &self.gt),
            ("le", &self.le),
            ("lt", &self.lt),
            ("multiple_of", &self.multiple_of),
        ];
        for (name, bound) in bounds {
            if let Some(bound) = bound {
                say(name, bound.bind(py))?;
            }
        }
        for (name, length) in [("min_length", self.min_length), ("max_length", self.max_length)] {
            if let Some(length) = length {
                say(name, length.into_pyobject(py)?.as_any())?;
            }
        }
        if let Some((_, pattern)) = &self.pattern {
            notes.push(format!("{part}pattern {pattern}"));
        }
        Ok(())
    }
}

/// Returns whether Python itself defines the class; such containers accept any items.
fn is_of_python<T>(class: &Py<T>) -> bool {
    Python::attach(|py| {
        class.bind(py).as_any().getattr("__module__").is_ok_and(|module| {
            module.extract::<String>().is_ok_and(|module| matches!(module.as_str(), "builtins" | "collections"))
        })
    })
}

/// A compiled Python regular expression.
struct Search {
    search: Py<PyAny>,
}

/// Compiles the regular expression of a note for `re.search`.
pub(crate) fn pattern(pattern: &str) -> Result<Box<dyn Pattern>> {
    Python::attach(|py| {
        let compiled = py.import("re").and_then(|re| re.call_method1("compile", (pattern,)));
        let search = compiled.and_then(|compiled| compiled.getattr("search")).map_err(|error| failed(&error))?;
        Ok(Box::new(Search { search: search.unbind() }) as Box<dyn Pattern>)
    })
}

impl Pattern for Search {
    fn is_found(&self, text: &str) -> Result<bool> {
        Python::attach(|py| {
            let found = self.search.call1(py, (text,)).map_err(|error| failed(&error))?;
            Ok(!found.is_none(py))
        })
    }
}

#[cold]
fn failed(error: &PyErr) -> Error {
    Error::new(ErrorKind::Constraint, format!("a pattern can't be looked for: {error}"))
}
