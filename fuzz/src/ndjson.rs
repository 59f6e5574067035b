use crate::shapes::choose;
use crate::ways::{agree, streamed, whole};
use demat_core::Shape;
use demat_formats::json::ReadOptions;
use demat_formats::ndjson::{Ndjson, NdjsonSource};
use demat_formats::stream::Part;

/// Windows of every size read what a slice does, with the same numbers of records.
pub fn ndjson_window(bytes: &[u8]) {
    let (shape, text) = choose(bytes);
    for shape in [shape, Shape::Any.list()] {
        let slice = whole(&mut NdjsonSource::over(Part::whole(text), ReadOptions::default()), &shape);
        for size in [1, 2, 3, 5, 7, 16, 17, 33, 64, 1 << 16] {
            let stream = streamed(text, &mut Ndjson::default(), &shape, size, size.min(4096));
            agree(&slice, &stream, size);
            if let (Err(one), Err(two)) = (&slice, &stream)
                && one.position().record.is_some()
                && one.kind() == two.kind()
            {
                assert_eq!(one.position(), two.position());
            }
        }
        if let Ok(list) = &slice {
            // The same items as a JSON list.
            assert_eq!(
                whole(&mut demat_formats::json::JsonSource::new(list.as_bytes()), &shape).as_ref().ok(),
                Some(list)
            );
        }
    }
}
