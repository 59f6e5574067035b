use crate::{KeyPattern, Result, Source, Token};

/// The keys that the maps at one place of a document mostly have, and in which order: what a reader without a shape
/// learns, to predict the next key and to use again what it made of it.
///
/// `T` is what the reader makes of a key: an object of a host, a column, nothing.
///
/// ```
/// use demat_core::{KeyPredictor, Source, Step, Token, Value, ValueSource};
/// fn keys(value: &Value, predictor: &mut KeyPredictor<String>) -> demat_core::Result<Vec<String>> {
///     let (mut source, mut keys, mut after) = (ValueSource::new(value), Vec::new(), None);
///     source.take()?;
///     loop {
///         after = match predictor.step(&mut source, after)? {
///             Step::Predicted(index) => Some(index),
///             Step::Known(index) => {
///                 source.value()?;
///                 Some(index)
///             }
///             Step::Other(key) => {
///                 // A key that is no text has no name here: neither it nor its value is wanted.
///                 let Token::Text(key) = key else {
///                     source.skip()?;
///                     after = None;
///                     continue;
///                 };
///                 let index = predictor.add(after, &key, key.to_uppercase());
///                 source.value()?;
///                 index
///             }
///             Step::End => return Ok(keys),
///         };
///         keys.extend(after.map(|index| predictor.with(index).clone()));
///         source.skip()?;
///     }
/// }
/// let value = Value::Map(vec![(Value::Text("a".into()), Value::Null), (Value::Text("b".into()), Value::Null)]);
/// let mut predictor = KeyPredictor::default();
/// assert_eq!(keys(&value, &mut predictor)?, ["A", "B"]);
/// assert_eq!(keys(&value, &mut predictor)?, ["A", "B"]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct KeyPredictor<T> {
    known: Vec<Known<T>>,
    /// The key that came first in the last map.
    first: u8,
}

#[derive(Debug, Clone)]
struct Known<T> {
    key: Box<str>,
    token: KeyPattern,
    /// The key that came after it the last time.
    then: u8,
    with: T,
}

/// Where a [`KeyPredictor`] stepped to.
#[derive(Debug)]
pub enum Step<'a, 's> {
    /// To the value of the known key with this index.
    Predicted(usize),
    /// To the known key with this index; [`Source::value`] follows.
    Known(usize),
    /// To another key; [`Source::value`] follows.
    Other(Token<'a, 's>),
    /// Out of the map.
    End,
}

/// So many keys are known at most: maps with more are no records, and have their keys from the data.
const MOST: usize = 64;
/// No key.
const NONE: u8 = u8::MAX;

impl<T> Default for KeyPredictor<T> {
    fn default() -> Self {
        Self { known: Vec::new(), first: NONE }
    }
}

impl<T> KeyPredictor<T> {
    /// Steps to the next key. `after` is the index of the one before; none at the start, or if it is not known.
    ///
    /// # Errors
    /// Those of [`Source::key`].
    #[inline(always)]
    pub fn step<'a, 's, S: Source<'a> + ?Sized>(
        &mut self,
        source: &'s mut S,
        after: Option<usize>,
    ) -> Result<Step<'a, 's>> {
        match self.predicted(source, after) {
            Some(index) => Ok(Step::Predicted(index)),
            None => self.other(source, after),
        }
    }

    #[inline(never)]
    fn other<'a, 's, S: Source<'a> + ?Sized>(
        &mut self,
        source: &'s mut S,
        after: Option<usize>,
    ) -> Result<Step<'a, 's>> {
        let Some(key) = source.key()? else { return Ok(Step::End) };
        let known = if let Token::Text(key) = &key { self.find(key, after) } else { None };
        Ok(known.map_or(Step::Other(key), Step::Known))
    }

    /// Steps to the value of the next key, if that is the one which came here the last time.
    #[inline(always)]
    pub fn predicted<'a, S: Source<'a> + ?Sized>(&self, source: &mut S, after: Option<usize>) -> Option<usize> {
        let expected = match after {
            Some(after) => self.known.get(after).map_or(NONE, |known| known.then),
            None => self.first,
        };
        let index = usize::from(expected);
        let known = self.known.get(index)?;
        source.key_is(&known.key, &known.token).then_some(index)
    }

    /// The index of a key, if it is known; then it will be expected here the next time.
    pub fn find(&mut self, key: &str, after: Option<usize>) -> Option<usize> {
        let index = self.known.iter().position(|known| *known.key == *key)?;
        self.follows(after, index);
        Some(index)
    }

    /// Makes a key known that came after another, or at the start; nothing where enough are known.
    pub fn add(&mut self, after: Option<usize>, key: &str, with: T) -> Option<usize> {
        let index = self.known.len();
        if self.is_full() {
            return None;
        }
        self.known.push(Known { key: key.into(), token: KeyPattern::new(key), then: NONE, with });
        self.follows(after, index);
        Some(index)
    }

    /// Whether so many keys are known that no more can be: then the maps have keys without end, and learn nothing.
    pub fn is_full(&self) -> bool {
        self.known.len() == MOST
    }

    /// A known key.
    ///
    /// # Panics
    /// Where the index is not one that it gave.
    #[inline]
    pub fn key(&self, index: usize) -> (&str, &KeyPattern) {
        let known = &self.known[index];
        (&known.key, &known.token)
    }

    /// What was made of a known key.
    ///
    /// # Panics
    /// Where the index is not one that it gave.
    #[inline]
    pub fn with(&self, index: usize) -> &T {
        &self.known[index].with
    }

    fn follows(&mut self, after: Option<usize>, index: usize) {
        let then = match after {
            Some(after) => self.known.get_mut(after).map(|known| &mut known.then),
            None => Some(&mut self.first),
        };
        if let Some(then) = then {
            *then = index as u8;
        }
    }
}
