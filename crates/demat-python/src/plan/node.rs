use super::{Checks, Named, UnionNode};
use crate::object::Object;
use demat_core::{Kind, Wanted};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};

/// A step of a plan: the type of a value, and the object that it becomes.
#[derive(Debug)]
pub(crate) enum Node {
    Any,
    None,
    Bool,
    Int,
    Float,
    Str,
    /// The record with this index in the program.
    Record(usize),
    /// The recursive alias with this index in the program.
    Named(usize),
    Optional(Box<Node>),
    List(Box<ListNode>),
    Tuple(Box<[Node]>),
    Map(Box<MapNode>),
    Bytes(BytesKind),
    Decimal,
    Datetime(Clock),
    Date,
    Time(Zone),
    Timedelta,
    Uuid,
    Raw,
    Enum(Box<EnumNode>),
    /// A flag enum, by its number.
    Flag(Py<PyType>),
    Literal(Box<LiteralNode>),
    Union(Box<UnionNode>),
    Hook(Box<HookNode>),
    Checked(Box<(Node, Checks)>),
}

/// The class of the object that bytes become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BytesKind {
    Bytes,
    Bytearray,
    Memoryview,
}

/// Whether a datetime must have a UTC offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    Either,
    Aware,
    Naive,
}

/// How datetimes are read: with or without an offset, and in which forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) zone: Zone,
    /// The other forms that this field accepts; `None`: those of the call.
    pub(crate) times: Option<Times>,
}

/// The forms of datetimes that are accepted besides those of RFC 3339: other texts, and numbers of what unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    Lenient,
    Seconds,
    Milliseconds,
}

impl Times {
    /// The values of the option, in the order of the variants.
    pub(crate) const NAMES: [&str; 3] = ["lenient", "seconds", "milliseconds"];

    /// Returns the forms of that index.
    pub(crate) fn of_index(index: usize) -> Self {
        [Self::Lenient, Self::Seconds, Self::Milliseconds][index]
    }

    /// Returns the microseconds in a unit of the numbers; `None` if numbers are not accepted.
    pub(crate) fn unit(self) -> Option<u32> {
        match self {
            Self::Lenient => None,
            Self::Seconds => Some(1_000_000),
            Self::Milliseconds => Some(1_000),
        }
    }
}

/// The class of the object that a list becomes.
#[derive(Debug)]
pub(crate) enum ListKind {
    List,
    Tuple,
    Set,
    Frozenset,
    /// Another class: the callable that builds an instance from a list.
    Other(Py<PyAny>),
}

#[derive(Debug)]
pub(crate) struct ListNode {
    pub(crate) kind: ListKind,
    pub(crate) item: Node,
}

#[derive(Debug)]
pub(crate) struct MapNode {
    /// The class; `None` for `dict` itself. By default, an empty instance is created and updated.
    pub(crate) class: Option<Py<PyType>>,
    /// A callable that builds the instance from a dict, for classes with a constructor of their own.
    pub(crate) make: Option<Py<PyAny>>,
    pub(crate) key: Node,
    pub(crate) value: Node,
}

#[derive(Debug)]
pub(crate) struct EnumNode {
    pub(crate) class: Py<PyType>,
    /// Wire values to members.
    pub(crate) members: Py<PyDict>,
    /// The same, if they are few.
    pub(crate) few: Named,
    /// The wire values, for error messages.
    pub(crate) names: String,
    pub(crate) any_text: bool,
    pub(crate) any_int: bool,
    /// Whether the class defines `_missing_`.
    pub(crate) asks: bool,
    /// The members by number, for formats with numbered names; `None` if not all have 32-bit numbers.
    pub(crate) numbered: Option<demat_core::Enum>,
    /// The members in that order.
    pub(crate) order: Py<PyTuple>,
}

#[derive(Debug)]
pub(crate) struct LiteralNode {
    pub(crate) texts: Py<PyDict>,
    pub(crate) ints: Py<PyDict>,
    /// Both, if they are few.
    pub(crate) few: Named,
    pub(crate) none: bool,
    pub(crate) bools: [bool; 2],
    /// All values in their order, if they are of several kinds; else empty.
    pub(crate) order: Py<PyTuple>,
    pub(crate) names: String,
}

impl LiteralNode {
    /// Returns whether it has values of several kinds besides None.
    #[cold]
    pub(crate) fn is_mixed(&self) -> bool {
        // It is only asked for errors, which arise with the GIL held.
        Python::attach(|py| {
            let kinds = [!self.texts.bind(py).is_empty(), !self.ints.bind(py).is_empty(), self.bools != [false; 2]];
            kinds.into_iter().filter(|has| *has).count() > 1
        })
    }
}

impl LiteralNode {
    /// Returns whether one of the values stands before another.
    #[cold]
    pub(crate) fn is_before(&self, py: Python<'_>, one: &Object, other: &Object) -> bool {
        let first = self
            .order
            .bind(py)
            .iter()
            .map(|value| value.as_ptr())
            .find(|value| core::ptr::eq(*value, one.as_ptr()) || core::ptr::eq(*value, other.as_ptr()));
        first.is_some_and(|first| core::ptr::eq(first, one.as_ptr()))
    }
}

