//! What the columns of dates with times hold, for places that can't keep every sort in one column.

use crate::database::Database;
use crate::name::quoted;
use crate::param::Param;
use crate::rows::Rows;
use demat_core::{Field, Record, Result, Shape};

/// Which sorts of dates with times a column holds.
#[derive(Debug, Clone, Copy)]
struct Sorts {
    /// Text without an offset.
    naive: bool,
    /// Text with one.
    aware: bool,
    /// Numbers: Unix times or Julian days, in UTC.
    number: bool,
}

impl Sorts {
    /// The shape that all of them have.
    fn shape(self) -> Shape {
        match self {
            Self { naive: false, .. } => Shape::Instant,
            Self { naive: true, aware: false, number: false } => Shape::DateTime,
            Self { number: false, .. } => Shape::Text,
            Self { number: true, .. } => Shape::Any,
        }
    }
}

impl Database {
    /// Returns the record that the rows of a statement are, by what their columns of instants hold.
    ///
    /// A column that is declared `DATETIME` or `TIMESTAMP` is an instant, since it may hold times with an offset and
    /// without. A column of Arrow, or a `Timestamp` of Protocol Buffers, holds one sort only. So this looks at all rows:
    /// a column of times without an offset is a `datetime`; of both sorts it is `text`, or `any` if some are numbers. It
    /// reads the rows once, and only if there is a column of instants.
    ///
    /// # Errors
    /// What SQLite says.
    ///
    /// ```
    /// use demat_sqlite::Database;
    ///
    /// let database = Database::memory()?;
    /// database.execute("CREATE TABLE t (at DATETIME)")?;
    /// database.execute("INSERT INTO t VALUES ('2024-05-06 07:08:09')")?;
    /// let record = database.statement("SELECT at FROM t")?.record()?;
    /// let observed = database.observed("SELECT at FROM t", &[], &record)?;
    /// assert_eq!(demat_core::Shape::record(observed).to_string(), "at:datetime?");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn observed(&self, sql: &str, values: &[Param], record: &Record) -> Result<Record> {
        let instants: Vec<usize> = (0..record.fields().len())
            .filter(|index| *record.fields()[*index].shape().inner() == Shape::Instant)
            .collect();
        if instants.is_empty() {
            return Ok(record.clone());
        }
        let each =
            |part: &dyn Fn(usize) -> String| instants.iter().map(|index| part(*index)).collect::<Vec<_>>().join(", ");
        let sorts = each(&|index| format!("max(s{index} = 0), max(s{index} = 1), max(s{index} = 2)"));
        let parts = each(&|index| format!("demat_zoned({}) AS s{index}", quoted(record.fields()[index].key())));
        // What the statement says at its end is a statement of its own.
        let sql = format!("SELECT {sorts} FROM (SELECT {parts} FROM (\n{}\n))", sql.trim_end().trim_end_matches(';'));
        let mut found = self.statement(&sql)?;
        found.bind_all(values)?;
        found.step()?;
        let mut fields = record.fields().to_vec();
        for (at, index) in instants.into_iter().enumerate() {
            let holds = |sort: usize| found.int(at * 3 + sort) != 0;
            let sorts = Sorts { naive: holds(0), aware: holds(1), number: holds(2) };
            fields[index] = reshaped(&fields[index], sorts.shape());
        }
        Ok(Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown()))
    }
}

fn reshaped(field: &Field, shape: Shape) -> Field {
    let shape = if field.shape().allows_null() { shape.optional() } else { shape };
    // To say again whether it is required makes it written as the new shape is, where fields go by number.
    field.clone().with_inner(shape).with_required(field.required())
}
