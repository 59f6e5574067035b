use crate::shapes::choose;
use crate::ways::{agree, said, streamed, whole};
use demat_core::{ErrorKind, Shape, Source, Value};
use demat_formats::json::{Json, JsonSource};
use demat_formats::scan::{Level, force_level, level};

/// Windows of every size read what a slice does, or refuse it with the same words at the same place.
pub fn json_slice_vs_window(bytes: &[u8]) {
    let (shape, text) = choose(bytes);
    for shape in [shape, Shape::Any] {
        let slice = whole(&mut JsonSource::new(text), &shape);
        for size in [1, 2, 3, 5, 7, 16, 17, 33, 64, 1 << 16] {
            agree(&slice, &streamed(text, &mut Json::default(), &shape, size, size.min(4096)), size);
        }
        agree(&slice, &streamed(text, &mut Json::default(), &shape, 1 << 16, 1), 0);
        let mut source = JsonSource::new(text);
        let value = Value::decode_as(&mut source, &shape).and_then(|value| source.end().map(|()| value));
        match (&slice, &value) {
            (Err(one), Err(two)) => assert_eq!(said(one), said(two)),
            (Err(error), Ok(_)) => assert_eq!(error.kind(), ErrorKind::Encode, "{error}"),
            (Ok(_), other) => assert!(other.is_ok(), "{other:?}"),
        }
        if let Ok(out) = &slice {
            // What was written is a value of the shape, and is written so again.
            assert_eq!(whole(&mut JsonSource::new(out.as_bytes()), &shape).as_ref().ok(), Some(out));
        }
    }
}

/// Skipping accepts exactly what decoding does, but for numbers that no binary64 holds.
pub fn json_skip_vs_decode(text: &[u8]) {
    let mut source = JsonSource::new(text);
    let skipped = source.skip().and_then(|()| source.end());
    let mut source = JsonSource::new(text);
    let spanned = source.span().map(std::borrow::Cow::into_owned).and_then(|span| source.end().map(|()| span));
    assert_eq!(skipped.as_ref().err().map(said), spanned.as_ref().err().map(said));
    match (skipped, whole(&mut JsonSource::new(text), &Shape::Any)) {
        (Ok(()), Ok(out)) => {
            let span = spanned.expect("it was passed over");
            assert_eq!(whole(&mut JsonSource::new(&span), &Shape::Any).ok(), Some(out), "the span is another value");
        }
        (_, Err(error)) if error.kind() == ErrorKind::Constraint => {}
        (Err(one), Err(two)) => assert_eq!((one.reason(), one.position()), (two.reason(), two.position())),
        (one, two) => panic!("{one:?} and {two:?}"),
    }
}

/// Every level of vector instructions reads the same.
pub fn json_levels(bytes: &[u8]) {
    let (shape, text) = choose(bytes);
    let before = level();
    let mut reads = Level::all().map(|level| {
        assert!(force_level(level));
        let mut source = JsonSource::new(text);
        let skipped = source.skip().and_then(|()| source.end());
        let copied = whole(&mut JsonSource::new(text), &shape);
        (copied.map_err(|error| said(&error)), skipped.map_err(|error| said(&error)))
    });
    let first = reads.next().expect("plain Rust is always there");
    for read in reads {
        assert_eq!(read, first);
    }
    force_level(before);
}
