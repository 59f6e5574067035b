//! The text format of Protocol Buffers.

use crate::proto::SHAPES;
use demat_core::{Result, Shape, Source, copy};
use demat_formats::proto::{ProtoSink, ProtoSource};
use demat_formats::stream::{Stop, Window};
use demat_formats::txtpb::{ReadOptions, Txtpb, TxtpbSink, TxtpbSource, WriteOptions};
use demat_formats::{Keep, Output};

/// What was read and written once is read and written as the same, also by way of the wire format; a window of any size
/// reads what the whole does; what is read can be skipped.
pub fn txtpb_document(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    // The last shape is a list, which the text format does not have.
    let shape: Shape = SHAPES[usize::from(*first) % 2].parse().expect("a shape");
    let once = rewritten(&shape, bytes, 2);
    if let Ok(once) = &once {
        for indent in [0, 2] {
            let other = rewritten(&shape, bytes, indent).expect("what can be written on lines can be written on one");
            let twice = rewritten(&shape, &other, 2).expect("what was written is read");
            assert_eq!(&twice, once);
        }
        let wire = to_wire(&shape, once).expect("what has a text form has a wire form");
        let back = from_wire(&shape, &wire).expect("what was written is read");
        assert_eq!(to_wire(&shape, &back).expect("as before"), wire);
        let mut source = TxtpbSource::new(bytes, ReadOptions::default());
        source.skip().and_then(|()| source.end()).expect("what is read can be skipped");
    }
    for size in [1, 7, 64, 1 << 16] {
        match (&once, streamed(&shape, bytes, size)) {
            (Ok(once), Ok(streamed)) => assert_eq!(&streamed, once, "{size}"),
            (Err(_), Err(_)) => {}
            // A window may open a map or message, and can't take back what it has written of it.
            (Ok(_), Err(error)) if error.to_string().contains("too large to be held") => {}
            (whole, streamed) => panic!("by {size}: {streamed:?}, whole: {whole:?}"),
        }
    }
}

fn sink(indent: u32) -> TxtpbSink<Keep> {
    TxtpbSink::new(Output::new(Vec::new(), Keep), WriteOptions { indent, ..WriteOptions::default() })
}

fn rewritten(shape: &Shape, bytes: &[u8], indent: u32) -> Result<Vec<u8>> {
    let mut sink = sink(indent);
    copy(&mut TxtpbSource::new(bytes, ReadOptions::default()), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn to_wire(shape: &Shape, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut TxtpbSource::new(bytes, ReadOptions::default()), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn from_wire(shape: &Shape, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut sink = sink(2);
    copy(&mut ProtoSource::new(bytes), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn streamed(shape: &Shape, bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut sink = sink(2);
    let mut window = Window::with_size(bytes, size);
    demat_formats::stream::copy(&mut window, &mut Txtpb::default(), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}
