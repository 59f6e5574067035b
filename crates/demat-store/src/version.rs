//! Versions of values, and conditions on them.

/// A number that changes whenever the value of a reference changes; it may change more often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version(pub u64);

/// A condition for a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum When {
    /// No condition.
    #[default]
    Always,
    /// A value exists.
    There,
    /// No value exists.
    Absent,
    /// The value has one of these versions.
    Of(Vec<Version>),
    /// The value has none of these versions, or does not exist.
    NotOf(Vec<Version>),
}

impl When {
    /// Whether the condition holds. `there` is the existing value's version, if there is a value and if it has a
    /// version.
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
