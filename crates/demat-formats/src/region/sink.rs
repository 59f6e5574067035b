//! Writing region files.

use super::header::{CHUNKS, SECTOR, SIDE};
use crate::nbt::{NbtSink, NbtSource, Packed, Packing, ReadOptions, Root, Variant, WriteOptions};
use crate::stream::Part;
use crate::{Drain, Keep, Output, To};
use demat_core::{Error, ErrorKind, Kind, Result, Sink, Source, forward};

/// Region files, as a [`Sink`]. It holds all chunks in memory, unpacked, until the end.
#[derive(Debug)]
pub struct RegionSink<D> {
    /// Encodes the list of records as NBT.
    inner: NbtSink<Keep>,
    depth: u32,
    output: Output<D>,
}

/// A chunk to be written.
#[derive(Debug, Default)]
struct Chunk {
    x: Option<i64>,
    z: Option<i64>,
    timestamp: i64,
    /// The packed NBT.
    content: Option<Vec<u8>>,
}

impl<D: Drain> RegionSink<D> {
    /// Returns a sink that writes to an output. It uses only the depth and the form of UUIDs from the options.
    pub fn new(output: Output<D>, options: &WriteOptions) -> Self {
        let depth = options.depth.saturating_add(2);
        let options = WriteOptions { depth, uuid_ints: options.uuid_ints, ..WriteOptions::default() };
        Self { inner: NbtSink::new(Output::new(Vec::new(), Keep), options), depth, output }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    fn write(&mut self) -> Result<()> {
        let inner =
            core::mem::replace(&mut self.inner, NbtSink::new(Output::new(Vec::new(), Keep), WriteOptions::default()));
        let document = inner.into_output().into_parts().0;
        let options = ReadOptions {
            variant: Some(Variant::Java),
            root: Root::Named,
            depth: self.depth,
            ..ReadOptions::default()
        };
        let mut source = NbtSource::over(Part::whole(&document), &options);
        let mut header = vec![0; 2 * SECTOR];
        let mut sectors: Vec<u8> = Vec::new();
        source.list()?;
        let mut number = 0;
        while source.item()? {
            let chunk = chunk_of(&mut source).map_err(|error| error.within_item(number))?;
            put(&mut header, &mut sectors, chunk).map_err(|error| error.within_item(number))?;
            number += 1;
        }
        self.output.buffer.append(&mut header);
        self.output.buffer.append(&mut sectors);
        Ok(())
    }
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Encode, message.into())
}

/// Reads a record.
fn chunk_of(source: &mut NbtSource<'_>) -> Result<Chunk> {
    let mut chunk = Chunk::default();
    source.map()?;
    while source.entry()? {
        let key = source.text()?.to_string();
        let read = match &*key {
            "x" => source.i64().map(|x| chunk.x = Some(x)),
            "z" => source.i64().map(|z| chunk.z = Some(z)),
            "timestamp" => source.i64().map(|timestamp| chunk.timestamp = timestamp),
            "chunk" => packed(source).map(|content| chunk.content = Some(content)),
            _ => Err(refused("a chunk's record has the fields x, z, timestamp and chunk")),
        };
        read.map_err(|error| refused(error.reason()).within_field(key))?;
    }
    Ok(chunk)
}

/// Packs the current chunk.
fn packed(source: &mut NbtSource<'_>) -> Result<Vec<u8>> {
    if source.peek()? != Kind::Map {
        return Err(source.mismatch("record"));
    }
    let mut span = source.span()?.into_owned();
    let mut content = Vec::new();
    Packed::new(Packing::Zlib, To(&mut content)).finish(&mut span)?;
    Ok(content)
}

/// Appends a chunk in its own sectors, and sets its entry in the header.
fn put(header: &mut [u8], sectors: &mut Vec<u8>, chunk: Chunk) -> Result<()> {
    let side = |value: Option<i64>, name: &'static str| {
        let place = value.and_then(|value| usize::try_from(value).ok()).filter(|place| *place < SIDE);
        let found = value.map_or("nothing".to_string(), |value| value.to_string());
        place.ok_or_else(|| Error::mismatch(ErrorKind::Encode, "an int from 0 to 31", found).within_field(name))
    };
    let index = side(chunk.x, "x")? + SIDE * side(chunk.z, "z")?;
    debug_assert!(index < CHUNKS);
    let timestamp = u32::try_from(chunk.timestamp);
    let timestamp = timestamp.map_err(|_| refused("a timestamp has 32 bits and no sign").within_field("timestamp"))?;
    let content = chunk.content.ok_or_else(|| refused("the record has no chunk"))?;
    let place = &mut header[4 * index..4 * index + 4];
    if place.iter().any(|byte| *byte != 0) {
        return Err(refused("a chunk of the same x and z was written before"));
    }
    let (first, count) = (2 + sectors.len() / SECTOR, (content.len() + 5).div_ceil(SECTOR));
    let (Ok(count), true) = (u8::try_from(count), first < 1 << 24) else {
        return Err(refused("the packed chunk is longer than a region file can hold: 255 sectors of 4096 bytes"));
    };
    place.copy_from_slice(&((first as u32) << 8 | u32::from(count)).to_be_bytes());
    header[SECTOR + 4 * index..SECTOR + 4 * index + 4].copy_from_slice(&timestamp.to_be_bytes());
    sectors.extend_from_slice(&(content.len() as u32 + 1).to_be_bytes());
    sectors.push(2);
    sectors.extend_from_slice(&content);
    sectors.resize(sectors.len().next_multiple_of(SECTOR), 0);
    Ok(())
}

impl<D: Drain> Sink for RegionSink<D> {
    forward! { self => self.inner; scalars containers keys begin stated begin_list_of as_is commit rollback }

    fn finish(&mut self) -> Result<()> {
        self.inner.finish()?;
        self.write()?;
        self.output.finish()
    }
}
