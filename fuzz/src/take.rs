use crate::ways::said;
use demat_core::{KeyPattern, Result, Source, Token};
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::ndjson::NdjsonSource;
use demat_formats::stream::Part;
use demat_formats::text::scan_number;

/// What stands somewhere is taken in one step as it is in two, keys that are predicted come as they do by asking, and
/// numbers are the ones that std reads.
pub fn json_take(bytes: &[u8]) {
    let guesses: Vec<&str> =
        bytes.split(|byte| *byte == b'"').filter_map(|part| std::str::from_utf8(part).ok()).take(8).collect();
    for last in [true, false] {
        let part = Part { last, ..Part::whole(bytes) };
        check(|| JsonSource::over(part, ReadOptions::default()), &guesses);
        check(|| NdjsonSource::over(part, ReadOptions::default()), &guesses);
    }
    let scan = scan_number(bytes, 0);
    if scan.fault.is_none() && scan.end == bytes.len() {
        let text = std::str::from_utf8(bytes).expect("digits");
        let wanted: f64 = text.parse().expect("a number");
        for room in [0, 64] {
            let mut wide = bytes.to_vec();
            wide.resize(bytes.len() + room, b'\n');
            let source = || JsonSource::with_room(&wide, bytes.len(), ReadOptions::default());
            match source().take() {
                Ok(Token::I64(int)) => assert_eq!(text.parse(), Ok(int)),
                Ok(Token::Int(int)) => assert_eq!(int.to_f64().to_bits(), wanted.to_bits()),
                Ok(Token::Float(float)) => assert_eq!(float.to_bits(), wanted.to_bits(), "{text}"),
                Ok(other) => panic!("{other:?}"),
                Err(error) => assert!(wanted.is_infinite() && !scan.integer, "{text}: {error}"),
            }
            match source().float() {
                Ok(float) => assert_eq!(float.to_bits(), wanted.to_bits(), "{text}"),
                Err(error) => assert!(wanted.is_infinite(), "{text}: {error}"),
            }
        }
    }
}

fn check<'a, S: Source<'a>>(new: impl Fn() -> S, guesses: &[&str]) {
    let (wanted, keys) = walked(&mut new(), None, |source, _| match source.entry()? {
        true => Token::by_asking(source).map(|key| Some(format!("{key:?}"))),
        false => Ok(None),
    });
    let (taken, texts) = walked(&mut new(), Some(()), |source, _| Ok(source.key()?.map(|key| format!("{key:?}"))));
    assert_eq!((&taken, &texts), (&wanted, &keys));
    let predicted = walked(&mut new(), Some(()), |source, count| {
        // As it is printed, which is the key itself where there is nothing to escape; every fifth is another one.
        let printed = keys.get(count).map_or("", String::as_str);
        let inner = printed.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map_or("", |(inner, _)| inner);
        let wrong = format!("{inner}x");
        let guess = if count % 5 == 4 { &wrong } else { inner };
        let mark = source.mark();
        if source.key_is(guess, &KeyPattern::new(guess)) {
            assert_eq!(guess, inner);
            return Ok(Some(String::new()));
        }
        assert_eq!(source.mark(), mark);
        Ok(source.key()?.map(|key| format!("{key:?}")))
    });
    assert_eq!(predicted.0, wanted);
    // Whatever stands between quotes is expected everywhere.
    let predicted = walked(&mut new(), Some(()), |source, _| {
        if guesses.iter().any(|guess| source.key_is(guess, &KeyPattern::new(guess))) {
            return Ok(Some(String::new()));
        }
        Ok(source.key()?.map(|key| format!("{key:?}")))
    });
    assert_eq!(predicted.0, wanted);
}

/// Walks through everything. `key` steps to the next key and says what it is; or, by nothing, on to its value as well.
fn walked<'a, S: Source<'a>>(
    source: &mut S,
    in_one: Option<()>,
    key: impl Fn(&mut S, usize) -> Result<Option<String>>,
) -> (Vec<String>, Vec<String>) {
    let (mut met, mut keys, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let mut walk = || -> Result<()> {
        loop {
            let taken = if in_one.is_some() { source.take()? } else { Token::by_asking(source)? };
            let inside = match taken {
                Token::List(_) => Some(false),
                Token::Map(_) => Some(true),
                scalar => {
                    met.push(format!("{scalar:?}"));
                    None
                }
            };
            met.push(format!("{:?} {:?}", source.mark(), source.position()));
            open.extend(inside);
            loop {
                let more = match open.last() {
                    None => return source.end(),
                    Some(false) => source.item()?,
                    Some(true) => match key(source, keys.len())? {
                        Some(key) => {
                            if !key.is_empty() {
                                source.value()?;
                            }
                            keys.push(key);
                            true
                        }
                        None => false,
                    },
                };
                met.push(format!("{:?}", source.mark()));
                if more {
                    break;
                }
                open.pop();
            }
        }
    };
    let ended = walk();
    met.push(ended.map_or_else(|error| format!("{:?} {:?}", said(&error), error.signal()), |()| "all".to_string()));
    (met, keys)
}
