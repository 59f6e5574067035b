use demat_core::{ErrorKind, Kind, Result, Source};

/// Whether one record stands there, and no list of them. A source that can't tell, since it is what it is asked for, has
/// many.
pub(crate) fn stands_alone<'a>(source: &mut impl Source<'a>) -> Result<bool> {
    match source.peek() {
        Ok(kind) => Ok(kind == Kind::Map),
        Err(error) if error.kind() == ErrorKind::Constraint => Ok(false),
        Err(error) => Err(error),
    }
}
