//! A prepared statement.

use crate::batch::{Batch, Cell};
use crate::failure::{failed, refused};
use crate::handle::Handle;
use crate::param::Param;
use crate::rows::{Class, Rows};
use crate::statement_cache::Idle;
use core::ffi::{CStr, c_char, c_int};
use core::ptr::{self, NonNull};
use core::slice;
use demat_core::Result;
use rusqlite::ffi;
use std::sync::Arc;

/// A prepared statement, which holds its connection.
#[derive(Debug)]
pub struct Statement {
    raw: NonNull<ffi::sqlite3_stmt>,
    handle: Arc<Handle>,
    columns: Box<[String]>,
    /// Of one that is put away when nobody needs it any more.
    text: Option<Box<str>>,
}

// SAFETY: a statement is used through its connection, on which any thread may call (see `Handle`); nothing of it belongs
// to the thread that made it. It is not `Sync`: what a column gives is good until the next step, which needs `&mut`, and
// even so conversions within SQLite are kept to one thread.
unsafe impl Send for Statement {}

impl Statement {
    /// Prepares the one statement of a text.
    pub(crate) fn prepare(handle: &Arc<Handle>, sql: &str, lasting: bool) -> Result<Self> {
        let len = c_int::try_from(sql.len()).map_err(|_| failed(ffi::SQLITE_TOOBIG, None))?;
        let flags = if lasting { ffi::SQLITE_PREPARE_PERSISTENT } else { 0 };
        let (mut raw, mut tail) = (ptr::null_mut(), ptr::null());
        // SAFETY: the connection is open; the text is so long; both pointers are written by the call.
        let code = unsafe {
            ffi::sqlite3_prepare_v3(handle.as_ptr(), sql.as_ptr().cast(), len, flags as _, &raw mut raw, &raw mut tail)
        };
        handle.check(code)?;
        let Some(raw) = NonNull::new(raw) else { return Err(refused("there is no statement in the text")) };
        let mut statement = Self { raw, handle: Arc::clone(handle), columns: Box::default(), text: None };
        let read = tail.addr().saturating_sub(sql.as_ptr().addr());
        if has_more(sql.get(read..).unwrap_or_default()) {
            return Err(refused("there is more than one statement in the text"));
        }
        statement.columns = statement.names()?;
        Ok(statement)
    }

    /// Takes out the statement of a text that was put away, or prepares one that will be.
    pub(crate) fn kept(handle: &Arc<Handle>, sql: &str) -> Result<Self> {
        if let Some(Idle { text, raw, columns }) = handle.statements.take(sql) {
            return Ok(Self { raw, handle: Arc::clone(handle), columns, text: Some(text) });
        }
        let mut statement = Self::prepare(handle, sql, true)?;
        statement.text = Some(sql.into());
        Ok(statement)
    }

    fn as_ptr(&self) -> *mut ffi::sqlite3_stmt {
        self.raw.as_ptr()
    }

    fn names(&self) -> Result<Box<[String]>> {
        // SAFETY: the statement is there.
        let count = unsafe { ffi::sqlite3_column_count(self.as_ptr()) };
        let name = |column| {
            // SAFETY: there are so many columns; the text is copied before anything else is called.
            let name = unsafe { text(ffi::sqlite3_column_name(self.as_ptr(), column)) };
            name.ok_or_else(|| failed(ffi::SQLITE_NOMEM, None))
        };
        (0..count).map(name).collect()
    }

    /// The type that the table declares for a column, where the column is one of a table.
    pub fn declared(&self, column: usize) -> Option<String> {
        // SAFETY: the statement is there, and a column that is not gives null; the text is copied at once.
        unsafe { text(ffi::sqlite3_column_decltype(self.as_ptr(), index(column))) }
    }

    /// Whether it changes nothing.
    pub fn is_readonly(&self) -> bool {
        // SAFETY: the statement is there.
        unsafe { ffi::sqlite3_stmt_readonly(self.as_ptr()) != 0 }
    }

    /// How many values it needs.
    pub fn parameters(&self) -> usize {
        // SAFETY: the statement is there.
        usize::try_from(unsafe { ffi::sqlite3_bind_parameter_count(self.as_ptr()) }).unwrap_or(0)
    }

