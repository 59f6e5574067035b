//! Prepared statements.

use crate::column_type::ColumnType;
use crate::connection::Connection;
use crate::failure::refused;
use crate::param::Param;
use crate::rows::{RowColumn, Rows};
use crate::shared::Busy;
use core::fmt;
use core::pin::Pin;
use demat_core::{Error, Field, Record, Result};
use futures_util::{FutureExt, StreamExt};
use std::collections::VecDeque;
use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Row, RowStream};

/// A prepared statement.
pub struct Statement {
    connection: Connection,
    inner: tokio_postgres::Statement,
    params: Vec<ColumnType>,
    /// Whether it changes nothing.
    only_reads: bool,
}

/// The number of rows to gather at a time, if they are there.
const BATCH: usize = 256;

impl Statement {
    pub(crate) fn new(connection: Connection, inner: tokio_postgres::Statement, only_reads: bool) -> Result<Self> {
        let params = inner.params().iter().map(|own| connection.column_type(own.oid(), -1)).collect::<Result<_>>()?;
        Ok(Self { connection, inner, params, only_reads })
    }

    /// The types of the parameters.
    pub fn params(&self) -> &[ColumnType] {
        &self.params
    }

    /// Returns the columns of the rows that it gives; none if it gives no rows.
    ///
    /// # Errors
    /// Errors of the server, which is asked for types that are not known yet.
    pub fn columns(&self) -> Result<Vec<RowColumn>> {
        let column = |column: &tokio_postgres::Column| {
            let own = self.connection.column_type(column.type_().oid(), column.type_modifier())?;
            Ok(RowColumn { name: column.name().to_string(), own })
        };
        self.inner.columns().iter().map(column).collect()
    }

    /// Runs the statement, and returns its rows as they come. The server keeps what was not read yet.
    ///
    /// If the rows are dropped before their end, a `SELECT` is cancelled, and what functions in it changed is undone. Any
    /// other statement ends first, so that its changes stay.
    ///
    /// # Errors
    /// If the number of parameters is another one; errors of the server.
    pub fn query(&self, params: &[Param]) -> Result<QueryRows> {
        self.check(params)?;
        let columns = self.columns()?;
        let busy = Some(self.connection.begin_rows()?);
        let stream = self.connection.wait(self.connection.client().query_raw(&self.inner, params))?;
        let stream = stream.map_err(|error| self.connection.failed(error))?;
        Ok(QueryRows {
            only_reads: self.only_reads,
            connection: self.connection.clone(),
            stream: Box::pin(stream),
            columns,
            busy,
            rows: VecDeque::new(),
            ended: false,
            failure: None,
        })
    }

    /// Runs the statement. Returns the number of rows that it changed.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn execute(&self, params: &[Param]) -> Result<u64> {
        self.check(params)?;
        self.connection.request(self.connection.client().execute_raw(&self.inner, params))
    }

    fn check(&self, params: &[Param]) -> Result<()> {
        let (wanted, given) = (self.params.len(), params.len());
        if wanted == given {
            return Ok(());
        }
        Err(refused(format!("the statement has {wanted} parameters, and {given} are given")))
    }
}

/// Returns the record of rows with these columns: any of them may be NULL.
///
/// # Errors
/// If two columns have one name.
pub fn record_of(columns: &[RowColumn]) -> Result<Record> {
    for (index, column) in columns.iter().enumerate() {
        if columns[..index].iter().any(|other| other.name == column.name) {
            let name = &column.name;
            return Err(refused(format!("two columns are called `{name}`; give one of them another name with AS")));
        }
    }
    let field = |(column, number): (&RowColumn, u32)| {
        Field::new(column.name.clone(), number, column.own.class.shape().optional())
    };
    Record::new("", columns.iter().zip(1..).map(field).collect())
}

/// The rows of a statement.
pub struct QueryRows {
    connection: Connection,
    /// It is dropped before the mark that rows are read.
    stream: Pin<Box<RowStream>>,
    busy: Option<Busy>,
    columns: Vec<RowColumn>,
    /// The current row, and the next ones.
    rows: VecDeque<Row>,
    ended: bool,
    /// The error behind the rows that were gathered.
    failure: Option<Error>,
    only_reads: bool,
}

impl Rows for QueryRows {
    fn columns(&self) -> &[RowColumn] {
        &self.columns
    }

    fn step(&mut self) -> Result<bool> {
        self.rows.pop_front();
        if self.rows.is_empty() && !self.ended {
            let Self { connection, stream, rows, ended, failure, .. } = self;
            connection.wait(async {
                let mut next = Some(stream.next().await);
                // Nothing is waited for once there is a row.
                while let Some(row) = next {
                    match row {
                        Some(Ok(row)) => rows.push_back(row),
                        Some(Err(error)) => {
                            *failure = Some(connection.failed(error));
                            *ended = true;
                        }
                        None => *ended = true,
                    }
                    if *ended || rows.len() == BATCH {
                        break;
                    }
                    next = stream.next().now_or_never();
                }
            })?;
            if self.ended {
                self.busy = None;
            }
        }
        if self.rows.is_empty()
            && let Some(error) = self.failure.take()
        {
            return Err(error);
        }
        Ok(!self.rows.is_empty())
    }

    fn cell(&self, column: usize) -> Option<&[u8]> {
        self.rows.front()?.try_get::<_, Option<Raw<'_>>>(column).ok()?.map(|raw| raw.0)
    }

    /// Whether the current row is the last that is here.
    fn may_wait(&self) -> bool {
        !self.ended && self.rows.len() < 2
    }
}

/// The bytes of a cell.
struct Raw<'r>(&'r [u8]);

impl<'r> FromSql<'r> for Raw<'r> {
    fn from_sql(_: &Type, raw: &'r [u8]) -> core::result::Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(raw))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

impl fmt::Debug for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statement").field("params", &self.params).finish_non_exhaustive()
    }
}

impl Drop for QueryRows {
    fn drop(&mut self) {
        if self.busy.is_some() && !self.ended {
            self.connection.leave(self.only_reads, &mut self.stream);
        }
    }
}

impl fmt::Debug for QueryRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryRows").field("columns", &self.columns).finish_non_exhaustive()
    }
}
