//! Comparisons of a table's columns, in SQL.

use crate::condition::moment;
use crate::{Condition, Test, like_pattern};
use core::cmp::Ordering;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use demat_core::{Result, Sink};
use demat_postgres::{Column, ColumnType, Fragment, Param, TypeClass, quoted};

/// Returns a comparison of a column in SQL, which is true, false or null for the same rows as the condition. Returns
/// `None` if SQL can't say it, or if the column can't have the value.
///
/// Text compares by its code points, whatever the column's collation is. A NaN is neither less nor greater than a number.
/// The database's encoding must be UTF-8.
///
/// ```
/// use demat_place::{Condition, Test, sql_comparison};
/// use demat_postgres::{Column, ColumnType};
/// let column = Column {
///     name: "n".into(),
///     own: ColumnType::built_in(23).unwrap(),
///     dimensions: 0,
///     not_null: true,
///     default: None,
///     identity: false,
///     generated: false,
/// };
/// let condition = |value: &str| Condition { field: "n".into(), test: Test::Ge, values: vec![value.into()] };
/// assert_eq!(sql_comparison(&column, &condition("3")).unwrap().sql().0, r#""n" >= $1::bigint"#);
/// assert!(sql_comparison(&column, &condition("x")).is_none());
/// ```
pub fn sql_comparison(column: &Column, condition: &Condition) -> Option<Fragment> {
    compared_so(&quoted(&column.name), &column.own, condition)
}

/// As [`sql_comparison`], of an expression in SQL that has a type.
///
/// ```
/// use demat_place::{Condition, Test, sql_comparison_of};
/// use demat_postgres::ColumnType;
/// let condition = Condition { field: "name".into(), test: Test::Ne, values: vec!["Ada".into()] };
/// let sql = sql_comparison_of("\"by\" ->> 'name'", &ColumnType::built_in(25).unwrap(), &condition).unwrap().sql().0;
/// assert_eq!(sql, r#"("by" ->> 'name') COLLATE "C" <> $1::text"#);
/// ```
pub fn sql_comparison_of(expression: &str, own: &ColumnType, condition: &Condition) -> Option<Fragment> {
    compared_so(&format!("({expression})"), own, condition)
}

/// `name`: what may stand beside an operator.
fn compared_so(name: &str, own: &ColumnType, condition: &Condition) -> Option<Fragment> {
    let Condition { test, values, .. } = condition;
    let operator = match test {
        Test::Null => return null(own, name, values.first().is_none_or(|given| given != "false")),
        Test::Like => return like(own, name, values.first()?),
        Test::Contains => return like(own, name, &like_pattern(values.first()?)),
        Test::In => {
            let equal = values.iter().map(|given| compared(own, name, Test::Eq, "=", given));
            return Some(Fragment::joined(&equal.collect::<Option<Vec<_>>>()?, " OR "));
        }
        Test::Eq => "=",
        Test::Ne => "<>",
        Test::Lt => "<",
        Test::Le => "<=",
        Test::Gt => ">",
        Test::Ge => ">=",
    };
    compared(own, name, *test, operator, values.first()?)
}

fn null(own: &ColumnType, name: &str, is_null: bool) -> Option<Fragment> {
    let word = if is_null { "IS NULL" } else { "IS NOT NULL" };
    Some(match own.class {
        TypeClass::Other => return None,
        // The null of JSON is null, too.
        TypeClass::Json | TypeClass::Jsonb => {
            Fragment::from(&*format!("NULLIF(pg_catalog.btrim({name}::text, E' \\t\\n\\r'), 'null') {word}"))
        }
        _ => Fragment::from(&*format!("{name} {word}")),
    })
}

/// Returns the column as text, if its text is the one that it is read as.
fn as_text(own: &ColumnType, name: &str) -> Option<String> {
    /// `text` and `varchar`.
    const TEXTS: [u32; 2] = [25, 1_043];
    match own.class {
        TypeClass::Text(_) if TEXTS.contains(&own.oid) => Some(name.to_string()),
        TypeClass::Text(_) | TypeClass::Enum(_) => Some(format!("{name}::text")),
        _ => None,
    }
}

/// Returns the search of a pattern. With the collation `C`, only ASCII letters match in either case.
fn like(own: &ColumnType, name: &str, pattern: &str) -> Option<Fragment> {
    let text = match own.class {
        TypeClass::Int(_) | TypeClass::Oid | TypeClass::Uuid => format!("{name}::text"),
        _ => as_text(own, name)?,
    };
    let mut search = Fragment::from(&*format!("{text} COLLATE \"C\" ILIKE "));
    search.value(text_param(pattern)?, "text");
    Some(search)
}

