use super::dictionary::Dictionary;
use super::nulls::Nulls;
use super::texts::Texts;
use crate::memory;
use arrow_buffer::{BooleanBufferBuilder, i256};
use demat_core::{Enum, IntWidth, Record, Ref, Shape};

/// A column under construction.
#[derive(Debug)]
pub(crate) struct Node {
    /// Whether the column is nullable.
    pub(crate) optional: bool,
    pub(crate) nulls: Nulls,
    pub(crate) values: Values,
}

/// Integers of an Arrow type, within the range of the shape.
#[derive(Debug)]
pub(crate) struct Ints<T> {
    pub(crate) values: Vec<T>,
    pub(crate) width: IntWidth,
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// Decimals with precision and scale; `width` is set for integers too wide for 64 bits.
#[derive(Debug)]
pub(crate) struct Decimals<T> {
    pub(crate) values: Vec<T>,
    pub(crate) precision: u8,
    pub(crate) scale: i8,
    pub(crate) width: Option<IntWidth>,
}

/// The values of a column, by row.
#[derive(Debug)]
pub(crate) enum Values {
    Null(usize),
    Bool(BooleanBufferBuilder),
    I8(Ints<i8>),
    I16(Ints<i16>),
    I32(Ints<i32>),
    /// Narrower than 64 bits, in 64.
    I33(Ints<i64>),
    I64(Vec<i64>),
    U8(Ints<u8>),
    U16(Ints<u16>),
    U32(Ints<u32>),
    U64(Vec<u64>, IntWidth),
    F32(Vec<f32>),
    F64(Vec<f64>),
    D128(Decimals<i128>),
    D256(Decimals<i256>),
    Text(Texts),
    /// Texts as indices of those that occur.
    Dictionary(Dictionary),
    Bytes(Texts),
    /// Decimals as text.
    Digits(Texts),
    Json(Texts, Shape),
    /// Days since 1970.
    Date(Vec<i32>),
    /// Microseconds since midnight.
    Time(Vec<i64>),
    /// Microseconds of local time since 1970.
    DateTime(Vec<i64>),
    /// Microseconds since 1970.
    Instant(Vec<i64>),
    /// Microseconds.
    Duration(Vec<i64>),
    Uuid(Vec<u8>),
    /// Indices of names.
    Enum(Vec<i32>, Ref<Enum>),
    List {
        offsets: Vec<i32>,
        item: usize,
    },
    /// Lists of a fixed length.
    Tuple {
        len: usize,
        size: usize,
        item: usize,
    },
    Map {
        offsets: Vec<i32>,
        key: usize,
        value: usize,
    },
    Struct {
        len: usize,
        plan: usize,
    },
}

/// The record of a struct column.
#[derive(Debug)]
pub(crate) struct StructPlan {
    pub(crate) record: Ref<Record>,
    /// The column of each field.
    pub(crate) children: Vec<usize>,
    /// The field for unknown fields.
    pub(crate) rest: Option<usize>,
}

/// The columns of a table.
#[derive(Debug)]
pub(crate) struct Builders {
    pub(crate) nodes: Nodes,
    pub(crate) plans: Vec<StructPlan>,
    /// The struct of all columns.
    pub(crate) root: usize,
}

/// All columns, also nested ones, by number; children precede their parent.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) nodes: Vec<Node>,
    /// Scratch buffer for JSON text.
    pub(crate) scratch: Vec<u8>,
}

/// Expands an expression for every variant that is a vector.
macro_rules! each_vec {
    ($values:expr, $vec:ident => $plain:expr, $other:ident => $rest:expr) => {
        match $values {
            Values::I8(Ints { values: $vec, .. }) => $plain,
            Values::I16(Ints { values: $vec, .. }) => $plain,
            Values::I32(Ints { values: $vec, .. }) => $plain,
            Values::I33(Ints { values: $vec, .. }) => $plain,
            Values::U8(Ints { values: $vec, .. }) => $plain,
            Values::U16(Ints { values: $vec, .. }) => $plain,
            Values::U32(Ints { values: $vec, .. }) => $plain,
            Values::I64($vec) | Values::Time($vec) | Values::Duration($vec) => $plain,
            Values::DateTime($vec) | Values::Instant($vec) => $plain,
            Values::U64($vec, _) => $plain,
            Values::F32($vec) => $plain,
            Values::F64($vec) => $plain,
            Values::D128(Decimals { values: $vec, .. }) => $plain,
            Values::D256(Decimals { values: $vec, .. }) => $plain,
            Values::Date($vec) | Values::Enum($vec, _) => $plain,
            $other => $rest,
        }
    };
}

