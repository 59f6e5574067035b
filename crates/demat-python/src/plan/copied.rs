//! The shape of a class in a copy between formats.

use super::{Lists, Node, Program, has_lists};
use demat_core::Shape;
use demat_formats::Format;
use demat_formats::codec::{Engine, Model};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

impl Program {
    /// Returns the shape for a copy from one format to others, or to nowhere. `strict`: fields that the class does not
    /// have are refused, and not ignored.
    ///
    /// # Errors
    /// `TypeError` if the formats have different forms of the class, so that no one shape says both; and if keys or
    /// numbers collide.
    pub(crate) fn shape_copied(&self, py: Python<'_>, from: Format, to: &[Format], strict: bool) -> PyResult<Shape> {
        let all = || core::iter::once(from).chain(to.iter().copied());
        let by_number = |format: Format| matches!(format.about().model, Model::Numbered | Model::Shaped);
        let is_numbered = |format: Format| format.about().model == Model::Numbered;
        let has_tags = self.records.iter().any(|record| record.tag.is_some());
        let what = if has_tags && all().any(by_number) && !all().all(|format| format.about().engine == Engine::Messages)
        {
            "the tags of its unions, which are numbers in"
        } else if all().all(is_numbered) && !(self.is_judged() && self.has_enums()) {
            // What judges records gets the values of an enum's members, and not the names that messages have.
            return self.shape_read_of(py, &self.root, true);
        } else if all().any(has_named_numbers) && self.has_enums() {
            "the names of its enums, which are the members' in"
        } else if all().any(by_number) && self.any_array().is_some() {
            "its arrays, which have named fields in"
        } else if self.array_of_rows().is_some() && to.iter().any(|to| is_nested(*to)) && !all().all(is_nested) {
            "its arrays, which are rows of named fields in"
        } else {
            return self.shape_of_lists(py, from, to, strict);
        };
        let differs = |format: &Format| by_number(*format) || has_named_numbers(*format);
        let format = all().find(differs).or_else(|| all().find(|format| !is_nested(*format))).unwrap_or(from);
        // A list of records is read record by record.
        let record = match &self.root {
            Node::List(list) => &list.item,
            root => root,
        };
        let class = record.name(self);
        let message = format!(
            "`{class}` is not copied: between these formats differ {what} {format}. Read and write objects: \
             `demat.{}.write(dst, demat.{from}.read(src, {class}))`",
            to.first().copied().unwrap_or(format)
        );
        Err(PyTypeError::new_err(message))
    }

    /// Returns the shape whose arrays are those of both formats.
    fn shape_of_lists(&self, py: Python<'_>, from: Format, to: &[Format], strict: bool) -> PyResult<Shape> {
        let lists = if !to.iter().any(|to| is_nested(*to)) {
            Lists::of_rows(from.about().model)
        } else if is_nested(from) {
            Lists::Kept
        } else {
            Lists::Nowhere
        };
        if lists == Lists::Kept && self.is_judged() {
            // The class makes rows with names of what it judges.
            self.without_arrays("its own code, which judges them or makes defaults: read and write objects")?;
        }
        self.shape_copied_as(py, lists, strict)
    }

    fn has_enums(&self) -> bool {
        let nodes = self.records.iter().flat_map(|record| record.reads.iter().map(|field| &field.node));
        nodes.chain(&self.aliases).chain([&self.root]).any(Node::has_enum)
    }
}

fn is_nested(format: Format) -> bool {
    has_lists(format.about().model)
}

/// Whether enums and fields stand in a text by the names that they have in messages.
fn has_named_numbers(format: Format) -> bool {
    format.about().model == Model::Numbered && format.about().engine != Engine::Messages
}

impl Node {
    pub(super) fn has_enum(&self) -> bool {
        match self {
            Self::Enum(names) => names.numbered.is_some(),
            Self::Optional(inner) => inner.has_enum(),
            Self::List(list) => list.item.has_enum(),
            Self::Tuple(items) => items.iter().any(Self::has_enum),
            Self::Map(map) => map.key.has_enum() || map.value.has_enum(),
            Self::Union(union) => union.variants.iter().any(|variant| variant.node.has_enum()),
            Self::Checked(checked) => checked.0.has_enum(),
            Self::Hook(hook) => hook.read.has_enum() || hook.write.has_enum(),
            _ => false,
        }
    }
}
