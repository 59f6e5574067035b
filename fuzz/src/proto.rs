//! Protocol Buffers.

use demat_core::{Result, Shape, Sink, Source, copy};
use demat_formats::proto::{Proto, ProtoSink, ProtoSource};
use demat_formats::stream::{Stop, Window};
use demat_formats::{Keep, Output};

pub(crate) const SHAPES: [&str; 3] = [
    "a:int, b:text, c:[int], d:[{e:bytes, f:float, g:T{h:[T]?, i:int}?}], j:map(text, any), k:duration?, \
     l:union(m: int, n: [text])?, o:union(p@20: text, q@21: {r:int})? #proto:oneof, \
     s:{t:int, u:[int] #proto:sint64} #proto:group, ...rest:map(text, any)",
    "T{a:T?, b:[float32], c:[enum(x, y = 5) | int32], d:map(int32, T) #proto:\"key sfixed32\", e:int | text | T, f:instant?, g:datetime?}",
    "[{a:int #proto:required, b:text = \"x\", c:[uint64] #proto:fixed64, d:any, !}]",
];

/// What was read and written once is read and written as the same; a window of any size reads what the whole does.
pub fn proto_messages(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let shape: Shape = SHAPES[usize::from(*first) % SHAPES.len()].parse().expect("a shape");
    let once = rewritten(&shape, bytes);
    if let Ok(once) = &once {
        let twice = rewritten(&shape, once).expect("what was written is read");
        assert_eq!(&twice, once);
    }
    let size = usize::from(*first) / SHAPES.len() + 1;
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    let mut window = Window::with_size(bytes, size);
    let copied = demat_formats::stream::copy(&mut window, &mut Proto::default(), &shape, &mut sink, &mut Stop);
    match (copied, once) {
        (Ok(_), Ok(once)) => assert_eq!(sink.into_output().into_parts().0, once),
        (Err(_), Err(_)) => {}
        (windowed, whole) => panic!("windowed: {windowed:?}, whole: {whole:?}"),
    }
}

fn rewritten(shape: &Shape, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut source = ProtoSource::new(bytes);
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut source, shape, &mut sink)?;
    source.end()?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}
