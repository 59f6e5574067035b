//! Translates queries to SQL: names are quoted, and values are parameters.

use super::{Table, bad};
use demat_core::{Field, Result, Shape};
use demat_place::{Condition, Term, Test, sql_code_points, sql_comparison, sql_comparison_of};
use demat_postgres::{Column, ColumnType, Fragment, TypeClass, literal, quoted};
use demat_store::Query;

/// An expression that rows are sorted by.
#[derive(Debug, Clone)]
pub(super) struct Sorted {
    pub(super) column: usize,
    pub(super) sql: String,
    pub(super) descends: bool,
    pub(super) nullable: bool,
}

/// The parts of a SELECT.
#[derive(Debug, Clone, Default)]
pub(super) struct Select {
    /// The indices of the columns.
    pub(super) columns: Vec<usize>,
    /// Empty for all rows.
    pub(super) filter: Fragment,
    pub(super) order: Vec<Sorted>,
    pub(super) limit: Option<u64>,
    pub(super) offset: Option<u64>,
}

impl Table {
    /// Translates a query on the table.
    pub(super) fn select(&self, query: &Query) -> Result<Select> {
        query.refuse_search()?;
        let columns = match &query.fields {
            Some(fields) => fields.iter().map(|field| self.column_of(field)).collect::<Result<_>>()?,
            None => self.known(),
        };
        let mut order = Vec::new();
        for own in &query.order {
            order.push(self.sorted(self.column_of(&own.field)?, own.descends)?);
        }
        // Pages need a total order, and others a predictable one.
        for column in &self.key.columns {
            if order.iter().all(|own: &Sorted| own.column != *column) {
                order.push(self.sorted(*column, false)?);
            }
        }
        let mut parts = Vec::new();
        for condition in &query.filter {
            parts.push(self.compared(self.column_of(&condition.field)?, condition)?);
        }
        if let Some(predicate) = &query.predicate {
            let record = self.record();
            // Refuses unknown fields, and values that a field can't have.
            predicate.bound(&record, false).map_err(|error| bad(error.reason()))?;
            parts.push(predicate.to_fragment(&mut |term| self.term(term))?);
        }
        parts.extend(self.paged(query, &order)?);
        let filter = Fragment::joined(&parts, " AND ");
        Ok(Select { columns, filter, order, limit: query.limit, offset: query.offset })
    }

    /// Returns the columns that the shape has fields for; all if it has none.
    fn known(&self) -> Vec<usize> {
        let (record, all) = (self.record(), 0..self.about.columns.len());
        let known: Vec<_> = all.clone().filter(|at| record.index_of(&self.about.columns[*at].name).is_some()).collect();
        if known.is_empty() { all.collect() } else { known }
    }

    /// Returns the column of a field.
    pub(super) fn column_of(&self, field: &str) -> Result<usize> {
        self.about.column(field).ok_or_else(|| {
            let names: Vec<_> = self.about.columns.iter().map(|column| format!("`{}`", column.name)).collect();
            bad(format!("there is no field `{field}`; there are {}", names.join(", ")))
        })
    }

    fn term(&self, term: &Term) -> Result<Fragment> {
        let fields = term.fields(&self.record())?;
        if let [field] = &*fields {
            return self.compared(self.column_of(field.key())?, term.condition());
        }
        self.nested(term, &fields)
    }

    /// Compares a field of a record that a column holds as JSON. A value of another kind is null.
    fn nested(&self, term: &Term, fields: &[Field]) -> Result<Fragment> {
        let condition = term.condition();
        let name = &condition.field;
        let [column, path @ .., last] = fields else { return Err(bad("a condition compares a field")) };
        let column = &self.about.columns[self.column_of(column.key())?];
        if !matches!(column.own.class, TypeClass::Json | TypeClass::Jsonb) {
            return Err(bad(format!("`{name}` is in a column of the type {}, which has no fields", column.own.name)));
        }
        let mut way = quoted(&column.name);
        for field in path {
            way.extend([" -> ", &literal(field.key())]);
        }
        let key = literal(last.key());
        let text = format!("{way} ->> {key}");
        let of_kind = |kind: &str, own: &str| {
            format!("CASE WHEN pg_catalog.jsonb_typeof(({way} -> {key})::jsonb) = '{kind}' THEN ({text})::{own} END")
        };
        if matches!(condition.test, Test::Like | Test::Contains)
            && !matches!(last.shape().inner(), Shape::Text | Shape::Enum(_) | Shape::Int(_) | Shape::Float(_))
        {
            return Err(bad(format!("`{name}` is no text, and has nothing to be like")));
        }
        let (expression, oid) = match last.shape().inner() {
            _ if condition.test == Test::Null => (text, 25),
            Shape::Text | Shape::Enum(_) => (text, 25),
            Shape::Bool => (of_kind("boolean", "boolean"), 16),
            Shape::Int(_) => (of_kind("number", "numeric"), 1_700),
            Shape::Float(_) => (as_float(&of_kind("number", "numeric")), FLOAT8),
            other => {
                let message =
                    format!("`{name}` is a {} within a column, which can only be compared with null", other.name());
                return Err(bad(message));
            }
        };
        let own = ColumnType::built_in(oid).ok_or_else(|| bad("a type is unknown"))?;
        sql_comparison_of(&expression, &own, condition)
            .ok_or_else(|| bad(format!("`{}` is no value of `{name}`", condition.values.join(","))))
    }