    /// The name of a parameter, from 0, with its sign (`:id`); nothing for a `?`.
    pub fn parameter_name(&self, parameter: usize) -> Option<String> {
        // SAFETY: the statement is there, and a parameter that is not gives null; the text is copied at once.
        unsafe { text(ffi::sqlite3_bind_parameter_name(self.as_ptr(), index(parameter) + 1)) }
    }

    /// Gives it its values.
    ///
    /// # Errors
    /// Where there are more or fewer than it has parameters, or one is too large, or NaN.
    pub fn bind_all(&mut self, values: &[Param]) -> Result<()> {
        let needed = self.parameters();
        if values.len() != needed {
            let message = format!("the statement has {needed} parameters, and {} values were given", values.len());
            return Err(refused(message));
        }
        values.iter().enumerate().try_for_each(|(parameter, value)| self.bind(parameter, value))
    }

    fn bind(&mut self, parameter: usize, value: &Param) -> Result<()> {
        let (raw, at) = (self.as_ptr(), index(parameter) + 1);
        // SAFETY: the statement is there; texts and bytes are so long, and copied by the call.
        let code = unsafe {
            match value {
                Param::Null => ffi::sqlite3_bind_null(raw, at),
                Param::Int(value) => ffi::sqlite3_bind_int64(raw, at, *value),
                Param::Real(value) if value.is_nan() => return Err(nan()),
                Param::Real(value) => ffi::sqlite3_bind_double(raw, at, *value),
                Param::Text(value) => ffi::sqlite3_bind_text64(
                    raw,
                    at,
                    value.as_ptr().cast(),
                    value.len() as u64,
                    ffi::SQLITE_TRANSIENT(),
                    UTF8,
                ),
                Param::Blob(value) => {
                    ffi::sqlite3_bind_blob64(raw, at, whole(value).cast(), value.len() as u64, ffi::SQLITE_TRANSIENT())
                }
            }
        };
        self.handle.check(code)
    }

    /// Runs it to its end, from its start.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn run(&mut self) -> Result<()> {
        let ran = loop {
            match self.step() {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        self.reset();
        ran
    }

    /// Goes back to its start.
    pub fn reset(&mut self) {
        // SAFETY: the statement is there. What it says is what the last step has said.
        unsafe { ffi::sqlite3_reset(self.as_ptr()) };
    }

    /// Runs it for each row of a batch whose cells are given to its parameters in order; stops at the first that is
    /// refused, and gives its index. `wanted` says which cells of a row are told.
    ///
    /// Texts and bytes are not copied: SQLite reads them where they are in the batch, which outlives the steps.
    pub(crate) fn run_row(&mut self, batch: &Batch, cells: &[Cell]) -> Result<()> {
        let bound = self.bind_row(batch, cells);
        let ran = bound.and_then(|()| {
            // SAFETY: the statement is there, and what is bound lives until the bindings are cleared or replaced.
            match unsafe { ffi::sqlite3_step(self.as_ptr()) } {
                ffi::SQLITE_DONE | ffi::SQLITE_ROW => Ok(()),
                code => Err(self.handle.error(code)),
            }
        });
        self.reset();
        ran
    }

    fn bind_row(&mut self, batch: &Batch, cells: &[Cell]) -> Result<()> {
        let raw = self.as_ptr();
        let mut at = 0;
        for cell in cells {
            if matches!(cell, Cell::Missing) {
                continue;
            }
            at += 1;
            // SAFETY: the statement is there. Texts and bytes are so long, and stay where they are as long as the batch is
            // borrowed, which is until after the step; before the batch can change, `forget` clears the bindings.
            let code = unsafe {
                match *cell {
                    Cell::Missing | Cell::Null => ffi::sqlite3_bind_null(raw, at),
                    Cell::Int(value) => ffi::sqlite3_bind_int64(raw, at, value),
                    Cell::Real(value) => ffi::sqlite3_bind_double(raw, at, value),
                    Cell::Text { start, len } => {
                        let text = batch.bytes(start, len);
                        let (text, len) = (whole(text).cast(), text.len() as u64);
                        ffi::sqlite3_bind_text64(raw, at, text, len, ffi::SQLITE_STATIC(), UTF8)
                    }
                    Cell::Blob { start, len } => {
                        let blob = batch.bytes(start, len);
                        ffi::sqlite3_bind_blob64(raw, at, whole(blob).cast(), blob.len() as u64, ffi::SQLITE_STATIC())
                    }
                }
            };
            if code != ffi::SQLITE_OK {
                return Err(self.handle.error(code));
            }
        }
        Ok(())
    }

    /// Clears what is bound, so that nothing is referred to that belongs to others.
    pub(crate) fn forget(&mut self) {
        // SAFETY: the statement is there.
        unsafe { ffi::sqlite3_clear_bindings(self.as_ptr()) };
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        let mut last = Some(self.raw);
        if let Some(text) = self.text.take() {
            // One that stands amid its rows would hold a transaction open, and values refer to the memory of others.
            self.reset();
            self.forget();
            let own = Idle { text, raw: self.raw, columns: core::mem::take(&mut self.columns) };
            last = self.handle.statements.put(own).map(|oldest| oldest.raw);
        }
        if let Some(raw) = last {
            // SAFETY: it is there, and this is the last that is done with it.
            unsafe { ffi::sqlite3_finalize(raw.as_ptr()) };
        }
    }
}

impl Rows for Statement {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        // SAFETY: the statement is there.
        match unsafe { ffi::sqlite3_step(self.as_ptr()) } {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            code => Err(self.handle.error(code)),
        }
    }

