//! Filling columns by being told.

use super::node::{Builders, Ints, Nodes, Plan, Values};
use super::scalar::{duration, instant, out_of_range, scaled, time, wide};
use super::texts::Full;
use demat_core::scalar::{Date, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use demat_core::{Encode, Enum, Error, ErrorKind, Nothing, Record, Result, Sink, Union, Unknown, Value};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};

/// Where in the columns whoever tells stands.
#[derive(Debug)]
pub(crate) struct Cursor {
    frames: Vec<Frame>,
    /// The column that the next value goes to.
    next: Option<usize>,
    /// Whether a list of rows may begin here.
    rows: bool,
    /// A value that goes to no column part by part.
    aside: Option<Aside>,
    /// A record that is told in place of a column's own, and where its fields are in that one.
    other: Option<Other>,
}

/// A container that is being told.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// The list of rows.
    Rows { root: usize },
    Record { id: usize, plan: usize, row: usize },
    /// A record that is told as a map.
    ByKey { id: usize, plan: usize, row: usize },
    List { id: usize, item: usize },
    Tuple { id: usize, item: usize, count: usize },
    Map { id: usize, key: usize, value: usize },
}

/// A value that goes into a column as JSON, or nowhere.
#[derive(Debug)]
struct Aside {
    depth: usize,
    json: Option<(usize, JsonSink<Keep>)>,
}

#[derive(Debug, Clone)]
struct Other {
    told: u64,
    own: u64,
    fields: Vec<Option<usize>>,
}

/// How far a cursor and the columns were: what can be gone back to.
#[derive(Debug, Default)]
pub(crate) struct Point {
    frames: Vec<Frame>,
    next: Option<usize>,
    rows: bool,
    aside: Option<usize>,
    lens: Vec<usize>,
}

impl Cursor {
    /// Before a value of this column.
    pub(crate) fn new(id: usize, rows: bool) -> Self {
        Self { frames: Vec::new(), next: Some(id), rows, aside: None, other: None }
    }

    /// Whether it stands between two rows.
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.frames.as_slice(), [] | [Frame::Rows { .. }]) && self.aside.is_none()
    }
}

impl Builders {
    /// Remembers where all stands.
    pub(crate) fn save(&self, cursor: &mut Cursor, point: &mut Point) -> Result<()> {
        point.frames.clone_from(&cursor.frames);
        (point.next, point.rows) = (cursor.next, cursor.rows);
        point.aside = cursor.aside.as_ref().map(|aside| aside.depth);
        if let Some(Aside { json: Some((_, sink)), .. }) = &mut cursor.aside {
            sink.commit()?;
        }
        point.lens.clear();
        if cursor.is_between() {
            // Then the rows say all.
            point.lens.push(self.nodes.len(self.root));
        } else {
            point.lens.extend(self.nodes.nodes.iter().map(super::node::Node::len));
        }
        Ok(())
    }

    /// Goes back.
    pub(crate) fn restore(&mut self, cursor: &mut Cursor, point: &Point) -> Result<()> {
        cursor.frames.clone_from(&point.frames);
        (cursor.next, cursor.rows) = (point.next, point.rows);
        match (&mut cursor.aside, point.aside) {
            (Some(aside), Some(depth)) => {
                aside.depth = depth;
                if let Some((_, sink)) = &mut aside.json {
                    sink.rollback()?;
                }
            }
            (aside, _) => *aside = None,
        }
        match point.lens.as_slice() {
            [] => self.nodes.truncate(&self.plans, self.root, 0),
            [rows] if cursor.is_between() => self.nodes.truncate(&self.plans, self.root, *rows),
            lens => {
                for (node, len) in self.nodes.nodes.iter_mut().zip(lens) {
                    node.truncate_own(*len);
                }
            }
        }
        Ok(())
    }

    /// The columns as a sink, at the cursor.
    pub(crate) fn at<'t>(&'t mut self, cursor: &'t mut Cursor) -> Telling<'t> {
        Telling { nodes: &mut self.nodes, plans: &self.plans, cursor }
    }
}

/// Appends a value to a column.
pub(super) fn tell_value(nodes: &mut Nodes, plans: &[Plan], id: usize, value: &Value) -> Result<()> {
    let mut cursor = Cursor::new(id, false);
    value.encode(&mut Telling { nodes, plans, cursor: &mut cursor })
}

