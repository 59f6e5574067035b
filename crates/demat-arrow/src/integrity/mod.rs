//! Checks batches that another program handed over in memory.

mod indices;
#[cfg(test)]
mod tests;
mod text;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, DictionaryArray, RecordBatch, RunArray, make_array};
use arrow_schema::DataType;
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use indices::{Span, keys, offsets, runs, union, views_of_lists};
use std::sync::Arc;

/// The maximum nesting of columns, which are checked by recursion.
const DEEPEST: usize = 128;

/// Checks that batches hold what their types say: UTF-8 in text, and offsets, keys and views that stay within their data.
///
/// Arrow's C interface passes pointers, and Arrow's library trusts them. Text that is not UTF-8 would be undefined
/// behaviour in safe code. Arrow's readers of streams, files and Parquet check by themselves.
///
/// Each batch takes one pass over its text and its offsets, and none over its numbers. A dictionary that the next batch
/// shares is checked once.
///
/// ```
/// use arrow_array::{RecordBatch, StringArray};
/// use demat_arrow::Integrity;
/// use std::sync::Arc;
///
/// let batch = RecordBatch::try_from_iter([("title", Arc::new(StringArray::from(vec!["milk"])) as _)])?;
/// let mut integrity = Integrity::default();
/// integrity.check(&batch)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Integrity {
    /// The values of the last batch's dictionaries and runs, in order. Held, so that no other values get their address.
    shared: Vec<Option<Shared>>,
    /// The number of dictionaries that were met in this batch.
    met: usize,
}

/// Values that were checked.
struct Shared {
    parts: Vec<ArrayRef>,
    /// The number of dictionaries that were met with them.
    met: usize,
}

