//! The data of a log line: a request and its answer.

use core::fmt;
use core::net::IpAddr;
use core::time::Duration;
use http::{Method, StatusCode};
use std::time::SystemTime;

/// An answered request.
#[derive(Debug, Clone)]
pub struct Access<'r> {
    /// The client's address.
    pub from: IpAddr,
    /// The time of the answer.
    pub at: SystemTime,
    /// The method.
    pub method: &'r Method,
    /// The path and the query.
    pub target: &'r str,
    /// The status of the answer.
    pub status: StatusCode,
    /// The length of the answer's body in bytes, if it is known when the answer begins.
    pub len: Option<u64>,
    /// The time until the answer began.
    pub took: Duration,
}

impl fmt::Display for Access<'_> {
    /// Writes a line in the Common Log Format, followed by the time taken.
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
