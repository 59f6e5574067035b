//! Tables: their columns, and the shapes of their rows.

use crate::column_type::{ColumnType, TypeClass};
use crate::name::{TableName, listed};
use demat_core::{Field, Record, Result, Shape};

/// A table or a view of a database.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name, without the schema.
    pub name: String,
    /// Its name in SQL, with the schema that it was found in.
    pub quoted: String,
    /// The columns, in their order.
    pub columns: Vec<Column>,
    /// The names of the columns of the primary key, in its order.
    pub key: Vec<String>,
    /// The lists of columns whose values are unique, besides the key.
    pub unique: Vec<Vec<String>>,
    /// Whether it is a view.
    pub view: bool,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type.
    pub own: ColumnType,
    /// The number of dimensions that it was declared with; 0 if it is no array. The server does not enforce it.
    pub dimensions: u16,
    /// Whether it refuses NULL.
    pub not_null: bool,
    /// The default value in SQL, if it has one.
    pub default: Option<String>,
    /// Whether it is an identity column, whose default is the next number.
    pub identity: bool,
    /// Whether its values are computed.
    pub generated: bool,
}

impl Column {
    /// Returns the shape of its values, unless NULL.
    pub fn shape(&self) -> Shape {
        (1..self.dimensions).fold(self.own.class.shape(), |shape, _| match self.own.class {
            TypeClass::Array(_) => shape.list(),
            _ => shape,
        })
    }

    /// Whether a row without a value for the column has another one than NULL.
    pub(crate) fn fills_itself(&self) -> bool {
        self.default.is_some() || self.identity
    }
}

impl Table {
    /// Returns the index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Returns the record of the table's rows. Its fields have `sql` notes for the key and for unique columns.
    ///
    /// # Errors
    /// If two fields would have the same name.
    pub fn record(&self) -> Result<Record> {
        let field = |(column, number): (&Column, u32)| {
            let shape = column.shape();
            let shape = if column.not_null { shape } else { shape.optional() };
            let mut field = Field::new(column.name.clone(), number, shape);
            if self.key.contains(&column.name) {
                field = field.with_note("sql", "key");
            } else if self.unique.iter().any(|unique| unique.len() == 1 && unique[0] == column.name) {
                field = field.with_note("sql", "unique");
            }
            field
        };
        Record::new(self.name.clone(), self.columns.iter().zip(1..).map(field).collect())
    }

    /// Returns the statement that selects all columns.
    pub fn select(&self) -> String {
        let columns = listed(self.columns.iter().map(|column| &*column.name));
        format!("SELECT {columns} FROM {}", self.quoted)
    }

    /// Returns the name as it can be parsed.
    pub fn table_name(&self) -> Result<TableName> {
        TableName::parse(&self.quoted)
    }
}
