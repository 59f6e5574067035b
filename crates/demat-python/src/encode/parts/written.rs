//! What a class has written to its sink, and what may come next.

use super::{Part, wrong};
use demat_core::{Error, Result};
use pyo3::prelude::*;
use std::collections::HashSet;

/// What was written so far.
#[derive(Default)]
pub(super) struct Written {
    /// The open containers, outermost first.
    pub(super) open: Vec<Container>,
    /// Whether the value is complete.
    pub(super) done: bool,
    /// The first error, and what was raised for it.
    pub(super) failed: Option<(Error, Py<PyAny>)>,
}

pub(super) enum Container {
    /// A list with so many items.
    List(usize),
    /// A map: the last key, whether its value comes next, and all keys.
    Map { key: String, awaits: bool, keys: HashSet<String> },
}

impl Written {
    /// Checks that a part may stand here. Returns whether it is an item of a list.
    pub(super) fn begin(&mut self, part: &Part<'_>) -> Result<bool> {
        let out_of_place = |what: &str| Err(wrong(format!("`__demat_encode__` wrote {what}")));
        match (part, self.open.last_mut()) {
            (_, None) if self.done => out_of_place("to its sink after the value was complete"),
            (Part::Key(key), Some(Container::Map { awaits: false, keys, .. })) if keys.contains(*key) => {
                out_of_place(&format!("the key `{key}` into a map that has it already"))
            }
            (Part::Key(_), Some(Container::Map { awaits: false, .. })) => Ok(false),
            (Part::Key(key), Some(Container::Map { key: last, .. })) => {
                let message = format!("the key `{key}`, and the key `{last}` before it has no value");
                out_of_place(&message)
            }
            (Part::Key(key), _) => out_of_place(&format!("the key `{key}` outside of a map")),
            (Part::EndList | Part::EndMap, None) => out_of_place("an end, and no list or map is open"),
            (Part::EndMap, Some(Container::Map { key, awaits: true, .. })) => {
                let message = format!("the end of a map whose key `{key}` has no value");
                out_of_place(&message)
            }
            (Part::EndList | Part::EndMap, Some(_)) => Ok(false),
            (_, Some(Container::Map { awaits: false, .. })) => out_of_place("a value without a key into a map"),
            (_, Some(Container::List(_))) => Ok(true),
            (_, Some(Container::Map { .. }) | None) => Ok(false),
        }
    }

    /// Notes a part that was written.
    pub(super) fn finish(&mut self, part: &Part<'_>) {
        match part {
            Part::Key(key) => {
                if let Some(Container::Map { key: last, awaits, keys }) = self.open.last_mut() {
                    last.clear();
                    last.push_str(key);
                    keys.insert((*key).to_string());
                    *awaits = true;
                }
                return;
            }
            Part::List => return self.open.push(Container::List(0)),
            Part::Map => {
                return self.open.push(Container::Map { key: String::new(), awaits: false, keys: HashSet::new() });
            }
            Part::EndList | Part::EndMap => {
                self.open.pop();
            }
            _ => {}
        }
        match self.open.last_mut() {
            Some(Container::List(items)) => *items += 1,
            Some(Container::Map { awaits, .. }) => *awaits = false,
            None => self.done = true,
        }
    }

    /// Adds the path to an error.
    #[cold]
    pub(super) fn within(&self, mut error: Error) -> Error {
        for container in self.open.iter().rev() {
            error = match container {
                Container::List(items) => error.within_item(*items),
                Container::Map { key, awaits: true, .. } => error.within_field(key.clone()),
                Container::Map { .. } => error,
            };
        }
        error
    }
}
