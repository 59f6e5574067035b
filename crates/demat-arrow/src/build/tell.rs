//! Fills columns through a sink.

use super::node::{Builders, Nodes, StructPlan, Values};
use super::texts::Full;
use demat_core::{Encode, Error, ErrorKind, Nothing, Record, Result, Sink, Unknown, Value};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};

/// The position of a sink's caller in the columns.
#[derive(Debug)]
pub(crate) struct Cursor {
    pub(super) frames: Vec<Frame>,
    /// The column for the next value.
    pub(super) next: Option<usize>,
    /// Whether a list of rows may begin here.
    pub(super) rows: bool,
    /// A value that is not written to columns part by part.
    pub(super) aside: Option<Aside>,
    /// Records that are written in place of a column's own, with the mapping of their fields to its fields.
    pub(super) others: Vec<Other>,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Frame {
    /// The list of rows.
    Rows {
        root: usize,
    },
    Record {
        id: usize,
        plan: usize,
        row: usize,
        /// The index of the other record, if it is not the column's own.
        other: Option<usize>,
    },
    /// A record that is written as a map.
    ByKey {
        id: usize,
        plan: usize,
        row: usize,
    },
    List {
        id: usize,
        item: usize,
    },
    Tuple {
        id: usize,
        item: usize,
        count: usize,
    },
    Map {
        id: usize,
        key: usize,
        value: usize,
    },
}

/// A value that goes into a column as JSON, or is discarded.
#[derive(Debug)]
pub(super) struct Aside {
    pub(super) depth: usize,
    json: Option<(usize, JsonSink<Keep>)>,
}

#[derive(Debug, Clone)]
pub(super) struct Other {
    told: u64,
    own: u64,
    pub(super) fields: Vec<Option<usize>>,
}

/// A savepoint: the state of a cursor and the columns.
#[derive(Debug, Default)]
pub(crate) struct Point {
    frames: Vec<Frame>,
    next: Option<usize>,
    rows: bool,
    aside: Option<usize>,
    lens: Vec<usize>,
}

impl Cursor {
    /// Returns a cursor before a value of this column.
    pub(crate) fn new(id: usize, rows: bool) -> Self {
        Self { frames: Vec::new(), next: Some(id), rows, aside: None, others: Vec::new() }
    }

    /// Whether it is between two rows.
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.frames.as_slice(), [] | [Frame::Rows { .. }]) && self.aside.is_none()
    }
}

impl Builders {
    /// Saves the state.
    pub(crate) fn save(&self, cursor: &mut Cursor, point: &mut Point) -> Result<()> {
        point.frames.clone_from(&cursor.frames);
        (point.next, point.rows) = (cursor.next, cursor.rows);
        point.aside = cursor.aside.as_ref().map(|aside| aside.depth);
        if let Some(Aside { json: Some((_, sink)), .. }) = &mut cursor.aside {
            sink.commit()?;
        }
        point.lens.clear();
        if cursor.is_between() {
            // The number of rows is enough.
            point.lens.push(self.nodes.len(self.root));
        } else {
            point.lens.extend(self.nodes.nodes.iter().map(super::node::Node::len));
        }
        Ok(())
    }

    /// Restores the state.
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

    /// Returns a sink to the columns, at the cursor.
    pub(crate) fn at<'t>(&'t mut self, cursor: &'t mut Cursor) -> ColumnSink<'t> {
        ColumnSink { nodes: &mut self.nodes, plans: &self.plans, cursor }
    }
}

/// Appends a value to a column.
pub(super) fn tell_value(nodes: &mut Nodes, plans: &[StructPlan], id: usize, value: &Value) -> Result<()> {
    let mut cursor = Cursor::new(id, false);
    value.encode(&mut ColumnSink { nodes, plans, cursor: &mut cursor })
}

/// A sink to the columns.
#[derive(Debug)]
pub(crate) struct ColumnSink<'t> {
    pub(super) nodes: &'t mut Nodes,
    pub(super) plans: &'t [StructPlan],
    pub(super) cursor: &'t mut Cursor,
}