#[derive(Debug)]
pub(crate) struct HookNode {
    /// The type of the value when it is read.
    pub(crate) read: Node,
    /// The type of the value when it is written.
    pub(crate) write: Node,
    pub(crate) class: Py<PyAny>,
    pub(crate) decode: Option<Py<PyAny>>,
    pub(crate) encode: Option<Py<PyAny>>,
    /// Whether `encode` writes parts to a sink, rather than returning a value.
    pub(crate) writes_parts: bool,
}

impl Node {
    /// Returns the kind of its values in a run of scalars.
    pub(crate) fn wanted(&self) -> Wanted {
        let kind = match self {
            Self::Int => Kind::Int,
            Self::Float => Kind::Float,
            Self::Str => Kind::Text,
            Self::Bool => Kind::Bool,
            Self::Optional(inner) => return Wanted { null: true, ..inner.wanted() },
            _ => return Wanted::NOTHING,
        };
        Wanted { kind, null: false }
    }

    /// Returns whether building a value may run user code, not counting records within it.
    pub(super) fn runs_code(&self) -> bool {
        match self {
            Self::Any
            | Self::None
            | Self::Bool
            | Self::Int
            | Self::Float
            | Self::Str
            | Self::Record(_)
            | Self::Named(_)
            | Self::Bytes(_)
            | Self::Date
            | Self::Time(_)
            | Self::Timedelta
            | Self::Raw => false,
            // It is read once more in other forms, so all of it has to be there, as for code that must run once.
            Self::Datetime(clock) => clock.times.is_some(),
            Self::Optional(inner) => inner.runs_code(),
            Self::List(list) => !matches!(list.kind, ListKind::List | ListKind::Tuple) || list.item.runs_code(),
            Self::Tuple(items) => items.iter().any(Self::runs_code),
            Self::Map(map) => map.class.is_some() || !matches!(map.key, Self::Str) || map.value.runs_code(),
            // A shape would accept a wrong record of a known tag as the variant for others.
            Self::Union(union) => union.takes_others() || union.variants.iter().any(|variant| variant.node.runs_code()),
            _ => true,
        }
    }

    /// Calls a function with each union at this node and inside of it, not counting records.
    pub(super) fn each_union(&self, call: &mut impl FnMut(&UnionNode) -> PyResult<()>) -> PyResult<()> {
        match self {
            Self::Optional(inner) => inner.each_union(call),
            Self::List(list) => list.item.each_union(call),
            Self::Tuple(items) => items.iter().try_for_each(|item| item.each_union(call)),
            Self::Map(map) => map.key.each_union(call).and_then(|()| map.value.each_union(call)),
            Self::Hook(hook) => hook.read.each_union(call),
            Self::Checked(checked) => checked.0.each_union(call),
            Self::Union(union) => {
                call(union)?;
                union.variants.iter().try_for_each(|variant| variant.node.each_union(call))
            }
            _ => Ok(()),
        }
    }