/// Columns that are being told.
#[derive(Debug)]
pub(crate) struct Telling<'t> {
    nodes: &'t mut Nodes,
    plans: &'t [Plan],
    cursor: &'t mut Cursor,
}

#[cold]
fn no_place(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("columns have no place for {what} here"))
}

#[cold]
fn mismatch(values: &Values, found: &'static str) -> Error {
    Error::expected(values.name(), found)
}

impl Values {
    /// What it is a column of, as errors say it.
    fn name(&self) -> &'static str {
        match self {
            Self::Null(_) => "null",
            Self::Bool(_) => "bool",
            Self::I8(_) | Self::I16(_) | Self::I32(_) | Self::I33(_) | Self::I64(_) => "int",
            Self::U8(_) | Self::U16(_) | Self::U32(_) | Self::U64(..) => "int",
            Self::F32(_) | Self::F64(_) => "float",
            Self::D128(own) if own.width.is_some() => "int",
            Self::D256(own) if own.width.is_some() => "int",
            Self::D128(_) | Self::D256(_) | Self::Digits(_) => "decimal",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::Json(..) => "any",
            Self::Date(_) => "date",
            Self::Time(_) => "time",
            Self::Instant(..) => "instant",
            Self::Duration(_) => "duration",
            Self::Uuid(_) => "uuid",
            Self::Enum(..) => "enum",
            Self::List { .. } => "list",
            Self::Tuple { .. } => "tuple",
            Self::Map { .. } => "map",
            Self::Struct { .. } => "record",
        }
    }
}

fn ranged(ints: (i64, i64, demat_core::IntWidth), int: i64) -> Result<i64> {
    let (low, high, width) = ints;
    if int < low || int > high { Err(out_of_range(width, int)) } else { Ok(int) }
}

/// Floats hold ints up to here exactly.
const EXACT_64: i64 = 1 << 53;
const EXACT_32: i64 = 1 << 24;

