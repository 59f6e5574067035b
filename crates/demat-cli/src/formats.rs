//! `demat formats`.

use crate::arguments::FormatsArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use core::fmt::Write as _;
use demat_core::{Error, ErrorKind, Field, Record, RecordRef, Shape, Sink};
use demat_formats::csv::{CsvSink, Dialect};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::ndjson::NdjsonSink;
use demat_formats::{Keep, Output};
use demat_place::Format;

pub(crate) fn run(arguments: &FormatsArguments) -> Result<Exit, Failure> {
    let out = Output::new(Vec::new(), Keep);
    let bytes = match arguments.to {
        None => {
            output::data(&table())?;
            return Ok(Exit::Ok);
        }
        Some(Format::Ndjson) => {
            let mut sink = NdjsonSink::new(out, WriteOptions::default());
            tell(&mut sink)?;
            sink.into_output().into_parts().0
        }
        Some(Format::Csv) => rows(Dialect::default(), out)?,
        Some(Format::Tsv) => rows(Dialect::tsv(), out)?,
        Some(format) if format.is_columnar() => {
            return Err(Failure::usage(format!("what there is, is shown as text, and {format} is none")));
        }
        Some(_) => {
            let mut sink = JsonSink::new(out, WriteOptions { indent: Some(2), ..WriteOptions::default() });
            tell(&mut sink)?;
            let mut bytes = sink.into_output().into_parts().0;
            bytes.push(b'\n');
            bytes
        }
    };
    let text = String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::Encode, "the table is no UTF-8"))?;
    output::data(&text)?;
    Ok(Exit::Ok)
}

fn rows(dialect: Dialect, out: Output<Keep>) -> demat_core::Result<Vec<u8>> {
    let mut sink = CsvSink::new(dialect, out)?;
    tell(&mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// The table for people.
fn table() -> String {
    let width = |of: fn(Format) -> usize| Format::all().map(of).max().unwrap_or(0) + 1;
    let (wide, wider) = (width(|format| suffixes(format).len()), width(|format| format.media_types()[0].len()));
    let mut text = format!("{:<8} {:<wide$} {:<wider$} {}\n", "NAME", "SUFFIXES", "MEDIA TYPE", "IS");
    for format in Format::all() {
        let (name, media, is) = (format.name(), format.media_types()[0], format.description());
        let _ = writeln!(text, "{name:<8} {:<wide$} {media:<wider$} {is}", suffixes(format)); // to a String
    }
    text.push_str("\nEach is read and written; what is text also packed: .gz (gzip), .zst (Zstandard).\n");
    text
}

fn suffixes(format: Format) -> String {
    format.suffixes().join(" ")
}

fn tell(sink: &mut dyn Sink) -> demat_core::Result<()> {
    let names = ["name", "suffixes", "media_type", "description"];
    let field = |(name, number)| Field::new(name, number, Shape::Text);
    let record = RecordRef::new(Record::new("Format", names.into_iter().zip(1..).map(field).collect())?);
    let record = record.get();
    sink.begin_list(Some(Format::all().len()))?;
    for format in Format::all() {
        sink.item()?;
        sink.begin_record(&record)?;
        let texts = [format.name(), &suffixes(format), format.media_types()[0], format.description()];
        for (index, text) in texts.into_iter().enumerate() {
            sink.field(&record, index)?;
            sink.text(text)?;
        }
        sink.end_record(&record)?;
    }
    sink.end_list()?;
    sink.finish()
}
