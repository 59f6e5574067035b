//! The walk through the interpreter's memory.

use super::{Form, Keys, Mark, Out, WalkOptions, cycle, is_open, no_key, too_deep};
use crate::layout::{Node, Raw, Slot, Table};
use crate::tape::same_text;
use demat_core::{Error, Result as DematResult};
use demat_formats::text::write_f64;
use std::collections::HashSet;

/// What the walk must recognise, all of which the registry of the interpreter keeps alive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    /// The metatable of marked arrays.
    pub(crate) array: *const Table,
    /// The metatable of marked objects.
    pub(crate) object: *const Table,
    /// What `demat.null` is.
    pub(crate) null: u64,
    /// The bytes of the strings `__demat`, `__pairs` and `__jsontype`. There is only one string of each.
    pub(crate) demat: *const u8,
    pub(crate) pairs: *const u8,
    pub(crate) json_type: *const u8,
}

/// Why a walk stops.
#[derive(Debug)]
pub(crate) enum Stop {
    /// There is something that only the API can do: a metamethod, a handler.
    ByApi,
    /// An error.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

type Result<T> = core::result::Result<T, Stop>;

/// An open table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    table: *const Table,
    kind: Kind,
    /// The children that were begun.
    at: usize,
    len: usize,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Items of the array part.
    List,
    /// Items whose slots stand in the walk's own list, from this index on; null for a hole.
    Found(usize),
    /// Entries: that of the key 0, those of the array part, and those of the hash part. Whether there were keys that
    /// are text, and others.
    Map { texts: bool, others: bool },
}

/// The memory of walks, which is kept.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    frames: Vec<Frame>,
    slots: Vec<*const Slot>,
}

/// A walk.
pub(crate) struct Walk<'w> {
    known: Known,
    options: &'w WalkOptions,
    memory: &'w mut Memory,
}

impl<'w> Walk<'w> {
    /// Returns a walk.
    pub(crate) fn new(known: Known, options: &'w WalkOptions, memory: &'w mut Memory) -> Self {
        memory.frames.clear();
        memory.slots.clear();
        Self { known, options, memory }
    }

    /// Writes a table.
    ///
    /// # Safety
    /// The layout is proved. The table is alive, and the interpreter does not run before this returns; `out` does not
    /// call it.
    pub(crate) unsafe fn run<O: Out>(mut self, table: *const Table, out: &mut O) -> Result<()> {
        // SAFETY: as above.
        match unsafe { self.walk(table, out) } {
            Err(Stop::Error(error)) => Err(Stop::Error(self.traced(error))),
            other => other,
        }
    }

    #[inline(always)]
    unsafe fn walk<O: Out>(&mut self, table: *const Table, out: &mut O) -> Result<()> {
        // SAFETY: the caller's promise holds for all tables that are reached from this one.
        unsafe {
            self.open(table, out)?;
            while let Some(&Frame { table, kind, at, len }) = self.memory.frames.last() {
                let next = match kind {
                    Kind::List => self.items((*table).array(), at, len, out)?,
                    Kind::Found(start) => self.found(start, at, len, out)?,
                    Kind::Map { .. } => self.entries(&*table, at, out)?,
                };
                if let Some(next) = next {
                    self.open(next, out)?;
                    continue;
                }
                self.memory.frames.pop();
                match kind {
                    Kind::List => out.end_list()?,
                    Kind::Found(start) => {
                        self.memory.slots.truncate(start);
                        out.end_list()?;
                    }
                    Kind::Map { .. } => out.end_map()?,
                }
            }
            Ok(())
        }
    }

    /// Writes items up to a table, which it returns.
    #[inline(always)]
    unsafe fn items<O: Out>(
        &mut self,
        array: &[Slot],
        from: usize,
        len: usize,
        out: &mut O,
    ) -> Result<Option<*const Table>> {
        let mut at = from;
        for slot in array.get(from..len).unwrap_or_default() {
            at += 1;
            // SAFETY: the slot is one of a table that is alive.
            let written = out.item(at).map_err(Stop::Error).and_then(|()| unsafe { self.value(slot.get(), out) });
            match written {
                Ok(None) => {}
                other => {
                    self.begun(at);
                    return other;
                }
            }
        }
        Ok(None)
    }

