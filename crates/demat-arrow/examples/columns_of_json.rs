//! Times the reading of a JSON file into columns: `columns_of_json FILE SHAPE [RUNS [THREADS]]`.
#![allow(clippy::print_stdout)]

use demat_arrow::{Options, columns_of};
use demat_formats::json::Json;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, shape, ..] = arguments.as_slice() else { return Err("FILE SHAPE [RUNS [THREADS]]".into()) };
    let (text, shape) = (std::fs::read(file)?, shape.parse()?);
    let number = |at: usize, otherwise| arguments.get(at).map_or(Ok(otherwise), |number| number.parse::<usize>());
    let (runs, threads) = (number(3, 10)?, number(4, 1)?);
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let begin = Instant::now();
        let batches = columns_of(&text, &Json::default(), &shape, &Options::default(), threads)?;
        let took = begin.elapsed().as_secs_f64();
        drop(batches);
        best = best.min(took);
    }
    println!("{:.1} ms", best * 1e3);
    Ok(())
}
