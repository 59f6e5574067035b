use crate::choice::When;
use crate::progress::Meter;
use crate::screen::Screen;
use core::fmt;
use demat_place::Progress;

/// A bar on standard error that shows how far reading a place has come: on a terminal; elsewhere a line each second.
pub struct Bar(Meter);

impl fmt::Debug for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bar").finish_non_exhaustive()
    }
}

impl Bar {
    /// A bar that is not shown yet.
    ///
    /// ```
    /// let mut bar = demat_cli::Bar::new();
    /// bar.clear();
    /// ```
    #[must_use]
    #[allow(clippy::new_without_default)] // it looks at the terminal, which nobody expects of a default
    pub fn new() -> Self {
        Self(Meter::new(When::Always, Screen::new(When::Never, false, false), true))
    }

    /// Shows how far it is.
    pub fn show(&mut self, progress: Progress) {
        self.0.show(progress);
    }

    /// Takes the bar away; where it was lines, a last one says how far it came.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
