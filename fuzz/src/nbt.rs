//! NBT, SNBT and region files.

use crate::shapes::choose;
use demat_core::{Result, Shape, Source, copy};
use demat_formats::nbt::{Nbt, NbtSink, ReadOptions, Variant, WriteOptions};
use demat_formats::region::{Region, RegionSink};
use demat_formats::snbt::{Snbt, SnbtSink};
use demat_formats::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use demat_formats::{Keep, Output};

const VARIANTS: [Variant; 3] = [Variant::Java, Variant::Bedrock, Variant::BedrockNetwork];

/// What was read and written once is read and written as the same, in each variant; a window of any size reads what the
/// whole does; what is read can be passed over.
pub fn nbt_window(bytes: &[u8]) {
    let (shape, bytes) = choose(bytes);
    for variant in VARIANTS {
        for shape in [&shape, &Shape::Any] {
            let once = rewritten(shape, bytes, variant);
            if let Ok(once) = &once {
                let twice = rewritten(shape, once, variant).expect("what was written is read");
                assert_eq!(&twice, once);
            }
            for size in [1, 2, 3, 7, 16, 64, 1 << 16] {
                match (&once, streamed(shape, bytes, size, variant)) {
                    (Ok(once), Ok(streamed)) => assert_eq!(&streamed, once, "{size}"),
                    (Err(_), Err(_)) => {}
                    // Of a container in pieces nothing can be taken back, so that a key that repeats is refused there.
                    (Ok(_), Err(error)) if error.to_string().contains("too large to be held") => {}
                    (whole, streamed) => panic!("by {size}: {streamed:?}, whole: {whole:?}"),
                }
            }
        }
        let mut format = Nbt::new(of(variant));
        let mut source = format.source(Part::whole(bytes));
        let skipped = source.skip().and_then(|()| source.end());
        if rewritten(&Shape::Any, bytes, variant).is_ok() {
            skipped.expect("what is read can be passed over");
        }
    }
    // The variant is found out, and what is packed is unpacked.
    let mut format = Nbt::default();
    let mut source = format.source(Part::whole(bytes));
    let _ = source.skip().and_then(|()| source.end());
}

fn of(variant: Variant) -> ReadOptions {
    ReadOptions { variant: Some(variant), unpacked: 1 << 20, ..ReadOptions::default() }
}

fn sink(variant: Variant) -> NbtSink<Keep> {
    NbtSink::new(Output::new(Vec::new(), Keep), WriteOptions { variant, ..WriteOptions::default() })
}

fn rewritten(shape: &Shape, bytes: &[u8], variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    let mut format = Nbt::new(of(variant));
    copy(&mut format.source(Part::whole(bytes)), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn streamed(shape: &Shape, bytes: &[u8], size: usize, variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    let mut window = Window::with_size(bytes, size);
    copy_stream(&mut window, &mut Nbt::new(of(variant)), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}

/// What was read is written as text that reads the same.
pub fn snbt_text(bytes: &[u8]) {
    if let Ok(once) = text(bytes, None) {
        assert_eq!(text(&once, None).expect("what was written is read"), once);
        let lines = text(&once, Some(2)).expect("what was read once is read again");
        assert_eq!(text(&lines, None).expect("lines are read"), once);
    }
}

fn text(bytes: &[u8], indent: Option<u32>) -> Result<Vec<u8>> {
    let mut sink = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), indent);
    let mut format = Snbt::default();
    copy(&mut format.source(Part::whole(bytes)), &Shape::Any, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// What was read is written as a region that has the same chunks.
pub fn region_file(bytes: &[u8]) {
    let mut sink = RegionSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default());
    let mut format = Region::new(ReadOptions { unpacked: 1 << 20, ..ReadOptions::default() });
    if copy(&mut format.source(Part::whole(bytes)), &Shape::Any, &mut sink).is_ok() {
        let once = sink.into_output().into_parts().0;
        let mut sink = RegionSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default());
        copy(&mut format.source(Part::whole(&once)), &Shape::Any, &mut sink).expect("what was written is read");
        assert_eq!(sink.into_output().into_parts().0, once);
    }
    let mut source = format.source(Part::whole(bytes));
    let _ = source.skip().and_then(|()| source.end());
}
