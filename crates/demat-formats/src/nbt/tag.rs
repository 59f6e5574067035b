//! The twelve kinds of values in NBT, and the tag that ends a compound.

/// A tag: the byte that identifies the kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tag {
    /// The end of a compound, or the item tag of an empty list.
    End = 0,
    /// An int of 8 bits.
    Byte = 1,
    /// An int of 16 bits.
    Short = 2,
    /// An int of 32 bits.
    Int = 3,
    /// An int of 64 bits.
    Long = 4,
    /// A binary32 number.
    Float = 5,
    /// A binary64 number.
    Double = 6,
    /// Bytes.
    ByteArray = 7,
    /// Text.
    String = 8,
    /// Values of one tag.
    List = 9,
    /// Names with values.
    Compound = 10,
    /// Ints of 32 bits.
    IntArray = 11,
    /// Ints of 64 bits.
    LongArray = 12,
}

impl Tag {
    const ALL: [Self; 13] = [
        Self::End,
        Self::Byte,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
        Self::ByteArray,
        Self::String,
        Self::List,
        Self::Compound,
        Self::IntArray,
        Self::LongArray,
    ];

    /// Returns the tag for a byte, or `None` from 13 on.
    ///
    /// ```
    /// use demat_formats::nbt::Tag;
    /// assert_eq!(Tag::of(10), Some(Tag::Compound));
    /// assert_eq!(Tag::of(13), None);
    /// ```
    #[inline]
    pub fn of(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// Returns the name for error messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::ByteArray => "byte array",
            Self::String => "string",
            Self::List => "list",
            Self::Compound => "compound",
            Self::IntArray => "int array",
            Self::LongArray => "long array",
        }
    }

    /// Returns the tag of an array's items, or `None` if this is not the tag of an array.
    pub const fn item(self) -> Option<Self> {
        match self {
            Self::ByteArray => Some(Self::Byte),
            Self::IntArray => Some(Self::Int),
            Self::LongArray => Some(Self::Long),
            _ => None,
        }
    }

    /// Returns the tag of the array whose items have this tag, or `None` if there is no such array.
    pub const fn array(self) -> Option<Self> {
        match self {
            Self::Byte => Some(Self::ByteArray),
            Self::Int => Some(Self::IntArray),
            Self::Long => Some(Self::LongArray),
            _ => None,
        }
    }

    /// Returns whether this is the tag of an int.
    pub const fn is_int(self) -> bool {
        matches!(self, Self::Byte | Self::Short | Self::Int | Self::Long)
    }

    /// Returns the number of bits of an int.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::Byte => 8,
            Self::Short => 16,
            Self::Int => 32,
            _ => 64,
        }
    }

    /// Returns the minimum size of a value in bytes, over all variants.
    pub(super) const fn least(self) -> usize {
        match self {
            Self::Short | Self::List => 2,
            Self::Float => 4,
            Self::Double => 8,
            _ => 1,
        }
    }
}
