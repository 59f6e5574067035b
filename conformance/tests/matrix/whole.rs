//! Runs the whole matrix of some formats, and compares it with the list of exceptions.

use crate::cases::Cases;
use crate::exceptions::Exceptions;
use crate::run;
use crate::verdicts::{self, Verdicts};
use demat_place::Format;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Writes and reads each case in each of the formats. Fails unless the list says what became of each.
pub(crate) fn check_cells(cases: &Cases, exceptions: &Exceptions, formats: &[Format]) {
    let mut verdicts = Verdicts::new(exceptions.problems(cases));
    for format in formats {
        for form in &cases.forms {
            let listed = exceptions.form(*format, form);
            verdicts.extend(vec![verdicts::of_form(form, *format, listed, &run::form(form, *format))]);
        }
    }
    verdicts.extend(each(cases.all.len(), |index| {
        let case = &cases.all[index];
        let verdict = |format: &Format| {
            let outcome = run::cell(cases, case, *format, exceptions);
            verdicts::of_cell(case, *format, exceptions.cell(*format, case), &outcome)
        };
        formats.iter().map(verdict).collect()
    }));
    verdicts.report();
}

/// Copies each case between all formats, from or to one of these. Fails unless the list says what became of each.
pub(crate) fn check_copies(cases: &Cases, exceptions: &Exceptions, of: &[Format]) {
    let mut verdicts = Verdicts::new(Vec::new());
    verdicts.extend(each(cases.all.len(), |index| {
        let case = &cases.all[index];
        let verdict = |(from, to, outcome): &(Format, Format, run::Outcome)| {
            verdicts::of_copy(case, (*from, *to), exceptions.copy((*from, *to), case), outcome)
        };
        run::copies(cases, case, of, exceptions).iter().map(verdict).collect()
    }));
    verdicts.report();
}

/// Runs a task for each index on all cores. Returns all that they found, in order.
fn each<T: Send>(count: usize, task: impl Fn(usize) -> Vec<T> + Sync) -> Vec<T> {
    let (next, cores) = (AtomicUsize::new(0), std::thread::available_parallelism().map_or(1, usize::from));
    let work = || {
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return found;
            }
            found.push((index, task(index)));
        }
    };
    let mut found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a panic of a format is an outcome")).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().flat_map(|(_, found)| found).collect()
}