#[cold]
pub(super) fn no_place(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("columns have no place for {what} here"))
}

impl ColumnSink<'_> {
    /// Takes the column for the next value.
    #[inline]
    pub(super) fn here(&mut self, what: &str) -> Result<usize> {
        self.cursor.next.take().ok_or_else(|| no_place(what))
    }

    /// Whether the current value goes aside. Begins one if the next value is for a column of JSON.
    #[inline]
    pub(super) fn is_aside(&mut self) -> bool {
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

    /// Writes a part of a value that goes aside. `steps` is the change of depth.
    #[cold]
    pub(super) fn aside(&mut self, steps: isize, tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        let Some(aside) = &mut self.cursor.aside else { return Ok(()) };
        match &mut aside.json {
            Some((_, sink)) => tell(sink)?,
            None => tell(&mut Nothing)?,
        }
        aside.depth = aside.depth.saturating_add_signed(steps);
        Ok(())
    }

    /// As [`aside`](Self::aside), for a part that may end the value.
    #[cold]
    pub(super) fn ended_aside(&mut self, steps: isize, tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
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

    /// Ends a row of a column of lists or maps.
    pub(super) fn end_of(&mut self, id: usize, child: usize) -> Result<()> {
        let end = i32::try_from(self.nodes.len(child)).map_err(|_| Full::error("the items of a column of lists"))?;
        if let Values::List { offsets, .. } | Values::Map { offsets, .. } = &mut self.nodes.nodes[id].values {
            offsets.push(end);
        }
        Ok(())
    }

    /// Ends a record: absent fields become null or their default.
    pub(super) fn end_struct(&mut self, id: usize, plan: usize, row: usize) -> Result<()> {
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

    /// Returns the index of the other record; `None` if it is the column's own.
    #[inline]
    pub(super) fn other(&mut self, record: &Record, plan: usize) -> Option<usize> {
        let (told, own) = (record.identity(), self.plans[plan].record.identity());
        if told == own {
            return None;
        }
        let found = self.cursor.others.iter().position(|other| (other.told, other.own) == (told, own));
        Some(found.unwrap_or_else(|| self.new_other(record, plan)))
    }

    /// The maximum number of other records in the cache. A caller with more of them makes each anew.
    const OTHERS: usize = 64;

    #[cold]
    fn new_other(&mut self, record: &Record, plan: usize) -> usize {
        let own = &self.plans[plan].record;
        let fields = record.fields().iter().map(|field| own.index_of(field.key())).collect();
        let made = Other { told: record.identity(), own: own.identity(), fields };
        // Records that are still open keep their index.
        let open = self.cursor.frames.iter().filter_map(|frame| match frame {
            Frame::Record { other, .. } => *other,
            _ => None,
        });
        let kept = open.max().map_or(0, |last| last + 1);
        if self.cursor.others.len() >= Self::OTHERS.max(kept) {
            self.cursor.others.truncate(kept);
        }
        self.cursor.others.push(made);
        self.cursor.others.len() - 1
    }

    #[cold]
    pub(super) fn no_field(record: &Record, index: usize) -> Error {
        no_place(&format!("the field `{}`", record.fields()[index].key()))
    }

    /// Handles a key of a record that is written as a map.
    pub(super) fn by_key(&mut self, plan: usize, key: &str) -> Result<()> {
        let plan = &self.plans[plan];
        if let Some(index) = plan.record.index_of(key) {
            self.cursor.next = Some(plan.children[index]);
            return Ok(());
        }
        if let (Unknown::Keep(_), Some(rest)) = (plan.record.unknown(), plan.rest) {
            return self.kept(plan.children[rest], key);
        }
        plan.record.unknown_key(key)?;
        self.cursor.aside = Some(Aside { depth: 0, json: None });
        Ok(())
    }

    /// Handles an unknown field that the record keeps.
    fn kept(&mut self, id: usize, key: &str) -> Result<()> {
        if let Values::Map { key: keys, value, .. } = self.nodes.nodes[id].values {
            self.cursor.next = Some(keys);
            self.text(key)?;
            self.cursor.next = Some(value);
        }
        Ok(())
    }
}
