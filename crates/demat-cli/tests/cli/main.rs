//! The command as a process: its input, its output, and its exit code.
#![allow(clippy::format_collect)] // short code matters more here than speed

mod bombs;
mod check;
mod columns;
mod compression;
mod conditions;
#[cfg(unix)]
mod cookbook;
mod databases;
mod diff;
mod encodings;
mod errors;
#[cfg(target_os = "linux")]
mod faults;
mod flatten;
mod head;
mod help;
mod info;
mod names;
mod options;
mod pairs;
mod places;
mod proto;
mod queried;
#[cfg(unix)]
mod readme;
mod rejects;
mod run;
mod sample;
mod schema;
mod serve;
mod several;
mod shape;
#[cfg(unix)]
mod signals;
#[cfg(target_os = "linux")]
mod terminal;
mod workers;
