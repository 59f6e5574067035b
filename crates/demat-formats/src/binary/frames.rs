//! The open containers of a source, which may outlive it.

use core::ops::{Deref, DerefMut};

/// Open containers that the source owns, or borrows from the format, which keeps them for the next window.
#[derive(Debug)]
pub(crate) enum Frames<'a, F> {
    Own(Vec<F>),
    Shared(&'a mut Vec<F>),
}

impl<F> Deref for Frames<'_, F> {
    type Target = Vec<F>;

    fn deref(&self) -> &Vec<F> {
        match self {
            Self::Own(frames) => frames,
            Self::Shared(frames) => frames,
        }
    }
}

impl<F> DerefMut for Frames<'_, F> {
    fn deref_mut(&mut self) -> &mut Vec<F> {
        match self {
            Self::Own(frames) => frames,
            Self::Shared(frames) => frames,
        }
    }
}
