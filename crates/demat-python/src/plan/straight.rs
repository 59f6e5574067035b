//! Which programs convert builtins directly: those whose values are built without user code.

use super::{ArrayForm, Default, ListKind, Make, Node, Program, RecordPlan, Role};

impl Program {
    /// Returns whether a value of builtins may be converted in one pass. If that pass gives up, the value is converted
    /// once more, so nothing of it may be seen by user code.
    pub(super) fn builds_straight(&self) -> bool {
        self.root.builds_straight()
            && self.aliases.iter().all(Node::builds_straight)
            && self.records.iter().all(RecordPlan::builds_straight)
    }
}

impl RecordPlan {
    fn builds_straight(&self) -> bool {
        matches!(self.make, Make::Fields | Make::Dict)
            && self.form == ArrayForm::Named
            && self.post_init.is_none()
            && self.reads.iter().all(|field| {
                matches!(field.role, Role::Value | Role::Tag)
                    && !matches!(field.default, Default::Factory(_))
                    && field.node.builds_straight()
            })
    }
}

impl Node {
    fn builds_straight(&self) -> bool {
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
            | Self::Decimal
            | Self::Datetime(_)
            | Self::Date
            | Self::Time(_)
            | Self::Timedelta
            | Self::Uuid
            | Self::Literal(_) => true,
            Self::Raw | Self::Flag(_) | Self::Hook(_) => false,
            Self::Optional(inner) => inner.builds_straight(),
            Self::Checked(checked) => checked.0.builds_straight(),
            Self::Enum(node) => !node.asks,
            Self::List(list) => match list.kind {
                ListKind::List | ListKind::Tuple => list.item.builds_straight(),
                ListKind::Set | ListKind::Frozenset => list.item.is_of_builtins(),
                ListKind::Other(_) => false,
            },
            Self::Tuple(items) => items.iter().all(Self::builds_straight),
            Self::Map(map) => map.class.is_none() && matches!(map.key, Self::Str) && map.value.builds_straight(),
            Self::Union(union) => union.variants.iter().all(|variant| variant.node.builds_straight()),
        }
    }

    /// Returns whether values are scalars of builtin classes, whose hashes run no user code.
    fn is_of_builtins(&self) -> bool {
        match self {
            Self::Optional(inner) => inner.is_of_builtins(),
            Self::None | Self::Bool | Self::Int | Self::Float | Self::Str | Self::Date => true,
            _ => false,
        }
    }
}
