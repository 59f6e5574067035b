//! What stands where.

use crate::files::Files;
use crate::request::Handler;
use core::fmt;
use demat_core::Result;
use demat_store::{Reference, Store};
use std::sync::Arc;

/// What stands at a path, and below it.
#[derive(Clone)]
pub enum Mount {
    /// A store.
    Store(Arc<dyn Store>),
    /// Files, as they are.
    Files(Arc<Files>),
    /// A function, which gets what is asked and gives the answer.
    Handler(Arc<dyn Handler>),
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(store) => write!(f, "{}", store.describe()),
            Self::Files(files) => write!(f, "files {}", files.folder().display()),
            Self::Handler(_) => f.write_str("function"),
        }
    }
}

/// What stands where.
#[derive(Debug)]
pub(crate) struct Routes {
    /// The longest paths first.
    mounts: Vec<(Route, Mount)>,
}

/// A path, of which names that begin with a colon stand for any.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    pub(crate) path: String,
    pub(crate) names: Reference,
}

impl Route {
    /// Whether a reference is at it or below it.
    fn leads(&self, at: &[String]) -> bool {
        at.len() >= self.names.len() && self.names.iter().zip(at).all(|(own, name)| own.starts_with(':') || own == name)
    }

    /// What its names with a colon stand for.
    pub(crate) fn named(&self, at: &[String]) -> Vec<(String, String)> {
        let named = |(own, name): (&String, &String)| Some((own.strip_prefix(':')?.to_string(), name.clone()));
        self.names.iter().zip(at).filter_map(named).collect()
    }
}

impl Routes {
    pub(crate) fn new(mounts: Vec<(String, Mount)>) -> Result<Self> {
        let route = |(path, mount): (String, Mount)| Ok((Route { names: path.parse()?, path }, mount));
        let mut mounts = mounts.into_iter().map(route).collect::<Result<Vec<_>>>()?;
        let plain = |route: &Route| route.names.iter().filter(|name| !name.starts_with(':')).count();
        mounts.sort_by_key(|(route, _)| core::cmp::Reverse((route.names.len(), plain(route))));
        Ok(Self { mounts })
    }

    /// What stands at a reference, and how many of its names lead there. A function stands for itself and nothing below.
    pub(crate) fn find(&self, at: &[String]) -> Option<(&Route, &Mount)> {
        let leads = |(route, mount): &&(Route, Mount)| {
            route.leads(at) && (!matches!(mount, Mount::Handler(_)) || at.len() == route.names.len())
        };
        self.mounts.iter().find(leads).map(|(route, mount)| (route, mount))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Route, Mount)> {
        self.mounts.iter()
    }
}
