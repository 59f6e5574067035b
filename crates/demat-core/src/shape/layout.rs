use core::any::Any;
use core::fmt;
use std::sync::{Arc, OnceLock};

/// What a codec precomputes from the shapes and [notes](super::Field::notes) of a record's fields or a union's
/// variants, so that it need not inspect these for each value.
///
/// [`Record::layout`](super::Record::layout) and [`Union::layout`](super::Union::layout) compile it at the first call.
/// Each codec can have its own layout type.
pub trait Layout<P>: Any + Send + Sync + Sized {
    /// Compiles the layout. It must not follow the links of a recursive shape, which may still be under construction.
    fn compile(parts: &[P]) -> Self;
}

/// Append-only list of layouts, one per type and parts. Readers take no lock.
#[derive(Default)]
pub(super) struct Layouts(OnceLock<Box<Node>>);

struct Node {
    /// Address and length of the constants that it was compiled from; zeros for layouts of run-time parts. Those have a
    /// list of their own, since their memory may be reused.
    parts: (usize, usize),
    /// An `Arc` of the layout.
    kept: Box<dyn Any + Send + Sync>,
    next: Layouts,
}

const BUCKETS: usize = 256;

/// Layouts of constants by their address. A constant can't hold run-time data itself: the compiler can evaluate it only
/// because it never changes.
static CONSTANTS: [Layouts; BUCKETS] = [const { Layouts(OnceLock::new()) }; BUCKETS];

impl Layouts {
    /// Finds or compiles the layout of parts: in their own list, or else among those of constants.
    #[inline]
    pub(super) fn find<'p, P: 'static, L: Layout<P>>(own: Option<&'p Self>, parts: &'p [P]) -> &'p Arc<L> {
        if let Some(own) = own {
            return own.get_or_compile((0, 0), parts);
        }
        let address = parts.as_ptr().addr();
        // Constants of this size usually have at least this distance.
        CONSTANTS[address / 64 % BUCKETS].get_or_compile((address, parts.len()), parts)
    }

    #[inline]
    fn get_or_compile<P, L: Layout<P>>(&self, key: (usize, usize), parts: &[P]) -> &Arc<L> {
        let mut list = self;
        while let Some(node) = list.0.get() {
            if let Some(kept) = node.get(key) {
                return kept;
            }
            list = &node.next;
        }
        list.append(key, parts)
    }

    #[cold]
    #[inline(never)]
    fn append<P, L: Layout<P>>(&self, key: (usize, usize), parts: &[P]) -> &Arc<L> {
        // Compiled without a lock, since compiling may look up other layouts. If two threads compile it, the first
        // one's is kept.
        let kept = Box::new(Arc::new(L::compile(parts)));
        let mut new = Box::new(Node { parts: key, kept, next: Self::default() });
        let mut list = self;
        loop {
            let mut left = Some(new);
            let node = list.0.get_or_init(|| left.take().expect("a list ends once"));
            if let Some(kept) = node.get(key) {
                return kept;
            }
            // Another node is here already, so this one was not inserted.
            new = left.expect("what was put is found");
            list = &node.next;
        }
    }
}

impl Node {
    #[inline]
    fn get<L: Any + Send + Sync>(&self, key: (usize, usize)) -> Option<&Arc<L>> {
        if self.parts == key { self.kept.downcast_ref() } else { None }
    }
}

impl fmt::Debug for Layouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Layouts")
    }
}

#[cfg(test)]
mod tests;
