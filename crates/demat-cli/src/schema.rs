//! `demat schema`.

use crate::arguments::SchemaArguments;
use crate::exit::Exit;
use crate::failure::{About, Failure};
use crate::output;
use crate::source::only;
use demat_place::{Format, Place};

pub(crate) fn run(arguments: SchemaArguments) -> Result<Exit, Failure> {
    let SchemaArguments { source, infer, sample } = arguments;
    let (place, format) = source.place("schema")?;
    if let Some(option) = source.table.given()
        && !format.is_table()
    {
        return Err(only(option, "a table is read"));
    }
    if source.depth.is_some() && !format.is_json() {
        return Err(only("--depth", "JSON or NDJSON is read"));
    }
    let options = source.options(format)?;
    if let Place::Database(database) = &place
        && format == Format::Sqlite
    {
        let about = About { source: Some((place.clone(), format)), ..About::default() };
        let shapes = demat_place::tables(database).map_err(|error| Failure::Error { error, about })?;
        let shapes = shapes.iter().fold(String::new(), |shapes, shape| shapes + &shape.to_string() + "\n");
        output::data(&shapes)?;
        return Ok(Exit::Ok);
    }
    let shape = demat_place::schema(&place, format, &options, sample.unwrap_or_default(), infer);
    let about = About { source: Some((place, format)), ..About::default() };
    let shape = shape.map_err(|error| Failure::Error { error, about })?;
    output::data(&format!("{shape}\n"))?;
    Ok(Exit::Ok)
}
