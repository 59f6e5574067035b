//! A read-only layer.

use crate::body::Body;
use crate::fault::Fault;
use crate::layer::Layer;
use crate::node::Node;
use crate::reference::Reference;
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::When;
use demat_core::Result;
use std::sync::Arc;

/// A layer that refuses changes.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Fault, Memory, ReadOnly, Store, Verb, When, ValueBody, fault_of};
/// use std::sync::Arc;
/// let store = ReadOnly::over(Arc::new(Memory::new()));
/// let refused = store.put(&[], &mut ValueBody(&Value::Null), &When::Always).unwrap_err();
/// assert_eq!(fault_of(&refused), Some(Fault::NotAllowed(Verb::Put)));
/// assert_eq!(store.describe().to_string(), "read only\n└─ memory\n");
/// ```
#[derive(Debug)]
pub struct ReadOnly {
    below: Arc<dyn Store>,
}

impl ReadOnly {
    /// Returns a layer over this store.
    pub fn over(below: Arc<dyn Store>) -> Self {
        Self { below }
    }
}

impl Layer for ReadOnly {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn describe(&self) -> Node {
        Node::new("read only").over(self.below.describe())
    }

    fn put(&self, at: &[String], _: &mut dyn Body, _: &When) -> Result<Put> {
        Err(Fault::NotAllowed(Verb::Put).about(at))
    }

    fn patch(&self, at: &[String], _: &mut dyn Body, _: &When) -> Result<()> {
        Err(Fault::NotAllowed(Verb::Patch).about(at))
    }

    fn post(&self, at: &[String], _: &mut dyn Body) -> Result<Reference> {
        Err(Fault::NotAllowed(Verb::Post).about(at))
    }

    fn delete(&self, at: &[String], _: &When) -> Result<()> {
        Err(Fault::NotAllowed(Verb::Delete).about(at))
    }

    fn allows(&self, at: &[String]) -> Verbs {
        self.below.allows(at).both(Verbs::READ)
    }
}