impl Telling<'_> {
    /// Where the next value goes; it was told then.
    #[inline]
    fn here(&mut self, what: &str) -> Result<usize> {
        self.cursor.next.take().ok_or_else(|| no_place(what))
    }

    /// Whether values go aside, or begin to: where the next one is one for a column of JSON.
    #[inline]
    fn is_aside(&mut self) -> bool {
        if self.cursor.aside.is_some() {
            return true;
        }
        let Some(id) = self.cursor.next else { return false };
        if !matches!(self.nodes.nodes[id].values, Values::Json(..)) {
            return false;
        }
        self.cursor.next = None;
        let buffer = core::mem::take(&mut self.nodes.scratch);
        let sink = JsonSink::new(Output::new(buffer, Keep), WriteOptions::default());
        self.cursor.aside = Some(Aside { depth: 0, json: Some((id, sink)) });
        true
    }

    /// Tells what goes aside; `steps` is how much deeper it leads.
    #[cold]
    fn aside(&mut self, steps: isize, tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        let Some(aside) = &mut self.cursor.aside else { return Ok(()) };
        match &mut aside.json {
            Some((_, sink)) => tell(sink)?,
            None => tell(&mut Nothing)?,
        }
        aside.depth = aside.depth.saturating_add_signed(steps);
        Ok(())
    }

    /// As [`aside`](Self::aside), where a value may have ended.
    #[cold]
    fn ended_aside(&mut self, steps: isize, tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        self.aside(steps, tell)?;
        if self.cursor.aside.as_ref().is_none_or(|aside| aside.depth > 0) {
            return Ok(());
        }
        if let Some(Aside { json: Some((id, sink)), .. }) = self.cursor.aside.take() {
            let (json, _) = sink.into_output().into_parts();
            let pushed = match &mut self.nodes.nodes[id].values {
                Values::Json(texts, _) => texts.push(&json),
                _ => Ok(()),
            };
            self.nodes.scratch = json;
            pushed?;
        }
        Ok(())
    }

    /// A row of a column of lists or maps ends.
    fn end_of(&mut self, id: usize, child: usize) -> Result<()> {
        let end = i32::try_from(self.nodes.len(child)).map_err(|_| Full::error("the items of a column of lists"))?;
        if let Values::List { offsets, .. } | Values::Map { offsets, .. } = &mut self.nodes.nodes[id].values {
            offsets.push(end);
        }
        Ok(())
    }

    /// A record ends: what did not come is null, or has its default.
    fn end_struct(&mut self, id: usize, plan: usize, row: usize) -> Result<()> {
        let plan = &self.plans[plan];
        for (index, child) in plan.children.iter().enumerate() {
            let len = self.nodes.len(*child);
            if len == row + 1 {
                continue;
            }
            let field = &plan.record.fields()[index];
            if len > row {
                let message = format!("the field `{}` was told twice", field.key());
                return Err(Error::new(ErrorKind::Encode, message));
            }
            if plan.rest == Some(index) {
                if let Values::Map { key, .. } = self.nodes.nodes[*child].values {
                    self.end_of(*child, key)?;
                }
            } else if let Some(default) = field.default() {
                tell_value(self.nodes, self.plans, *child, default)?;
            } else if field.required() {
                return Err(Error::missing(field.key()));
            } else {
                self.nodes.push_null(self.plans, *child, false);
            }
        }
        if let Values::Struct { len, .. } = &mut self.nodes.nodes[id].values {
            *len += 1;
        }
        Ok(())
    }

    /// The field of the columns' record that a field of another one is.
    #[cold]
    fn other_field(&mut self, record: &Record, plan: &Plan, index: usize) -> Result<usize> {
        let (told, own) = (record.identity(), plan.record.identity());
        if self.cursor.other.as_ref().is_none_or(|other| (other.told, other.own) != (told, own)) {
            let fields = record.fields().iter().map(|field| plan.record.index_of(field.key())).collect();
            self.cursor.other = Some(Other { told, own, fields });
        }
        let found = self.cursor.other.as_ref().and_then(|other| other.fields.get(index).copied().flatten());
        found.ok_or_else(|| no_place(&format!("the field `{}`", record.fields()[index].key())))
    }

    /// A key of a record that is told as a map.
    fn by_key(&mut self, plan: usize, key: &str) -> Result<()> {
        let plan = &self.plans[plan];
        if let Some(index) = plan.record.index_of(key) {
            self.cursor.next = Some(plan.children[index]);
            return Ok(());
        }
        match (plan.record.unknown(), plan.rest) {
            (Unknown::Keep(_), Some(rest)) => self.kept(plan.children[rest], key),
            _ => {
                plan.record.unknown_key(key)?;
                self.cursor.aside = Some(Aside { depth: 0, json: None });
                Ok(())
            }
        }
    }

    /// A field that the record keeps without having it.
    fn kept(&mut self, id: usize, key: &str) -> Result<()> {
        if let Values::Map { key: keys, value, .. } = self.nodes.nodes[id].values {
            self.cursor.next = Some(keys);
            self.text(key)?;
            self.cursor.next = Some(value);
        }
        Ok(())
    }
}

