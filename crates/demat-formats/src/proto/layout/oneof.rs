use demat_core::Field;

/// Returns the name of the `oneof` that an individual field is a member of, from its notes for `proto`.
///
/// ```
/// use demat_formats::proto::oneof;
/// let shape: demat_core::Shape = "a:int?, b:text? #proto:\"in kind\"".parse()?;
/// let demat_core::Shape::Record(record) = shape else { unreachable!() };
/// let record = record.get();
/// let names: Vec<_> = record.fields().iter().map(oneof).collect();
/// assert_eq!(names, [None, Some("kind")]);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn oneof(field: &Field) -> Option<&str> {
    field.notes_for("proto").find_map(|note| note.strip_prefix("in "))
}
