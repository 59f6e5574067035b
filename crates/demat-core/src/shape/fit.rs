use super::{Shape, UnionRef};

/// The values that a word of a [`Vocabulary`](super::Vocabulary) is for.
///
/// ```
/// use demat_core::{Fit, Shape};
/// let (int, ints): (Shape, Shape) = ("int".parse()?, "[[int?]]".parse()?);
/// assert!(Fit::INTS.takes(&int) && !Fit::INTS.takes(&Shape::Text) && !Fit::INTS.takes(&ints));
/// assert!(Fit::INTS.anywhere().takes(&ints));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    kinds: u16,
    anywhere: bool,
    says: &'static str,
}

const INT: u16 = 1;
const FLOAT: u16 = 1 << 1;
const TEXT: u16 = 1 << 2;
const BYTES: u16 = 1 << 3;
const LIST: u16 = 1 << 4;
const MAP: u16 = 1 << 5;
const INT_LIST: u16 = 1 << 6;
const BOOL: u16 = 1 << 7;
const OTHER: u16 = 1 << 8;

impl Fit {
    /// Values of any shape.
    pub const ANY: Self = Self::new(u16::MAX, "any value");
    /// Single values, in contrast to lists, maps and records.
    pub const SCALARS: Self = Self::new(INT | FLOAT | TEXT | BYTES | BOOL | OTHER, "single values");
    /// Ints.
    pub const INTS: Self = Self::new(INT, "ints");
    /// Floats.
    pub const FLOATS: Self = Self::new(FLOAT, "floats");
    /// Bools and enums: what has a number but is none.
    pub const FLAGS: Self = Self::new(BOOL, "bools");
    /// Lists.
    pub const LISTS: Self = Self::new(LIST | INT_LIST, "lists");
    /// Lists of ints.
    pub const INT_LISTS: Self = Self::new(INT_LIST, "lists of ints");
    /// Text.
    pub const TEXTS: Self = Self::new(TEXT, "text");

    const fn new(kinds: u16, says: &'static str) -> Self {
        Self { kinds, anywhere: false, says }
    }

    /// Also takes such values in lists and maps.
    #[must_use]
    pub const fn anywhere(self) -> Self {
        Self { anywhere: true, ..self }
    }

    /// Also takes the values of another fit, and calls all of them by this name.
    #[must_use]
    pub const fn or(self, other: Self, says: &'static str) -> Self {
        Self { kinds: self.kinds | other.kinds, anywhere: self.anywhere || other.anywhere, says }
    }

    /// The name of such values in errors.
    pub const fn says(&self) -> &'static str {
        self.says
    }

    /// Returns whether a value of the shape may be one of these. `any` and a union may be everything.
    pub fn takes(&self, shape: &Shape) -> bool {
        let kind = match shape.inner() {
            Shape::Any | Shape::Null => return true,
            Shape::Union(union) => return self.takes_a_variant(union),
            Shape::Bool | Shape::Enum(_) => BOOL,
            Shape::Int(_) => INT,
            Shape::Float(_) => FLOAT,
            Shape::Text => TEXT,
            Shape::Bytes => BYTES,
            Shape::List(item) if matches!(item.inner(), Shape::Int(_) | Shape::Any) => INT_LIST,
            Shape::Tuple(items) if items.iter().all(|item| matches!(item.inner(), Shape::Int(_) | Shape::Any)) => {
                INT_LIST
            }
            Shape::List(_) | Shape::Tuple(_) => LIST,
            Shape::Map(..) => MAP,
            _ => OTHER,
        };
        if self.kinds & kind != 0 {
            return true;
        }
        self.anywhere
            && match shape.inner() {
                Shape::List(item) => self.takes(item),
                Shape::Tuple(items) => items.iter().any(|item| self.takes(item)),
                Shape::Map(_, value) => self.takes(value),
                _ => false,
            }
    }

    fn takes_a_variant(&self, union: &UnionRef) -> bool {
        // A link may lead to a union that is still under construction.
        matches!(union, UnionRef::Link(..)) || union.get().variants().iter().any(|variant| self.takes(variant.shape()))
    }
}
