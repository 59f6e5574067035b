//! Access checks for browsers: the `Host` header of each request, and the origin of changes.
//!
//! A browser sends requests of any page to any address, also to that of this machine. Two rules keep foreign pages out.
//!
//! - With DNS rebinding, a page makes its own name resolve to this server. The browser then sends that name as `Host`,
//!   and the server refuses unknown hosts.
//! - A page of another origin that changes something reveals it by `Origin` or `Sec-Fetch-Site`. Without these headers
//!   it can only send what HTML forms can, so a body must have a media type that forms can't send.

use crate::failure::Failure;
use core::net::{IpAddr, Ipv6Addr};
use demat_core::{Error, ErrorKind, Result};
use http::header::{HOST, HeaderName, ORIGIN};
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode};

/// Header in which a browser says how the page's site relates to the server's.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The hosts that the server accepts, and the origins whose pages may use it.
#[derive(Debug)]
pub(crate) struct Gate {
    bound: IpAddr,
    hosts: Vec<Name>,
    /// `*` allows all.
    origins: Vec<String>,
}

/// The host part of a `Host` header.
#[derive(Debug, PartialEq, Eq)]
enum Name {
    Address(IpAddr),
    /// Lowercase.
    Name(String),
}

impl Name {
    /// Parses a `Host` header. Returns `None` if it is invalid.
    fn of(authority: &str) -> Option<Self> {
        let (host, port) = if let Some(rest) = authority.strip_prefix('[') {
            let (host, port) = rest.split_once(']')?;
            (Self::Address(host.parse::<Ipv6Addr>().ok()?.into()), port)
        } else {
            let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
            if host.is_empty() || !host.bytes().all(is_name) {
                return None;
            }
            (host.parse().map_or_else(|_| Self::Name(host.to_ascii_lowercase()), Self::Address), port)
        };
        let port = port.strip_prefix(':').unwrap_or(if port.is_empty() { "" } else { "x" });
        let is_port = port.is_empty() || port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
        is_port.then_some(host)
    }
}

impl Gate {
    /// - `bound`: the address that the server listens on
    /// - `hosts`: additional accepted names
    ///
    /// # Errors
    /// If a host name or an origin is invalid.
    pub(crate) fn new(bound: IpAddr, hosts: &[String], origins: &[String]) -> Result<Self> {
        let wrong = |what: String| Error::new(ErrorKind::Store, what);
        let host = |text: &String| {
            let name = Name::of(text).filter(|_| !text.contains(':') || text.ends_with(']'));
            name.ok_or_else(|| wrong(format!("`{text}` is no name of a host, such as `example.org`")))
        };
        let hosts = hosts.iter().map(host).collect::<Result<_>>()?;
        for origin in origins {
            let rest = origin.split_once("://").filter(|(scheme, _)| !scheme.is_empty()).map(|(_, rest)| rest);
            if !matches!(&**origin, "*" | "null")
                && rest.is_none_or(|rest| rest.is_empty() || rest.contains(['/', ' ', ',']))
            {
                return Err(wrong(format!("`{origin}` is no origin, such as `https://example.org`, or `*`")));
            }
        }
        Ok(Self { bound, hosts, origins: origins.to_vec() })
    }

    /// Refuses a request whose host is missing, ambiguous or unknown.
    pub(crate) fn admits(&self, parts: &Parts) -> core::result::Result<(), Failure> {
        let wrong = |what: &'static str| Failure::new(StatusCode::BAD_REQUEST, what);
        let mut said = parts.headers.get_all(HOST).iter();
        let (Some(host), None) = (said.next(), said.next()) else {
            return Err(wrong("a request names one host"));
        };
        let host = host.to_str().map_err(|_| wrong("that is no host"))?;
        self.knows(host)?;
        // A request may name its host twice. Proxies and caches use either, so both must agree.
        match parts.uri.authority() {
            Some(own) if parts.method != Method::CONNECT && !own.as_str().eq_ignore_ascii_case(host) => {
                Err(wrong("the request is for another host than it says"))
            }
            _ => Ok(()),
        }
    }

