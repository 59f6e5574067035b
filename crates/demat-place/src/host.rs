//! What a shape's host can check beyond the shape.

use core::fmt;
use demat_core::{CheckOptions, Checks, Pattern, Result, Shape, Validator};
use std::sync::Arc;

/// Compiles a regular expression.
pub(crate) type MakePattern = fn(&str) -> Result<Box<dyn Pattern>>;

/// Constraints and validators that a shape's host provides in addition to the shape.
#[derive(Clone, Default)]
pub struct Host {
    /// Compiles the regular expressions of `check` notes. Without it, a shape that has one is refused.
    pub patterns: Option<MakePattern>,
    /// Notes for the root value, which is no field and so has none in the shape.
    pub root: Vec<String>,
    /// Whether the root value is a list.
    pub root_is_list: bool,
    /// The shape of the records in a collection of messages, if the shape of the copy has other names for members of
    /// enums: those that the source has.
    pub collected: Option<Shape>,
    /// Validates whole records.
    pub validator: Option<Arc<dyn Validator>>,
}

impl Host {
    /// Compiles the checks of a shape, or of a list of the host's root values.
    ///
    /// # Errors
    /// If a note is invalid.
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
