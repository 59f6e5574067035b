//! Measures the engines of a format, which take turns.

use crate::engine::{Engine, Job, Result};
use std::time::Duration;

/// How long a turn is at least.
const TURN: Duration = Duration::from_millis(2);

/// Nanoseconds a call: the fastest turn, and the median of all.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Time {
    /// The fastest.
    pub min: f64,
    /// The middle one.
    pub median: f64,
}

impl Time {
    /// Takes the fastest turn and the median of all; `turns` must not be empty.
    fn of(mut turns: Vec<f64>) -> Self {
        turns.sort_by(f64::total_cmp);
        let middle = turns.len() / 2;
        let median =
            if turns.len().is_multiple_of(2) { f64::midpoint(turns[middle - 1], turns[middle]) } else { turns[middle] };
        Self { min: turns[0], median }
    }
}

/// Returns the times of each engine in one job, in the engines' order.
///
/// A round gives each engine one turn, and each round begins with another engine.
///
/// # Errors
/// If an engine fails.
pub fn measure(engines: &mut [Engine], job: Job, rounds: u32) -> Result<Vec<Time>> {
    let mut calls = Vec::with_capacity(engines.len());
    for engine in &mut *engines {
        calls.push(calls_a_turn(engine, job)?);
    }
    let mut turns = vec![Vec::with_capacity(rounds as usize); engines.len()];
    for round in 0..rounds as usize {
        for turn in 0..engines.len() {
            let at = (round + turn) % engines.len();
            let taken = engines[at].run(job, calls[at])?;
            turns[at].push(taken.as_secs_f64() * 1e9 / f64::from(calls[at]));
        }
    }
    Ok(turns.into_iter().map(Time::of).collect())
}

/// Doubles the number of calls until they fill a turn, which also warms the engine up.
///
/// Two turns in a row must be long enough: one alone may have waited for the processor.
fn calls_a_turn(engine: &mut Engine, job: Job) -> Result<u32> {
    let mut calls = 1;
    while engine.run(job, calls)?.min(engine.run(job, calls)?) < TURN && calls < 1 << 24 {
        calls *= 2;
    }
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn medians() {
        assert_eq!(Time::of(vec![3.0, 1.0, 2.0]), Time { min: 1.0, median: 2.0 });
        assert_eq!(Time::of(vec![4.0, 1.0, 2.0, 3.0]), Time { min: 1.0, median: 2.5 });
        assert_eq!(Time::of(vec![7.0]), Time { min: 7.0, median: 7.0 });
    }
}
