//! Taking what stands somewhere: in one step as in two.

use crate::support::text::{mutated, spelled};
use crate::support::values::{Random, Shaped, shaped};
use crate::tries;
use crate::ways::said;
use demat_core::{Result, Source, Taken};
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::ndjson::NdjsonSource;
use demat_formats::stream::Part;
use proptest::prelude::*;

/// A container that the walk is inside of.
#[derive(Clone, Copy)]
enum Inside {
    List,
    Map,
}

/// Takes everything, keys included, and says what it met, where it stood and how it ended.
fn walked<'a, S: Source<'a>>(source: &mut S, take: impl for<'s> Fn(&'s mut S) -> Result<Taken<'a, 's>>) -> Vec<String> {
    let mut met = Vec::new();
    let mut open = Vec::new();
    let ended = loop {
        let inside = match take(source) {
            Ok(Taken::List(_)) => Some(Inside::List),
            Ok(Taken::Map(_)) => Some(Inside::Map),
            Ok(scalar) => {
                met.push(format!("{scalar:?}"));
                None
            }
            Err(error) => break Err(error),
        };
        open.extend(inside);
        met.push(format!("{:?} {:?}", source.mark(), source.position()));
        let more = loop {
            let more = match open.last() {
                None => Ok(false),
                Some(Inside::List) => source.item(),
                Some(Inside::Map) => source.entry().and_then(|more| {
                    if more {
                        met.push(format!("key {:?}", take(source)?));
                        source.value()?;
                    }
                    Ok(more)
                }),
            };
            if !matches!(more, Ok(false)) || open.pop().is_none() {
                break more;
            }
        };
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
    met
}

fn asked<'a, 's, S: Source<'a>>(source: &'s mut S) -> Result<Taken<'a, 's>> {
    Taken::by_asking(source)
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
                let one = walked(&mut JsonSource::over(part, options), Source::take);
                let two = walked(&mut JsonSource::over(part, options), asked);
                prop_assert_eq!(one, two, "{}", text.escape_ascii());
                let one = walked(&mut NdjsonSource::over(part, options), Source::take);
                let two = walked(&mut NdjsonSource::over(part, options), asked);
                prop_assert_eq!(one, two, "lines {}", text.escape_ascii());
            }
        }
    }

    /// Numbers of every look, whole and cut, at the end of the input and far from it.
    #[test]
    fn numbers_are_taken_alike(number in "-?[0-9]{0,21}(\\.[0-9]{0,21})?([eE][+-]?[0-9]{0,3})?[,\\] x]?", far in any::<bool>()) {
        let text = if far { format!("{number},{}", " ".repeat(40)) } else { number };
        for last in [true, false] {
            let part = Part { last, ..Part::whole(text.as_bytes()) };
            let one = walked(&mut JsonSource::over(part, ReadOptions::default()), Source::take);
            let two = walked(&mut JsonSource::over(part, ReadOptions::default()), asked);
            prop_assert_eq!(one, two, "{}", text);
        }
    }
}