    /// The same for items that are not all in the array part.
    unsafe fn found<O: Out>(
        &mut self,
        start: usize,
        from: usize,
        len: usize,
        out: &mut O,
    ) -> Result<Option<*const Table>> {
        for at in from..len {
            self.begun(at + 1);
            out.item(at + 1)?;
            let slot = self.memory.slots[start + at];
            // SAFETY: the slot is null or one of a table that is alive.
            let raw = unsafe { slot.as_ref().map_or(Raw::Light(self.known.null), |slot| slot.get()) };
            // SAFETY: as above.
            if let Some(table) = unsafe { self.value(raw, out) }? {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// Writes entries up to one with a table, which it returns.
    #[inline(always)]
    unsafe fn entries<O: Out>(&mut self, table: &Table, from: usize, out: &mut O) -> Result<Option<*const Table>> {
        // SAFETY: the table is alive.
        let (array, nodes) = unsafe { (table.array(), table.nodes()) };
        let mut at = from;
        while at <= array.len() {
            let slot = if at == 0 { table.zero() } else { array.get(at - 1) };
            at += 1;
            let Some(slot) = slot.filter(|slot| !slot.is_nil()) else { continue };
            self.begun(at);
            self.other_keys();
            out.other_key(|out| out.int(at as i64 - 1))?;
            // SAFETY: the slot is one of a table that is alive.
            if let Some(table) = unsafe { self.value(slot.get(), out) }? {
                return Ok(Some(table));
            }
        }
        let first = array.len() + 1;
        for node in nodes.get(at - first..).unwrap_or_default() {
            at += 1;
            if node.slot().is_nil() {
                continue;
            }
            // SAFETY: the node is one of a table that is alive, and has a value.
            if let Some(table) = unsafe { self.entry(node, at, out) }? {
                return Ok(Some(table));
            }
        }
        if let Some(Frame { kind: Kind::Map { texts: true, others: true }, .. }) = self.memory.frames.last()
            && self.options.text_keys
        {
            self.begun(0);
            // SAFETY: as above.
            unsafe { clash(table) }?;
        }
        Ok(None)
    }

    #[inline(always)]
    unsafe fn entry<O: Out>(&mut self, node: &Node, at: usize, out: &mut O) -> Result<Option<*const Table>> {
        // SAFETY: as the caller says.
        unsafe {
            let written = match node.key() {
                Raw::Text(data, len) => {
                    if let Some(Frame { kind: Kind::Map { texts, .. }, .. }) = self.memory.frames.last_mut() {
                        *texts = true;
                    }
                    out.key(Raw::bytes(data, len)).map_err(Stop::Error)
                }
                key => self.other_key(key, out),
            };
            if let Err(error) = written {
                // A key is no step of the path.
                self.begun(0);
                return Err(error);
            }
            let written = self.value(node.slot().get(), out);
            if !matches!(written, Ok(None)) {
                self.begun(at);
            }
            written
        }
    }

    fn other_keys(&mut self) {
        if let Some(Frame { kind: Kind::Map { others, .. }, .. }) = self.memory.frames.last_mut() {
            *others = true;
        }
    }

    #[inline(never)]
    fn other_key<O: Out>(&mut self, key: Raw, out: &mut O) -> Result<()> {
        self.other_keys();
        match key {
            Raw::Int(key) => out.other_key(|out| out.int(key))?,
            Raw::Float(key) => out.other_key(|out| out.float(key))?,
            Raw::Bool(key) => out.other_key(|out| out.bool(key))?,
            Raw::Table(_) => return Err(no_key("table").into()),
            Raw::Light(_) => return Err(no_key("userdata").into()),
            Raw::Other(kind) => return Err(no_key(kind).into()),
            Raw::Text(..) | Raw::Nil => {}
        }
        Ok(())
    }

    /// Writes a value, or returns it if it is a table.
    #[inline(always)]
    unsafe fn value<O: Out>(&mut self, raw: Raw, out: &mut O) -> Result<Option<*const Table>> {
        match raw {
            // SAFETY: the string is alive.
            Raw::Text(data, len) => out.text(unsafe { Raw::bytes(data, len) })?,
            Raw::Int(value) => out.int(value)?,
            Raw::Table(table) => return Ok(Some(table)),
            Raw::Float(value) if self.options.nulls_for_nonfinite && !value.is_finite() => out.null()?,
            Raw::Float(value) => out.float(value)?,
            Raw::Bool(value) => out.bool(value)?,
            Raw::Light(bits) if bits == self.known.null => out.null()?,
            Raw::Nil => out.null()?,
            // A handler or a metatable may know it.
            Raw::Light(_) | Raw::Other(_) => return Err(Stop::ByApi),
        }
        Ok(None)
    }

    /// Begins a table.
    unsafe fn open<O: Out>(&mut self, table: *const Table, out: &mut O) -> Result<()> {
        let depth = self.memory.frames.len();
        if is_open(self.memory.frames.iter().map(|frame| frame.table), table) {
            return Err(cycle().into());
        }
        if depth >= self.options.depth {
            return Err(too_deep(self.options.depth).into());
        }
        // SAFETY: the table is alive, and so is its metatable.
        let (mark, (keys, front)) = unsafe { (self.mark(&*table)?, keys(&*table)) };
        let (kind, len) = match self.options.form(keys, mark)? {
            Form::List(len) => {
                out.begin_list(len)?;
                // SAFETY: as above.
                if front == len { (Kind::List, len) } else { (unsafe { self.find(&*table, len) }, len) }
            }
            Form::Filled(len) => {
                out.begin_list(len)?;
                // SAFETY: as above.
                (unsafe { self.find(&*table, len) }, len)
            }
            Form::Map => {
                // SAFETY: as above.
                out.begin_map(if O::COUNTS { Some(unsafe { count(&*table) }) } else { None })?;
                (Kind::Map { texts: false, others: false }, 0)
            }
        };
        self.memory.frames.push(Frame { table, kind, at: 0, len });
        Ok(())
    }

    /// Returns what the metatable says.
    #[inline(always)]
    unsafe fn mark(&self, table: &Table) -> Result<Mark> {
        let metatable = table.metatable();
        if metatable.is_null() {
            return Ok(Mark::None);
        }
        if metatable == self.known.array {
            return Ok(Mark::Array);
        }
        if metatable == self.known.object {
            return Ok(Mark::Object);
        }
        // SAFETY: the metatable is alive.
        unsafe { self.mark_of(&*metatable) }
    }

    unsafe fn mark_of(&self, metatable: &Table) -> Result<Mark> {
        let mut mark = Mark::None;
        // SAFETY: the metatable is alive, and nodes with a value have a key.
        unsafe {
            for node in metatable.nodes().iter().filter(|node| !node.slot().is_nil()) {
                let Raw::Text(key, _) = node.key() else { continue };
                if key == self.known.demat || key == self.known.pairs {
                    return Err(Stop::ByApi);
                }
                if key == self.known.json_type
                    && let Raw::Text(data, len) = node.slot().get()
                {
                    mark = Mark::of(Raw::bytes(data, len));
                }
            }
        }
        Ok(mark)
    }

    /// Lists the slots of the items, of which some are in the hash part.
    unsafe fn find(&mut self, table: &Table, len: usize) -> Kind {
        let slots = &mut self.memory.slots;
        let start = slots.len();
        slots.resize(start + len, core::ptr::null());
        // SAFETY: the table is alive, and nodes with a value have a key.
        unsafe {
            for (slot, place) in table.array().iter().zip(&mut slots[start..]) {
                if !slot.is_nil() {
                    *place = slot;
                }
            }
            for node in table.nodes().iter().filter(|node| !node.slot().is_nil()) {
                if let Raw::Int(key) = node.key()
                    && let Some(place) = usize::try_from(key - 1).ok().and_then(|at| slots.get_mut(start + at))
                {
                    *place = node.slot();
                }
            }
        }
        Kind::Found(start)
    }

    /// Notes how many children of the innermost table were begun.
    #[inline(always)]
    fn begun(&mut self, at: usize) {
        if let Some(frame) = self.memory.frames.last_mut() {
            frame.at = at;
        }
    }

    /// Adds the path to an error.
    #[cold]
    fn traced(&self, error: Error) -> Error {
        self.memory.frames.iter().rev().fold(error, |error, frame| match (frame.kind, frame.at) {
            (_, 0) => error,
            (Kind::List | Kind::Found(_), at) => error.within_item(at - 1),
            // SAFETY: the walk has just read this entry, and the interpreter has not run since.
            (Kind::Map { .. }, at) => match unsafe { key_at(&*frame.table, at - 1) } {
                Some(name) => error.within_field(name),
                None => error,
            },
        })
    }
}

/// Returns the text of the key of an entry: of the key 0, of those of the array part, and of those of the hash part.
unsafe fn key_at(table: &Table, at: usize) -> Option<String> {
    // SAFETY: the caller says that the table is alive.
    let (array, nodes) = unsafe { (table.array(), table.nodes()) };
    if at <= array.len() {
        return Some(at.to_string());
    }
    let node = nodes.get(at - array.len() - 1)?;
    // SAFETY: the walk has seen a value there.
    unsafe { key_text(node.key()) }
}

/// Returns a key as text.
unsafe fn key_text(key: Raw) -> Option<String> {
    match key {
        // SAFETY: the key's table is alive.
        Raw::Text(data, len) => Some(String::from_utf8_lossy(unsafe { Raw::bytes(data, len) }).into_owned()),
        Raw::Int(key) => Some(key.to_string()),
        Raw::Float(key) => Some(float_text(key)),
        Raw::Bool(key) => Some(key.to_string()),
        _ => None,
    }
}

/// Returns a float as formats write it.
pub(crate) fn float_text(key: f64) -> String {
    let mut text = Vec::new();
    write_f64(&mut text, key);
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns what the keys of a table are, and how many values the array part begins with.
#[inline(always)]
unsafe fn keys(table: &Table) -> (Keys, usize) {
    // SAFETY: the caller says that the table is alive.
    let (array, nodes) = unsafe { (table.array(), table.nodes()) };
    let front = array.iter().position(Slot::is_nil).unwrap_or(array.len());
    if nodes.len() == 1 && nodes[0].slot().is_nil() && front == array.len() && table.zero().is_none_or(Slot::is_nil) {
        return (if front == 0 { Keys::None } else { Keys::Sequence(front) }, front);
    }
    // SAFETY: as above.
    (unsafe { other_keys(table, array, nodes, front) }, front)
}

#[inline(never)]
unsafe fn other_keys(table: &Table, array: &[Slot], nodes: &[Node], front: usize) -> Keys {
    if table.zero().is_some_and(|slot| !slot.is_nil()) {
        return Keys::Any;
    }
    let (mut count, mut last) = (front, front as i64);
    for node in nodes.iter().filter(|node| !node.slot().is_nil()) {
        // SAFETY: the node is one of a table that is alive, and has a value.
        match unsafe { node.key() } {
            Raw::Int(key) if key >= 1 => {
                count += 1;
                last = last.max(key);
            }
            _ => return Keys::Any,
        }
    }
    for (at, _) in array.iter().enumerate().skip(front).filter(|(_, slot)| !slot.is_nil()) {
        count += 1;
        last = last.max(at as i64 + 1);
    }
    match count {
        0 => Keys::None,
        _ if count as i64 == last => Keys::Sequence(count),
        _ => Keys::Holes { count, last },
    }
}

/// Returns the number of a table's entries.
unsafe fn count(table: &Table) -> usize {
    // SAFETY: the caller says that the table is alive.
    let (array, nodes) = unsafe { (table.array(), table.nodes()) };
    array.iter().chain(table.zero()).filter(|slot| !slot.is_nil()).count()
        + nodes.iter().filter(|node| !node.slot().is_nil()).count()
}

/// Fails if a key that is text equals the text of another key.
#[cold]
unsafe fn clash(table: &Table) -> DematResult<()> {
    // SAFETY: the caller says that the table is alive.
    let (array, nodes) = unsafe { (table.array(), table.nodes()) };
    let zero = table.zero().filter(|slot| !slot.is_nil()).map(|_| "0".to_owned());
    let indices = array.iter().enumerate().filter(|(_, slot)| !slot.is_nil()).map(|(at, _)| (at + 1).to_string());
    let mut others: HashSet<String> = zero.into_iter().chain(indices).collect();
    let live = || nodes.iter().filter(|node| !node.slot().is_nil());
    // SAFETY: nodes with a value have a key.
    unsafe {
        others
            .extend(live().filter(|node| !matches!(node.key(), Raw::Text(..))).filter_map(|node| key_text(node.key())));
        for node in live() {
            if let Raw::Text(..) = node.key()
                && let Some(key) = key_text(node.key())
                && others.contains(&key)
            {
                return Err(same_text(&key));
            }
        }
    }
    Ok(())
}
