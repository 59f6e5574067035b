//! The format with everything that Demat does with formats.

use demat_core::{Kind, Result, Shape, Source, Value};
use demat_formats::codec::Records;
use demat_formats::stream::{self, Part, Stop, Window, Windowed};
use demat_place::{CopyJob, Format, Place, Sample, WriteOptions};
use demat_rec::rec::Rec;
use std::path::Path;
use std::sync::{Arc, OnceLock};

const TASKS: &str = "%rec: Task\n%key: id\n\n# the first\nid: 1\ntitle: Clean the room\ndone: no\ndue:\nnote:\n\n\n\
    id: 2\r\ntitle: Write\r\n+ a letter\r\n+\r\ndone: yes\r\ndue: 2026-12-01\n# the last\nnote:\n";
const JSON: &str = "[{\"id\":1,\"title\":\"Clean the room\",\"done\":false,\"due\":null,\"note\":null},\
    {\"id\":2,\"title\":\"Write\\na letter\\n\",\"done\":true,\"due\":\"2026-12-01\",\"note\":null}]\n";
const SHAPE: &str = "Task{id: int64, title: text, done: bool, due: date?, note: text?}";

fn rec() -> Format {
    static REC: OnceLock<Format> = OnceLock::new();
    *REC.get_or_init(|| demat_rec::register().unwrap())
}

fn shape() -> Shape {
    SHAPE.parse().unwrap()
}

fn copied(from: &Path, to: &Path) -> Result<String> {
    let formats = [from, to].map(|path| Format::of_path(path).unwrap());
    CopyJob::new(Place::from(from), formats[0], Place::from(to), formats[1]).shape(shape().list()).run()?;
    Ok(String::from_utf8_lossy(&std::fs::read(to)?).into_owned())
}

/// The lines that are no nulls.
fn present(text: &str) -> String {
    text.lines().filter(|line| !line.ends_with(':')).map(|line| format!("{line}\n")).collect()
}

/// A document, read through a window that begins with so many bytes.
fn read(text: &str, window: usize, shape: &Shape) -> Result<Value> {
    let mut window = Window::with_size(text.as_bytes(), window);
    Value::build(|sink| stream::copy(&mut window, &mut Rec, shape, sink, &mut Stop).map(drop))
}

#[test]
fn it_is_known_by_its_name_its_suffix_and_its_media_type() {
    let format = rec();
    assert_eq!("rec".parse(), Ok(format));
    assert_eq!(Format::of_path("tasks.rec.gz".as_ref()), Some(format));
    assert!(Format::all().any(|one| one == format));
    let again = demat_rec::register().unwrap_err().to_string();
    assert_eq!(again, "`rec` is taken by the format `rec`");
}

#[test]
fn its_option_is_set_by_name() {
    let format = rec();
    let mut options = WriteOptions::of(format);
    format.set_write(&mut options, "record_type", |setting| setting.parse("Task")).unwrap();
    let mut written = Vec::new();
    let mut sink = demat_place::sink(format, &options, &mut written).unwrap();
    let source = &b"[{\"id\":1}]"[..];
    demat_place::tell(Format::DEFAULT, &Format::DEFAULT.read_options(), source, None, &mut *sink).unwrap();
    drop(sink);
    assert_eq!(String::from_utf8(written).unwrap(), "%rec: Task\n\nid: 1\n");
    let error = format.set_write(&mut options, "type", |setting| setting.parse("Task")).unwrap_err();
    assert_eq!(error.to_string(), "writing rec has no option `type`; it has record_type");
}

#[test]
fn every_window_gives_the_same() {
    let shape = shape().list();
    let whole = read(TASKS, TASKS.len(), &shape).unwrap();
    for size in 1..TASKS.len() {
        assert_eq!(read(TASKS, size, &shape).unwrap(), whole, "{size}");
        assert_eq!(read(TASKS, size, &Shape::Any).unwrap(), read(TASKS, 1 << 20, &Shape::Any).unwrap(), "{size}");
    }
}

