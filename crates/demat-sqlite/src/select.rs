//! SELECT statements for a table's rows, and the shapes of any statement's rows.

use crate::comparison::sorted_by;
use crate::declared::shape_of_declared;
use crate::failure::refused;
use crate::name::{listed, quoted};
use crate::param::Param;
use crate::rows::Rows;
use crate::statement::Statement;
use crate::stored::Stored;
use crate::table::Table;
use core::fmt::Write as _;
use demat_core::{Field, Record, Result};
use std::collections::HashSet;

/// A selection of a table's rows and columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Select {
    /// The columns; if empty, all.
    pub columns: Vec<String>,
    /// The condition in SQL, with a `?` for each value.
    pub filter: Option<String>,
    /// The values for the condition.
    pub values: Vec<Param>,
    /// The columns to sort by, and whether each is in descending order.
    pub order: Vec<(String, bool)>,
    /// The maximum number of rows.
    pub limit: Option<u64>,
    /// The number of rows to skip.
    pub offset: Option<u64>,
}

impl Select {
    /// Returns the statement and its values.
    ///
    /// # Errors
    /// If the table has no column with a name.
    pub fn sql(&self, table: &Table) -> Result<(String, Vec<Param>)> {
        let column = |name: &String| match table.column(name) {
            Some(column) => Ok(&*table.columns[column].name),
            None => Err(no_column(table, name)),
        };
        let columns = if self.columns.is_empty() {
            listed(table.columns.iter().map(|column| &*column.name))
        } else {
            listed(self.columns.iter().map(column).collect::<Result<Vec<_>>>()?)
        };
        let mut sql = format!("SELECT {columns} FROM {}", quoted(&table.name));
        // Writing to a String never fails.
        let mut values = Vec::new();
        if let Some(filter) = &self.filter {
            // On a line of its own, as it may end with a comment.
            let _ = write!(sql, " WHERE ({filter}\n)");
            values.extend_from_slice(&self.values);
        }
        let mut order = Vec::new();
        for (name, descends) in &self.order {
            let column =
                table.column(name).map(|column| &table.columns[column]).ok_or_else(|| no_column(table, name))?;
            let by = sorted_by(&quoted(&column.name), column.stored, column.affinity(table.strict));
            order.push(format!("{by}{}", if *descends { " DESC" } else { "" }));
        }
        if !order.is_empty() {
            let _ = write!(sql, " ORDER BY {}", order.join(", "));
        }
        let count = |count: Option<u64>| count.map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        match (count(self.limit), count(self.offset)) {
            (None, None) => {}
            (limit, offset) => {
                let _ = write!(sql, " LIMIT {} OFFSET {}", limit.unwrap_or(-1), offset.unwrap_or(0));
            }
        }
        Ok((sql, values))
    }
}

/// Returns the error for an unknown column.
#[cold]
pub(crate) fn no_column(table: &Table, name: &str) -> demat_core::Error {
    let names: Vec<_> = table.columns.iter().map(|column| &*column.name).collect();
    refused(format!("the table `{}` has no column `{name}`; there are {}", table.name, names.join(", ")))
}

impl Statement {
    /// Returns the shape of the statement's rows, as the tables declare the columns. All are nullable, and expressions
    /// have any type.
    ///
    /// # Errors
    /// If two columns have the same name.
    pub fn record(&self) -> Result<Record> {
        let field = |(index, name): (usize, &String)| {
            let shape = self.declared(index).map_or(demat_core::Shape::Any, |declared| shape_of_declared(&declared));
            Field::new(name.clone(), index as u32 + 1, shape.optional())
        };
        self.check_names()?;
        Record::new("", self.columns().iter().enumerate().map(field).collect())
    }

    /// Refuses duplicate column names: a record could hold only one of them.
    ///
    /// # Errors
    /// If two columns have the same name.
    pub fn check_names(&self) -> Result<()> {
        let mut had = HashSet::with_capacity(self.columns().len());
        match self.columns().iter().find(|name| !had.insert(name.as_str())) {
            Some(name) => {
                Err(refused(format!("two columns are called `{name}`; give one of them another name with AS")))
            }
            None => Ok(()),
        }
    }

    /// Returns the storage of each column: from a record's field of the same name, or else from the table's
    /// declaration.
    pub fn stored_as(&self, record: Option<&Record>) -> Vec<Stored> {
        let of = |(index, name): (usize, &String)| {
            let declared = self.declared(index);
            let field = record.and_then(|record| record.index_of(name).map(|index| &record.fields()[index]));
            match (field, &declared) {
                (Some(field), _) => Stored::of(field.shape(), declared.as_deref()),
                (None, Some(declared)) => Stored::of(&shape_of_declared(declared), Some(declared)),
                (None, None) => Stored::Any,
            }
        };
        self.columns().iter().enumerate().map(of).collect()
    }
}
