//! Whether a program's shape, with its checks, accepts no value that decoding refuses.

use super::{ArrayForm, BytesKind, Clock, Default, ListKind, Make, Node, Program, RecordPlan, Role, TagValue, Zone};

impl Program {
    /// Returns whether a value that the shape accepts is one that decoding accepts. It need not be so the other way
    /// round. Of some types only the decoder knows the rules: conversions of Python's own classes, recursive aliases,
    /// tags that are numbers, hooks, and constructors.
    pub(crate) fn is_told_by_shape(&self) -> bool {
        self.aliases.is_empty()
            && self.root.is_told_by_shape()
            && self.records.iter().all(RecordPlan::is_told_by_shape)
            && !self.is_judged()
    }
}

impl RecordPlan {
    fn is_told_by_shape(&self) -> bool {
        matches!(self.make, Make::Fields | Make::Dict)
            && self.form == ArrayForm::Named
            && self.post_init.is_none()
            && !matches!(self.tag, Some(TagValue::Int(_)))
            && self.reads.iter().all(|field| {
                field.group == 0
                    && !matches!(field.default, Default::Factory(_))
                    && (matches!(field.role, Role::Tag | Role::Unread) || field.node.is_told_by_shape())
            })
    }
}

impl Node {
    fn is_told_by_shape(&self) -> bool {
        match self {
            Self::Any
            | Self::None
            | Self::Bool
            | Self::Int
            | Self::Float
            | Self::Str
            | Self::Bytes(BytesKind::Bytes | BytesKind::Bytearray)
            | Self::Date
            | Self::Time(Zone::Either)
            | Self::Datetime(Clock { times: None, .. })
            | Self::Uuid
            | Self::Record(_) => true,
            Self::Optional(inner) => inner.is_told_by_shape(),
            Self::List(list) => match list.kind {
                ListKind::List | ListKind::Tuple => list.item.is_told_by_shape(),
                ListKind::Set | ListKind::Frozenset => list.item.is_hashable(),
                ListKind::Other(_) => false,
            },
            Self::Tuple(items) => items.iter().all(Self::is_told_by_shape),
            Self::Map(map) => map.class.is_none() && matches!(map.key, Self::Str) && map.value.is_told_by_shape(),
            Self::Enum(names) => names.any_text && !names.any_int && !names.asks,
            // Without a tag, the decoder tries the variants in an order of its own.
            Self::Union(union) if union.tag.is_some() => {
                !union.takes_others() && union.variants.iter().all(|variant| variant.node.is_told_by_shape())
            }
            Self::Checked(checked) => checked.0.is_bounded(),
            _ => false,
        }
    }

    /// Returns whether the checks of its values are those of a shape.
    fn is_bounded(&self) -> bool {
        matches!(self, Self::Int | Self::Float | Self::Str)
            || matches!(self, Self::List(list) if !matches!(list.kind, ListKind::Other(_))) && self.is_told_by_shape()
    }

    fn is_hashable(&self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Float | Self::Str | Self::Date | Self::Uuid)
    }
}
