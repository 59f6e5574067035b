//! Translates `where` to SQL.

use super::{Column, bad};
use crate::table::Table;
use demat_core::{Field, Result, Shape};
use demat_place::{Term, Where};
use demat_sqlite::{Affinity, Param, Stored, quoted, row_of};
use demat_store::{Condition, Fault, Test};

impl Table {
    /// Returns the SQL of a condition on rows, with a `?` for each of the values that it adds.
    pub(super) fn predicate(&self, predicate: &Where, values: &mut Vec<Param>) -> Result<String> {
        let record = row_of(&self.shape).ok_or_else(|| Fault::BadQuery.because("rows are records"))?;
        let record = record.get();
        // Refuses unknown fields, and values that a field can't have.
        predicate.bound(&record, false).map_err(|error| bad(error.reason()))?;
        predicate.to_sql(&mut |term| {
            let fields = term.fields(&record)?;
            match &*fields {
                [field] => self.term(term, field, values),
                [column, path @ ..] => self.nested(term, column, path, values),
                [] => Err(bad("a condition compares a field".to_string())),
            }
        })
    }

    /// Compares a column.
    fn term(&self, term: &Term, field: &Field, values: &mut Vec<Param>) -> Result<String> {
        let condition = Condition { field: self.column_of(field.key())?, ..term.condition().clone() };
        let stored = self.about.column(&condition.field).map_or(Stored::Any, |column| self.stored[column]);
        if stored == Stored::Json && condition.test != Test::Null {
            let said = "holds values of several kinds, which can only be compared with null";
            return Err(bad(format!("`{}` {said}", field.key())));
        }
        self.holds(&condition, &|value| term.is_quoted(value), values)
    }

    /// Compares a field of a record that a column holds as JSON.
    fn nested(&self, term: &Term, column: &Field, path: &[Field], values: &mut Vec<Param>) -> Result<String> {
        let Condition { field: name, test, .. } = term.condition();
        let column = quoted(&self.column_of(column.key())?);
        let shape = path.last().map_or(&Shape::Any, Field::shape).inner();
        let stored = match shape {
            Shape::Bool => Stored::Bool,
            Shape::Int(_) => Stored::Int,
            Shape::Float(_) => Stored::Real,
            Shape::Text | Shape::Enum(_) => Stored::Text,
            Shape::Date => Stored::Date,
            Shape::Time => Stored::Time,
            Shape::DateTime => Stored::DateTime,
            Shape::Instant => Stored::Instant,
            Shape::Duration => Stored::Duration,
            Shape::Uuid => Stored::Uuid,
            _ if *test == Test::Null => Stored::Any,
            other => {
                let said =
                    format!("`{name}` is a {} within a column, which can only be compared with null", other.name());
                return Err(bad(said));
            }
        };
        let mut steps = String::from("$");
        for field in path {
            // SQLite has no escapes in the names of such a path.
            if field.key().contains(['"', '\\', '\0']) {
                return Err(bad(format!(
                    "`{name}` has a quote or a backslash in its name, and can't be compared here"
                )));
            }
            steps.extend([".\"", field.key(), "\""]);
        }
        let steps = steps.replace('\'', "''");
        // A row may hold text that is no JSON: then the field is null, as it is in a record without it.
        let inner = format!("json_extract(CASE WHEN json_valid({column}) THEN {column} END, '{steps}')");
        let column = Column { sql: inner, field: name, stored, affinity: Affinity::Blob };
        column.holds(term.condition(), &|value| term.is_quoted(value), values)
    }
}
