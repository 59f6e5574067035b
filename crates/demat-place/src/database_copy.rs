//! Copying rows of a database to a sink.

use demat_core::{Copier, Error, ErrorKind, Progress, Result, Shape, Signal, Sink, Source};
use demat_formats::stream::OnError;
use demat_sqlite::{PlainRows, RowSource, Rows, row_of};

/// Copies all rows; gives how many were written and left out. Each is a unit of its own.
pub(crate) fn copy<R: Rows>(
    source: &mut RowSource<R>,
    shape: &Shape,
    sink: &mut dyn Sink,
    on_error: &mut dyn OnError,
) -> Result<(u64, u64)> {
    let mut copier = Copier::new(shape.clone());
    copier.open_list();
    copier.begin(source);
    sink.begin(shape)?;
    let straight = row_of(shape).and_then(|record| PlainRows::of(source, &record));
    let (mut records, mut rejected) = (0, 0);
    loop {
        match copier.run(source, sink) {
            Ok(Progress::Unit) => {
                if let Some(straight) = &straight {
                    let told = source.tell_straight(straight, sink)?;
                    copier.told(told as usize, source);
                }
                records = copier.records().unwrap_or(records);
            }
            Ok(Progress::Done) => break,
            Err(error) if error.signal() == Some(Signal::Repeated) => {
                copier.rewind(source, sink)?;
                copier.go_carefully();
            }
            Err(error) => {
                leave_out(error, &mut copier, source, sink, on_error)?;
                rejected += 1;
                records = copier.records().unwrap_or(records);
            }
        }
    }
    source.end()?;
    sink.finish()?;
    Ok((records - rejected.min(records), rejected))
}

#[cold]
fn leave_out<R: Rows>(
    error: Error,
    copier: &mut Copier,
    source: &mut RowSource<R>,
    sink: &mut dyn Sink,
    on_error: &mut dyn OnError,
) -> Result<()> {
    let error = match copier.record() {
        Some(number) if error.position().record.is_none() => error.in_record(number),
        _ => error,
    };
    if error.kind() == ErrorKind::Io || !copier.in_list() || !on_error.goes_on(&error) {
        return Err(error);
    }
    copier.rewind(source, sink)?;
    match copier.pass_over(source, sink)? {
        Some(span) => on_error.reject(error, &span),
        None => Err(error),
    }
}
