//! New databases, built page by page from rows of Lua.

use crate::encode::on_tape;
use crate::ffi::{self, lua_State};
use crate::host::{Host, Outcome, Work, protected, run, text_at, wrong};
use crate::tape::TapeSource;
use crate::walk::beneath::{Stop, Walk};
use crate::walk::{Out, WalkOptions};
use core::ffi::{c_int, c_void};
use demat_core::{Error, ErrorKind, RecordRef, Result as DematResult, Shape, Sink, copy_any};
use demat_sqlite::build::{Builder, Options, Rows};
use demat_sqlite::{Cell, Table, TableOptions, row_of};
use std::path::Path;

/// `build(path, table, shape, rows, durable, replace)`: builds a database with one table, and pushes the number of its
/// rows. `rows` is a list of rows, or a function that returns the next list of them, and nil at the end.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn build(state: *mut lua_State) -> c_int {
    unsafe fn built(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: a function that was called has room for 20 values. The arguments are checked.
        unsafe {
            ffi::lua_settop(state, 6);
            let path = text_at(state, 1, "a path")?;
            let name = text_at(state, 2, "`table`")?;
            let shape = host.shape(text_at(state, 3, "`shape`")?)?;
            let row = row_of(&shape).ok_or_else(|| wrong("a table has the shape of a record"))?;
            let table = Table::of(name, &row.get(), &TableOptions::default())?;
            let sql = table.create().iter().fold(String::new(), |sql, statement| sql + statement + ";\n");
            let options = Options {
                durable: ffi::lua_toboolean(state, 5) != 0,
                replace: ffi::lua_toboolean(state, 6) != 0,
                ..Options::default()
            };
            let mut builder = Builder::create(Path::new(path), &sql, &options)?;
            let mut rows = builder.rows(&table.name)?;
            let work = host.enter();
            // The memory stays where it is until `leave`, and nothing else uses it.
            let told = tell_all(state, host, &mut *work, &mut rows, &row);
            host.leave();
            told?;
            let count = rows.count();
            rows.finish()?;
            builder.finish()?;
            ffi::push_int(state, count.cast_signed());
        }
        Ok(1)
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, built) }
}

/// Adds the rows of the fourth argument.
unsafe fn tell_all(
    state: *mut lua_State,
    host: &Host,
    work: &mut Work,
    rows: &mut Rows<'_>,
    row: &RecordRef,
) -> Result<(), Outcome> {
    // Calls the function on the top.
    unsafe fn called(state: *mut lua_State, _: *mut c_void) -> c_int {
        // SAFETY: the argument is the function.
        unsafe { ffi::call(state, 0, 1) };
        1
    }
    // SAFETY: there is an argument, and room.
    unsafe {
        if ffi::lua_type(state, 4) != ffi::LUA_TFUNCTION {
            return tell(state, host, work, rows, row, 4);
        }
        loop {
            ffi::lua_settop(state, 6);
            ffi::lua_pushvalue(state, 4);
            protected(state, host.refs, called, &mut (), 1, 1)?;
            if ffi::lua_type(state, 7) == ffi::LUA_TNIL {
                return Ok(());
            }
            tell(state, host, work, rows, row, 7)?;
        }
    }
}

/// Adds the list of rows at an index.
unsafe fn tell(
    state: *mut lua_State,
    host: &Host,
    work: &mut Work,
    rows: &mut Rows<'_>,
    row: &RecordRef,
    index: c_int,
) -> Result<(), Outcome> {
    // SAFETY: the type is checked; the table is on the stack, the layout is proved, and nothing calls the interpreter.
    unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TTABLE {
            return Err(wrong("rows must be a list of tables").into());
        }
        if let (Some(known), true) = (host.known(), is_plain(row)) {
            let options = WalkOptions { empty_lists: true, text_keys: false, ..WalkOptions::default() };
            let table = ffi::lua_topointer(state, index).cast();
            let mut out = RowsOut::new(rows, row);
            match Walk::new(known, &options, &mut work.memory).run(table, &mut out) {
                Ok(()) => return Ok(()),
                Err(Stop::Error(error)) => return Err(error.into()),
                // Rows with metatables, of which some may have been added: that must be decided before.
                Err(Stop::ByApi) if out.added == 0 => {}
                Err(Stop::ByApi) => return Err(wrong("rows for a new database must be plain tables").into()),
            }
        }
        on_tape(state, host, work, index)?;
    }
    let shape = Shape::Record(row.clone()).list();
    Ok(copy_any(&mut TapeSource::new(&work.tape), &shape, rows as &mut dyn Sink)?)
}

/// Returns whether all columns are of kinds that SQLite and Lua both have.
fn is_plain(row: &RecordRef) -> bool {
    row.get()
        .fields()
        .iter()
        .all(|field| matches!(field.shape().inner(), Shape::Int(_) | Shape::Float(_) | Shape::Text))
}

