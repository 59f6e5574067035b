//! Writes one scalar in the binary format of a type.

use super::{Scalar, moment, network, numeric};
use crate::column_type::{ColumnType, TypeClass};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Error, ErrorKind, Result, excerpt};

/// The largest value of a column, in bytes: one byte less than a gigabyte.
const LARGEST: usize = 0x3FFF_FFFF;

/// Appends a value with its length.
///
/// # Errors
/// If the type can't hold the value.
#[inline]
pub(crate) fn put(own: &ColumnType, value: Scalar<'_>, out: &mut Vec<u8>) -> Result<()> {
    match (&own.class, value) {
        (TypeClass::Int(8), Scalar::I64(value)) => {
            out.extend_from_slice(&[0, 0, 0, 8]);
            out.extend_from_slice(&value.to_be_bytes());
            Ok(())
        }
        (TypeClass::Text(None), Scalar::Text(text)) if !text.as_bytes().contains(&0) && text.len() <= LARGEST => {
            out.extend_from_slice(&(text.len() as u32).to_be_bytes());
            out.extend_from_slice(text.as_bytes());
            Ok(())
        }
        _ => put_any(own, value, out),
    }
}

#[inline(never)]
fn put_any(own: &ColumnType, value: Scalar<'_>, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let put = body(own, value, out);
    let len = out.len() - start - 4;
    if put.is_ok() && len <= LARGEST {
        out[start..start + 4].copy_from_slice(&(len as u32).to_be_bytes());
        return Ok(());
    }
    out.truncate(start);
    put.and_then(|()| Err(Error::limit("the size of a value of PostgreSQL in bytes", LARGEST)))
}