    fn knows(&self, host: &str) -> core::result::Result<(), Failure> {
        let Some(name) = Name::of(host) else {
            return Err(Failure::new(StatusCode::BAD_REQUEST, "that is no host"));
        };
        let known = match &name {
            Name::Name(name) if name == "localhost" => true,
            // DNS rebinding needs a name: an IP address can't be made to resolve elsewhere.
            Name::Address(address) => self.bound.is_unspecified() || address.is_loopback() || *address == self.bound,
            Name::Name(_) => false,
        };
        if known || self.hosts.contains(&name) {
            return Ok(());
        }
        let said = format!(
            "`{host}` is not served here; if it is to be, say so: `hosts=[…]` in Python, `--host-name` on the command line"
        );
        Err(Failure::new(StatusCode::MISDIRECTED_REQUEST, said))
    }

    /// Refuses a change if the request comes from a page of an origin that is not allowed.
    pub(crate) fn lets_change(&self, headers: &HeaderMap) -> core::result::Result<(), Failure> {
        let refused = |whose: &str| {
            let said = format!("a page of {whose} may change nothing here, unless `cors` names its origin");
            Err(Failure::new(StatusCode::FORBIDDEN, said))
        };
        let mut said = headers.get_all(ORIGIN).iter();
        let is_own = headers.get_all(SITE).iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
        match (said.next(), said.next()) {
            (None, _) if is_own || self.allows("*") => Ok(()),
            (None, _) => refused("another site"),
            (Some(_), Some(_)) => refused("two origins"),
            (Some(origin), None) => {
                let origin = origin.to_str().unwrap_or("?");
                let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
                if self.allows(origin) || is_own && is_same(origin, host) {
                    Ok(())
                } else {
                    refused(&format!("`{origin}`"))
                }
            }
        }
    }

    fn allows(&self, origin: &str) -> bool {
        self.origins.iter().any(|own| own == "*" || own.eq_ignore_ascii_case(origin))
    }

    /// Returns the value of `Access-Control-Allow-Origin`; `None` if the page may not read the answer.
    pub(crate) fn shared_with(&self, headers: &HeaderMap) -> Option<String> {
        if self.origins.iter().any(|own| own == "*") {
            return Some("*".to_string());
        }
        let origin = headers.get(ORIGIN)?.to_str().ok()?;
        self.allows(origin).then(|| origin.to_string())
    }

    /// Returns whether the answer's headers depend on the origin (`Vary: origin`).
    pub(crate) fn varies(&self) -> bool {
        !self.origins.is_empty() && self.origins.iter().all(|own| own != "*")
    }
}

