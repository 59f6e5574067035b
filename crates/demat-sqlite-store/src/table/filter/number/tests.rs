use super::{with_float, with_int};
use core::cmp::Ordering;
use demat_core::scalar::Int;
use demat_place::Number;
use demat_sqlite::{Database, Param, Rows as _};

const GIVEN: [&str; 30] = [
    "0",
    "-0",
    "1",
    "0.5",
    "-0.5",
    "-1",
    "4.99999999999999999999",
    "5",
    "5.0",
    "5.00000000000000000001",
    "9007199254740992",
    "9007199254740993",
    "9007199254740992.5",
    "9007199254740993.0",
    "-9007199254740993",
    "9223372036854775806.5",
    "9223372036854775807",
    "9223372036854775807.5",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775808.5",
    "-9223372036854775809",
    "18446744073709551615",
    "1e19",
    "-1e300",
    "1e400",
    "inf",
    "-inf",
    "99999999999999999999999999999",
    "1e-400",
];
const INTS: [i64; 13] = [
    0,
    1,
    -1,
    4,
    5,
    6,
    9_007_199_254_740_992,
    9_007_199_254_740_993,
    9_007_199_254_740_994,
    -9_007_199_254_740_993,
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
];
const FLOATS: [f64; 14] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    5.0,
    9_007_199_254_740_992.0,
    9_007_199_254_740_994.0,
    9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_616.0,
    -9_223_372_036_854_775_808.0,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
];
/// Whether an operator holds for an order.
type Holds = fn(Ordering) -> bool;

const OPERATORS: [(&str, Holds); 6] = [
    ("=", Ordering::is_eq),
    ("<>", Ordering::is_ne),
    ("<", Ordering::is_lt),
    ("<=", Ordering::is_le),
    (">", Ordering::is_gt),
    (">=", Ordering::is_ge),
];

fn count(database: &Database, sql: &str, value: &Param) -> i64 {
    let mut statement = database.statement(sql).unwrap();
    statement.bind_all(core::slice::from_ref(value)).unwrap();
    statement.step().unwrap();
    statement.int(0)
}

#[test]
fn sqlite_compares_numbers_exactly() {
    for indexed in [false, true] {
        let database = Database::memory().unwrap();
        database.execute("CREATE TABLE t(i INTEGER, r REAL)").unwrap();
        if indexed {
            database.execute("CREATE INDEX t_i ON t(i)").unwrap();
            database.execute("CREATE INDEX t_r ON t(r)").unwrap();
        }
        for int in INTS {
            database.change("INSERT INTO t(i) VALUES(?)", &[Param::Int(int)]).unwrap();
        }
        for float in FLOATS {
            database.change("INSERT INTO t(r) VALUES(?)", &[Param::Real(float)]).unwrap();
        }
        for given in GIVEN {
            let number = Number::parse(given).unwrap();
            for (operator, holds) in OPERATORS {
                let (sql, value) = with_int(operator, &number);
                let found = count(&database, &format!("SELECT count(*) FROM t WHERE i {sql} ?"), &value);
                let wanted = INTS.iter().filter(|own| holds(number.compare_int(&Int::I64(**own)).reverse())).count();
                assert_eq!(usize::try_from(found).unwrap(), wanted, "ints {operator} {given}");
                let (sql, value) = with_float(operator, &number);
                let found = count(&database, &format!("SELECT count(*) FROM t WHERE r {sql} ?"), &value);
                let wanted =
                    FLOATS.iter().filter(|own| number.compare_float(**own).is_some_and(|order| holds(order.reverse())));
                assert_eq!(usize::try_from(found).unwrap(), wanted.count(), "floats {operator} {given}");
            }
        }
    }
}
