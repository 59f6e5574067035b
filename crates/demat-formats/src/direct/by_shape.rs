use core::ptr;
use demat_core::Shape;
use std::sync::OnceLock;

/// What is found out once of each constant shape, and then kept. A program has a bounded number of these.
///
/// Append-only lists by address. Readers take no lock.
pub(crate) struct ByShape<T>([Chain<T>; BUCKETS]);

struct Chain<T>(OnceLock<Box<Entry<T>>>);

struct Entry<T> {
    shape: &'static Shape,
    found: T,
    next: Chain<T>,
}

const BUCKETS: usize = 64;

impl<T: Copy> ByShape<T> {
    pub(crate) const fn new() -> Self {
        Self([const { Chain(OnceLock::new()) }; BUCKETS])
    }

    /// Returns what `find` found out of the shape.
    #[inline]
    pub(crate) fn get(&self, shape: &'static Shape, find: fn(&'static Shape) -> T) -> T {
        // Shapes have at least this distance in memory.
        let mut chain = &self.0[ptr::from_ref(shape).addr() / size_of::<Shape>() % BUCKETS];
        while let Some(entry) = chain.0.get() {
            if ptr::eq(entry.shape, shape) {
                return entry.found;
            }
            chain = &entry.next;
        }
        chain.append(shape, find(shape))
    }
}

impl<T: Copy> Chain<T> {
    #[cold]
    #[inline(never)]
    fn append(&self, shape: &'static Shape, found: T) -> T {
        let mut new = Box::new(Entry { shape, found, next: Self(OnceLock::new()) });
        let mut chain = self;
        loop {
            let mut left = Some(new);
            let entry = chain.0.get_or_init(|| left.take().expect("a chain ends once"));
            if ptr::eq(entry.shape, shape) {
                return entry.found;
            }
            // Another entry is here already, so this one was not inserted.
            new = left.expect("what was put is found");
            chain = &entry.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use demat_core::Shaped;

    #[test]
    fn each_shape_is_looked_at_once() {
        static KEPT: ByShape<usize> = ByShape::new();
        fn looked(shape: &Shape) -> usize {
            ptr::from_ref(shape).addr()
        }
        let shapes = [bool::SHAPE, i64::SHAPE, <Vec<i64>>::SHAPE, f64::SHAPE, <Option<bool>>::SHAPE, String::SHAPE];
        for shape in shapes {
            assert_eq!(KEPT.get(shape, looked), looked(shape));
        }
        for shape in shapes {
            assert_eq!(KEPT.get(shape, |_| panic!("it was found")), looked(shape));
        }
    }

    #[test]
    fn threads_agree() {
        static KEPT: ByShape<usize> = ByShape::new();
        let shape = <Vec<u8>>::SHAPE;
        let found: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| KEPT.get(shape, |_| 7))).collect();
            threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
        });
        assert_eq!(found, [7; 4]);
    }
}
