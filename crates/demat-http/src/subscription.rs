//! A client's subscription to the changes of a store.

use demat_store::Watch;
use tokio::runtime::Handle;

/// A subscription. Its end may run a program's code, and bodies are dropped by the thread that serves all connections: so
/// a blocking thread ends it, unless the store is prompt.
#[derive(Debug)]
pub(crate) struct Subscription {
    watch: Option<Watch>,
    is_prompt: bool,
}

impl Subscription {
    pub(crate) fn new(watch: Watch, is_prompt: bool) -> Self {
        Self { watch: Some(watch), is_prompt }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let watch = self.watch.take();
        if !self.is_prompt
            && let Ok(runtime) = Handle::try_current()
        {
            drop(runtime.spawn_blocking(move || drop(watch)));
        }
    }
}
