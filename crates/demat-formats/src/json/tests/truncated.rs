//! Valid documents cut at every byte: refused at the cut, with the same message through every window.

use super::{copied, decode, skip, streamed};
use demat_core::{ErrorKind, Field, IntWidth, Record, Ref, Shape};

const DOCUMENTS: [&str; 12] = [
    "null",
    "true",
    " false ",
    "\"a\\n\\u00e4\\ud83d\\ude00ä😀\"",
    "[-1.5e+10, 0, 123456789012345678901]",
    "[[],[[]],{}]",
    "{\"a\":1,\"b\":[true,false,null],\"c\":{\"d\":\"\"}}",
    " { \"a\" : 1 , \"b\" : [ 1 , 2 ] , \"c\" : { } } ",
    "\u{feff}[1, {\"a\": \"\\\\\"}]",
    "[{\"id\":1,\"title\":\"a long title that has more than sixteen bytes\",\"done\":true},{\"id\":2,\"title\":\"ä\",\"done\":false}]",
    "{\"kä\":{\"\\u0061\":{\"\":[0.0]}}}",
    "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,\"end\"]",
];

fn shapes() -> Vec<Shape> {
    let item = Record::new(
        "",
        vec![
            Field::new("id", 1, Shape::Int(IntWidth::Signed(64))).with_required(false),
            Field::new("title", 2, Shape::Text).with_required(false),
            Field::new("c", 3, Shape::Any).with_required(false),
        ],
    );
    let record = Shape::record(item.unwrap());
    vec![Shape::Any, record.clone(), record.list(), Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::Any))]
}

#[test]
fn a_document_is_complete_or_refused() {
    for document in DOCUMENTS {
        let bytes = document.as_bytes();
        skip(bytes).unwrap();
        let end = document.trim_end().len();
        for cut in 0..end {
            let text = &bytes[..cut];
            let error = decode(text).unwrap_err();
            let name = text.escape_ascii();
            assert_eq!(error.kind(), ErrorKind::Syntax, "{name}: {error}");
            assert!(error.signal().is_none(), "{name}: nobody is to be asked for more");
            let skipped = skip(text).unwrap_err();
            assert_eq!((skipped.reason(), skipped.position()), (error.reason(), error.position()), "{name}");
            for shape in shapes() {
                let whole = copied(text, &shape);
                for size in [1, 2, 3, 5, 8, 13, 21, 34, 55, 128] {
                    match (&whole, streamed(text, &shape, size)) {
                        (Ok(one), Ok(two)) => assert_eq!(*one, two, "{name} by {size}"),
                        (Err(one), Err(two)) => {
                            let record = two.position().record;
                            let position = demat_core::Position { record, ..one.position() };
                            assert_eq!((one.reason(), one.path()), (two.reason(), two.path()), "{name} by {size}");
                            assert_eq!(position, two.position(), "{name} by {size}: {one}");
                        }
                        (one, two) => panic!("{name} as {shape:?} by {size}: {one:?} and {two:?}"),
                    }
                }
            }
        }
    }
}
