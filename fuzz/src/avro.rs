//! Avro's container files.

use crate::shapes::choose;
use demat_core::{Nothing, Result, Shape, Source, copy};
use demat_formats::avro::{Avro, AvroSink, ReadOptions, WriteOptions};
use demat_formats::stream::{Part, Stop, Window, Windowed};
use demat_formats::{Keep, Output};

/// A window of any size reads what the whole does; what is read can be passed over; what is read by the file's own schema
/// is written and read as the same, or refused.
pub fn avro_file(bytes: &[u8]) {
    let (shape, bytes) = choose(bytes);
    for shape in [shape, Shape::Any] {
        let whole = copy(&mut format().whole(Part::whole(bytes)), &shape, &mut Nothing).is_ok();
        for size in [1, 7, 64, 1 << 16] {
            let mut window = Window::with_size(bytes, size);
            let streamed = demat_formats::stream::copy(&mut window, &mut format(), &shape, &mut Nothing, &mut Stop);
            match streamed {
                Ok(_) => assert!(whole, "by {size}"),
                // Of a container in pieces nothing can be taken back, so that a key that repeats is refused there.
                Err(error) if error.to_string().contains("too large to be held") => {}
                Err(error) => assert!(!whole, "by {size}: {error}"),
            }
        }
        if whole {
            let mut format = format();
            let mut source = format.whole(Part::whole(bytes));
            source.skip().and_then(|()| source.end()).expect("what is read can be passed over");
        }
    }
    if let Some(shape) = declared(bytes)
        && let Ok(once) = rewritten(&shape, bytes)
    {
        let twice = rewritten(&shape, &once).expect("what was written is read");
        assert_eq!(twice, once);
    }
}

fn format() -> Avro {
    Avro::new(ReadOptions { block: 1 << 24, ..ReadOptions::default() })
}

fn declared(bytes: &[u8]) -> Option<Shape> {
    let mut format = format();
    format.whole(Part::whole(bytes)).list().ok()?;
    format.declared().map(Shape::list)
}

fn rewritten(shape: &Shape, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut sink = AvroSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    copy(&mut format().whole(Part::whole(bytes)), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}
