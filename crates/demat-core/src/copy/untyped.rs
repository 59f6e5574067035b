//! Copies a whole value without a shape.

use super::frame::repeated;
use super::key_predictors::KeyPredictors;
use super::keys::{KeyMark, Keys};
use super::scalar::tell;
use super::site::Site;
use crate::{Error, ErrorKind, Result, Shape, Sink, Source, Token};

/// The buffers of copies without a shape, reused for the next value.
#[derive(Debug, Default)]
pub(super) struct Untyped {
    predictors: KeyPredictors,
    /// The open containers, outermost first.
    open: Vec<Open>,
}

#[derive(Debug)]
enum Open {
    List {
        site: Site,
        /// Items begun so far.
        index: usize,
    },
    Map(Map),
}

#[derive(Debug)]
struct Map {
    site: Site,
    /// The index of its predictor.
    predictor: Option<usize>,
    /// The set of keys seen so far, of those in the predictor.
    seen: u64,
    /// The last key, if it is in the predictor.
    key: Option<usize>,
    /// The mark of all other keys, and of the last key's name.
    at: KeyMark,
}

/// The origin of an error.
enum Fault {
    /// The innermost container, between two children.
    Between(Error),
    /// The current child of the innermost container.
    Child(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Child(error)
    }
}

impl Untyped {
    /// Copies the current value, at this site of the document. Returns a signal at a repeated key.
    pub(super) fn copy<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
        keys: &mut Keys,
        site: Site,
    ) -> Result<()> {
        let before = keys.here();
        let copied = self.copy_whole(source, sink, keys, site);
        copied.map_err(|fault| {
            let error = self.trace(fault, keys);
            keys.leave(before);
            error
        })
    }

    #[inline(always)]
    fn copy_whole<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
        keys: &mut Keys,
        site: Site,
    ) -> Result<(), Fault> {
        let mut site = site;
        loop {
            if let Some(shape) = source.stated()? {
                sink.stated(&shape)?;
            }
            match source.take()? {
                Token::List(len) => {
                    sink.begin_list_of(&Shape::Any, len)?;
                    self.open.push(Open::List { site, index: 0 });
                }
                Token::Map(len) => {
                    sink.begin_map(len)?;
                    let predictor = self.predictors.open(site);
                    self.open.push(Open::Map(Map { site, predictor, seen: 0, key: None, at: keys.here() }));
                }
                scalar => tell(scalar, sink)?,
            }
            // Steps to the next child, and closes containers that have ended.
            loop {
                match self.open.last_mut() {
                    None => return Ok(()),
                    Some(Open::List { site: list, index }) => {
                        if source.item().map_err(Fault::Between)? {
                            *index += 1;
                            sink.item()?;
                            site = list.child();
                            break;
                        }
                        sink.end_list()?;
                    }
                    Some(Open::Map(map)) => {
                        if next_key(map, &mut self.predictors, source, sink, keys)? {
                            site = map.key.map_or(map.site.child(), |key| map.site.field(key));
                            break;
                        }
                        sink.end_map()?;
                        keys.leave(map.at);
                        if let Some(predictor) = map.predictor {
                            self.predictors.close(predictor);
                        }
                    }
                }
                self.open.pop();
            }
        }
    }

    /// Adds the open containers to the path of an error, and closes them.
    #[cold]
    fn trace(&mut self, fault: Fault, keys: &Keys) -> Error {
        let (mut error, mut between) = match fault {
            Fault::Between(error) => (error, true),
            Fault::Child(error) => (error, false),
        };
        let traced = error.signal().is_none();
        let mut end = keys.names_end();
        while let Some(open) = self.open.pop() {
            match open {
                Open::List { index, .. } if traced && !between => error = error.within_item(index.saturating_sub(1)),
                Open::List { .. } => {}
                Open::Map(map) => {
                    if traced && !between {
                        let name = match (map.key, map.predictor) {
                            (Some(key), Some(predictor)) => self.predictors.predictor(predictor).key(key).0,
                            _ => keys.name(map.at, end),
                        };
                        error = error.within_field(name.to_string());
                    }
                    end = map.at.names;
                    map.predictor.inspect(|predictor| self.predictors.close(*predictor));
                }
            }
            between = false;
        }
        error
    }
}

/// Copies the next key of the map, and steps to its value. Returns `false` at the end of the map.
#[inline(always)]
fn next_key<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    map: &mut Map,
    predictors: &mut KeyPredictors,
    source: &mut S,
    sink: &mut K,
    keys: &mut Keys,
) -> Result<bool, Fault> {
    if let Some(predictor) = map.predictor
        && let predictor = predictors.predictor(predictor)
        && let Some(index) = predictor.predicted(source, map.key)
    {
        let (key, token) = predictor.key(index);
        let bit = 1 << index;
        if map.seen & bit != 0 {
            return Err(Fault::Between(repeated(source, key, false)));
        }
        map.seen |= bit;
        map.key = Some(index);
        return sink.key_with(key, token).map(|()| true).map_err(Fault::Between);
    }
    // After a wrong prediction, the map has usually ended.
    let Some(key) = source.key().map_err(Fault::Between)? else { return Ok(false) };
    let told = match key {
        Token::Text(text) => tell_text_key(map, predictors, &text, sink, keys),
        Token::List(_) | Token::Map(_) => {
            let found = key.kind().name();
            Err(Error::mismatch(ErrorKind::Encode, "a scalar as key", found).at(source.position()))
        }
        key => tell_other_key(map, key, sink, keys),
    };
    let stepped = match told {
        Ok(None) => source.value(),
        Ok(Some(key)) => Err(repeated(source, &key, false)),
        Err(error) => Err(error),
    };
    stepped.map(|()| true).map_err(Fault::Between)
}

/// Writes a key that is no text. Returns it if it repeats, which is known of ints and bools.
#[inline(never)]
fn tell_other_key<K: Sink + ?Sized>(
    map: &mut Map,
    key: Token<'_, '_>,
    sink: &mut K,
    keys: &mut Keys,
) -> Result<Option<String>> {
    map.key = None;
    let name = match &key {
        Token::I64(int) => Some(int.to_string()),
        Token::Int(int) => Some(int.to_string()),
        Token::Bool(value) => Some(value.to_string()),
        _ => None,
    };
    match name {
        Some(name) if !keys.insert_other(map.at, &name) => return Ok(Some(name)),
        Some(_) => {}
        // Only the receiver can tell whether two of the other kinds are equal.
        None => keys.unnamed(map.at),
    }
    sink.entry()?;
    tell(key, sink)?;
    sink.value().map(|()| None)
}

/// Writes a key that was not predicted. Returns it if it repeats.
#[inline(never)]
fn tell_text_key<K: Sink + ?Sized>(
    map: &mut Map,
    predictors: &mut KeyPredictors,
    key: &str,
    sink: &mut K,
    keys: &mut Keys,
) -> Result<Option<String>> {
    let known = map.predictor.and_then(|predictor| predictors.find(predictor, map.key, key));
    let news = match known {
        Some(index) => {
            let bit = 1 << index;
            let news = map.seen & bit == 0;
            map.seen |= bit;
            news
        }
        None => keys.insert(map.at, key),
    };
    map.key = known;
    if !news {
        return Ok(Some(key.to_string()));
    }
    sink.key(key).map(|()| None)
}
