use super::{caught, panicked};
use crate::{ErrorKind, Result};

#[test]
fn what_a_panic_says_is_told() {
    let formatted = caught(|| -> Result<()> { panic!("{} of {}", 1, 2) }).unwrap_err();
    assert_eq!(formatted.kind(), ErrorKind::Internal);
    assert!(formatted.reason().contains("please report it: 1 of 2"), "{formatted}");
    let other = caught(|| -> Result<()> { std::panic::resume_unwind(Box::new(7)) }).unwrap_err();
    assert!(other.reason().contains("unknown"), "{other}");
}

#[test]
fn a_panic_of_another_thread_is_told_by_who_joins_it() {
    let thread = std::thread::spawn(|| std::panic::resume_unwind(Box::new("gone")));
    let error = thread.join().map_err(|panic| panicked(&*panic)).unwrap_err();
    assert!(error.reason().contains("gone"), "{error}");
}

#[test]
fn errors_pass() {
    let refused = || -> Result<()> { Err(crate::Error::missing("id")) };
    assert_eq!(caught(refused).unwrap_err().kind(), ErrorKind::Constraint);
}
