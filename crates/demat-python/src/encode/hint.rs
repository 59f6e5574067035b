use super::object_ref::{dict_class, int_class, list_class, text_class};
use super::sequence::Run;
use super::{EncodeSink, Engine, ObjectRef};
use crate::plan::{Make, Node, Program};
use demat_core::Result;
use pyo3::ffi;

/// What is known beforehand about the values that stand in a place: nothing, or what was declared.
///
/// The loops over containers are made for each of both, since where nothing was declared nothing has to be looked at.
pub(super) trait Hint<'e>: Copy {
    /// Whether text, numbers, bools and None of the builtin classes are told as they are.
    fn leaves_scalars<K: EncodeSink>(self) -> bool;

    /// Tells a value that is none of these, or that may not be told as one.
    ///
    /// # Errors
    /// Where it can't be told.
    fn tell<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Result<()>;

    /// Tells a value that is a list or a dict, if that is all that is to be known about it.
    #[inline(always)]
    fn nested<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Option<Result<()>> {
        let _ = (engine, object);
        None
    }

    /// Whether a value of this class, which was told, is a record: others like it may follow.
    fn run<K: EncodeSink>(self, engine: &Engine<'e, K>, class: *mut ffi::PyTypeObject) -> Option<Run<'e>>;
}

/// Nothing was declared.
#[derive(Clone, Copy)]
pub(super) struct Anything;

/// A node of a program was.
///
/// A class takes what its instances hold, whatever was declared: values that are not of the node are told as what they are.
/// Where the program is what was [asked](super::asked) for, they are refused.
#[derive(Clone, Copy)]
pub(super) struct Declared<'e> {
    pub(super) node: &'e Node,
    pub(super) program: &'e Program,
    /// Whether values must be of it.
    pub(super) asked: bool,
}

impl<'e> Declared<'e> {
    /// What is declared for a part of this.
    #[inline(always)]
    pub(super) fn part(self, node: &'e Node) -> Self {
        Self { node, ..self }
    }
}

impl<'e> Hint<'e> for Anything {
    #[inline(always)]
    fn leaves_scalars<K: EncodeSink>(self) -> bool {
        true
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
        (plan.make != Make::Tuple).then_some(Run { class, plan, program })
    }
}

impl<'e> Hint<'e> for Declared<'e> {
    #[inline(always)]
    fn leaves_scalars<K: EncodeSink>(self) -> bool {
        // Which of a union's types a value is of has to be told there.
        !self.asked && self.node.leaves_scalars() && !(K::TELLS_VARIANTS && self.node.is_union())
    }

    #[inline(always)]
    fn tell<K: EncodeSink>(self, engine: &mut Engine<'e, K>, object: ObjectRef) -> Result<()> {
        // What most lists of a type that was asked for hold.
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
                (plan.make != Make::Tuple).then_some(Run { class, plan, program: self.program })
            }
            Node::Any | Node::Record(_) => Anything.run(engine, class),
            _ => None,
        }
    }
}
