//! The `Prefer` header (RFC 7240): what a client wishes of an answer.

use crate::answer::{self, Reply};
use crate::failure::Failure;
use demat_store::Fault;
use http::HeaderMap;
use http::header::HeaderName;

const PREFER: HeaderName = HeaderName::from_static("prefer");
const APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// What the answer to a change has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    /// No body.
    Minimal,
    /// No body, but the headers that it would have.
    HeadersOnly,
    /// What was changed.
    Representation,
}

/// The preferences of a request that this server knows.
///
/// RFC 7240 has unknown preferences ignored; `handling=strict` refuses them. A known one is honoured or refused, since a
/// client that wants duplicates merged must not get something else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Preferences {
    pub(crate) returned: Option<Return>,
    /// `resolution=merge-duplicates`
    pub(crate) merge: bool,
    /// `count=exact`
    pub(crate) count: bool,
}

impl Preferences {
    /// Parses the header. The first of several values of a preference counts.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Failure> {
        let mut own = Self::default();
        let (mut known, mut unknown, mut handling) = (Vec::new(), None, None);
        for line in headers.get_all(PREFER) {
            let line = line.to_str().map_err(|_| bad("`Prefer` is not ASCII".to_string()))?;
            for said in line.split(',').map(str::trim).filter(|said| !said.is_empty()) {
                let said = said.split(';').next().unwrap_or_default();
                let (name, value) = said.split_once('=').unwrap_or((said, ""));
                let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"'));
                if known.contains(&name) {
                    continue;
                }
                match (&*name, value) {
                    ("return", "minimal") => own.returned = Some(Return::Minimal),
                    ("return", "headers-only") => own.returned = Some(Return::HeadersOnly),
                    ("return", "representation") => own.returned = Some(Return::Representation),
                    ("resolution", "merge-duplicates") => own.merge = true,
                    ("count", "exact") => own.count = true,
                    ("handling", "strict") => handling = Some(true),
                    ("handling", "lenient") => handling = Some(false),
                    ("return", _) => return Err(of("return", value, "minimal, headers-only or representation")),
                    ("resolution", _) => return Err(of("resolution", value, "merge-duplicates")),
                    ("count", _) => return Err(of("count", value, "exact")),
                    ("handling", _) => return Err(of("handling", value, "strict or lenient")),
                    _ => {
                        // Unknown ones are not kept: there may be thousands.
                        unknown = unknown.or(Some(name));
                        continue;
                    }
                }
                known.push(name);
            }
        }
        match unknown {
            Some(unknown) if handling == Some(true) => {
                Err(bad(format!("the preference `{unknown}` is not known here, and `handling=strict` is asked for")))
            }
            _ => Ok(own),
        }
    }

    /// Refuses the preferences that have no meaning for a request. `takes`: those that have one.
    pub(crate) fn only(self, takes: &[&str], request: &str) -> Result<Self, Failure> {
        let said = [("return", self.returned.is_some()), ("resolution", self.merge), ("count", self.count)];
        match said.into_iter().find(|(name, said)| *said && !takes.contains(name)) {
            Some((name, _)) => Err(bad(format!("the preference `{name}` has no meaning for {request}"))),
            None => Ok(self),
        }
    }

    /// Tells the preferences that were honoured.
    pub(crate) fn say(self, reply: &mut Reply) {
        let returned = self.returned.map(|returned| match returned {
            Return::Minimal => "return=minimal",
            Return::HeadersOnly => "return=headers-only",
            Return::Representation => "return=representation",
        });
        let merged = self.merge.then_some("resolution=merge-duplicates");
        let counted = self.count.then_some("count=exact");
        let all: Vec<_> = [returned, merged, counted].into_iter().flatten().collect();
        if !all.is_empty() {
            answer::set(reply, APPLIED, &all.join(", "));
        }
    }
}

#[cold]
fn bad(said: String) -> Failure {
    Fault::BadQuery.because(said).into()
}

#[cold]
fn of(name: &str, value: &str, known: &str) -> Failure {
    bad(format!("the preference `{name}` is {known}, and not `{value}`"))
}
