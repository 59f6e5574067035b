//! Places open for writing.

use crate::lift::refused;
use crate::{AtomicFile, Compression, Place};
use core::fmt;
use demat_core::{Error, Result};
use flate2::write::GzEncoder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A place open for writing; compressed according to its suffix.
///
/// A file appears complete or not at all ([`AtomicFile`]). Other places (a terminal, a pipe, a device, standard output)
/// get the bytes as they are written, unless they are held back until all are known to be valid. A copy passes on what
/// it has written before it waits for more input.
pub struct Target {
    shared: Arc<Mutex<Shared>>,
    place: String,
    can_patch: bool,
    is_prompt: bool,
}

/// What a target shares with the input that is copied to it.
struct Shared {
    /// `None` when all is written.
    packer: Option<Packer>,
    /// What only has to appear.
    complete: Option<Raw>,
    /// Bytes that are not yet written, since more may come at once.
    gathered: Vec<u8>,
    /// Why the last flush failed.
    failure: Option<io::Error>,
}

/// Passes on what was written to targets, before somebody waits for input.
#[derive(Clone)]
pub(crate) struct Flusher {
    targets: Vec<(Arc<Mutex<Shared>>, String)>,
}

enum Packer {
    Plain(Raw),
    Gzip(Box<GzEncoder<Raw>>),
    Zstd(Box<zstd::Encoder<'static, Raw>>),
}

/// The destination of the bytes.
enum Raw {
    Atomic(AtomicFile),
    Direct(Direct),
    /// Held in an unnamed file until all is known to be valid.
    Held(File, Direct),
}

enum Direct {
    Standard(io::Stdout),
    Special(File),
    Given(Box<dyn Write + Send>),
}

/// The number of gathered bytes that are written at once.
const MUCH: usize = 64 * 1024;

/// The default level of gzip.
const GZIP_LEVEL: u32 = 6;
/// The default level of zstd.
const ZSTD_LEVEL: i32 = 3;

impl Target {
    /// Opens a place.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn create(place: &Place) -> Result<Self> {
        Self::open(place, place.compression(), false)
    }

