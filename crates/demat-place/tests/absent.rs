//! A build without a feature knows the formats by name, and opening one fails with the name of the missing feature.
#![cfg(not(all(feature = "arrow", feature = "sqlite")))]

use demat_place::{CopyJob, Format, Place};

fn error(from: &str, to: &str) -> String {
    let place = |name: &str| Place::named(name.as_ref());
    let format = |place: &Place| place.format().unwrap_or(Format::JSON);
    let (from, to) = (place(from), place(to));
    let (read, write) = (format(&from), format(&to));
    CopyJob::new(from, read, to, write).reader(&b"[]"[..]).run().unwrap_err().to_string()
}

#[test]
#[cfg(not(feature = "arrow"))]
fn columns_are_known_and_refused() {
    for (name, format) in [("a.arrow", Format::ARROW), ("a.parquet", Format::PARQUET)] {
        assert_eq!(Format::of_path(name.as_ref()), Some(format));
        let why = format!("this build of Demat can't read or write {format}; enable the feature `arrow`");
        assert_eq!(error(name, "b.json"), format!("{why} ({name})"));
        let mut bytes = Vec::new();
        let refused =
            demat_place::sink(format, &demat_place::WriteOptions::of(format), &mut bytes).map(drop).unwrap_err();
        assert_eq!(refused.to_string(), why);
    }
}

#[test]
#[cfg(not(feature = "sqlite"))]
fn databases_are_known_and_refused() {
    let why = "this build of Demat can't read or write databases; enable the feature `sqlite`";
    assert_eq!(error("a.db#tasks", "b.json"), format!("{why} (a.db#tasks)"));
    let place = Place::named("a.db#tasks".as_ref());
    let options = Format::SQLITE.read_options();
    let refused =
        demat_place::schema(&place, Format::SQLITE, &options, demat_place::Sample::default(), false).unwrap_err();
    assert_eq!(refused.to_string(), format!("{why} (a.db#tasks)"));
}
