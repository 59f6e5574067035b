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
    /// The text of a statement that returns to the cache when it is dropped.
    text: Option<Box<str>>,
}

// SAFETY: a statement is used through its connection, which any thread may use (see `Handle`); it has no data of the
// thread that created it. It is not `Sync`: the values of columns are valid until the next step, which needs `&mut`,
// and conversions within SQLite are limited to one thread.
unsafe impl Send for Statement {}

impl Statement {
    /// Prepares the only statement of a text.
    pub(crate) fn prepare(handle: &Arc<Handle>, sql: &str, lasting: bool) -> Result<Self> {
        let len = c_int::try_from(sql.len()).map_err(|_| failed(ffi::SQLITE_TOOBIG, None))?;
        let flags = if lasting { ffi::SQLITE_PREPARE_PERSISTENT } else { 0 };
        let (mut raw, mut tail) = (ptr::null_mut(), ptr::null());
        // SAFETY: the connection is open; `len` is the text's length; the call writes both pointers.
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

    /// Takes the statement of a text from the cache, or prepares one that will be cached.
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
        // SAFETY: a live statement.
        let count = unsafe { ffi::sqlite3_column_count(self.as_ptr()) };
        let name = |column| {
            // SAFETY: the column exists; the text is copied before any other call.
            let name = unsafe { text(ffi::sqlite3_column_name(self.as_ptr(), column)) };
            name.ok_or_else(|| failed(ffi::SQLITE_NOMEM, None))
        };
        (0..count).map(name).collect()
    }

    /// Returns the declared type of a column, if it is a column of a table.
    pub fn declared(&self, column: usize) -> Option<String> {
        // SAFETY: a live statement; a column that does not exist results in null; the text is copied at once.
        unsafe { text(ffi::sqlite3_column_decltype(self.as_ptr(), index(column))) }
    }

    /// Returns whether the statement changes nothing.
    pub fn is_readonly(&self) -> bool {
        // SAFETY: a live statement.
        unsafe { ffi::sqlite3_stmt_readonly(self.as_ptr()) != 0 }
    }

    /// Returns the number of parameters.
    pub fn parameters(&self) -> usize {
        // SAFETY: a live statement.
        usize::try_from(unsafe { ffi::sqlite3_bind_parameter_count(self.as_ptr()) }).unwrap_or(0)
    }

    /// Returns the name of a parameter, from 0, with its prefix (`:id`); `None` for a `?`.
    pub fn parameter_name(&self, parameter: usize) -> Option<String> {
        // SAFETY: a live statement; a parameter that does not exist results in null; the text is copied at once.
        unsafe { text(ffi::sqlite3_bind_parameter_name(self.as_ptr(), index(parameter) + 1)) }
    }

    /// Binds values to all parameters.
    ///
    /// # Errors
    /// If the number of values differs from that of the parameters, or a value is too large, or NaN.
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
        // SAFETY: a live statement; the lengths are those of the text and bytes, which the call copies.
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

    /// Runs the statement to its end, and resets it.
    ///
    /// # Errors
    /// Errors of SQLite.
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

    /// Resets the statement.
    pub fn reset(&mut self) {
        // SAFETY: a live statement. The result repeats that of the last step.
        unsafe { ffi::sqlite3_reset(self.as_ptr()) };
    }

    /// Binds a row's cells to the parameters, in order and without the missing ones, and runs the statement.
    ///
    /// Texts and bytes are not copied: SQLite reads them from the batch, which outlives the step.
    pub(crate) fn run_row(&mut self, batch: &Batch, cells: &[Cell]) -> Result<()> {
        let bound = self.bind_row(batch, cells);
        let ran = bound.and_then(|()| {
            // SAFETY: a live statement; bound values live until the bindings are cleared or replaced.
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
            // SAFETY: a live statement. The lengths are those of the text and bytes, which stay in place as long as the
            // batch is borrowed, until after the step; before the batch can change, `forget` clears the bindings.
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

    /// Clears the bindings, so that they refer to no memory of others.
    pub(crate) fn forget(&mut self) {
        // SAFETY: a live statement.
        unsafe { ffi::sqlite3_clear_bindings(self.as_ptr()) };
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        let mut last = Some(self.raw);
        if let Some(text) = self.text.take() {
            // An unfinished statement would hold a transaction open, and its bindings may refer to memory of others.
            self.reset();
            self.forget();
            let own = Idle { text, raw: self.raw, columns: core::mem::take(&mut self.columns) };
            last = self.handle.statements.put(own).map(|oldest| oldest.raw);
        }
        if let Some(raw) = last {
            // SAFETY: a live statement, which is not used afterwards.
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
        // SAFETY: a live statement.
        match unsafe { ffi::sqlite3_step(self.as_ptr()) } {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            code => Err(self.handle.error(code)),
        }
    }

    #[inline]
    fn class(&self, column: usize) -> Class {
        // SAFETY: a live statement; a column that does not exist is NULL.
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
        // SAFETY: a live statement.
        unsafe { ffi::sqlite3_column_int64(self.as_ptr(), index(column)) }
    }

    #[inline]
    fn real(&self, column: usize) -> f64 {
        // SAFETY: a live statement.
        unsafe { ffi::sqlite3_column_double(self.as_ptr(), index(column)) }
    }

    #[inline]
    fn bytes(&self, column: usize) -> &[u8] {
        let (raw, at) = (self.as_ptr(), index(column));
        // SAFETY: a live statement. The pointer is read before the length, the order that SQLite documents as safe. It
        // is valid until the next step or conversion. A step needs `&mut self`. A value is only read as its own class,
        // text as text and bytes as bytes, so that nothing is converted after the first access (a UTF-16 database
        // converts once).
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

/// Returns the error for NaN.
#[cold]
pub(crate) fn nan() -> demat_core::Error {
    demat_core::Error::new(demat_core::ErrorKind::Encode, "NaN has no place in SQLite, which would keep NULL instead")
}

fn index(column: usize) -> c_int {
    c_int::try_from(column).unwrap_or(c_int::MAX - 1)
}

/// Returns a non-null pointer even for empty bytes, as null would mean NULL.
fn whole(bytes: &[u8]) -> *const u8 {
    bytes.as_ptr()
}

/// Copies a text of SQLite.
///
/// # Safety
/// The pointer is null or NUL-terminated.
unsafe fn text(text: *const c_char) -> Option<String> {
    // SAFETY: as the caller guarantees.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Returns whether more than blanks, comments and semicolons follow.
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
