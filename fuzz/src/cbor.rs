//! CBOR.

use crate::shapes::choose;
use demat_core::{Result, Shape, Source, copy};
use demat_formats::cbor::{Cbor, CborSink, CborSource, WriteOptions};
use demat_formats::stream::{Stop, Window};
use demat_formats::{Keep, Output};

/// What was read has one encoding, whatever it was read from: the bytes as they are, a window of any size, or what was
/// written of it. What is read can be passed over.
pub fn cbor_window(bytes: &[u8]) {
    let (shape, bytes) = choose(bytes);
    for shape in [shape, Shape::Any] {
        let once = rewritten(&shape, bytes, true);
        if let Ok(once) = &once {
            let twice = rewritten(&shape, once, true).expect("what was written is read");
            assert_eq!(&twice, once);
            let usual = rewritten(&shape, bytes, false).expect("what has one encoding has others");
            let twice = rewritten(&shape, &usual, true).expect("what was written is read");
            assert_eq!(&twice, once);
        }
        for size in [1, 2, 3, 7, 16, 64, 1 << 16] {
            match (&once, streamed(&shape, bytes, size)) {
                (Ok(once), Ok(streamed)) => {
                    let streamed = rewritten(&shape, &streamed, true).expect("what was written is read");
                    assert_eq!(&streamed, once, "{size}");
                }
                (Err(_), Err(_)) => {}
                // Of a container in pieces nothing can be taken back, so that a key that repeats is refused there.
                (Ok(_), Err(error)) if error.to_string().contains("too large to be held") => {}
                (whole, streamed) => panic!("by {size}: {streamed:?}, whole: {whole:?}"),
            }
        }
    }
    let mut source = CborSource::new(bytes);
    let skipped = source.skip().and_then(|()| source.end());
    if rewritten(&Shape::Any, bytes, false).is_ok() {
        skipped.expect("what is read can be passed over");
    }
}

fn sink(deterministic: bool) -> CborSink<Keep> {
    CborSink::new(Output::new(Vec::new(), Keep), WriteOptions { deterministic, ..WriteOptions::default() })
}

fn rewritten(shape: &Shape, bytes: &[u8], deterministic: bool) -> Result<Vec<u8>> {
    let mut sink = sink(deterministic);
    copy(&mut CborSource::new(bytes), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn streamed(shape: &Shape, bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut sink = sink(false);
    let mut window = Window::with_size(bytes, size);
    demat_formats::stream::copy(&mut window, &mut Cbor::default(), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}