    #[inline]
    fn class(&self, column: usize) -> Class {
        // SAFETY: the statement is there; where there is no such column it is NULL.
        match unsafe { ffi::sqlite3_column_type(self.as_ptr(), index(column)) } {
            ffi::SQLITE_INTEGER => Class::Int,
            ffi::SQLITE_FLOAT => Class::Real,
            ffi::SQLITE_TEXT => Class::Text,
            ffi::SQLITE_BLOB => Class::Blob,
            _ => Class::Null,
        }
    }

    #[inline]
    fn int(&self, column: usize) -> i64 {
        // SAFETY: the statement is there.
        unsafe { ffi::sqlite3_column_int64(self.as_ptr(), index(column)) }
    }

    #[inline]
    fn real(&self, column: usize) -> f64 {
        // SAFETY: the statement is there.
        unsafe { ffi::sqlite3_column_double(self.as_ptr(), index(column)) }
    }

    #[inline]
    fn bytes(&self, column: usize) -> &[u8] {
        let (raw, at) = (self.as_ptr(), index(column));
        // SAFETY: the statement is there. The pointer is asked for before the length, as is said to be safe; it is good until
        // the next step or conversion. A step needs `&mut self`; a value is only ever asked for as what it is, text as
        // text and bytes as bytes, so that after the first time nothing is converted (a database in UTF-16 is, once).
        unsafe {
            let bytes = if ffi::sqlite3_column_type(raw, at) == ffi::SQLITE_TEXT {
                ffi::sqlite3_column_text(raw, at)
            } else {
                ffi::sqlite3_column_blob(raw, at).cast()
            };
            let len = usize::try_from(ffi::sqlite3_column_bytes(raw, at)).unwrap_or(0);
            if bytes.is_null() { &[] } else { slice::from_raw_parts(bytes, len) }
        }
    }
}

const UTF8: u8 = ffi::SQLITE_UTF8 as u8;

/// The error for a float that is none.
#[cold]
pub(crate) fn nan() -> demat_core::Error {
    demat_core::Error::new(demat_core::ErrorKind::Encode, "NaN has no place in SQLite, which would keep NULL instead")
}

fn index(column: usize) -> c_int {
    c_int::try_from(column).unwrap_or(c_int::MAX - 1)
}

/// Where bytes are, also where there are none: null would mean NULL.
fn whole(bytes: &[u8]) -> *const u8 {
    bytes.as_ptr()
}

/// A text of SQLite's, copied.
///
/// # Safety
/// It is null, or ends with a zero byte.
unsafe fn text(text: *const c_char) -> Option<String> {
    // SAFETY: as the caller says.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Whether more than blanks, comments and semicolons follow.
fn has_more(mut rest: &str) -> bool {
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ';');
        if let Some(comment) = rest.strip_prefix("--") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else {
            return !rest.is_empty();
        }
    }
}
