//! Functions for stores over several others with the same references.

use crate::change::{Watch, Watcher};
use crate::fault::{Fault, fault_of};
use crate::store::Store;
use crate::version::{Version, When};
use demat_core::Result;
use std::sync::Arc;

/// Returns `None` if the value does not exist.
pub(crate) fn found<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Err(error) if fault_of(&error) == Some(Fault::NotFound) => Ok(None),
        other => other.map(Some),
    }
}

/// Returns the version of a value, if there is a value: `version` as [found], and whether there is one if it has none.
#[allow(clippy::option_option)] // of a value that may not exist, and may have no version
pub(crate) fn current(
    version: Option<Option<Version>>,
    exists: impl FnOnce() -> Result<bool>,
) -> Result<Option<Option<Version>>> {
    if version == Some(None) && !exists()? { Ok(None) } else { Ok(version) }
}

/// Fails with [`Fault::NotFound`] if there is no value.
pub(crate) fn present(store: &dyn Store, at: &[String]) -> Result<()> {
    if store.exists(at)? { Ok(()) } else { Err(Fault::NotFound.about(at)) }
}

/// Returns the result of the first store that has the value, and its index.
pub(crate) fn first_of<T>(
    stores: &[Arc<dyn Store>],
    at: &[String],
    mut ask: impl FnMut(&dyn Store) -> Result<T>,
) -> Result<(usize, T)> {
    let mut absent = None;
    for (index, store) in stores.iter().enumerate() {
        match ask(&**store) {
            Ok(answer) => return Ok((index, answer)),
            Err(error) if fault_of(&error) == Some(Fault::NotFound) => absent = absent.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    Err(absent.unwrap_or_else(|| Fault::NotFound.about(at)))
}

/// Subscribes to the changes of all stores. Returns `None` if one of them can't watch, since its changes would be
/// missed.
pub(crate) fn watched(stores: &[Arc<dyn Store>], at: &[String], watcher: &Watcher) -> Option<Watch> {
    let mut all = stores.iter().map(|store| store.watch(at, Arc::clone(watcher)));
    let first = all.next()??;
    all.try_fold(first, |watch, next| Some(watch.and(next?)))
}

/// Returns the condition for the first store, in place of one about the combined version: checks that one now, and then
/// requires that the first store's value does not change.
pub(crate) fn condition(first: &dyn Store, at: &[String], when: &When, all: &dyn Store) -> Result<When> {
    if *when == When::Always {
        return Ok(When::Always);
    }
    if !when.holds(current(found(all.version(at))?, || all.exists(at))?) {
        return Err(Fault::Changed.about(at));
    }
    Ok(match current(found(first.version(at))?, || first.exists(at))? {
        Some(Some(version)) => When::Of(vec![version]),
        Some(None) => When::There,
        None => When::Absent,
    })
}

/// Writes the changing methods of a store over several others, which go to the first one. The store must have a field
/// `stores`, and a method `when` that returns the condition for the first one.
macro_rules! the_first_is_changed {
    () => {
        fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
            self.stores[0].put(at, value, &self.when(at, when)?)
        }

        fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
            self.stores[0].patch(at, value, &self.when(at, when)?)
        }

        fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
            self.stores[0].post(at, value)
        }

        fn delete(&self, at: &[String], when: &When) -> Result<()> {
            self.stores[0].delete(at, &self.when(at, when)?)
        }

        fn is_collection(&self, at: &[String]) -> bool {
            self.stores.iter().any(|store| store.is_collection(at))
        }

        fn allows(&self, at: &[String]) -> Verbs {
            let others = self.stores[1..].iter().any(|store| store.allows(at).has(Verb::Get));
            self.stores[0].allows(at).either(if others { Verbs::READ } else { Verbs::NONE })
        }

        fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
            watched(&self.stores, at, &watcher)
        }

        fn look(&self) {
            for store in &self.stores {
                store.look();
            }
        }

        fn is_prompt(&self) -> bool {
            self.stores.iter().all(|store| store.is_prompt())
        }
    };
}
pub(crate) use the_first_is_changed;
