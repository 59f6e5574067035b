use super::{Input, Progress};
use crate::{Place, Target};
use demat_core::ErrorKind;
use std::io::Read;

#[test]
fn what_a_target_packs_an_input_unpacks() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "a.gz", "a.zst"] {
        let place = Place::from(&folder.path().join(name));
        let mut target = Target::create(&place).unwrap();
        for _ in 0..1000 {
            target.write(b"some text that repeats, ").unwrap();
        }
        assert!(!place.path().unwrap().exists());
        target.finish().unwrap();
        let len = std::fs::metadata(place.path().unwrap()).unwrap().len();
        assert_eq!(name == "a", len == 24_000, "{name}: {len}");
        let mut input = Input::open(&place).unwrap();
        let mut text = String::new();
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "some text that repeats, ".repeat(1000));
        assert_eq!(input.progress(), Progress { read: len, total: Some(len) });
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn an_unfinished_target_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "a.gz", "a.zst"] {
        let mut target = Target::create(&Place::from(&folder.path().join(name))).unwrap();
        target.write(b"x").unwrap();
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn what_is_not_there_is_told_by_name() {
    let error = Input::open(&Place::from("none/such")).unwrap_err();
    assert_eq!((error.kind(), error.place()), (ErrorKind::Io, Some("none/such")));
}
