//! Round trips: a written value is read back unchanged.

use crate::support::text::spelled;
use crate::support::values::{Random, Shaped, shaped};
use crate::tries;
use crate::ways::{json, json_streamed, json_value, ndjson, ndjson_streamed, same};
use demat_core::{Shape, Value, ValueSource, copy};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::ndjson::NdjsonSource;
use demat_formats::stream::Part;
use demat_formats::{Keep, Output, json as json_format};
use proptest::prelude::*;

fn told(value: &Value, shape: &Shape, options: WriteOptions) -> Vec<u8> {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ValueSource::new(value), shape, &mut sink).unwrap();
    sink.into_output().into_parts().0
}

/// Shows the value exactly: a whole float differs from an int, `-0.0` from 0, and the order of entries matters.
fn exactly(value: &Value) -> String {
    format!("{value:?}")
}

proptest! {
    #![proptest_config(tries(60))]

    #[test]
    fn values_come_back_through_json(Shaped(shape, value) in shaped(), seed in any::<u64>()) {
        let plain = WriteOptions::default();
        let normal = Value::decode_as(&mut ValueSource::new(&value), &shape).unwrap();
        let text = told(&value, &shape, plain);
        prop_assert_eq!(exactly(&json_value(&text, &shape).unwrap()), exactly(&normal), "{}", String::from_utf8_lossy(&text));
        // With another spelling it is the same.
        let other = spelled(&value, &mut Random::new(seed));
        prop_assert_eq!(exactly(&json_value(&other, &shape).unwrap()), exactly(&normal), "{}", String::from_utf8_lossy(&other));
        prop_assert_eq!(json(&other, &shape).unwrap().into_bytes(), text.clone());
        // And with other options, too.
        for options in [WriteOptions { indent: Some(3), ..plain }, WriteOptions { ascii: true, ..plain }] {
            let text = told(&value, &shape, options);
            prop_assert!(!options.ascii || text.is_ascii());
            prop_assert_eq!(exactly(&json_value(&text, &shape).unwrap()), exactly(&normal));
        }
        let sorted = told(&value, &shape, WriteOptions { sorted_keys: true, ..plain });
        prop_assert_eq!(sorted.len(), text.len());
        prop_assert_eq!(told(&json_value(&sorted, &shape).unwrap(), &shape, WriteOptions { sorted_keys: true, ..plain }), sorted);
    }

    #[test]
    fn copying_is_decoding_and_encoding(Shaped(shape, value) in shaped()) {
        let text = told(&value, &shape, WriteOptions::default());
        let copied = json(&text, &shape).unwrap();
        let decoded = json_value(&text, &shape).unwrap();
        prop_assert_eq!(&copied.as_bytes(), &told(&decoded, &shape, WriteOptions::default()));
        // Without a shape the text is the same, except for details that only a shape determines.
        let untyped = json_value(&text, &Shape::Any);
        if let Ok(untyped) = untyped {
            let again = json_format::encode(&untyped).unwrap();
            prop_assert_eq!(exactly(&json_value(&again, &Shape::Any).unwrap()), exactly(&untyped));
        }
    }

    #[test]
    fn windows_of_every_size_read_the_same(Shaped(shape, value) in shaped(), seed in any::<u64>()) {
        let text = spelled(&value, &mut Random::new(seed));
        let whole = json(&text, &shape);
        for size in 1..=64 {
            if let Err(difference) = same(&whole, &json_streamed(&text, &shape, size, size)) {
                prop_assert!(false, "by {size}: {difference}\n{}", String::from_utf8_lossy(&text));
            }
        }
        for (size, chunk) in [(1 << 16, 1), (1 << 16, 7), (1 << 16, 1 << 16), (256, 13)] {
            prop_assert_eq!(same(&whole, &json_streamed(&text, &shape, size, chunk)), Ok(()), "{} by {}", size, chunk);
        }
    }

    #[test]
    fn values_come_back_through_ndjson(Shaped(shape, first) in shaped(), seed in any::<u64>(), count in 0u64..6) {
        let mut random = Random::new(seed);
        let items: Vec<Value> = (0..count).map(|_| random.value(&shape, 0)).chain([first]).collect();
        let shape = shape.list();
        let normal = Value::decode_as(&mut ValueSource::new(&Value::List(items.clone())), &shape).unwrap();
        let mut text = Vec::new();
        for item in &items {
            let line = spelled(item, &mut random);
            text.extend(line.into_iter().map(|byte| if byte == b'\n' { b' ' } else { byte }));
            text.extend(*random.one(&[&b"\n"[..], b"\r\n", b"\n\n", b"\n \t\n"]));
        }
        if random.below(2) == 0 {
            while text.last() == Some(&b'\n') {
                text.pop();
            }
        }
        let mut source = NdjsonSource::over(Part::whole(&text), demat_formats::json::ReadOptions::default());
        prop_assert_eq!(exactly(&Value::decode_as(&mut source, &shape).unwrap()), exactly(&normal));
        let whole = ndjson(&text, &shape).unwrap();
        prop_assert_eq!(whole.lines().count(), items.len());
        prop_assert_eq!(ndjson(whole.as_bytes(), &shape).unwrap(), whole.clone());
        let list = format!("[{}]", whole.trim_end().replace('\n', ","));
        prop_assert_eq!(exactly(&json_value(list.as_bytes(), &shape).unwrap()), exactly(&normal));
        for size in (1..=64).chain([4096]) {
            prop_assert_eq!(&ndjson_streamed(&text, &shape, size, size).unwrap(), &whole, "by {}", size);
        }
    }
}
