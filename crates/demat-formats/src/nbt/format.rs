use super::detect::{detect, has_header};
use super::options::Packing;
use super::source::{Broken, Form, Frame, Frames, Readiness, Search};
use super::{NbtSource, ReadOptions, Variant};
use crate::stream::{Bordered, ItemScan, Part, Windowed};
use demat_core::{Mark, Source};

/// NBT as a format that is read through a window.
///
/// It holds a packed document in memory as a whole, packed and unpacked.
#[derive(Debug, Clone, Default)]
pub struct Nbt {
    options: ReadOptions,
    /// How the document is encoded, once detected.
    form: Option<Form>,
    /// The open lists and compounds. The source of the next window continues with them.
    frames: Vec<Frame>,
    unpacked: Unpacked,
    /// The number of bytes that the last attempt to detect the variant had.
    detected: usize,
    /// The search for the end of an item.
    scan: ItemScan<Search>,
}

/// The state of unpacking.
#[derive(Debug, Clone, Default)]
enum Unpacked {
    /// It is not known yet whether the document is packed.
    #[default]
    Unknown,
    Plain,
    Whole(Vec<u8>),
    Broken(Box<Broken>),
}

impl Nbt {
    /// Returns a reader of NBT with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Unpacks the document if it is packed. Returns false if it needs more of the input.
    fn unpack(&mut self, part: Part<'_>) -> bool {
        if !matches!(self.unpacked, Unpacked::Unknown) {
            return true;
        }
        let Some(packing) = Packing::of(part.bytes) else {
            let is_plain = part.bytes.len() > 1 || part.last || part.base.offset > 0;
            if is_plain {
                self.unpacked = Unpacked::Plain;
            }
            return is_plain;
        };
        if part.last {
            self.unpacked = match packing.unpack(part.bytes, self.options.unpacked) {
                Ok(bytes) => Unpacked::Whole(bytes),
                Err(error) => Unpacked::Broken(Box::new(Broken::of(&error))),
            };
        }
        part.last
    }
}

/// Returns how a document is encoded. Returns `None` if it needs more of the input.
fn form_of(options: &ReadOptions, part: Part<'_>) -> Option<Form> {
    let form = Form::of(options);
    match options.variant {
        None => detect(part, form),
        Some(Variant::Bedrock) => has_header(part).map(|header| Form { header, ..form }),
        Some(_) => Some(form),
    }
}

impl Windowed for Nbt {
    type Source<'w> = NbtSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> NbtSource<'w> {
        let is_unpacked = self.unpack(part);
        let whole = match &self.unpacked {
            Unpacked::Whole(bytes) => Some(Part::whole(bytes)),
            _ => None,
        };
        // Detection begins anew with each attempt, so it waits for half as many bytes again.
        let len = part.bytes.len();
        if is_unpacked && self.form.is_none() && (part.last || len >= self.detected + self.detected / 2) {
            self.detected = len;
            self.form = form_of(&self.options, whole.unwrap_or(part));
        }
        let form = self.form.unwrap_or_else(|| Form::of(&self.options));
        let source = NbtSource::with(whole.unwrap_or(part), form, Frames::Shared(&mut self.frames));
        match &self.unpacked {
            Unpacked::Whole(_) => source.held(Readiness::Ready, None),
            Unpacked::Broken(broken) => source.held(Readiness::Broken(broken.clone()), None),
            Unpacked::Unknown => source.waiting(),
            Unpacked::Plain if self.form.is_none() => source.waiting(),
            Unpacked::Plain => source,
        }
    }

    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        if !matches!(self.unpacked, Unpacked::Plain) || self.form.is_none() {
            return None;
        }
        let mut scan = core::mem::take(&mut self.scan);
        let mut source = self.source(part);
        source.reset(mark);
        let holds = scan.holds_item(part, mark, |at, search| source.find_end_of_item(at, search));
        self.scan = scan;
        Some(holds)
    }
}

/// No byte sequence marks the beginning of a value, so there are no record boundaries.
impl Bordered for Nbt {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
