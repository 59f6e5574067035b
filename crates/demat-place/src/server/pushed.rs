//! The part of a condition that the server decides about.

use super::comparison::sql_comparison;
use crate::condition::{Joins, Partly};
use crate::{Condition, Term, Test, Where};
use demat_core::{FloatWidth, IntWidth, Record, Result, Shape};
use demat_postgres::{Column, Fragment, Table, TypeClass, quoted};

/// The condition for the rows that the server is to send.
#[derive(Debug, Default)]
pub(crate) struct Pushed {
    /// Empty for all rows.
    pub(crate) condition: Fragment,
    /// Whether the server sends those rows only that the whole condition chooses.
    pub(crate) exact: bool,
}

impl Joins for Fragment {
    fn not(self) -> Self {
        let mut own = Self::from("NOT ");
        own.enclose(&self);
        own
    }

    fn all(parts: Vec<Self>) -> Self {
        Self::joined(&parts, " AND ")
    }

    fn any(parts: Vec<Self>) -> Self {
        Self::joined(&parts, " OR ")
    }
}

impl Pushed {
    /// Returns as much of a condition as the server can decide about in the same way, for rows that are read as a record.
    ///
    /// A row with a value that can't be read, such as an infinite date, is sent in any case, so that it is refused as it is
    /// without the server's help.
    pub(crate) fn of(condition: &Where, table: &Table, record: &Record) -> Self {
        if record.items().is_some() {
            return Self::default();
        }
        let mut strange: Vec<Fragment> = Vec::new();
        let partly = condition.partly(&mut |term: &Term| {
            let (column, shape) = column_of(table, record, term)?;
            let own = is_own(column, &shape).then(|| comparison(column, term.condition())).flatten()?;
            for strange_one in unreadable(column, &shape) {
                let strange_one = Fragment::from(&*strange_one);
                if !strange.contains(&strange_one) {
                    strange.push(strange_one);
                }
            }
            Some(own)
        });
        let Some(Partly { condition: own, exact }) = partly else { return Self::default() };
        if strange.is_empty() {
            return Self { condition: own, exact };
        }
        strange.insert(0, own);
        Self { condition: Fragment::any(strange), exact: false }
    }
}

impl Where {
    /// Translates the condition to PostgreSQL's SQL; `compare` translates each comparison.
    ///
    /// ```
    /// use demat_place::Where;
    /// use demat_postgres::Fragment;
    /// let open: Where = "not done or n = 0".parse()?;
    /// let sql = open.to_fragment(&mut |term| Ok(Fragment::from(&*term.condition().field)))?;
    /// assert_eq!(sql.sql().0, "(NOT (done)) OR (n)");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error of `compare`.
    pub fn to_fragment(&self, compare: &mut dyn FnMut(&Term) -> Result<Fragment>) -> Result<Fragment> {
        let mut failed = None;
        let partly = self.partly(&mut |term| match compare(term) {
            Ok(own) => Some(own),
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(partly.map_or_else(|| Fragment::from("TRUE"), |own| own.condition)),
        }
    }
}

/// Returns the column that a term compares, and the shape that it is read as. Returns `None` for a part of a column.
fn column_of<'t>(table: &'t Table, record: &Record, term: &Term) -> Option<(&'t Column, Shape)> {
    let fields = term.fields(record).ok()?;
    let [field] = &*fields else { return None };
    let index = record.index_of(field.key())?;
    let mut columns = table.columns.iter().filter(|column| record.index_of(&column.name) == Some(index));
    // A field with two names may be in two columns.
    match (columns.next(), columns.next()) {
        (Some(column), None) => Some((column, field.shape().clone())),
        _ => None,
    }
}

/// Whether values of a column that are read as a shape are what they are to the server.
fn is_own(column: &Column, shape: &Shape) -> bool {
    let shape = shape.inner();
    match &column.own.class {
        TypeClass::Int(bytes) => {
            let bits = u16::from(*bytes) * 8;
            matches!(shape, Shape::Int(IntWidth::Any))
                || matches!(shape, Shape::Int(IntWidth::Signed(own)) if *own >= bits)
        }
        TypeClass::Oid => match shape {
            Shape::Int(IntWidth::Any) => true,
            Shape::Int(IntWidth::Unsigned(own)) => *own >= 32,
            Shape::Int(IntWidth::Signed(own)) => *own > 32,
            _ => false,
        },
        TypeClass::Float4 => matches!(shape, Shape::Float(_)),
        TypeClass::Float8 => *shape == Shape::Float(FloatWidth::F64),
        TypeClass::Enum(_) => *shape == Shape::Text || *shape == column.own.class.shape(),
        TypeClass::Bool
        | TypeClass::Numeric(_)
        | TypeClass::Text(_)
        | TypeClass::Char(_)
        | TypeClass::Bytes
        | TypeClass::Date
        | TypeClass::Time(_)
        | TypeClass::Timestamp(_)
        | TypeClass::Instant(_)
        | TypeClass::Uuid => *shape == column.own.class.shape(),
        // These are compared as the text that they are read as, or not at all.
        _ => false,
    }
}

/// Returns the comparison, if the server makes it as it is made of records.
fn comparison(column: &Column, condition: &Condition) -> Option<Fragment> {
    // A decimal, a date or a time is searched in the text that it is read as.
    let is_text = matches!(column.own.class, TypeClass::Text(_) | TypeClass::Char(_) | TypeClass::Enum(_));
    let is_plain = matches!(column.own.class, TypeClass::Int(_) | TypeClass::Oid | TypeClass::Uuid);
    if matches!(condition.test, Test::Like | Test::Contains) && !(is_text || is_plain) {
        return None;
    }
    sql_comparison(column, condition)
}

/// Returns the conditions of values that can't be read.
fn unreadable(column: &Column, shape: &Shape) -> Vec<String> {
    let name = quoted(&column.name);
    let own = match column.own.class {
        // The difference of a NaN or an infinity to itself is a NaN.
        TypeClass::Numeric(_) => Some(format!("{name} - {name} <> 0")),
        TypeClass::Date => Some(format!("{name} < '0001-01-01' OR {name} > '9999-12-31'")),
        TypeClass::Timestamp(_) => Some(format!("{name} < '0001-01-01' OR {name} >= '10000-01-01'")),
        TypeClass::Instant(_) => {
            Some(format!("{name} < '0001-01-01 00:00:00+00' OR {name} >= '10000-01-01 00:00:00+00'"))
        }
        TypeClass::Time(_) => Some(format!("{name} = '24:00'")),
        _ => None,
    };
    let null = (!column.not_null && !shape.allows_null()).then(|| format!("{name} IS NULL"));
    own.into_iter().chain(null).collect()
}
