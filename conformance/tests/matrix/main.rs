//! The conformance matrix: each case of `conformance/cases`, written and read by each registered format, and copied from
//! each format to each other. Nothing here names a format; what one can't hold stands in `exceptions.toml`.

mod cases;
mod exact;
mod exceptions;
mod notation;
mod page;
mod run;
mod verdicts;
mod whole;

use cases::Cases;
use demat_place::Format;
use exceptions::Exceptions;
use run::Outcome;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn loaded() -> (Cases, Exceptions, Vec<Format>) {
    (Cases::load(&folder()), Exceptions::load(&[folder().join("exceptions.toml")]), Format::all().collect())
}

#[test]
fn every_format_holds_every_case_or_the_list_says_why_not() {
    let (cases, exceptions, formats) = loaded();
    whole::check_cells(&cases, &exceptions, &formats);
}

#[test]
fn every_format_is_copied_to_every_other() {
    let (cases, exceptions, formats) = loaded();
    whole::check_copies(&cases, &exceptions, &formats);
}

/// `DEMAT_WRITE=1` writes the page anew, as `make matrix` does.
#[test]
fn the_page_says_what_the_lists_say() {
    let (cases, exceptions, formats) = loaded();
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
    assert!(matches!(Outcome::compared(&whole, &value(r#"{"a": 2.0, "b": []}"#)), Outcome::Changed(_)));
    // In maps and in values of any type, nulls and the order count.
    let shape = "a: map(text, int?), b: any".parse().unwrap();
    let value = |text: &str| exact::exact(&notation::parse(text), &shape);
    assert_ne!(value(r#"{"a": {"x": 1, "y": null}}"#), value(r#"{"a": {"x": 1}}"#));
    assert_ne!(value(r#"{"a": {"x": 1, "y": 2}}"#), value(r#"{"a": {"y": 2, "x": 1}}"#));
    assert_ne!(value(r#"{"b": {"x": null}}"#), value(r#"{"b": {}}"#));
}
