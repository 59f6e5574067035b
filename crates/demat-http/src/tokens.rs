//! Tokens, and the roles that they have.

use crate::failure::Failure;
use crate::options::Options;
use crate::routes::Routes;
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use http::header::AUTHORIZATION;
use http::{HeaderMap, Method, StatusCode};

/// A token and its roles.
///
/// ```
/// let token = demat_http::Token::new("s3cret", ["read", "write"]);
/// assert_eq!(format!("{token:?}"), r#"Token { roles: ["read", "write"], .. }"#);
/// ```
#[derive(Clone)]
pub struct Token {
    secret: String,
    roles: Vec<String>,
}

impl Token {
    /// Returns a token with these roles.
    pub fn new(secret: impl Into<String>, roles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { secret: secret.into(), roles: roles.into_iter().map(Into::into).collect() }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secret must not appear in logs.
        f.debug_struct("Token").field("roles", &self.roles).finish_non_exhaustive()
    }
}

/// The role that reads a route, unless the route names others.
pub(crate) const READ: &str = "read";
/// The role that changes something, unless the route names others.
pub(crate) const WRITE: &str = "write";

/// The roles that a route needs: one of these.
#[derive(Debug, Clone)]
pub(crate) struct Needed {
    pub(crate) read: Vec<String>,
    pub(crate) write: Vec<String>,
}

impl Default for Needed {
    fn default() -> Self {
        Self { read: vec![READ.to_string()], write: vec![WRITE.to_string()] }
    }
}

impl Needed {
    /// The roles for a method.
    pub(crate) fn of(&self, method: &Method) -> &[String] {
        if matches!(*method, Method::GET | Method::HEAD) { &self.read } else { &self.write }
    }
}

/// What a request may do.
#[derive(Debug, Clone, Default)]
pub(crate) enum Permit {
    /// Everything: the server has no tokens, or this one has every role.
    #[default]
    All,
    Roles(Vec<String>),
}

impl Permit {
    /// Refuses a request whose token has none of these roles.
    pub(crate) fn allows(&self, needed: &[String]) -> core::result::Result<(), Failure> {
        match self {
            Self::All => Ok(()),
            Self::Roles(own) if needed.iter().any(|role| own.contains(role)) => Ok(()),
            Self::Roles(_) => {
                let said = format!("the token has not the role {}", shown(needed));
                Err(Failure::new(StatusCode::FORBIDDEN, said))
            }
        }
    }
}

fn shown(roles: &[String]) -> String {
    roles.iter().map(|role| format!("`{role}`")).collect::<Vec<_>>().join(" or ")
}

/// The tokens of a server.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    /// With the permit of each.
    tokens: Vec<(String, Permit)>,
    /// Every role of the routes, for tokens that have all.
    all: Vec<String>,
}

