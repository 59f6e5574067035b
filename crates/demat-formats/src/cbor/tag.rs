//! Tags: numbers that say what the item behind them means.

/// A tag whose content is a kind of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// 0: a date and time as text of RFC 3339, with its offset.
    DateTime,
    /// 1: seconds since 1970.
    Epoch,
    /// 2: an int that is not negative.
    Positive,
    /// 3: a negative int.
    Negative,
    /// 4: a decimal.
    Decimal,
    /// 5: a decimal whose exponent is one of 2.
    Bigfloat,
    /// 37.
    Uuid,
    /// 100: days since 1970.
    Days,
    /// 1004: a date as text of RFC 3339.
    Date,
}

/// What a tag is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Kind(Tag),
    /// Nothing: this is CBOR.
    SelfDescribed,
    /// The number behind it stands for a value elsewhere.
    Reference,
    Unknown,
}

/// What the tag of this number is.
#[inline]
pub(super) fn meaning(number: u64) -> Meaning {
    Meaning::Kind(match number {
        0 => Tag::DateTime,
        1 => Tag::Epoch,
        2 => Tag::Positive,
        3 => Tag::Negative,
        4 => Tag::Decimal,
        5 => Tag::Bigfloat,
        37 => Tag::Uuid,
        100 => Tag::Days,
        1004 => Tag::Date,
        55799 => return Meaning::SelfDescribed,
        25 | 29 => return Meaning::Reference,
        _ => return Meaning::Unknown,
    })
}
