/// Options for column types that a shape leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// If set, instants become datetimes: `Timestamp(us)` without a zone, in a column that refuses values with an
    /// offset. By default they are points in time, `Timestamp(us, "UTC")`, in a column that refuses values without one.
    pub naive: bool,
    /// The number of digits of decimals, and of those behind the point: `Decimal128` or, beyond 38 digits,
    /// `Decimal256`. A number with more digits is refused. By default decimals are text, which keeps all digits.
    pub decimals: Option<(u8, i8)>,
}
