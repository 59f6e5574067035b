//! Which methods are allowed (`Allow`), and the answer to others.

use crate::answer::{self, Reply};
use crate::failure::Failure;
use http::{Method, StatusCode};

/// Formats methods for an `Allow` header. `GET` implies `HEAD`, and `OPTIONS` is always allowed.
pub(crate) fn allowed(methods: &[Method]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for method in methods {
        let own = if *method == Method::GET { &["GET", "HEAD"][..] } else { &[method.as_str()] };
        names.extend(own.iter().filter(|own| **own != "OPTIONS"));
    }
    names.push("OPTIONS");
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    names.join(", ")
}

/// Answers 405 to a method that is not served.
pub(crate) fn not_allowed(method: &Method, served: &[Method]) -> Reply {
    let allowed = allowed(served);
    let failure = Failure::new(StatusCode::METHOD_NOT_ALLOWED, format!("`{method}` is not served here, but {allowed}"));
    answer::allowing(answer::failed(&failure), &allowed)
}