    /// As [`each_union`](Self::each_union), in the same order, with unions that can be changed.
    pub(super) fn each_union_mut(&mut self, call: &mut impl FnMut(&mut UnionNode)) {
        match self {
            Self::Optional(inner) => inner.each_union_mut(call),
            Self::List(list) => list.item.each_union_mut(call),
            Self::Tuple(items) => items.iter_mut().for_each(|item| item.each_union_mut(call)),
            Self::Map(map) => {
                map.key.each_union_mut(call);
                map.value.each_union_mut(call);
            }
            Self::Hook(hook) => hook.read.each_union_mut(call),
            Self::Checked(checked) => checked.0.each_union_mut(call),
            Self::Union(union) => {
                call(union);
                union.variants.iter_mut().for_each(|variant| variant.node.each_union_mut(call));
            }
            _ => {}
        }
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Optional(inner) => inner.traverse(visit),
            Self::List(list) => {
                if let ListKind::Other(class) = &list.kind {
                    visit.call(class)?;
                }
                list.item.traverse(visit)
            }
            Self::Tuple(items) => items.iter().try_for_each(|item| item.traverse(visit)),
            Self::Map(map) => {
                visit.call(&map.class)?;
                visit.call(&map.make)?;
                map.key.traverse(visit)?;
                map.value.traverse(visit)
            }
            Self::Enum(node) => {
                visit.call(&node.class)?;
                visit.call(&node.members)?;
                node.few.traverse(visit)?;
                visit.call(&node.order)
            }
            Self::Flag(class) => visit.call(class),
            Self::Literal(node) => {
                visit.call(&node.order)?;
                visit.call(&node.texts)?;
                node.few.traverse(visit)?;
                visit.call(&node.ints)
            }
            Self::Union(union) => union.variants.iter().try_for_each(|variant| variant.traverse(visit)),
            Self::Hook(hook) => {
                visit.call(&hook.class)?;
                visit.call(&hook.decode)?;
                visit.call(&hook.encode)?;
                hook.read.traverse(visit)?;
                hook.write.traverse(visit)
            }
            Self::Checked(checked) => checked.0.traverse(visit),
            _ => Ok(()),
        }
    }

    /// Returns whether builtin scalars (text, numbers, bools and None) are encoded directly at this node: true except
    /// for hooks.
    #[inline]
    pub(crate) fn leaves_scalars(&self) -> bool {
        matches!(self, Self::Any | Self::Record(_) | Self::Str | Self::Int) || self.leaves_scalars_inside()
    }

    /// Returns whether a list at this node consists of builtin scalars, dates or times, which are encoded by their own class.
    pub(crate) fn lists_scalars(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Optional(inner) => inner.lists_scalars(),
            Self::List(list) => list.item.is_plain(),
            _ => false,
        }
    }

    /// Returns whether values are builtin scalars, dates or times, or None.
    fn is_plain(&self) -> bool {
        match self {
            Self::None
            | Self::Bool
            | Self::Int
            | Self::Float
            | Self::Str
            | Self::Date
            | Self::Datetime(_)
            | Self::Time(_) => true,
            Self::Optional(inner) => inner.is_plain(),
            _ => false,
        }
    }

    /// Returns whether the node is a union.
    pub(crate) fn is_union(&self) -> bool {
        match self {
            Self::Union(_) => true,
            Self::Optional(inner) => inner.is_union(),
            Self::Checked(checked) => checked.0.is_union(),
            _ => false,
        }
    }

    fn leaves_scalars_inside(&self) -> bool {
        match self {
            Self::Hook(_) => false,
            Self::Optional(inner) => inner.leaves_scalars(),
            Self::Checked(checked) => checked.0.leaves_scalars(),
            Self::Union(union) => union.variants.iter().all(|variant| variant.node.leaves_scalars()),
            _ => true,
        }
    }

    /// Returns how errors name the type: names and values in backticks.
    pub(crate) fn named(&self, program: &super::Program) -> String {
        match self {
            Self::Named(index) => program.aliases[*index].named_inside(program),
            other => other.named_inside(program),
        }
    }

    /// As [`named`](Self::named), but without resolving aliases, which may be recursive.
    fn named_inside(&self, program: &super::Program) -> String {
        match self {
            Self::Named(_) => self.name(program),
            Self::Optional(inner) => inner.named_inside(program),
            Self::Checked(checked) => checked.0.named_inside(program),
            Self::Enum(node) => node.names.clone(),
            Self::Literal(node) => node.names.clone(),
            Self::Tuple(items) => format!("a `tuple` of {}", items.len()),
            Self::Union(union) => {
                let names: Vec<String> = union.variants.iter().map(|one| one.node.named_inside(program)).collect();
                names.join(" or ")
            }
            Self::Hook(hook) => Python::attach(|py| {
                let name = hook.class.bind(py).getattr("__name__").map(|name| name.to_string());
                format!("`{}`", name.unwrap_or_else(|_| hook.read.name(program)))
            }),
            _ => format!("`{}`", self.name(program)),
        }
    }

    /// Returns the name of the type in errors.
    pub(crate) fn name(&self, program: &super::Program) -> String {
        self.name_with(&|index| program.records[index].name.clone())
    }

    /// As [`name`](Self::name), with the names of the program's records.
    pub(super) fn name_with(&self, record: &dyn Fn(usize) -> String) -> String {
        match self {
            Self::Any => "any".into(),
            Self::None => "None".into(),
            Self::Bool => "bool".into(),
            Self::Int | Self::Flag(_) => "int".into(),
            Self::Float => "float".into(),
            Self::Str => "str".into(),
            Self::Record(index) => record(*index),
            // An alias is not resolved, as it is recursive.
            Self::Named(_) => "an alias".into(),
            Self::Optional(inner) => inner.name_with(record),
            Self::List(_) | Self::Tuple(_) => "list".into(),
            Self::Map(_) => "dict".into(),
            Self::Bytes(_) => "bytes".into(),
            Self::Decimal => "Decimal".into(),
            Self::Datetime(_) => "datetime".into(),
            Self::Date => "date".into(),
            Self::Time(_) => "time".into(),
            Self::Timedelta => "timedelta".into(),
            Self::Uuid => "UUID".into(),
            Self::Raw => "Raw".into(),
            Self::Enum(node) => node.names.clone(),
            Self::Literal(node) => node.names.clone(),
            Self::Union(union) => {
                let names: Vec<String> = union.variants.iter().map(|variant| variant.node.name_with(record)).collect();
                names.join(" or ")
            }
            Self::Hook(hook) => hook.read.name_with(record),
            Self::Checked(checked) => checked.0.name_with(record),
        }
    }
}
