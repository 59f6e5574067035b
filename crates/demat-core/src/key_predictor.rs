use crate::{KeyPattern, Result, Source, Token};

/// Learns the usual keys, and their order, of the maps at one place of a document. A reader without a shape uses it to
/// predict the next key and to reuse what it made of that key.
///
/// `T` is what the reader makes of a key: a host object, a column, or nothing.
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
    /// The first key of the last map.
    first: u8,
}

#[derive(Debug, Clone)]
struct Known<T> {
    key: Box<str>,
    token: KeyPattern,
    /// The key that followed it the last time.
    then: u8,
    with: T,
}

/// The result of [`KeyPredictor::step`].
#[derive(Debug)]
pub enum Step<'a, 's> {
    /// At the value of the known key with this index.
    Predicted(usize),
    /// At the known key with this index; call [`Source::value`] next.
    Known(usize),
    /// At another key; call [`Source::value`] next.
    Other(Token<'a, 's>),
    /// The map ended.
    End,
}

/// The maximum number of known keys. Maps with more are no records, and their keys are data.
const MOST: usize = 64;
/// Marks the absence of a key.
const NONE: u8 = u8::MAX;

impl<T> Default for KeyPredictor<T> {
    fn default() -> Self {
        Self { known: Vec::new(), first: NONE }
    }
}

impl<T> KeyPredictor<T> {
    /// Steps to the next key. `after` is the index of the key before it; `None` at the start, or if it is unknown.
    ///
    /// # Errors
    /// The errors of [`Source::key`].
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

    /// Steps to the value of the next key, if it is the one that followed here the last time.
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

    /// Returns the index of a key, if it is known. From then on it is predicted here.
    pub fn find(&mut self, key: &str, after: Option<usize>) -> Option<usize> {
        let index = self.known.iter().position(|known| *known.key == *key)?;
        self.follows(after, index);
        Some(index)
    }

    /// Adds a key that followed another, or came first. Returns `None` if the predictor is full.
    pub fn add(&mut self, after: Option<usize>, key: &str, with: T) -> Option<usize> {
        let index = self.known.len();
        if self.is_full() {
            return None;
        }
        self.known.push(Known { key: key.into(), token: KeyPattern::new(key), then: NONE, with });
        self.follows(after, index);
        Some(index)
    }

    /// Whether no more keys can be added. The maps then have an unbounded set of keys, and prediction is useless.
    pub fn is_full(&self) -> bool {
        self.known.len() == MOST
    }

    /// Returns a known key.
    ///
    /// # Panics
    /// If this predictor did not return the index.
    #[inline]
    pub fn key(&self, index: usize) -> (&str, &KeyPattern) {
        let known = &self.known[index];
        (&known.key, &known.token)
    }

    /// Returns what was made of a known key.
    ///
    /// # Panics
    /// If this predictor did not return the index.
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
