//! Raw.

use crate::shapes::choose;
use demat_core::{Result, Shape, Source, copy};
use demat_formats::raw::{Raw, RawSink, ReadOptions, WriteOptions, fingerprint};
use demat_formats::stream::{Part, Stop, Window, Windowed};
use demat_formats::{Keep, Output};

/// What is read and written once is read and written as the same; a window of any size reads what the whole does; what
/// is read can be passed over, and read as another shape or refused.
pub fn raw_window(bytes: &[u8]) {
    let (shape, bytes) = choose(bytes);
    for shape in [shape, Shape::Any] {
        let Ok(front) = fingerprint(&shape) else { continue };
        let bytes = [&front[..], bytes].concat();
        let once = rewritten(&shape, None, &bytes);
        if let Ok(once) = &once {
            let twice = rewritten(&shape, None, once).expect("what was written is read");
            assert_eq!(&twice, once);
        }
        for size in [1, 2, 3, 7, 16, 64, 1 << 16] {
            match (&once, streamed(&shape, &bytes, size)) {
                (Ok(once), Ok(streamed)) => {
                    assert_eq!(rewritten(&shape, None, &streamed).as_ref().ok(), Some(once), "{size}");
                }
                (Err(_), Err(_)) => {}
                // Of a container in pieces nothing can be taken back, so that a key that repeats is refused there.
                (Ok(_), Err(error)) if error.to_string().contains("too large to be held") => {}
                (whole, streamed) => panic!("by {size}: {streamed:?}, whole: {whole:?}"),
            }
        }
        if once.is_ok() {
            let mut format = format(&shape, None);
            let mut source = format.whole(Part::whole(&bytes));
            source.skip().and_then(|()| source.end()).expect("what is read can be passed over");
        }
        // As another shape, it is read or refused.
        for other in [Shape::Any, shape.clone().list(), shape.clone().optional()] {
            drop(rewritten(&other, Some(&shape), &bytes));
        }
    }
}

fn format(shape: &Shape, writer: Option<&Shape>) -> Raw {
    let options = ReadOptions { writer: writer.cloned(), ..ReadOptions::default() };
    let mut format = Raw::new(&options).expect("the shape was compiled before");
    format.begin(shape).expect("the shape was compiled before");
    format
}

fn sink() -> RawSink<Keep> {
    RawSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

fn rewritten(shape: &Shape, writer: Option<&Shape>, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut sink = sink();
    copy(&mut format(shape, writer).whole(Part::whole(bytes)), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn streamed(shape: &Shape, bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut sink = sink();
    let mut window = Window::with_size(bytes, size);
    demat_formats::stream::copy(&mut window, &mut format(shape, None), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}
