//! What a server has committed, by the numbers of its transactions.

use std::collections::BTreeSet;

/// The transactions that a statement sees: those below `next` that were not running.
///
/// Two equal snapshots of one server see the same rows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Snapshot {
    /// The lowest number that was running.
    least: u64,
    /// The lowest number that was not given yet.
    next: u64,
    running: BTreeSet<u64>,
}

/// The most transactions to look through. More of them count as a change by others.
const MOST: u64 = 100_000;

impl Snapshot {
    /// The statement for the text of a snapshot.
    pub(crate) const SQL: &str = "SELECT pg_catalog.txid_current_snapshot()::text";

    /// Parses a snapshot: `10:20:10,14,15`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let (least, next) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let running = parts.next()?.split(',').filter(|number| !number.is_empty()).map(str::parse);
        Some(Self { least, next, running: running.collect::<Result<_, _>>().ok()? })
    }

    /// Whether a transaction that is not one of `own` has ended since. Forgets those of `own` that no later snapshot needs.
    pub(crate) fn has_others_since(&self, before: &Self, own: &mut BTreeSet<u64>) -> bool {
        let ended = |number: &u64| !self.running.contains(number) && !own.contains(number);
        let has = self.next.saturating_sub(before.next) > MOST
            || before.running.iter().any(ended)
            || (before.next..self.next).any(|number| ended(&number));
        own.retain(|number| *number >= self.least);
        has
    }
}

#[cfg(test)]
mod tests {
    use super::Snapshot;
    use std::collections::BTreeSet;

    fn has_others(before: &str, after: &str, own: &[u64]) -> bool {
        let mut own = own.iter().copied().collect::<BTreeSet<_>>();
        let snapshot = |text| Snapshot::parse(text).unwrap();
        snapshot(after).has_others_since(&snapshot(before), &mut own)
    }

    #[test]
    fn own_transactions_are_told_from_those_of_others() {
        assert!(!has_others("10:10:", "10:10:", &[]));
        assert!(has_others("10:10:", "11:11:", &[]));
        assert!(!has_others("10:10:", "11:11:", &[10]));
        assert!(has_others("10:10:", "12:12:", &[10]));
        assert!(!has_others("10:10:", "10:11:10", &[]), "it is running still");
        assert!(has_others("10:11:10", "11:11:", &[]));
        assert!(!has_others("10:11:10", "11:11:", &[10]));
        assert!(has_others("10:13:10,12", "12:13:12", &[]));
        assert!(has_others("1:1:", "900000:900000:", &[]));
        for text in ["", "1", "1:2", "a:2:", "1:2:x", "-1:2:"] {
            assert!(Snapshot::parse(text).is_none(), "{text}");
        }
    }
}
