//! Ranges of keys.

use crate::environment::Table;
use crate::failure::failed;
use crate::key::behind;
use crate::transaction::{Reads, Snapshot};
use core::fmt;
use core::ops::Bound;
use demat_core::Result;
use heed::types::Bytes;
use heed::{RoRange, RoRevRange};

/// A range of keys, by their bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// Where it begins.
    pub lo: Bound<Vec<u8>>,
    /// Where it ends.
    pub hi: Bound<Vec<u8>>,
    /// Whether the greatest comes first.
    pub reverse: bool,
}

impl Default for Range {
    fn default() -> Self {
        Self::ALL
    }
}

impl Range {
    /// All keys.
    pub const ALL: Self = Self { lo: Bound::Unbounded, hi: Bound::Unbounded, reverse: false };

    /// Returns the keys that begin with these bytes.
    pub fn prefix(prefix: &[u8]) -> Self {
        let hi = behind(prefix).map_or(Bound::Unbounded, Bound::Excluded);
        Self { lo: Bound::Included(prefix.to_vec()), hi, reverse: false }
    }

    /// Returns the keys from those that begin with `lo` to those that begin with `hi`; `include` says whether these
    /// themselves are in it.
    pub fn between(lo: Option<&[u8]>, hi: Option<&[u8]>, include: (bool, bool)) -> Self {
        let after = |key: &[u8]| behind(key).map(Bound::Included);
        let nothing = || Bound::Excluded(Vec::new());
        let lo = match lo {
            None => Bound::Unbounded,
            Some(lo) if include.0 => Bound::Included(lo.to_vec()),
            // Behind all that begin with it; a prefix of `FF` only has nothing behind it, and no key begins so.
            Some(lo) => after(lo).unwrap_or_else(|| Bound::Excluded(lo.to_vec())),
        };
        let hi = match hi {
            None => Bound::Unbounded,
            Some(hi) if include.1 => behind(hi).map_or(Bound::Unbounded, Bound::Excluded),
            Some([]) => nothing(),
            Some(hi) => Bound::Excluded(hi.to_vec()),
        };
        Self { lo, hi, reverse: false }
    }

    /// Returns the keys that are in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let lo = tighter(self.lo, other.lo, |own, other| own > other);
        let hi = tighter(self.hi, other.hi, |own, other| own < other);
        Self { lo, hi, reverse: self.reverse || other.reverse }
    }

    /// Returns the same keys, the greatest first.
    #[must_use]
    pub fn reversed(mut self, reverse: bool) -> Self {
        self.reverse = reverse;
        self
    }

    /// Returns what is left behind a key, in the direction of the range.
    #[must_use]
    pub fn after(mut self, key: &[u8]) -> Self {
        let end = if self.reverse { &mut self.hi } else { &mut self.lo };
        *end = Bound::Excluded(key.to_vec());
        self
    }

    /// Whether all keys are in it.
    pub fn is_all(&self) -> bool {
        self.lo == Bound::Unbounded && self.hi == Bound::Unbounded
    }
}

/// Returns the bound that leaves less.
fn tighter(own: Bound<Vec<u8>>, other: Bound<Vec<u8>>, is_less: impl Fn(&[u8], &[u8]) -> bool) -> Bound<Vec<u8>> {
    let (own_key, other_key) = match (&own, &other) {
        (Bound::Unbounded, _) => return other,
        (_, Bound::Unbounded) => return own,
        (Bound::Included(one) | Bound::Excluded(one), Bound::Included(two) | Bound::Excluded(two)) => (one, two),
    };
    if own_key == other_key {
        return if matches!(own, Bound::Excluded(_)) { own } else { other };
    }
    if is_less(own_key, other_key) { own } else { other }
}

/// Steps through the entries of a table in a range.
pub(crate) struct Cursor<'t> {
    steps: Steps<'t>,
    stop: Bound<Vec<u8>>,
}

