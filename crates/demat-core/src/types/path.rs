//! Paths of files: text in every format. A path that is not UTF-8 can't be encoded.

use super::unencodable;
use crate::{Decode, Encode, Result, Shape, Shaped, Sink, Source};
use std::path::{Path, PathBuf};

macro_rules! paths {
    ($($path:ty)*) => {$(
        impl Shaped for $path {
            const SHAPE: &'static Shape = &Shape::Text;
        }

        impl Encode for $path {
            fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
                match self.to_str() {
                    Some(text) => sink.text(text),
                    None => Err(unencodable(format!("the path `{}` is not UTF-8", self.display()))),
                }
            }
        }
    )*};
}

paths! { Path PathBuf &Path }

impl<'a> Decode<'a> for PathBuf {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        source.text().map(|text| Self::from(&*text))
    }
}

impl<'a: 'b, 'b> Decode<'a> for &'b Path {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        <&str>::decode(source).map(Path::new)
    }
}

impl<'a> Decode<'a> for Box<Path> {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        PathBuf::decode(source).map(Self::from)
    }
}
