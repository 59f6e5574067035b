//! Databases of SQLite.

pub(crate) mod bulk;

use crate::builder::BuildOptions;
use crate::decode::build;
use crate::encode::on_tape;
use crate::ffi::{self, Number, lua_State};
use crate::host::{Host, Outcome, run, text_at, wrong};
use crate::records::ItemSink;
use crate::tape::{Tape, TapeSource};
use core::cell::RefCell;
use core::ffi::c_int;
use demat_core::{Copier, Kind, Progress, Result as DematResult, Shape, Source, copy};
use demat_sqlite::{Database, OpenOptions, Param, RowSource, Statement, TableOptions, TableSink, Verb, Writer, row_of};
use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// An open database, or one that was closed.
type Open = RefCell<Option<Database>>;

/// `database(path, readonly, create)`: pushes a function whose first argument is what to do.
///
/// # Safety
/// The interpreter calls it.
pub(crate) unsafe extern "C-unwind" fn open(state: *mut lua_State) -> c_int {
    unsafe fn opened(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: a function that was called has room for 20 values.
        unsafe {
            ffi::lua_settop(state, 3);
            let path = text_at(state, 1, "the path of a database")?;
            let (readonly, create) = (ffi::lua_toboolean(state, 2) != 0, ffi::lua_toboolean(state, 3) != 0);
            let options = OpenOptions { readonly, create: create && !readonly, ..OpenOptions::default() };
            let database = Database::open_with(Path::new(path), options)?;
            ffi::lua_pushnil(state);
            crate::prepared::push(state, host, Open::new(Some(database)), act)
        }
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, opened) }
}

unsafe extern "C-unwind" fn act(state: *mut lua_State) -> c_int {
    unsafe fn acted(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: the second value of the function is what `open` has made. The arguments are checked.
        unsafe {
            let open = crate::prepared::get::<Open>(state)?;
            let action = text_at(state, 1, "an action")?;
            if action == "close" {
                // What still reads from it keeps it open.
                open.take();
                return Ok(0);
            }
            let database = open.borrow().clone().ok_or_else(|| wrong("the database is closed"))?;
            let text = text_at(state, 2, "a statement, or the name of a table")?;
            match action {
                "execute" => {
                    let changed = database.change(text, &params(state, 3)?)?;
                    ffi::push_int(state, changed.cast_signed());
                    ffi::push_int(state, database.last_rowid());
                    Ok(2)
                }
                "query" => query(state, host, &database, text),
                "create" => {
                    let shape = host.shape(text_at(state, 3, "a shape")?)?;
                    let row = row_of(&shape).ok_or_else(|| wrong("a table has the shape of a record"))?;
                    database.table(text, &row.get(), &TableOptions::default())?;
                    Ok(0)
                }
                "insert" | "upsert" | "update" | "delete" => {
                    let verb = match action {
                        "insert" => Verb::Insert,
                        "upsert" => Verb::Upsert,
                        "update" => Verb::Update,
                        _ => Verb::Delete,
                    };
                    write(state, host, &database, (text, verb))
                }
                _ => Err(wrong("there is no such action").into()),
            }
        }
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, acted) }
}

/// Returns the arguments from an index on as parameters.
unsafe fn params(state: *mut lua_State, from: c_int) -> DematResult<Vec<Param>> {
    // SAFETY: the types are checked.
    unsafe {
        let one = |index| {
            Ok(match ffi::lua_type(state, index) {
                ffi::LUA_TNIL => Param::Null,
                ffi::LUA_TLIGHTUSERDATA if ffi::lua_touserdata(state, index).is_null() => Param::Null,
                ffi::LUA_TBOOLEAN => Param::Int((ffi::lua_toboolean(state, index) != 0).into()),
                ffi::LUA_TNUMBER => match ffi::number(state, index) {
                    Number::Int(value) => Param::Int(value),
                    Number::Float(value) => Param::Real(value),
                },
                ffi::LUA_TSTRING => {
                    let bytes = ffi::bytes_at(state, index);
                    match core::str::from_utf8(bytes) {
                        Ok(text) => Param::Text(text.to_owned()),
                        Err(_) => Param::Blob(bytes.to_owned()),
                    }
                }
                _ => return Err(wrong("a parameter must be nil, a boolean, a number or a string")),
            })
        };
        (from..=ffi::lua_gettop(state)).map(one).collect()
    }
}

/// The rows of a statement that are still to come.
struct Query {
    source: RowSource<Statement>,
    copier: Copier,
    sink: ItemSink<Box<dyn FnMut(Tape) -> DematResult<()>>>,
    tapes: Rc<RefCell<VecDeque<Tape>>>,
    done: bool,
    options: BuildOptions,
}

