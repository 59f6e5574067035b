//! Columns that are filled hold what the source reads, and end where it reports an error.

use super::{ColumnFiller, Values, Vector, Vectors};
use crate::column_type::{ColumnType, TypeClass};
use crate::rows::RowColumn;
use crate::value::numeric;
use crate::{CopyRows, RowSource};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Result, Shape, Value};
use proptest::prelude::*;

const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// The identifier of each type, and the shapes that its columns are filled for.
const TYPES: [(u32, &[&str]); 15] = [
    (16, &["bool"]),
    (17, &["bytes"]),
    (20, &["int", "int64", "int32", "uint64", "uint8"]),
    (21, &["int", "int16", "int8", "uint16"]),
    (23, &["int", "int32", "uint32"]),
    (25, &["text"]),
    (26, &["int", "uint32", "int8"]),
    (700, &["float32", "float"]),
    (701, &["float"]),
    (1_082, &["date"]),
    (1_083, &["time"]),
    (1_114, &["datetime"]),
    (1_184, &["instant"]),
    (1_186, &["duration"]),
    (1_700, &["decimal", "float"]),
];

fn column(oid: u32) -> RowColumn {
    let class = TypeClass::of_oid(oid, -1).unwrap();
    RowColumn { name: format!("c{oid}"), own: ColumnType { oid, name: format!("t{oid}"), class } }
}

fn shape(fields: &[(String, String)]) -> Shape {
    let fields: Vec<_> = fields.iter().map(|(name, shape)| format!("{name}: {shape}")).collect();
    format!("[{{{}}}]", fields.join(", ")).parse().unwrap()
}

fn stream(rows: &[Vec<Option<Vec<u8>>>]) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    for row in rows {
        bytes.extend_from_slice(&(row.len() as u16).to_be_bytes());
        for cell in row {
            bytes.extend_from_slice(&cell.as_ref().map_or(-1, |cell| i32::try_from(cell.len()).unwrap()).to_be_bytes());
            bytes.extend_from_slice(cell.as_deref().unwrap_or_default());
        }
    }
    [bytes, vec![0xFF, 0xFF]].concat()
}

/// Returns a value of a column as a source reads it for a shape.
fn value(vector: &Vector, row: usize, shape: &Shape) -> Value {
    if vector.valid.as_ref().is_some_and(|valid| !valid[row]) {
        return Value::Null;
    }
    let at = |offset: i32| usize::try_from(offset).unwrap();
    let part = |offsets: &[i32], data: &[u8]| data[at(offsets[row])..at(offsets[row + 1])].to_vec();
    let moment = |micros: i64| (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000) as u32 * 1_000);
    match (&vector.values, shape.inner()) {
        (Values::Bools(values), _) => Value::Bool(values[row]),
        (Values::Days(values), _) => Value::Date(Date::from_days_since_epoch(values[row]).unwrap()),
        (Values::Ints(values), Shape::Int(_)) => Value::Int(Int::I64(values[row])),
        (Values::Ints(values), Shape::Time) => {
            let (second, nanos) = moment(values[row]);
            Value::Time(Time::from_second_of_day(u32::try_from(second).unwrap(), nanos).unwrap())
        }
        (Values::Ints(values), Shape::Duration) => {
            Value::Duration(Duration::from_nanos(i128::from(values[row]) * 1_000).unwrap())
        }
        (Values::Ints(values), zoned) => {
            let (seconds, nanos) = moment(values[row]);
            let at = DateTime::from_wall(seconds, nanos).unwrap();
            if *zoned == Shape::Instant { Value::Instant(at, Offset::new(0).unwrap()) } else { Value::DateTime(at) }
        }
        (Values::Singles(values), _) => Value::Float(values[row].into()),
        (Values::Floats(values), _) => Value::Float(values[row]),
        (Values::Texts(offsets, data), Shape::Decimal) => {
            let text = String::from_utf8(part(offsets, data)).unwrap();
            Value::Decimal(Decimal::parse(&text).unwrap().into_owned())
        }
        (Values::Texts(offsets, data), _) => Value::Text(String::from_utf8(part(offsets, data)).unwrap().into()),
        (Values::Bytes(offsets, data), _) => Value::Bytes(part(offsets, data).into()),
        (Values::Uuids(bytes), _) => Value::Uuid(Uuid(bytes[row * 16..][..16].try_into().unwrap())),
    }
}

