//! What the host of a shape knows of its values.

use core::fmt;
use demat_core::{CheckOptions, Checks, Pattern, Result, Shape, Validator};
use std::sync::Arc;

/// Compiles a regular expression.
pub(crate) type MakePattern = fn(&str) -> Result<Box<dyn Pattern>>;

/// What the host that a shape comes from knows of its values, beside the shape.
#[derive(Clone, Default)]
pub struct Host {
    /// Makes the regular expressions that notes for `check` say. Without it a shape that has one is refused.
    pub patterns: Option<MakePattern>,
    /// Notes for the value as a whole, which no field has.
    pub root: Vec<String>,
    /// Whether that value is a list.
    pub root_is_list: bool,
    /// Validates whole records.
    pub validator: Option<Arc<dyn Validator>>,
}

impl Host {
    /// The checks of a shape, or of a list of values for which the notes are.
    ///
    /// # Errors
    /// Where a note can't be checked.
    pub fn checks(&self, shape: &Shape) -> Result<Option<Arc<Checks>>> {
        let patterns = self.patterns.as_ref().map(|patterns| patterns as demat_core::Patterns<'_>);
        let mut root = self.root.clone();
        if matches!(shape, Shape::List(_)) && !self.root_is_list {
            for note in &mut root {
                *note = format!("item {note}");
            }
        }
        Checks::of(shape, CheckOptions { patterns, root: &root, ..CheckOptions::default() })
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("root", &self.root).finish_non_exhaustive()
    }
}
