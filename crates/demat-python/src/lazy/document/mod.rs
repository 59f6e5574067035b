//! Lazy values: a document that is looked into without decoding it.
//!
//! A lazy value is a [spot](demat_formats::lookup::Spot) in the bytes of a document. Each access opens a source there,
//! walks to the child that is asked for, and skips the others.
//!
//! | file | contents |
//! |---|---|
//! | `whole` | the document: its bytes, its format and options |
//! | `value` | the Python class of a value |
//! | `access` | children by key and index |
//! | `keys` | the keys of a map, once several are looked up |
//! | `iterate` | iterators over children |
//! | `decode` | decoding a value; the programs of scalars |
//! | `visit` | the work that is done on a source |
//! | `fault` | errors, with the way to the value |

mod access;
mod decode;
mod fault;
mod iterate;
mod keys;
mod value;
mod visit;
mod whole;

pub(crate) use iterate::LazyIterator;
pub(crate) use value::LazyValue;
pub(crate) use whole::{Document, open};
