//! The schema of a table: its columns, and its b-trees.

use super::affinity::Affinity;
use super::collation::Collation;
use super::key::KeyColumn;
use super::{quoted, said, sql};
use demat_core::{Error, ErrorKind, Result};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _};

/// A table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) root: u32,
    pub(crate) sql: String,
    pub(crate) columns: Vec<Column>,
    /// The column that is an alias of the rowid.
    pub(crate) rowid_column: Option<usize>,
    pub(crate) has_rowid: bool,
    pub(crate) is_strict: bool,
    pub(crate) counts_up: bool,
    /// All indexes; in a table without rowids, the first one is the table itself.
    pub(crate) indexes: Vec<Index>,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) declared: String,
    pub(crate) affinity: Affinity,
    pub(crate) not_null: bool,
    /// The expression as SQL text.
    pub(crate) default: Option<String>,
    /// Whether it is generated from other columns.
    pub(crate) generated: bool,
}

/// An index of a table.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    pub(crate) name: String,
    pub(crate) root: u32,
    pub(crate) unique: bool,
    /// Whether it covers only some of the rows.
    pub(crate) partial: bool,
    pub(crate) sql: Option<String>,
    /// The values of its records: a column of the table, the rowid, or an expression.
    pub(crate) parts: Vec<IndexPart>,
    /// The number of these that are the key; the others identify the row.
    pub(crate) keys: usize,
}

/// A value in an index's records.
#[derive(Debug, Clone)]
pub(crate) struct IndexPart {
    pub(crate) from: From,
    /// An error with the name, if it is not built-in.
    pub(crate) collation: std::result::Result<Collation, String>,
    pub(crate) descending: bool,
}

/// The source of an index's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    Column(usize),
    Rowid,
    Expression,
}

impl Index {
    /// Returns the order of its records; an error with the name of an unknown collation.
    pub(crate) fn order(&self) -> std::result::Result<Vec<KeyColumn>, String> {
        let column = |part: &IndexPart| {
            let collation = part.collation.clone()?;
            Ok(KeyColumn { collation, descending: part.descending })
        };
        self.parts.iter().map(column).collect()
    }
}

impl Table {
    /// Reads the definition of a table in a schema (`main`); `None` if there is none with this name.
    ///
    /// # Errors
    /// Errors of SQLite; [`Store`](ErrorKind::Store) if the name is not that of an ordinary table.
    pub(crate) fn find(connection: &Connection, schema: &str, name: &str) -> Result<Option<Self>> {
        let found = find_root(connection, schema, name)?;
        let Some((kind, name, root, sql)) = found else { return Ok(None) };
        let root = u32::try_from(root).ok().filter(|root| *root > 0 && kind == "table");
        let (Some(sql), Some(root)) = (sql, root) else {
            let message = format!("`{name}` is no table that has pages of its own");
            return Err(Error::new(ErrorKind::Store, message));
        };
        let (has_rowid, is_strict) = flags(connection, schema, &name)?;
        let (columns, keys) = columns(connection, schema, &name, is_strict)?;
        let mut indexes = indexes(connection, schema, &name)?;
        let mut rowid_column = None;
        if has_rowid {
            // A key that is the rowid has no index. With `DESC` it has one, and is no alias of the rowid.
            let alias = |at: &usize| columns[*at].declared.eq_ignore_ascii_case("INTEGER");
            rowid_column = match keys[..] {
                [key] if !indexes.iter().any(|(_, origin)| origin == "pk") => Some(key).filter(alias),
                _ => None,
            };
        } else if let Some(at) = indexes.iter().position(|(_, origin)| origin == "pk") {
            let mut own = indexes.remove(at);
            own.0.root = root;
            indexes.insert(0, own);
        }
        let counts_up = rowid_column.is_some() && sql::has_word(&sql, "AUTOINCREMENT");
        let indexes = indexes.into_iter().map(|(index, _)| index).collect();
        Ok(Some(Self { name, root, sql, columns, rowid_column, has_rowid, is_strict, counts_up, indexes }))
    }

    /// Returns the column that SQLite resolves this name to.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|column| column.name == name);
        exact.or_else(|| self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name)))
    }

    /// Returns the columns in the order in which records store them.
    pub(crate) fn kept(&self) -> Vec<usize> {
        match self.indexes.first() {
            Some(own) if !self.has_rowid => {
                let column = |part: &IndexPart| match part.from {
                    From::Column(column) => Some(column),
                    From::Rowid | From::Expression => None,
                };
                own.parts.iter().filter_map(column).collect()
            }
            _ => (0..self.columns.len()).collect(),
        }
    }
}

type Found = (String, String, i64, Option<String>);

