//! Which variants of an untagged union fit a value, by its kind.

use super::{ArrayForm, Clock, Node, Program, UnionNode, Zone};
use demat_core::Kind;

/// The variants that fit the values of each kind, by their indices, in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct Fits {
    by_kind: Box<[Box<[usize]>]>,
    /// Those of a text that may represent any kind: all of them.
    of_cell: Box<[usize]>,
    /// One bit per kind: whether each of its values is of the first of these variants, which is the scalar of this kind.
    plain: u32,
}

/// All kinds, in the order of their numbers.
const KINDS: [Kind; 15] = [
    Kind::Null,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::Text,
    Kind::Bytes,
    Kind::Decimal,
    Kind::Date,
    Kind::Time,
    Kind::DateTime,
    Kind::Instant,
    Kind::Duration,
    Kind::Uuid,
    Kind::List,
    Kind::Map,
];

impl Fits {
    pub(super) fn new(union: &UnionNode, program: &Program) -> Self {
        let sorted = |kind: Kind, cell: bool| {
            let node = |index: &usize| &union.variants[*index].node;
            let fits = |index: &usize| cell || program.accepts(node(index), kind);
            let mut fitting: Box<[usize]> = (0..union.variants.len()).filter(fits).collect();
            if union.keyed {
                fitting.sort_by_key(|index| breadth(node(index)));
            } else {
                fitting.sort_by_key(|index| !exactly(node(index), kind));
            }
            fitting
        };
        let by_kind: Box<[Box<[usize]>]> = KINDS.iter().map(|kind| sorted(*kind, false)).collect();
        let plain = |kind: &Kind| {
            let first = by_kind[*kind as usize].first().map(|index| &union.variants[*index].node);
            let is_plain = matches!(
                (kind, first),
                (Kind::Null, Some(Node::None))
                    | (Kind::Bool, Some(Node::Bool))
                    | (Kind::Int, Some(Node::Int))
                    | (Kind::Float, Some(Node::Float))
                    | (Kind::Text, Some(Node::Str))
            );
            u32::from(is_plain && !union.keyed) << *kind as usize
        };
        let plain = KINDS.iter().map(plain).sum();
        Self { by_kind, of_cell: sorted(Kind::Text, true), plain }
    }

    /// Returns the variants that fit a value of this kind.
    #[inline]
    pub(crate) fn of(&self, kind: Kind) -> &[usize] {
        &self.by_kind[kind as usize]
    }

    /// Returns the variants that may fit a text which may represent any kind.
    #[inline]
    pub(crate) fn of_cell(&self) -> &[usize] {
        &self.of_cell
    }

    /// Returns whether some values are of a variant by their kind alone.
    #[inline(always)]
    pub(crate) fn has_plain(&self) -> bool {
        self.plain != 0
    }

    /// Returns whether a value of this kind is of the variant that is the scalar of this kind, where texts are text.
    #[inline(always)]
    pub(crate) fn is_plain(&self, kind: Kind) -> bool {
        self.plain >> kind as usize & 1 == 1
    }
}

/// Returns whether the node is of exactly this kind, rather than a type that also accepts it. So are the ints of an
/// enum: before `int`, they are tried first.
fn exactly(node: &Node, kind: Kind) -> bool {
    match (node, kind) {
        (Node::Int, Kind::Int) | (Node::Float, Kind::Float) | (Node::Bool, Kind::Bool) | (Node::None, Kind::Null) => {
            true
        }
        (Node::Enum(node), Kind::Int) => node.any_int,
        _ => false,
    }
}

/// Ranks key types by how many texts they accept. The narrowest is tried first.
fn breadth(node: &Node) -> u8 {
    match node {
        Node::Optional(inner) => breadth(inner),
        Node::Checked(checked) => breadth(&checked.0),
        Node::Hook(hook) => breadth(&hook.read),
        Node::Bool | Node::None | Node::Enum(_) | Node::Literal(_) => 0,
        Node::Int | Node::Flag(_) => 1,
        Node::Float | Node::Decimal => 2,
        Node::Str | Node::Any | Node::Raw => 4,
        _ => 3,
    }
}

impl Program {
    /// Returns whether a value of this kind could be the node's.
    fn accepts(&self, node: &Node, kind: Kind) -> bool {
        match node {
            Node::Any | Node::Raw => true,
            Node::Named(index) => self.accepts(&self.aliases[*index], kind),
            Node::None => kind == Kind::Null,
            Node::Bool => kind == Kind::Bool,
            Node::Int | Node::Flag(_) => kind == Kind::Int,
            Node::Float => matches!(kind, Kind::Int | Kind::Float | Kind::Decimal),
            Node::Str => kind == Kind::Text,
            // As rows, both forms of lists have names.
            Node::Record(index) => match self.records[*index].form {
                ArrayForm::Named => kind == Kind::Map,
                ArrayForm::Either | ArrayForm::List => matches!(kind, Kind::Map | Kind::List),
            },
            Node::Optional(inner) => kind == Kind::Null || self.accepts(inner, kind),
            Node::List(_) | Node::Tuple(_) => kind == Kind::List,
            Node::Map(_) => kind == Kind::Map,
            Node::Bytes(_) => matches!(kind, Kind::Bytes | Kind::Text),
            Node::Decimal => matches!(kind, Kind::Int | Kind::Float | Kind::Decimal | Kind::Text),
            Node::Datetime(Clock { times: Some(times), .. })
                if kind == Kind::Date || matches!(kind, Kind::Int | Kind::Float) && times.unit().is_some() =>
            {
                true
            }
            Node::Datetime(clock) => match clock.zone {
                Zone::Either => matches!(kind, Kind::DateTime | Kind::Instant | Kind::Text),
                Zone::Aware => matches!(kind, Kind::Instant | Kind::Text),
                Zone::Naive => matches!(kind, Kind::DateTime | Kind::Text),
            },
            Node::Date => matches!(kind, Kind::Date | Kind::Text),
            Node::Time(_) => matches!(kind, Kind::Time | Kind::Text),
            Node::Timedelta => matches!(kind, Kind::Duration | Kind::Text),
            Node::Uuid => matches!(kind, Kind::Uuid | Kind::Text | Kind::Bytes),
            Node::Enum(node) => match kind {
                Kind::Text => node.any_text,
                Kind::Int => node.any_int,
                _ => false,
            },
            Node::Literal(node) => match kind {
                Kind::Null => node.none,
                Kind::Bool => node.bools != [false; 2],
                Kind::Text | Kind::Int => true,
                _ => false,
            },
            Node::Union(union) => match union.tag {
                Some(_) => kind == Kind::Map || union.listed && kind == Kind::List,
                None => union.variants.iter().any(|variant| self.accepts(&variant.node, kind)),
            },
            Node::Hook(hook) => self.accepts(&hook.read, kind),
            Node::Checked(checked) => self.accepts(&checked.0, kind),
        }
    }
}
