use demat_core::scalar::Int;
use demat_core::{Decode, Source, Value};
use demat_formats::json::JsonSource;
use serde_json::Value as Peer;

/// `serde_json` accepts the same texts and finds the same values.
///
/// It differs, and should, in this: integers past 64 bits are floats there (and `-0` is), a byte order mark is refused, a
/// nesting of 128 is too deep, and what it ignores is not checked to be UTF-8.
pub fn json_vs_serde(text: &[u8]) {
    let bare = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut source = JsonSource::new(text);
    let own = Value::decode(&mut source).and_then(|value| source.end().map(|()| value));
    match (own, serde_json::from_slice::<Peer>(bare)) {
        (Ok(own), Ok(peer)) => assert!(agree(&own, &peer), "{own:?} and {peer:?}"),
        (Err(_), Err(_)) => {}
        (Ok(_), Err(peer))
            if ["number out of range", "recursion limit"].iter().any(|it| peer.to_string().starts_with(it)) => {}
        (own, peer) => panic!("{own:?} and {peer:?}"),
    }
}

fn agree(own: &Value, peer: &Peer) -> bool {
    match (own, peer) {
        (Value::Null, Peer::Null) => true,
        (Value::Bool(own), Peer::Bool(peer)) => own == peer,
        (Value::Int(own), Peer::Number(peer)) => match (peer.as_i64(), peer.as_u64()) {
            (Some(peer), _) => *own == Int::from(peer),
            (_, Some(peer)) => *own == Int::from(peer),
            _ => peer.as_f64() == Some(own.to_f64()),
        },
        (Value::Float(own), Peer::Number(peer)) => peer.as_f64().map(f64::to_bits) == Some(own.to_bits()),
        (Value::Text(own), Peer::String(peer)) => own == peer,
        (Value::List(own), Peer::Array(peer)) => {
            own.len() == peer.len() && own.iter().zip(peer).all(|(own, peer)| agree(own, peer))
        }
        (Value::Map(own), Peer::Object(peer)) => {
            own.len() == peer.len()
                && own.iter().all(|(key, own)| match key {
                    Value::Text(key) => peer.get(&**key).is_some_and(|peer| agree(own, peer)),
                    _ => false,
                })
        }
        _ => false,
    }
}
