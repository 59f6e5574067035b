//! Measures how fast tables are built and read as pages, compared to writing the same bytes and to SQL statements.
//!
//! `cargo run --release -p demat-sqlite --example pages [ROWS] [FOLDER] [PART]`: 10,000,000 rows into a temporary
//! folder, and all parts that have the last word in their names.
#![allow(clippy::print_stdout)] // it is what a bench is for
#![allow(clippy::cast_precision_loss)] // rates for people to read

use demat_core::{Field, IntWidth, Record, Result, Shape, Sink, Source};
use demat_formats::json::CompactSink;
use demat_formats::{Drain, Output};
use demat_sqlite::build::{Builder, Options};
use demat_sqlite::scan::{PagedRows, Scan};
use demat_sqlite::{Cell, Database, RowSource, copy_rows};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const SQL: &str = "CREATE TABLE tasks(id INTEGER PRIMARY KEY, title VARCHAR(220) NOT NULL, done INTEGER)";
const INDEX: &str = "CREATE INDEX titles ON tasks(title)";

struct Task {
    title: String,
    done: i64,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rows: i64 = arguments.next().and_then(|rows| rows.parse().ok()).unwrap_or(10_000_000);
    let folder = match arguments.next() {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir(),
    }?;
    let part = arguments.next().unwrap_or_default();
    let path = folder.path().join("tasks.db");
    let tasks = tasks(1_000_000);
    let quick = Options { durable: false, replace: true, ..Options::default() };
    let say = |what: &str, time: &dyn Fn() -> Result<Took>| -> Result<()> {
        if what.contains(&part) {
            let took = time()?;
            print(what, rows, &took);
        }
        Ok(())
    };

    for round in 1..=3 {
        println!("round {round}");
        build(&path, SQL, &quick, &tasks, rows)?;
        let size = fs::metadata(&path)?.len();
        say("build, cells, not synced", &|| build(&path, SQL, &quick, &tasks, rows))?;
        say("build, as a sink, not synced", &|| as_sink(&path, &quick, &tasks, rows))?;
        let synced = Options { durable: true, ..quick.clone() };
        say("build, cells, synced", &|| build(&path, SQL, &synced, &tasks, rows))?;
        say(&format!("floor: writing {size} bytes"), &|| floor(&folder.path().join("floor"), size))?;
        say("scan, rows summed", &|| scan(&path, &["id", "title", "done"]))?;
        say("scan, one column of them", &|| scan(&path, &["done"]))?;
        say("scan, as a source", &|| as_source(&path))?;
        say("scan, as JSON", &|| as_json(&path))?;
        say("scan, as vectors", &|| as_vectors(&path, 1))?;
        say("scan, as vectors on two threads", &|| as_vectors(&path, 2))?;
        say("SELECT, stepped and summed", &|| Ok(select(&path)))?;
        let sql = format!("{SQL}; {INDEX}");
        say("build with an index on title", &|| build(&path, &sql, &quick, &tasks, rows))?;
    }
    say("prepared INSERT, journal off", &|| Ok(statements(&path, &tasks, rows)))?;
    say("CREATE INDEX after that", &|| {
        let connection = Connection::open(&path).expect("the file is there");
        let watch = Watch::begin();
        connection.execute_batch(INDEX).expect("it can be made");
        Ok(watch.end())
    })
}

fn tasks(count: usize) -> Vec<Task> {
    let task = |at: usize| match at % 2 {
        0 => Task { title: "Clean Room".to_string(), done: 0 },
        _ => Task { title: "Check Twitter".to_string(), done: 1 },
    };
    (0..count).map(task).collect()
}

fn print(what: &str, rows: i64, Took { time, cpu }: &Took) {
    let (time, cpu) = (time.as_secs_f64(), cpu.as_secs_f64());
    let rate = |time: f64| rows as f64 * 60.0 / time / 1e6;
    println!(
        "{what:40} {time:7.3} s {:7.0} million rows a minute; of the processor {cpu:7.3} s {:7.0}",
        rate(time),
        rate(cpu)
    );
}

/// How long something takes, by the clock and of the processor; the latter is what is left to compare on a machine that
/// others work on, too.
struct Took {
    time: Duration,
    cpu: Duration,
}

struct Watch {
    begin: Instant,
    cpu: Duration,
}

impl Watch {
    fn begin() -> Self {
        Self { begin: Instant::now(), cpu: cpu() }
    }

    fn end(&self) -> Took {
        Took { time: self.begin.elapsed(), cpu: cpu().saturating_sub(self.cpu) }
    }
}

/// Returns the user and system time of this process, from `/proc` in hundredths of a second; zero on other systems.
fn cpu() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn build(path: &Path, sql: &str, options: &Options, tasks: &[Task], rows: i64) -> Result<Took> {
    let _ = fs::remove_file(path);
    let watch = Watch::begin();
    let mut builder = Builder::create(path, sql, options)?;
    let mut table = builder.rows("tasks")?;
    for (id, task) in (1..=rows).zip(tasks.iter().cycle()) {
        table.push(&[Cell::Int(id), Cell::Text(&task.title), Cell::Int(task.done)])?;
    }
    table.finish()?;
    builder.finish()?;
    Ok(watch.end())
}

