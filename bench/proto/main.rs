//! Protocol Buffers beside prost: encode and decode of derived types, and canonical JSON.
//!
//! ```text
//! demat-bench-proto [ROUNDS]     a table: nanoseconds a record, the best of the rounds, and prost's share of Demat's speed
//! ```
//!
//! The jobs of a line take turns, round by round; every answer is compared before anything is timed.

mod records;

use demat_core::copy;
use demat_formats::canonical::{CanonicalSink, CanonicalSource, Mapping, ReadOptions};
use demat_formats::json::{CompactSink, JsonSource};
use demat_formats::proto::{self, ProtoSink, ProtoSource};
use demat_formats::{Keep, Output};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use records::{DEFINITIONS, Long, LongBorrowed, Three, long, peer, three};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// So many records a round.
const RECORDS: u32 = 20_000;

type Job<'j> = (&'static str, Box<dyn FnMut() + 'j>);

fn main() {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(30);
    println!("{:<34} {:>10} {:>10} {:>8}", "ns a record", "demat", "peer", "ratio");
    typed(rounds);
    if std::env::args().nth(2).is_none() {
        json(rounds);
    }
}

/// Encode and decode of derived types.
fn typed(rounds: u32) {
    let (own, mut out) = (three(), Vec::new());
    let bytes = proto::encode(&own).expect("a record");
    let theirs = peer::Three::decode(bytes.as_slice()).expect("a message");
    assert_eq!(theirs.encode_to_vec(), bytes);
    assert_eq!(proto::decode::<Three>(&bytes).expect("a message"), own);
    let mut other = Vec::new();
    line(
        &format!("encode three messages, {} B", bytes.len()),
        rounds,
        ("demat", Box::new(|| proto::encode_into(black_box(&own), &mut out).expect("a record"))),
        (
            "prost",
            Box::new(|| {
                other.clear();
                black_box(&theirs).encode(&mut other).expect("room");
            }),
        ),
    );
    line(
        "decode three messages",
        rounds,
        ("demat", Box::new(|| drop(black_box(proto::decode::<Three>(black_box(&bytes)).expect("a message"))))),
        ("prost", Box::new(|| drop(black_box(peer::Three::decode(black_box(bytes.as_slice())).expect("a message"))))),
    );
    for text in [27, 1979] {
        let (own, mut out, mut other) = (long(text), Vec::new(), Vec::new());
        let bytes = proto::encode(&own).expect("a record");
        let theirs = peer::Long::decode(bytes.as_slice()).expect("a message");
        assert_eq!(theirs.encode_to_vec(), bytes);
        assert_eq!(proto::decode::<Long>(&bytes).expect("a message"), own);
        assert_eq!(proto::decode::<LongBorrowed<'_>>(&bytes).expect("a message").text, own.text);
        let len = bytes.len();
        line(
            &format!("encode {len} B"),
            rounds,
            ("demat", Box::new(|| proto::encode_into(black_box(&own), &mut out).expect("a record"))),
            (
                "prost",
                Box::new(|| {
                    other.clear();
                    black_box(&theirs).encode(&mut other).expect("room");
                }),
            ),
        );
        line(
            &format!("decode {len} B"),
            rounds,
            ("demat", Box::new(|| drop(black_box(proto::decode::<Long>(black_box(&bytes)).expect("a message"))))),
            (
                "prost",
                Box::new(|| drop(black_box(peer::Long::decode(black_box(bytes.as_slice())).expect("a message")))),
            ),
        );
        line(
            &format!("decode {len} B, borrowed"),
            rounds,
            (
                "demat",
                Box::new(|| drop(black_box(proto::decode::<LongBorrowed<'_>>(black_box(&bytes)).expect("a message")))),
            ),
            (
                "prost",
                Box::new(|| drop(black_box(peer::Long::decode(black_box(bytes.as_slice())).expect("a message")))),
            ),
        );
    }
}

/// The wire format as canonical JSON, and back; the peer is what `prost-reflect` and `serde_json` make of it.
fn json(rounds: u32) {
    let definitions = demat_proto::Definitions::from_text(DEFINITIONS).expect("definitions");
    let pool = pool();
    let cases = [
        ("three messages", "Three", proto::encode(&three()).expect("a record")),
        ("60 B", "Long", proto::encode(&long(27)).expect("a record")),
        ("2,012 B", "Long", proto::encode(&long(1979)).expect("a record")),
    ];
    for (name, message, bytes) in cases {
        let shape = definitions.exact_shape(message).expect("a shape");
        let mapping = Arc::new(Mapping::new(&shape).expect("a mapping"));
        let kind = pool.get_message_by_name(message).expect("a message");
        let mut buffer = Vec::new();
        let mut to_json = || {
            let json = CompactSink::new(Output::new(std::mem::take(&mut buffer), Keep));
            let mut sink = CanonicalSink::new(json, Arc::clone(&mapping));
            copy(&mut ProtoSource::new(black_box(&bytes)), mapping.shape(), &mut sink).expect("JSON");
            buffer = sink.into_inner().into_output().into_parts().0;
        };
        to_json();
        let own = buffer.clone();
        let dynamic = || DynamicMessage::decode(kind.clone(), black_box(bytes.as_slice())).expect("a message");
        let theirs = serde_json::to_vec(&dynamic()).expect("JSON");
        let same = |json: &[u8]| serde_json::from_slice::<serde_json::Value>(json).expect("JSON");
        assert_eq!(same(&own), same(&theirs));
        let mut to_json = || {
            let json = CompactSink::new(Output::new(std::mem::take(&mut buffer), Keep));
            let mut sink = CanonicalSink::new(json, Arc::clone(&mapping));
            copy(&mut ProtoSource::new(black_box(&bytes)), mapping.shape(), &mut sink).expect("JSON");
            buffer = sink.into_inner().into_output().into_parts().0;
        };
        line(
            &format!("{name} to canonical JSON"),
            rounds,
            ("demat", Box::new(&mut to_json)),
            ("prost-reflect", Box::new(|| drop(black_box(serde_json::to_vec(&dynamic()).expect("JSON"))))),
        );
        let mut wire = Vec::new();
        let mut from_json = || {
            let source = JsonSource::new(black_box(&own));
            let mut source = CanonicalSource::new(source, Arc::clone(&mapping), ReadOptions::default());
            let mut sink = ProtoSink::new(Output::new(std::mem::take(&mut wire), Keep));
            copy(&mut source, mapping.shape(), &mut sink).expect("a message");
            wire = sink.into_output().into_parts().0;
        };
        from_json();
        assert_eq!(wire, bytes);
        let mut from_json = || {
            let source = JsonSource::new(black_box(&own));
            let mut source = CanonicalSource::new(source, Arc::clone(&mapping), ReadOptions::default());
            let mut sink = ProtoSink::new(Output::new(std::mem::take(&mut wire), Keep));
            copy(&mut source, mapping.shape(), &mut sink).expect("a message");
            wire = sink.into_output().into_parts().0;
        };
        let peer = || {
            let mut json = serde_json::Deserializer::from_slice(black_box(&own));
            let message = DynamicMessage::deserialize(kind.clone(), &mut json).expect("a message");
            drop(black_box(message.encode_to_vec()));
        };
        line(
            &format!("{name} of canonical JSON"),
            rounds,
            ("demat", Box::new(&mut from_json)),
            ("prost-reflect", Box::new(peer)),
        );
    }
}

fn pool() -> DescriptorPool {
    let folder = std::env::temp_dir().join(format!("demat-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("bench.proto"), DEFINITIONS).expect("a file");
    let set = protox::compile(["bench.proto"], [&folder]).expect("definitions");
    std::fs::remove_dir_all(&folder).expect("the folder");
    DescriptorPool::from_file_descriptor_set(set).expect("definitions")
}

/// Times two jobs, which take turns, and says how many times as fast the first is.
fn line(name: &str, rounds: u32, own: Job<'_>, peer: Job<'_>) {
    let (mut jobs, mut best) = ([own, peer], [f64::INFINITY; 2]);
    for _ in 0..rounds {
        for ((_, job), best) in jobs.iter_mut().zip(&mut best) {
            let begun = Instant::now();
            for _ in 0..RECORDS {
                job();
            }
            *best = best.min(begun.elapsed().as_secs_f64() * 1e9 / f64::from(RECORDS));
        }
    }
    println!("{name:<34} {:>10.1} {:>10.1} {:>7.2}x  {}", best[0], best[1], best[1] / best[0], jobs[1].0);
}
