//! The numbers of parse-number-fxx-test-data, if its files are present: nearly all numbers that some parser was ever
//! known to get wrong.

use super::super::{parse_f32, parse_f64};
use super::number_read;
use std::path::{Path, PathBuf};

/// Returns the folder of the suite: in `DEMAT_SUITES`, or `shared/suites` beside the repository.
fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).map(|parent| parent.join("shared/suites"));
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from).or_else(beside)?;
    Some(suites.join("numbers")).filter(|folder| folder.is_dir())
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
#[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
fn numbers_of_the_suite_are_read_to_the_bit() {
    let Some(folder) = folder() else {
        eprintln!("skipped: no number suite; set DEMAT_SUITES to the folder that has `numbers/*.txt`");
        return;
    };
    let mut count = 0;
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            // "3C00 3F800000 3FF0000000000000 1": the bits of the f16, f32 and f64, and the text.
            let text = &line[31..];
            let f32_bits = u32::from_str_radix(&line[5..13], 16).unwrap();
            let f64_bits = u64::from_str_radix(&line[14..30], 16).unwrap();
            assert_eq!(parse_f32(text.as_bytes()).map(f32::to_bits), Some(f32_bits), "{}: {text}", path.display());
            assert_eq!(parse_f64(text.as_bytes()).map(f64::to_bits), Some(f64_bits), "{}: {text}", path.display());
            number_read::check(text);
            count += 1;
        }
    }
    assert!(count > 0, "no numbers in {}", folder.display());
    eprintln!("{count} numbers read to the bit");
}
