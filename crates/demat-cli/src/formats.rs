//! `demat formats`.

use crate::arguments::FormatsArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::printed::printed;
use core::fmt::Write as _;
use demat_core::{Field, Record, RecordRef, Shape, Sink};
use demat_formats::codec::{About, Setting};
use demat_place::Format;

pub(crate) fn run(arguments: &FormatsArguments) -> Result<Exit, Failure> {
    let Some(format) = arguments.to else {
        output::data(&table())?;
        return Ok(Exit::Ok);
    };
    let text = printed(format, "the list", |sink| tell(sink))?;
    output::data(&text)?;
    Ok(Exit::Ok)
}

/// Returns the table in text form.
fn table() -> String {
    let width = |of: fn(Format) -> usize| Format::all().map(of).max().unwrap_or(0) + 1;
    let (wide, wider) = (width(|format| suffixes(format).len()), width(|format| format.media_types()[0].len()));
    let mut text = format!("{:<8} {:<wide$} {:<wider$} {}\n", "NAME", "SUFFIXES", "MEDIA TYPE", "IS");
    for format in Format::all() {
        let (name, media, is) = (format.name(), format.media_types()[0], format.description());
        let _ = writeln!(text, "{name:<8} {:<wide$} {media:<wider$} {is}", suffixes(format)); // to a String
    }
    for (verb, option, settings) in [
        ("reading", "--from-option", (|about| about.read) as fn(&'static About) -> &'static [Setting]),
        ("writing", "--to-option", |about| about.write),
    ] {
        let _ = writeln!(text, "\nOptions for {verb} ({option} NAME=VALUE):");
        for format in Format::all() {
            for setting in settings(format.about()) {
                let (name, default, help) = (setting.name, setting.default, setting.help);
                let _ = writeln!(text, "  {:<8} {name:<16} {help} [{default}]", format.name());
            }
        }
    }
    text.push_str(
        "\nAll formats can be read and written; text formats also compressed: .gz (gzip), .zst (Zstandard).\n",
    );
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