    fn compared(&self, column: usize, condition: &Condition) -> Result<Fragment> {
        let column = &self.about.columns[column];
        let Condition { field, test, values } = condition;
        if matches!(test, Test::Like | Test::Contains) && !has_text(column) {
            return Err(bad(format!("`{field}` is no text, and has nothing to be like")));
        }
        let compared = if self.is_read_as_float(column) {
            let own = ColumnType::built_in(FLOAT8);
            own.and_then(|own| sql_comparison_of(&as_float(&quoted(&column.name)), &own, condition))
        } else {
            sql_comparison(column, condition)
        };
        compared.ok_or_else(|| {
            bad(if is_scalar(column) {
                format!("`{}` is no value of `{field}`", values.join(","))
            } else {
                format!("`{field}` is of the type {}, which can only be compared with null", column.own.name)
            })
        })
    }

    /// Whether a column of exact numbers is read as floats.
    fn is_read_as_float(&self, column: &Column) -> bool {
        let record = self.record();
        let index = record.index_of(&column.name);
        matches!(column.own.class, TypeClass::Numeric(_))
            && index.is_some_and(|index| matches!(record.fields()[index].shape().inner(), Shape::Float(_)))
    }

    fn sorted(&self, column: usize, descends: bool) -> Result<Sorted> {
        let own = &self.about.columns[column];
        if matches!(own.own.class, TypeClass::Json | TypeClass::Other) {
            return Err(bad(format!("rows can't be sorted by `{}`, of the type {}", own.name, own.own.name)));
        }
        // By its characters, as all stores do, and not by a language's rules or the order of the labels.
        let sql = code_points(&own.own, quoted(&own.name));
        Ok(Sorted { column, sql, descends, nullable: !own.not_null })
    }
}

/// `double precision`.
const FLOAT8: u32 = 701;

/// Returns the nearest float of a numeric expression, which the server refuses for a number beyond all floats, and for one
/// that is nearer to 0 than each of them.
fn as_float(numeric: &str) -> String {
    format!(
        "CASE WHEN pg_catalog.abs({numeric}) < 1.797693134862315807e308 THEN \
         CASE WHEN pg_catalog.abs({numeric}) > 2.4703282292062328e-324 THEN ({numeric})::float8 ELSE 0::float8 END \
         WHEN ({numeric})::text IN ('NaN', 'Infinity', '-Infinity') THEN ({numeric})::text::float8 END"
    )
}

/// Returns a column in SQL such that it sorts, and is equal, by its code points if it is text.
pub(super) fn code_points(own: &ColumnType, quoted: String) -> String {
    sql_code_points(&quoted, own).unwrap_or(quoted)
}

fn has_text(column: &Column) -> bool {
    matches!(
        column.own.class,
        TypeClass::Text(_)
            | TypeClass::Char(_)
            | TypeClass::Enum(_)
            | TypeClass::Int(_)
            | TypeClass::Oid
            | TypeClass::Float4
            | TypeClass::Float8
            | TypeClass::Numeric(_)
            | TypeClass::Date
            | TypeClass::Time(_)
            | TypeClass::Timestamp(_)
            | TypeClass::Instant(_)
            | TypeClass::Uuid
    )
}

fn is_scalar(column: &Column) -> bool {
    !matches!(
        column.own.class,
        TypeClass::Json
            | TypeClass::Jsonb
            | TypeClass::Array(_)
            | TypeClass::Other
            | TypeClass::Inet
            | TypeClass::Cidr
            | TypeClass::Mac(_)
    )
}

impl Select {
    /// Returns the statement.
    pub(super) fn statement(&self, table: &demat_postgres::Table) -> Fragment {
        let columns: Vec<_> = self.columns.iter().map(|column| quoted(&table.columns[*column].name)).collect();
        self.of_columns(table, &columns.join(", "))
    }

    /// Returns the statement for expressions in place of the columns.
    pub(super) fn of_columns(&self, table: &demat_postgres::Table, columns: &str) -> Fragment {
        let mut sql = Fragment::from(&*format!("SELECT {columns} FROM {}", table.quoted));
        if !self.filter.is_empty() {
            sql.text(" WHERE ");
            sql.append(&self.filter);
        }
        let order: Vec<_> = self.order.iter().map(Sorted::order).collect();
        if !order.is_empty() {
            sql.text(&format!(" ORDER BY {}", order.join(", ")));
        }
        for (word, number) in [("LIMIT", self.limit), ("OFFSET", self.offset)] {
            if let Some(number) = number {
                sql.text(&format!(" {word} {}", i64::try_from(number).unwrap_or(i64::MAX)));
            }
        }
        sql
    }
}

impl Sorted {
    /// Null comes first, as everywhere. A column that is never null is sorted as its index is.
    fn order(&self) -> String {
        let word = match (self.descends, self.nullable) {
            (false, false) => "",
            (false, true) => " NULLS FIRST",
            (true, false) => " DESC",
            (true, true) => " DESC NULLS LAST",
        };
        format!("{}{word}", self.sql)
    }
}
