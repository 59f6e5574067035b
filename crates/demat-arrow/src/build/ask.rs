//! Fills columns by reading a source.

use super::node::{Builders, Decimals, Ints, Node, Nodes, StructPlan, Values};
use super::scalar::{Scaled, date_time, duration, instant, out_of_range, scaled, time, wide};
use super::texts::Full;
use super::twice;
use demat_core::{Error, Items, Kind, Listed, Mark, Record, Result, Shape, Source, copy_any};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};

/// The columns, borrowed separately from the plans, so that a record's plan can be read while its columns grow.
struct Asking<'n> {
    nodes: &'n mut Nodes,
    plans: &'n [StructPlan],
}

impl Builders {
    /// Reads the source's next record and appends it to the columns. After an error, a part of the record may be left.
    #[inline]
    pub(crate) fn ask_row<'a, S: Source<'a> + ?Sized>(&mut self, source: &mut S) -> Result<()> {
        let Values::Struct { len, plan } = self.nodes.nodes[self.root].values else { return Ok(()) };
        Asking { nodes: &mut self.nodes, plans: &self.plans }.record(self.root, plan, len, source)
    }

    /// Called for an input without rows: lets the source check the record's fields.
    pub(crate) fn ask_for_none<'a, S: Source<'a> + ?Sized>(&self, source: &mut S) -> Result<()> {
        match self.nodes.nodes[self.root].values {
            Values::Struct { plan, .. } => source.no_records(&self.plans[plan].record),
            _ => Ok(()),
        }
    }
}

/// Reads and appends an int, after a check against the shape's range.
macro_rules! narrow {
    ($ints:expr, $source:expr, $type:ty) => {{
        let Ints { values, width, low, high } = $ints;
        let int = $source.i64()?;
        if int < *low || int > *high {
            return Err(out_of_range(*width, &int).at($source.position()));
        }
        values.push(int as $type); // within the range of the type, which includes that of the shape
    }};
}

/// Reads an exact number: an int, if the shape is one, otherwise a decimal.
fn decimal<'a, T: Scaled, S: Source<'a> + ?Sized>(own: &mut Decimals<T>, source: &mut S) -> Result<()> {
    let number = if let Some(width) = own.width {
        let int = source.int()?;
        wide(&int, width)
    } else {
        let decimal = source.decimal()?;
        scaled(decimal.as_str(), own.precision, own.scale)
    };
    own.values.push(number.map_err(|error| error.at(source.position()))?);
    Ok(())
}

