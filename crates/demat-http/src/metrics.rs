//! Metrics of the server in the text format 0.0.4 of Prometheus.

use core::fmt::Write as _;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use http::{Method, StatusCode};
use std::time::Instant;

/// The counters of the server.
#[derive(Debug)]
pub(crate) struct Metrics {
    started: Instant,
    /// By method and class of status.
    requests: [[AtomicU64; 5]; METHODS.len()],
    /// By the time until the answer began.
    times: [AtomicU64; BOUNDS.len()],
    micros: AtomicU64,
    count: AtomicU64,
    sent: AtomicU64,
    pub(crate) connections: AtomicU64,
}

const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"];
/// The upper bounds in microseconds.
const BOUNDS: [u64; 8] = [100, 500, 1_000, 5_000, 25_000, 100_000, 1_000_000, 10_000_000];

impl Default for Metrics {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            requests: Default::default(),
            times: Default::default(),
            micros: AtomicU64::new(0),
            count: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            connections: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    pub(crate) fn answered(&self, method: &Method, status: StatusCode, len: Option<u64>, took: Duration) {
        let method = METHODS.iter().position(|own| *own == method.as_str()).unwrap_or(METHODS.len() - 1);
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.requests[method][class].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        if let Some(bound) = BOUNDS.iter().position(|bound| micros <= *bound) {
            self.times[bound].fetch_add(1, Ordering::Relaxed);
        }
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.sent.fetch_add(len.unwrap_or(0), Ordering::Relaxed);
    }

    /// Returns the text. Writing to a String never fails.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let _ = writeln!(text, "# TYPE demat_http_requests_total counter");
        for (method, classes) in METHODS.iter().zip(&self.requests) {
            for (class, count) in classes.iter().enumerate().filter(|(_, count)| get(count) > 0) {
                let (class, count) = (class + 1, get(count));
                let _ = writeln!(text, "demat_http_requests_total{{method=\"{method}\",status=\"{class}xx\"}} {count}");
            }
        }
        let _ = writeln!(text, "# TYPE demat_http_request_duration_seconds histogram");
        let mut sum = 0;
        for (bound, count) in BOUNDS.iter().zip(&self.times) {
            sum += get(count);
            let bound = seconds(*bound);
            let _ = writeln!(text, "demat_http_request_duration_seconds_bucket{{le=\"{bound}\"}} {sum}");
        }
        let count = get(&self.count);
        let _ = writeln!(text, "demat_http_request_duration_seconds_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "demat_http_request_duration_seconds_sum {}", seconds(get(&self.micros)));
        let _ = writeln!(text, "demat_http_request_duration_seconds_count {count}");
        let _ = writeln!(text, "# HELP demat_http_sent_bytes_total Bytes of bodies whose length was known beforehand.");
        let _ = writeln!(text, "# TYPE demat_http_sent_bytes_total counter");
        let _ = writeln!(text, "demat_http_sent_bytes_total {}", get(&self.sent));
        let _ = writeln!(text, "# TYPE demat_http_connections gauge");
        let _ = writeln!(text, "demat_http_connections {}", get(&self.connections));
        let _ = writeln!(text, "# TYPE demat_uptime_seconds gauge");
        let _ = writeln!(text, "demat_uptime_seconds {}", self.started.elapsed().as_secs_f64());
        text
    }
}

/// Converts microseconds to seconds.
fn seconds(micros: u64) -> f64 {
    Duration::from_micros(micros).as_secs_f64()
}