/// The rows of a table, written without a tape: maps by the names of the columns, or lists in their order.
struct RowsOut<'r, 't> {
    rows: &'r mut Rows<'t>,
    /// The names and the kinds of the columns.
    columns: Vec<(Box<[u8]>, Kind)>,
    /// The addresses of keys, in the order of the last row, and their columns. Nothing frees them during a walk.
    seen: Vec<(*const u8, usize)>,
    next: usize,
    depth: u32,
    column: usize,
    added: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Float,
    Text,
}

impl<'r, 't> RowsOut<'r, 't> {
    fn new(rows: &'r mut Rows<'t>, row: &RecordRef) -> Self {
        let row = row.get();
        let column = |field: &demat_core::Field| {
            let kind = match field.shape().inner() {
                Shape::Int(_) => Kind::Int,
                Shape::Float(_) => Kind::Float,
                _ => Kind::Text,
            };
            (field.key().as_bytes().into(), kind)
        };
        Self {
            rows,
            columns: row.fields().iter().map(column).collect(),
            seen: Vec::new(),
            next: 0,
            depth: 0,
            column: 0,
            added: 0,
        }
    }

    #[inline(always)]
    fn put(&mut self, cell: Cell<'_>) -> DematResult<()> {
        if self.depth != 2 {
            return Err(no_row());
        }
        self.rows.put(self.column, cell)
    }

    #[cold]
    fn refused(&self, found: &'static str) -> Error {
        let expected = match self.columns.get(self.column).map(|column| column.1) {
            Some(Kind::Int) => "int",
            Some(Kind::Float) => "float",
            _ => "text",
        };
        Error::expected(expected, found)
    }

    #[inline(always)]
    fn kind(&self) -> Option<Kind> {
        self.columns.get(self.column).map(|column| column.1)
    }
}

#[cold]
fn no_row() -> Error {
    Error::new(ErrorKind::Type, "rows are a list of tables, whose values are scalars")
}

impl Out for RowsOut<'_, '_> {
    const COUNTS: bool = false;

    fn null(&mut self) -> DematResult<()> {
        self.put(Cell::Null)
    }
    fn bool(&mut self, _: bool) -> DematResult<()> {
        Err(self.refused("bool"))
    }
    #[inline(always)]
    #[allow(clippy::cast_precision_loss)] // as a float is asked for
    fn int(&mut self, value: i64) -> DematResult<()> {
        match self.kind() {
            Some(Kind::Int) => self.put(Cell::Int(value)),
            Some(Kind::Float) => self.put(Cell::Real(value as f64)),
            _ => Err(self.refused("int")),
        }
    }
    #[inline(always)]
    fn float(&mut self, value: f64) -> DematResult<()> {
        match self.kind() {
            Some(Kind::Float) => self.put(Cell::Real(value)),
            Some(Kind::Int) => match crate::tape::whole(value) {
                Some(value) => self.put(Cell::Int(value)),
                None => Err(self.refused("float")),
            },
            _ => Err(self.refused("float")),
        }
    }
    #[inline(always)]
    fn text(&mut self, value: &[u8]) -> DematResult<()> {
        if self.kind() != Some(Kind::Text) {
            return Err(self.refused("text"));
        }
        let text = crate::walk::direct::utf8(value)?;
        self.put(Cell::Text(text))
    }
    fn begin_list(&mut self, len: usize) -> DematResult<()> {
        self.depth += 1;
        match self.depth {
            1 => Ok(()),
            2 if len == self.columns.len() || len == 0 => self.rows.open(),
            2 => Err(Error::new(ErrorKind::Type, format!("a row of {} columns, not of {len}", self.columns.len()))),
            _ => Err(no_row()),
        }
    }
    #[inline(always)]
    fn item(&mut self, index: usize) -> DematResult<()> {
        self.column = index - 1;
        Ok(())
    }
    fn end_list(&mut self) -> DematResult<()> {
        self.depth -= 1;
        if self.depth == 1 {
            self.added += 1;
            self.rows.close()?;
        }
        Ok(())
    }
    #[inline(always)]
    fn begin_map(&mut self, _: Option<usize>) -> DematResult<()> {
        self.depth += 1;
        self.next = 0;
        if self.depth == 2 { self.rows.open() } else { Err(no_row()) }
    }
    #[inline(always)]
    fn key(&mut self, key: &[u8]) -> DematResult<()> {
        if let Some((seen, column)) = self.seen.get(self.next)
            && *seen == key.as_ptr()
        {
            self.column = *column;
            self.next += 1;
            return Ok(());
        }
        let found = self.columns.iter().position(|(name, _)| **name == *key);
        self.column = found.ok_or_else(|| {
            Error::new(ErrorKind::Constraint, format!("the table has no column `{}`", String::from_utf8_lossy(key)))
        })?;
        self.seen.truncate(self.next);
        self.seen.push((key.as_ptr(), self.column));
        self.next += 1;
        Ok(())
    }
    fn other_key(&mut self, _: impl FnOnce(&mut Self) -> DematResult<()>) -> DematResult<()> {
        Err(no_row())
    }
    #[inline(always)]
    fn end_map(&mut self) -> DematResult<()> {
        self.depth -= 1;
        self.added += 1;
        self.rows.close()
    }
}
