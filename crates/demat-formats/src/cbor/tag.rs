//! Tags: numbers that define the meaning of the next item.

/// A tag that defines the kind of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// 0: a date and time as text of RFC 3339, with its offset.
    DateTime,
    /// 1: seconds since 1970.
    Epoch,
    /// 2: a non-negative int.
    Positive,
    /// 3: a negative int.
    Negative,
    /// 4: a decimal.
    Decimal,
    /// 5: a decimal with an exponent of base 2.
    Bigfloat,
    /// 37.
    Uuid,
    /// 100: days since 1970.
    Days,
    /// 1004: a date as text of RFC 3339.
    Date,
}

/// How a reader treats a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Kind(Tag),
    /// No effect: it marks the input as CBOR.
    SelfDescribed,
    /// Its content refers to another value.
    Reference,
    Unknown,
}

/// Returns the meaning of a tag.
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
