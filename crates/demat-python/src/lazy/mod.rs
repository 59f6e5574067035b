//! Lazy records: views of a class over the bytes of a message, of a JSON object or of a MessagePack map.
//!
//! A view is an instance of a view class: a subclass that is created once for each user class, so
//! `isinstance(view, Task)` holds. The view class replaces the fields with attributes that locate and decode a field in
//! the bytes on access.
//!
//! | file | contents |
//! |---|---|
//! | `class` | creates view classes; `layout`: the memory of an instance |
//! | `field` | the getter and setter of a field |
//! | `ordered` | early end of the scan, if fields are in order |
//! | `group` | members of a `oneof` |
//! | `keyed` | the counterparts for encodings with keys: JSON and MessagePack |
//! | `scan`, `number` | tags and lengths; numbers |
//! | `value` | values that the decoder creates |
//! | `items` | repeated fields |
//! | `merge` | edits of a changed view, for the encoder; `verify` validates unchanged bytes |
//! | `methods` | comparison, hash, repr, copies; `nested` limits their depth |
//! | `memory` | recycles the memory of views |
//! | `owner` | keeps the bytes alive |
//! | `document` | values of a document that is looked into without a class |
//! | `open` | views of documents; `reader`: views of the records in a file; `pages`: in the pages of a store |

mod class;
mod document;
mod field;
mod group;
mod items;
mod keyed;
mod layout;
mod memory;
mod merge;
mod methods;
mod nested;
mod number;
mod open;
mod ordered;
mod owner;
mod pages;
mod reader;
mod value;
mod verify;

pub(crate) use class::{Views, is_view_class};
pub(crate) use document::{Document, LazyIterator, LazyValue, open as open_document};
pub(crate) use items::{Items, be_quick};
pub(crate) use merge::{Edit, Edits, How as EditHow, format_of, is_spliced, is_within, original, untouched};
pub(crate) use methods::_rebuild_view;
pub(crate) use open::{Found, How, decode, decode_quickly};
pub(crate) use owner::{Owner, released};
pub(crate) use pages::PageViews;
pub(crate) use reader::{LazyReader, install, read};
pub(crate) use verify::{verify, verify_unchanged};

use crate::format::Format;
use demat_formats::codec::Engine;
use pyo3::PyErr;
use pyo3::exceptions::PyTypeError;

/// The encoding of a view's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Messages,
    Json,
    /// MessagePack.
    Packed,
}

impl Encoding {
    /// The number of encodings.
    const COUNT: usize = 3;

    /// Returns the encoding of a format's lazy records, and whether lists are encoded as lines. `None` if it has no
    /// lazy records.
    pub(crate) fn of(format: Format) -> Option<(Self, bool)> {
        match format.about().engine {
            Engine::Json => Some((Self::Json, false)),
            Engine::JsonLines => Some((Self::Json, true)),
            Engine::Messages => Some((Self::Messages, false)),
            Engine::Packed => Some((Self::Packed, false)),
            Engine::Cells | Engine::Any => None,
        }
    }

    /// Returns the format of a single view.
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Messages => Format::PROTO,
            Self::Json => Format::JSON,
            Self::Packed => Format::MSGPACK,
        }
    }

    /// Returns whether fields are found by keys of text. Messages have numbers.
    #[inline(always)]
    pub(crate) fn is_keyed(self) -> bool {
        self != Self::Messages
    }
}

/// The error for a format without lazy records.
#[cold]
pub(crate) fn no_views(format: &str) -> PyErr {
    PyTypeError::new_err(format!("{format} has no lazy records"))
}
