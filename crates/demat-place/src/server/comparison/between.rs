//! Comparisons with values that lie between two that a column can have.

use super::constant;
use crate::Test;
use demat_core::scalar::{DateTime, Time};
use demat_postgres::Fragment;

/// Returns the comparison with a value that no column has, by its neighbour that one can have. `below`: whether that is less
/// than the value. No other value lies between the two.
pub(super) fn compared(
    name: &str,
    test: Test,
    below: bool,
    compare: impl FnOnce(Test, &'static str) -> Option<Fragment>,
) -> Option<Fragment> {
    match (test, below) {
        (Test::Lt | Test::Le, true) => compare(Test::Le, "<="),
        (Test::Lt | Test::Le, false) => compare(Test::Lt, "<"),
        (Test::Gt | Test::Ge, true) => compare(Test::Gt, ">"),
        (Test::Gt | Test::Ge, false) => compare(Test::Ge, ">="),
        (Test::Eq, _) => Some(constant(name, false)),
        (Test::Ne, _) => Some(constant(name, true)),
        _ => None,
    }
}

/// Times that may have nanoseconds, which the server does not keep.
pub(super) trait Microseconds: Copy + PartialEq {
    /// Returns the last time before this one, or this one, that has no nanoseconds.
    fn whole(self) -> Self;

    /// Returns the comparison with this value.
    fn compared(
        self,
        name: &str,
        test: Test,
        operator: &str,
        compare: impl FnOnce(Self, &str) -> Option<Fragment>,
    ) -> Option<Fragment> {
        let whole = self.whole();
        if whole == self {
            compare(self, operator)
        } else {
            compared(name, test, true, |_, operator| compare(whole, operator))
        }
    }
}

impl Microseconds for Time {
    fn whole(self) -> Self {
        let nanosecond = self.nanosecond();
        Self::new(self.hour(), self.minute(), self.second(), nanosecond - nanosecond % 1_000).unwrap_or(self)
    }
}

impl Microseconds for DateTime {
    fn whole(self) -> Self {
        Self::new(self.date, self.time.whole())
    }
}
