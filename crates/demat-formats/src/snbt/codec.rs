use super::SnbtSink;
use super::parse::parse;
use crate::codec::{self, About, Codec, Reader, Records, Setting, SettingValue, Values};
use crate::json::codec::REPEATED_KEYS;
use crate::nbt::codec::{DEPTH, UUIDS, read_options, write_options};
use crate::nbt::notes::VOCABULARY;
use crate::nbt::places::Places;
use crate::nbt::{Broken, Form, Frame, Frames, NbtSource, ReadOptions, Readiness};
use crate::stream::{Bordered, Part, Windowed};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// SNBT as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct SnbtCodec;

const INDENT: Setting =
    Setting::new("indent", Values::OptionalCount, "None", "how many spaces a level is indented by; none: one line");

/// Names, options and properties of the format.
pub static ABOUT: About = About {
    content_type: Some("text/x-minecraft-snbt; charset=utf-8"),
    is_late: true,
    // SNBT has no null.
    records: Records::Limited,
    ending: "\n",
    notes: Some(&VOCABULARY),
    read: &[DEPTH, REPEATED_KEYS],
    write: &[INDENT, UUIDS, DEPTH],
    ..About::new(
        "snbt",
        &[".snbt"],
        &["text/x-minecraft-snbt"],
        "SNBT, the text form of NBT; a list is a list of records",
    )
};

impl Codec for SnbtCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        Ok(Reader::other(Snbt::new(read_options(options))))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let indent = match options.own.get(&INDENT) {
            Some(SettingValue::Count(spaces)) => Some((*spaces).min(MOST_SPACES)),
            _ => None,
        };
        Ok(Box::new(SnbtSink::new(Output::new(Vec::new(), drain), &write_options(&options.own), indent)))
    }
}

/// The maximum indentation of a level in spaces.
const MOST_SPACES: u32 = 255;

/// SNBT as a format that is read through a window, which holds the whole text.
#[derive(Debug, Clone, Default)]
pub struct Snbt {
    options: ReadOptions,
    frames: Vec<Frame>,
    parsed: Option<core::result::Result<(Vec<u8>, Places), Broken>>,
}

impl Snbt {
    /// Returns a reader of SNBT with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, frames: Vec::new(), parsed: None }
    }
}

impl Windowed for Snbt {
    type Source<'w> = NbtSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> NbtSource<'w> {
        let form = Form::of(&ReadOptions { variant: None, root: crate::nbt::Root::Named, ..self.options });
        if part.last && self.parsed.is_none() {
            let parsed = parse(part.bytes, form.depth);
            let parsed = parsed.map(|(document, places)| (document, Places::Text(places)));
            self.parsed = Some(parsed.map_err(|error| Broken::of(&error)));
        }
        let frames = Frames::Shared(&mut self.frames);
        match &self.parsed {
            Some(Ok((document, places))) => {
                NbtSource::with(Part::whole(document), form, frames).held(Readiness::Ready, Some(places))
            }
            Some(Err(broken)) => {
                NbtSource::with(part, form, frames).held(Readiness::Broken(Box::new(broken.clone())), None)
            }
            None => NbtSource::with(part, form, frames).held(Readiness::Waiting, None),
        }
    }
}

/// Quoted text may hold any bytes, so there are no record boundaries.
impl Bordered for Snbt {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