    /// Opens a place with this compression, regardless of its suffix.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn create_packed(place: &Place, compression: Option<Compression>) -> Result<Self> {
        Self::open(place, compression, false)
    }

    /// Opens a place that gets nothing before [`finish`](Self::finish), even if it is no file: the bytes wait in an
    /// unnamed file.
    ///
    /// ```
    /// # fn main() -> demat_core::Result<()> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("numbers");
    /// use demat_place::{Place, Target};
    /// let mut target = Target::create_held(&Place::from(&path), None)?;
    /// target.write(b"[1,2]")?;
    /// assert!(!path.exists());
    /// target.finish()?;
    /// assert_eq!(std::fs::read(&path)?, b"[1,2]");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn create_held(place: &Place, compression: Option<Compression>) -> Result<Self> {
        Self::open(place, compression, true)
    }

    /// Returns a target over a writer, which gets the bytes as they are written. `name` is its name in errors.
    ///
    /// ```
    /// use demat_place::Target;
    /// use std::io::empty;
    /// let mut target = Target::over(empty(), "nowhere".to_string(), None)?;
    /// target.write(b"[1,2]")?;
    /// target.finish()?;
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn over(writer: impl Write + Send + 'static, name: String, compression: Option<Compression>) -> Result<Self> {
        Self::given(Box::new(writer), name, compression, false)
    }

    pub(crate) fn given(
        writer: Box<dyn Write + Send>,
        name: String,
        compression: Option<Compression>,
        held: bool,
    ) -> Result<Self> {
        let direct = Direct::Given(writer);
        let raw = if held { tempfile::tempfile().map(|file| Raw::Held(file, direct)) } else { Ok(Raw::Direct(direct)) };
        let packer = raw.and_then(|raw| Packer::new(raw, compression));
        let packer = packer.map_err(|cause| refused("can't be written", &name, cause))?;
        Ok(Self::of(packer, name))
    }

    fn of(packer: Packer, place: String) -> Self {
        let can_patch = matches!(packer, Packer::Plain(Raw::Atomic(_) | Raw::Held(..)));
        let is_prompt = matches!(packer.raw(), Raw::Direct(_));
        let shared = Shared { packer: Some(packer), complete: None, gathered: Vec::new(), failure: None };
        Self { shared: Arc::new(Mutex::new(shared)), place, can_patch, is_prompt }
    }

    /// `held`: whether nothing is written before [`finish`](Self::finish), even if it is no file.
    pub(crate) fn open(place: &Place, compression: Option<Compression>, held: bool) -> Result<Self> {
        let name = place.name_as_target();
        let opened = Raw::open(place, held).and_then(|raw| Packer::new(raw, compression));
        let packer = opened.map_err(|cause| refused("can't be written", &name, cause))?;
        Ok(Self::of(packer, name))
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = held(&self.shared).write(bytes);
        written.map_err(|cause| refused("can't be written", &self.place, cause))
    }

    /// Writes bytes; if there are few, later, but before somebody [waits](Self::flusher) for input.
    pub(crate) fn gather(&mut self, bytes: &[u8]) -> Result<()> {
        let gathered = held(&self.shared).gather(bytes, self.is_prompt);
        gathered.map_err(|cause| refused("can't be written", &self.place, cause))
    }

    /// Whether others see the bytes as they are written: in a pipe or a writer, but not in a file.
    pub fn is_prompt(&self) -> bool {
        self.is_prompt
    }

    /// Passes on all that was written, also what a compression keeps back.
    ///
    /// ```
    /// use demat_place::Target;
    /// use std::io::empty;
    /// let mut target = Target::over(empty(), "nowhere".to_string(), None)?;
    /// target.write(b"[1,2]")?;
    /// target.flush()?;
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn flush(&mut self) -> Result<()> {
        let flushed = held(&self.shared).flush_all();
        flushed.map_err(|cause| refused("can't be written", &self.place, cause))
    }

    /// Whether it is a file, which nobody sees before it is finished.
    pub(crate) fn can_be_undone(&self) -> bool {
        let shared = held(&self.shared);
        let raw = shared.packer.as_ref().map(Packer::raw).or(shared.complete.as_ref());
        matches!(raw, Some(Raw::Atomic(_)))
    }

    /// Gathers bytes until it is worth to write them, although others see them.
    pub(crate) fn relax(&mut self) {
        self.is_prompt = false;
    }

    /// Returns what passes on the bytes that were written; `None` if nobody sees them before the end.
    pub(crate) fn flusher(&self) -> Option<Flusher> {
        self.is_prompt.then(|| Flusher { targets: vec![(Arc::clone(&self.shared), self.place.clone())] })
    }

    /// Whether bytes that were written can be overwritten: in a file that is not packed.
    pub fn can_patch(&self) -> bool {
        self.can_patch
    }

    /// Overwrites bytes that were written. `back` is the distance of the first of them from the end of the output.
    ///
    /// ```
    /// # fn main() -> demat_core::Result<()> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("count");
    /// use demat_place::{Place, Target};
    /// let mut target = Target::create(&Place::named(path.as_os_str()))?;
    /// target.write(b"? items")?;
    /// target.patch(7, b"3")?;
    /// target.write(b" in all")?;
    /// target.finish()?;
    /// assert_eq!(std::fs::read(&path)?, b"3 items in all");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io), also if that is [not possible](Self::can_patch).
    pub fn patch(&mut self, back: u64, bytes: &[u8]) -> Result<()> {
        let patched = match &mut held(&self.shared).packer {
            Some(Packer::Plain(Raw::Atomic(file))) => file.file().and_then(|file| patch(file, back, bytes)),
            Some(Packer::Plain(Raw::Held(file, _))) => patch(file, back, bytes),
            _ => Err(io::ErrorKind::NotSeekable.into()),
        };
        patched.map_err(|cause| refused("can't be written", &self.place, cause))
    }

    /// Writes what is left, to the disk if it is a file, but does not let the place appear yet. Nothing more can be
    /// written then.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub(crate) fn complete(&mut self) -> Result<()> {
        let completed = held(&self.shared).complete();
        completed.map_err(|cause| refused("can't be written", &self.place, cause))
    }

    /// Writes what is left, and lets the place appear.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn finish(mut self) -> Result<()> {
        self.complete()?;
        let Self { shared, place, .. } = self;
        let complete = held(&shared).complete.take();
        complete.map_or(Ok(()), Raw::finish).map_err(|cause| refused("can't be written", place, cause))
    }
}

