//! Tests of region files.

use super::header::{CHUNKS, SECTOR, entry};
use super::{Region, RegionSink};
use crate::nbt::{Packing, WriteOptions};
use crate::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Source, Value, ValueSource, copy};

const SHAPE: &str = "[{x: int, z: int, timestamp: int, chunk: any}]";

fn read(file: &[u8], shape: &str) -> Result<Value> {
    let mut format = Region::default();
    let mut source = format.source(Part::whole(file));
    let value = Value::decode_as(&mut source, &shape.parse().unwrap())?;
    source.end()?;
    Ok(value)
}

fn sink() -> RegionSink<Keep> {
    RegionSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default())
}

fn written(value: &Value) -> Result<Vec<u8>> {
    let mut sink = sink();
    copy(&mut ValueSource::new(value), &Shape::Any, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn map(entries: &[(&str, Value)]) -> Value {
    Value::Map(entries.iter().map(|(key, value)| (Value::Text(key.to_string().into()), value.clone())).collect())
}

fn chunk(x: i64, z: i64) -> Value {
    let inner =
        map(&[("name", Value::Text(format!("{x}/{z}\0").into())), ("xs", Value::List(vec![Value::Int(x.into())]))]);
    let numbers = [x, z, 1_700_000_000 + x].map(|number| Value::Int(number.into()));
    let [x, z, timestamp] = numbers;
    map(&[("x", x), ("z", z), ("timestamp", timestamp), ("chunk", inner)])
}

fn region() -> Value {
    Value::List([(0, 0), (3, 0), (31, 0), (0, 1), (7, 12), (31, 31)].map(|(x, z)| chunk(x, z)).to_vec())
}

#[test]
fn chunks_come_back() {
    let file = written(&region()).unwrap();
    assert_eq!(file.len(), 8 * SECTOR);
    assert_eq!(read(&file, "any").unwrap(), region());
    assert_eq!(read(&file, SHAPE).unwrap(), region());
    for size in [1, 100, 1 << 16] {
        let mut sink = sink();
        copy_stream(&mut Window::with_size(&*file, size), &mut Region::default(), &Shape::Any, &mut sink, &mut Stop)
            .unwrap();
        assert_eq!(sink.into_output().into_parts().0, file);
    }
    let part = read(&file, "[{chunk: {name: text, missing: int?}, x: int8}]").unwrap();
    let Value::List(items) = part else { unreachable!() };
    assert_eq!(items[4].get("chunk").and_then(|chunk| chunk.get("name")), Some(&Value::Text("7/12\0".into())));
    assert_eq!(read(b"", "any").unwrap(), Value::List(vec![]));
    assert_eq!(read(&[0; 2 * SECTOR], "any").unwrap(), Value::List(vec![]));
    assert_eq!(written(&Value::List(vec![])).unwrap(), [0; 2 * SECTOR]);
}

#[test]
fn marks_lead_back() {
    let file = written(&region()).unwrap();
    let mut format = Region::default();
    let mut source = format.source(Part::whole(&file));
    source.list().unwrap();
    while source.item().unwrap() {
        let mark = source.mark();
        source.map().unwrap();
        while source.entry().unwrap() {
            let key = source.mark();
            source.text().unwrap();
            source.value().unwrap();
            source.skip().unwrap();
            let after = source.mark();
            source.reset(key);
            let again = source.text().unwrap().to_string();
            source.value().unwrap();
            if again == "chunk" {
                source.map().unwrap();
                assert!(source.entry().unwrap());
                let inner = source.mark();
                source.reset(key);
                source.reset(inner);
                assert_eq!(&*source.text().unwrap(), "name");
            }
            source.reset(after);
        }
        let after = source.mark();
        source.reset(mark);
        assert_eq!(source.span().unwrap().len(), SECTOR);
        source.reset(after);
    }
    source.end().unwrap();
}

/// Returns a region with one chunk that has these bytes and this number of sectors.
fn with_chunk(bytes: &[u8], sectors: u8) -> Vec<u8> {
    let mut file = vec![0; 2 * SECTOR];
    file[..4].copy_from_slice(&[0, 0, 2, sectors]);
    file.extend_from_slice(bytes);
    file
}

#[test]
fn every_compression_is_read_or_refused() {
    let plain = b"\x0a\0\0\x01\0\x01a\x07\0";
    let content = |scheme: u8, content: &[u8]| {
        let bytes = [&(content.len() as u32 + 1).to_be_bytes()[..], &[scheme], content].concat();
        read(&with_chunk(&bytes, 1), "[{chunk: {a: int}}]")
    };
    assert!(content(3, plain).is_ok());
    assert_eq!(
        content(4, plain).unwrap_err().to_string(),
        "expected gzip, zlib or no compression, found LZ4, which Demat does not unpack at `$[0].chunk` (byte 8196)"
    );
    assert!(content(130, plain).unwrap_err().to_string().contains("one in a file of its own (.mcc)"));
    assert!(content(0, plain).unwrap_err().to_string().contains("found compression 0"));
    for scheme in [1, 2] {
        assert!(content(scheme, plain).unwrap_err().to_string().contains("damaged or cut off"));
        assert_eq!(content(scheme, plain).unwrap_err().position().offset, Some(8197));
    }
    assert!(content(3, b"\x0a\0\0\x01\0\x01a").unwrap_err().to_string().contains("(byte 8192)"));
    assert!(content(3, &[plain, &b"\0"[..]].concat()).unwrap_err().to_string().contains("end of input"));
}

#[test]
fn lengths_that_lie_are_refused() {
    let refused = |bytes: &[u8], sectors: u8| read(&with_chunk(bytes, sectors), "any").unwrap_err().to_string();
    assert!(refused(b"\0\0\0\0\x03", 1).starts_with("expected a length of 1 to 4092"));
    assert!(
        refused(b"\0\0\x20\0\x03", 1)
            .starts_with("expected a length of 1 to 4092, which the chunk's sectors have, found `8192`")
    );
    assert!(refused(b"\xff\xff\xff\xff\x03", 255).contains("found `4294967295`"));
    assert!(refused(b"\0\0\0\x09\x03ab", 1).contains("expected a chunk of length 9, found 2 bytes"));
    assert!(refused(b"\0\0\0", 1).contains("expected a chunk, found end of input"));
    assert!(refused(b"", 0).contains("expected a chunk"));
    let mut inside = vec![0; 2 * SECTOR];
    inside[3] = 1;
    assert!(read(&inside, "any").unwrap_err().to_string().contains("a chunk behind the header"));
    for len in [1, SECTOR, 2 * SECTOR - 1] {
        assert!(read(&vec![0; len], "any").unwrap_err().to_string().contains("a region file's header"));
    }
}

#[test]
fn records_that_are_none_are_refused() {
    let number = |number: i64| Value::Int(number.into());
    let cases = [
        (vec![("x", number(32)), ("z", number(0)), ("chunk", map(&[]))], "an int from 0 to 31, found `32` at `$[0].x`"),
        (vec![("x", number(1)), ("chunk", map(&[]))], "an int from 0 to 31, found nothing at `$[0].z`"),
        (vec![("x", number(1)), ("z", number(0))], "the record has no chunk"),
        (
            vec![("x", number(1)), ("z", number(0)), ("chunk", number(1))],
            "expected `record`, found `int` 1 at `$[0].chunk`",
        ),
        (vec![("y", number(1))], "x, z, timestamp and chunk"),
        (
            vec![("timestamp", number(-1)), ("x", number(1)), ("z", number(0)), ("chunk", map(&[]))],
            "32 bits and no sign",
        ),
    ];
    for (fields, expected) in cases {
        let error = written(&Value::List(vec![map(&fields)])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encode);
        assert!(error.to_string().contains(expected), "{error}");
    }
    let twice = written(&Value::List(vec![chunk(1, 1), chunk(1, 1)])).unwrap_err();
    assert!(twice.to_string().contains("was written before"));
    assert!(written(&map(&[])).is_err());
}

/// Skips invalid records.
struct Rest(Vec<String>);

impl crate::stream::OnError for Rest {
    fn goes_on(&mut self, _: &Error) -> bool {
        true
    }
    fn reject(&mut self, error: Error, _: &[u8]) -> Result<()> {
        self.0.push(error.to_string());
        Ok(())
    }
}

#[test]
fn bad_chunks_can_be_left_out() {
    let mut file = written(&region()).unwrap();
    for index in [3usize, 31 * 33] {
        let place = entry(&file, index).unwrap().start;
        file[place + 4] = 4;
    }
    let mut rest = Rest(Vec::new());
    let read = Value::build(|sink| {
        copy_stream(&mut Window::new(&*file), &mut Region::default(), &SHAPE.parse().unwrap(), sink, &mut rest)
            .map(drop)
    });
    let Value::List(items) = read.unwrap() else { unreachable!() };
    assert_eq!((items.len(), rest.0.len()), (4, 2));
}

#[test]
fn a_region_of_minecraft_is_read_chunk_by_chunk() {
    let Some(file) = crate::binary::testing::suite_file("nbt/regiontest.mca") else { return };
    let entries = (0..CHUNKS).filter_map(|index| entry(&file, index)).count();
    let mut rest = Rest(Vec::new());
    let read = Value::build(|sink| {
        copy_stream(&mut Window::new(&*file), &mut Region::default(), &SHAPE.parse().unwrap(), sink, &mut rest)
            .map(drop)
    });
    let Value::List(items) = read.unwrap() else { unreachable!() };
    assert_eq!(items.len() + rest.0.len(), entries);
    // The file has chunks that are invalid in ten ways.
    assert_eq!((items.len(), rest.0.len()), (11, 10), "{:#?}", rest.0);
}

#[test]
fn chunks_are_packed_with_zlib() {
    let file = written(&Value::List(vec![chunk(0, 0)])).unwrap();
    let at = 2 * SECTOR;
    let len = u32::from_be_bytes(*file[at..].first_chunk().unwrap()) as usize;
    assert_eq!(file[at + 4], 2);
    assert_eq!(Packing::Zlib.unpack(&file[at + 5..at + 4 + len], 1 << 20).unwrap()[..3], *b"\x0a\0\0");
    let mut sink = sink();
    sink.begin_list(None).unwrap();
    assert!(sink.finish().is_err());
}
