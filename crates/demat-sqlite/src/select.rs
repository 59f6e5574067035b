//! Asking for some rows of a table, or for those of any statement.

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

/// Which rows of a table, and what of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Select {
    /// The columns; all where none are named.
    pub columns: Vec<String>,
    /// What must hold, in SQL, with a `?` for each value.
    pub filter: Option<String>,
    /// The values for the filter.
    pub values: Vec<Param>,
    /// The columns that they are sorted by, and whether the greatest come first.
    pub order: Vec<(String, bool)>,
    /// How many, at most.
    pub limit: Option<u64>,
    /// How many are passed over first.
    pub offset: Option<u64>,
}

impl Select {
    /// The statement, and its values.
    ///
    /// # Errors
    /// Where the table has no column of a name.
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
            // On a line of its own, as it may end in a comment.
            let _ = write!(sql, " WHERE ({filter}\n)");
            values.extend_from_slice(&self.values);
        }
        let mut order = Vec::new();
        for (name, descends) in &self.order {
            let column =
                table.column(name).map(|column| &table.columns[column]).ok_or_else(|| no_column(table, name))?;
            let by = sorted_by(&column.name, column.stored);
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

/// The error for a column that there is not.
#[cold]
pub(crate) fn no_column(table: &Table, name: &str) -> demat_core::Error {
    let names: Vec<_> = table.columns.iter().map(|column| &*column.name).collect();
    refused(format!("the table `{}` has no column `{name}`; there are {}", table.name, names.join(", ")))
}

impl Statement {
    /// The shape of its rows, as the tables declare the columns; each may be null, and what is computed may be anything.
    ///
    /// # Errors
    /// Where two columns have one name.
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

    /// How the values of each column are kept: as the fields of a record say, where it has one of the name, else as the
    /// tables declare.
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
