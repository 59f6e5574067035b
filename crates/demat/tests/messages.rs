//! Messages are read and written quickly where they are usual: as they are with care, whatever is in them.

#[path = "messages/mod.rs"]
mod types;
#[path = "messages/values.rs"]
mod values;

use demat_formats::proto::{self, read_varint, write_varint};
use proptest::collection::vec;
use proptest::prelude::*;
use types::{Other, Pair, Usual, check, check_all, written};
use values::{other, pairs, usual};

/// The fields of a message, tags and all; nothing where it is none.
fn fields(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let (tag, front) = read_varint(bytes)?;
        let value = &bytes[front..];
        let len = match tag & 7 {
            0 => read_varint(value)?.1,
            1 => 8,
            5 => 4,
            2 => {
                let (len, front) = read_varint(value)?;
                usize::try_from(len).ok()?.checked_add(front)?
            }
            // A group is left as it is.
            _ => value.len(),
        };
        let (field, rest) = bytes.split_at_checked(front.checked_add(len)?)?;
        fields.push(field.to_vec());
        bytes = rest;
    }
    Some(fields)
}

/// What becomes of the fields of a message.
#[derive(Debug, Clone)]
enum Change {
    Swap(usize, usize),
    Again(usize, usize),
    Drop(usize),
    Unknown(usize, u64),
    /// A field as another one, or as one of another wire type.
    Tag(usize, u64),
    Byte(usize, u8),
    Cut(usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let at = || any::<usize>();
    let change = prop_oneof![
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at(), at()).prop_map(|(a, b)| Change::Again(a, b)),
        at().prop_map(Change::Drop),
        (at(), 0..700_u64).prop_map(|(a, tag)| Change::Unknown(a, tag)),
        (at(), 0..250_u64).prop_map(|(a, tag)| Change::Tag(a, tag)),
        (at(), any::<u8>()).prop_map(|(a, byte)| Change::Byte(a, byte)),
        at().prop_map(Change::Cut),
    ];
    vec(change, 0..4)
}

fn changed(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        if let (Change::Byte(at, _) | Change::Cut(at), false) = (change, bytes.is_empty()) {
            let at = at % bytes.len();
            match change {
                Change::Byte(_, byte) => bytes[at] = *byte,
                _ => bytes.truncate(at),
            }
            // The message may not consist of fields any more.
            return bytes;
        }
        let Some(mut all) = fields(&bytes) else { return bytes };
        let count = all.len();
        match change {
            _ if count == 0 => {}
            Change::Swap(a, b) => all.swap(a % count, b % count),
            Change::Again(a, b) => all.insert(b % count, all[a % count].clone()),
            Change::Drop(a) => drop(all.remove(a % count)),
            Change::Unknown(a, number) => {
                let mut field = Vec::new();
                write_varint(&mut field, (number + 1) << 3);
                field.push(5);
                all.insert(a % count, field);
            }
            Change::Tag(a, tag) => {
                let field = &mut all[a % count];
                let front = read_varint(field).unwrap().1;
                let mut other = Vec::new();
                write_varint(&mut other, tag + 8);
                field.splice(..front, other);
                return all.concat();
            }
            Change::Byte(..) | Change::Cut(_) => {}
        }
        bytes = all.concat();
    }
    bytes
}

proptest! {
    #[test]
    fn a_usual_message_is_what_it_is_with_care(value in usual(), changes in changes()) {
        let bytes = proto::encode(&value).unwrap();
        prop_assert_eq!(&bytes, &written(&value));
        check::<Usual<'_>>(&bytes);
        let back = proto::decode::<Usual<'_>>(&bytes).unwrap();
        prop_assert_eq!(format!("{back:?}"), format!("{value:?}"));
        check_all(&changed(&bytes, &changes));
    }

    #[test]
    fn so_is_another_one(value in other(), changes in changes()) {
        let bytes = proto::encode(&value).unwrap();
        prop_assert_eq!(&bytes, &written(&value));
        prop_assert_eq!(&proto::decode::<Other>(&bytes).unwrap(), &value);
        check_all(&changed(&bytes, &changes));
    }

    #[test]
    fn so_are_many(pairs in vec(pairs(), 0..5), changes in changes()) {
        let bytes = proto::encode(&pairs).unwrap();
        prop_assert_eq!(&bytes, &written(&pairs));
        prop_assert_eq!(&proto::decode::<Vec<Pair>>(&bytes).unwrap(), &pairs);
        // The messages as the values of a field, too.
        check_all(&changed(&bytes, &changes));
    }
}

#[test]
fn what_is_deep_is_read_and_written_all_the_same() {
    for depth in [10, 40, 90, 200] {
        let deep = (0..depth).fold(Pair::default(), |inner, x| Pair { x, y: Some("y".repeat(20)), z: vec![inner] });
        let bytes = proto::encode(&deep).unwrap();
        assert_eq!(bytes, written(&deep));
        check::<Pair>(&bytes);
        assert_eq!(proto::decode::<Pair>(&bytes).ok(), (depth < 45).then_some(deep), "{depth}");
    }
}

#[test]
fn what_has_no_form_is_refused_as_with_care() {
    // What must be there, and nothing else.
    let least = Usual { s: 1, ..proto::decode(&[0x98, 1, 1, 0xa2, 1, 0]).unwrap() };
    let usual = || least.clone();
    for wrong in [Usual { u: -1, ..usual() }, Usual { u: i128::MAX, ..usual() }] {
        let error = proto::encode(&wrong).unwrap_err();
        assert_eq!(error.path(), "$.u");
        assert!(error.to_string().contains("fixed64") || error.to_string().contains("uint64"), "{error}");
    }
    let mut buffer = b"before".to_vec();
    proto::encode_into(&Usual { u: -1, ..usual() }, &mut buffer).unwrap_err();
    proto::encode_into(&Pair { x: 1, ..Pair::default() }, &mut buffer).unwrap();
    assert_eq!(buffer, [0x18, 1]);
}
