//! Reports the changes of tables that tell them.

use crate::base::{Base, locked};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;
use demat_core::Value;
use demat_postgres::{Listener, TableChange, TableName, Told};
use demat_store::Verb;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

/// A function that makes the name of a row of its key's values.
pub(crate) type NameOf = Arc<dyn Fn(&[Value]) -> Option<String> + Send + Sync>;

/// The tables whose changes are listened to. A thread does that from the first watch on, until the base is gone.
#[derive(Default)]
pub(crate) struct Listening {
    /// By schema and name: the name of the store, and of a row.
    tables: Mutex<HashMap<(String, String), (String, NameOf)>>,
    /// The number of tables that tell nothing.
    silent: AtomicUsize,
    /// Whether the thread has begun, and whether it hears the server.
    begun: AtomicBool,
    hears: AtomicBool,
}

impl core::fmt::Debug for Listening {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Listening").field("hears", &self.hears).finish_non_exhaustive()
    }
}

/// How often the thread looks whether the base is gone.
const EVERY: Duration = Duration::from_millis(250);

impl Listening {
    /// Adds a table that tells its changes.
    pub(crate) fn add(&self, table: &demat_postgres::Table, name: &str, name_of: NameOf) {
        let own = table.table_name().unwrap_or(TableName { schema: None, name: table.name.clone() });
        locked(&self.tables).insert((own.schema.unwrap_or_default(), own.name), (name.to_string(), name_of));
    }

    /// Adds a table that tells nothing.
    pub(crate) fn add_silent(&self) {
        self.silent.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether all changes are told.
    pub(crate) fn hears_all(&self) -> bool {
        self.hears.load(Ordering::SeqCst) && self.silent.load(Ordering::SeqCst) == 0
    }

    /// Begins to listen, if a table tells its changes. It does not wait for the server.
    pub(crate) fn begin(base: &Arc<Base>) {
        let own = &base.listening;
        if locked(&own.tables).is_empty() || own.begun.swap(true, Ordering::SeqCst) {
            return;
        }
        let weak = Arc::downgrade(base);
        let begun = std::thread::Builder::new().name("demat-listen".to_string()).spawn(move || listen(&weak));
        // Without a thread, changes are looked for.
        own.begun.store(begun.is_ok(), Ordering::SeqCst);
    }

    /// Reports a change of others.
    fn tell(base: &Base, change: &TableChange) {
        if base.is_own(change.process) {
            return;
        }
        let Some((name, name_of)) = locked(&base.listening.tables).get(&change.at).cloned() else { return };
        let rows = change.keys.as_ref().and_then(|(puts, deletes)| {
            let puts = puts.iter().map(|key| (Verb::Put, key));
            let all = puts.chain(deletes.iter().map(|key| (Verb::Delete, key)));
            all.map(|(verb, key)| Some((verb, name_of(key)?))).collect::<Option<Vec<_>>>()
        });
        match rows {
            Some(rows) => rows.into_iter().for_each(|(verb, row)| base.changes.tell(verb, &[name.clone(), row])),
            None => base.changes.tell(Verb::Put, &[name]),
        }
    }
}

/// Listens until the base is gone.
fn listen(weak: &Weak<Base>) {
    let mut listener: Option<Listener> = None;
    loop {
        let Some(base) = weak.upgrade() else { return };
        let Some(own) = &mut listener else {
            if let Ok(open) = Listener::open(base.address()) {
                listener = Some(open);
                base.listening.hears.store(true, Ordering::SeqCst);
                // What has changed before is not told.
                base.changes.tell(Verb::Put, &[]);
            } else {
                drop(base);
                std::thread::sleep(EVERY * 4);
            }
            continue;
        };
        drop(base);
        let told = own.wait(EVERY);
        let Some(base) = weak.upgrade() else { return };
        base.listening.hears.store(own.is_connected(), Ordering::SeqCst);
        for told in &told {
            match told {
                Told::Rows(change) => Listening::tell(&base, change),
                Told::Lost => base.changes.tell(Verb::Put, &[]),
            }
        }
    }
}
