//! Transactions.

use crate::environment::Environment;
use crate::failure::{failed, refused};
use core::fmt;
use core::marker::PhantomData;
use demat_core::Result;
use heed::{AnyTls, RoTxn, RwTxn, WithoutTls};
use std::rc::Rc;
use std::thread;

/// A transaction that reads what was committed when it began. Clones share it, and it ends with the last of them.
#[derive(Clone)]
pub struct Snapshot(Rc<Reading>);

struct Reading {
    // Dropped first.
    txn: Option<RoTxn<'static, WithoutTls>>,
    environment: Environment,
    number: u64,
}

impl Snapshot {
    pub(crate) fn new(txn: RoTxn<'static, WithoutTls>, environment: Environment, number: u64) -> Self {
        Self(Rc::new(Reading { txn: Some(txn), environment, number }))
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.0.environment
    }

    /// Whether there are other clones.
    pub(crate) fn is_shared(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.txn = None;
        self.environment.reader_ended(self.number);
    }
}

/// What can be read from: a [`Snapshot`], or a transaction that is [`Writing`] and sees its own changes.
pub trait Reads {
    #[doc(hidden)]
    fn txn(&self) -> &RoTxn<'_, AnyTls>;

    /// The number of the transaction whose state is read.
    fn number(&self) -> u64 {
        self.txn().id() as u64
    }
}

impl Reads for Snapshot {
    #[inline]
    fn txn(&self) -> &RoTxn<'_, AnyTls> {
        // It is taken out only when the last clone is dropped.
        self.0.txn.as_ref().expect("a snapshot has its transaction until it is dropped")
    }
}

/// A transaction that writes, and those nested in it. What is not [committed](Self::commit) is undone.
///
/// It stays on its thread, since the system's lock belongs to a thread.
pub struct Writing {
    /// The outermost first. Empty once all have ended.
    txns: Vec<RwTxn<'static>>,
    environment: Environment,
    changes: u64,
    thread: PhantomData<*const ()>,
}

impl Writing {
    pub(crate) fn begin(environment: &Environment) -> heed::Result<Self> {
        let txn = environment.env().write_txn()?;
        // SAFETY: the transaction borrows from the environment, which this value holds in an `Arc`, and drops after it.
        let txn = unsafe { core::mem::transmute::<RwTxn<'_>, RwTxn<'static>>(txn) };
        environment.set_writer(Some(thread::current().id()));
        Ok(Self { txns: vec![txn], environment: environment.clone(), changes: 0, thread: PhantomData })
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The number of open transactions, with those nested in others.
    pub fn depth(&self) -> usize {
        self.txns.len()
    }

    /// A number that each change increases. What was borrowed from pages before is valid only while it stays.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Begins a transaction within the innermost one. It can be undone alone, and is final when the outermost is
    /// committed.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn nest(&mut self) -> Result<()> {
        let parent = self.txns.last_mut().ok_or_else(ended)?;
        let txn = self.environment.env().nested_write_txn(parent).map_err(failed)?;
        // SAFETY: as in `begin`. It also borrows its parent, which stands below it: `innermost` reaches only the last
        // one, and the last one is removed first, also by `drop`. That the parent's Rust value may move does not matter,
        // since LMDB knows the transaction by another address.
        let txn = unsafe { core::mem::transmute::<RwTxn<'_>, RwTxn<'static>>(txn) };
        self.txns.push(txn);
        Ok(())
    }

    /// Commits the innermost transaction. If that was the outermost one, all is final.
    ///
    /// # Errors
    /// Errors of LMDB; then it is undone.
    pub fn commit(&mut self) -> Result<()> {
        let txn = self.txns.pop().ok_or_else(ended)?;
        self.changes += 1;
        let number = txn.id() as u64;
        let committed = txn.commit().map_err(failed);
        if self.txns.is_empty() && committed.is_ok() {
            self.environment.committed(number);
        }
        self.release();
        committed
    }

    /// Undoes the innermost transaction.
    ///
    /// # Errors
    /// If all have ended.
    pub fn undo(&mut self) -> Result<()> {
        let txn = self.txns.pop().ok_or_else(ended)?;
        self.changes += 1;
        txn.abort();
        self.release();
        Ok(())
    }

    /// Runs a change as a whole: it is undone if it fails.
    ///
    /// # Errors
    /// The error of the change, and errors of LMDB.
    pub fn whole<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nest()?;
        match change(self) {
            Ok(value) => self.commit().map(|()| value),
            Err(error) => {
                self.undo()?;
                Err(error)
            }
        }
    }

    fn release(&self) {
        if self.txns.is_empty() {
            self.environment.set_writer(None);
        }
    }

    /// Returns the innermost transaction, for a change.
    #[inline]
    pub(crate) fn innermost(&mut self) -> Result<&mut RwTxn<'static>> {
        self.changes += 1;
        self.txns.last_mut().ok_or_else(ended)
    }

    /// Returns the only transaction, and what to drop when it has ended.
    pub(crate) fn into_only(mut self) -> Result<(RwTxn<'static>, Self)> {
        let txn = self.txns.pop().ok_or_else(ended)?;
        Ok((txn, self))
    }
}

#[cold]
fn ended() -> demat_core::Error {
    refused("the transaction has ended")
}

impl Reads for Writing {
    fn txn(&self) -> &RoTxn<'_, AnyTls> {
        self.txns.last().expect("a transaction that writes is read only until it ends")
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        while let Some(txn) = self.txns.pop() {
            txn.abort();
        }
        self.release();
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Snapshot").field(&self.number()).finish()
    }
}

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").field("depth", &self.depth()).finish_non_exhaustive()
    }
}
