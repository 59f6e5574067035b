//! Every engine, and for each the jobs it can do.
//!
//! An engine is one file here with one function a job and a table of them. To add one: write the file, name it below.

mod csv;
mod demat;
mod floor;
mod serde_json;
#[cfg(feature = "simd-json")]
mod simd_json;
mod sonic_rs;

use crate::run::Job;

/// A peer, a floor, or Demat. A peer that can do a job in several ways stands here once for each.
#[derive(Debug)]
pub struct Engine {
    /// As the definitions name it.
    pub name: &'static str,
    /// The jobs it can do, by the `model` of their definitions.
    pub jobs: &'static [(&'static str, Job)],
}

impl Engine {
    /// Whether this is the least work that the job could be, and not the job.
    pub fn is_floor(&self) -> bool {
        self.name == "floor"
    }

    /// Its function for the jobs of one model.
    pub fn job(&self, model: &str) -> Option<Job> {
        self.jobs.iter().find(|(name, _)| *name == model).map(|(_, job)| *job)
    }
}

/// The engines in this build.
pub fn all() -> Vec<&'static Engine> {
    let mut all = vec![&floor::FLOOR];
    all.push(&demat::DEMAT);
    all.extend(serde_json::ENGINES);
    all.extend(sonic_rs::ENGINES);
    #[cfg(feature = "simd-json")]
    all.push(&simd_json::SIMD_JSON);
    all.extend(csv::ENGINES);
    all
}
