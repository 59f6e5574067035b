//! Records as a document of bytes.

use crate::collection::Collection;
use crate::encoding::Encoding;
use crate::failure::refused;
use crate::scan::{Query, Scan, count};
use crate::transaction::Snapshot;
use demat_core::{Record, Result};
use demat_formats::codec::Projector;
use std::{io, vec};

/// A document with a list of records, in the format that they are encoded in: as a reader of bytes.
#[derive(Debug)]
pub struct Document {
    records: Records,
    encoding: Encoding,
    /// The bytes to give next.
    buffer: Vec<u8>,
    at: usize,
    stands: Stands,
    given: u64,
    /// Leaves out fields that nobody reads.
    projector: Option<Box<dyn Projector>>,
}

/// Where the records come from.
#[derive(Debug)]
enum Records {
    Scan(Box<Scan>),
    Keys { snapshot: Snapshot, collection: Collection, keys: vec::IntoIter<Vec<u8>> },
}

impl Records {
    /// Calls a function with the next record; returns whether there was one.
    fn next(&mut self, with: impl FnOnce(&[u8])) -> Result<bool> {
        match self {
            Self::Scan(scan) => match scan.next()? {
                Some(entry) => with(&entry.record),
                None => return Ok(false),
            },
            Self::Keys { snapshot, collection, keys } => {
                let Some(key) = keys.next() else { return Ok(false) };
                let gone = || refused("a record is gone that the same state had");
                with(&collection.get(snapshot, &key)?.ok_or_else(gone)?);
            }
        }
        Ok(true)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    First,
    Within,
    Behind,
}

/// As many bytes are collected before they are given out.
const CHUNK: usize = 64 << 10;

impl Document {
    /// Returns the document with the records of a query.
    ///
    /// # Errors
    /// As [`Scan::new`].
    pub fn new(snapshot: Snapshot, collection: &Collection, query: &Query) -> Result<Self> {
        Self::after(snapshot, collection, query, 0)
    }

    /// Returns the document with the records of a query behind the first ones.
    ///
    /// # Errors
    /// As [`Scan::new`].
    pub fn after(snapshot: Snapshot, collection: &Collection, query: &Query, skipped: u64) -> Result<Self> {
        let count = if !collection.definition().encoding.counts() {
            0
        } else if skipped == 0 {
            count(&snapshot, collection, query)?
        } else {
            let mut scan = Scan::new(snapshot.clone(), collection, query)?;
            scan.skip(skipped)?;
            scan.count()?
        };
        let mut scan = Scan::new(snapshot, collection, query)?;
        scan.skip(skipped)?;
        Self::of(collection, Records::Scan(Box::new(scan)), count)
    }

    /// Returns the document with the records of these keys, in this order. All are there in the snapshot.
    ///
    /// # Errors
    /// If they are too many.
    pub fn of_keys(snapshot: Snapshot, collection: &Collection, keys: Vec<Vec<u8>>) -> Result<Self> {
        let count = keys.len() as u64;
        Self::of(collection, Records::Keys { snapshot, collection: collection.clone(), keys: keys.into_iter() }, count)
    }

    fn of(collection: &Collection, records: Records, count: u64) -> Result<Self> {
        let encoding = collection.definition().encoding;
        let mut buffer = Vec::new();
        encoding.begin_list(count, &mut buffer)?;
        Ok(Self { records, encoding, buffer, at: 0, stands: Stands::First, given: 0, projector: None })
    }

    /// Leaves out all fields but those of `record`, if the encoding can copy these without a look at the others. If it
    /// can't, the document has whole records, and its reader has to skip the others.
    #[must_use]
    pub fn projected(mut self, record: &Record) -> Self {
        self.projector = self.encoding.projector(record);
        self
    }

    /// The number of records that were read.
    pub fn records(&self) -> u64 {
        self.given
    }

    fn fill(&mut self) -> Result<()> {
        // The first time the beginning of the list stands there.
        if self.at > 0 {
            self.buffer.clear();
            self.at = 0;
        }
        while self.buffer.len() < CHUNK && self.stands != Stands::Behind {
            let Self { records, encoding, buffer, stands, projector, .. } = self;
            let is_there = match projector {
                Some(projector) => records.next(|record| projector.project(record, buffer))?,
                None => records.next(|record| {
                    encoding.begin_item(*stands == Stands::First, record.len(), buffer);
                    buffer.extend_from_slice(record);
                })?,
            };
            if !is_there {
                self.encoding.end_list(&mut self.buffer);
                self.stands = Stands::Behind;
                break;
            }
            self.stands = Stands::Within;
            self.given += 1;
        }
        Ok(())
    }
}

impl io::Read for Document {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if (self.at == self.buffer.len() || self.stands == Stands::First) && self.stands != Stands::Behind {
            self.fill().map_err(io::Error::other)?;
        }
        let len = into.len().min(self.buffer.len() - self.at);
        into[..len].copy_from_slice(&self.buffer[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

/// A document with a snapshot of its own, which another thread may read.
#[derive(Debug)]
pub struct OwnDocument(Document);

// SAFETY: what is not `Send` are the cursor and the snapshot's `Rc`. LMDB ties neither to a thread, since environments
// are opened without thread-local storage. `with` makes the snapshot and passes it to functions of this type, which keep no clone outside
// of the document. `of_keys` lends it to a function of the caller, and refuses the document if that has kept a clone. So
// the `Rc` has no other owner: everything moves together, and one thread at a time has it.
unsafe impl Send for OwnDocument {}

impl OwnDocument {
    /// Returns the document with the records of a query, as they are now.
    ///
    /// # Errors
    /// As [`Scan::new`].
    pub fn new(collection: &Collection, query: &Query) -> Result<Self> {
        Self::with(collection, |snapshot| Document::new(snapshot, collection, query))
    }

    /// Returns the document that a function makes of the snapshot that it gets, and keeps no clone of.
    ///
    /// # Errors
    /// The errors of the function.
    fn with(collection: &Collection, make: impl FnOnce(Snapshot) -> Result<Document>) -> Result<Self> {
        make(collection.environment().read()?).map(Self)
    }

    /// Returns the document with the records of a query behind the first ones, as they are now.
    ///
    /// # Errors
    /// As [`Scan::new`].
    pub fn after(collection: &Collection, query: &Query, skipped: u64) -> Result<Self> {
        Self::with(collection, |snapshot| Document::after(snapshot, collection, query, skipped))
    }

    /// Returns the document with the records of the keys that a function finds, in their order, as they are now.
    ///
    /// # Errors
    /// The errors of the function; if the records are too many.
    pub fn of_keys(collection: &Collection, find: impl FnOnce(&Snapshot) -> Result<Vec<Vec<u8>>>) -> Result<Self> {
        Self::with(collection, |snapshot| {
            let keys = find(&snapshot)?;
            if snapshot.is_shared() {
                return Err(refused("the snapshot of a document belongs to nobody else"));
            }
            Document::of_keys(snapshot, collection, keys)
        })
    }

    /// The number of records that were read.
    pub fn records(&self) -> u64 {
        self.0.records()
    }
}

impl io::Read for OwnDocument {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}
