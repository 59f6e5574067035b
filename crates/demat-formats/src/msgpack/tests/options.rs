//! Options, and bytes that are taken as they stand.

use super::*;
use crate::Format;
use crate::To;
use crate::codec::{Codec, SettingValue};
use crate::json::RepeatedKeys;
use crate::msgpack::MsgpackCodec;
use crate::stream::Part;
use demat_core::Error;

#[test]
fn a_repeated_key_counts_last_or_is_refused() {
    let bytes = b"\x82\xa1a\x01\xa1a\x02";
    assert_eq!(
        testing::streamed(Msgpack::default(), &bytes[..], 100, &"{a: int}".parse().unwrap()).unwrap(),
        read(b"\x81\xa1a\x02", "any").unwrap()
    );
    let options = ReadOptions { repeated_keys: RepeatedKeys::Refuse, ..ReadOptions::default() };
    let mut source = MsgpackSource::over(Part::whole(bytes), options);
    let error = Value::decode_as(&mut source, &"{a: int}".parse().unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("the key `a` stands here again"), "{error}");
}

#[test]
fn options_are_set_by_name() {
    let format = Format::MSGPACK;
    let mut options = format.write_options();
    format.set_write(&mut options, "sequence", |_| Ok::<_, Error>(SettingValue::Flag(true))).unwrap();
    format.set_write(&mut options, "depth", |setting| setting.parse("2")).unwrap();
    let mut bytes = Vec::new();
    let mut sink = MsgpackCodec.sink(&options, Box::new(To(&mut bytes))).unwrap();
    sink.begin_list(None).unwrap();
    sink.item().unwrap();
    sink.empty_map().unwrap();
    sink.item().unwrap();
    sink.begin_map(None).unwrap();
    sink.entry().unwrap();
    sink.null().unwrap();
    sink.value().unwrap();
    let error = sink.begin_list(None).unwrap_err();
    assert_eq!(error.to_string(), "the depth of nesting exceeds the limit of 2");
    sink.null().unwrap();
    sink.end_map().unwrap();
    sink.end_list().unwrap();
    sink.finish().unwrap();
    drop(sink);
    assert_eq!(bytes, b"\x80\x81\xc0\xc0");
}

#[test]
fn one_value_is_taken_as_it_stands() {
    let taken = |bytes: &[u8]| {
        told(|sink| {
            sink.begin_list(None)?;
            sink.item()?;
            if sink.as_is("msgpack", bytes)? { sink.end_list() } else { Err(Error::expected("a value", "other bytes")) }
        })
    };
    assert_eq!(taken(b"\xcd\x00\x01").unwrap(), b"\x91\xcd\x00\x01");
    assert!(taken(b"\x80\x80").is_err(), "a sequence");
    assert!(taken(b"\x91").is_err());
    assert!(!WriteOptions::default().sink(Output::new(Vec::new(), Keep)).as_is("json", b"1").unwrap());
}
