//! Records with optional fields.

use demat_core::{Field, Record, Result, Shape};

/// Returns the shape of records in which the fields that `may_miss` accepts can be missing. A missing field is not
/// written.
///
/// ```
/// use demat_store::relaxed;
/// let shape: demat_core::Shape = "id: int, done: bool = false".parse()?;
/// let demat_core::Shape::Record(record) = &shape else { unreachable!() };
/// let part = relaxed(&record.get(), |_| true)?;
/// assert_eq!(part.to_string(), "id?:int, done?:bool");
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// If the record would be invalid.
pub fn relaxed(record: &Record, may_miss: impl Fn(&Field) -> bool) -> Result<Shape> {
    let field = |field: &Field| {
        let field = field.clone();
        if may_miss(&field) { bare(&field) } else { field }
    };
    let fields = record.fields().iter().map(field).collect();
    Ok(Shape::record(Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown())))
}

/// Returns the field as optional and without a default.
fn bare(field: &Field) -> Field {
    reshaped(field, field.shape().clone()).with_required(false)
}

/// Returns a field with another shape, and without its default.
pub fn reshaped(field: &Field, shape: Shape) -> Field {
    let own = Field::new(field.name().to_string(), field.number(), shape);
    let own = own.with_key(field.key().to_string()).with_aliases(field.aliases().to_vec());
    field.notes().iter().fold(own, |own, (place, note)| own.with_note(place.clone(), note.clone()))
}
