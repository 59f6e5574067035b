//! XML.

use crate::shapes::choose;
use demat_core::{Result, Shape, Source, copy};
use demat_formats::stream::{Part, Stop, Window, Windowed};
use demat_formats::xml::{Doctype, ReadOptions, WriteOptions, Xml, XmlSink, XmlSource};
use demat_formats::{Keep, Output};

/// What was read and written once is read and written as the same; a window of any size reads what the whole does; what
/// is read can be passed over.
pub fn xml_window(bytes: &[u8]) {
    let (shape, bytes) = choose(bytes);
    for shape in [shape, Shape::Any] {
        let once = rewritten(&shape, bytes);
        if let Ok(once) = &once
            && shape == Shape::Any
        {
            let twice = rewritten(&shape, once).expect("what was written is read");
            assert_eq!(&twice, once);
        }
        for size in [1, 2, 3, 7, 16, 64, 1 << 16] {
            match (&once, streamed(&shape, bytes, size)) {
                // An attribute's key that an element has is written as an attribute, unless the start tag has left.
                (Ok(_), Ok(_)) if bytes.windows(5).any(|part| part == b"_x004") => {}
                (Ok(once), Ok(streamed)) => assert_eq!(&streamed, once, "{size}"),
                (Err(_), Err(_)) => {}
                (whole, streamed) => panic!("by {size}: {streamed:?}, whole: {whole:?}"),
            }
        }
    }
    let mut format = Xml::default();
    let mut source = format.source(Part::whole(bytes));
    let skipped = source.skip().and_then(|()| source.end());
    if rewritten(&Shape::Any, bytes).is_ok() {
        skipped.expect("what is read can be passed over");
    }
    let options = ReadOptions { doctype: Doctype::Expand, namespaces: false, ..ReadOptions::default() };
    let _ = XmlSource::over(Part::whole(bytes), options.clone()).skip();
    let read = |size| {
        let mut window = Window::with_size(bytes, size);
        let mut format = Xml::new(options.clone());
        let mut sink = sink();
        demat_formats::stream::copy(&mut window, &mut format, &Shape::Any, &mut sink, &mut Stop)?;
        Ok::<_, demat_core::Error>(sink.into_output().into_parts().0)
    };
    let whole = read(bytes.len() + 1);
    for size in [1, 7, 64] {
        let small = read(size);
        assert_eq!(small.is_ok(), whole.is_ok(), "expanded, {size}");
        // As above.
        if !bytes.windows(5).any(|part| part == b"_x004") {
            assert_eq!(small.ok(), whole.as_ref().ok().cloned(), "expanded, {size}");
        }
    }
}

fn sink() -> XmlSink<Keep> {
    XmlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

fn rewritten(shape: &Shape, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut sink = sink();
    copy(&mut Xml::default().source(Part::whole(bytes)), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn streamed(shape: &Shape, bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut sink = sink();
    let mut window = Window::with_size(bytes, size);
    demat_formats::stream::copy(&mut window, &mut Xml::default(), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}
