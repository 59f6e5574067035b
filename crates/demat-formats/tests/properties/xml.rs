//! XML: what is written is read again, and any window gives the same.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::{Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::stream::{Part, Stop, Window, copy as copy_stream};
use demat_formats::xml::{ReadOptions, WriteOptions, Xml, XmlSink, XmlSource};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

fn written(value: &Value, shape: &Shape, indent: Option<u8>) -> Result<Vec<u8>> {
    let options = WriteOptions { indent, ..WriteOptions::default() };
    let mut sink = XmlSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn read(bytes: &[u8], shape: &Shape) -> Result<Value> {
    let mut source = XmlSource::over(Part::whole(bytes), ReadOptions { depth: 1000, ..ReadOptions::default() });
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Copied to the same format, through a window.
fn streamed(bytes: &[u8], shape: &Shape, size: usize) -> Result<Vec<u8>> {
    let mut sink = XmlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut format = Xml::new(ReadOptions { depth: 1000, ..ReadOptions::default() });
    copy_stream(&mut Window::with_size(Few(bytes, size), size), &mut format, shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}

fn skipped(bytes: &[u8]) -> Result<()> {
    let mut source = XmlSource::new(bytes);
    source.skip()?;
    source.end()
}

/// As text, where `-0.0` is not 0; without the order of entries, as attributes come first, and without nulls in them.
fn exactly(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::List(items) => Value::List(items.iter().map(sorted).collect()),
            Value::Map(entries) => {
                let entries = entries.iter().filter(|(_, value)| *value != Value::Null);
                let mut entries: Vec<_> = entries.map(|(key, value)| (sorted(key), sorted(value))).collect();
                entries.sort_by_cached_key(|(key, _)| format!("{key:?}"));
                Value::Map(entries)
            }
            value => value.clone(),
        }
    }
    format!("{:?}", sorted(value))
}

proptest! {
    #![proptest_config(tries(100))]

    /// Fields that are null are left out. `any` is text, so there what was read once is what counts.
    #[test]
    fn values_come_back(Shaped(shape, value) in shaped()) {
        let normal = Value::decode_as(&mut ValueSource::new(&value), &shape).unwrap();
        let bytes = match written(&normal, &shape, None) {
            Ok(bytes) => bytes,
            Err(error) => {
                prop_assert!(error.to_string().contains("XML"), "{error}");
                return Ok(());
            }
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        prop_assert!(skipped(&bytes).is_ok(), "{:?} {}", skipped(&bytes), text);
        let once = read(&bytes, &shape);
        prop_assert!(once.is_ok(), "{:?} {:?} {}", once, normal, text);
        let once = once.unwrap();
        // XML has no kinds, so a value of `any` is text or made of texts once it has been read. From then on it is the
        // same.
        if shape.to_string().contains("any") {
            let again = written(&once, &shape, None);
            prop_assert!(again.is_ok(), "{:?} {:?} {}", again, once, text);
            let again = again.unwrap();
            let twice = read(&again, &shape);
            prop_assert!(twice.is_ok(), "{:?} {:?} {}", twice, once, String::from_utf8_lossy(&again));
            prop_assert_eq!(exactly(&twice.unwrap()), exactly(&once), "{} {}", text, String::from_utf8_lossy(&again));
            return Ok(());
        }
        prop_assert_eq!(exactly(&once), exactly(&normal), "{}", text);
        let again = written(&once, &shape, None).unwrap();
        prop_assert_eq!(String::from_utf8_lossy(&again), text);
        let indented = written(&normal, &shape, Some(2)).unwrap();
        let back = written(&read(&indented, &shape).unwrap(), &shape, None).unwrap();
        prop_assert_eq!(&back, &bytes);
        for size in (1..=40).chain([1 << 16]) {
            prop_assert_eq!(&streamed(&bytes, &shape, size).unwrap(), &bytes, "{}", size);
        }
    }

    #[test]
    fn no_text_does_harm(text in "([<>/a!&;='\" \\[\\]?x-]|<a>|</a>|<!--|-->|<a b='|&lt;|<!\\[CDATA\\[){0,12}") {
        let whole = read(text.as_bytes(), &Shape::Any);
        prop_assert_eq!(whole.is_ok(), skipped(text.as_bytes()).is_ok(), "{} {:?}", text, whole);
        for size in [1, 7, 64] {
            prop_assert_eq!(streamed(text.as_bytes(), &Shape::Any, size).is_ok(), whole.is_ok());
        }
    }
}