impl Integrity {
    /// Checks a batch.
    ///
    /// # Errors
    /// [`Encode`](ErrorKind::Encode) with the column's name, if its memory is not what its type says.
    pub fn check(&mut self, batch: &RecordBatch) -> Result<()> {
        self.met = 0;
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            self.array(array, 0).map_err(|error| error.within_field(field.name().clone()))?;
        }
        Ok(())
    }

    fn array(&mut self, array: &ArrayRef, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(Error::limit("the depth of nesting of a schema", DEEPEST));
        }
        let depth = depth + 1;
        let nulls = array.nulls();
        match array.data_type() {
            DataType::Utf8 => {
                let own = array.as_string::<i32>();
                text::all(own.offsets(), own.values(), nulls)
            }
            DataType::LargeUtf8 => {
                let own = array.as_string::<i64>();
                text::all(own.offsets(), own.values(), nulls)
            }
            DataType::Utf8View => {
                let own = array.as_string_view();
                text::views(own.views(), own.data_buffers(), nulls, true)
            }
            DataType::Binary => {
                let own = array.as_binary::<i32>();
                offsets(own.offsets(), own.values().len()).map(drop)
            }
            DataType::LargeBinary => {
                let own = array.as_binary::<i64>();
                offsets(own.offsets(), own.values().len()).map(drop)
            }
            DataType::BinaryView => {
                let own = array.as_binary_view();
                text::views(own.views(), own.data_buffers(), nulls, false)
            }
            DataType::List(_) => {
                let own = array.as_list::<i32>();
                self.part(own.values(), offsets(own.offsets(), own.values().len())?, depth)
            }
            DataType::LargeList(_) => {
                let own = array.as_list::<i64>();
                self.part(own.values(), offsets(own.offsets(), own.values().len())?, depth)
            }
            DataType::ListView(_) => {
                let own = array.as_list_view::<i32>();
                self.part(own.values(), views_of_lists(own.offsets(), own.sizes(), own.values().len())?, depth)
            }
            DataType::LargeListView(_) => {
                let own = array.as_list_view::<i64>();
                self.part(own.values(), views_of_lists(own.offsets(), own.sizes(), own.values().len())?, depth)
            }
            DataType::Map(..) => {
                let own = array.as_map();
                let span = offsets(own.offsets(), own.entries().len())?;
                self.part(&(Arc::new(own.entries().clone()) as ArrayRef), span, depth)
            }
            DataType::FixedSizeList(..) => self.array(array.as_fixed_size_list().values(), depth),
            DataType::Struct(fields) => {
                for (field, child) in fields.iter().zip(array.as_struct().columns()) {
                    self.array(child, depth).map_err(|error| error.within_field(field.name().clone()))?;
                }
                Ok(())
            }
            DataType::Dictionary(key, _) => self.dictionary(array, key, depth),
            DataType::RunEndEncoded(ends, _) => match ends.data_type() {
                DataType::Int16 => self.runs::<Int16Type>(array, depth),
                DataType::Int32 => self.runs::<Int32Type>(array, depth),
                _ => self.runs::<Int64Type>(array, depth),
            },
            DataType::Union(fields, _) => {
                let own = array.as_union();
                union(fields, own)?;
                for (id, field) in fields.iter() {
                    self.array(own.child(id), depth).map_err(|error| error.within_field(field.name().clone()))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Checks the items that lists refer to.
    fn part(&mut self, items: &ArrayRef, Span { start, len }: Span, depth: usize) -> Result<()> {
        self.array(&items.slice(start, len), depth)
    }

    fn dictionary(&mut self, array: &ArrayRef, key: &DataType, depth: usize) -> Result<()> {
        macro_rules! check {
            ($type:ty) => {
                array
                    .as_any()
                    .downcast_ref::<DictionaryArray<$type>>()
                    .map_or(Ok(()), |own| keys(own.keys(), own.values().len()))
            };
        }
        match key {
            DataType::Int8 => check!(Int8Type),
            DataType::Int16 => check!(Int16Type),
            DataType::Int32 => check!(Int32Type),
            DataType::Int64 => check!(Int64Type),
            DataType::UInt8 => check!(UInt8Type),
            DataType::UInt16 => check!(UInt16Type),
            DataType::UInt32 => check!(UInt32Type),
            _ => check!(UInt64Type),
        }?;
        let values = array.as_any_dictionary().values().clone();
        self.shared(vec![values.clone()], |own| own.array(&values, depth))
    }

    fn runs<R: RunEndIndexType>(&mut self, array: &ArrayRef, depth: usize) -> Result<()> {
        let Some(own) = array.as_any().downcast_ref::<RunArray<R>>() else { return Ok(()) };
        let (ends, values) = (own.run_ends(), own.values());
        runs::<R>(ends, values.len())?;
        let parts = own.to_data().child_data().iter().cloned().map(make_array).collect();
        self.shared(parts, |own| {
            indices::rising::<R>(ends.values())?;
            own.array(values, depth)
        })
    }

    /// Runs a check of values, unless those of the last batch were the same ones.
    fn shared(&mut self, parts: Vec<ArrayRef>, check: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let at = self.met;
        self.met += 1;
        if self.shared.len() <= at {
            self.shared.resize_with(at + 1, || None);
        }
        let same = |one: &ArrayRef, other: &ArrayRef| one.to_data().ptr_eq(&other.to_data());
        if let Some(Some(last)) = self.shared.get(at)
            && last.parts.len() == parts.len()
            && last.parts.iter().zip(&parts).all(|(one, other)| same(one, other))
        {
            self.met = last.met;
            return Ok(());
        }
        self.shared[at] = None;
        check(self)?;
        self.shared[at] = Some(Shared { parts, met: self.met });
        Ok(())
    }
}

impl fmt::Debug for Integrity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Integrity").field("shared", &self.shared.len()).finish_non_exhaustive()
    }
}

/// Returns the error for memory that is not what its type says.
#[cold]
fn damaged(expected: &'static str, found: String) -> Error {
    Error::mismatch(ErrorKind::Encode, expected, found)
}
