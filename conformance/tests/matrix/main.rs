//! The conformance matrix: each case of `conformance/cases`, written and read by each registered format, and copied from
//! each format to each other. Nothing here names a format; what one can't hold stands in `exceptions.toml`.

mod cases;
mod exact;
mod exceptions;
mod notation;
mod page;
mod run;
mod verdicts;

use cases::Cases;
use exceptions::Exceptions;
use run::Outcome;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use verdicts::Verdicts;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
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
        threads.into_iter().flat_map(|thread| thread.join().expect("a panic is an outcome")).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().flat_map(|(_, found)| found).collect()
}

#[test]
fn every_format_holds_every_case_or_the_list_says_why_not() {
    let (cases, exceptions) = (Cases::load(&folder()), Exceptions::load(&folder().join("exceptions.toml")));
    let formats: Vec<_> = demat_place::Format::all().collect();
    let mut verdicts = Verdicts::new(exceptions.problems(&cases, &formats));
    verdicts.extend(each(formats.len(), |index| {
        let format = formats[index];
        cases.forms.iter().map(|form| (form, run::form(form, format))).map(|(form, outcome)| {
            verdicts::of_form(form, format, exceptions.form(format, form), &outcome)
        }).collect()
    }));
    verdicts.extend(each(cases.all.len(), |index| {
        let case = &cases.all[index];
        formats.iter().map(|format| {
            let outcome = run::cell(&cases, case, *format, &exceptions);
            verdicts::of_cell(case, *format, exceptions.cell(*format, case), &outcome)
        }).collect()
    }));
    verdicts.report();
}

#[test]
fn every_format_is_copied_to_every_other() {
    let (cases, exceptions) = (Cases::load(&folder()), Exceptions::load(&folder().join("exceptions.toml")));
    let formats: Vec<_> = demat_place::Format::all().collect();
    let mut verdicts = Verdicts::new(Vec::new());
    verdicts.extend(each(cases.all.len(), |index| {
        let case = &cases.all[index];
        let outcomes = run::copies(&cases, case, &formats, &exceptions);
        let outcomes = outcomes.into_iter();
        outcomes.map(|(from, to, outcome)| {
            verdicts::of_copy(case, (from, to), exceptions.copy((from, to), case), &outcome)
        }).collect()
    }));
    verdicts.report();
}

/// `DEMAT_WRITE=1` writes the page anew, which `make matrix` does.
#[test]
fn the_page_says_what_the_lists_say() {
    let (cases, exceptions) = (Cases::load(&folder()), Exceptions::load(&folder().join("exceptions.toml")));
    let formats: Vec<_> = demat_place::Format::all().collect();
    let (path, page) = (folder().join("../docs/conformance.md"), page::page(&cases, &exceptions, &formats));
    if std::env::var_os("DEMAT_WRITE").is_some() {
        std::fs::write(&path, page).unwrap();
    } else {
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(there == page, "docs/conformance.md is not what the lists say; `make matrix` writes it anew");
    }
}

#[test]
fn a_loss_is_found() {
    let shape = "a: float, b: [int], c: text?".parse().unwrap();
    let value = |text: &str| exact::exact(&notation::parse(text), &shape);
    let whole = value(r#"{"a": 1.0, "b": [], "c": null}"#);
    assert_eq!(whole, value(r#"{"b": [], "a": 1.0}"#));
    for other in [r#"{"a": 1, "b": []}"#, r#"{"a": 1.0}"#, r#"{"a": 1.0, "b": [], "c": ""}"#] {
        assert_ne!(whole, value(other));
    }
    assert_ne!(value(r#"{"a": 0.0, "b": []}"#), value(r#"{"a": -0.0, "b": []}"#));
    assert!(!matches!(Outcome::compared(&whole, &value(r#"{"a": 2.0, "b": []}"#)), Outcome::Exact));
}
