//! `demat schema`.

use crate::arguments::SchemaArguments;
use crate::exit::Exit;
use crate::failure::{About, Failure};
use crate::output;
use crate::source::only;
use demat_core::Shape;
use demat_place::Place;

pub(crate) fn run(arguments: SchemaArguments) -> Result<Exit, Failure> {
    let SchemaArguments { source, infer, sample, to } = arguments;
    let (place, format) = source.place("schema")?;
    let source = source.how;
    if let Some(option) = source.table.given()
        && !format.is_table()
    {
        return Err(only(option, "a table is read"));
    }
    if source.depth.is_some() && format.read_setting("depth").is_none() {
        return Err(only("--depth", "a format of nested values is read"));
    }
    let (options, at, encoding) = (source.options(format)?, source.at(format)?, source.encoding(format)?);
    let tables = match &place {
        Place::Database(database) if !format.is_streamed() => Some(demat_place::tables(database)),
        Place::Collection(collection) => Some(demat_place::collections(collection)),
        Place::Server(server) => Some(demat_place::server_tables(server)),
        _ => None,
    };
    if let Some(shapes) = tables {
        let about = About { source: Some((place.clone(), format)), ..About::default() };
        let shapes = shapes.map_err(|error| Failure::Error { error, about })?;
        let mut text = String::new();
        for (index, shape) in shapes.iter().enumerate() {
            if index > 0 && to == SchemaForm::Proto {
                return Err(Failure::usage("a `.proto` file describes one table: name it, as in `file.db#table`"));
            }
            text += &to.text(shape)?;
        }
        output::data(&text)?;
        return Ok(Exit::Ok);
    }
    let shape =
        demat_place::schema_at(&place, format, &options, (sample.unwrap_or_default(), infer), (at.as_ref(), encoding));
    let about = About { source: Some((place, format)), encoded: encoding.is_some(), ..About::default() };
    let shape = shape.map_err(|error| Failure::Error { error, about })?;
    output::data(&to.text(&shape)?)?;
    Ok(Exit::Ok)
}

/// The form of a shown shape.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SchemaForm {
    /// The text that `--shape` takes
    #[default]
    Shape,
    /// A `.proto` file
    Proto,
}

impl SchemaForm {
    fn text(self, shape: &Shape) -> Result<String, Failure> {
        match self {
            Self::Shape => Ok(format!("{shape}\n")),
            Self::Proto => Ok(demat_proto::to_proto(shape, "")?),
        }
    }
}
