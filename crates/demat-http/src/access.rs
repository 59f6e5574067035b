//! What was asked and answered.

use core::fmt;
use core::net::IpAddr;
use core::time::Duration;
use http::{Method, StatusCode};
use std::time::SystemTime;

/// A request that was answered.
#[derive(Debug, Clone)]
pub struct Access<'r> {
    /// Who asked.
    pub from: IpAddr,
    /// When it was answered.
    pub at: SystemTime,
    /// What was to be done.
    pub method: &'r Method,
    /// The path and the query.
    pub target: &'r str,
    /// What came of it.
    pub status: StatusCode,
    /// How many bytes the answer has, where that is known when it begins.
    pub len: Option<u64>,
    /// How long the answer took, until it began.
    pub took: Duration,
}

impl fmt::Display for Access<'_> {
    /// A line as other servers write it (Common Log Format), and how long it took.
    ///
    /// ```
    /// # use demat_http::Access;
    /// # use std::time::{Duration, UNIX_EPOCH};
    /// let access = Access {
    ///     from: [127, 0, 0, 1].into(),
    ///     at: UNIX_EPOCH + Duration::from_secs(951_782_400),
    ///     method: &"GET".parse().unwrap(),
    ///     target: "/tasks?limit=1",
    ///     status: 200.try_into().unwrap(),
    ///     len: Some(47),
    ///     took: Duration::from_micros(85),
    /// };
    /// assert_eq!(
    ///     access.to_string(),
    ///     r#"127.0.0.1 - - [29/Feb/2000:00:00:00 +0000] "GET /tasks?limit=1 HTTP/1.1" 200 47 85µs"#
    /// );
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `Tue, 29 Feb 2000 00:00:00 GMT`
        let date = httpdate::fmt_http_date(self.at);
        let (day, month, year, time) = (&date[5..7], &date[8..11], &date[12..16], &date[17..25]);
        write!(f, "{} - - [{day}/{month}/{year}:{time} +0000] ", self.from)?;
        write!(f, "\"{} {} HTTP/1.1\" {} ", self.method, self.target.escape_default(), self.status.as_u16())?;
        match self.len {
            Some(len) => write!(f, "{len}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {}µs", self.took.as_micros())
    }
}