/// Returns the rows of batches, each as its values.
fn rows(batches: &[Vectors], fields: &[Shape]) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for batch in batches {
        assert!(batch.columns.iter().all(|column| column.len() == batch.rows));
        let row = |row| batch.columns.iter().zip(fields).map(|(column, shape)| value(column, row, shape)).collect();
        all.extend((0..batch.rows).map(row));
    }
    all
}

/// Returns the values of all rows as the source reads them.
fn read(bytes: &[u8], columns: Vec<RowColumn>, shape: &Shape) -> Result<Vec<Vec<Value>>> {
    let mut source = RowSource::new(CopyRows::new(bytes, columns));
    Value::decode_as(&mut source, shape).map(of_value)
}

fn of_value(value: Value) -> Vec<Vec<Value>> {
    let Value::List(rows) = value else { panic!("no list") };
    let row = |row| match row {
        Value::Map(fields) => fields.into_iter().map(|(_, value)| value).collect(),
        other => panic!("{other:?}"),
    };
    rows.into_iter().map(row).collect()
}

/// A cell of a type: mostly a value of it.
fn cell(oid: u32) -> BoxedStrategy<Option<Vec<u8>>> {
    let any_bytes = proptest::collection::vec(any::<u8>(), 0..17);
    let near = (-30_000_i64..30_000).prop_map(|number| number * 10_000_000_000_000);
    let good: BoxedStrategy<Vec<u8>> = match oid {
        16 => any::<bool>().prop_map(|flag| vec![u8::from(flag)]).boxed(),
        17 => any_bytes.clone().boxed(),
        20 => prop_oneof![any::<i64>(), -300_i64..300].prop_map(|int| int.to_be_bytes().to_vec()).boxed(),
        21 => any::<i16>().prop_map(|int| int.to_be_bytes().to_vec()).boxed(),
        23 | 26 => prop_oneof![any::<i32>(), 0..300].prop_map(|int| int.to_be_bytes().to_vec()).boxed(),
        25 => ".{0,9}".prop_map(String::into_bytes).boxed(),
        700 => any::<f32>().prop_map(|float| float.to_be_bytes().to_vec()).boxed(),
        701 => any::<f64>().prop_map(|float| float.to_be_bytes().to_vec()).boxed(),
        1_082 => prop_oneof![any::<i32>(), -800_000..3_000_000].prop_map(|days| days.to_be_bytes().to_vec()).boxed(),
        1_083 => (0_i64..86_400_000_001).prop_map(|micros| micros.to_be_bytes().to_vec()).boxed(),
        // Longer ones are those that a column can't hold, and other places can.
        1_186 => (any::<i64>(), -9_999..9_999_i32, 0..30_i32)
            .prop_map(|(micros, days, months)| {
                [&(micros / 100).to_be_bytes()[..], &days.to_be_bytes(), &(months / 29).to_be_bytes()].concat()
            })
            .boxed(),
        1_700 => "-?[0-9]{1,20}(\\.[0-9]{1,9})?"
            .prop_map(|text| {
                let mut bytes = Vec::new();
                assert!(numeric::encode(&text, &mut bytes));
                bytes
            })
            .boxed(),
        _ => near.prop_map(|micros| micros.to_be_bytes().to_vec()).boxed(),
    };
    prop_oneof![80 => good.prop_map(Some), 1 => Just(None), 1 => any_bytes.prop_map(Some)].boxed()
}

/// Columns, the shapes of their fields, and rows.
#[allow(clippy::type_complexity)] // a tuple for one test
fn tables() -> impl Strategy<Value = (Vec<u32>, Vec<String>, Vec<Vec<Option<Vec<u8>>>>)> {
    let some = proptest::sample::subsequence((0..TYPES.len()).collect::<Vec<_>>(), 1..6).prop_shuffle();
    some.prop_flat_map(|chosen| {
        let shapes: Vec<_> = chosen
            .iter()
            .map(|index| {
                (proptest::sample::select(TYPES[*index].1), any::<bool>())
                    .prop_map(|(shape, optional)| format!("{shape}{}", if optional { "?" } else { "" }))
            })
            .collect();
        let cells: Vec<_> = chosen.iter().map(|index| cell(TYPES[*index].0)).collect();
        let oids = chosen.iter().map(|index| TYPES[*index].0).collect::<Vec<_>>();
        (Just(oids), shapes, proptest::collection::vec(cells, 0..30))
    })
}

/// As equal, but NaN is NaN.
fn shown(rows: &[Vec<Value>]) -> String {
    format!("{rows:?}")
}

