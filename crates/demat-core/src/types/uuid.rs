//! UUIDs of the crate `uuid`.

use crate::{Decode, Encode, Result, Shape, Shaped, Sink, Source, scalar};
use uuid::Uuid;

impl Shaped for Uuid {
    const SHAPE: &'static Shape = &Shape::Uuid;
}

impl Encode for Uuid {
    fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
        sink.uuid(scalar::Uuid(*self.as_bytes()))
    }
}

impl<'a> Decode<'a> for Uuid {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        source.uuid().map(|own| Self::from_bytes(own.0))
    }
}
