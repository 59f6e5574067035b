//! Prints the summary of a copy.

use crate::output;
use crate::rate;
use crate::report::name;
use demat_place::{Place, Summary};
use indicatif::{DecimalBytes, HumanCount};
use std::time::Duration;

pub(crate) fn tell(done: Summary, from: &Place, to: &Place, time: Duration) {
    let records =
        if done.records == 1 { "1 record".to_string() } else { format!("{} records", HumanCount(done.records)) };
    let (from, to) = (name(from, "standard input"), name(to, "standard output"));
    if done.read == 0 {
        // Bytes from a database are not counted.
        output::line(&format!("{records} from {from} to {to} in {:.2} s", time.as_secs_f64()));
        return;
    }
    let (seconds, rate, read) = (time.as_secs_f64(), rate::shown(done.read, time), DecimalBytes(done.read));
    output::line(&format!("{records} from {from} to {to}: {read} read in {seconds:.2} s, {rate}"));
}
