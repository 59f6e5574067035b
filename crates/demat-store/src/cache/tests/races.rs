//! Concurrent readers and writers.

use super::race::{of_int, race};
use super::{Cache, Uncounted, number};
use crate::{Memory, Store};
use std::sync::Arc;

#[test]
fn nothing_stale_is_got_where_versions_are_counted() {
    let below: Arc<dyn Store> = Arc::new(Memory::new());
    let store = Cache::over(Arc::clone(&below), 1 << 16);
    race(&store, &store, number, of_int);
    race(&store, &*below, number, of_int);
}

#[test]
fn nothing_stale_is_got_where_changes_are_told() {
    let below: Arc<dyn Store> = Arc::new(Uncounted { below: Memory::new(), tells: true });
    let store = Cache::over(Arc::clone(&below), 1 << 16);
    race(&store, &store, number, of_int);
    race(&store, &*below, number, of_int);
    let below: Arc<dyn Store> = Arc::new(Uncounted { below: Memory::new(), tells: false });
    let store = Cache::over(below, 1 << 16);
    race(&store, &store, number, of_int);
}

#[test]
fn what_is_written_back_is_got_by_others_at_once() {
    let below: Arc<dyn Store> = Arc::new(Memory::new());
    let store = Cache::write_back(below, 1 << 12);
    race(&store, &store, number, of_int);
}