#[test]
fn it_is_copied_to_and_from_every_other_format() {
    rec();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("tasks.rec"), TASKS).unwrap();
    assert_eq!(copied(&at("tasks.rec"), &at("tasks.json")).unwrap(), JSON);
    let own = copied(&at("tasks.json"), &at("again.rec")).unwrap();
    assert_eq!(own.lines().take(3).collect::<Vec<_>>(), ["id: 1", "title: Clean the room", "done: no"]);
    // The others hold one document only, or lists of some records only.
    let holds_tasks = |format: &Format| *format != rec() && format.about().records == Records::Any;
    for format in Format::all().filter(holds_tasks) {
        let there = at(&format!("there{}", format.suffixes()[0]));
        copied(&at("tasks.rec"), &there).unwrap_or_else(|error| panic!("{format}: {error}"));
        let back = copied(&there, &at("back.rec")).unwrap();
        // In some formats (those of numbered fields, XML, TOML) null is a field that is not there.
        let expected = if back.contains("note:\n") { own.clone() } else { present(&own) };
        assert_eq!(back, expected, "{format}");
    }
}

#[test]
fn a_shape_is_learnt_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tasks.rec");
    std::fs::write(&path, TASKS).unwrap();
    let learnt = demat_place::schema(&Place::from(&path), rec(), &rec().read_options(), Sample::All, true).unwrap();
    assert_eq!(learnt.to_string(), "id:text, title:text, done:text, due:text?, note:any, !");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let of = |text: &str| read(text, 16, &shape().list()).unwrap_err().to_string();
    assert_eq!(
        of("id: 1\nno name\n"),
        "expected a name and `:`, found `no name` at `$[0]` (record 1, line 2, column 1)"
    );
    assert_eq!(of("id: x\n"), "expected `int`, found `x` at `$[0].id` (record 1, line 1, column 4)");
    assert_eq!(of("id: 1\nid: 2\n"), "the field `id` stands here again at `$[0]` (record 1, line 2, column 4)");
    let error = demat_formats::json::decode::<Value>(b"[[1]]").and_then(|value| {
        let mut out = Vec::new();
        let mut sink = demat_place::sink(rec(), &demat_place::WriteOptions::of(rec()), &mut out)?;
        demat_core::Encode::encode(&value, &mut *sink)
    });
    assert!(error.unwrap_err().to_string().contains("no lists in records"));
}

#[test]
fn it_goes_over_http() {
    use demat_http::{Mount, Options, Remote, RemoteOptions, Server};
    use demat_store::{Memory, Query, Store};
    rec();
    let store = Arc::new(Memory::new());
    let routes = vec![("/tasks".to_string(), Mount::Store(Arc::clone(&store) as Arc<dyn Store>))];
    let server = Server::bind(routes, Options { port: 0, ..Options::default() }).unwrap();
    let (address, stop) = (server.address(), server.stopper());
    let running = std::thread::spawn(move || server.run());
    let options = RemoteOptions { format: rec(), ..RemoteOptions::default() };
    let remote = Remote::new(&format!("http://{address}/tasks"), options).unwrap();
    let given = demat_store::Encoded::new(rec(), TASKS.as_bytes());
    remote.put(&["list".to_string()], &mut { given }, &demat_store::When::Always).unwrap();
    let text = remote.encoded(&["list".to_string()], &Query::default(), rec(), 1 << 20).unwrap().unwrap();
    assert!(text.starts_with(b"id: 1\ntitle: Clean the room\n"), "{text:?}");
    stop.stop();
    running.join().unwrap().unwrap();
}

#[test]
fn the_command_has_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tasks.rec"), TASKS).unwrap();
    let command = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_demat-rec"));
        command.current_dir(folder.path());
        command
    };
    let done =
        command().args(["copy", "tasks.rec", "tasks.csv", "--shape", "id: int64, title: text"]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let csv = std::fs::read_to_string(folder.path().join("tasks.csv")).unwrap();
    assert_eq!(csv, "id,title\n1,Clean the room\n2,\"Write\na letter\n\"\n");
    let formats = command().arg("formats").output().unwrap();
    assert!(String::from_utf8_lossy(&formats.stdout).contains(".rec"));
}

#[test]
fn a_mark_leads_back_to_where_it_was_taken() {
    let mut rec = Rec;
    let mut source = rec.source(Part::whole(TASKS.as_bytes()));
    source.list().unwrap();
    assert!(source.item().unwrap());
    source.map().unwrap();
    assert!(source.entry().unwrap());
    let name = source.mark();
    source.value().unwrap();
    let value = source.mark();
    assert_eq!((source.peek().unwrap(), &*source.text().unwrap()), (Kind::Text, "1"));
    source.reset(name);
    assert_eq!(&*source.text().unwrap(), "id");
    source.reset(value);
    assert_eq!(source.i64().unwrap(), 1);
}
