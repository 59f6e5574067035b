use crate::scalar::Int;
use crate::{Encode, Error, FloatWidth, IntWidth, Result, Shape, Sink, Source, Token};

/// Copies the value if it is a scalar. Otherwise returns false and leaves it to a frame.
#[inline]
pub(super) fn scalar<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    shape: &Shape,
    sink: &mut K,
) -> Result<bool> {
    match shape {
        Shape::Text => {
            let text = source.text()?;
            sink.text(&text)?;
        }
        Shape::Int(IntWidth::Signed(64)) => sink.i64(source.i64()?)?,
        Shape::Int(width) => int(source, *width, sink)?,
        Shape::Float(FloatWidth::F64) => sink.float(source.float()?)?,
        Shape::Float(FloatWidth::F32) => sink.float32(source.float32()?)?,
        Shape::Bool => sink.bool(source.bool()?)?,
        Shape::Any => return any(source, sink),
        Shape::Option(inner) => {
            if source.null()? {
                sink.null()?;
                return Ok(true);
            }
            // An option of an option adds nothing, so one level is enough.
            return scalar_rare(source, inner.inner(), sink);
        }
        _ => return scalar_rare(source, shape, sink),
    }
    Ok(true)
}

fn scalar_rare<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    shape: &Shape,
    sink: &mut K,
) -> Result<bool> {
    match shape {
        Shape::Any => return any(source, sink),
        Shape::Null => {
            if !source.null()? {
                return Err(source.mismatch("null"));
            }
            sink.null()?;
        }
        Shape::Text => {
            let text = source.text()?;
            sink.text(&text)?;
        }
        Shape::Bool => sink.bool(source.bool()?)?,
        Shape::Int(IntWidth::Signed(64)) => sink.i64(source.i64()?)?,
        Shape::Int(width) => int(source, *width, sink)?,
        Shape::Float(FloatWidth::F64) => sink.float(source.float()?)?,
        Shape::Float(FloatWidth::F32) => sink.float32(source.float32()?)?,
        Shape::Bytes => sink.bytes(&source.bytes()?)?,
        Shape::Decimal => sink.decimal(&source.decimal()?)?,
        Shape::Date => sink.date(source.date()?)?,
        Shape::Time => sink.time(source.time()?)?,
        Shape::DateTime => sink.date_time(source.date_time()?)?,
        Shape::Instant => source.instant()?.encode(sink)?,
        Shape::Duration => sink.duration(source.duration()?)?,
        Shape::Uuid => sink.uuid(source.uuid()?)?,
        Shape::Enum(names) => {
            let index = source.variant(names)?;
            sink.variant(names, index)?;
        }
        Shape::Option(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) | Shape::Record(_) | Shape::Union(_) => {
            return Ok(false);
        }
    }
    Ok(true)
}

#[inline]
fn int<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(source: &mut S, width: IntWidth, sink: &mut K) -> Result<()> {
    let value = source.int()?;
    if !width.holds(&value) {
        return Err(out_of_range(width, &value).at(source.position()));
    }
    match value {
        Int::I64(value) => sink.i64(value),
        other => sink.int(&other),
    }
}

#[cold]
fn out_of_range(width: IntWidth, value: &Int<'_>) -> Error {
    let expected = match width {
        IntWidth::Any => "int".to_string(),
        IntWidth::Signed(bits) => format!("int{bits}"),
        IntWidth::Unsigned(bits) => format!("uint{bits}"),
    };
    Error::mismatch(crate::ErrorKind::Constraint, expected, value.to_string())
}

fn any<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(source: &mut S, sink: &mut K) -> Result<bool> {
    let mark = source.mark();
    if let Some(shape) = source.stated()? {
        sink.stated(&shape)?;
    }
    match source.take()? {
        Token::List(_) | Token::Map(_) => {
            source.reset(mark);
            return Ok(false);
        }
        scalar => tell(scalar, sink)?,
    }
    Ok(true)
}

/// Writes a scalar that was taken.
#[inline(always)]
pub(super) fn tell<K: Sink + ?Sized>(scalar: Token<'_, '_>, sink: &mut K) -> Result<()> {
    match scalar {
        Token::Text(text) => sink.text(&text),
        Token::I64(int) => sink.i64(int),
        Token::Float(float) => sink.float(float),
        Token::Null => sink.null(),
        Token::Bool(value) => sink.bool(value),
        rare => tell_rare(rare, sink),
    }
}

/// As [`tell`], for kinds that few formats have.
#[inline(never)]
fn tell_rare<K: Sink + ?Sized>(scalar: Token<'_, '_>, sink: &mut K) -> Result<()> {
    match scalar {
        Token::Int(int) => sink.int(&int),
        Token::Bytes(bytes) => sink.bytes(&bytes),
        Token::Decimal(decimal) => sink.decimal(&decimal),
        Token::Date(date) => sink.date(date),
        Token::Time(time) => sink.time(time),
        Token::DateTime(at) => sink.date_time(at),
        Token::Instant(at, offset) => sink.instant(at, offset),
        Token::Duration(duration) => sink.duration(duration),
        Token::Uuid(uuid) => sink.uuid(uuid),
        other => Err(Error::mismatch(crate::ErrorKind::Encode, "a scalar", other.kind().name())),
    }
}
