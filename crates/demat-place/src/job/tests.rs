use crate::{CopyJob, Format, InferredShape, OnError, Place, Progress, Sample};
use demat_core::{Error, ErrorKind, Items, Shape, Tag, Union, UnionRef, Variant};
use std::fs;
use tempfile::TempDir;

fn folder(name: &str, content: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    folder
}

fn job<'j>(folder: &TempDir, from: &str, to: &str) -> CopyJob<'j> {
    let place = |name: &str| Place::from(&folder.path().join(name));
    let (from, to) = (place(from), place(to));
    let (from_format, to_format) = (from.format().unwrap(), to.format().unwrap());
    CopyJob::new(from, from_format, to, to_format)
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn a_summary_counts() {
    let folder = folder("a.ndjson", "{\"id\":1}\n{\"id\":2}\n{\"id\":\"x\"}\n");
    let summary = job(&folder, "a.ndjson", "b.json").run().unwrap();
    assert_eq!((summary.records, summary.rejected, summary.written, summary.read), (3, 0, true, 29));
    let id = || "id: int".parse().unwrap();
    let skip = job(&folder, "a.ndjson", "b.json").shape(id()).on_error(OnError::Skip).run().unwrap();
    assert_eq!((skip.records, skip.rejected, skip.written), (2, 1, true));
    let all = job(&folder, "a.ndjson", "c.json").shape(id()).on_error(OnError::All).run().unwrap();
    assert_eq!((all.records, all.rejected, all.written), (0, 1, false));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    let first = job(&folder, "a.ndjson", "b.json").first(1).run().unwrap();
    assert_eq!((first.records, first.written), (1, true));
    assert_eq!(read(&folder, "b.json"), "[{\"id\":1}]\n");
}

#[test]
fn refused_records_are_told_with_their_bytes() {
    let folder = folder("a.ndjson", "{\"id\":1}\n{ \"id\" : \"x\" }\n}\n{\"id\":2}\n");
    let mut told = Vec::new();
    let shape = "id: int".parse().unwrap();
    let keep = |error: &Error, bytes: &[u8]| {
        told.push((error.kind(), error.position().record, String::from_utf8(bytes.to_vec()).unwrap()));
    };
    job(&folder, "a.ndjson", "b.json").shape(shape).on_error(OnError::Skip).on_reject(keep).run().unwrap();
    let expected =
        [(ErrorKind::Type, Some(2), "{ \"id\" : \"x\" }".to_string()), (ErrorKind::Syntax, Some(3), "}".to_string())];
    assert_eq!(told, expected);
    assert_eq!(read(&folder, "b.json"), "[{\"id\":1},{\"id\":2}]\n");
}

#[test]
fn progress_ends_at_the_end_and_can_end_the_copy() {
    let folder = folder("a.ndjson", &"{\"id\":1}\n".repeat(100_000));
    let mut last = None;
    let told = |progress| {
        last = Some(progress);
        Ok(())
    };
    job(&folder, "a.ndjson", "b.json").on_progress(told).run().unwrap();
    assert_eq!(last, Some(Progress { read: 900_000, total: Some(900_000) }));
    fs::remove_file(folder.path().join("b.json")).unwrap();

    let cancel = |progress: Progress| {
        if progress.read < 300_000 { Ok(()) } else { Err(Error::new(ErrorKind::Io, "enough of this")) }
    };
    let error = job(&folder, "a.ndjson", "b.json").on_progress(cancel).run().unwrap_err();
    assert_eq!((error.kind(), error.reason().as_str()), (ErrorKind::Io, "enough of this"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn an_inferred_shape_is_to_blame() {
    let folder = folder("a.ndjson", "{\"id\":1}\n{\"id\":2}\n{\"id\":\"x\"}\n");
    let error = job(&folder, "a.ndjson", "b.csv").sample(Sample::First(2)).run().unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().downcast_ref::<InferredShape>();
    assert_eq!(cause, Some(&InferredShape { records: 2 }));
    assert!(error.to_string().starts_with(
        "expected `int`, found `text` \"x\": the shape was inferred from the first 2 records at `$[2].id` ("
    ));
    job(&folder, "a.ndjson", "b.csv").sample(Sample::All).run().unwrap();
    assert_eq!(read(&folder, "b.csv"), "id\n1\n2\nx\n");
}

#[test]
fn errors_name_the_place_they_are_in() {
    let folder = folder("a.json", "[1,");
    let error = job(&folder, "a.json", "b.json").run().unwrap_err();
    assert!(error.place().unwrap().ends_with("a.json"));
    let error = job(&folder, "a.json", "none/b.json").run().unwrap_err();
    assert!(error.place().unwrap().ends_with("none/b.json"));
    let missing = Place::from(&folder.path().join("none.json"));
    let error = CopyJob::new(missing, Format::JSON, Place::Standard, Format::JSON).run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
}

#[test]
fn a_limit_on_records_is_met() {
    let folder = folder("a.ndjson", &format!("\"{}\"\n", "x".repeat(2_000_000)));
    let mut options = Format::NDJSON.read_options();
    options.window = 1_000_000;
    let error = job(&folder, "a.ndjson", "b.json").read_options(options).run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn fields_are_chosen_in_every_format() {
    let folder = folder("a.json", r#"[{"id":1,"title":"a","tags":["x"]},{"title":"b","id":2,"tags":[]}]"#);
    fs::write(folder.path().join("a.csv"), "id,title\n1,a\n2,b\n").unwrap();
    let done = job(&folder, "a.json", "b.ndjson").fields(["title"]).run().unwrap();
    assert_eq!(done.records, 2);
    assert_eq!(read(&folder, "b.ndjson"), "{\"title\":\"a\"}\n{\"title\":\"b\"}\n");
    job(&folder, "a.json", "b.csv").fields(["title", "id"]).run().unwrap();
    assert_eq!(read(&folder, "b.csv"), "title,id\na,1\nb,2\n", "and what is no cell does not matter");
    job(&folder, "a.csv", "b.json").fields(["title"]).run().unwrap();
    assert_eq!(read(&folder, "b.json"), "[{\"title\":\"a\"},{\"title\":\"b\"}]\n");
    let error = job(&folder, "a.csv", "b.json").fields(["titel"]).run().unwrap_err();
    assert!(error.to_string().starts_with("there is no field `titel`; there are `id`, `title`"), "{error}");
}

#[test]
fn what_is_open_already_is_copied_too() {
    let written = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let given = |name: &str| Place::Given(name.to_string());
    let copy = || CopyJob::new(given("rows"), Format::CSV, given("lines"), Format::NDJSON);
    let job = copy().reader(&b"id\n1\n2\n"[..]).writer(Shared(written.clone()));
    assert_eq!(job.infer(true).run().unwrap().records, 2);
    assert_eq!(*written.lock().unwrap(), b"{\"id\":1}\n{\"id\":2}\n");
    let error = copy().reader(&b"id\nx\n"[..]).writer(Shared(written.clone())).shape("id: int".parse().unwrap()).run();
    assert_eq!(error.unwrap_err().place(), Some("rows"));
    // Everything is known to be valid before any of it is written.
    written.lock().unwrap().clear();
    let shape = "id: int".parse().unwrap();
    let job = copy().reader(&b"id\n1\nx\n"[..]).writer(Shared(written.clone())).on_error(OnError::All).shape(shape);
    assert!(!job.run().unwrap().written);
    assert!(written.lock().unwrap().is_empty());
    assert_eq!(copy().run().unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn fields_are_not_chosen_of_a_shape_that_names_none() {
    for shape in ["any", "[any]"] {
        let (from, to) = (Place::Given("data".into()), Place::Given("nowhere".into()));
        let job = CopyJob::new(from, Format::JSON, to, Format::JSON).shape(shape.parse().unwrap());
        let job = job.reader(&b"[{\"a\": 1}]"[..]).writer(std::io::empty()).fields(["a"]);
        let error = job.run().unwrap_err().to_string();
        assert!(error.starts_with("fields can't be chosen of the shape"), "{error}");
    }
}

/// A record that stands as a list of an int and a text.
fn array() -> Shape {
    match "{id: int, title: text}".parse().unwrap() {
        Shape::Record(record) => Shape::record(record.get().clone().with_items(Items::in_order(2).written())),
        other => panic!("{other}"),
    }
}

#[test]
fn what_a_path_selects_is_checked_whatever_a_record_is() {
    let union = Union::new("", vec![Variant::new("", 1, array()), Variant::new("", 2, Shape::Bool)], Tag::None);
    let shapes =
        || [array(), array().optional(), Shape::Union(UnionRef::new(union.clone())), "(int, text)".parse().unwrap()];
    let folder = folder("good.json", r#"{"r":[[1,"a"],[2,"b"]]}"#);
    fs::write(folder.path().join("bad.json"), r#"{"r":[[1,"a"],["b"]]}"#).unwrap();
    for shape in shapes() {
        let of = |from: &str| job(&folder, from, "to.ndjson").shape(shape.clone()).at("$.r[*]".parse().unwrap());
        assert_eq!(of("good.json").run().unwrap().records, 2, "{shape}");
        assert_eq!(read(&folder, "to.ndjson"), "[1,\"a\"]\n[2,\"b\"]\n");
        let error = of("bad.json").run().unwrap_err();
        assert_eq!(
            (error.kind() == ErrorKind::Io, error.path().starts_with("$.r[1]")),
            (false, true),
            "{shape}: {error}"
        );
    }
}

#[test]
fn a_union_of_records_that_stand_as_lists_is_that_of_a_record() {
    let folder = folder("a.json", r#"[[1,"a"],[2,"b"]]"#);
    let one = Shape::Union(UnionRef::new(Union::new("", vec![Variant::new("", 1, array())], Tag::None)));
    for shape in [array(), array().optional(), one] {
        assert_eq!(job(&folder, "a.json", "b.ndjson").shape(shape).run().unwrap().records, 2);
        assert_eq!(read(&folder, "b.ndjson"), "[1,\"a\"]\n[2,\"b\"]\n");
    }
}

#[test]
fn records_that_are_lists_come_from_several_places() {
    let folder = folder("a.json", r#"[[1,"a"]]"#);
    fs::write(folder.path().join("b.json"), r#"[[2,"b"]]"#).unwrap();
    fs::write(folder.path().join("bad.json"), r#"[["b"]]"#).unwrap();
    let place = |name: &str| Place::from(&folder.path().join(name));
    let tuple = || "[(int, text)]".parse().unwrap();
    for shape in [array(), array().list(), array().optional(), tuple()] {
        let both = |other: &str| {
            let job = job(&folder, "a.json", "to.ndjson").shape(shape.clone());
            job.and(place(other), Format::JSON, Format::JSON.read_options()).run()
        };
        assert_eq!(both("b.json").unwrap().records, 2, "{shape}");
        assert_eq!(read(&folder, "to.ndjson"), "[1,\"a\"]\n[2,\"b\"]\n");
        assert!(both("bad.json").is_err(), "{shape}");
    }
}