proptest! {
    #[test]
    fn columns_hold_what_the_source_reads((oids, shapes, table) in tables(), most in 1..12_usize) {
        let columns = || oids.iter().map(|oid| column(*oid)).collect::<Vec<_>>();
        let fields: Vec<_> = oids.iter().zip(&shapes).map(|(oid, shape)| (format!("c{oid}"), shape.clone())).collect();
        let list = shape(&fields);
        let fields: Vec<Shape> = shapes.iter().map(|shape| shape.parse().unwrap()).collect();
        let bytes = stream(&table);

        let expected = read(&bytes, columns(), &list);
        let mut source = RowSource::new(CopyRows::new(&*bytes, columns()));
        let filler = ColumnFiller::of(&mut source, &list, most, 1 << 20).unwrap();
        let mut batches = Vec::new();
        let filled = filler.fill(&mut source, |batch| { batches.push(batch); Ok(()) }).unwrap();
        prop_assert!(batches.iter().all(|batch| 0 < batch.rows && batch.rows <= most));
        let own = rows(&batches, &fields);
        prop_assert_eq!(own.len() as u64, filled.rows);
        match expected {
            Ok(expected) => {
                prop_assert!(filled.whole);
                prop_assert_eq!(shown(&own), shown(&expected));
            }
            Err(error) => {
                prop_assert!(!filled.whole);
                prop_assert_eq!(error.position().record, Some(filled.rows + 1));
                // The source goes on with the row that was refused.
                let rest = Value::decode_as(&mut source, &list).unwrap_err();
                prop_assert_eq!(rest.behind_items(filled.rows as usize).to_string(), error.to_string());
            }
        }
    }

    #[test]
    fn broken_streams_are_the_sources_to_report((oids, shapes, table) in tables(), cut in any::<prop::sample::Index>()) {
        let columns = || oids.iter().map(|oid| column(*oid)).collect::<Vec<_>>();
        let fields: Vec<_> = oids.iter().zip(&shapes).map(|(oid, shape)| (format!("c{oid}"), shape.clone())).collect();
        let list = shape(&fields);
        let mut bytes = stream(&table);
        bytes.truncate(cut.index(bytes.len()));
        let expected = read(&bytes, columns(), &list).unwrap_err().to_string();
        let mut source = RowSource::new(CopyRows::new(&*bytes, columns()));
        let filler = ColumnFiller::of(&mut source, &list, 100, 1 << 20).unwrap();
        let filled = filler.fill(&mut source, |_| Ok(())).unwrap();
        prop_assert!(!filled.whole);
        let rest = Value::decode_as(&mut source, &list).unwrap_err();
        prop_assert_eq!(rest.behind_items(filled.rows as usize).to_string(), expected);
    }
}

#[test]
fn large_values_end_a_batch() {
    let table: Vec<_> = (0..10).map(|_| vec![Some(vec![b'x'; 100])]).collect();
    let bytes = stream(&table);
    let mut source = RowSource::new(CopyRows::new(&*bytes, vec![column(25)]));
    let filler = ColumnFiller::of(&mut source, &"[{c25: text}]".parse().unwrap(), 1_000, 250).unwrap();
    let mut sizes = Vec::new();
    let filled = filler.fill(&mut source, |batch| {
        sizes.push(batch.rows);
        Ok(())
    });
    assert!(filled.unwrap().whole);
    assert_eq!(sizes, [3, 3, 3, 1]);
}

#[test]
fn what_needs_a_source_is_not_filled() {
    let filler = |oids: &[u32], shape: &str| {
        let columns = oids.iter().map(|oid| column(*oid)).collect();
        ColumnFiller::of(&mut RowSource::new(CopyRows::new(&b""[..], columns)), &shape.parse().unwrap(), 1, 1).is_some()
    };
    assert!(filler(&[20, 25], "[{c25: text, c20: int?}]"));
    // Columns that no field has are passed over, unless they are kept or refused.
    assert!(filler(&[20, 25], "[{c25: text}]"));
    assert!(!filler(&[20, 25], "[{c25: text, !}]"));
    for (oid, shape) in [
        (20, "[{c20: text}]"),
        (20, "[{c20: float}]"),
        (20, "[{c20: int128}]"),
        (25, "[{c25: any}]"),
        (25, "[{c25: decimal}]"),
        (114, "[{c114: any}]"),
        (1_114, "[{c1114: instant}]"),
        (1_184, "[{c1184: datetime}]"),
        (20, "[{c20: int, other: int?}]"),
        (20, "[int]"),
    ] {
        assert!(!filler(&[oid], shape), "{shape}");
    }
}