/// Appends the value without its length.
fn body(own: &ColumnType, value: Scalar<'_>, out: &mut Vec<u8>) -> Result<()> {
    match (&own.class, value) {
        (TypeClass::Bool, Scalar::Bool(value)) => out.push(u8::from(value)),
        (TypeClass::Int(_) | TypeClass::Oid, Scalar::I64(value)) => return int(own, value, out),
        (TypeClass::Int(_) | TypeClass::Oid, Scalar::Int(value)) => match value.to_i64() {
            Some(value) => return int(own, value, out),
            None => return Err(outside(own, &value.to_string())),
        },
        (TypeClass::Float8, Scalar::Float(value)) => out.extend_from_slice(&value.to_be_bytes()),
        (TypeClass::Float8, Scalar::Float32(value)) => out.extend_from_slice(&f64::from(value).to_be_bytes()),
        (TypeClass::Float8, Scalar::I64(value)) if value.unsigned_abs() <= 1 << 53 => {
            out.extend_from_slice(&Int::I64(value).to_f64().to_be_bytes());
        }
        (TypeClass::Float4, Scalar::Float32(value)) => out.extend_from_slice(&value.to_be_bytes()),
        (TypeClass::Float4, Scalar::Float(value)) => {
            let narrow = value as f32;
            if f64::from(narrow).to_bits() != value.to_bits() && !value.is_nan() {
                return Err(unkept(own, "a number that it keeps exactly", &format!("{value:?}")));
            }
            out.extend_from_slice(&narrow.to_be_bytes());
        }
        (TypeClass::Numeric(_), Scalar::I64(value)) => return number(own, &value.to_string(), out),
        (TypeClass::Numeric(_), Scalar::Int(value)) => return number(own, &value.to_string(), out),
        (TypeClass::Numeric(_), Scalar::Decimal(value)) => return number(own, value.as_str(), out),
        (TypeClass::Numeric(_), Scalar::Float(value)) if value.is_finite() => {
            return number(own, &format!("{value:?}"), out);
        }
        (TypeClass::Numeric(_), Scalar::Float32(value)) if value.is_finite() => {
            return number(own, &format!("{value:?}"), out);
        }
        (TypeClass::Bytes, Scalar::Bytes(value)) => out.extend_from_slice(value),
        (TypeClass::Date, Scalar::Date(value)) => out.extend_from_slice(&moment::days(value).to_be_bytes()),
        (TypeClass::Time(digits), Scalar::Time(value)) => {
            return micros(own, *digits, moment::of_time(value), || value.to_string(), out);
        }
        (TypeClass::Timestamp(digits), Scalar::DateTime(value)) => {
            return micros(own, *digits, moment::of_date_time(value), || value.to_string(), out);
        }
        (TypeClass::Instant(digits), Scalar::Instant(at, offset)) => {
            let shown = || at.with_offset(offset).to_string();
            let micros_of = moment::of_instant(at, offset);
            // Its offset may lead out of the years that can be read back.
            if micros_of.is_some_and(|micros| moment::instant(micros).is_none()) {
                return Err(unkept(own, "an instant of the years 1 to 9999 in UTC", &shown()));
            }
            return micros(own, *digits, micros_of, shown, out);
        }
        (TypeClass::Timestamp(_), Scalar::Instant(at, offset)) => {
            return Err(unkept(own, "a datetime without an offset", &at.with_offset(offset).to_string()));
        }
        (TypeClass::Instant(_), Scalar::DateTime(value)) => {
            return Err(unkept(own, "a datetime with an offset", &value.to_string()));
        }
        (TypeClass::Interval(digits), Scalar::Duration(value)) => {
            micros(own, *digits, moment::of_duration(value), || value.to_string(), out)?;
            // No days and no months.
            out.extend_from_slice(&[0; 8]);
        }
        (TypeClass::Uuid, Scalar::Uuid(value)) => out.extend_from_slice(&value.0),
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::Text(value)) => return text(own, value, out),
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::Decimal(value)) => return text(own, value.as_str(), out),
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::Date(value)) => return text(own, &value.to_string(), out),
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::Time(value)) => return text(own, &value.to_string(), out),
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::DateTime(value)) => {
            return text(own, &value.to_string(), out);
        }
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::Instant(at, offset)) => {
            return text(own, &at.with_offset(offset).to_string(), out);
        }
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::Duration(value)) => {
            return text(own, &value.to_string(), out);
        }
        (TypeClass::Text(_) | TypeClass::Char(_), Scalar::Uuid(value)) => return text(own, &value.to_string(), out),
        (TypeClass::CoarseInterval, value) => {
            return Err(unkept(own, "a column with seconds: the server would cut the value off", value.name()));
        }
        (_, Scalar::Text(value)) => return of_text(own, value, out),
        (TypeClass::Other, _) => return Err(unknown(own)),
        (class, value) => return Err(Error::mismatch(ErrorKind::Encode, class.name(), value.name())),
    }
    Ok(())
}

/// Appends a text to a type that is text elsewhere: it must be valid for the type.
fn of_text(own: &ColumnType, value: &str, out: &mut Vec<u8>) -> Result<()> {
    let refused = || Error::mismatch(ErrorKind::Encode, own.class.name(), "text").showing(excerpt::text(value));
    let scalar = match &own.class {
        TypeClass::Date => Date::parse(value).map(Scalar::Date),
        TypeClass::Time(_) => Time::parse(value).map(Scalar::Time),
        TypeClass::Timestamp(_) => match DateTime::parse(value) {
            Some(at) => Some(Scalar::DateTime(at)),
            None => return Err(Error::no_date_time(value).with_kind(ErrorKind::Encode)),
        },
        TypeClass::Instant(_) => {
            Instant::parse(value).map(Instant::split).and_then(|(at, offset)| Some(Scalar::Instant(at, offset?)))
        }
        TypeClass::Interval(_) => Duration::parse(value).map(Scalar::Duration),
        TypeClass::Uuid => Uuid::parse(value).map(Scalar::Uuid),
        TypeClass::Numeric(_) if Decimal::parse(value).is_some() => return number(own, value, out),
        TypeClass::Inet if network::encode(value, false, out) => return Ok(()),
        TypeClass::Cidr if network::encode(value, true, out) => return Ok(()),
        TypeClass::Mac(len) if network::encode_mac(value, usize::from(*len), out) => return Ok(()),
        TypeClass::Enum(labels) => {
            if !labels.iter().any(|label| label == value) {
                let names = labels.iter().map(|label| excerpt::name(label)).collect::<Vec<_>>().join(", ");
                return Err(Error::mismatch(ErrorKind::Constraint, format!("one of {names}"), excerpt::name(value)));
            }
            out.extend_from_slice(value.as_bytes());
            return Ok(());
        }
        TypeClass::Other => return Err(unknown(own)),
        _ => None,
    };
    match scalar {
        Some(scalar) => body(own, scalar, out),
        None => Err(refused()),
    }
}

