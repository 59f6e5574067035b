//! Times the reading of a JSON file into columns: `columns_of_json FILE SHAPE [RUNS]`.
#![allow(clippy::print_stdout)]

use demat_arrow::Columns;
use demat_core::Source;
use demat_formats::json::JsonSource;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, shape, ..] = arguments.as_slice() else { return Err("FILE SHAPE [RUNS]".into()) };
    let (text, shape) = (std::fs::read(file)?, shape.parse()?);
    let mut best = f64::INFINITY;
    for _ in 0..arguments.get(3).map_or(Ok(10), |runs| runs.parse())? {
        let begin = Instant::now();
        let mut columns = Columns::new(&shape)?;
        let mut source = JsonSource::new(&text);
        source.list()?;
        columns.records(&mut source, 1024)?;
        columns.reserve(text.len() / (columns.mark().offset / columns.rows().max(1)).max(1) * 33 / 32 + 1);
        columns.records(&mut source, usize::MAX)?;
        source.end()?;
        let batch = columns.finish()?;
        let took = begin.elapsed().as_secs_f64();
        drop(batch);
        best = best.min(took);
    }
    println!("{:.1} ms", best * 1e3);
    Ok(())
}
