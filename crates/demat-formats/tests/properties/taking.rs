//! Taking the next value in one step gives the same as in two steps.

use crate::support::text::{mutated, spelled};
use crate::support::values::{Random, Shaped, shaped};
use crate::tries;
use crate::ways::said;
use demat_core::{KeyPattern, Result, Source, Token, ValueSource, copy};
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::msgpack::{self, MsgpackSink, MsgpackSource};
use demat_formats::ndjson::NdjsonSource;
use demat_formats::stream::Part;
use demat_formats::{Keep, Output};
use proptest::prelude::*;
use std::fmt::Write as _;

/// A container that the walk has entered.
#[derive(Clone, Copy)]
enum Container {
    List,
    Map,
}

/// How a walk reads values.
#[derive(Clone, Copy)]
enum ReadMode<'k> {
    /// In one step.
    One,
    /// In two steps: the kind first, then the value.
    Two,
    /// In one step, with predicted keys, in this order.
    Predicting(&'k [String]),
}

impl ReadMode<'_> {
    fn take<'a, 's, S: Source<'a>>(self, source: &'s mut S) -> Result<Token<'a, 's>> {
        if matches!(self, Self::Two) { Token::by_asking(source) } else { source.take() }
    }

    /// Steps to the value of the next key, and returns the key.
    fn key<'a, S: Source<'a>>(self, source: &mut S, count: usize) -> Result<Option<String>> {
        if let Self::Predicting(keys) = self
            && let Some(key) = keys.get(count)
        {
            let mark = source.mark();
            if source.key_is(key, &KeyPattern::new(key)) {
                return Ok(Some(key.clone()));
            }
            assert_eq!(source.mark(), mark);
        }
        let key = match self {
            Self::Two if !source.entry()? => None,
            Self::Two => Some(Token::by_asking(source)?),
            _ => source.key()?,
        };
        let key = match key {
            None => return Ok(None),
            Some(Token::Text(text)) => text.to_string(),
            Some(other) => format!("{other:?}"),
        };
        source.value()?;
        Ok(Some(key))
    }
}

