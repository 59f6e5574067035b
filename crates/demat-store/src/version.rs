//! Which state of a value somebody has seen.

/// A number that is another one whenever the value of a reference is another one; it may change oftener.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version(pub u64);

/// What must be so for a value to be changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum When {
    /// Nothing.
    #[default]
    Always,
    /// There is a value.
    There,
    /// There is none.
    Absent,
    /// The value is of one of these versions.
    Of(Vec<Version>),
    /// The value is of none of these versions, if there is one.
    NotOf(Vec<Version>),
}

impl When {
    /// Whether it holds for what is there: nothing, or a value, of this version where that is known.
    ///
    /// ```
    /// use demat_store::{Version, When};
    /// let seen = When::Of(vec![Version(7)]);
    /// assert!(seen.holds(Some(Some(Version(7)))) && !seen.holds(Some(Some(Version(8)))) && !seen.holds(None));
    /// ```
    pub fn holds(&self, there: Option<Option<Version>>) -> bool {
        match (self, there) {
            (Self::Always, _) | (Self::There, Some(_)) | (Self::Absent | Self::NotOf(_), None) => true,
            (Self::There | Self::Of(_), None) | (Self::Absent, Some(_)) => false,
            (Self::Of(versions), Some(own)) => own.is_some_and(|own| versions.contains(&own)),
            (Self::NotOf(versions), Some(own)) => own.is_none_or(|own| !versions.contains(&own)),
        }
    }
}