/// A thread that panicked while it wrote left bytes that are whole or missing, as after any error.
fn held(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(packer) = &mut self.packer else { return Ok(()) };
        let gathered = core::mem::take(&mut self.gathered);
        if !gathered.is_empty() {
            packer.writer().write_all(&gathered)?;
        }
        packer.writer().write_all(bytes)
    }

    fn gather(&mut self, bytes: &[u8], is_prompt: bool) -> io::Result<()> {
        if !is_prompt || bytes.len() >= MUCH {
            return self.write(bytes);
        }
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= MUCH { self.write(&[]) } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gathered.is_empty() { Ok(()) } else { self.flush_all() }
    }

    fn complete(&mut self) -> io::Result<()> {
        self.write(&[])?;
        let Some(packer) = self.packer.take() else { return Ok(()) };
        let mut raw = packer.finish()?;
        match &mut raw {
            Raw::Atomic(file) => file.sync()?,
            Raw::Direct(direct) => direct.writer().flush()?,
            Raw::Held(..) => {}
        }
        self.complete = Some(raw);
        Ok(())
    }

    fn flush_all(&mut self) -> io::Result<()> {
        self.write(&[])?;
        self.packer.as_mut().map_or(Ok(()), |packer| packer.writer().flush())
    }
}

impl Flusher {
    /// Passes on what was written.
    ///
    /// # Errors
    /// If the target fails: [`failure`](Self::failure) then has the cause.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.targets.iter().try_for_each(|(shared, _)| {
            let mut shared = held(shared);
            shared.flush().map_err(|cause| {
                shared.failure = Some(cause);
                io::ErrorKind::BrokenPipe.into()
            })
        })
    }

    /// Returns why a target failed.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.targets.iter().find_map(|(shared, place)| {
            let failure = held(shared).failure.take();
            failure.map(|cause| refused("can't be written", place, cause))
        })
    }

    /// Passes on what was written to the targets of another one, too.
    pub(crate) fn and(mut self, other: Option<Self>) -> Self {
        self.targets.extend(other.into_iter().flat_map(|other| other.targets));
        self
    }
}

impl fmt::Debug for Flusher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.targets.iter().map(|(_, place)| place)).finish()
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Packer {
    fn new(raw: Raw, compression: Option<Compression>) -> io::Result<Self> {
        Ok(match compression {
            None => Self::Plain(raw),
            Some(Compression::Gzip) => Self::Gzip(Box::new(GzEncoder::new(raw, flate2::Compression::new(GZIP_LEVEL)))),
            Some(Compression::Zstd) => {
                let mut encoder = zstd::Encoder::new(raw, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(Box::new(encoder))
            }
        })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(raw) => raw,
            Self::Gzip(encoder) => encoder,
            Self::Zstd(encoder) => encoder,
        }
    }

    fn raw(&self) -> &Raw {
        match self {
            Self::Plain(raw) => raw,
            Self::Gzip(encoder) => encoder.get_ref(),
            Self::Zstd(encoder) => encoder.get_ref(),
        }
    }

    fn finish(self) -> io::Result<Raw> {
        match self {
            Self::Plain(raw) => Ok(raw),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl Raw {
    fn open(place: &Place, held: bool) -> io::Result<Self> {
        let direct = match place {
            Place::File(path) => match special(path)? {
                Some(file) => Direct::Special(file),
                None => return AtomicFile::create(path).map(Self::Atomic),
            },
            Place::Standard => Direct::Standard(io::stdout()),
            Place::Database(database) => return AtomicFile::create(&database.path).map(Self::Atomic),
            Place::Given(_) => return Err(crate::input::not_given("writer")),
            Place::Collection(_) | Place::Server(_) => return Err(io::ErrorKind::IsADirectory.into()),
        };
        Ok(if held { Self::Held(tempfile::tempfile()?, direct) } else { Self::Direct(direct) })
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Atomic(file) => file.commit(),
            Self::Direct(mut direct) => direct.writer().flush(),
            Self::Held(mut file, mut direct) => {
                file.rewind()?;
                io::copy(&mut file, direct.writer())?;
                direct.writer().flush()
            }
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Atomic(file) => file,
            Self::Direct(direct) => direct.writer(),
            Self::Held(file, _) => file,
        }
    }
}

impl Write for Raw {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Direct {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Standard(stdout) => stdout,
            Self::Special(file) => file,
            Self::Given(writer) => writer,
        }
    }
}

/// Overwrites bytes of an open file. `back` is the distance of the first of them from the end of the file.
fn patch(mut file: &File, back: u64, bytes: &[u8]) -> io::Result<()> {
    let back = i64::try_from(back).map_err(|_| io::ErrorKind::InvalidInput)?;
    file.seek(SeekFrom::End(-back))?;
    file.write_all(bytes)?;
    file.seek(SeekFrom::End(0)).map(drop)
}

/// Opens what is there but no file: a name in its place would not be that device any more.
fn special(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(about) if !about.is_file() => OpenOptions::new().write(true).open(path).map(Some),
        _ => Ok(None),
    }
}
