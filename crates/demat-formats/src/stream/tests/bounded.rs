use super::{Chunks, Stop, json, ndjson, to_json};
use crate::json::Json;
use crate::stream::Window;
use demat_core::{ErrorKind, Field, IntWidth, Record, Ref, Shape};

/// A document whose outermost value is one huge unit, nested in every way, with no scalar longer than a few bytes.
fn huge() -> (String, Shape) {
    let row = |i: usize| format!("{{\"id\":{i},\"tags\":[\"a\",\"b\",[{i}]],\"more\":{{\"x\":{{\"y\":[{i},{i}]}}}}}}");
    let rows: Vec<String> = (0..8000).map(row).collect();
    let text = format!("{{\"head\":1,\"rows\":{{\"all\":[[{}]]}},\"tail\":[true]}}", rows.join(","));
    let row = Record::new(
        "",
        vec![
            Field::new("id", 1, Shape::Int(IntWidth::Any)),
            Field::new("tags", 2, Shape::Any),
            Field::new("more", 3, Shape::Any),
        ],
    )
    .unwrap();
    let rows = Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::record(row).list().list()));
    let fields =
        vec![Field::new("head", 1, Shape::Any), Field::new("rows", 2, rows), Field::new("tail", 3, Shape::Any)];
    (text, Shape::record(Record::new("", fields).unwrap()))
}

#[test]
fn a_unit_larger_than_the_window_is_copied_in_pieces() {
    let (text, shape) = huge();
    assert!(text.len() > 400_000);
    for shape in [Shape::Any, shape] {
        for (sizes, size) in [(&[1 << 20][..], 256), (&[1 << 20], 4096), (&[100, 3000], 4096)] {
            let mut window = Window::with_size(Chunks::new(&text, sizes), size);
            assert!(json(&mut window, &shape).unwrap() == text);
            assert!(window.capacity() <= 2 * size, "a window of {size} grew to {}", window.capacity());
        }
        // The same as an item of the outermost list.
        let list = format!("[0,{text},{text}]");
        let mut window = Window::with_size(list.as_bytes(), 1024);
        let items = Shape::Any.list();
        assert!(json(&mut window, &items).unwrap() == list);
        assert!(window.capacity() <= 2048, "it grew to {}", window.capacity());
    }
}

#[test]
fn the_longest_scalar_makes_the_window_and_nothing_else() {
    for long in [10, 1000, 100_000] {
        let text = format!(
            "[{},\"{}\",{}]",
            vec!["[1,2,3]"; 5000].join(","),
            "ä".repeat(long),
            vec!["{\"a\":[]}"; 5000].join(",")
        );
        let mut window = Window::with_size(text.as_bytes(), 512);
        assert!(json(&mut window, &Shape::Any).unwrap() == text);
        assert!(window.capacity() <= (6 * long).max(1024), "{} for a text of {}", window.capacity(), 2 * long);
    }
    let lines = vec!["{\"a\":[1,2,3]}"; 20_000].join("\n");
    let mut window = Window::with_size(lines.as_bytes(), 512);
    ndjson(&mut window, &Shape::Any).unwrap();
    assert_eq!(window.capacity(), 512);
}

#[test]
fn the_limit_holds_and_says_so() {
    let text = format!("[1,\"{}\"]", "x".repeat(100_000));
    for limit in [1, 100, 4096, 50_000] {
        let mut window = Window::with_size(text.as_bytes(), 64).with_limit(limit);
        let error = json(&mut window, &Shape::Any).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert_eq!(
            error.reason(),
            format!("the length of a single value in the input exceeds the limit of {limit} bytes")
        );
        assert!(window.capacity() <= limit.max(65), "{}", window.capacity());
    }
    let mut window = Window::with_size(text.as_bytes(), 64).with_limit(110_000);
    assert!(json(&mut window, &Shape::Any).is_ok());
    assert!(window.capacity() <= 110_000);
}

#[test]
fn what_nobody_wants_is_passed_over_in_the_window_that_holds_it() {
    let text = format!("[{{\"unwanted\":[{}],\"a\":1}}]", vec!["[1,2,3]"; 10_000].join(","));
    let shape = Shape::record(Record::new("", vec![Field::new("a", 1, Shape::Any)]).unwrap()).list();
    let mut window = Window::with_size(Chunks::new(&text, &[1000]), 1024);
    assert_eq!(to_json(&mut window, &mut Json::default(), &shape, &mut Stop).unwrap().0, "[{\"a\":1}]");
}