impl Node {
    /// Returns the number of rows.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        each_vec!(&self.values, values => values.len(), other => match other {
            Values::Null(len) | Values::Tuple { len, .. } | Values::Struct { len, .. } => *len,
            Values::Bool(bits) => bits.len(),
            Values::Text(texts) | Values::Bytes(texts) | Values::Digits(texts) | Values::Json(texts, _) => texts.len(),
            Values::Dictionary(own) => own.keys.len(),
            Values::Uuid(bytes) => bytes.len() / 16,
            Values::List { offsets, .. } | Values::Map { offsets, .. } => offsets.len() - 1,
            _ => 0,
        })
    }

    /// Returns the size in bytes.
    fn bytes(&self) -> usize {
        let values = each_vec!(&self.values, values => size_of_val(values.as_slice()), other => match other {
            Values::Bool(bits) => bits.len() / 8,
            Values::Text(texts) | Values::Bytes(texts) | Values::Digits(texts) | Values::Json(texts, _) => {
                texts.data.len() + texts.offsets.len() * 4
            }
            Values::Dictionary(own) => own.bytes(),
            Values::Uuid(bytes) => bytes.len(),
            Values::List { offsets, .. } | Values::Map { offsets, .. } => offsets.len() * 4,
            _ => 0,
        });
        values + self.nulls.bytes()
    }

    /// Reserves memory for this many times the current values.
    fn reserve(&mut self, times: f64) {
        fn more<T>(values: &mut Vec<T>, times: f64) {
            #[allow(clippy::cast_precision_loss, clippy::cast_sign_loss)] // an estimate
            let wanted = (values.len() as f64 * times) as usize;
            // Untouched memory costs nothing. If there is too little, growing reports it later.
            if values.try_reserve_exact(wanted.saturating_sub(values.len())).is_ok() {
                let size = size_of::<T>();
                let (used, room) = (values.len() * size, values.capacity() * size);
                memory::tell(values.as_ptr().addr() + used, room - used);
            }
        }
        each_vec!(&mut self.values, values => more(values, times), other => match other {
            Values::Text(texts) | Values::Bytes(texts) | Values::Digits(texts) | Values::Json(texts, _) => {
                more(&mut texts.offsets, times);
                more(&mut texts.data, times);
            }
            Values::Dictionary(own) => more(&mut own.keys, times),
            Values::Uuid(bytes) => more(bytes, times),
            Values::List { offsets, .. } | Values::Map { offsets, .. } => more(offsets, times),
            _ => {}
        });
    }

    /// Removes all rows from this one on, without those of the children.
    pub(crate) fn truncate_own(&mut self, rows: usize) {
        self.nulls.truncate(rows);
        each_vec!(&mut self.values, values => values.truncate(rows), other => match other {
            Values::Null(len) | Values::Tuple { len, .. } | Values::Struct { len, .. } => *len = rows.min(*len),
            Values::Bool(bits) => bits.truncate(rows.min(bits.len())),
            Values::Text(texts) | Values::Bytes(texts) | Values::Digits(texts) | Values::Json(texts, _) => {
                texts.truncate(rows);
            }
            Values::Dictionary(own) => own.truncate(rows),
            Values::Uuid(bytes) => bytes.truncate(rows * 16),
            Values::List { offsets, .. } | Values::Map { offsets, .. } => offsets.truncate(rows + 1),
            _ => {}
        });
    }
}

impl Nodes {
    /// Removes all rows of a column from this one on, with those of its children. The last row may be incomplete.
    pub(crate) fn truncate(&mut self, plans: &[StructPlan], id: usize, rows: usize) {
        self.nodes[id].truncate_own(rows);
        match self.nodes[id].values {
            Values::List { ref offsets, item } => {
                let end = offsets.last().map_or(0, |end| *end as usize);
                self.truncate(plans, item, end);
            }
            Values::Map { ref offsets, key, value } => {
                let end = offsets.last().map_or(0, |end| *end as usize);
                self.truncate(plans, key, end);
                self.truncate(plans, value, end);
            }
            Values::Tuple { len, size, item } => self.truncate(plans, item, len * size),
            Values::Struct { len, plan } => {
                for child in &plans[plan].children {
                    self.truncate(plans, *child, len);
                }
            }
            _ => {}
        }
    }

    /// Returns the number of rows of a column.
    #[inline]
    pub(crate) fn len(&self, id: usize) -> usize {
        self.nodes[id].len()
    }

    /// Returns the size of all columns in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.iter().map(Node::bytes).sum()
    }

    /// Reserves memory for this many times the current rows.
    pub(crate) fn reserve(&mut self, times: f64) {
        for node in &mut self.nodes {
            node.reserve(times);
        }
    }

    /// Appends a null. `masked`: the column is not nullable, and the null of the struct or tuple around it hides the
    /// value.
    pub(crate) fn push_null(&mut self, plans: &[StructPlan], id: usize, masked: bool) {
        let node = &mut self.nodes[id];
        let row = node.len();
        if !masked && !matches!(node.values, Values::Null(_)) {
            node.nulls.push(row);
        }
        fn zero<T: Default>(values: &mut Vec<T>) {
            values.push(T::default());
        }
        each_vec!(&mut node.values, values => zero(values), other => match other {
            Values::Null(len) => *len += 1,
            Values::Bool(bits) => bits.append(false),
            Values::Text(texts) | Values::Bytes(texts) | Values::Digits(texts) | Values::Json(texts, _) => {
                texts.push_empty();
            }
            Values::Dictionary(own) => own.push_blank(masked),
            Values::Uuid(bytes) => bytes.extend_from_slice(&[0; 16]),
            Values::List { offsets, .. } | Values::Map { offsets, .. } => {
                let end = offsets.last().copied().unwrap_or(0);
                offsets.push(end);
            }
            Values::Tuple { len, size, item } => {
                *len += 1;
                let (size, item) = (*size, *item);
                for _ in 0..size {
                    self.push_blank(plans, item);
                }
            }
            Values::Struct { len, plan } => {
                *len += 1;
                for child in &plans[*plan].children {
                    self.push_blank(plans, *child);
                }
            }
            _ => {}
        });
    }

    /// Appends a row under the null of a parent: a null if the column is nullable.
    fn push_blank(&mut self, plans: &[StructPlan], id: usize) {
        let masked = !self.nodes[id].optional;
        self.push_null(plans, id, masked);
    }
}
