//! Translates `where` to SQL.

use super::{bad, value};
use crate::table::Table;
use demat_core::scalar::Int;
use demat_core::{Field, Result, Shape};
use demat_place::{Term, Where};
use demat_sqlite::{Param, Stored, quoted, row_of};
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
        match stored {
            _ if condition.test == Test::Null => self.condition(&condition, values),
            Stored::Json => Err(bad(format!(
                "`{}` holds values of several kinds, which can only be compared with null",
                field.key()
            ))),
            Stored::Any => any(&condition, term, values),
            Stored::Int => {
                let Condition { field, test, values: given } = &condition;
                compared(&quoted(field), field, stored, *test, given, values)
            }
            _ => self.condition(&condition, values),
        }
    }

    /// Compares a field of a record that a column holds as JSON.
    fn nested(&self, term: &Term, column: &Field, path: &[Field], values: &mut Vec<Param>) -> Result<String> {
        let Condition { field: name, test, values: given } = term.condition();
        let column = quoted(&self.column_of(column.key())?);
        let shape = path.last().map_or(&Shape::Any, Field::shape).inner();
        let stored = match shape {
            Shape::Bool => Stored::Bool,
            Shape::Int(_) => Stored::Int,
            Shape::Float(_) => Stored::Real,
            Shape::Text | Shape::Enum(_) => Stored::Text,
            Shape::Date => Stored::Date,
            Shape::Time => Stored::Time,
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
            if field.key().contains(['"', '\\']) {
                return Err(bad(format!(
                    "`{name}` has a quote or a backslash in its name, and can't be compared here"
                )));
            }
            steps.extend([".\"", field.key(), "\""]);
        }
        // A row may hold text that is no JSON: then the field is null, as it is in a record without it.
        let inner = format!("json_extract(CASE WHEN json_valid({column}) THEN {column} END, ?)");
        values.push(Param::Text(steps));
        compared(&inner, name, stored, *test, given, values)
    }
}

/// Compares a column of any values. Text equals only text, and a number only a number.
fn any(condition: &Condition, term: &Term, values: &mut Vec<Param>) -> Result<String> {
    let Condition { field, test, values: given } = condition;
    // Without its affinity: SQLite must convert neither side.
    let name = format!("+{}", quoted(field));
    if matches!(test, Test::Like | Test::Contains) {
        return compared(&name, field, Stored::Text, *test, given, values);
    }
    let other = if *test == Test::Ne { "TRUE" } else { "FALSE" };
    let each = |(index, given): (usize, &String)| {
        let (kinds, stored) = match term.is_quoted(index) {
            Some(true) => ("'text'", Stored::Text),
            _ => ("'integer', 'real'", Stored::Any),
        };
        let test = if *test == Test::In { Test::Eq } else { *test };
        let compared = compared(&name, field, stored, test, core::slice::from_ref(given), values)?;
        Ok(format!(
            "CASE WHEN {name} IS NULL THEN NULL WHEN typeof({name}) IN ({kinds}) THEN {compared} ELSE {other} END"
        ))
    };
    let parts: Vec<_> = given.iter().enumerate().map(each).collect::<Result<_>>()?;
    Ok(parts.join(" OR "))
}

/// Compares an expression of SQL.
fn compared(
    name: &str,
    field: &str,
    stored: Stored,
    test: Test,
    given: &[String],
    values: &mut Vec<Param>,
) -> Result<String> {
    let operator = match test {
        Test::Null if given.first().is_some_and(|given| given == "false") => return Ok(format!("{name} IS NOT NULL")),
        Test::Null => return Ok(format!("{name} IS NULL")),
        Test::Like | Test::Contains => {
            values.push(super::pattern(test, &given.concat())?);
            return Ok(format!("{name} LIKE ? ESCAPE '\\'"));
        }
        Test::In => {
            for given in given {
                values.push(number_or(field, stored, given)?);
            }
            return Ok(format!("{name} IN ({})", vec!["?"; given.len()].join(", ")));
        }
        Test::Eq => "=",
        Test::Ne => "<>",
        Test::Lt => "<",
        Test::Le => "<=",
        Test::Gt => ">",
        Test::Ge => ">=",
    };
    values.push(number_or(field, stored, &given.concat())?);
    Ok(format!("{name} {operator} ?"))
}

/// As [`value`]; an int may be compared with a float, and a column of any values has bools as ints.
fn number_or(field: &str, stored: Stored, given: &str) -> Result<Param> {
    match (stored, given) {
        (Stored::Any, "true") => Ok(Param::Int(1)),
        (Stored::Any, "false") => Ok(Param::Int(0)),
        (Stored::Int, _) if Int::from_digits(given).is_none() => value(field, Stored::Real, given),
        _ => value(field, stored, given),
    }
}
