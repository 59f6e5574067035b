//! *Canonical JSON*: the JSON mapping that the Protocol Buffers specification defines.
//!
//! [`CanonicalSink`] wraps a JSON sink, and [`CanonicalSource`] wraps a JSON source. A [`Mapping`] holds the JSON names
//! of the shape's fields and their JSON forms. Demat's own JSON of the same message is that of [`json`](crate::json):
//! fields by their names, numbers as numbers.
//!
//! | a field of | is |
//! |---|---|
//! | any name | in lowerCamelCase, or its `json_name`; its own name is accepted, too |
//! | 64 bits | digits as text; numbers are accepted |
//! | `float`, `double` | a number, or `"NaN"`, `"Infinity"`, `"-Infinity"`; numbers as text are accepted |
//! | `bytes` | base64; accepted in either alphabet, padded or not |
//! | an enum | its name, or its number if that has no name; numbers are always accepted |
//! | `map` | an object |
//! | a `oneof` | the field of it that is set |
//! | `Timestamp`, `Duration` | `"1972-01-01T10:00:20.021Z"`, `"1.000340012s"` |
//! | `Struct`, `Value`, `ListValue`, wrappers | what they hold |
//! | `FieldMask` | `"userName,photo"` |
//! | `Any` | an object of `@type` and the message's fields, or its `value` |
//!
//! Rules for absent fields:
//!
//! - A zero is left out where the field allows it; an absent field is left out, too.
//! - `null` in the input means that the field is absent.
//! - A repeated field, or a second field of the same `oneof`, is an error.
//! - An unknown field is an error unless [`ReadOptions::ignore_unknown`] is set.
//!
//! ```
//! use demat_core::{Shape, copy};
//! use demat_formats::canonical::{CanonicalSink, Mapping};
//! use demat_formats::json::{JsonSink, WriteOptions};
//! use demat_formats::{Keep, Output, proto::ProtoSource};
//!
//! let task: Shape = "Task{task_id:int64, title:text, is_done:bool}".parse()?;
//! let mapping = std::sync::Arc::new(Mapping::new(&task)?);
//! let json = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
//! let mut sink = CanonicalSink::new(json, mapping);
//! copy(&mut ProtoSource::new(b"\x08\x96\x01\x12\x04Room"), &task, &mut sink)?;
//! assert_eq!(sink.into_inner().into_output().into_parts().0, br#"{"taskId":"150","title":"Room"}"#);
//! # Ok::<(), demat_core::Error>(())
//! ```

mod mapping;
mod names;
mod sink;
mod source;
#[cfg(test)]
mod tests;
mod times;

pub use mapping::{Mapping, Types};
pub use sink::CanonicalSink;
pub use source::{Canonical, CanonicalSource, ReadOptions};
