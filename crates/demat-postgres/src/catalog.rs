//! Reads the server's catalogs: its types and tables.

use crate::column_type::{ColumnType, TypeClass};
use crate::connection::Connection;
use crate::failure::failed;
use crate::name::{TableName, quoted};
use crate::table::{Column, Table};
use demat_core::Result;
use std::sync::Arc;
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

/// Domains over domains, and arrays of these, deeper than any real one.
const DEEPEST: u32 = 64;

/// Returns a cell of a row. A server that answers with another type causes an error.
fn cell<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(failed)
}

/// Looks a type up.
pub(crate) fn column_type(connection: &Connection, oid: u32, modifier: i32) -> Result<ColumnType> {
    nested(connection, oid, modifier, 0)
}

fn nested(connection: &Connection, oid: u32, modifier: i32, depth: u32) -> Result<ColumnType> {
    const SQL: &str = "SELECT format_type(oid, $2::int4), typtype::text, typcategory::text, typlen, typbasetype, \
                       typtypmod, typelem, typname::text, ARRAY(SELECT enumlabel::text FROM pg_catalog.pg_enum \
                       WHERE enumtypid = pg_type.oid ORDER BY enumsortorder) FROM pg_catalog.pg_type WHERE oid = $1";
    let client = connection.client();
    let Some(row) = connection.request(client.query_opt(SQL, &[&oid, &modifier]))? else {
        return Ok(ColumnType { oid, name: format!("type {oid}"), class: TypeClass::Other });
    };
    let name = cell::<Option<String>>(&row, 0)?.unwrap_or_default();
    let (kind, category, len): (String, String, i16) = (cell(&row, 1)?, cell(&row, 2)?, cell(&row, 3)?);
    let (base, base_modifier, element): (u32, i32, u32) = (cell(&row, 4)?, cell(&row, 5)?, cell(&row, 6)?);
    let own_name: String = cell(&row, 7)?;
    let class = match (&*kind, &*category) {
        _ if depth > DEEPEST => TypeClass::Other,
        ("d", _) => nested(connection, base, base_modifier, depth + 1)?.class,
        ("e", _) => TypeClass::Enum(cell::<Vec<String>>(&row, 8)?.into()),
        // `int2vector` and `oidvector` are arrays by their category only.
        ("b", "A") if len == -1 && element != 0 && !matches!(oid, 22 | 30) => {
            match nested(connection, element, modifier, depth + 1)? {
                ColumnType { class: TypeClass::Other, .. } => TypeClass::Other,
                item => TypeClass::Array(Arc::new(item)),
            }
        }
        // An extension's type, whose identifier is different in each database.
        ("b", "S") if own_name == "citext" => TypeClass::Text(None),
        _ => TypeClass::of_oid(oid, modifier).unwrap_or(TypeClass::Other),
    };
    Ok(ColumnType { oid, name, class })
}

/// Looks a table up.
pub(crate) fn table(connection: &Connection, name: &TableName) -> Result<Option<Table>> {
    const TABLE: &str = "SELECT c.oid, n.nspname::text, c.relname::text, c.relkind::text \
                         FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                         WHERE c.oid = to_regclass($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')";
    const COLUMNS: &str = "SELECT a.attname::text, a.atttypid, a.atttypmod, \
                           a.attnotnull OR coalesce(own.not_null, false), a.attidentity::text, \
                           a.attgenerated::text, coalesce(pg_get_expr(d.adbin, d.adrelid), own.value), \
                           a.attndims::int2 FROM pg_catalog.pg_attribute a CROSS JOIN LATERAL (WITH RECURSIVE base AS \
                           (SELECT t.*, 0 AS level FROM pg_catalog.pg_type t WHERE t.oid = a.atttypid UNION ALL \
                           SELECT t.*, level + 1 FROM base JOIN pg_catalog.pg_type t ON t.oid = base.typbasetype \
                           WHERE base.typtype = 'd' AND level < 64) SELECT bool_or(typtype = 'd' AND typnotnull) \
                           AS not_null, (array_agg(typdefault ORDER BY level) FILTER \
                           (WHERE typdefault IS NOT NULL))[1] AS value FROM base) own \
                           LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
                           WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
    const UNIQUE: &str = "SELECT i.indisprimary, ARRAY(SELECT a.attname::text \
                          FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place) \
                          JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number \
                          WHERE k.place <= i.indnkeyatts ORDER BY k.place), i.indnkeyatts \
                          FROM pg_catalog.pg_index i WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid \
                          AND i.indpred IS NULL AND i.indexprs IS NULL ORDER BY i.indexrelid";
    name.check()?;
    let client = connection.client();
    let Some(row) = connection.request(client.query_opt(TABLE, &[&name.quoted()]))? else { return Ok(None) };
    let oid: u32 = cell(&row, 0)?;
    let (schema, own, kind): (String, String, String) = (cell(&row, 1)?, cell(&row, 2)?, cell(&row, 3)?);
    let mut table = Table {
        quoted: format!("{}.{}", quoted(&schema), quoted(&own)),
        name: own,
        columns: Vec::new(),
        key: Vec::new(),
        unique: Vec::new(),
        view: matches!(&*kind, "v" | "m"),
    };
    for row in connection.request(client.query(COLUMNS, &[&oid]))? {
        let generated = !cell::<String>(&row, 5)?.is_empty();
        table.columns.push(Column {
            name: cell(&row, 0)?,
            own: connection.column_type(cell(&row, 1)?, cell(&row, 2)?)?,
            dimensions: cell::<i16>(&row, 7)?.max(0).unsigned_abs(),
            not_null: cell(&row, 3)?,
            default: cell::<Option<String>>(&row, 6)?.filter(|_| !generated),
            identity: !cell::<String>(&row, 4)?.is_empty(),
            generated,
        });
    }
    for row in connection.request(client.query(UNIQUE, &[&oid]))? {
        let columns: Vec<String> = cell(&row, 1)?;
        if cell(&row, 0)? {
            table.key = columns;
        } else {
            table.unique.push(columns);
        }
    }
    Ok(Some(table))
}

/// Returns the names of all tables and views of the search path.
pub(crate) fn tables(connection: &Connection) -> Result<Vec<String>> {
    const SQL: &str = "SELECT c.relname::text FROM pg_catalog.pg_class c \
                       JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                       WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.pg_table_is_visible(c.oid) \
                       AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema') \
                       AND n.nspname NOT LIKE 'pg\\_t%' ORDER BY 1";
    let rows = connection.request(connection.client().query(SQL, &[]))?;
    rows.iter().map(|row| cell(row, 0)).collect()
}
