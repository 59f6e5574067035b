//! Types of messages, and what each of them is read and written by: quickly, and carefully.
#![allow(unreachable_pub, dead_code)] // the fuzz targets have them, too, and each test uses a part

use core::fmt::Debug;
use demat::{Decode, Encode, Sink as _, Source as _};
use demat_formats::proto::{self, ProtoSink, ProtoSource};
use demat_formats::{Keep, Output};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Fields of every usual kind.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Usual<'a> {
    pub a: bool,
    pub b: i32,
    #[demat(wire = "sint64")]
    pub c: i64,
    #[demat(wire = "fixed32")]
    pub d: u32,
    pub e: u64,
    #[demat(wire = "sfixed64")]
    pub f: i64,
    pub g: f32,
    pub h: f64,
    pub i: String,
    pub j: Cow<'a, [u8]>,
    pub k: Colour,
    pub l: Option<i16>,
    pub m: Option<Box<Self>>,
    pub n: Vec<u32>,
    #[demat(wire = "expanded")]
    pub o: Vec<i8>,
    #[demat(number = 30)]
    pub p: Vec<f64>,
    pub q: Vec<String>,
    pub r: Vec<Pair>,
    #[demat(wire = "required")]
    pub s: u8,
    pub t: Pair,
    #[demat(wire = "fixed64")]
    pub u: i128,
}

#[derive(Debug, Clone, Default, PartialEq, Encode, Decode)]
pub struct Pair {
    #[demat(number = 3)]
    pub x: i64,
    pub y: Option<String>,
    #[demat(number = 1)]
    pub z: Vec<Self>,
}

#[derive(Debug, Clone, Copy, PartialEq, Encode, Decode)]
pub enum Colour {
    Red,
    Green,
    #[demat(number = 7)]
    Blue,
}

/// Fields of other kinds among usual ones.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Other {
    pub a: u32,
    pub b: BTreeMap<String, i32>,
    #[demat(wire = "oneof")]
    pub c: Option<Either>,
    pub d: Vec<Pair>,
    #[demat(wire = "group")]
    pub e: Option<Pair>,
}

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub enum Either {
    #[demat(number = 20)]
    Text(String),
    #[demat(number = 21)]
    Pair(Pair),
}

/// That quickly and carefully read are the same, and so are quickly and carefully written.
pub fn check<'a, T: Decode<'a> + Encode + Debug>(bytes: &'a [u8]) {
    let mut source = ProtoSource::new(bytes);
    let careful = T::decode(&mut source).and_then(|value| source.end().map(|()| value));
    match (proto::decode::<T>(bytes), careful) {
        (Ok(value), Ok(careful)) => {
            // As text, in which one NaN is like another.
            assert_eq!(format!("{value:?}"), format!("{careful:?}"), "{bytes:x?}");
            assert_eq!(proto::encode(&value).unwrap(), written(&careful), "{careful:?}");
        }
        (Err(error), Err(careful)) => assert_eq!(error.to_string(), careful.to_string(), "{bytes:x?}"),
        (value, careful) => panic!("{value:?}, carefully {careful:?}: {bytes:x?}"),
    }
}

/// As it is written with care.
pub fn written<T: Encode>(value: &T) -> Vec<u8> {
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    value.encode(&mut sink).unwrap();
    sink.finish().unwrap();
    sink.into_output().into_parts().0
}

/// As each of the types.
pub fn check_all(bytes: &[u8]) {
    check::<Usual<'_>>(bytes);
    check::<Other>(bytes);
    check::<Pair>(bytes);
    check::<Vec<Pair>>(bytes);
}