impl Tokens {
    /// # Errors
    /// If a token can't be sent or is there twice, has a role that no route needs, or if a route needs a role that no
    /// token has.
    pub(crate) fn new(options: &Options, routes: &Routes) -> Result<Self> {
        let wrong = |what: String| Err(Error::new(ErrorKind::Store, what));
        let needed: Vec<&str> = routes
            .iter()
            .flat_map(|route| route.roles.iter())
            .flat_map(|own| own.read.iter().chain(&own.write))
            .map(|role| &**role)
            .collect();
        let has_tokens = options.token.is_some() || !options.tokens.is_empty();
        if let (false, Some(role)) = (has_tokens, needed.first()) {
            return wrong(format!("a route needs the role `{role}`, and the server has no tokens"));
        }
        let mut all: Vec<String> =
            [READ, WRITE].into_iter().chain(needed.iter().copied()).map(str::to_string).collect();
        all.sort_unstable();
        all.dedup();
        let mut tokens: Vec<(String, Permit)> = Vec::new();
        // An empty one would be that of every request without a token.
        let is_bad = |secret: &String| secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic());
        if options.tokens.iter().map(|own| &own.secret).chain(&options.token).any(is_bad) {
            return wrong("a token has visible ASCII characters, and no spaces".to_string());
        }
        for Token { secret, roles } in &options.tokens {
            if let Some(role) = roles.iter().find(|role| !all.contains(role)) {
                return wrong(format!("no route needs the role `{role}`, which a token has; there is {}", shown(&all)));
            }
            if roles.is_empty() {
                return wrong("a token has no role".to_string());
            }
            tokens.push((secret.clone(), Permit::Roles(roles.clone())));
        }
        tokens.extend(options.token.iter().map(|secret| (secret.clone(), Permit::All)));
        for (index, (secret, _)) in tokens.iter().enumerate() {
            if tokens[..index].iter().any(|(other, _)| other == secret) {
                return wrong("two tokens are the same".to_string());
            }
        }
        let has = |role: &str| {
            options.token.is_some() || options.tokens.iter().any(|own| own.roles.iter().any(|own| own == role))
        };
        for own in routes.iter().filter_map(|route| route.roles.as_ref()) {
            for roles in [&own.read, &own.write] {
                let is_default = |role: &String| role == READ || role == WRITE;
                if !roles.iter().any(|role| has(role) || is_default(role)) {
                    return wrong(format!("a route needs the role {}, which no token has", shown(roles)));
                }
            }
        }
        Ok(Self { tokens, all })
    }

    /// Whether requests need a token.
    pub(crate) fn are_needed(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Returns what the token of a request permits. Fails if the token is missing or unknown.
    pub(crate) fn permit(&self, headers: &HeaderMap) -> core::result::Result<Permit, Failure> {
        if !self.are_needed() {
            return Ok(Permit::All);
        }
        let mut said = headers.get_all(AUTHORIZATION).iter();
        let said = said.next().filter(|_| said.next().is_none()).and_then(|said| said.to_str().ok());
        let said =
            said.and_then(|said| said.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let said = said.map_or("", |(_, said)| said.trim());
        // Compares with every token, so that the time does not tell which one comes close.
        let mut found = None;
        for (secret, permit) in &self.tokens {
            if is_same(secret, said) {
                found = Some(permit);
            }
        }
        found.cloned().ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "a token is needed"))
    }

    /// The roles of a permit, for functions.
    pub(crate) fn roles(&self, permit: &Permit) -> Vec<String> {
        match permit {
            Permit::All if self.are_needed() => self.all.clone(),
            Permit::All => Vec::new(),
            Permit::Roles(roles) => roles.clone(),
        }
    }
}

/// Compares in the same time for every text of this length, so that the time reveals nothing about the correct part.
fn is_same(secret: &str, said: &str) -> bool {
    let begin = secret.len() ^ said.len();
    secret.bytes().zip(said.bytes()).fold(begin, |other, (a, b)| other | usize::from(a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn tokens(token: Option<&str>, more: &[(&str, &[&str])]) -> Result<Tokens> {
        let options = Options {
            token: token.map(str::to_string),
            tokens: more.iter().map(|(secret, roles)| Token::new(*secret, roles.iter().copied())).collect(),
            ..Options::default()
        };
        let none: [crate::routes::Route; 0] = [];
        Tokens::new(&options, &Routes::new(none)?)
    }

    fn status(tokens: &Tokens, said: &[&str]) -> u16 {
        let mut headers = HeaderMap::new();
        for said in said {
            headers.append(AUTHORIZATION, HeaderValue::from_str(said).unwrap());
        }
        let needed = Needed::default();
        let done = tokens.permit(&headers).and_then(|permit| permit.allows(needed.of(&Method::POST)));
        done.map_or_else(|failure| failure.status.as_u16(), |()| 200)
    }

    #[test]
    fn a_token_permits_what_its_roles_do() {
        let own = tokens(Some("all"), &[("reader", &["read"]), ("writer", &["write"])]).unwrap();
        for (said, expected) in [
            (&[][..], 401),
            (&["Bearer reader"], 403),
            (&["bearer  writer"], 200),
            (&["Bearer all"], 200),
            (&["Bearer al"], 401),
            (&["Bearer alll"], 401),
            (&["Bearer "], 401),
            (&["Basic all"], 401),
            (&["all"], 401),
            (&["Bearer all", "Bearer all"], 401),
        ] {
            assert_eq!(status(&own, said), expected, "{said:?}");
        }
        assert_eq!(status(&tokens(None, &[]).unwrap(), &[]), 200);
    }

    #[test]
    fn tokens_that_can_not_work_are_refused() {
        for more in [
            &[("", &["read"][..])][..],
            &[("a b", &["read"])],
            &[("ä", &["read"])],
            &[("a", &["other"])],
            &[("a", &[])],
            &[("a", &["read"]), ("a", &["write"])],
            &[("own", &["read"])],
        ] {
            assert!(tokens(Some("own"), more).is_err(), "{more:?}");
        }
    }
}
