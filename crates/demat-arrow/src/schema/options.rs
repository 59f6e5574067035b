/// What the columns of kinds are that a shape does not say all of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Instants are written as datetimes: `Timestamp(us)` without a zone, whose column refuses values with an offset.
    /// Otherwise (default) they are points of time, `Timestamp(us, "UTC")`, whose column refuses those without one.
    pub naive: bool,
    /// How many digits decimals have, and how many of them behind the point: `Decimal128` or, beyond 38 digits,
    /// `Decimal256`; a number that has more is refused. Without (default) they are text, which holds all of them as
    /// they came.
    pub decimals: Option<(u8, i8)>,
}
