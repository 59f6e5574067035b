//! Compares JSON with `serde_json` on the same texts.

use crate::support::text::{mutated, spelled};
use crate::support::values::{Random, Shaped, shaped};
use crate::tries;
use crate::ways::{json_skipped, json_value};
use demat_core::scalar::Int;
use demat_core::{ErrorKind, Shape, Value};
use proptest::prelude::*;
use serde_json::Value as Peer;

/// They differ deliberately:
///
/// * integers past 64 bits are floats there, and exact here; `-0` is a float there, and the integer 0 here;
/// * a byte order mark at the start is refused there, and skipped here;
/// * the depth is limited to 128 there, and to 1,024 here.
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

proptest! {
    #![proptest_config(tries(150))]

    #[test]
    fn serde_json_says_the_same(Shaped(_, value) in shaped(), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        for round in 0..8 {
            let mut text = spelled(&value, &mut random);
            if round > 0 {
                text = mutated(text, &mut random);
            }
            let bare = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
            let name = text.escape_ascii();
            match (json_value(&text, &Shape::Any), serde_json::from_slice::<Peer>(bare)) {
                (Ok(own), Ok(peer)) => prop_assert!(agree(&own, &peer), "{own:?} and {peer:?}: {name}"),
                (Err(_), Err(_)) => {}
                // Integers past binary64 are exact here, and too large there; decimals never reach the peer.
                (Ok(_), Err(peer)) if peer.to_string().starts_with("number out of range") => {}
                (own, peer) => prop_assert!(false, "{own:?} and {peer:?}: {name}"),
            }
            // Both agree on what is valid JSON, except for numbers that are too large and for depth.
            match (json_skipped(&text), serde_json::from_slice::<serde::de::IgnoredAny>(bare)) {
                (Ok(()), Ok(_)) | (Err(_), Err(_)) => {}
                // It does not check what it ignores: neither UTF-8 nor surrogates.
                (Err(own), Ok(_)) if own.kind() == ErrorKind::Syntax && own.expectation().is_some_and(|it| it.contains("UTF-8") || it.contains("surrogates")) => {}
                (own, peer) => prop_assert!(false, "{own:?} and {peer:?}: {name}"),
            }
        }
    }
}
