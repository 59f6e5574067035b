use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use demat_core::Shape;

/// Cache of shapes that the fast path cannot handle, so that it is not tried again.
///
/// The cache is lossy: of two shapes in the same slot it keeps the later one. The fast path is then tried again for the
/// other.
pub(crate) struct GivenUp {
    places: [AtomicPtr<Shape>; PLACES],
}

const PLACES: usize = 64;

impl GivenUp {
    pub(crate) const fn new() -> Self {
        Self { places: [const { AtomicPtr::new(ptr::null_mut()) }; PLACES] }
    }

    #[inline]
    fn place(&self, shape: &'static Shape) -> &AtomicPtr<Shape> {
        // Shapes have at least this distance in memory.
        &self.places[ptr::from_ref(shape).addr() / size_of::<Shape>() % PLACES]
    }

    #[inline]
    pub(crate) fn has(&self, shape: &'static Shape) -> bool {
        ptr::eq(self.place(shape).load(Ordering::Relaxed), shape)
    }

    #[cold]
    pub(crate) fn add(&self, shape: &'static Shape) {
        self.place(shape).store(ptr::from_ref(shape).cast_mut(), Ordering::Relaxed);
    }
}
