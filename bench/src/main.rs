//! The in-process half of the benchmarks. `run.py` drives it; by hand:
//!
//! ```text
//! demat-bench engines                                            what is in this build, as JSON
//! demat-bench job MODEL FILE ROWS EXPECTED ROUNDS ENGINE…         one job, as JSON
//! demat-bench launch OUTPUT COMMAND…                             one process, timed, as JSON
//! demat-bench zoo JOB KIND ENGINE FILE EXPECTED ENOUGH           one cell of the zoo, as JSON
//! ```
//!
//! One process does one job, so that no job inherits the heap another left.

mod answer;
mod engine;
mod launch;
mod record;
mod run;
mod zoo;

use std::path::Path;
use std::process::ExitCode;

use run::{Input, Result, interleave};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match command(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("demat-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn command(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["engines"] => engines(),
        ["job", model, file, rows, expected, rounds, engines @ ..] => {
            let input = Input::read(Path::new(file), rows.parse()?)?;
            job(model, &input, expected, rounds.parse()?, engines)
        }
        ["zoo", rest @ ..] => zoo::run(rest),
        ["launch", output, ..] => launch::launch(output, &arguments[2..]),
        _ => {
            Err("expected: engines | job MODEL FILE ROWS EXPECTED ROUNDS ENGINE… | launch OUTPUT COMMAND… | zoo …"
                .into())
        }
    }
}

/// Which engine can do which model, and the instructions that this build may use: both belong beside the figures.
fn engines() -> Result<()> {
    let engines: serde_json::Map<_, _> = engine::all()
        .into_iter()
        .map(|engine| (engine.name.to_owned(), engine.jobs.iter().map(|(model, _)| *model).collect()))
        .collect();
    let build = serde_json::json!({
        "engines": engines,
        "avx2": cfg!(target_feature = "avx2"),
        "avx512": cfg!(target_feature = "avx512f"),
    });
    println!("{build}");
    Ok(())
}

fn job(model: &str, input: &Input, expected: &str, rounds: usize, engines: &[&str]) -> Result<()> {
    let all = engine::all();
    let mut chosen = Vec::new();
    for name in engines {
        let engine =
            all.iter().find(|engine| engine.name == *name).ok_or_else(|| format!("{name}: not in this build"))?;
        chosen.push((*engine, engine.job(model).ok_or_else(|| format!("{name} has no {model}"))?));
    }
    println!("{}", serde_json::to_string(&interleave(&chosen, input, expected, rounds)?)?);
    Ok(())
}
