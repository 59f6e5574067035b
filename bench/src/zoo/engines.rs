//! Each engine's way through a job.

use ::csv::{ByteRecord, Reader};
use demat::csv::Csv;
use demat::stream::Part;
use demat::{Decode, Encode, Source};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::cells::Row;
use super::{Asked, Measured};
use crate::answer;
use crate::run::Result;

/// The fingerprint of records: that of their document without the members that are null.
fn answer_of<T: Serialize>(rows: &[T]) -> Result<String> {
    document(serde_json::to_value(rows)?)
}

fn document(mut value: Value) -> Result<String> {
    without_nulls(&mut value);
    Ok(answer::document(&serde_json::to_vec(&value)?)?)
}

fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

/// Decoding or encoding a list of records.
pub fn json<T>(asked: &Asked<'_>) -> Result<Measured>
where
    T: Serialize + DeserializeOwned + Encode + for<'a> Decode<'a>,
{
    if asked.job == "json-encode" {
        return encoded::<T>(asked);
    }
    let bytes = asked.bytes;
    let answer = |rows: &Vec<T>| answer_of(rows);
    match asked.engine {
        "demat" => asked.measure(|| (), |()| Ok(demat::json::decode::<Vec<T>>(bytes)?), answer),
        "serde_json" => asked.measure(|| (), |()| Ok(serde_json::from_slice::<Vec<T>>(bytes)?), answer),
        "sonic-rs" => asked.measure(|| (), |()| Ok(sonic_rs::from_slice::<Vec<T>>(bytes)?), answer),
        // It parses in place; the copy is not charged to it.
        #[cfg(feature = "simd-json")]
        "simd-json" => asked.measure(
            || bytes.to_vec(),
            |mut bytes| Ok(simd_json::serde::from_slice::<Vec<T>>(&mut bytes)?),
            answer,
        ),
        other => Err(format!("{other}: not here").into()),
    }
}

fn encoded<T>(asked: &Asked<'_>) -> Result<Measured>
where
    T: Serialize + DeserializeOwned + Encode,
{
    let rows: Vec<T> = serde_json::from_slice(asked.bytes)?;
    let answer = |out: &Vec<u8>| document(serde_json::from_slice(out)?);
    match asked.engine {
        "demat" => asked.measure(|| (), |()| Ok(demat::json::encode(&rows)?), answer),
        "serde_json" => asked.measure(|| (), |()| Ok(serde_json::to_vec(&rows)?), answer),
        "sonic-rs" => asked.measure(|| (), |()| Ok(sonic_rs::to_vec(&rows)?), answer),
        #[cfg(feature = "simd-json")]
        "simd-json" => asked.measure(|| (), |()| Ok(simd_json::serde::to_vec(&rows)?), answer),
        other => Err(format!("{other}: not here").into()),
    }
}

/// A table into a list of records.
pub fn decoded_rows<T>(asked: &Asked<'_>) -> Result<Measured>
where
    T: Serialize + DeserializeOwned + Row + for<'a> Decode<'a>,
{
    let bytes = asked.bytes;
    let answer = |rows: &Vec<T>| answer_of(rows);
    match asked.engine {
        "demat" => asked.measure(|| (), |()| demat_rows(bytes), answer),
        "csv" => asked.measure(|| (), |()| csv_rows(bytes), answer),
        "simd-csv" => asked.measure(|| (), |()| simd_csv_rows(bytes), answer),
        other => Err(format!("{other}: not here").into()),
    }
}

fn demat_rows<T: for<'a> Decode<'a>>(bytes: &[u8]) -> Result<Vec<T>> {
    let mut csv = Csv::default();
    let mut source = csv.over(Part::whole(bytes));
    let mut rows = Vec::new();
    source.list()?;
    while source.item()? {
        rows.push(T::decode(&mut source)?);
    }
    source.end()?;
    Ok(rows)
}

/// Columns by the names in the header, through one record that is reused.
fn csv_rows<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>> {
    let mut reader = Reader::from_reader(bytes);
    let header = reader.byte_headers()?.clone();
    let (mut record, mut rows) = (ByteRecord::new(), Vec::new());
    while reader.read_byte_record(&mut record)? {
        rows.push(record.deserialize(Some(&header))?);
    }
    Ok(rows)
}

/// It knows no serde: columns by their position.
fn simd_csv_rows<T: Row>(bytes: &[u8]) -> Result<Vec<T>> {
    let mut reader = simd_csv::Reader::from_reader(bytes);
    let (mut record, mut rows) = (simd_csv::StringRecord::new(), Vec::new());
    while reader.read_record(&mut record)? {
        rows.push(T::of(record.iter()).ok_or("a row that is none")?);
    }
    Ok(rows)
}