fn as_sink(path: &Path, options: &Options, tasks: &[Task], rows: i64) -> Result<Took> {
    let fields = vec![
        Field::new("id", 1, Shape::Int(IntWidth::Signed(64))),
        Field::new("title", 2, Shape::Text),
        Field::new("done", 3, Shape::Int(IntWidth::Signed(64))),
    ];
    let record = Record::new("Task", fields)?;
    let _ = fs::remove_file(path);
    let watch = Watch::begin();
    let mut builder = Builder::create(path, SQL, options)?;
    let mut table = builder.rows("tasks")?;
    table.begin_list(None)?;
    for (id, task) in (1..=rows).zip(tasks.iter().cycle()) {
        table.item()?;
        table.begin_record(&record)?;
        table.field(&record, 0)?;
        table.i64(id)?;
        table.field(&record, 1)?;
        table.text(&task.title)?;
        table.field(&record, 2)?;
        table.i64(task.done)?;
        table.end_record(&record)?;
        table.commit()?;
    }
    table.end_list()?;
    Sink::finish(&mut table)?;
    drop(table);
    builder.finish()?;
    Ok(watch.end())
}

fn scan(path: &Path, columns: &[&str]) -> Result<Took> {
    let connection = Connection::open(path).expect("the file is there");
    let watch = Watch::begin();
    let mut scan = Scan::new(&connection, "main", "tasks")?.with_columns(columns)?;
    let (mut ints, mut bytes) = (0, 0);
    while let Some(row) = scan.next()? {
        for at in 0..columns.len() {
            match row.get(at)? {
                Cell::Int(value) => ints += value,
                Cell::Text(text) => bytes += text.len(),
                _ => {}
            }
        }
    }
    let took = watch.end();
    assert!(ints > 0 && (bytes > 0 || columns.len() == 1));
    Ok(took)
}

fn as_source(path: &Path) -> Result<Took> {
    let fields = vec![
        Field::new("id", 1, Shape::Int(IntWidth::Signed(64))),
        Field::new("title", 2, Shape::Text),
        Field::new("done", 3, Shape::Int(IntWidth::Signed(64))),
    ];
    let record = Record::new("Task", fields)?;
    let connection = Connection::open(path).expect("the file is there");
    let watch = Watch::begin();
    let mut scan = Scan::new(&connection, "main", "tasks")?;
    let (mut ints, mut bytes) = (0, 0);
    scan.list()?;
    while scan.item()? {
        scan.record(&record)?;
        let mut expected = 0;
        while let Some(field) = scan.field(&record, expected)? {
            match field {
                1 => bytes += scan.text()?.len(),
                _ => ints += scan.i64()?,
            }
            expected = field + 1;
        }
    }
    let took = watch.end();
    assert!(ints > 0 && bytes > 0);
    Ok(took)
}

fn select(path: &Path) -> Took {
    let connection = Connection::open(path).expect("the file is there");
    let watch = Watch::begin();
    let mut statement = connection.prepare("SELECT id, title, done FROM tasks").expect("SQL");
    let mut rows = statement.query([]).expect("SQL");
    let (mut ints, mut bytes) = (0, 0);
    while let Some(row) = rows.next().expect("a row") {
        ints += row.get_ref(0).and_then(|value| Ok(value.as_i64()?)).expect("an integer");
        bytes += row.get_ref(1).and_then(|value| Ok(value.as_str()?.len())).expect("text");
        ints += row.get_ref(2).and_then(|value| Ok(value.as_i64()?)).expect("an integer");
    }
    let took = watch.end();
    assert!(ints > 0 && bytes > 0);
    took
}

fn floor(path: &Path, size: u64) -> Result<Took> {
    let bytes = vec![7; 1 << 18];
    let watch = Watch::begin();
    let mut file = File::create(path)?;
    let mut left = size as usize;
    while left > 0 {
        let take = left.min(bytes.len());
        file.write_all(&bytes[..take])?;
        left -= take;
    }
    drop(file);
    let time = watch.end();
    fs::remove_file(path)?;
    Ok(time)
}

fn statements(path: &Path, tasks: &[Task], rows: i64) -> Took {
    let _ = fs::remove_file(path);
    let watch = Watch::begin();
    let connection = Connection::open(path).expect("the folder is there");
    connection
        .execute_batch(&format!("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {SQL}; BEGIN"))
        .expect("SQL");
    let mut insert = connection.prepare("INSERT INTO tasks VALUES(?1, ?2, ?3)").expect("SQL");
    for (id, task) in (1..=rows).zip(tasks.iter().cycle()) {
        insert.execute((id, task.title.as_str(), task.done)).expect("a row");
    }
    drop(insert);
    connection.execute_batch("COMMIT").expect("SQL");
    watch.end()
}

/// Counts what it is given.
struct Counted(u64);

impl Drain for Counted {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0 += buffer.len() as u64;
        buffer.clear();
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

fn as_json(path: &Path) -> Result<Took> {
    let database = Database::open(path)?;
    let watch = Watch::begin();
    let mut sink = CompactSink::new(Output::new(Vec::new(), Counted(0)));
    copy_rows(&mut selected(&database)?, &shape()?, &mut sink)?;
    let took = watch.end();
    assert!(sink.into_output().into_parts().1.0 > 0);
    Ok(took)
}

/// The rows of the whole table.
fn selected(database: &Database) -> Result<RowSource<PagedRows>> {
    let columns = ["id", "title", "done"].map(str::to_string);
    let statement = database.statement("SELECT id, title, done FROM tasks")?;
    Ok(RowSource::new(PagedRows::of_table(statement, database, "tasks", &columns, true), &[]))
}

fn shape() -> Result<Shape> {
    "[{id: int64, title: text, done: int64?}]".parse()
}

fn as_vectors(path: &Path, threads: usize) -> Result<Took> {
    let database = Database::open(path)?;
    let watch = Watch::begin();
    let filled = selected(&database)?.fill(&shape()?, threads, |_, _| ()).expect("plain columns");
    let took = watch.end();
    assert!(filled.whole && filled.rows() > 0);
    Ok(took)
}
