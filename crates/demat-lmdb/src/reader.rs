//! The list of open read transactions: a long one keeps pages in use, and the file grows.

use crate::environment::locked;
use crate::failure::refused;
use demat_core::Result;
use heed::{RoTxn, WithoutTls};
use std::collections::BTreeMap;
use std::process;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A transaction that reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader {
    /// The number of the transaction whose state it reads.
    pub transaction: u64,
    /// The number of transactions that were committed since.
    pub behind: u64,
    /// How long it has been open; `None` in another process.
    pub age: Option<Duration>,
    /// The process.
    pub process: u32,
}

/// The open ones.
#[derive(Debug, Default)]
pub(crate) struct Readers(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    next: u64,
    open: BTreeMap<u64, (u64, Instant)>,
}

impl Readers {
    /// Begins one; returns it with its number here.
    pub(crate) fn begin<F>(&self, begin: F) -> heed::Result<(RoTxn<'static, WithoutTls>, u64)>
    where
        F: FnOnce() -> heed::Result<RoTxn<'static, WithoutTls>>,
    {
        let mut own = locked(&self.0);
        let txn = begin()?;
        let number = own.next;
        own.next += 1;
        own.open.insert(number, (txn.id() as u64, Instant::now()));
        Ok((txn, number))
    }

    pub(crate) fn end(&self, number: u64) {
        locked(&self.0).open.remove(&number);
    }

    pub(crate) fn list(&self, last: u64) -> Vec<Reader> {
        let own = locked(&self.0);
        let reader = |(transaction, since): &(u64, Instant)| Reader {
            transaction: *transaction,
            behind: last.saturating_sub(*transaction),
            age: Some(since.elapsed()),
            process: process::id(),
        };
        own.open.values().map(reader).collect()
    }

    /// Runs work while none is open, and none begins.
    pub(crate) fn while_none<T>(&self, work: impl FnOnce() -> T) -> Result<T> {
        let own = locked(&self.0);
        if !own.open.is_empty() {
            return Err(refused("the map can't change its size while a transaction is open"));
        }
        Ok(work())
    }
}
