use super::{ArrayForm, Fits, Make, Node, Program, RecordPlan, Role};
use demat_core::KeyPattern;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A union of several types.
#[derive(Debug)]
pub(crate) struct UnionNode {
    /// The key of the field that identifies the variant; `None` if the first variant that fits is used.
    pub(crate) tag: Option<String>,
    /// Whether the variants stand as lists, whose first item is the tag.
    pub(crate) listed: bool,
    /// The pattern of that key.
    pub(crate) pattern: KeyPattern,
    pub(crate) variants: Box<[Variant]>,
    /// The union for sources and sinks that identify variants by number.
    pub(crate) numbered: demat_core::Union,
    /// Whether its values are keys, which most formats write as text.
    pub(crate) keyed: bool,
    /// Which variants fit which kinds; known once a value was decoded.
    pub(super) fits: OnceLock<Fits>,
}

impl UnionNode {
    /// Returns which variants fit which kinds. `program` is the union's.
    #[inline]
    pub(crate) fn fits(&self, program: &Program) -> &Fits {
        self.fits.get_or_init(|| Fits::new(self, program))
    }

    /// Whether the last variant takes all other tags.
    pub(crate) fn takes_others(&self) -> bool {
        self.tag.is_some() && self.variants.iter().any(|variant| variant.name.is_none())
    }
}

/// A variant of a union.
#[derive(Debug)]
pub(crate) struct Variant {
    /// The tag's value; `None` in an untagged union, and for the variant that takes all other tags.
    pub(crate) name: Option<TagValue>,
    pub(crate) node: Node,
    /// The field of its record that the tag is; `None` if the record has to read the tag itself.
    pub(crate) tag_field: Option<TagField>,
    /// In a union without a tag: the index of the record that is this one without unknown fields. It is tried before
    /// records that would ignore some.
    pub(crate) exact: Option<usize>,
}

/// The field of a variant's record that the tag is. A reader that has read the tag need not read it once more.
#[derive(Debug)]
pub(crate) struct TagField {
    /// Its index among the fields that are read.
    pub(crate) index: usize,
    /// The value of the attribute; `None` if the tag is no attribute.
    pub(crate) value: Option<Py<PyAny>>,
}

impl Variant {
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some(TagField { value: Some(value), .. }) = &self.tag_field {
            visit.call(value)?;
        }
        self.node.traverse(visit)
    }
}

impl Program {
    /// Refuses unions that take other tags, where no objects are made: a shape accepts a wrong record of a known tag.
    ///
    /// # Errors
    /// `TypeError`, if there is one.
    pub(crate) fn without_others(&self) -> PyResult<()> {
        let mut refuse = |union: &UnionNode| {
            if union.takes_others() {
                return Err(PyTypeError::new_err("`Field(other=…)` needs objects: read them, and copy these"));
            }
            Ok(())
        };
        let fields = self.records.iter().flat_map(|record| record.reads.iter().map(|field| &field.node));
        [&self.root].into_iter().chain(&self.aliases).chain(fields).try_for_each(|node| node.each_union(&mut refuse))
    }

    /// Determines where the records of tagged unions store the tags.
    ///
    /// # Errors
    /// If looking a literal up fails.
    pub(super) fn find_tag_fields(&mut self, py: Python<'_>) -> PyResult<()> {
        let Self { root, records, aliases, .. } = self;
        // A node is changed while the records are read, so the found fields are set in a second pass.
        let mut found = Vec::new();
        let mut find = |union: &UnionNode| {
            let Some(tag) = &union.tag else { return Ok(()) };
            for variant in &union.variants {
                found.push(match (&variant.node, &variant.name) {
                    (Node::Record(index), Some(name)) => tag_field(py, &records[*index], tag, name)?,
                    _ => None,
                });
            }
            Ok(())
        };
        let mut nodes = Vec::new();
        nodes.push(&*root);
        nodes.extend(aliases.iter());
        nodes.extend(records.iter().flat_map(|record| record.reads.iter().map(|field| &field.node)));
        nodes.into_iter().try_for_each(|node| node.each_union(&mut find))?;
        let mut found = found.into_iter();
        let mut set = |union: &mut UnionNode| {
            if union.tag.is_some() {
                union.variants.iter_mut().for_each(|variant| variant.tag_field = found.next().flatten());
            }
        };
        root.each_union_mut(&mut set);
        aliases.iter_mut().for_each(|node| node.each_union_mut(&mut set));
        for record in records {
            record.reads.iter_mut().for_each(|field| field.node.each_union_mut(&mut set));
        }
        Ok(())
    }
}

/// Returns the field of a record that the tag is, if its value is known: it is a literal, or no attribute at all.
fn tag_field(py: Python<'_>, plan: &RecordPlan, tag: &str, name: &TagValue) -> PyResult<Option<TagField>> {
    let is_read_on = plan.make == Make::Fields && plan.form == ArrayForm::Named;
    let Some(index) = plan.read.index_of(tag).filter(|_| is_read_on) else { return Ok(None) };
    let field = &plan.reads[index];
    let value = match (field.role, &field.node) {
        (Role::Tag, _) if plan.tag.as_ref() == Some(name) => None,
        (Role::Value, Node::Literal(literal)) if field.group == 0 => {
            let value = match name {
                TagValue::Text(text) => literal.texts.bind(py).get_item(text)?,
                TagValue::Int(int) => literal.ints.bind(py).get_item(int)?,
            };
            let Some(value) = value else { return Ok(None) };
            Some(value.unbind())
        }
        _ => return Ok(None),
    };
    Ok(Some(TagField { index, value }))
}

/// The value of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TagValue {
    Text(String),
    Int(i64),
}

impl TagValue {
    /// Returns the value as text.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Int(int) => Cow::Owned(int.to_string()),
        }
    }
}

impl core::fmt::Display for TagValue {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "`{text}`"),
            Self::Int(int) => write!(f, "`{int}`"),
        }
    }
}

impl UnionNode {
    /// Returns the tags for an error message.
    pub(crate) fn names(&self) -> String {
        let names: Vec<String> =
            self.variants.iter().filter_map(|v| v.name.as_ref()).map(ToString::to_string).collect();
        names.join(" or ")
    }
}
