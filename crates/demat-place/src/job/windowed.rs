//! A copy of a source that is read through a window.

use super::CopyJob;
use crate::lift::lift;
use crate::out::Out;
use crate::plan::CopyPlan;
use crate::reading::Text;
use crate::{Input, Summary, table};
use demat_core::{Error, ErrorKind, Result};
use demat_formats::codec::Visitor;
use demat_formats::stream::{Bordered, Window};

/// Copies records from a window.
pub(super) struct RunCopy<'c, 'j, 'i> {
    pub(super) job: &'c mut CopyJob<'j>,
    pub(super) window: Window<Input<'i>>,
    pub(super) out: Out,
}

impl Visitor for RunCopy<'_, '_, '_> {
    type Output = Result<(Summary, Out)>;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Result<(Summary, Out)> {
        let Self { job, mut window, out } = self;
        // Cells without a shape are text, and are read as that.
        let all_text = job.from.1.is_table() && !job.infer && job.shape.is_none() && job.accepted(&out).is_none();
        let plan = job.plan(&mut window, &mut reader, &out).and_then(|plan| job.projected(plan));
        let located = |error| lift(error).in_place(job.from.0.name_as_source());
        let plan = plan.map_err(located)?;
        if job.lax && (all_text || table::is_open(plan.whole())) {
            let message = "without a shape there is nothing to convert values to";
            return Err(located(Error::new(ErrorKind::Constraint, message)));
        }
        let bound = job.bound_to_sample(&plan, &mut window, &mut reader);
        let bound = bound.map_err(|error| CopyPlan::explain(plan.inferred, error)).map_err(located)?;
        let at = job.at.clone();
        let mut text = Text { window: &mut window, format: &mut reader, at: at.as_ref() };
        job.run_with(&mut text, (&plan, bound), out)
    }
}