fn find_root(connection: &Connection, schema: &str, name: &str) -> Result<Option<Found>> {
    let sql = format!(
        "SELECT type, name, rootpage, sql FROM {}.sqlite_schema WHERE lower(name) = lower(?1) AND type IN ('table', 'view')",
        quoted(schema)
    );
    let found = connection.query_row(&sql, [name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
    found.optional().map_err(said)
}

fn flags(connection: &Connection, schema: &str, name: &str) -> Result<(bool, bool)> {
    let sql = "SELECT NOT wr, strict FROM pragma_table_list(?1) WHERE schema = ?2 COLLATE NOCASE";
    connection.query_row(sql, [name, schema], |row| Ok((row.get(0)?, row.get(1)?))).map_err(said)
}

fn columns(connection: &Connection, schema: &str, name: &str, strict: bool) -> Result<(Vec<Column>, Vec<usize>)> {
    let sql = "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?1, ?2) ORDER BY cid";
    let mut statement = connection.prepare(sql).map_err(said)?;
    let mut rows = statement.query([name, schema]).map_err(said)?;
    let (mut columns, mut keys) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next().map_err(said)? {
        let declared: String = row.get(1).map_err(said)?;
        let any = strict && declared.eq_ignore_ascii_case("ANY");
        let key: i64 = row.get(4).map_err(said)?;
        let hidden: i64 = row.get(5).map_err(said)?;
        if key > 0 {
            keys.push(columns.len());
        }
        columns.push(Column {
            name: row.get(0).map_err(said)?,
            affinity: if any { Affinity::Blob } else { Affinity::of(&declared) },
            declared,
            not_null: row.get(2).map_err(said)?,
            default: row.get(3).map_err(said)?,
            generated: hidden > 1,
        });
    }
    Ok((columns, keys))
}

fn indexes(connection: &Connection, schema: &str, name: &str) -> Result<Vec<(Index, String)>> {
    let sql = format!(
        "SELECT list.name, list.\"unique\", list.origin, list.partial, own.rootpage, own.sql \
         FROM pragma_index_list(?1, ?2) AS list LEFT JOIN {}.sqlite_schema AS own \
         ON own.name = list.name AND own.type = 'index' ORDER BY list.seq DESC",
        quoted(schema)
    );
    let mut statement = connection.prepare(&sql).map_err(said)?;
    let mut rows = statement.query([name, schema]).map_err(said)?;
    let mut indexes = Vec::new();
    while let Some(row) = rows.next().map_err(said)? {
        let index: String = row.get(0).map_err(said)?;
        let parts = index_parts(connection, schema, &index)?;
        let keys = parts.iter().filter(|(_, is_key)| *is_key).count();
        let root: Option<u32> = row.get(4).map_err(said)?;
        let own = Index {
            name: index,
            root: root.unwrap_or(0),
            unique: row.get(1).map_err(said)?,
            partial: row.get(3).map_err(said)?,
            sql: row.get(5).map_err(said)?,
            parts: parts.into_iter().map(|(part, _)| part).collect(),
            keys,
        };
        indexes.push((own, row.get(2).map_err(said)?));
    }
    Ok(indexes)
}

fn index_parts(connection: &Connection, schema: &str, index: &str) -> Result<Vec<(IndexPart, bool)>> {
    let sql = "SELECT cid, \"desc\", coll, key FROM pragma_index_xinfo(?1, ?2) ORDER BY seqno";
    let mut statement = connection.prepare(sql).map_err(said)?;
    let mut rows = statement.query([index, schema]).map_err(said)?;
    let mut parts = Vec::new();
    while let Some(row) = rows.next().map_err(said)? {
        let column: i64 = row.get(0).map_err(said)?;
        let from = match usize::try_from(column) {
            Ok(column) => From::Column(column),
            Err(_) if column == -1 => From::Rowid,
            Err(_) => From::Expression,
        };
        let collation: String = row.get(2).map_err(said)?;
        let collation = Collation::named(&collation).ok_or(collation);
        parts.push((IndexPart { from, collation, descending: row.get(1).map_err(said)? }, row.get(3).map_err(said)?));
    }
    Ok(parts)
}

/// Returns the value that SQLite would store for an omitted column: its default, converted to the column's type. `None`
/// if it is not constant.
///
/// # Errors
/// Errors of SQLite.
pub(crate) fn default_of(column: &Column, strict: bool) -> Result<Option<Value>> {
    let Some(expression) = &column.default else { return Ok(Some(Value::Null)) };
    // A function may return another value each time, and a constant needs no call.
    if expression.contains('(') && !expression.starts_with(['\'', '"']) {
        return Ok(None);
    }
    let connection = Connection::open_in_memory().map_err(said)?;
    let strict = if strict { " STRICT" } else { "" };
    let sql = format!("CREATE TABLE one(value {} DEFAULT ({expression})){strict}", column.declared);
    connection.execute_batch(&sql).map_err(said)?;
    connection.execute_batch("INSERT INTO one DEFAULT VALUES").map_err(said)?;
    connection.query_row("SELECT value FROM one", [], |row| row.get(0)).map(Some).map_err(said)
}
