//! A sink of records.

use crate::collection::{Collection, Put, auto_key};
use crate::definition::Key;
use crate::encoding::{Bytes, Encoding};
use crate::environment::locked;
use crate::failure::refused;
use crate::transaction::Writing;
use core::fmt;
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Union};

/// Writes a list of records to a collection, in a transaction that the caller commits.
///
/// Encodes each record as it comes, and puts it at `commit`.
pub struct CollectionSink<'w> {
    writing: &'w mut Writing,
    collection: Collection,
    encoding: Encoding,
    key: Key,
    put: Put,
    shape: Shape,
    /// The record that is being written.
    record: Option<Box<dyn Sink + Send>>,
    bytes: Bytes,
    /// Encoded records that are not final yet: their ends in `whole`.
    whole: Vec<u8>,
    ends: Vec<usize>,
    in_list: bool,
    /// The number of open containers within the record.
    depth: u32,
    count: u64,
    /// The key of the last record.
    last: Vec<u8>,
    clashed: bool,
}

impl<'w> CollectionSink<'w> {
    /// Returns a sink for records of a shape.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if only a program can make the collection's keys.
    pub fn new(writing: &'w mut Writing, collection: &Collection, shape: &Shape, put: Put) -> Result<Self> {
        let definition = collection.definition();
        if definition.key == Key::Given {
            return Err(refused(format!(
                "the keys of the collection `{}` are made by a function of a program, so only that can write to it",
                collection.name()
            )));
        }
        let Some(row) = shape.row() else {
            let message = format!("a collection holds records, and this is a {}", shape.name());
            return Err(Error::new(ErrorKind::Encode, message));
        };
        Ok(Self {
            writing,
            collection: collection.clone(),
            encoding: definition.encoding,
            key: definition.key,
            put,
            shape: Shape::Record(row.clone()),
            record: None,
            bytes: Bytes::default(),
            whole: Vec::new(),
            ends: Vec::new(),
            in_list: false,
            depth: 0,
            count: 0,
            last: Vec::new(),
            clashed: false,
        })
    }

    /// The number of records that were put.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The key of the last record that was put; empty before.
    pub fn last_key(&self) -> &[u8] {
        &self.last
    }

    /// Whether a record was refused because its key, or its key in a unique index, is taken.
    pub fn has_clashed(&self) -> bool {
        self.clashed
    }

    /// Returns the sink of the record, for a value within it.
    fn within(&mut self) -> Result<&mut (dyn Sink + Send + 'static)> {
        match &mut self.record {
            Some(record) => Ok(&mut **record),
            None => Err(Error::new(ErrorKind::Encode, "a collection holds records, and this is another value")),
        }
    }

    /// Returns the sink for a container that begins: of a new record, or within one.
    fn begun(&mut self) -> Result<&mut (dyn Sink + Send + 'static)> {
        if self.record.is_none() {
            locked(&self.bytes.0).clear();
            self.record = Some(self.encoding.sink(&self.shape, Box::new(self.bytes.clone()))?);
        }
        self.depth += 1;
        self.within()
    }

    /// Ends a container; with the outermost one, the record.
    fn ended(&mut self) -> Result<()> {
        self.depth -= 1;
        if self.depth > 0 {
            return Ok(());
        }
        if let Some(mut record) = self.record.take() {
            record.finish()?;
        }
        self.whole.append(&mut locked(&self.bytes.0));
        self.ends.push(self.whole.len());
        Ok(())
    }

    fn put_records(&mut self) -> Result<()> {
        let mut begin = 0;
        for end in core::mem::take(&mut self.ends) {
            let record = &self.whole[begin..end];
            begin = end;
            let key = match &self.key {
                Key::Auto => auto_key(self.collection.next_key(self.writing)?)?,
                _ => self.collection.key_of(record)?,
            };
            if let Err(error) = self.collection.put(self.writing, &key, record, self.put) {
                self.clashed = self.collection.clashes(self.writing, &key, record, self.put)?;
                return Err(error);
            }
            self.count += 1;
            self.last = key;
        }
        self.whole.clear();
        Ok(())
    }
}

impl Sink for CollectionSink<'_> {
    demat_core::forward! { self => self.within()?; scalars keys entry value field rest empty_list empty_map }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        if self.record.is_none() && !self.in_list {
            self.in_list = true;
            return Ok(());
        }
        self.within()?.begin_list(len)?;
        self.depth += 1;
        Ok(())
    }
    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        if self.record.is_none() && !self.in_list {
            self.in_list = true;
            return Ok(());
        }
        self.within()?.begin_list_of(item, len)?;
        self.depth += 1;
        Ok(())
    }
    fn item(&mut self) -> Result<()> {
        match &mut self.record {
            Some(record) => record.item(),
            None => Ok(()),
        }
    }
    fn end_list(&mut self) -> Result<()> {
        if self.record.is_none() {
            self.in_list = false;
            return Ok(());
        }
        self.within()?.end_list()?;
        self.ended()
    }
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.begun()?.begin_map(len)
    }
    fn end_map(&mut self) -> Result<()> {
        self.within()?.end_map()?;
        self.ended()
    }
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.begun()?.begin_record(record)
    }
    fn end_record(&mut self, record: &Record) -> Result<()> {
        self.within()?.end_record(record)?;
        self.ended()
    }
    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.within()?.begin_variant(union, index)
    }
    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.within()?.end_variant(union, index)
    }
    fn commit(&mut self) -> Result<()> {
        if self.record.is_some() {
            return Ok(());
        }
        self.put_records()
    }
    fn rollback(&mut self) -> Result<()> {
        self.record = None;
        self.depth = 0;
        self.whole.clear();
        self.ends.clear();
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        self.commit()
    }
}

impl fmt::Debug for CollectionSink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollectionSink").field("collection", &self.collection).finish_non_exhaustive()
    }
}