fn int(own: &ColumnType, value: i64, out: &mut Vec<u8>) -> Result<()> {
    match own.class {
        TypeClass::Int(8) => out.extend_from_slice(&value.to_be_bytes()),
        TypeClass::Int(4) => match i32::try_from(value) {
            Ok(value) => out.extend_from_slice(&value.to_be_bytes()),
            Err(_) => return Err(outside(own, &value.to_string())),
        },
        TypeClass::Oid => match u32::try_from(value) {
            Ok(value) => out.extend_from_slice(&value.to_be_bytes()),
            Err(_) => return Err(outside(own, &value.to_string())),
        },
        _ => match i16::try_from(value) {
            Ok(value) => out.extend_from_slice(&value.to_be_bytes()),
            Err(_) => return Err(outside(own, &value.to_string())),
        },
    }
    Ok(())
}

fn text(own: &ColumnType, value: &str, out: &mut Vec<u8>) -> Result<()> {
    if value.as_bytes().contains(&0) {
        let found = "text with the character U+0000, which PostgreSQL does not store";
        return Err(Error::mismatch(ErrorKind::Encode, own.name.clone(), found));
    }
    // The server would cut spaces at the end off.
    if let TypeClass::Text(Some(most)) = own.class
        && value.len() > most as usize
        && value.chars().count() > most as usize
    {
        let found = format!("text of {} characters", value.chars().count());
        return Err(Error::mismatch(ErrorKind::Constraint, own.name.clone(), found));
    }
    if let TypeClass::Char(wanted) = own.class
        && value.chars().count() != wanted as usize
    {
        let found = format!("text of {} characters", value.chars().count());
        let expected =
            format!("{wanted} characters for the type `{}`, which fills shorter texts with spaces", own.name);
        return Err(Error::mismatch(ErrorKind::Constraint, expected, found));
    }
    out.extend_from_slice(value.as_bytes());
    Ok(())
}

/// Appends a number, unless the server would round it.
fn number(own: &ColumnType, digits: &str, out: &mut Vec<u8>) -> Result<()> {
    if let TypeClass::Numeric(Some(scale)) = own.class
        && numeric::scale_of(digits).is_none_or(|own| own > i64::from(scale))
    {
        return Err(unkept(own, "a number that it does not round", digits));
    }
    if numeric::encode(digits, out) { Ok(()) } else { Err(outside(own, digits)) }
}

fn micros(
    own: &ColumnType,
    digits: Option<u8>,
    micros: Option<i64>,
    shown: impl FnOnce() -> String,
    out: &mut Vec<u8>,
) -> Result<()> {
    match micros {
        Some(micros) if moment::keeps(digits, micros) => {
            out.extend_from_slice(&micros.to_be_bytes());
            Ok(())
        }
        _ => Err(unkept(own, "a value with no more digits of a second than it keeps", &shown())),
    }
}

#[cold]
fn outside(own: &ColumnType, found: &str) -> Error {
    Error::mismatch(ErrorKind::Encode, format!("a number of the type `{}`", own.name), excerpt::name(found))
}

#[cold]
fn unkept(own: &ColumnType, expected: &str, found: &str) -> Error {
    Error::mismatch(ErrorKind::Encode, format!("{expected}, for the type `{}`", own.name), excerpt::name(found))
}

#[cold]
pub(crate) fn unknown(own: &ColumnType) -> Error {
    let message =
        format!("Demat does not know the values of PostgreSQL's type `{}`; cast them in a query (`::text`)", own.name);
    Error::new(ErrorKind::Store, message)
}
