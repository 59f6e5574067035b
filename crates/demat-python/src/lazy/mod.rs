//! Lazy records: views of a class over the bytes of a message, or of an object of JSON.
//!
//! A view is an instance of a class that is made once for each class of the program's and stands on that, so
//! `isinstance(view, Task)` holds. It has its own attributes in place of the class's: each looks for its field in the bytes when
//! it is asked for.
//!
//! | file | is |
//! |---|---|
//! | `class` | the class of views, made; `layout` where what stands in an instance |
//! | `field` | a field's attribute, read and set |
//! | `ordered` | stopping early, where fields stand in order |
//! | `group` | members of a `oneof` |
//! | `json` | the same over JSON |
//! | `scan`, `number` | tags and lengths; numbers |
//! | `value` | values that the decoder makes |
//! | `items` | repeated fields |
//! | `merge` | edits of a changed view, for the encoder; `verify` checks unchanged bytes |
//! | `methods` | comparing, hashing, repr, copying; `nested` limits their depth |
//! | `memory` | the memory of views, used again |
//! | `owner` | what keeps the bytes |
//! | `open` | views of documents; `reader` those of a file |

mod class;
mod field;
mod group;
mod items;
mod json;
mod layout;
mod memory;
mod merge;
mod methods;
mod nested;
mod number;
mod open;
mod ordered;
mod owner;
mod reader;
mod value;
mod verify;

pub(crate) use class::{Views, is_view_class};
pub(crate) use items::{Items, be_quick};
pub(crate) use merge::{Edit, Edits, How as EditHow, format_of, is_within, original, untouched};
pub(crate) use methods::_rebuild_view;
pub(crate) use open::{Found, How, decode, decode_quickly};
pub(crate) use owner::Owner;
pub(crate) use reader::{LazyReader, install, read};
pub(crate) use verify::{verify, verify_unchanged};

use crate::format::Format;
use demat_formats::codec::Engine;
use pyo3::PyErr;
use pyo3::exceptions::PyTypeError;

/// What the bytes of views are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Json,
    Messages,
}

impl Encoding {
    /// That of a format with lazy records, and whether a list of these is lines.
    pub(crate) fn of(format: Format) -> Option<(Self, bool)> {
        match format.about().engine {
            Engine::Json => Some((Self::Json, false)),
            Engine::JsonLines => Some((Self::Json, true)),
            Engine::Messages => Some((Self::Messages, false)),
            Engine::Cells | Engine::Any => None,
        }
    }

    /// The format of a single view.
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Json => Format::JSON,
            Self::Messages => Format::PROTO,
        }
    }
}

/// The error for a format without lazy records.
#[cold]
pub(crate) fn no_views(format: &str) -> PyErr {
    PyTypeError::new_err(format!("{format} has no lazy records"))
}
