//! References with names that stand for any.

use crate::fault::Fault;
use crate::reference::Reference;
use core::fmt;
use demat_core::Result;

/// A reference with names that stand for any.
#[derive(Debug)]
pub(super) struct Route {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// This name.
    Own(String),
    /// Any, which is called so.
    Any(String),
}

impl Route {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let bad = |why: &str| Fault::BadReference.because(format!("`{text}` {why}"));
        let mut parts: Vec<Part> = Vec::new();
        for name in &*text.parse::<Reference>()? {
            let part = match name.strip_prefix(':') {
                None => Part::Own(name.clone()),
                Some("") => return Err(bad("has a colon with no name behind it")),
                Some(any) if parts.iter().any(|part| matches!(part, Part::Any(own) if own == any)) => {
                    return Err(bad("has a name twice"));
                }
                Some(any) => Part::Any(any.to_string()),
            };
            parts.push(part);
        }
        Ok(Self { parts })
    }

    /// Whether a reference is as the first names say.
    fn begins(&self, at: &[String]) -> bool {
        let is = |(part, name): (&Part, &String)| match part {
            Part::Own(own) => own == name,
            Part::Any(_) => true,
        };
        at.len() <= self.parts.len() && self.parts.iter().zip(at).all(is)
    }

    /// Whether it goes on behind a reference.
    pub(super) fn leads(&self, at: &[String]) -> bool {
        at.len() < self.parts.len() && self.begins(at)
    }

    /// The name that follows a reference, if it is one.
    pub(super) fn next(&self, at: &[String]) -> Option<&str> {
        match self.parts.get(at.len())? {
            Part::Own(name) if self.begins(at) => Some(name),
            _ => None,
        }
    }

    /// What the names stand for in a reference that is as the route says.
    pub(super) fn names<'a>(&'a self, at: &'a [String]) -> Option<Vec<(&'a str, &'a str)>> {
        if at.len() != self.parts.len() || !self.begins(at) {
            return None;
        }
        let name = |(part, name): (&'a Part, &'a String)| match part {
            Part::Own(_) => None,
            Part::Any(own) => Some((&**own, &**name)),
        };
        Some(self.parts.iter().zip(at).filter_map(name).collect())
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str("/");
        }
        self.parts.iter().try_for_each(|part| match part {
            Part::Own(name) => f.write_str(&crate::reference::shown(core::slice::from_ref(name))),
            Part::Any(name) => write!(f, "/:{name}"),
        })
    }
}
