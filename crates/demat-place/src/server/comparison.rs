//! Comparisons of a table's columns, in SQL.

mod between;
mod number;

use crate::condition::moment;
use crate::{Condition, Test, like_pattern};
use between::Microseconds;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Time, Uuid, base64};
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
        // A cast to text takes the spaces at the end away.
        TypeClass::Char(_) | TypeClass::Text(_) if own.oid == BPCHAR => {
            Some(format!("pg_catalog.textin(pg_catalog.bpcharout({name}))"))
        }
        TypeClass::Text(_) | TypeClass::Enum(_) => Some(format!("{name}::text")),
        _ => None,
    }
}

/// `char(n)`, and `bpchar` without a length.
const BPCHAR: u32 = 1_042;

/// Returns a column of text in SQL such that it sorts, and is equal, by its code points; `None` for other columns.
///
/// ```
/// use demat_place::sql_code_points;
/// use demat_postgres::ColumnType;
/// let text = ColumnType::built_in(25).unwrap();
/// assert_eq!(sql_code_points("\"name\"", &text).unwrap(), r#""name" COLLATE "C""#);
/// assert!(sql_code_points("\"n\"", &ColumnType::built_in(23).unwrap()).is_none());
/// ```
pub fn sql_code_points(expression: &str, own: &ColumnType) -> Option<String> {
    as_text(own, expression).map(|text| format!("{text} COLLATE \"C\""))
}

/// Returns the search of a pattern in the text that a value is read as. With the collation `C`, only ASCII letters match in
/// either case.
fn like(own: &ColumnType, name: &str, pattern: &str) -> Option<Fragment> {
    // Whatever style of dates the session has. A fraction of a second has three or six digits.
    let moment = |value: &str, form: &str| {
        let digits = format!("pg_catalog.to_char({value}, '{form}HH24:MI:SS.US')");
        format!("pg_catalog.regexp_replace({digits}, '([.]000000|000)$', '')")
    };
    let text = match own.class {
        TypeClass::Int(_) | TypeClass::Oid | TypeClass::Uuid | TypeClass::Numeric(_) => format!("({name}::text)"),
        // A whole number has a fraction as a float.
        TypeClass::Float4 | TypeClass::Float8 => format!(
            "(CASE WHEN {name}::text ~ '^-?[0-9]+$' THEN {name}::text || '.0' \
             ELSE {name}::text END)"
        ),
        TypeClass::Date => format!("pg_catalog.to_char({name}, 'YYYY-MM-DD')"),
        TypeClass::Time(_) => moment(&format!("({name})::interval"), ""),
        TypeClass::Timestamp(_) => moment(name, "YYYY-MM-DD\"T\""),
        TypeClass::Instant(_) => {
            format!("({} || 'Z')", moment(&format!("(({name}) AT TIME ZONE 'UTC')"), "YYYY-MM-DD\"T\""))
        }
        _ => as_text(own, name)?,
    };
    let mut search = Fragment::from(&*format!("{text} COLLATE \"C\" ILIKE "));
    search.value(text_param(pattern)?, "text");
    Some(search)
}

/// Returns the comparison with one value.
fn compared(own: &ColumnType, name: &str, test: Test, operator: &str, given: &str) -> Option<Fragment> {
    let (value, type_name) = match &own.class {
        TypeClass::Text(_) | TypeClass::Char(_) | TypeClass::Enum(_) => {
            return text_compared(own, name, test, operator, given);
        }
        // An oid is compared with oids only; its digits have as many bits as they need.
        TypeClass::Oid => return number::int_compared(&format!("{name}::bigint"), test, operator, given),
        TypeClass::Int(_) => return number::int_compared(name, test, operator, given),
        TypeClass::Float4 | TypeClass::Float8 => return number::float_compared(name, test, operator, given),
        TypeClass::Bool => {
            let value = match given {
                "true" | "1" => true,
                "false" | "0" => false,
                _ => return None,
            };
            (param(16, |sink| sink.bool(value))?, "boolean")
        }
        TypeClass::Numeric(_) => {
            let value = Decimal::parse_lax(given)?;
            (param(1_700, |sink| sink.decimal(&value))?, "numeric")
        }
        TypeClass::Bytes => {
            let value = base64::decode(given)?;
            (param(17, |sink| sink.bytes(&value))?, "bytea")
        }
        TypeClass::Date => {
            let value = Date::parse(given)?;
            (param(1_082, |sink| sink.date(value))?, "date")
        }
        TypeClass::Time(_) => {
            return Time::parse(given)?.compared(name, test, operator, |value, operator| {
                Some(operation(name, operator, param(1_083, |sink| sink.time(value))?, "time"))
            });
        }
        TypeClass::Timestamp(_) => {
            return moment(given, "", DateTime::parse)?.compared(name, test, operator, |value, operator| {
                Some(operation(name, operator, param(1_114, |sink| sink.date_time(value))?, "timestamp"))
            });
        }
        TypeClass::Instant(_) => {
            let value = moment(given, "Z", Instant::parse)?;
            let offset = value.offset?;
            return DateTime::new(value.date, value.time).compared(name, test, operator, |value, operator| {
                let value = param(1_184, |sink| sink.instant(value, offset))?;
                Some(operation(name, operator, value, "timestamptz"))
            });
        }
        TypeClass::Interval(_) | TypeClass::CoarseInterval => {
            let value = Duration::parse(given)?;
            (param(1_186, |sink| sink.duration(value))?, "interval")
        }
        TypeClass::Uuid => {
            let value = Uuid::parse(given)?;
            (param(2_950, |sink| sink.uuid(value))?, "uuid")
        }
        _ => return None,
    };
    Some(operation(name, operator, value, type_name))
}

fn operation(left: &str, operator: &str, value: Param, type_name: &str) -> Fragment {
    let mut own = Fragment::from(&*format!("{left} {operator} "));
    own.value(value, type_name);
    own
}

/// Returns what is true, or false, for each value, and null for NULL.
fn constant(name: &str, holds: bool) -> Fragment {
    // Every value equals itself here, a NaN, too.
    Fragment::from(&*format!("{name} {} {name}", if holds { "=" } else { "<>" }))
}

/// Compares code points. Whatever equals by them equals by any collation, and its index finds it.
fn text_compared(own: &ColumnType, name: &str, test: Test, operator: &str, given: &str) -> Option<Fragment> {
    let text = as_text(own, name)?;
    let exactly = operation(&format!("{text} COLLATE \"C\""), operator, text_param(given)?, "text");
    if test != Test::Eq {
        return Some(exactly);
    }
    let mut equal = match own.oid {
        BPCHAR => operation(name, operator, text_param(given)?, "bpchar"),
        _ => operation(&text, operator, text_param(given)?, "text"),
    };
    equal.text(" AND ");
    equal.append(&exactly);
    Some(equal)
}

/// Returns a value as a parameter of a built-in type; `None` if the type does not hold it.
fn param(oid: u32, write: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Option<Param> {
    Param::encode(&ColumnType::built_in(oid)?, write).ok()
}

fn text_param(text: &str) -> Option<Param> {
    param(25, |sink| sink.text(text))
}
