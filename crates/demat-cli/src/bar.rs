use crate::choice::When;
use crate::progress::Meter;
use crate::screen::Screen;
use core::fmt;
use demat_place::Progress;

/// A progress bar on standard error. Where that is no terminal, it writes a line per second.
pub struct Bar(Meter);

impl fmt::Debug for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bar").finish_non_exhaustive()
    }
}

impl Bar {
    /// Returns a bar that is not shown yet.
    ///
    /// ```
    /// let mut bar = demat_cli::Bar::new();
    /// bar.clear();
    /// ```
    #[must_use]
    #[allow(clippy::new_without_default)] // it inspects the terminal, which is unexpected in a default
    pub fn new() -> Self {
        Self(Meter::new(When::Always, Screen::new(When::Never, false, false), true))
    }

    /// Shows the progress.
    pub fn show(&mut self, progress: Progress) {
        self.0.show(progress);
    }

    /// Removes the bar. In place of a bar, a last line shows the final progress.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
