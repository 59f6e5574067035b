//! Windows, which grow to the whole document.

use super::*;
use crate::stream::Records;

fn documents() -> (Value, Shape, Vec<Vec<u8>>) {
    let shape = shape("[{id: int, tags: [text], more: map(text, any), at: instant?}]");
    let items: Vec<_> = (0..30)
        .map(|id| {
            let at = if id % 2 == 0 { r#", "at": "2024-02-29T12:30:00Z""# } else { "" };
            format!(r#"{{"id": {id}, "tags": ["a", "b {id}"], "more": {{"x": [true, {{}}]}}{at}}}"#)
        })
        .collect();
    let value = value(&format!("[{}]", items.join(",")), &shape);
    let written = [Variant::Xml, Variant::Binary].map(|variant| written(&value, &shape, variant).unwrap());
    (value, shape, written.into())
}

#[test]
fn every_window_gives_the_same() {
    let (value, shape, documents) = documents();
    for bytes in documents {
        for size in [1, 2, 3, 7, 64, 1000, 100_000] {
            assert_eq!(streamed(&*bytes, size, &shape).unwrap(), value, "{size}");
            assert!(streamed(&*bytes, size, &Shape::Any).is_ok(), "{size}");
        }
    }
}

#[test]
fn records_are_iterated() {
    let bytes = xml("<array><array><integer>1</integer></array><array/><array><integer>2</integer></array></array>");
    let window = Window::with_size(&*bytes, 3);
    let records = Records::<_, _, Vec<i64>>::new(window, Plist::default());
    assert_eq!(records.collect::<Result<Vec<_>>>().unwrap(), [vec![1], vec![], vec![2]]);
}

#[test]
fn marks_lead_back() {
    let (_, _, documents) = documents();
    for bytes in documents {
        let mut format = Plist::default();
        let mut source = format.whole(Part::whole(&bytes));
        source.list().unwrap();
        let mut count = 0;
        while source.item().unwrap() {
            let mark = source.mark();
            source.map().unwrap();
            assert!(source.entry().unwrap());
            let inner = source.mark();
            assert_eq!(&*source.text().unwrap(), "id");
            source.value().unwrap();
            let first = source.i64().unwrap();
            source.reset(inner);
            assert_eq!(&*source.text().unwrap(), "id");
            source.reset(mark);
            let value = Value::decode_as(&mut source, &Shape::Any).unwrap();
            assert_eq!(value.get("id"), Some(&Value::Int(first.into())));
            count += 1;
        }
        assert_eq!(count, 30);
        source.end().unwrap();
    }
}
