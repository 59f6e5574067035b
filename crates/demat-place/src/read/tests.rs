use crate::{Format, Place, WriteOptions, read, read_as, write, write_as};
use demat_core::{ErrorKind, Result};

type Point = (i64, Option<f64>);

const POINTS: [Point; 3] = [(1, Some(0.5)), (-2, None), (3, Some(-1.0))];

#[test]
fn lists_make_the_trip_in_each_format_that_holds_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut tried = 0;
    for format in Format::all().filter(|format| format.is_streamed() && !format.is_columnar() && !format.is_table()) {
        let path = folder.path().join(format!("points.{}", format.name()));
        let place = Place::from(&path);
        let Ok(written) = write_as::<Point>(&place, format, &WriteOptions::of(format), POINTS) else { continue };
        assert_eq!(written, 3, "{format}");
        let points = read_as::<Point>(&place, format, &format.read_options()).unwrap();
        assert_eq!(points.collect::<Result<Vec<_>>>().unwrap(), POINTS, "{format}");
        tried += 1;
    }
    assert!(tried >= 7, "{tried}");
}

#[test]
fn a_name_says_format_and_compression() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.json.zst");
    assert_eq!(write::<Point>(&path, &POINTS).unwrap(), 3);
    assert_eq!(&std::fs::read(&path).unwrap()[..4], b"\x28\xB5\x2F\xFD");
    assert_eq!(read::<Point>(&path).unwrap().map(|point| point.unwrap().0).sum::<i64>(), 2);
}

#[test]
fn the_first_error_is_the_last_item() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.ndjson");
    std::fs::write(&path, "[1,null]\n[2,\"x\"]\n[3,null]\n").unwrap();
    let mut points = read::<Point>(&path).unwrap();
    assert_eq!(points.next().unwrap().unwrap(), (1, None));
    let error = points.next().unwrap().unwrap_err();
    assert_eq!((error.path().as_str(), error.position().line), ("$[1][1]", Some(2)));
    assert!(error.place().unwrap().ends_with("points.ndjson"));
    assert!(points.next().is_none());
}

#[test]
fn places_that_are_not_there_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = read::<Point>(folder.path().join("none.json")).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    let error = read::<Point>(folder.path().join("points.xyz")).map(drop).unwrap_err();
    assert!(error.to_string().contains("its suffix is that of no format"), "{error}");
    let error = write::<Point>(folder.path().join("points"), POINTS).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Constraint);
}

#[test]
fn what_failed_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("floats.json");
    assert!(write::<f64>(&path, [0.5, f64::NAN]).unwrap_err().to_string().contains("$[1]"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