impl<'n> Asking<'n> {
    /// Reads a value of this column. The most common types are inlined.
    #[inline(always)]
    fn usual<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, source: &mut S) -> Result<()> {
        match &mut self.nodes.nodes[id] {
            Node { optional: false, values: Values::I64(values), .. } => values.push(source.i64()?),
            Node { optional: false, values: Values::Text(texts), .. } => texts.push(source.text()?.as_bytes())?,
            _ => return self.value(id, source),
        }
        Ok(())
    }

    /// Reads a value of this column.
    #[inline]
    fn value<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, source: &mut S) -> Result<()> {
        let node = &mut self.nodes.nodes[id];
        if node.optional && source.null()? {
            match &mut node.values {
                Values::I64(values) => {
                    node.nulls.push(values.len());
                    values.push(0);
                }
                Values::F64(values) => {
                    node.nulls.push(values.len());
                    values.push(0.0);
                }
                Values::Text(texts) => {
                    node.nulls.push(texts.len());
                    texts.push_empty();
                }
                _ => self.nodes.push_null(self.plans, id, false),
            }
            return Ok(());
        }
        match &mut node.values {
            Values::I64(values) => values.push(source.i64()?),
            Values::Text(texts) => texts.push(source.text()?.as_bytes())?,
            Values::F64(values) => values.push(source.float()?),
            Values::Bool(bits) => bits.append(source.bool()?),
            Values::Struct { len, plan } => {
                let (len, plan) = (*len, *plan);
                return self.record(id, plan, len, source);
            }
            Values::List { item, .. } => {
                let item = *item;
                return self.list(id, item, source);
            }
            _ => return self.rare(id, source),
        }
        Ok(())
    }

    #[inline(never)]
    fn rare<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, source: &mut S) -> Result<()> {
        let Node { values, .. } = &mut self.nodes.nodes[id];
        match values {
            Values::I8(ints) => narrow!(ints, source, i8),
            Values::I16(ints) => narrow!(ints, source, i16),
            Values::I32(ints) => narrow!(ints, source, i32),
            Values::I33(ints) => narrow!(ints, source, i64),
            Values::U8(ints) => narrow!(ints, source, u8),
            Values::U16(ints) => narrow!(ints, source, u16),
            Values::U32(ints) => narrow!(ints, source, u32),
            Values::U64(values, width) => {
                let int = source.int()?;
                match int.to_u64().filter(|_| width.holds(&int)) {
                    Some(int) => values.push(int),
                    None => return Err(out_of_range(*width, &int).at(source.position())),
                }
            }
            Values::F32(values) => values.push(source.float32()?),
            Values::D128(own) => decimal(own, source)?,
            Values::D256(own) => decimal(own, source)?,
            Values::Dictionary(own) => own.push(source.text()?.as_bytes())?,
            Values::Bytes(texts) => texts.push(&source.bytes()?)?,
            Values::Digits(texts) => texts.push(source.decimal()?.as_str().as_bytes())?,
            Values::Date(values) => values.push(source.date()?.days_since_epoch()),
            Values::Time(values) => {
                let asked = source.time()?;
                values.push(time(asked).map_err(|error| error.at(source.position()))?);
            }
            Values::DateTime(values) => {
                let asked = source.date_time()?;
                values.push(date_time(asked).map_err(|error| error.at(source.position()))?);
            }
            Values::Instant(values) => {
                let asked = source.instant()?;
                values.push(instant(asked).map_err(|error| error.at(source.position()))?);
            }
            Values::Duration(values) => {
                let asked = source.duration()?;
                values.push(duration(asked).map_err(|error| error.at(source.position()))?);
            }
            Values::Uuid(bytes) => bytes.extend_from_slice(&source.uuid()?.0),
            Values::Enum(values, names) => values.push(source.variant(names)? as i32), // an enum has few names
            Values::Null(_) => return Err(source.mismatch("null")),
            Values::Json(..) => return self.json(id, source),
            Values::Tuple { size, item, .. } => {
                let (size, item) = (*size, *item);
                return self.tuple(id, size, item, source);
            }
            Values::Map { key, value, .. } => {
                let (key, value) = (*key, *value);
                return self.map(id, key, value, source);
            }
            Values::I64(_)
            | Values::Text(_)
            | Values::F64(_)
            | Values::Bool(_)
            | Values::Struct { .. }
            | Values::List { .. } => {}
        }
        Ok(())
    }

    /// Appends the end of the row to a column of lists or maps.
    fn end_of(&mut self, id: usize, child: usize) -> Result<()> {
        let end = i32::try_from(self.nodes.len(child)).map_err(|_| Full::error("the items of a column of lists"))?;
        if let Values::List { offsets, .. } | Values::Map { offsets, .. } = &mut self.nodes.nodes[id].values {
            offsets.push(end);
        }
        Ok(())
    }

    fn list<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, item: usize, source: &mut S) -> Result<()> {
        if source.list_or_single()? == Listed::Single {
            if let Err(error) = self.value(item, source) {
                return Err(if error.signal().is_some() { error } else { error.within_item(0) });
            }
            return self.end_of(id, item);
        }
        let mut index = 0;
        while source.item()? {
            if let Err(error) = self.value(item, source) {
                return Err(if error.signal().is_some() { error } else { error.within_item(index) });
            }
            index += 1;
        }
        self.end_of(id, item)
    }

    fn tuple<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, size: usize, item: usize, source: &mut S) -> Result<()> {
        source.list()?;
        for index in 0..size {
            if !source.item()? {
                return Err(wrong_count(size, format!("only {index}")).at(source.position()));
            }
            if let Err(error) = self.value(item, source) {
                return Err(if error.signal().is_some() { error } else { error.within_item(index) });
            }
        }
        if source.item()? {
            source.peek()?; // the position is that of the excess item
            return Err(wrong_count(size, "more".to_string()).at(source.position()));
        }
        if let Values::Tuple { len, .. } = &mut self.nodes.nodes[id].values {
            *len += 1;
        }
        Ok(())
    }

    fn map<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, key: usize, value: usize, source: &mut S) -> Result<()> {
        let mark = source.mark();
        let first = self.nodes.len(key);
        source.map()?;
        while source.entry()? {
            self.entry(key, value, source)?;
        }
        if let Some((again, _)) = twice::first(&self.nodes.nodes[key], first) {
            let name = twice::name(&self.nodes.nodes[key], first + again);
            refuse_if_asked(source, mark, again, &name)?;
            // Reads the map again, and keeps only the last value of each key.
            let keep = twice::last_ones(&self.nodes.nodes[key], first);
            self.nodes.truncate(self.plans, key, first);
            self.nodes.truncate(self.plans, value, first);
            source.reset(mark);
            source.map()?;
            let mut index = 0;
            while source.entry()? {
                if keep.get(index).is_some_and(|keep| *keep) {
                    self.entry(key, value, source)?;
                } else {
                    pass_entry(source)?;
                }
                index += 1;
            }
        }
        self.end_of(id, key)
    }

    /// Reads the next key and its value.
    fn entry<'a, S: Source<'a> + ?Sized>(&mut self, key: usize, value: usize, source: &mut S) -> Result<()> {
        self.value(key, source)?;
        source.value()?;
        match self.value(value, source) {
            Err(error) if error.signal().is_none() => {
                Err(error.within_field(twice::name(&self.nodes.nodes[key], self.nodes.len(key) - 1)))
            }
            other => other,
        }
    }

    /// Copies a value of any shape as JSON.
    fn json<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, source: &mut S) -> Result<()> {
        let Values::Json(texts, shape) = &mut self.nodes.nodes[id].values else { return Ok(()) };
        let mut sink =
            JsonSink::new(Output::new(core::mem::take(&mut self.nodes.scratch), Keep), WriteOptions::default());
        let copied = json_of(source, shape, &mut sink);
        let (json, _) = sink.into_output().into_parts();
        let pushed = copied.and_then(|()| texts.push(&json));
        self.nodes.scratch = json;
        pushed
    }

    /// Reads a record, whose columns have this many rows.
    #[inline]
    fn record<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, plan: usize, row: usize, source: &mut S) -> Result<()> {
        let plan: &'n StructPlan = &self.plans[plan];
        if plan.rest.is_some() {
            self.record_with_rest(plan, row, source)?;
        } else if let Some(items) = plan.record.items() {
            self.items(plan, items, row, source)?;
        } else {
            self.fields(plan, row, None, source)?;
        }
        if let Values::Struct { len, .. } = &mut self.nodes.nodes[id].values {
            *len += 1;
        }
        Ok(())
    }

    /// Reads the fields of a record. `keep`: which of the kept unknown entries to append.
    #[inline(always)]
    fn fields<'a, S: Source<'a> + ?Sized>(
        &mut self,
        plan: &'n StructPlan,
        row: usize,
        keep: Option<&[bool]>,
        source: &mut S,
    ) -> Result<()> {
        let record: &Record = &plan.record;
        source.record(record)?;
        let (mut expected, mut kept) = (0, 0);
        // Whether the fields came in order, and whether all of them came.
        let (mut ordered, mut whole) = (true, true);
        while let Some(index) = source.field(record, expected)? {
            let child = plan.children[index];
            if index != expected {
                whole = false;
                if plan.rest == Some(index) {
                    self.rest(child, keep.is_none_or(|keep| keep.get(kept).is_some_and(|keep| *keep)), source)?;
                    kept += 1;
                    continue;
                }
                ordered &= index > expected;
            } else if plan.rest == Some(index) {
                whole = false;
                self.rest(child, keep.is_none_or(|keep| keep.get(kept).is_some_and(|keep| *keep)), source)?;
                kept += 1;
                continue;
            }
            if !ordered && self.nodes.len(child) > row {
                source.repeated(record.fields()[index].key())?;
                self.nodes.truncate(self.plans, child, row);
            }
            if let Err(error) = self.usual(child, source) {
                return Err(within(record, index, error));
            }
            expected = index + 1;
        }
        if !whole || !ordered || expected != plan.children.len() {
            self.fill(plan, row, source)?;
        }
        Ok(())
    }

    /// Reads the fields of a record that stands as a list.
    #[inline(never)]
    fn items<'a, S: Source<'a> + ?Sized>(
        &mut self,
        plan: &'n StructPlan,
        items: &Items,
        row: usize,
        source: &mut S,
    ) -> Result<()> {
        if items.allows_names() && source.peek()? != Kind::List {
            return self.fields(plan, row, None, source);
        }
        source.list()?;
        let mut place = 0;
        while source.item()? {
            match items.field_at(place) {
                None => plan.record.skip_item(place, source)?,
                Some(index) => match self.usual(plan.children[index], source) {
                    Err(error) if error.signal().is_none() => return Err(error.within_item(place)),
                    read => read?,
                },
            }
            place += 1;
        }
        self.fill(plan, row, source)
    }

    /// Reads an unknown entry that the record keeps.
    #[inline(never)]
    fn rest<'a, S: Source<'a> + ?Sized>(&mut self, id: usize, keep: bool, source: &mut S) -> Result<()> {
        match self.nodes.nodes[id].values {
            Values::Map { key, value, .. } if keep => self.entry(key, value, source),
            _ => pass_entry(source),
        }
    }

    /// Reads a record that keeps unknown fields. Of repeated keys the last one wins.
    #[inline(never)]
    fn record_with_rest<'a, S: Source<'a> + ?Sized>(
        &mut self,
        plan: &'n StructPlan,
        row: usize,
        source: &mut S,
    ) -> Result<()> {
        let mark = source.mark();
        self.fields(plan, row, None, source)?;
        let rest = plan.rest.map_or(0, |rest| plan.children[rest]);
        let Values::Map { key, ref offsets, .. } = self.nodes.nodes[rest].values else { return Ok(()) };
        let first = offsets[row] as usize;
        let Some((again, _)) = twice::first(&self.nodes.nodes[key], first) else { return Ok(()) };
        source.repeated(&twice::name(&self.nodes.nodes[key], first + again))?;
        let keep = twice::last_ones(&self.nodes.nodes[key], first);
        for child in &plan.children {
            self.nodes.truncate(self.plans, *child, row);
        }
        source.reset(mark);
        self.fields(plan, row, Some(&keep), source)
    }

    /// Completes the columns of fields that were absent or came in pieces.
    #[inline(never)]
    fn fill<'a, S: Source<'a> + ?Sized>(&mut self, plan: &StructPlan, row: usize, source: &mut S) -> Result<()> {
        for (index, (field, child)) in plan.record.fields().iter().zip(&plan.children).enumerate() {
            if self.nodes.len(*child) > row {
                continue;
            }
            if plan.rest == Some(index) {
                if let Values::Map { key, .. } = self.nodes.nodes[*child].values {
                    self.end_of(*child, key)?;
                }
            } else if let Some(default) = field.default() {
                let told = super::tell::tell_value(self.nodes, self.plans, *child, default);
                told.map_err(|error| within(&plan.record, index, error))?;
            } else if field.required() {
                return Err(Error::missing(field.key()).at(source.position()));
            } else {
                self.nodes.push_null(self.plans, *child, false);
            }
        }
        Ok(())
    }
}

#[cold]
fn within(record: &Record, index: usize, error: Error) -> Error {
    if error.signal().is_some() { error } else { error.within_field(record.fields()[index].path_name()) }
}

/// Goes to the entry of a map that repeats a key, and lets the source refuse it.
#[cold]
fn refuse_if_asked<'a, S: Source<'a> + ?Sized>(source: &mut S, map: Mark, again: usize, key: &str) -> Result<()> {
    source.reset(map);
    source.map()?;
    for _ in 0..again {
        source.entry()?;
        pass_entry(source)?;
    }
    source.entry()?;
    source.skip()?;
    source.repeated(key)
}

#[cold]
fn wrong_count(expected: usize, found: String) -> Error {
    Error::mismatch(demat_core::ErrorKind::Constraint, format!("a tuple of {expected}"), found)
}

fn json_of<'a, S: Source<'a> + ?Sized>(mut source: &mut S, shape: &Shape, sink: &mut JsonSink<Keep>) -> Result<()> {
    copy_any(&mut source, shape, sink)
}

fn pass_entry<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<()> {
    source.skip()?;
    source.value()?;
    source.skip()
}
