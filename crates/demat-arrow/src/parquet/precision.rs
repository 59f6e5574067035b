//! Decimals with more digits than their type says.

#[cfg(test)]
mod tests;

use super::stored::children;
use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType};
use arrow_array::{Array, PrimitiveArray, RecordBatch, make_array};
use arrow_schema::DataType;
use demat_core::{Error, ErrorKind, Result};

/// Checks that no decimal has more digits than its column's type says. Arrow's arrays may hold such values, and Parquet stores
/// as many bytes as the digits of the type need: the value would lose its leading ones.
///
/// # Errors
/// [`Encode`](ErrorKind::Encode) with the column's path.
pub(super) fn check(batch: &RecordBatch) -> Result<()> {
    for (column, field) in batch.columns().iter().zip(batch.schema_ref().fields()) {
        check_array(column).map_err(|error| error.within_field(field.name().clone()))?;
    }
    Ok(())
}

fn check_array(array: &dyn Array) -> Result<()> {
    match array.data_type() {
        DataType::Decimal32(precision, _) => digits(array.as_primitive::<Decimal32Type>(), *precision),
        DataType::Decimal64(precision, _) => digits(array.as_primitive::<Decimal64Type>(), *precision),
        DataType::Decimal128(precision, _) => digits(array.as_primitive::<Decimal128Type>(), *precision),
        DataType::Decimal256(precision, _) => digits(array.as_primitive::<Decimal256Type>(), *precision),
        other if has_decimals(other) => {
            array.to_data().child_data().iter().try_for_each(|child| check_array(&*make_array(child.clone())))
        }
        _ => Ok(()),
    }
}

fn digits<T: DecimalType>(array: &PrimitiveArray<T>, precision: u8) -> Result<()> {
    array.validate_decimal_precision(precision).map_err(|cause| {
        let message = format!("a decimal has more digits than the {precision} that its column's type says");
        Error::new(ErrorKind::Encode, message).because(cause)
    })
}

/// Whether a type is one of decimals, or holds them.
fn has_decimals(data_type: &DataType) -> bool {
    data_type.is_decimal() || children(data_type).into_iter().any(has_decimals)
}
