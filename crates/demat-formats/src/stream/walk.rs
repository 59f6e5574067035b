//! Walks through a document to its records.

use super::header::{Collector, HeaderChange};
use super::record_paths::Node;
use super::{RecordPath, RecordPaths};
use demat_core::{Error, Kind, Mark, Result, Shape, Source};

mod child;
#[cfg(test)]
mod tests;

/// Steps through a document, window by window, to the values that a [path](RecordPath), or [several](RecordPaths),
/// select.
///
/// Each call is one step, and can be repeated: after [`Incomplete`](demat_core::Signal::Incomplete), refill the window,
/// [reset](Source::reset) a source over it to [`mark`](Self::mark), and call again. Skipped values need not fit the
/// window:
/// [`deepen`](Self::deepen) enters them, and skips them part by part.
///
/// A missing key or item is an error. After the last record, the rest of the document is read as strictly as by
/// decoding.
#[derive(Debug)]
pub struct Walk {
    paths: RecordPaths,
    /// The open containers of the paths, outermost first.
    open: Vec<Open>,
    phase: Phase,
    /// The node of the value that comes next, at a value of a path.
    node: usize,
    /// The path of the current record.
    selected: usize,
    /// For each node, whether the key or item of it was found in the container around it.
    found: Vec<bool>,
    /// The position of the source after the last step.
    mark: Mark,
    /// The open containers in a skipped value: whether each is a map.
    passed: Vec<bool>,
    /// Skipped values that begin before this offset of the window are entered, not skipped as a whole.
    deeper: usize,
    /// Whether anything was read.
    begun: bool,
    /// What is kept of the fields around the records.
    header: Option<Box<Collector>>,
    /// The key of the field that comes next, where it is kept.
    key: String,
}

#[derive(Debug, Default)]
struct Open {
    node: usize,
    /// The number of children passed.
    count: u64,
    /// The node of the current child, or of the last one that was on a path.
    child: usize,
    /// Whether each child is a record, and an item of a list.
    items: bool,
    /// The name of the current child, where each value of a map is selected. Where there is a header, also the key of
    /// the last child that was on a path.
    key: String,
    /// Whether that is its key, and not the name of a key that is no text.
    is_text: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// At a value of a path.
    Value,
    /// Between two children of the innermost container of a path.
    Children,
    /// In a skipped value: `true` at a value, `false` between two children.
    Passing(bool),
    /// At the value of a field that is kept.
    Beside,
    /// After the outermost value.
    After,
    /// At the end.
    Done,
}

impl Walk {
    /// Returns a walk before its first step.
    pub fn new(at: &RecordPath) -> Self {
        Self::of(RecordPaths::one(at))
    }

    /// Returns a walk to the records of several paths, before its first step.
    pub fn of(paths: RecordPaths) -> Self {
        let found = vec![false; paths.nodes().len()];
        Self {
            paths,
            open: Vec::new(),
            phase: Phase::Value,
            node: 0,
            selected: 0,
            found,
            mark: Mark::default(),
            passed: Vec::new(),
            deeper: 0,
            begun: false,
            header: None,
            key: String::new(),
        }
    }

    /// Keeps the fields around the records, for a [`Header`](super::Header). `shape` is that of the header: if it is a
    /// record that ignores unknown fields, the walk skips these; else the header has all fields.
    ///
    /// A header that has more than `limit` bytes of the document is an error.
    #[must_use]
    pub fn with_header(mut self, shape: Shape, limit: usize) -> Self {
        self.header = Some(Box::new(Collector::new(shape, limit)));
        self
    }

    /// Returns whether it [keeps](Self::with_header) the fields around the records.
    #[inline(always)]
    pub fn has_header(&self) -> bool {
        self.header.is_some()
    }

    /// Takes what was noted of the fields around the records since the last call.
    pub fn header_changes(&mut self) -> Vec<HeaderChange> {
        self.header.as_mut().map(|header| header.take()).unwrap_or_default()
    }

    /// Returns the number of the path that selects the current value.
    #[inline(always)]
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Returns the mark to [reset](Source::reset) a source to before the next step; `None` at the start.
    #[inline]
    pub fn mark(&self) -> Option<Mark> {
        self.begun.then_some(self.mark)
    }

    /// Returns the number of bytes of the window that are no longer needed.
    pub fn passed(&self) -> usize {
        if self.begun { self.mark.offset } else { 0 }
    }

    /// Returns whether anything was read.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Returns whether the walk is between two records of one list.
    pub fn is_among(&self) -> bool {
        self.phase == Phase::Children && self.open.last().is_some_and(|open| self.is_of_records(open))
    }

    /// Returns whether children of a container are records, and items of a list.
    fn is_of_records(&self, open: &Open) -> bool {
        match &self.paths.nodes()[open.node] {
            Node::Elements(names) => names.values().any(|child| self.record(*child).is_some()),
            _ => open.items,
        }
    }

    /// Returns the number of the path that selects a node.
    #[inline(always)]
    fn record(&self, node: usize) -> Option<usize> {
        if let Node::Record(path) = &self.paths.nodes()[node] { Some(*path) } else { None }
    }

    /// Adjusts offsets after the window has consumed its first bytes.
    pub fn moved(&mut self, bytes: usize) {
        if self.begun {
            self.mark.offset -= bytes;
        }
        self.deeper = self.deeper.saturating_sub(bytes);
    }

