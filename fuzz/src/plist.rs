//! Property lists.

use crate::shapes::choose;
use demat_core::{Result, Shape, Source, copy};
use demat_formats::plist::{Plist, PlistSink, Variant, WriteOptions};
use demat_formats::stream::{Part, Stop, Window};
use demat_formats::{Keep, Output};

/// What is read and written once is read and written as the same, in either form; a window of any size reads what the
/// whole does; what is read can be passed over.
pub fn plist_document(bytes: &[u8]) {
    let (shape, bytes) = choose(bytes);
    for shape in [shape, Shape::Any] {
        for variant in [Variant::Xml, Variant::Binary] {
            let once = rewritten(&shape, bytes, variant);
            if let Ok(once) = &once
                && let Ok(twice) = rewritten(&shape, once, variant)
            {
                assert_eq!(&twice, once);
            }
            for size in [1, 7, 64, 1 << 16] {
                let streamed = streamed(&shape, bytes, size, variant);
                assert_eq!(streamed.is_ok(), once.is_ok(), "by {size}: {streamed:?}, whole: {once:?}");
            }
        }
        let mut format = Plist::default();
        let skipped = format.whole(Part::whole(bytes)).skip();
        if rewritten(&shape, bytes, Variant::Binary).is_ok() {
            skipped.expect("what is read can be passed over");
        }
    }
}

fn sink(variant: Variant) -> PlistSink<Keep> {
    PlistSink::new(Output::new(Vec::new(), Keep), WriteOptions { variant, ..WriteOptions::default() })
}

fn rewritten(shape: &Shape, bytes: &[u8], variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    copy(&mut Plist::default().whole(Part::whole(bytes)), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn streamed(shape: &Shape, bytes: &[u8], size: usize, variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    let mut window = Window::with_size(bytes, size);
    demat_formats::stream::copy(&mut window, &mut Plist::default(), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}