/// Returns whether an origin is the requested host. The scheme may differ, since a proxy may add TLS in front of this
/// server.
fn is_same(origin: &str, host: &str) -> bool {
    let Some((scheme, own)) = origin.split_once("://") else { return false };
    let usual = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return false,
    };
    let bare = |text: &str| text.strip_suffix(usual).unwrap_or(text).to_ascii_lowercase();
    bare(own) == bare(host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderValue, Request};

    fn gate(bound: &str, hosts: &[&str], origins: &[&str]) -> Result<Gate> {
        let all = |of: &[&str]| of.iter().map(ToString::to_string).collect::<Vec<_>>();
        Gate::new(bound.parse().unwrap(), &all(hosts), &all(origins))
    }

    fn status(gate: &Gate, host: &str) -> u16 {
        let request = Request::builder().uri("/").header(HOST, HeaderValue::from_bytes(host.as_bytes()).unwrap());
        let (parts, ()) = request.body(()).unwrap().into_parts();
        gate.admits(&parts).map_or_else(|failure| failure.status.as_u16(), |()| 200)
    }

    #[test]
    fn hosts_are_those_of_this_machine_and_those_that_are_named() {
        let own = gate("127.0.0.1", &["example.org", "192.0.2.7"], &[]).unwrap();
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]:9",
            "Example.ORG:443",
            "192.0.2.7",
            "localhost:",
        ] {
            assert_eq!(status(&own, host), 200, "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "example.org.",
            "10.0.0.1",
            "[2001:db8::1]",
            "0.0.0.0",
            "1.2.3",
            "localhost.",
        ] {
            assert_eq!(status(&own, host), 421, "{host}");
        }
        for host in [
            "",
            ":80",
            "a b",
            "a:b",
            "a:99999",
            "a:1:2",
            "[::1",
            "[::1]x",
            "::1",
            "a/b",
            "u@localhost",
            "localhost#x",
            "é",
        ] {
            assert_eq!(status(&own, host), 400, "{host}");
        }
        let all = gate("0.0.0.0", &[], &[]).unwrap();
        assert_eq!(
            [status(&all, "10.1.2.3:80"), status(&all, "[fe80::1]"), status(&all, "evil.example")],
            [200, 200, 421]
        );
        let one = gate("10.0.0.1", &[], &[]).unwrap();
        assert_eq!([status(&one, "10.0.0.1"), status(&one, "10.0.0.2")], [200, 421]);
    }

    #[test]
    fn a_request_names_one_host() {
        let own = gate("127.0.0.1", &[], &[]).unwrap();
        let none = Request::builder().uri("/").body(()).unwrap().into_parts().0;
        let two = Request::builder().uri("/").header(HOST, "localhost").header(HOST, "localhost");
        let other = Request::builder().uri("http://evil.example/").header(HOST, "localhost");
        for parts in [none, two.body(()).unwrap().into_parts().0, other.body(()).unwrap().into_parts().0] {
            assert_eq!(own.admits(&parts).unwrap_err().status.as_u16(), 400);
        }
        let same =
            Request::builder().uri("http://localhost:1/").header(HOST, "localhost:1").body(()).unwrap().into_parts().0;
        assert!(own.admits(&same).is_ok());
    }

    #[test]
    fn pages_of_other_origins_change_nothing() {
        let lets = |gate: &Gate, host: &str, origin: Option<&str>, site: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_str(host).unwrap());
            headers.extend(origin.map(|origin| (ORIGIN, HeaderValue::from_str(origin).unwrap())));
            headers.extend(site.map(|site| (SITE, HeaderValue::from_str(site).unwrap())));
            gate.lets_change(&headers).is_ok()
        };
        let own = gate("127.0.0.1", &[], &["https://friend.example"]).unwrap();
        let here = "localhost:8080";
        for (origin, site) in [
            (None, None),
            (None, Some("none")),
            (None, Some("same-origin")),
            (Some("http://localhost:8080"), None),
            (Some("HTTP://LOCALHOST:8080"), None),
            (Some("https://localhost:8080"), Some("same-origin")),
            (Some("https://friend.example"), Some("cross-site")),
        ] {
            let lower = origin.map(str::to_ascii_lowercase);
            assert!(lets(&own, here, lower.as_deref(), site), "{origin:?} {site:?}");
        }
        for (origin, site) in [
            (None, Some("cross-site")),
            (None, Some("same-site")),
            (None, Some("")),
            (Some("http://evil.example"), None),
            (Some("null"), None),
            (Some("http://localhost"), None),
            (Some("http://localhost:8081"), Some("same-site")),
            (Some("http://127.0.0.1:8080"), None),
            (Some("http://localhost:8080"), Some("cross-site")),
            (Some("https://friend.example:444"), None),
            (Some("localhost:8080"), None),
            (Some(""), None),
        ] {
            assert!(!lets(&own, here, origin, site), "{origin:?} {site:?}");
        }
        assert!(lets(&own, "localhost", Some("http://localhost:80"), None));
        let mut twice = HeaderMap::new();
        for site in ["same-origin", "cross-site"] {
            twice.append(SITE, HeaderValue::from_static(site));
        }
        assert!(own.lets_change(&twice).is_err());
        let open = gate("127.0.0.1", &[], &["*"]).unwrap();
        assert!(lets(&open, here, Some("null"), Some("cross-site")) && lets(&open, here, None, Some("cross-site")));
    }

    #[test]
    fn what_is_no_host_or_origin_is_refused_at_once() {
        for host in ["", "*", "a b", "http://a", "a:80", "a/b", "[::1"] {
            assert!(gate("127.0.0.1", &[host], &[]).is_err(), "{host}");
        }
        for origin in ["", "a", "https://", "https://a/", "https://a,https://b", "://a"] {
            assert!(gate("127.0.0.1", &[], &[origin]).is_err(), "{origin}");
        }
        assert!(
            gate("127.0.0.1", &["[::1]", "10.0.0.1", "a-b.c_d"], &["null", "chrome-extension://x", "http://a:1"])
                .is_ok()
        );
    }
}
