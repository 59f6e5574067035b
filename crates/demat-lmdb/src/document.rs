//! Records as a document of bytes.

use crate::collection::Collection;
use crate::encoding::Encoding;
use crate::scan::{Query, Scan, count};
use crate::transaction::Snapshot;
use demat_core::Result;
use std::io;

/// A document with a list of records, in the format that they are encoded in: as a reader of bytes.
#[derive(Debug)]
pub struct Document {
    scan: Scan,
    encoding: Encoding,
    /// The bytes to give next.
    buffer: Vec<u8>,
    at: usize,
    stands: Stands,
    given: u64,
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
        let encoding = collection.definition().encoding;
        let mut buffer = Vec::new();
        let count = if encoding.counts() { count(&snapshot, collection, query)? } else { 0 };
        encoding.begin_list(count, &mut buffer)?;
        let scan = Scan::new(snapshot, collection, query)?;
        Ok(Self { scan, encoding, buffer, at: 0, stands: Stands::First, given: 0 })
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
            let Some(entry) = self.scan.next()? else {
                self.encoding.end_list(&mut self.buffer);
                self.stands = Stands::Behind;
                break;
            };
            self.encoding.begin_item(self.stands == Stands::First, entry.record.len(), &mut self.buffer);
            self.buffer.extend_from_slice(&entry.record);
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
// are opened without thread-local storage. `new` makes the snapshot, and its `Rc` has no other owner and never leaves
// this value: everything moves together, and one thread at a time has it.
unsafe impl Send for OwnDocument {}

impl OwnDocument {
    /// Returns the document with the records of a query, as they are now.
    ///
    /// # Errors
    /// As [`Scan::new`].
    pub fn new(collection: &Collection, query: &Query) -> Result<Self> {
        Document::new(collection.environment().read()?, collection, query).map(Self)
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
