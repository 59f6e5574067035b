use super::ReadOptions;
use super::schema::Schema;
use super::source::{Plan, RawSource, State};
use crate::stream::{Bordered, ItemScan, Part, Windowed};
use demat_core::{Mark, Result, Shape, Source};

/// Raw as a format that is read through a window.
#[derive(Debug, Clone)]
pub struct Raw {
    plan: Plan,
    state: State,
    /// The search for the end of an item, with the state of the mark that it has advanced to.
    scan: ItemScan<Option<[u32; 4]>>,
}

impl Raw {
    /// Returns raw that is read with these options.
    ///
    /// # Errors
    /// If the writer's shape can't be compiled.
    pub fn new(options: &ReadOptions) -> Result<Self> {
        let mut writers = Vec::new();
        if let Some(writer) = &options.writer {
            writers.push(Schema::of(writer)?);
            // `begin` receives the shape of one record, and the data may be a list of them.
            writers.push(Schema::of(&writer.clone().list())?);
        }
        let plan = Plan { own: Vec::new(), writers, depth: options.depth };
        Ok(Self { plan, state: State::default(), scan: ItemScan::default() })
    }

    /// Returns a source of a whole document. Call [`begin`](Windowed::begin) before.
    pub fn whole<'a>(&mut self, part: Part<'a>) -> RawSource<'a, '_> {
        RawSource::new(part, &self.plan, &mut self.state)
    }
}

impl Windowed for Raw {
    type Source<'w> = RawSource<'w, 'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> RawSource<'w, 'w> {
        self.whole(part)
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.plan.own = vec![Schema::of(shape)?];
        if !matches!(shape, Shape::List(_)) {
            // The data may be a list of such records.
            self.plan.own.push(Schema::of(&shape.clone().list())?);
        }
        (self.state, self.scan) = (State::default(), ItemScan::default());
        Ok(())
    }

    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        let mut source = RawSource::new(part, &self.plan, &mut self.state);
        source.reset(mark);
        let depth = source.depth();
        Some(self.scan.holds_item(part, mark, |at, state| {
            let mut reached = Mark { offset: *at, state: state.unwrap_or(mark.state) };
            let outcome = source.find_end(depth, &mut reached);
            (*at, *state) = (reached.offset, Some(reached.state));
            outcome
        }))
    }
}

/// The bytes do not show where a value begins, so there are no borders.
impl Bordered for Raw {
    fn anew(&self) -> Self {
        Self { plan: self.plan.clone(), state: State::default(), scan: ItemScan::default() }
    }
}
