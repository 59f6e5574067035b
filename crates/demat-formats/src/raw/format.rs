use super::ReadOptions;
use super::schema::Schema;
use super::source::{Plan, RawSource, State};
use crate::stream::{Bordered, Part, Windowed};
use demat_core::{Result, Shape};

/// Raw as a format that is read through a window.
#[derive(Debug, Clone)]
pub struct Raw {
    plan: Plan,
    state: State,
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
            // A caller that reads a list record by record may give the shape of one record.
            writers.push(Schema::of(&writer.clone().list())?);
        }
        let plan = Plan { own: Vec::new(), writers, depth: options.depth };
        Ok(Self { plan, state: State::default() })
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
            // A caller that reads record by record passes the shape of one record. The document may hold a list of
            // them.
            self.plan.own.push(Schema::of(&shape.clone().list())?);
        }
        self.state = State::default();
        Ok(())
    }
}

/// Nothing in the bytes tells where a value begins, so there are no borders.
impl Bordered for Raw {
    fn anew(&self) -> Self {
        Self { plan: self.plan.clone(), state: State::default() }
    }
}
