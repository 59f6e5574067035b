use super::{RegionSink, RegionSource};
use crate::codec::{self, About, Codec, Reader, Records};
use crate::json::codec::REPEATED_KEYS;
use crate::nbt::codec::{DEPTH, UUIDS, read_options, write_options};
use crate::nbt::notes::VOCABULARY;
use crate::nbt::{Form, ReadOptions};
use crate::stream::{Bordered, Part, Windowed};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// Region files as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct RegionCodec;

/// Names, options and properties of the format.
pub static ABOUT: About = About {
    // The sink writes the header first, but knows it last.
    is_late: true,
    records: Records::Limited,
    // The chunk of a record is a value of another format.
    parts: Some("nbt"),
    notes: Some(&VOCABULARY),
    read: &[DEPTH, REPEATED_KEYS],
    write: &[UUIDS, DEPTH],
    ..About::new(
        "mca",
        &[".mca", ".mcr"],
        &["application/x-minecraft-region"],
        "Minecraft's region files; each chunk is a record of x, z, timestamp and chunk",
    )
};

impl Codec for RegionCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        Ok(Reader::other(Region::new(read_options(options))))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        Ok(Box::new(RegionSink::new(Output::new(Vec::new(), drain), &write_options(&options.own))))
    }
}

/// Region files as a format that is read through a window, which holds the whole file.
#[derive(Debug, Clone, Default)]
pub struct Region {
    options: ReadOptions,
}

impl Region {
    /// Returns a reader of region files. It ignores the variant in the options: chunks are of the Java variant.
    pub fn new(options: ReadOptions) -> Self {
        Self { options }
    }
}

impl Windowed for Region {
    type Source<'w> = RegionSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> RegionSource<'w> {
        let form = Form::of(&ReadOptions { variant: None, ..self.options });
        RegionSource::over(part, form, self.options.unpacked)
    }
}

/// Chunks may be anywhere in the file, so there are no record boundaries.
impl Bordered for Region {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