    /// Steps to the next value that the path selects. Returns `false` at the end of the document. Read the value, then
    /// call
    /// [`taken`](Self::taken).
    ///
    /// # Errors
    /// What the source reports, or if the path does not exist.
    #[inline(always)]
    pub fn next<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        if self.phase == Phase::Children && self.open.last().is_some_and(|open| open.items) {
            if source.item()? {
                return Ok(true);
            }
            self.close();
            self.mark = source.mark();
        }
        self.step(source)
    }

    /// Returns the key of the current value, if the path selects each value of a map, and the key is text.
    pub fn key(&self) -> Option<&str> {
        let open = self.open.last().filter(|open| open.is_text)?;
        match self.paths.nodes()[open.node] {
            Node::Values(child) => self.record(child).map(|_| open.key.as_str()),
            _ => None,
        }
    }

    /// Moves past the current value, which has been read.
    #[inline(always)]
    pub fn taken<'a, S: Source<'a>>(&mut self, source: &S) {
        self.mark = source.mark();
        self.begun = true;
        match self.open.last_mut() {
            Some(open) => {
                open.count += 1;
                self.phase = Phase::Children;
            }
            None => self.phase = Phase::After,
        }
    }

    #[inline(never)]
    fn step<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        loop {
            match self.phase {
                Phase::Value => {
                    if let Some(path) = self.record(self.node) {
                        self.selected = path;
                        return Ok(true);
                    }
                    self.enter(source)?;
                }
                Phase::Children => {
                    if self.child(source)? {
                        return Ok(true);
                    }
                }
                Phase::Passing(at_value) => self.pass(source, at_value)?,
                Phase::Beside => {
                    if let Some(header) = &mut self.header {
                        header.read(source, &self.key).map_err(|error| error.within_field(self.key.clone()))?;
                    }
                    self.left();
                }
                Phase::After => {
                    source.end()?;
                    self.phase = Phase::Done;
                    return Ok(false);
                }
                Phase::Done => return Ok(false),
            }
            self.mark = source.mark();
            self.begun = true;
        }
    }

    /// Leaves the innermost container.
    fn close(&mut self) {
        if let Some(open) = self.open.pop()
            && self.header.is_some()
            && self.is_in_header(open.node)
            && let Some(header) = &mut self.header
        {
            header.leave();
        }
        self.left();
    }

    /// Moves past a child.
    fn left(&mut self) {
        match self.open.last_mut() {
            Some(open) => {
                open.count += 1;
                self.phase = Phase::Children;
            }
            None => self.phase = Phase::After,
        }
    }

    /// Takes a step in a skipped value.
    fn pass<'a, S: Source<'a>>(&mut self, source: &mut S, at_value: bool) -> Result<()> {
        if !at_value {
            let more = if self.passed.last() == Some(&true) {
                let more = source.entry()?;
                if more {
                    source.skip()?;
                    source.value()?;
                }
                more
            } else {
                source.item()?
            };
            if more {
                self.phase = Phase::Passing(true);
            } else {
                self.passed.pop();
                self.passed_value();
            }
            return Ok(());
        }
        let deeper = source.mark().offset < self.deeper;
        if deeper && matches!(self.paths.nodes()[0], Node::Elements(_)) {
            source.elements()?;
            self.passed.push(false);
            self.phase = Phase::Passing(false);
            return Ok(());
        }
        let kind = if deeper { source.peek()? } else { Kind::Null };
        match kind {
            Kind::List => source.list()?,
            Kind::Map => source.map()?,
            _ => {
                source.skip()?;
                self.passed_value();
                return Ok(());
            }
        };
        self.passed.push(kind == Kind::Map);
        self.phase = Phase::Passing(false);
        Ok(())
    }

    fn passed_value(&mut self) {
        if self.passed.is_empty() {
            self.left();
        } else {
            self.phase = Phase::Passing(false);
        }
    }

    /// Call it if a skipped value does not fit a window of this length. The next steps enter it, and all values in it
    /// that begin in the window's first half; so the work stays linear in the input at any depth. Returns false if
    /// there is no such value, or if this was tried before.
    pub fn deepen(&mut self, window: usize) -> bool {
        if self.phase == Phase::Beside
            && let Some(header) =
                self.header.as_mut().filter(|header| window.saturating_sub(self.mark.offset) > header.limit())
        {
            header.set_too_long();
            return true;
        }
        let can = self.phase == Phase::Passing(true) && self.mark.offset >= self.deeper;
        if can {
            self.deeper = (window / 2).max(self.mark.offset + 1);
        }
        can
    }

    /// Adds the path of the current position, or of the selected value, to an error.
    #[cold]
    #[must_use]
    pub fn within(&self, mut error: Error, selected: bool) -> Error {
        if error.signal().is_some() {
            return error;
        }
        let at_child = selected || self.phase == Phase::Value;
        let levels = if at_child { self.open.len() } else { self.open.len().saturating_sub(1) };
        for open in self.open.iter().take(levels).rev() {
            error = match &self.paths.nodes()[open.node] {
                Node::Elements(names) => {
                    let name = names.iter().find(|(_, child)| **child == open.child).map(|(name, _)| name.clone());
                    error.within_field(name.unwrap_or_default())
                }
                Node::Keys(_) | Node::Values(_) => {
                    error.within_field(self.key_of(open).unwrap_or_default().to_string())
                }
                Node::Indices(_) | Node::Each(_) | Node::Record(_) => error.within_item(open.count as usize),
            };
        }
        error
    }
}
