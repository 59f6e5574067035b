use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use demat_core::Shape;

/// The shapes whose types have other fields than the direct way knows, as far as was seen: for those it is not tried again.
///
/// It is a memory that forgets: of two shapes in the same place the later one is remembered, and the other tried again.
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
        // Shapes lie at least so far apart.
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
