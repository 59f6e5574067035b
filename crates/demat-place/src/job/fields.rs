//! The chosen and renamed fields of a copy.

use super::{CopyJob, CopyPlan, Renaming, table};
use demat_core::{Error, ErrorKind, Result, Shape};

impl CopyJob<'_> {
    /// Checks that a given shape has fields, if some are chosen or renamed.
    pub(super) fn know_fields(&self) -> Result<()> {
        let option = match (&self.fields, &*self.renames) {
            (Some(_), _) => "chosen",
            (None, [_, ..]) => "renamed",
            (None, []) => return Ok(()),
        };
        match self.shape.as_ref().filter(|shape| table::is_open(shape)) {
            Some(shape) => {
                let message = format!("fields can't be {option} of the shape `{shape}`, which does not name any");
                Err(Error::new(ErrorKind::Constraint, message))
            }
            None => Ok(()),
        }
    }

    /// Returns the plan, projected to the selected fields, with their new names.
    pub(super) fn projected(&self, plan: CopyPlan) -> Result<CopyPlan> {
        let plan = match &self.fields {
            Some(names) => plan.projected(names)?,
            None => plan,
        };
        plan.renamed(&self.renames)
    }

    /// Returns the shape of the source's records for that of an existing table: with the names that the source has.
    pub(super) fn unrenamed(&self, shape: Shape) -> Result<Shape> {
        let old = |(path, new): &(Vec<String>, String)| match &**path {
            [old] => Ok((vec![new.clone()], old.clone())),
            _ => Err(Error::new(ErrorKind::Constraint, "a field within a field gets no new name in an existing table")),
        };
        if self.renames.is_empty() {
            return Ok(shape);
        }
        let back = self.renames.iter().map(old).collect::<Result<Vec<_>>>()?;
        Ok(Renaming::new(&shape, &back)?.written)
    }
}
