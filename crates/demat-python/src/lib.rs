//! The native module of the Python package.
//!
//! Python code describes types (`plan`). The work per value is done here: it is decoded (`decode`) or encoded
//! (`encode`) according to a plan, with a source or a sink of the contract at the other end.
#![allow(clippy::cast_ptr_alignment)] // the interpreter aligns its memory for what it holds; argued at each cast
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)] // the C API's sizes are signed, but never negative

mod arenas;
mod bounded;
mod collector;
mod columns;
mod command;
mod convert;
mod copy;
mod decode;
mod digits;
mod edit;
mod encode;
mod error;
mod file_object;
mod format;
mod fresh;
mod input;
mod known;
mod lazy;
mod lmdb;
mod object;
mod panic;
mod plan;
mod postgres;
mod quick;
mod raw;
mod read;
mod serve;
mod setting;
mod shapes;
mod signals;
mod special_file;
mod sqlite;
mod stack;
mod target;
mod unchanged;
mod verbs;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    install(module)
}

/// Turns a module into the package's native one, `demat._native`, with all registered formats.
///
/// For programs that [add formats](demat_place::Format::register): their module calls this, and replaces
/// `demat._native` in `sys.modules` before the package is imported.
///
/// # Errors
/// `ImportError` outside of the main interpreter.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    in_main_interpreter()?;
    panic::install(module)?;
    collector::watch_forks(module)?;
    encode::know_layout(module.py())?;
    signals::listen();
    demat_arrow::on_reserve(fresh::in_large_pages);
    module.add_class::<plan::Plan>()?;
    module.add_class::<plan::Plans>()?;
    module.add_class::<raw::Raw>()?;
    module.add_class::<verbs::Verbs>()?;
    module.add_class::<decode::Decoder>()?;
    module.add_class::<encode::Encoder>()?;
    module.add_class::<read::Reader>()?;
    module.add_class::<encode::PartSink>()?;
    module.add_class::<read::Feed>()?;
    module.add_class::<lazy::Items>()?;
    module.add_class::<lazy::LazyReader>()?;
    module.add_class::<lazy::LazyValue>()?;
    module.add_class::<lazy::LazyIterator>()?;
    module.add_class::<lazy::Document>()?;
    module.add_class::<lazy::Owner>()?;
    module.add_class::<lazy::Views>()?;
    lazy::install(module.py());
    lazy::be_quick(module.py())?;
    module.add_function(wrap_pyfunction!(lazy::_rebuild_view, module)?)?;
    read::install(module.py());
    module.add_class::<encode::Writer>()?;
    module.add_class::<encode::numbers::Numbers>()?;
    module.add_class::<columns::Columns>()?;
    module.add_class::<columns::ColumnStream>()?;
    module.add_class::<columns::View>()?;
    decode::be_quick(module.py())?;
    encode::be_quick(module.py())?;
    verbs::be_quick(module.py())?;
    for format in format::modules() {
        module.add(format.name(), verbs::Verbs::new(format)?)?;
    }
    let names: Vec<_> = format::modules().map(format::Format::name).collect();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("LINES", demat_place::Format::LINES.name())?;
    module.add("FORMATS", pyo3::types::PyTuple::new(module.py(), names)?)?;
    module.add_function(wrap_pyfunction!(format::content_type, module)?)?;
    module.add_function(wrap_pyfunction!(format::describe_formats, module)?)?;
    module.add_function(wrap_pyfunction!(decode::_rebuild, module)?)?;
    module.add_function(wrap_pyfunction!(plan::forget_plans, module)?)?;
    module.add_function(wrap_pyfunction!(plan::notes::notes, module)?)?;
    module.add_function(wrap_pyfunction!(shapes::shape_text, module)?)?;
    module.add_function(wrap_pyfunction!(shapes::parse_shape, module)?)?;
    module.add_function(wrap_pyfunction!(shapes::infer_shape, module)?)?;
    module.add_function(wrap_pyfunction!(shapes::define_message, module)?)?;
    module.add_function(wrap_pyfunction!(shapes::proto_text, module)?)?;
    module.add_function(wrap_pyfunction!(shapes::arrow_shape, module)?)?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    module.add_class::<sqlite::Database>()?;
    module.add_class::<sqlite::Migration>()?;
    module.add_class::<sqlite::TableColumn>()?;
    lmdb::install(module)?;
    postgres::install(module)?;
    module.add_class::<serve::Server>()?;
    module.add_class::<serve::Store>()?;
    module.add_class::<serve::StoreFeed>()?;
    module.add_class::<serve::StoreState>()?;
    module.add_function(wrap_pyfunction!(serve::chosen, module)?)?;
    module.add_function(wrap_pyfunction!(serve::queried, module)?)?;
    module.add_function(wrap_pyfunction!(sqlite::build_database, module)?)?;
    module.add_function(wrap_pyfunction!(sqlite::table_sql, module)?)?;
    module.add_function(wrap_pyfunction!(sqlite::quoted_name, module)?)?;
    module.add_function(wrap_pyfunction!(copy::copy, module)?)?;
    module.add_function(wrap_pyfunction!(arenas::reserve, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert_straight, module)?)?;
    module.add_function(wrap_pyfunction!(convert::builtins_straight, module)?)?;
    module.add_function(wrap_pyfunction!(edit::edit, module)?)?;
    module.add_function(wrap_pyfunction!(edit::rewritten, module)?)?;
    module.add_function(wrap_pyfunction!(copy::format_name, module)?)?;
    module.add_function(wrap_pyfunction!(encode::open_writer, module)?)?;
    module.add_function(wrap_pyfunction!(plan::is_judged, module)?)?;
    module.add_function(wrap_pyfunction!(columns::columns_of, module)?)?;
    module.add_function(wrap_pyfunction!(columns::check_record, module)?)?;
    module.add_function(wrap_pyfunction!(columns::records_behind, module)?)?;
    module.add_function(wrap_pyfunction!(columns::stored_columns, module)?)?;
    module.add_function(wrap_pyfunction!(columns::described_columns, module)?)?;
    Ok(())
}

/// Fails outside of the main interpreter. The module's caches (classes, strings) belong to one interpreter and live
/// until the process ends.
///
/// # Errors
/// `ImportError` in a subinterpreter.
fn in_main_interpreter() -> PyResult<()> {
    // SAFETY: the GIL is held while a module is made, so there is an interpreter.
    if unsafe { ffi::PyInterpreterState_Get() == ffi::PyInterpreterState_Main() } {
        return Ok(());
    }
    Err(PyImportError::new_err("demat can't be used in a subinterpreter, only in the main interpreter of a process"))
}
