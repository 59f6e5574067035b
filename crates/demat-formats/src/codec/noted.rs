use crate::Format;
use core::marker::PhantomData;
use demat_core::{Error, ErrorKind, Field, Layout, Record, Result, Shape, UnionRef, Vocabulary};
use std::collections::HashSet;

/// A format whose source and sink understand [notes](Field::notes).
pub trait HasNotes: 'static {
    /// The notes, as in [`About::notes`](super::About::notes).
    const VOCABULARY: &'static Vocabulary;

    /// Returns the name of a field whose notes do not suit the other fields of its record, and the reason.
    fn fault(fields: &[Field]) -> Option<(&str, String)> {
        let _ = fields;
        None
    }
}

/// Checks the notes of a record for a format. Sources and sinks call it when they enter a record.
///
/// # Errors
/// [`Constraint`](ErrorKind::Constraint) if a field has a note that the format does not know, notes that exclude each
/// other, or a note for other values than its own.
///
/// ```
/// use demat_core::Shape;
/// use demat_formats::codec::verify_notes;
/// use demat_formats::xml::XmlCodec;
/// let Shape::Record(record) = "id: int #xml:atribute".parse()? else { unreachable!() };
/// let error = verify_notes::<XmlCodec>(&record.get()).unwrap_err();
/// assert!(error.to_string().contains("`atribute` is no note for xml"), "{error}");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[inline]
pub fn verify_notes<F: HasNotes>(record: &Record) -> Result<()> {
    if record.has_notes() { verify::<F>(record) } else { Ok(()) }
}

#[inline(never)]
fn verify<F: HasNotes>(record: &Record) -> Result<()> {
    match &record.layout::<Verified<F>>().fault {
        None => Ok(()),
        Some((field, reason)) => Err(Error::new(ErrorKind::Constraint, reason.clone()).within_field(field.clone())),
    }
}

/// The place of rules that every place may enforce. `demat_core::Checks` compiles its notes.
const RULES: &str = "check";

/// Checks the notes of all fields in a shape that somebody typed, also those for places that are not used.
///
/// # Errors
/// [`Constraint`](ErrorKind::Constraint) if there is no format for a note, or the format refuses the note.
///
/// ```
/// use demat_formats::codec::verify_shape;
/// assert!(verify_shape(&"[{id: int #sql:key #xml:attribute}]".parse()?).is_ok());
/// let error = verify_shape(&"[{id: int #xlm:attribute}]".parse()?).unwrap_err();
/// assert!(error.to_string().starts_with("no format has notes for `xlm`"), "{error}");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn verify_shape(shape: &Shape) -> Result<()> {
    let vocabularies: Vec<_> = Format::vocabularies().collect();
    let mut seen = HashSet::new();
    verify_parts(shape, &vocabularies, &mut seen)
}

fn verify_parts(shape: &Shape, known: &[&'static Vocabulary], seen: &mut HashSet<u64>) -> Result<()> {
    match shape.inner() {
        Shape::List(item) => verify_parts(item, known, seen),
        Shape::Tuple(items) => items.iter().try_for_each(|item| verify_parts(item, known, seen)),
        Shape::Map(key, value) => verify_parts(key, known, seen).and_then(|()| verify_parts(value, known, seen)),
        Shape::Record(record) => {
            let record = record.get();
            // A record that refers to itself is checked once.
            if !seen.insert(record.identity()) {
                return Ok(());
            }
            record.fields().iter().try_for_each(|field| {
                let own = verify_field(field, known).and_then(|()| verify_parts(field.shape(), known, seen));
                own.map_err(|error| error.within_field(field.path_name()))
            })
        }
        Shape::Union(UnionRef::Link(..)) => Ok(()),
        Shape::Union(union) => {
            union.get().variants().iter().try_for_each(|variant| verify_parts(variant.shape(), known, seen))
        }
        _ => Ok(()),
    }
}

fn verify_field(field: &Field, known: &[&'static Vocabulary]) -> Result<()> {
    let refused = |reason: String| Error::new(ErrorKind::Constraint, reason);
    for (place, _) in field.notes().iter().filter(|(place, _)| place != RULES) {
        let Some(vocabulary) = known.iter().find(|vocabulary| vocabulary.place == place) else {
            let places: Vec<_> = known.iter().map(|vocabulary| vocabulary.place).collect();
            return Err(refused(format!("no format has notes for `{place}`; there are {}", places.join(", "))));
        };
        let notes: Vec<&str> = field.notes_for(place).collect();
        if let Some(refusal) = vocabulary.refusal_for(&notes, field.shape()) {
            return Err(refused(refusal.to_string()));
        }
    }
    Ok(())
}

/// The first field of a record with wrong notes, and the reason.
struct Verified<F> {
    fault: Option<(String, String)>,
    format: PhantomData<fn() -> F>,
}

impl<F: HasNotes> Layout<Field> for Verified<F> {
    fn compile(fields: &[Field]) -> Self {
        let fault = fields.iter().find_map(|field| {
            let notes: Vec<&str> = field.notes_for(F::VOCABULARY.place).collect();
            let refusal = F::VOCABULARY.refusal_for(&notes, field.shape())?;
            Some((field.name(), refusal.to_string()))
        });
        let fault = fault.or_else(|| F::fault(fields)).map(|(field, reason)| (field.to_owned(), reason));
        Self { fault, format: PhantomData }
    }
}
