//! Records out of cells that an engine hands over as texts, column by column, as users of such an engine write it.

/// A value of a cell.
pub trait Cell: Sized {
    /// The value, if the text is one.
    fn parse(text: &str) -> Option<Self>;
}

macro_rules! parsed {
    ($($type:ty),*) => {
        $(impl Cell for $type {
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        })*
    };
}

parsed!(i64, f64, bool, String);

impl<T: Cell> Cell for Option<T> {
    fn parse(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { T::parse(text).map(Some) }
    }
}

/// A record whose fields are cells, in the order of the columns.
pub trait Row: Sized {
    /// The record, if there are as many cells as fields, and each is one.
    fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Self>;
}
