//! What a plan holds values to, as notes of a shape, and what of it only Python can judge.

use super::{Checks, Default, ListKind, Make, Node, Program, RecordPlan, Role, Zone};
use demat_core::{CheckOptions, Error, ErrorKind, Pattern, Result, Shape};
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::Arc;

impl Program {
    /// The checks of values of a shape of this program's; `None` where there are none.
    ///
    /// # Errors
    /// Where a check can't be said.
    pub(crate) fn checks(&self, py: Python<'_>, shape: &Shape) -> PyResult<Option<Arc<demat_core::Checks>>> {
        let mut root = self.notes(py, &self.root)?;
        if let (Shape::List(_), false) = (shape, matches!(self.root, Node::List(_))) {
            // The places are lists of what the program is of.
            for note in &mut root {
                *note = format!("item {note}");
            }
        }
        checks_of(py, shape, &root)
    }

    /// The same of values of a part of the program.
    ///
    /// # Errors
    /// Where a check can't be said.
    pub(crate) fn checks_of(
        &self,
        py: Python<'_>,
        shape: &Shape,
        node: &Node,
    ) -> PyResult<Option<Arc<demat_core::Checks>>> {
        checks_of(py, shape, &self.notes(py, node)?)
    }

    /// The checks of a list of values of this program, or of one of them.
    ///
    /// # Errors
    /// Where a check can't be said.
    pub(crate) fn row_checks(&self, py: Python<'_>) -> PyResult<Option<Arc<demat_core::Checks>>> {
        if let Some(checks) = self.row_checks.get() {
            return Ok(checks.clone());
        }
        let checks = self.checks(py, &self.stored_shape(py)?.list())?;
        Ok(self.row_checks.get_or_init(|| checks).clone())
    }

    /// The notes for a value: what it must be beside its shape.
    ///
    /// # Errors
    /// Where a bound can't be said.
    pub(crate) fn notes(&self, py: Python<'_>, node: &Node) -> PyResult<Vec<String>> {
        let mut notes = Notes { said: Vec::new(), lists: Vec::new(), null: false, texts: false };
        self.note(py, node, "", &mut notes)?;
        Ok(notes.said)
    }

    /// The same, with those that the shape says, too: of which texts one is. Objects may hold others.
    ///
    /// # Errors
    /// Where a bound can't be said.
    pub(crate) fn notes_of_objects(&self, py: Python<'_>, node: &Node) -> PyResult<Vec<String>> {
        let mut notes = Notes { said: Vec::new(), lists: Vec::new(), null: false, texts: true };
        self.note(py, node, "", &mut notes)?;
        Ok(notes.said)
    }

    fn note(&self, py: Python<'_>, node: &Node, part: &str, notes: &mut Notes) -> PyResult<()> {
        let one_of = |values: Vec<Bound<'_, PyAny>>| -> PyResult<String> {
            let module = py.import(intern!(py, "demat._checked"))?;
            Ok(format!("{part}{}", module.call_method1(intern!(py, "one_of"), (values,))?))
        };
        // It is said of the value that follows, and of none within it.
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
            Node::Datetime(Zone::Aware) => notes.said.push(format!("{part}tz aware")),
            Node::Datetime(Zone::Naive) => notes.said.push(format!("{part}tz naive")),
            Node::Enum(own) if own.any_int && !own.asks => {
                let mut values: Vec<Bound<'_, PyAny>> = own.members.bind(py).keys().iter().collect();
                if null {
                    values.push(py.None().into_bound(py));
                }
                notes.said.push(one_of(values)?);
            }
            Node::Literal(own)
                if notes.texts || own.none || own.bools != [false; 2] || !own.ints.bind(py).is_empty() =>
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
            // Named tuples within a row are lists.
            Node::Record(index) if !part.is_empty() || !notes.lists.is_empty() => {
                let plan = &self.records[*index];
                if plan.make == Make::Tuple && plan.tag.is_none() && !notes.lists.contains(index) {
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

    /// Whether there is something that only Python can judge or make: code of the program's own that reads a value, such as
    /// `__post_init__`, a constructor, a hook or a factory. Then values that come from outside are made objects of.
    pub(crate) fn is_judged(&self) -> bool {
        self.judges(&self.root, &mut vec![false; self.records.len()])
    }

    fn judges(&self, node: &Node, seen: &mut Vec<bool>) -> bool {
        match node {
            Node::Optional(inner) => self.judges(inner, seen),
            Node::Checked(checked) => {
                // The same item twice is one of a set, and two of a list.
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
            // What contains itself and is no record has no place for notes.
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
        // Aliases stand behind the records.
        let place = self.records.len() + index;
        if seen.len() <= place {
            seen.resize(place + 1, false);
        }
        !core::mem::replace(&mut seen[place], true) && self.judges(&self.aliases[index], seen)
    }

    /// Whether a value of a union is checked in a way that decides which of its types it is.
    fn has_checks(&self, node: &Node, open: &mut Vec<usize>) -> bool {
        match node {
            Node::Checked(_) | Node::Datetime(Zone::Aware | Zone::Naive) => true,
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

/// Whether dicts become instances of a type before they are rows: where only Python can judge them, and where what they leave
/// out is a list or dict, of which a table knows nothing.
#[pyfunction]
pub(crate) fn is_judged(r#type: &Bound<'_, PyAny>) -> PyResult<(bool, bool)> {
    let plan = super::plan_of(r#type)?;
    let program = &plan.get().program;
    let fills = |field: &super::Read| matches!(field.default, Default::List | Default::Dict);
    let filled = match &program.root {
        Node::Record(index) => program.records[*index].reads.iter().any(fills),
        _ => false,
    };
    Ok((program.is_judged(), filled))
}

/// Notes as they are gathered.
struct Notes {
    said: Vec<String>,
    /// The named tuples that it is within.
    lists: Vec<usize>,
    /// Whether the value that follows may be null, too.
    null: bool,
    /// Whether texts are listed where the shape has their names.
    texts: bool,
}

fn checks_of(py: Python<'_>, shape: &Shape, root: &[String]) -> PyResult<Option<Arc<demat_core::Checks>>> {
    let options = CheckOptions { root, patterns: Some(&pattern), ..CheckOptions::default() };
    demat_core::Checks::of(shape, options).map_err(|error| crate::error::exception(py, error.into()))
}

impl RecordPlan {
    /// Whether code of the class's own makes its instances, or a value for a field that does not come.
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

/// Whether a class is one of those that come with Python, which take whatever items they are given.
fn is_of_python<T>(class: &Py<T>) -> bool {
    Python::attach(|py| {
        class.bind(py).as_any().getattr("__module__").is_ok_and(|module| {
            module.extract::<String>().is_ok_and(|module| matches!(module.as_str(), "builtins" | "collections"))
        })
    })
}

/// A regular expression of Python's.
struct Search {
    search: Py<PyAny>,
}

/// The pattern that a note says, as `re.search` finds it.
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