/// Takes all values. Returns what it met, at which positions and how it ended; and the keys.
fn walked<'a, S: Source<'a>>(source: &mut S, mode: ReadMode<'_>) -> (Vec<String>, Vec<String>) {
    let (mut met, mut keys, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let ended = loop {
        match mode.take(source) {
            Ok(Token::List(_)) => open.push(Container::List),
            Ok(Token::Map(_)) => open.push(Container::Map),
            Ok(scalar) => met.push(format!("{scalar:?}")),
            Err(error) => break Err(error),
        }
        met.push(format!("{:?} {:?}", source.mark(), source.position()));
        let more = loop {
            let more = match open.last() {
                None => Ok(false),
                Some(Container::List) => source.item(),
                Some(Container::Map) => mode.key(source, keys.len()).map(|key| {
                    keys.extend(key.clone());
                    key.is_some()
                }),
            };
            if !matches!(more, Ok(false)) || open.pop().is_none() {
                break more;
            }
        };
        met.push(format!("{:?}", source.mark()));
        match more {
            Ok(true) => {}
            Ok(false) => break source.end(),
            Err(error) => break Err(error),
        }
    };
    met.push(match ended {
        Ok(()) => "all".to_string(),
        Err(error) => format!("{:?} {:?}", said(&error), error.signal()),
    });
    (met, keys)
}

/// All ways give the same, also with predicted keys that may be wrong.
fn check<'a, S: Source<'a>>(
    new: impl Fn() -> S,
    random: &mut Random,
    expected: &[String],
) -> std::result::Result<(), String> {
    let (wanted, mut keys) = walked(&mut new(), ReadMode::Two);
    let differs = |got: &Vec<String>| if *got == wanted { Ok(()) } else { Err(format!("{got:#?}\nand {wanted:#?}")) };
    differs(&walked(&mut new(), ReadMode::One).0)?;
    differs(&walked(&mut new(), ReadMode::Predicting(&keys)).0)?;
    differs(&walked(&mut new(), ReadMode::Predicting(expected)).0)?;
    // Predictions, some of them wrong.
    for key in &mut keys {
        match random.below(4) {
            0 => key.push('x'),
            1 => drop(key.pop()),
            _ => {}
        }
    }
    differs(&walked(&mut new(), ReadMode::Predicting(&keys)).0)
}

proptest! {
    #![proptest_config(tries(200))]

    #[test]
    fn one_step_takes_what_two_do(Shaped(_, value) in shaped(), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        for round in 0..8 {
            let mut text = spelled(&value, &mut random);
            if round > 0 {
                text = mutated(text, &mut random);
            }
            let options = ReadOptions { depth: if round == 7 { 2 } else { 1024 }, ..ReadOptions::default() };
            for last in [true, false] {
                let part = Part { last, ..Part::whole(&text) };
                let same = check(|| JsonSource::over(part, options), &mut random, &[]);
                prop_assert!(same.is_ok(), "{}\n{}", text.escape_ascii(), same.unwrap_err());
                let same = check(|| NdjsonSource::over(part, options), &mut random, &[]);
                prop_assert!(same.is_ok(), "lines {}\n{}", text.escape_ascii(), same.unwrap_err());
            }
        }
    }

    #[test]
    fn one_step_takes_what_two_do_of_bytes(Shaped(shape, value) in shaped(), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut sink = MsgpackSink::new(Output::new(Vec::new(), Keep), msgpack::WriteOptions::default());
        // Ints beyond 64 bits are refused.
        prop_assume!(copy(&mut ValueSource::new(&value), &shape, &mut sink).is_ok());
        let written = sink.into_output().into_parts().0;
        for round in 0..8 {
            let bytes = if round > 0 { mutated(written.clone(), &mut random) } else { written.clone() };
            let depth = if round == 7 { 2 } else { 1024 };
            for last in [true, false] {
                let part = Part { last, ..Part::whole(&bytes) };
                let options = msgpack::ReadOptions { depth, ..msgpack::ReadOptions::default() };
                let same = check(|| MsgpackSource::over(part, options), &mut random, &[]);
                prop_assert!(same.is_ok(), "{:x?}\n{}", bytes, same.unwrap_err());
            }
        }
    }

    /// Numbers of every form, complete and cut off, at the end of the input and far from it.
    #[test]
    fn numbers_are_taken_alike(number in "-?[0-9]{0,21}(\\.[0-9]{0,21})?([eE][+-]?[0-9]{0,3})?[,\\] x]?", far in any::<bool>()) {
        let text = if far { format!("{number},{}", " ".repeat(40)) } else { number };
        for last in [true, false] {
            let part = Part { last, ..Part::whole(text.as_bytes()) };
            let same = check(|| JsonSource::over(part, ReadOptions::default()), &mut Random::new(0), &[]);
            prop_assert!(same.is_ok(), "{}\n{}", text, same.unwrap_err());
        }
    }

    /// Keys of every length, compact and on lines of their own, at the end of the input and far from it.
    #[test]
    fn keys_are_predicted(
        keys in prop::collection::vec("[a-z]{0,40}|[a-zä\"\n]{0,6}", 0..4),
        line in "|\n? {0,36}|\r\n |\t|\0 {0,4}|\u{b}",
        blanks in " ?| {2}",
        far in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut text = "{".to_string();
        for (index, key) in keys.iter().enumerate() {
            let key = String::from_utf8(demat_formats::json::encode(key).unwrap()).unwrap();
            let comma = if index > 0 { "," } else { "" };
            write!(text, "{comma}{line}{key}{blanks}:{blanks}{index}").unwrap();
        }
        write!(text, "{line}}}{}", if far { " ".repeat(80) } else { String::new() }).unwrap();
        for last in [true, false] {
            let part = Part { last, ..Part::whole(text.as_bytes()) };
            let same = check(|| JsonSource::over(part, ReadOptions::default()), &mut Random::new(seed), &keys);
            prop_assert!(same.is_ok(), "{}\n{}", text, same.unwrap_err());
        }
        // On NDJSON, the first line ends where the key's line does.
        let same = check(|| NdjsonSource::over(Part::whole(text.as_bytes()), ReadOptions::default()), &mut Random::new(seed), &keys);
        prop_assert!(same.is_ok(), "{}\n{}", text, same.unwrap_err());
    }
}
