//! The conformance matrix of Demat with this format in it: each case is written and read, and copied to and from each
//! other format. What the format can't hold stands in `exceptions.toml`.

#[path = "../../../conformance/tests/matrix/cases.rs"]
#[allow(dead_code)] // Demat renders a page of them
mod cases;
#[path = "../../../conformance/tests/matrix/exact.rs"]
mod exact;
#[path = "../../../conformance/tests/matrix/exceptions.rs"]
#[allow(dead_code)] // Demat renders a page of them
mod exceptions;
#[path = "../../../conformance/tests/matrix/notation.rs"]
#[allow(dead_code)] // Demat's own tests parse texts
mod notation;
#[path = "../../../conformance/tests/matrix/run.rs"]
mod run;
#[path = "../../../conformance/tests/matrix/verdicts.rs"]
mod verdicts;
#[path = "../../../conformance/tests/matrix/whole.rs"]
mod whole;

use cases::Cases;
use exceptions::Exceptions;
use std::path::Path;

#[test]
fn it_holds_every_case_or_the_list_says_why_not() {
    let format = demat_rec::register().unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = own.join("../../conformance");
    let cases = Cases::load(&folder);
    let exceptions = Exceptions::load(&[folder.join("exceptions.toml"), own.join("exceptions.toml")]);
    whole::check_cells(&cases, &exceptions, &[format]);
    whole::check_copies(&cases, &exceptions, &[format]);
}
