use super::object_ref::{dict_class, int_class, list_class, text_class};
use super::sequence::Run;
use super::{EncodeSink, Engine, ObjectRef};
use crate::plan::{Node, Program};
use demat_core::Result;
use pyo3::ffi;

/// What is known statically about a position's values: nothing, or a declared type.
///
/// The loops over containers are instantiated for both. Without a declared type, no type needs to be checked.
pub(super) trait Hint<'e>: Copy {
    /// Returns whether builtin scalars (text, numbers, bools and None) are encoded directly. `tells_variants` is that of
    /// the sink.
    fn leaves_scalars(self, tells_variants: bool) -> bool;

    /// Returns whether values may be written as something else than their class says: by a hook.
    fn converts(self) -> bool;

    /// Encodes any other value, or one that must not be encoded directly.
    ///
    /// # Errors
    /// If it can't be encoded.
    fn tell<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Result<()>;

    /// Encodes a list or a dict directly, if no type was declared.
    #[inline(always)]
    fn nested<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Option<Result<()>> {
        let _ = (engine, object);
        None
    }

    /// Returns the record for a class of which a value was just encoded: more of the class may follow.
    fn run<K: EncodeSink>(self, engine: &Engine<'e, K>, class: *mut ffi::PyTypeObject) -> Option<Run<'e>>;
}

/// No type was declared.
#[derive(Clone, Copy)]
pub(super) struct Anything;

/// A type was declared, as a node of a program.
///
/// Python does not enforce declared types: values of another type are encoded by their own class. They are refused if
/// the program is that of the [`type` argument](super::asked).
#[derive(Clone, Copy)]
pub(super) struct Declared<'e> {
    pub(super) node: &'e Node,
    pub(super) program: &'e Program,
    /// Whether values must match the type.
    pub(super) asked: bool,
}

impl<'e> Declared<'e> {
    /// Returns the declared type of a part.
    #[inline(always)]
    pub(super) fn part(self, node: &'e Node) -> Self {
        Self { node, ..self }
    }
}

impl<'e> Hint<'e> for Anything {
    #[inline(always)]
    fn leaves_scalars(self, _: bool) -> bool {
        true
    }

    #[inline(always)]
    fn converts(self) -> bool {
        false
    }

    #[inline(always)]
    fn tell<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Result<()> {
        engine.undeclared(object)
    }

    #[inline(always)]
    fn nested<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Option<Result<()>> {
        let class = object.class();
        if class == list_class() {
            Some(engine.list_or_empty(self, object))
        } else if class == dict_class() {
            Some(engine.dict_or_empty(self, object))
        } else {
            None
        }
    }

    #[inline(always)]
    fn run<K: EncodeSink>(self, engine: &Engine<'e, K>, class: *mut ffi::PyTypeObject) -> Option<Run<'e>> {
        let (plan, program) = engine.classes.record(class)?;
        plan.is_run_of_fields().then_some(Run { class, plan, program })
    }
}

impl<'e> Hint<'e> for Declared<'e> {
    #[inline(always)]
    fn leaves_scalars(self, tells_variants: bool) -> bool {
        // Which type of a union a value has must be encoded in such formats.
        !self.asked && self.node.leaves_scalars() && !(tells_variants && self.node.is_union())
    }

    #[inline(always)]
    fn converts(self) -> bool {
        match self.node {
            Node::Str | Node::Int => false,
            node => has_hook(node),
        }
    }

    #[inline(always)]
    fn tell<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Result<()> {
        // The items of most lists with a given type.
        match self.node {
            Node::Int if self.asked && object.is_exactly(int_class()) => engine.int(object),
            Node::Str if self.asked && object.is_exactly(text_class()) => engine.text(object),
            _ => engine.declared(self, object),
        }
    }

    #[inline(always)]
    fn run<K: EncodeSink>(self, engine: &Engine<'e, K>, class: *mut ffi::PyTypeObject) -> Option<Run<'e>> {
        match self.node {
            Node::Record(index) if self.program.records[*index].class_ptr() == class => {
                let plan = &self.program.records[*index];
                plan.is_run_of_fields().then_some(Run { class, plan, program: self.program })
            }
            Node::Any | Node::Record(_) => Anything.run(engine, class),
            _ => None,
        }
    }
}

/// Returns whether a value of a type may be written by a hook.
fn has_hook(node: &Node) -> bool {
    match node {
        Node::Hook(_) => true,
        Node::Optional(inner) => has_hook(inner),
        Node::Checked(checked) => has_hook(&checked.0),
        Node::Union(union) => union.variants.iter().any(|variant| has_hook(&variant.node)),
        // Aliases that contain themselves are no scalars, as keys are.
        _ => false,
    }
}
