//! TOML.

use crate::shapes::choose;
use demat_core::{Result, Shape, Source, copy};
use demat_formats::stream::{Stop, Window};
use demat_formats::toml::{Toml, TomlSink, TomlSource, WriteOptions};
use demat_formats::{Keep, Output};

/// What was read and written once is read and written as the same; a window of any size reads what the whole does; what
/// is read can be passed over.
pub fn toml_window(bytes: &[u8]) {
    let (shape, bytes) = choose(bytes);
    for shape in [shape, Shape::Any] {
        let once = rewritten(&shape, bytes);
        if let Ok(once) = &once {
            let twice = rewritten(&shape, once).expect("what was written is read");
            assert_eq!(&twice, once);
        }
        for size in [1, 7, 64, 1 << 16] {
            match (&once, streamed(&shape, bytes, size)) {
                (Ok(once), Ok(streamed)) => assert_eq!(&streamed, once, "{size}"),
                (Err(_), Err(_)) => {}
                (whole, streamed) => panic!("by {size}: {streamed:?}, whole: {whole:?}"),
            }
        }
    }
    let mut source = TomlSource::new(bytes);
    let skipped = source.skip().and_then(|()| source.end());
    if rewritten(&Shape::Any, bytes).is_ok() {
        skipped.expect("what is read can be passed over");
    }
}

fn sink() -> TomlSink<Keep> {
    TomlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

fn rewritten(shape: &Shape, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut sink = sink();
    copy(&mut TomlSource::new(bytes), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn streamed(shape: &Shape, bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut sink = sink();
    let mut window = Window::with_size(bytes, size);
    demat_formats::stream::copy(&mut window, &mut Toml::default(), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}