enum Steps<'t> {
    Up(RoRange<'t, Bytes, Bytes>),
    Down(RoRevRange<'t, Bytes, Bytes>),
    Nothing,
}

type Keys<'k> = (Bound<&'k [u8]>, Bound<&'k [u8]>);

impl<'t> Cursor<'t> {
    pub(crate) fn new(reads: &'t impl Reads, table: Table, range: Range) -> Result<Self> {
        let txn = reads.txn();
        // LMDB searches no key without bytes: all keys are greater.
        let from_start = |bound: Bound<Vec<u8>>| match bound {
            Bound::Included(key) | Bound::Excluded(key) if key.is_empty() => Bound::Unbounded,
            bound => bound,
        };
        if matches!(&range.hi, Bound::Included(key) | Bound::Excluded(key) if key.is_empty()) {
            return Ok(Self { steps: Steps::Nothing, stop: Bound::Unbounded });
        }
        let lo = from_start(range.lo.clone());
        // The far end is compared here, as bytes at once.
        let (steps, stop) = if range.reverse {
            let keys: Keys<'_> = (Bound::Unbounded, borrowed(&range.hi));
            (table.rev_range(txn, &keys).map(Steps::Down), lo)
        } else {
            let keys: Keys<'_> = (borrowed(&lo), Bound::Unbounded);
            (table.range(txn, &keys).map(Steps::Up), range.hi)
        };
        Ok(Self { steps: steps.map_err(failed)?, stop })
    }

    /// Returns the next key and its value.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<(&'t [u8], &'t [u8])>> {
        let next = match &mut self.steps {
            Steps::Up(range) => range.next(),
            Steps::Down(range) => range.next(),
            Steps::Nothing => return Ok(None),
        };
        let Some((key, value)) = next.transpose().map_err(failed)? else { return Ok(None) };
        let is_in = match (&self.stop, &self.steps) {
            (Bound::Unbounded, _) => true,
            (Bound::Included(stop), Steps::Up(_)) => key <= &**stop,
            (Bound::Excluded(stop), Steps::Up(_)) => key < &**stop,
            (Bound::Included(stop), _) => key >= &**stop,
            (Bound::Excluded(stop), _) => key > &**stop,
        };
        if is_in {
            return Ok(Some((key, value)));
        }
        self.steps = Steps::Nothing;
        Ok(None)
    }
}

fn borrowed(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}

/// A cursor with the snapshot that it reads.
pub(crate) struct OwnCursor {
    // Dropped before the snapshot.
    cursor: Cursor<'static>,
    /// What `advance` has found. It is valid as long as the snapshot.
    current: Option<Pair<'static>>,
    snapshot: Snapshot,
}

/// A key and its value.
type Pair<'t> = (&'t [u8], &'t [u8]);

impl OwnCursor {
    pub(crate) fn new(snapshot: Snapshot, table: Table, range: Range) -> Result<Self> {
        let cursor = Cursor::new(&snapshot, table, range)?;
        // SAFETY: the cursor borrows the transaction within the snapshot's `Rc`, which stays where it is and lives as
        // long as this value: fields are dropped in their order. `next` gives out nothing that lives longer.
        let cursor = unsafe { core::mem::transmute::<Cursor<'_>, Cursor<'static>>(cursor) };
        Ok(Self { cursor, current: None, snapshot })
    }

    /// Steps to the next key. Returns whether there is one, which is then the [current](Self::current) one.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<bool> {
        self.current = self.cursor.next()?;
        Ok(self.current.is_some())
    }

    /// Returns the key and the value that it has advanced to.
    #[inline]
    pub(crate) fn current(&self) -> Option<Pair<'_>> {
        self.current
    }

    /// Returns the value of a key in another table.
    #[inline]
    pub(crate) fn joined(&self, table: Table, key: &[u8]) -> Result<Option<&[u8]>> {
        table.get(self.snapshot.txn(), key).map_err(failed)
    }
}

impl fmt::Debug for OwnCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnCursor").field("snapshot", &self.snapshot).finish_non_exhaustive()
    }
}
