//! Reads values in the requested form, with replacements for values that the format can't represent.

use crate::failure::Failure;
use crate::linked::Linked;
use crate::non_finite::NonFiniteReplacer;
use crate::options::Options;
use crate::store_request::Representation;
use bytes::Bytes;
use demat_core::{Error, ErrorKind, Result};
use demat_place::WriteOptions;
use demat_store::{Replacements, Store, Unrepresentable, fault_of, representation, tolerating};
use http::{StatusCode, Uri};
use std::io::Write;

/// Encodes a value in the requested form. Returns `None` if it takes more than `limit` bytes.
pub(crate) fn encoded(
    store: &dyn Store,
    at: &[String],
    wanted: &Representation,
    limit: usize,
) -> Result<Option<Bytes>> {
    // Most of the bytes would come at the end, so the size limit would be noticed too late.
    if wanted.format.about().is_late {
        return Ok(None);
    }
    let how = wanted.shared.options.unrepresentable;
    let is_whole = |told: &Result<Option<Bytes>>| matches!(told, Ok(Some(_)));
    tolerant(wanted, is_whole, || {
        let Representation { query, format, link, .. } = wanted;
        let told = match link {
            None => store.encoded(at, query, *format, limit),
            Some(link) => {
                representation(*format, limit, |sink| store.get(at, query, &mut Linked::new(sink, link.clone())))
            }
        };
        match told {
            // Tables have replaced such values already. Another store is read a second time, with replacements.
            Err(error) if error.kind() == ErrorKind::Encode && format.is_json() && how != Unrepresentable::Refuse => {
                let mut replaced = 0;
                let told = representation(*format, limit, |sink| {
                    let mut finite = NonFiniteReplacer::new(sink, how);
                    let told = match link {
                        None => store.get(at, query, &mut finite),
                        Some(link) => store.get(at, query, &mut Linked::new(&mut finite, link.clone())),
                    };
                    replaced = finite.replaced;
                    told
                });
                said(wanted, replaced);
                told
            }
            told => told,
        }
    })
}

/// Writes a value in the requested form.
pub(crate) fn read(
    store: &dyn Store,
    at: &[String],
    wanted: &Representation,
    to: &mut (dyn Write + Send),
) -> Result<()> {
    let how = wanted.shared.options.unrepresentable;
    tolerant(
        wanted,
        |_| true,
        || {
            let Representation { query, format, link, .. } = wanted;
            let whole = !format.is_json() || how == Unrepresentable::Refuse || store.mends();
            if whole && link.is_none() {
                return store.read(at, query, *format, to);
            }
            let mut sink = demat_place::sink(*format, &WriteOptions::of(*format), to)?;
            let mut finite = NonFiniteReplacer::new(&mut *sink, if whole { Unrepresentable::Refuse } else { how });
            let told = match link {
                None => store.get(at, query, &mut finite),
                Some(link) => store.get(at, query, &mut Linked::new(&mut finite, link.clone())),
            };
            said(wanted, finite.replaced);
            told
        },
    )
}

/// Reads with replacements enabled, and logs them if the result is sent.
fn tolerant<T>(wanted: &Representation, is_answer: impl FnOnce(&T) -> bool, read: impl FnOnce() -> T) -> T {
    let (options, uri) = (&wanted.shared.options, &wanted.uri);
    let (told, replaced) = tolerating(options.unrepresentable, wanted.format.is_columnar(), read);
    if replaced.count() > 0 && is_answer(&told) {
        replacements(options, uri, &replaced);
    }
    told
}

#[cold]
fn replacements(options: &Options, uri: &Uri, replaced: &Replacements) {
    for line in replaced.lines() {
        options.say(&format!("GET {}: {} instead of the value in {line}", shown(uri), options.unrepresentable));
    }
    let more = replaced.count() - replaced.lines().len() as u64;
    if more > 0 {
        options.say(&format!("GET {}: {} instead of {more} more values", shown(uri), options.unrepresentable));
    }
}

/// Logs how many numbers were replaced where no row is known.
pub(crate) fn said(wanted: &Representation, replaced: u64) {
    if replaced > 0 {
        let options = &wanted.shared.options;
        let uri = shown(&wanted.uri);
        options.say(&format!("{uri}: {} instead of {replaced} numbers that are not finite", options.unrepresentable));
    }
}

/// Logs that an answer failed after its first bytes were sent.
#[cold]
pub(crate) fn broke_off(options: &Options, uri: &Uri, error: &Error) {
    options.say(&format!("GET {}: the answer broke off: {error}", shown(uri)));
}

fn shown(uri: &Uri) -> String {
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    target.escape_default().to_string()
}

/// The failure of a read. A row that contradicts its table is a fault of the server (500), not of the client.
pub(crate) fn failed(failure: Failure) -> Failure {
    let is_row = failure.error.position().record.is_some() && fault_of(&failure.error).is_none();
    let is_value = matches!(failure.error.kind(), ErrorKind::Type | ErrorKind::Syntax | ErrorKind::Constraint);
    if !(is_row && is_value) {
        return failure;
    }
    Failure { status: StatusCode::INTERNAL_SERVER_ERROR, ..failure }
}