impl Sink for Telling<'_> {
    fn null(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(0, |sink| sink.null());
        }
        let id = self.here("null")?;
        let node = &self.nodes.nodes[id];
        if !node.optional && !matches!(node.values, Values::Null(_)) {
            return Err(mismatch(&node.values, "null"));
        }
        self.nodes.push_null(self.plans, id, false);
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.bool(value));
        }
        let id = self.here("a bool")?;
        match &mut self.nodes.nodes[id].values {
            Values::Bool(bits) => bits.append(value),
            other => return Err(mismatch(other, "bool")),
        }
        Ok(())
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.i64(value));
        }
        let id = self.here("an int")?;
        macro_rules! narrow {
            ($ints:expr, $type:ty) => {{
                let Ints { values, width, low, high } = $ints;
                values.push(ranged((*low, *high, *width), value)? as $type); // within the type's borders
            }};
        }
        #[allow(clippy::cast_precision_loss)] // none below the limits
        match &mut self.nodes.nodes[id].values {
            Values::I64(values) => values.push(value),
            Values::I8(ints) => narrow!(ints, i8),
            Values::I16(ints) => narrow!(ints, i16),
            Values::I32(ints) => narrow!(ints, i32),
            Values::I33(ints) => narrow!(ints, i64),
            Values::U8(ints) => narrow!(ints, u8),
            Values::U16(ints) => narrow!(ints, u16),
            Values::U32(ints) => narrow!(ints, u32),
            Values::U64(values, width) => match u64::try_from(value).ok().filter(|_| width.holds(&Int::I64(value))) {
                Some(value) => values.push(value),
                None => return Err(out_of_range(*width, value)),
            },
            Values::F64(values) if (-EXACT_64..=EXACT_64).contains(&value) => values.push(value as f64),
            Values::F32(values) if (-EXACT_32..=EXACT_32).contains(&value) => values.push(value as f32),
            _ => {
                self.cursor.next = Some(id);
                return self.int(&Int::I64(value));
            }
        }
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.int(value));
        }
        let id = self.here("an int")?;
        match &mut self.nodes.nodes[id].values {
            Values::U64(values, width) => match value.to_u64().filter(|_| width.holds(value)) {
                Some(value) => values.push(value),
                None => return Err(out_of_range(*width, value)),
            },
            Values::D128(own) => own.values.push(match own.width {
                Some(width) => wide(value, width)?,
                None => scaled(&value.to_string(), own.precision, own.scale)?,
            }),
            Values::D256(own) => own.values.push(match own.width {
                Some(width) => wide(value, width)?,
                None => scaled(&value.to_string(), own.precision, own.scale)?,
            }),
            Values::Digits(texts) => texts.push(value.to_string().as_bytes())?,
            Values::I64(_)
            | Values::I33(_)
            | Values::I32(_)
            | Values::I16(_)
            | Values::I8(_)
            | Values::U32(_)
            | Values::U16(_)
            | Values::U8(_) => {
                let Some(value) = value.to_i64() else {
                    return Err(Error::mismatch(ErrorKind::Constraint, "int64", value.to_string()));
                };
                self.cursor.next = Some(id);
                return self.i64(value);
            }
            Values::F64(values) => values.push(float_of(value)?),
            #[allow(clippy::cast_possible_truncation)] // it rounds, as reading one does
            Values::F32(values) => values.push(float_of(value)? as f32),
            other => return Err(mismatch(other, "int")),
        }
        Ok(())
    }

    #[inline]
    fn float(&mut self, value: f64) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.float(value));
        }
        let id = self.here("a float")?;
        match &mut self.nodes.nodes[id].values {
            Values::F64(values) => values.push(value),
            Values::F32(values) => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::expected("float32", value.to_string()));
                }
                values.push(narrow);
            }
            other => return Err(mismatch(other, "float")),
        }
        Ok(())
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.float32(value));
        }
        if let Some(id) = self.cursor.next
            && let Values::F32(values) = &mut self.nodes.nodes[id].values
        {
            values.push(value);
            self.cursor.next = None;
            return Ok(());
        }
        self.float(f64::from(value))
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.cursor.next.is_none()
            && self.cursor.aside.is_none()
            && let Some(Frame::ByKey { plan, .. }) = self.cursor.frames.last()
        {
            let plan = *plan;
            return self.by_key(plan, value);
        }
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.text(value));
        }
        let id = self.here("text")?;
        if let Values::Text(texts) = &mut self.nodes.nodes[id].values {
            return texts.push(value.as_bytes());
        }
        self.cursor.next = Some(id);
        self.other_text(id, value)
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_list(len));
        }
        let id = self.here("a list")?;
        let frame = match &self.nodes.nodes[id].values {
            Values::List { item, .. } => Frame::List { id, item: *item },
            Values::Tuple { item, .. } => Frame::Tuple { id, item: *item, count: 0 },
            Values::Struct { .. } if self.cursor.rows && self.cursor.frames.is_empty() => Frame::Rows { root: id },
            other => return Err(mismatch(other, "list")),
        };
        self.cursor.frames.push(frame);
        Ok(())
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.item());
        }
        match self.cursor.frames.last_mut() {
            Some(Frame::Rows { root }) => self.cursor.next = Some(*root),
            Some(Frame::List { item, .. }) => self.cursor.next = Some(*item),
            Some(Frame::Tuple { item, count, .. }) => {
                *count += 1;
                self.cursor.next = Some(*item);
            }
            _ => return Err(no_place("an item")),
        }
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(-1, |sink| sink.end_list());
        }
        match self.cursor.frames.pop() {
            Some(Frame::Rows { .. }) => Ok(()),
            Some(Frame::List { id, item }) => self.end_of(id, item),
            Some(Frame::Tuple { id, count, .. }) => match &mut self.nodes.nodes[id].values {
                Values::Tuple { len, size, .. } if *size == count => {
                    *len += 1;
                    Ok(())
                }
                Values::Tuple { size, .. } => Err(Error::mismatch(
                    ErrorKind::Constraint,
                    format!("a tuple of {size}"),
                    format!("a list of {count}"),
                )),
                _ => Ok(()),
            },
            _ => Err(no_place("the end of a list")),
        }
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_map(len));
        }
        let id = self.here("a map")?;
        let frame = match &self.nodes.nodes[id].values {
            Values::Map { key, value, .. } => Frame::Map { id, key: *key, value: *value },
            Values::Struct { len, plan } => Frame::ByKey { id, plan: *plan, row: *len },
            other => return Err(mismatch(other, "record")),
        };
        self.cursor.frames.push(frame);
        Ok(())
    }

    fn entry(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.entry());
        }
        match self.cursor.frames.last() {
            Some(Frame::Map { key, .. }) => self.cursor.next = Some(*key),
            Some(Frame::ByKey { .. }) => self.cursor.next = None,
            _ => return Err(no_place("a key")),
        }
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        if self.cursor.aside.as_ref().is_some_and(|aside| aside.depth > 0) {
            return self.aside(0, |sink| sink.value());
        }
        if let Some(Frame::Map { value, .. }) = self.cursor.frames.last() {
            self.cursor.next = Some(*value);
        }
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(-1, |sink| sink.end_map());
        }
        match self.cursor.frames.pop() {
            Some(Frame::Map { id, key, .. }) => {
                self.end_of(id, key)?;
                Ok(())
            }
            Some(Frame::ByKey { id, plan, row }) => self.end_struct(id, plan, row),
            _ => Err(no_place("the end of a map")),
        }
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_record(record));
        }
        let id = self.here("a record")?;
        let frame = match &self.nodes.nodes[id].values {
            Values::Struct { len, plan } => Frame::Record { id, plan: *plan, row: *len },
            Values::Map { key, value, .. } => Frame::Map { id, key: *key, value: *value },
            other => return Err(mismatch(other, "record")),
        };
        self.cursor.frames.push(frame);
        Ok(())
    }

    #[inline]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.field(record, index));
        }
        match self.cursor.frames.last() {
            Some(Frame::Record { plan, .. }) => {
                let plan = &self.plans[*plan];
                let own = if record.identity() == plan.record.identity() {
                    index
                } else {
                    self.other_field(record, plan, index)?
                };
                self.cursor.next = Some(plan.children[own]);
                Ok(())
            }
            Some(Frame::Map { .. }) => {
                self.entry()?;
                self.text(record.fields()[index].key())?;
                self.value()
            }
            _ => Err(no_place("a field")),
        }
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.rest(record, key));
        }
        match self.cursor.frames.last() {
            Some(Frame::Record { plan, .. }) => {
                let plan = *plan;
                self.by_key(plan, key)
            }
            _ => Err(no_place("a field")),
        }
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(-1, |sink| sink.end_record(record));
        }
        match self.cursor.frames.pop() {
            Some(Frame::Record { id, plan, row }) => self.end_struct(id, plan, row),
            Some(Frame::Map { id, key, .. }) => self.end_of(id, key),
            _ => Err(no_place("the end of a record")),
        }
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_variant(union, index));
        }
        Err(no_place("a union"))
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.ended_aside(-1, |sink| sink.end_variant(union, index))
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.bytes(value));
        }
        let id = self.here("bytes")?;
        match &mut self.nodes.nodes[id].values {
            Values::Bytes(texts) => texts.push(value),
            Values::Uuid(bytes) if value.len() == 16 => {
                bytes.extend_from_slice(value);
                Ok(())
            }
            Values::Text(texts) => {
                let mut text = String::with_capacity(value.len().div_ceil(3) * 4);
                base64::encode(value, &mut text);
                texts.push(text.as_bytes())
            }
            other => Err(mismatch(other, "bytes")),
        }
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.decimal(value));
        }
        let id = self.here("a decimal")?;
        match &mut self.nodes.nodes[id].values {
            Values::Digits(texts) | Values::Text(texts) => texts.push(value.as_str().as_bytes()),
            Values::D128(own) if own.width.is_none() => {
                own.values.push(scaled(value.as_str(), own.precision, own.scale)?);
                Ok(())
            }
            Values::D256(own) if own.width.is_none() => {
                own.values.push(scaled(value.as_str(), own.precision, own.scale)?);
                Ok(())
            }
            other => Err(mismatch(other, "decimal")),
        }
    }

    fn date(&mut self, value: Date) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.date(value));
        }
        let id = self.here("a date")?;
        match &mut self.nodes.nodes[id].values {
            Values::Date(values) => values.push(value.days_since_epoch()),
            Values::Text(texts) => texts.push(value.to_string().as_bytes())?,
            other => return Err(mismatch(other, "date")),
        }
        Ok(())
    }

    fn time(&mut self, value: Time) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.time(value));
        }
        let id = self.here("a time")?;
        match &mut self.nodes.nodes[id].values {
            Values::Time(values) => values.push(time(value)?),
            Values::Text(texts) => texts.push(value.to_string().as_bytes())?,
            other => return Err(mismatch(other, "time")),
        }
        Ok(())
    }

    fn instant(&mut self, value: Instant) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.instant(value));
        }
        let id = self.here("an instant")?;
        match &mut self.nodes.nodes[id].values {
            Values::Instant(values, naive) => values.push(instant(value, *naive)?),
            Values::Text(texts) => texts.push(value.to_string().as_bytes())?,
            other => return Err(mismatch(other, "instant")),
        }
        Ok(())
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.duration(value));
        }
        let id = self.here("a duration")?;
        match &mut self.nodes.nodes[id].values {
            Values::Duration(values) => values.push(duration(value)?),
            Values::Text(texts) => texts.push(value.to_string().as_bytes())?,
            other => return Err(mismatch(other, "duration")),
        }
        Ok(())
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.uuid(value));
        }
        let id = self.here("a uuid")?;
        match &mut self.nodes.nodes[id].values {
            Values::Uuid(bytes) => bytes.extend_from_slice(&value.0),
            Values::Text(texts) => texts.push(value.to_string().as_bytes())?,
            other => return Err(mismatch(other, "uuid")),
        }
        Ok(())
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.text(names.name_at(index))
    }

    fn commit(&mut self) -> Result<()> {
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

fn float_of(value: &Int<'_>) -> Result<f64> {
    let float = value.to_f64();
    if float.is_finite() {
        return Ok(float);
    }
    Err(Error::mismatch(ErrorKind::Constraint, "float64", value.to_string()))
}

impl Telling<'_> {
    /// Text for a column of another kind, which formats without it write so.
    fn other_text(&mut self, id: usize, value: &str) -> Result<()> {
        #[cold]
        fn not(expected: &'static str) -> Error {
            Error::expected(expected, "other text")
        }
        match &mut self.nodes.nodes[id].values {
            Values::Bytes(_) => {
                let bytes = base64::decode(value).ok_or_else(|| not("bytes in base64"))?;
                self.bytes(&bytes)
            }
            Values::Digits(_) => self.decimal(&Decimal::parse(value).ok_or_else(|| not("decimal"))?),
            Values::D128(own) if own.width.is_none() => {
                self.decimal(&Decimal::parse(value).ok_or_else(|| not("decimal"))?)
            }
            Values::D256(own) if own.width.is_none() => {
                self.decimal(&Decimal::parse(value).ok_or_else(|| not("decimal"))?)
            }
            Values::Date(_) => self.date(Date::parse(value).ok_or_else(|| not("date as YYYY-MM-DD"))?),
            Values::Time(_) => self.time(Time::parse(value).ok_or_else(|| not("time as HH:MM:SS"))?),
            Values::Instant(..) => self.instant(Instant::parse(value).ok_or_else(|| not("instant as RFC 3339"))?),
            Values::Duration(_) => self.duration(Duration::parse(value).ok_or_else(|| not("duration as ISO 8601"))?),
            Values::Uuid(_) => self.uuid(Uuid::parse(value).ok_or_else(|| not("uuid"))?),
            Values::Enum(values, names) => {
                self.cursor.next = None;
                let Some(index) = names.index_of(value) else {
                    return Err(Error::mismatch(ErrorKind::Constraint, names.names(), format!("`{value}`")));
                };
                values.push(index as i32); // a name of so few
                Ok(())
            }
            // Keys of maps are text in most places, and numbers in the columns.
            Values::I64(_)
            | Values::I33(_)
            | Values::I32(_)
            | Values::I16(_)
            | Values::I8(_)
            | Values::U64(..)
            | Values::U32(_)
            | Values::U16(_)
            | Values::U8(_)
                if matches!(self.cursor.frames.last(), Some(Frame::Map { key, .. }) if *key == id) =>
            {
                self.int(&Int::from_digits(value).ok_or_else(|| not("int"))?)
            }
            other => Err(mismatch(other, "text")),
        }
    }
}