impl Query {
    /// Returns the next rows as a list.
    fn next(&mut self) -> DematResult<Option<Tape>> {
        while self.tapes.borrow().is_empty() && !self.done {
            if self.copier.run(&mut self.source, &mut self.sink)? == Progress::Done {
                self.done = true;
                self.sink.pass_on()?;
            }
        }
        Ok(self.tapes.borrow_mut().pop_front())
    }
}

/// `query(sql, shape, …)`: pushes a function that returns the next rows as a list, and nil at the end.
unsafe fn query(state: *mut lua_State, host: &Host, database: &Database, sql: &str) -> Result<c_int, Outcome> {
    // SAFETY: the types are checked.
    unsafe {
        let shape = match ffi::lua_type(state, 3) {
            ..=ffi::LUA_TNIL => None,
            _ => Some(host.shape(text_at(state, 3, "a shape")?)?),
        };
        let mut statement = database.statement(sql)?;
        statement.bind_all(&params(state, 4)?)?;
        let typed = shape.is_some();
        let shape = match shape {
            None => Shape::Any.list(),
            Some(shape) if shape.accepts(Kind::List) => shape,
            Some(shape) => shape.list(),
        };
        let source = RowSource::new(statement, &[]);
        let mut copier = Copier::new(shape);
        copier.begin(&source);
        copier.open_list();
        let tapes = Rc::new(RefCell::new(VecDeque::new()));
        let ready = Rc::clone(&tapes);
        let pass: Box<dyn FnMut(Tape) -> DematResult<()>> = Box::new(move |tape| {
            ready.borrow_mut().push_back(tape);
            Ok(())
        });
        let options = BuildOptions { typed, marks: true, omit_nulls: true };
        let query = Query { source, copier, sink: ItemSink::new(typed, pass), tapes, done: false, options };
        ffi::lua_settop(state, 1);
        ffi::lua_pushnil(state);
        crate::prepared::push(state, host, RefCell::new(query), rows)
    }
}

unsafe extern "C-unwind" fn rows(state: *mut lua_State) -> c_int {
    unsafe fn next(state: *mut lua_State, host: &Host) -> Result<c_int, Outcome> {
        // SAFETY: the second value of the function is what `query` has made.
        let query = unsafe { crate::prepared::get::<RefCell<Query>>(state) }?;
        let mut query = query.try_borrow_mut().map_err(|_| wrong("the rows are being read"))?;
        let options = query.options;
        let next = query.next()?;
        drop(query);
        let Some(tape) = next else {
            // SAFETY: there is room.
            unsafe { ffi::lua_pushnil(state) };
            return Ok(1);
        };
        let work = host.enter();
        // SAFETY: the memory stays where it is until `leave`, and nothing else uses it.
        let built = unsafe {
            (*work).tape = tape;
            build(state, host, &mut *work, &[], options)
        };
        host.leave();
        built.map(|()| 1)
    }
    // SAFETY: the interpreter calls it.
    unsafe { run(state, next) }
}

/// `insert(table, rows)` and the like: pushes the number of rows.
unsafe fn write(
    state: *mut lua_State,
    host: &Host,
    database: &Database,
    (name, verb): (&str, Verb),
) -> Result<c_int, Outcome> {
    let work = host.enter();
    // SAFETY: the memory stays where it is until `leave`, and nothing else uses it. The third argument is the value.
    let written = unsafe {
        on_tape(state, host, &mut *work, 3).and_then(|()| Ok(write_tape(database, name, verb, &(*work).tape)?))
    };
    host.leave();
    // SAFETY: there is room.
    unsafe { ffi::push_int(state, written?.cast_signed()) };
    Ok(1)
}

fn write_tape(database: &Database, name: &str, verb: Verb, tape: &Tape) -> DematResult<u64> {
    let table = Arc::new(database.existing(name)?);
    // Only the key of a row that goes has to be there, and of one that changes only what does.
    let row = match verb {
        Verb::Insert | Verb::Upsert => Shape::record(table.record()?),
        Verb::Update | Verb::Delete => Shape::Any,
    };
    let is_list = TapeSource::new(tape).peek()? == Kind::List;
    let transaction = database.transaction()?;
    let writer = Writer::new(database.clone(), Arc::clone(&table), verb).within(transaction, None);
    let mut sink = TableSink::new(table, None, writer);
    // A single record is a list of one.
    let shape = if is_list { row.list() } else { row };
    copy(&mut TapeSource::new(tape), &shape, &mut sink)?;
    sink.into_taker().finish()
}
