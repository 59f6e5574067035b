use super::CopyJob;
use core::fmt;

impl fmt::Debug for CopyJob<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyJob").field("from", &self.from).field("to", &self.to).finish_non_exhaustive()
    }
}
