use demat_core::{Error, ErrorKind, Record, RecordRef, Result, Shape};
use std::sync::Arc;

/// Options for column types that a shape leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// If set, instants become datetimes: `Timestamp(us)` without a zone, in a column that refuses values with an
    /// offset. By default they are points in time, `Timestamp(us, "UTC")`, in a column that refuses values without one.
    pub naive: bool,
    /// The number of digits of decimals, and of those behind the point: `Decimal128` or, beyond 38 digits,
    /// `Decimal256`. A number with more digits is refused. By default decimals are text, which keeps all digits.
    pub decimals: Option<(u8, i8)>,
    /// If set, ints become the narrowest column of `Int8` … `UInt64` that holds what the field's notes allow: bounds
    /// and `one_of` of `check`, the scalar types of `proto`, the tags of `nbt`. Unsigned if nothing is below zero; a
    /// number that does not fit is refused. By default only the width of the shape counts, since sums of narrow ints
    /// overflow in many libraries.
    pub narrow: bool,
    /// The columns whose texts are stored as a dictionary.
    pub dictionary: Dictionaries,
}

/// The columns whose texts are stored as an Arrow dictionary of those that occur, with keys of 32 bits.
///
/// The texts within the column count, too: in lists, in records, and the values of maps. Each batch has a dictionary of
/// its own. Enums are dictionaries in any case.
///
/// ```
/// use arrow_schema::DataType;
/// use demat_arrow::{Dictionaries, Options};
/// let options = Options { dictionary: Dictionaries::of(["country"]), ..Options::default() };
/// let schema = demat_arrow::schema_with(&"country:text, name:text".parse()?, &options)?;
/// assert!(matches!(schema.field(0).data_type(), DataType::Dictionary(..)));
/// assert_eq!(schema.field(1).data_type(), &DataType::Utf8);
/// assert!(demat_arrow::schema_with(&"id:int".parse()?, &options).is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Dictionaries {
    /// Of no column.
    #[default]
    None,
    /// Of every column.
    All,
    /// Of these, by the key of their field.
    Of(Arc<[String]>),
}

impl Dictionaries {
    /// Returns those of these columns.
    pub fn of<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self::Of(names.into_iter().map(Into::into).collect())
    }

    /// Whether the texts of this column are a dictionary.
    pub(super) fn has(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Of(names) => names.iter().any(|own| own == name),
        }
    }

    /// Checks that each named column is there, and has texts.
    ///
    /// # Errors
    /// [`Encode`](ErrorKind::Encode) for the first name that is of no column of texts.
    pub(super) fn verify(&self, record: &Record) -> Result<()> {
        let Self::Of(names) = self else { return Ok(()) };
        for name in &**names {
            let Some(field) = record.fields().iter().find(|field| field.key() == name) else {
                let known: Vec<_> = record.fields().iter().map(|field| format!("`{}`", field.key())).collect();
                let message = format!("there is no column `{name}` for a dictionary; there are {}", known.join(", "));
                return Err(Error::new(ErrorKind::Encode, message));
            };
            if !has_texts(field.shape(), &mut vec![record.identity()]) {
                let message =
                    format!("the column `{name}` has no texts for a dictionary, but {}", field.shape().name());
                return Err(Error::new(ErrorKind::Encode, message));
            }
        }
        Ok(())
    }
}

/// Whether there are texts or enums in a column of this shape. `around`: the enclosing records.
fn has_texts(shape: &Shape, around: &mut Vec<u64>) -> bool {
    match shape.inner() {
        Shape::Text | Shape::Enum(_) => true,
        Shape::List(item) | Shape::Map(_, item) => has_texts(item, around),
        Shape::Tuple(items) => items.first().is_some_and(|item| has_texts(item, around)),
        // A recursive record is JSON.
        Shape::Record(RecordRef::Link(..)) => false,
        Shape::Record(record) => {
            let record = record.get();
            if around.contains(&record.identity()) {
                return false;
            }
            around.push(record.identity());
            let found = record.fields().iter().any(|field| has_texts(field.shape(), around));
            around.pop();
            found
        }
        _ => false,
    }
}
