//! Maps the entity tags of servers to versions.

use core::hash::{Hash as _, Hasher as _};
use core::num::NonZero;
use demat_store::{Version, When};
use http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue};
use lru::LruCache;
use std::hash::DefaultHasher;
use std::sync::{Mutex, PoisonError};

/// The maximum number of remembered tags.
const MOST: NonZero<usize> = NonZero::new(4096).unwrap();

/// Converts tags to versions and back. The tags of a Demat server contain the version; those of other servers are
/// remembered. A forgotten tag matches no version.
pub(super) struct Tags {
    others: Mutex<LruCache<u64, HeaderValue>>,
}

impl Tags {
    pub(super) fn new() -> Self {
        Self { others: Mutex::new(LruCache::new(MOST)) }
    }

    /// Returns the version of an answer, if it has one.
    pub(super) fn version(&self, headers: &HeaderMap) -> Option<Version> {
        let tag = headers.get(ETAG)?;
        if let Some(version) = own(tag) {
            return Some(version);
        }
        let mut hasher = DefaultHasher::new();
        tag.as_bytes().hash(&mut hasher);
        let version = hasher.finish();
        self.others.lock().unwrap_or_else(PoisonError::into_inner).put(version, tag.clone());
        Some(Version(version))
    }

    /// Sets the conditional headers.
    pub(super) fn say(&self, when: &When, headers: &mut HeaderMap) {
        let star = || HeaderValue::from_static("*");
        match when {
            When::Always => {}
            When::There => drop(headers.insert(IF_MATCH, star())),
            When::Absent => drop(headers.insert(IF_NONE_MATCH, star())),
            When::Of(versions) => drop(headers.insert(IF_MATCH, self.tags(versions))),
            When::NotOf(versions) if versions.is_empty() => {}
            When::NotOf(versions) => drop(headers.insert(IF_NONE_MATCH, self.tags(versions))),
        }
    }

    fn tags(&self, versions: &[Version]) -> HeaderValue {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tags = Vec::new();
        for Version(version) in versions {
            if !tags.is_empty() {
                tags.extend_from_slice(b", ");
            }
            match others.get(version) {
                Some(tag) => tags.extend_from_slice(tag.as_bytes()),
                None => tags.extend_from_slice(format!("\"{version:016x}-00000000\"").as_bytes()),
            }
        }
        // An empty list of versions matches nothing, and neither does an empty tag.
        if tags.is_empty() {
            tags.extend_from_slice(b"\"\"");
        }
        HeaderValue::from_bytes(&tags).unwrap_or(HeaderValue::from_static("\"\""))
    }
}

/// Parses the version in a tag of a Demat server: sixteen digits, a hyphen, and eight for the representation.
fn own(tag: &HeaderValue) -> Option<Version> {
    let (version, form) = tag.to_str().ok()?.strip_prefix('"')?.strip_suffix('"')?.split_once('-')?;
    let digits = |text: &str, count: usize| {
        text.len() == count && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    };
    (digits(version, 16) && digits(form, 8)).then(|| u64::from_str_radix(version, 16).ok().map(Version))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(tags: &Tags, tag: &'static str) -> Version {
        let headers = HeaderMap::from_iter([(ETAG, HeaderValue::from_static(tag))]);
        tags.version(&headers).unwrap()
    }

    fn said(tags: &Tags, when: &When) -> Vec<(String, String)> {
        let mut headers = HeaderMap::new();
        tags.say(when, &mut headers);
        headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_string())).collect()
    }

    #[test]
    fn a_tag_is_a_version_and_the_other_way_round() {
        let tags = Tags::new();
        let own = seen(&tags, "\"00000000000000ff-12345678\"");
        assert_eq!(own, Version(255));
        let other = seen(&tags, "W/\"5f3e-1a2b\"");
        assert_ne!(other, seen(&tags, "\"5f3e-1a2b\""));
        let both = "\"00000000000000ff-00000000\", W/\"5f3e-1a2b\"";
        assert_eq!(said(&tags, &When::Of(vec![own, other])), [("if-match".into(), both.into())]);
        assert_eq!(said(&tags, &When::NotOf(vec![own, other])), [("if-none-match".into(), both.into())]);
        assert_eq!(said(&tags, &When::Of(vec![])), [("if-match".into(), "\"\"".into())]);
        for always in [When::Always, When::NotOf(vec![])] {
            assert_eq!(said(&tags, &always), []);
        }
        assert_eq!(said(&tags, &When::There), [("if-match".into(), "*".into())]);
        assert_eq!(said(&tags, &When::Absent), [("if-none-match".into(), "*".into())]);
    }
}
