use crate::{Layer, Memory, Node, Store, Version, Watch, Watcher};
use demat_core::Result;

/// A store without versions, with or without notifications.
pub(super) struct Uncounted {
    pub(super) below: Memory,
    pub(super) tells: bool,
}

impl Layer for Uncounted {
    fn below(&self) -> &dyn Store {
        &self.below
    }
    fn describe(&self) -> Node {
        Node::new("uncounted")
    }
    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        Store::version(&self.below, at).map(|_| None)
    }
    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        if self.tells { Store::watch(&self.below, at, watcher) } else { None }
    }
}
