//! Truncated and invalid bytes: the result is an error or a value, and never a panic.

use super::{ProtoSink, ProtoSource, read, shape, written};
use crate::{Keep, Output};
use demat_core::{Result, Shape, Sink, Source, copy};
use proptest::prelude::*;

const SHAPE: &str = "a:int, b:text, c:[int], d:[{e:bytes, f:float, g:T{h:[T]?, i:int}?}], j:map(text, any), k:duration?, \
                     l:union(m: int, n: [text])?, o:union(p@20: text, q@21: {r:int})? #proto:oneof, \
                     s:{t:int, u:[int] #proto:sint64} #proto:group, ...rest:map(text, any)";
const JSON: &str = r#"{"a":-5,"b":"text","c":[1,200,-3],"d":[{"e":"AAEC","f":1.5,"g":{"h":[{"h":[],"i":2}],"i":1}},{"e":"","f":0.0}],
    "j":{"x":[1,null,{"y":"z"}],"w":false},"k":"PT1.5S","l":{"n":["a","b"]},"o":{"q":{"r":9}},"s":{"t":1,"u":[-1,-2]}}"#;

/// Once decoded and encoded, the bytes decode to the same value again.
fn again(shape: &Shape, bytes: &[u8]) {
    let _ = read(shape, bytes);
    if let Ok(once) = rewritten(shape, bytes) {
        let twice = rewritten(shape, &once).unwrap_or_else(|error| panic!("{bytes:?} as {once:?}: {error}"));
        assert_eq!(twice, once, "{bytes:?}");
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

#[test]
fn at_every_byte() {
    let shape = shape(SHAPE);
    let bytes = written(&shape, JSON).unwrap();
    let whole = read(&shape, &bytes).unwrap();
    assert!(whole.contains(r#""u":[-1,-2]"#), "{whole}");
    for end in 0..bytes.len() {
        // A message that ends between two fields is valid, but has another value.
        if let Ok(text) = read(&shape, &bytes[..end]) {
            assert_ne!(text, whole, "{end}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn whatever_is_changed(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let shape = shape(SHAPE);
        let mut bytes = written(&shape, JSON).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        again(&shape, &bytes);
    }

    #[test]
    fn whatever_it_is(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        again(&shape(SHAPE), &bytes);
        again(&shape("[T{a:T?, b:[int], c:text}]"), &bytes);
    }
}
