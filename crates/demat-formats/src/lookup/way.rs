use super::{Spot, read_key};
use demat_core::{Error, Kind, Result, Source, interrupt};

/// A step of the way to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The value of this key.
    Key(String),
    /// The item with this index, from 0.
    Item(usize),
}

impl Step {
    /// Adds the step to the path of an error. Call it with the innermost step first.
    #[must_use]
    pub fn around(&self, error: Error) -> Error {
        match self {
            Self::Key(key) => error.within_field(key.clone()),
            Self::Item(index) => error.within_item(*index),
        }
    }
}

/// An open container on the way.
#[derive(Debug)]
struct Open {
    is_map: bool,
    /// The number of items passed.
    passed: usize,
    key: String,
}

/// Returns the way to a spot, from a source at the start of the document. It reads the document up to there, and needs
/// memory for the depth of nesting only.
///
/// # Errors
/// If the document is malformed before the spot, or has no value there.
pub fn way_to<'a, S: Source<'a>>(source: &mut S, spot: Spot) -> Result<Vec<Step>> {
    let (wanted, level) = (spot.start(), spot.level() as usize);
    let mut open: Vec<Open> = Vec::new();
    // A way to a value that begins there. The parts of an extension type all begin with it, and their marks differ.
    let mut found = None;
    loop {
        interrupt::check()?;
        // At a value.
        let mark = source.mark();
        let here = mark.offset;
        if found.is_some() && (here > wanted || open.len() < level) {
            return Ok(found.unwrap_or_default());
        }
        if here >= wanted && open.len() == level {
            let way = open.iter().map(Open::to_step).collect();
            if spot.is_like(mark) || here > wanted {
                return Ok(way);
            }
            found.get_or_insert(way);
        }
        let kind = if open.len() < level && here <= wanted { source.peek()? } else { Kind::Null };
        match kind {
            Kind::List => {
                source.list()?;
                open.push(Open { is_map: false, passed: 0, key: String::new() });
            }
            Kind::Map => {
                source.map()?;
                open.push(Open { is_map: true, passed: 0, key: String::new() });
            }
            _ => source.skip()?,
        }
        // Between two values.
        loop {
            let Some(top) = open.last_mut() else {
                return found
                    .ok_or_else(|| Error::expected("a value of the document", "its end").at(source.position()));
            };
            if top.step(source)? {
                break;
            }
            open.pop();
        }
    }
}

impl Open {
    /// Steps to the next child. Returns false at the end.
    fn step<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        self.passed += 1;
        if !self.is_map {
            return source.item();
        }
        if !source.entry()? {
            return Ok(false);
        }
        read_key(source, &mut self.key)?;
        source.value()?;
        Ok(true)
    }

    fn to_step(&self) -> Step {
        if self.is_map { Step::Key(self.key.clone()) } else { Step::Item(self.passed.saturating_sub(1)) }
    }
}
