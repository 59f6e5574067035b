//! `Sink` for references to sinks and for boxes with one.

use crate::{Sink, forward};

impl<S: Sink + ?Sized> Sink for &mut S {
    forward! { self => (**self); scalars containers keys marks begin stated as_is begin_list_of empty_list empty_map runs }
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    forward! { self => (**self); scalars containers keys marks begin stated as_is begin_list_of empty_list empty_map runs }
}