/// Returns the comparison with one value.
fn compared(own: &ColumnType, name: &str, test: Test, operator: &str, given: &str) -> Option<Fragment> {
    let (left, value, type_name) = match &own.class {
        TypeClass::Text(_) | TypeClass::Enum(_) => {
            let text = as_text(own, name)?;
            return text_compared(&text, test, operator, given);
        }
        TypeClass::Int(_) | TypeClass::Oid => return int_compared(name, operator, given),
        TypeClass::Float4 | TypeClass::Float8 => return float_compared(name, test, operator, given),
        TypeClass::Bool => {
            let value = match given {
                "true" | "1" => true,
                "false" | "0" => false,
                _ => return None,
            };
            (name.to_string(), param(16, |sink| sink.bool(value))?, "boolean")
        }
        TypeClass::Numeric(_) => {
            let value = Decimal::parse(given)?;
            (name.to_string(), param(1_700, |sink| sink.decimal(&value))?, "numeric")
        }
        TypeClass::Bytes => {
            let value = base64::decode(given)?;
            (name.to_string(), param(17, |sink| sink.bytes(&value))?, "bytea")
        }
        TypeClass::Date => {
            let value = Date::parse(given)?;
            (name.to_string(), param(1_082, |sink| sink.date(value))?, "date")
        }
        TypeClass::Time(_) => {
            let value = Time::parse(given)?;
            (name.to_string(), param(1_083, |sink| sink.time(value))?, "time")
        }
        TypeClass::Timestamp(_) => {
            let value = moment(given, "", DateTime::parse)?;
            (name.to_string(), param(1_114, |sink| sink.date_time(value))?, "timestamp")
        }
        TypeClass::Instant(_) => {
            let value = moment(given, "Z", Instant::parse)?;
            let (at, offset) = (DateTime::new(value.date, value.time), value.offset?);
            (name.to_string(), param(1_184, |sink| sink.instant(at, offset))?, "timestamptz")
        }
        TypeClass::Interval(_) | TypeClass::CoarseInterval => {
            let value = Duration::parse(given)?;
            (name.to_string(), param(1_186, |sink| sink.duration(value))?, "interval")
        }
        TypeClass::Uuid => {
            let value = Uuid::parse(given)?;
            (name.to_string(), param(2_950, |sink| sink.uuid(value))?, "uuid")
        }
        _ => return None,
    };
    Some(operation(&left, operator, value, type_name))
}

fn operation(left: &str, operator: &str, value: Param, type_name: &str) -> Fragment {
    let mut own = Fragment::from(&*format!("{left} {operator} "));
    own.value(value, type_name);
    own
}

/// Compares code points. Whatever equals by them equals by any collation, and its index finds it.
fn text_compared(text: &str, test: Test, operator: &str, given: &str) -> Option<Fragment> {
    let exactly = operation(&format!("{text} COLLATE \"C\""), operator, text_param(given)?, "text");
    if test != Test::Eq {
        return Some(exactly);
    }
    let mut own = operation(text, operator, text_param(given)?, "text");
    own.text(" AND ");
    own.append(&exactly);
    Some(own)
}

fn int_compared(name: &str, operator: &str, given: &str) -> Option<Fragment> {
    let Some(int) = Int::from_digits(given) else {
        // As a float, 2^53 and the int behind it were one.
        let value = Decimal::parse(given)?;
        let value = param(1_700, |sink| sink.decimal(&value))?;
        return Some(operation(&format!("{name}::numeric"), operator, value, "numeric"));
    };
    Some(match int.to_i64() {
        Some(int) => operation(name, operator, param(20, |sink| sink.i64(int))?, "bigint"),
        None => operation(&format!("{name}::numeric"), operator, param(1_700, |sink| sink.int(&int))?, "numeric"),
    })
}

/// To PostgreSQL a NaN is the greatest of all.
fn float_compared(name: &str, test: Test, operator: &str, given: &str) -> Option<Fragment> {
    let float = number(given)?;
    // An int that no float is equal to is compared by record.
    if Int::from_digits(given).is_some_and(|int| int.compare_f64(float) != Some(Ordering::Equal)) {
        return None;
    }
    let mut own = operation(name, operator, param(701, |sink| sink.float(float))?, "float8");
    if matches!(test, Test::Gt | Test::Ge) {
        own.text(&format!(" AND {name} <> 'NaN'"));
    }
    Some(own)
}

fn number(given: &str) -> Option<f64> {
    given.parse().ok().filter(|number: &f64| !number.is_nan())
}

/// Returns a value as a parameter of a built-in type; `None` if the type does not hold it.
fn param(oid: u32, write: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Option<Param> {
    Param::encode(&ColumnType::built_in(oid)?, write).ok()
}

fn text_param(text: &str) -> Option<Param> {
    param(25, |sink| sink.text(text))
}
