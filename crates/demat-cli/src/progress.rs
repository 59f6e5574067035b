//! Shows the progress of a copy.

use crate::choice::When;
use crate::output;
use crate::rate;
use crate::screen::Screen;
use demat_place::Progress;
use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Shows the progress of a copy: a bar on a terminal, a line now and then elsewhere.
pub(crate) struct Meter {
    begun: Instant,
    kind: Kind,
}

enum Kind {
    Nothing,
    /// Created after the delay.
    Bar {
        bar: Option<ProgressBar>,
        delay: Duration,
    },
    Lines {
        next: Duration,
        last: Progress,
    },
}

/// A shorter copy shows no bar.
const DELAY: Duration = Duration::from_millis(400);
/// The interval between lines.
const LINES: Duration = Duration::from_secs(1);

const KNOWN: &str =
    "{percent:>3} % [{bar:30}] {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left";
const UNKNOWN: &str = "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}, {elapsed}";

impl Meter {
    /// `free`: whether nothing else is written to the terminal.
    pub(crate) fn new(when: When, screen: Screen, free: bool) -> Self {
        let kind = match when {
            When::Never => Kind::Nothing,
            When::Auto if !screen.live || screen.quiet || !free => Kind::Nothing,
            When::Auto => Kind::Bar { bar: None, delay: DELAY },
            When::Always if screen.live => Kind::Bar { bar: None, delay: Duration::ZERO },
            When::Always => Kind::Lines { next: LINES, last: Progress { read: 0, total: None } },
        };
        Self { begun: Instant::now(), kind }
    }

    pub(crate) fn show(&mut self, progress: Progress) {
        let elapsed = self.begun.elapsed();
        match &mut self.kind {
            Kind::Nothing => {}
            Kind::Bar { bar, delay } => {
                if elapsed >= *delay {
                    bar.get_or_insert_with(|| made(progress, elapsed)).set_position(progress.read);
                }
            }
            Kind::Lines { next, last } => {
                *last = progress;
                if elapsed >= *next {
                    *next = elapsed + LINES;
                    output::line(&line(progress, elapsed));
                }
            }
        }
    }

    /// Removes the bar. The last line shows the final progress.
    pub(crate) fn clear(&mut self) {
        match &mut self.kind {
            Kind::Nothing => {}
            Kind::Bar { bar, .. } => {
                if let Some(bar) = bar.take() {
                    bar.finish_and_clear();
                }
            }
            Kind::Lines { last, .. } => output::line(&line(*last, self.begun.elapsed())),
        }
    }
}

fn made(progress: Progress, elapsed: Duration) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(progress.total, ProgressDrawTarget::stderr());
    let template = if progress.total.is_some() { KNOWN } else { UNKNOWN };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_elapsed(elapsed)
}

fn line(progress: Progress, elapsed: Duration) -> String {
    let (read, rate) = (DecimalBytes(progress.read), rate::shown(progress.read, elapsed));
    match progress.total {
        Some(total) if total > 0 => {
            let left = total.saturating_sub(progress.read) / rate::per_second(progress.read, elapsed).max(1);
            let percent = progress.read * 100 / total;
            format!(
                "{percent} %: {read} of {}, {rate}, {} left",
                DecimalBytes(total),
                HumanDuration(Duration::from_secs(left))
            )
        }
        _ => format!("{read}, {rate}"),
    }
}
