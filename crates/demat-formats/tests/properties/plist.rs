//! Property lists: values survive a round trip in both forms.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::{Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::json::{JsonSink, WriteOptions as JsonOptions};
use demat_formats::plist::{Plist, PlistSink, Variant, WriteOptions};
use demat_formats::stream::{Part, Stop, Window, copy as copy_stream};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

fn sink(variant: Variant) -> PlistSink<Keep> {
    PlistSink::new(Output::new(Vec::new(), Keep), WriteOptions { variant, ..WriteOptions::default() })
}

fn written(value: &Value, shape: &Shape, variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn read(bytes: &[u8], shape: &Shape) -> Result<Value> {
    let mut format = Plist::default();
    let mut source = format.whole(Part::whole(bytes));
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

fn streamed(bytes: &[u8], shape: &Shape, size: usize) -> Result<Value> {
    let mut window = Window::with_size(Few(bytes, size), size);
    Value::build(|sink| copy_stream(&mut window, &mut Plist::default(), shape, sink, &mut Stop).map(drop))
}

/// Returns the value as JSON with sorted keys.
fn json(value: &Value, shape: &Shape) -> String {
    let options = JsonOptions { sorted_keys: true, ..JsonOptions::default() };
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ValueSource::new(value), shape, &mut sink).unwrap();
    String::from_utf8(sink.into_output().into_parts().0).unwrap()
}

proptest! {
    #![proptest_config(tries(100))]

    #[test]
    fn what_is_written_once_is_written_again(Shaped(shape, value) in shaped()) {
        let mut both = Vec::new();
        for variant in [Variant::Xml, Variant::Binary] {
            let bytes = match written(&value, &shape, variant) {
                Ok(bytes) => bytes,
                Err(error) => {
                    prop_assert_eq!(error.kind(), demat_core::ErrorKind::Encode, "{}", error);
                    continue;
                }
            };
            let back = match read(&bytes, &shape) {
                Ok(back) => back,
                // A variant that is null has no field in its record.
                Err(error) => {
                    prop_assert!(error.to_string().starts_with("expected field"), "{} {:?}", error, bytes);
                    continue;
                }
            };
            let text = json(&back, &shape);
            prop_assert_eq!(&json(&read(&written(&back, &shape, variant).unwrap(), &shape).unwrap(), &shape), &text);
            for size in [1, 7, 64, 1 << 16] {
                prop_assert_eq!(json(&streamed(&bytes, &shape, size).unwrap(), &shape), text.clone(), "{}", size);
            }
            both.push(text);
        }
        if let [xml, binary] = &*both {
            prop_assert_eq!(xml, binary);
        }
    }

    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..60), form in 0..3usize) {
        let bytes = [[&b""[..], b"bplist00", b"<plist>"][form], &bytes].concat();
        let mut format = Plist::default();
        let skipped = format.whole(Part::whole(&bytes)).skip();
        prop_assert_eq!(read(&bytes, &Shape::Any).is_ok(), skipped.is_ok());
    }
}
