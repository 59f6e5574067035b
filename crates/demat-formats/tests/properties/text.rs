//! Invalid text: all ways of reading refuse the same, at the same position.

use crate::support::text::{mutated, spelled};
use crate::support::values::{Random, Shaped, shaped};
use crate::tries;
use crate::ways::{json, json_skipped, json_streamed, json_value, ndjson, ndjson_streamed, said, same};
use demat_core::{ErrorKind, Shape};
use demat_formats::scan::{Level, force_level};
use proptest::prelude::*;

proptest! {
    #![proptest_config(tries(100))]

    #[test]
    fn skipping_accepts_what_decoding_does(Shaped(_, value) in shaped(), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        for _ in 0..8 {
            let text = spelled(&value, &mut random);
            let text = mutated(text, &mut random);
            let name = text.escape_ascii();
            match (json_skipped(&text), json_value(&text, &Shape::Any)) {
                (Ok(()), Ok(_)) => {}
                (Err(skipped), Err(decoded)) if decoded.kind() == skipped.kind() => {
                    prop_assert_eq!((skipped.reason(), skipped.position()), (decoded.reason(), decoded.position()), "{}", name);
                }
                // A number too large for binary64 is valid text; a fault after it is still found.
                (_, Err(decoded)) if decoded.kind() == ErrorKind::Constraint => {}
                (skipped, decoded) => prop_assert!(false, "{skipped:?} and {decoded:?}: {name}"),
            }
        }
    }

    #[test]
    fn broken_text_is_refused_alike_through_every_window(Shaped(shape, value) in shaped(), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let text = spelled(&value, &mut random);
        let text = mutated(text, &mut random);
        for shape in [&shape, &Shape::Any] {
            let whole = json(&text, shape);
            match (&whole, json_value(&text, shape)) {
                (Ok(_), Ok(_)) => {}
                (Err(one), Err(two)) => prop_assert_eq!(said(one), said(&two)),
                // A shape may allow what JSON can't represent: null as a key.
                (Err(error), Ok(_)) if error.kind() == ErrorKind::Encode => {}
                (one, two) => prop_assert!(false, "{one:?} and {two:?}: {}", text.escape_ascii()),
            }
            for size in [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 64] {
                if let Err(difference) = same(&whole, &json_streamed(&text, shape, size, size)) {
                    prop_assert!(false, "by {size}: {difference}\n{}\n{shape:?}", text.escape_ascii());
                }
            }
            prop_assert_eq!(same(&whole, &json_streamed(&text, shape, 1 << 16, 1)), Ok(()));
            let lines = ndjson(&text, &shape.clone().list());
            for size in [1, 2, 3, 5, 8, 16, 33, 4096] {
                let streamed = ndjson_streamed(&text, &shape.clone().list(), size, size);
                if let Err(difference) = same(&lines, &streamed) {
                    prop_assert!(false, "lines by {size}: {difference}\n{}\n{shape:?}", text.escape_ascii());
                }
                // The number of the record, which `same` leaves out; what only a window refuses has another position.
                if let (Err(one), Err(two)) = (&lines, &streamed) {
                    let held = two.to_string().contains("too large to be held");
                    prop_assert!(held || one.position() == two.position(), "{one:?} and {two:?}");
                }
            }
        }
    }

    #[test]
    fn every_level_of_vectors_reads_the_same(Shaped(shape, value) in shaped(), seed in any::<u64>(), broken in any::<bool>()) {
        let mut random = Random::new(seed);
        let mut text = spelled(&value, &mut random);
        // Long enough for the widest vectors.
        let filler = "plain text ".repeat(random.below(30) as usize);
        text = [b"[\"", filler.as_bytes(), b"\", ", &text, &b" ".repeat(random.below(200) as usize), b"]"].concat();
        if broken {
            text = mutated(text, &mut random);
        }
        let before = demat_formats::scan::level();
        for shape in [shape.list(), Shape::Any] {
            let reads: Vec<_> = Level::all().map(|level| {
                assert!(force_level(level));
                (json(&text, &shape).map_err(|error| said(&error)), json_skipped(&text).map_err(|error| said(&error)))
            }).collect();
            for read in &reads {
                prop_assert_eq!(read, &reads[0]);
            }
        }
        force_level(before);
    }
}
