//! Edits the records of a file, and leaves all other bytes as they are.

#[cfg(test)]
mod tests;

use crate::input::{OnProgress, Progress};
use crate::lift::lift;
use crate::plan::{self, CopyPlan};
use crate::{Bound, Format, Input, Place, ReadOptions, Sample, Target, Where};
use core::fmt;
use demat_core::{Error, ErrorKind, InferenceOptions, Result, Shape};
use demat_formats::codec::{Model, Visitor};
use demat_formats::stream::{Bordered, Change, Choice, Edited, RecordPath, Window, edit_at};

/// An edit of the records of one file, in one pass and in bounded memory.
///
/// The file is replaced once all of it was written, or stays as it is: after an error, and if nothing was to change. It
/// keeps its compression.
///
/// ```
/// # fn main() -> demat_core::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("levels.json");
/// use demat_core::{Result, Source};
/// use demat_formats::stream::{Change, Found};
/// use demat_place::{EditJob, Format, Place};
///
/// struct Cap;
/// impl Change for Cap {
///     fn change(&mut self, source: &mut dyn Source<'_>, _: &Found<'_>) -> Result<Option<Vec<u8>>> {
///         Ok((source.float()? > 9.0).then(|| b"9.0".to_vec()))
///     }
/// }
///
/// std::fs::write(&path, "{ \"levels\": [1.50, 12, 3e0] }")?;
/// let done = EditJob::new(Place::from(&path), Format::JSON).at("$.levels[*]".parse()?).run(&mut Cap)?;
/// assert_eq!((done.records, done.changed), (3, 1));
/// assert_eq!(std::fs::read_to_string(&path)?, "{ \"levels\": [1.50, 9.0, 3e0] }");
/// # Ok(())
/// # }
/// ```
pub struct EditJob<'j> {
    place: Place,
    format: Format,
    to: Option<Place>,
    options: ReadOptions,
    shape: Shape,
    at: RecordPath,
    condition: Option<Where>,
    progress: Option<OnProgress<'j>>,
}

impl<'j> EditJob<'j> {
    /// Edits the items of the outermost list.
    pub fn new(place: Place, format: Format) -> Self {
        Self {
            place,
            format,
            to: None,
            options: format.read_options(),
            shape: Shape::Any,
            at: RecordPath::items(),
            condition: None,
            progress: None,
        }
    }

    /// Edits the records that a path selects.
    #[must_use]
    pub fn at(mut self, at: RecordPath) -> Self {
        self.at = at;
        self
    }

    /// Gives the change only the records that a condition holds for.
    #[must_use]
    pub fn matching(mut self, condition: Where) -> Self {
        self.condition = Some(condition);
        self
    }

    /// Sets the shape of the records, whose fields the condition names; without it, the condition is about what they hold.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// Sets the options for reading.
    #[must_use]
    pub fn read_options(mut self, options: ReadOptions) -> Self {
        self.options = options;
        self
    }

    /// Writes another file, and leaves the one that is read as it is.
    #[must_use]
    pub fn to(mut self, place: Place) -> Self {
        self.to = Some(place);
        self
    }

    /// Calls a function now and then; its error ends the edit.
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(Progress) -> Result<()> + Send + 'j) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Edits.
    ///
    /// # Errors
    /// If the place is no file, or its format has no records that can be replaced by themselves; those of reading and
    /// writing; and those of the change. Nothing is written then.
    pub fn run(mut self, change: &mut dyn Change) -> Result<Edited> {
        let name = self.place.name_as_source();
        let file = |place: &Place| matches!(place, Place::File(_));
        if !file(&self.place) || !self.to.as_ref().is_none_or(file) {
            let message = "only files can be edited: other places are copied, or updated by their own means";
            return Err(Error::new(ErrorKind::Constraint, message).in_place(name));
        }
        let about = self.format.about();
        let lines = about.model == Model::JsonLines;
        let is_spliced = about.values_stand_alone || lines;
        let Some(codec) = self.format.codec().filter(|codec| is_spliced || codec.rewrites()) else {
            let format = self.format;
            let message =
                format!("{format} can't be edited: a value in its documents is not written as it is by itself");
            return Err(Error::new(ErrorKind::Constraint, message).in_place(name));
        };
        if (lines || about.model == Model::Cells) && self.at != RecordPath::items() {
            let (format, whole) = (self.format, if lines { "lines" } else { "rows" });
            let message = format!("{format} is edited by whole {whole}, and the path leads into them");
            return Err(Error::new(ErrorKind::Constraint, message).in_place(name));
        }
        let input = Input::open_with(&self.place, None, self.progress.take())?;
        let packed = self.to.as_ref().map_or(input.compression(), Place::compression);
        let target = Target::create_packed(self.to.as_ref().unwrap_or(&self.place), packed)?;
        let window = Window::new(input).with_limit(self.options.window);
        let reader = codec.reader(&self.options)?;
        let is_new = self.to.is_some();
        let (edited, target) = reader.visit(RunEdit { job: self, lines, window, target, change })?;
        if edited.changed > 0 || is_new {
            target.finish()?;
        }
        Ok(edited)
    }
}

impl fmt::Debug for EditJob<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EditJob").field("place", &self.place).field("to", &self.to).finish_non_exhaustive()
    }
}

struct RunEdit<'j, 'c> {
    job: EditJob<'j>,
    lines: bool,
    window: Window<Input<'j>>,
    target: Target,
    change: &'c mut dyn Change,
}

impl Visitor for RunEdit<'_, '_> {
    type Output = Result<(Edited, Target)>;

    fn visit<F: Bordered + 'static>(mut self, mut reader: F) -> Self::Output {
        let name = self.job.place.name_as_source();
        let bound = self.bound(&mut reader).map_err(|error| lift(error).in_place(&name))?;
        let Self { job, lines, mut window, mut target, change } = self;
        let mut decide = bound.map(|bound| (bound.shape().clone(), bound.sink()));
        let mut choice = decide.as_mut().map(|(shape, sink)| Choice::new(shape.clone(), sink));
        let out = &mut |bytes: &[u8]| target.write(bytes);
        let shape = job.shape.list();
        let edited = edit_at(&mut window, &mut reader, (&job.at, lines), &shape, change, choice.as_mut(), out);
        let edited = edited.map_err(|error| lift(error).in_place(&name))?;
        Ok((edited, target))
    }
}

impl RunEdit<'_, '_> {
    /// Compiles the condition. If the records' shape is unknown, a sample says which fields there are.
    fn bound<F: Bordered>(&mut self, reader: &mut F) -> Result<Option<Bound>> {
        let Some(condition) = &self.job.condition else { return Ok(None) };
        if let Some(bound) = condition.bound_to(&self.job.shape.clone().list(), false)? {
            return Ok(Some(bound));
        }
        let EditJob { place, options, at, .. } = &self.job;
        let how = (InferenceOptions::default(), false);
        let seen = plan::learn(place, options, Sample::default(), &mut self.window, reader, how, (Some(at), None))?;
        condition.bound_to(&seen.shape, true).map_err(|error| CopyPlan::explain(seen.inferred, error))
    }
}
