//! The value or key at the source's position.

/// A value or a key, mostly by the node that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// The document; nothing was read.
    Document,
    /// An element at the source's offset, which need not be indexed.
    Unit,
    /// No value: the source is between two values.
    Nothing,
    /// The end of the root.
    After,
    /// An element.
    Element(u32),
    /// An element that is the value of a field or key, with or without siblings of its name.
    Field(u32),
    /// An element whose name is part of the value.
    Named(u32),
    /// The value of an attribute.
    Attribute(u32),
    /// The text of an element.
    Text(u32),
    /// Text from this node up to the next element.
    Run(u32),
    /// The texts and elements in an element.
    Mixed(u32),
    /// The elements in an element, with their names.
    Choice(u32),
    /// The name of an element.
    Name(u32),
    /// A word of an attribute or of text, by its offset.
    Word(u32),
    /// The key of an element or attribute.
    Key(u32),
    /// The key of the element's text.
    TextKey,
    /// The key of the element's name.
    NameKey,
    /// An absent list, which is empty.
    NoList,
    /// An absent value, which is null.
    NoValue,
}

impl Slot {
    /// A number for the kind, and the node.
    pub(super) fn packed(self) -> (u32, u32) {
        match self {
            Self::Document => (0, 0),
            Self::Unit => (1, 0),
            Self::Nothing => (2, 0),
            Self::After => (3, 0),
            Self::Element(node) => (4, node),
            Self::Field(node) => (5, node),
            Self::Named(node) => (6, node),
            Self::Attribute(node) => (7, node),
            Self::Text(node) => (8, node),
            Self::Run(node) => (9, node),
            Self::Mixed(node) => (10, node),
            Self::Choice(node) => (11, node),
            Self::Name(node) => (12, node),
            Self::Word(at) => (13, at),
            Self::Key(node) => (14, node),
            Self::TextKey => (15, 0),
            Self::NameKey => (16, 0),
            Self::NoList => (17, 0),
            Self::NoValue => (18, 0),
        }
    }

    pub(super) fn unpacked(kind: u32, node: u32) -> Self {
        match kind {
            0 => Self::Document,
            1 => Self::Unit,
            3 => Self::After,
            4 => Self::Element(node),
            5 => Self::Field(node),
            6 => Self::Named(node),
            7 => Self::Attribute(node),
            8 => Self::Text(node),
            9 => Self::Run(node),
            10 => Self::Mixed(node),
            11 => Self::Choice(node),
            12 => Self::Name(node),
            13 => Self::Word(node),
            14 => Self::Key(node),
            15 => Self::TextKey,
            16 => Self::NameKey,
            17 => Self::NoList,
            18 => Self::NoValue,
            _ => Self::Nothing,
        }
    }
}
