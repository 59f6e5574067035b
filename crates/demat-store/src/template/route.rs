//! Routes: references with parameters.

use crate::fault::Fault;
use crate::reference::Reference;
use core::fmt;
use demat_core::Result;

/// A route. Its parameters match any name.
#[derive(Debug)]
pub(super) struct Route {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// Exactly this name.
    Own(String),
    /// A parameter with this name.
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

    /// Whether a reference matches the first names of the route.
    fn begins(&self, at: &[String]) -> bool {
        let is = |(part, name): (&Part, &String)| match part {
            Part::Own(own) => own == name,
            Part::Any(_) => true,
        };
        at.len() <= self.parts.len() && self.parts.iter().zip(at).all(is)
    }

    /// Whether the route continues after a reference.
    pub(super) fn leads(&self, at: &[String]) -> bool {
        at.len() < self.parts.len() && self.begins(at)
    }

    /// Returns the name that follows a reference in the route, if it is no parameter.
    pub(super) fn next(&self, at: &[String]) -> Option<&str> {
        match self.parts.get(at.len())? {
            Part::Own(name) if self.begins(at) => Some(name),
            _ => None,
        }
    }

    /// Returns the values of the parameters, if the reference matches the route.
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
