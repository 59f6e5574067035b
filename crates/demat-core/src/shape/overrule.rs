use core::any::Any;
use core::fmt;
use std::sync::Arc;

/// An override of a codec's layout of one field. Any two are equal, since equality of fields ignores it.
#[derive(Clone)]
pub(super) struct Override(Option<Arc<dyn Any + Send + Sync>>);

impl Override {
    pub(super) const NONE: Self = Self(None);

    pub(super) fn new<T: Any + Send + Sync>(own: T) -> Self {
        Self(Some(Arc::new(own)))
    }

    #[inline]
    pub(super) fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

impl PartialEq for Override {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Override" } else { "None" })
    }
}
