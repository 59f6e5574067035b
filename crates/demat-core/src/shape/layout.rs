use core::any::Any;
use core::fmt;
use std::sync::{Arc, OnceLock};

/// What a codec compiles once of a record's fields or a union's variants, from their shapes and their
/// [notes](super::Field::notes), so that it need not look at these for each value.
///
/// [`Record::layout`](super::Record::layout) and [`Union::layout`](super::Union::layout) compile it at the first call.
/// Any number of codecs can have their own.
pub trait Layout<P>: Any + Send + Sync + Sized {
    /// Compiles the layout. It must not follow the links of a recursive shape, which may still be in the making.
    fn compile(parts: &[P]) -> Self;
}

/// Append-only list of layouts, one of each type and parts; readers take no lock.
#[derive(Default)]
pub(super) struct Layouts(OnceLock<Box<Node>>);

struct Node {
    /// Address and length of the constants that it was compiled of. Memory of the run time has another owner later, so
    /// its layouts have a list of their own and nothing here.
    parts: (usize, usize),
    /// An `Arc` of the layout.
    kept: Box<dyn Any + Send + Sync>,
    next: Layouts,
}

const BUCKETS: usize = 256;

/// Layouts of constants by the address of these. A constant has no room for what is made at run time: compilers know
/// what is in it only because nobody can change it.
static CONSTANTS: [Layouts; BUCKETS] = [const { Layouts(OnceLock::new()) }; BUCKETS];

impl Layouts {
    /// Finds the layout of parts, or compiles it: in the list that they own, else among those of constants.
    #[inline]
    pub(super) fn find<'p, P: 'static, L: Layout<P>>(own: Option<&'p Self>, parts: &'p [P]) -> &'p Arc<L> {
        if let Some(own) = own {
            return own.get_or_compile((0, 0), parts);
        }
        let address = parts.as_ptr().addr();
        // Constants of this size mostly are that far apart.
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
        // Compiled outside of any lock, since it may find other layouts. Of two threads the first one's counts.
        let kept = Box::new(Arc::new(L::compile(parts)));
        let mut new = Box::new(Node { parts: key, kept, next: Self::default() });
        let mut list = self;
        loop {
            let mut left = Some(new);
            let node = list.0.get_or_init(|| left.take().expect("a list ends once"));
            if let Some(kept) = node.get(key) {
                return kept;
            }
            // Another one stands here, so this one was not put.
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
