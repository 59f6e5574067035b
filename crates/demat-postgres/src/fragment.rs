//! Pieces of SQL with the values of their parameters.

use crate::param::Param;
use core::fmt::Write as _;

/// A piece of SQL, in which a value stands where its parameter is.
///
/// Pieces are put together in any order. Only the whole numbers its parameters.
///
/// ```
/// use demat_core::Sink;
/// use demat_postgres::{ColumnType, Fragment, Param};
/// let int = ColumnType::built_in(20).unwrap();
/// let value = Param::encode(&int, |sink| sink.i64(7))?;
/// let mut own = Fragment::from("id > ");
/// own.value(value.clone(), "bigint");
/// let mut both = Fragment::from("NOT (");
/// both.append(&own);
/// both.text(") OR ");
/// both.append(&own);
/// assert_eq!(both.sql(), ("NOT (id > $1::bigint) OR id > $2::bigint".to_string(), vec![value.clone(), value]));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fragment(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A value, and its type in SQL.
    Value(Param, String),
}

impl Fragment {
    /// Returns an empty piece.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends SQL.
    pub fn text(&mut self, sql: &str) {
        match self.0.last_mut() {
            Some(Part::Text(own)) => own.push_str(sql),
            _ => self.0.push(Part::Text(sql.to_string())),
        }
    }

    /// Appends the parameter of a value, converted to a type of this name. Without one, it has the type that the SQL around
    /// it takes.
    pub fn value(&mut self, value: Param, type_name: impl Into<String>) {
        self.0.push(Part::Value(value, type_name.into()));
    }

    /// Appends another piece.
    pub fn append(&mut self, other: &Self) {
        for part in &other.0 {
            match part {
                Part::Text(sql) => self.text(sql),
                Part::Value(..) => self.0.push(part.clone()),
            }
        }
    }

    /// Appends another piece in parentheses.
    pub fn enclose(&mut self, other: &Self) {
        self.text("(");
        self.append(other);
        self.text(")");
    }

    /// Returns pieces in parentheses with a word between them.
    pub fn joined<'f>(parts: impl IntoIterator<Item = &'f Self>, word: &str) -> Self {
        let mut all = Self::new();
        for part in parts {
            if !all.is_empty() {
                all.text(word);
            }
            all.enclose(part);
        }
        all
    }

    /// Returns the SQL, with a number for each parameter, and their values.
    pub fn sql(&self) -> (String, Vec<Param>) {
        let (mut sql, mut values) = (String::new(), Vec::new());
        for part in &self.0 {
            match part {
                Part::Text(own) => sql.push_str(own),
                Part::Value(value, type_name) => {
                    values.push(value.clone());
                    // Writing to a String never fails.
                    let _ = match &**type_name {
                        "" => write!(sql, "${}", values.len()),
                        type_name => write!(sql, "${}::{type_name}", values.len()),
                    };
                }
            }
        }
        (sql, values)
    }
}

impl From<&str> for Fragment {
    fn from(sql: &str) -> Self {
        let mut own = Self::new();
        own.text(sql);
        own
    }
}
