//! Where a server is: a URL, and what it leaves to the environment.

use crate::failure::refused;
use crate::tls::TlsMode;
use core::fmt;
use demat_core::{Error, Result};
use percent_encoding::percent_decode_str;
use std::path::PathBuf;
use std::str::FromStr;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The address of a database: `postgresql://user:password@host:port/name?parameters`.
///
/// Its text never shows the password.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    config: Config,
    pub(crate) tls: TlsMode,
    pub(crate) root: Option<PathBuf>,
    shown: String,
}

/// The schemes of a URL.
const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

impl Address {
    /// Whether a text begins as a URL of a PostgreSQL database does.
    pub fn is_one(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| text.starts_with(scheme))
    }

    /// Parses a URL, whose parts are percent-encoded where they have characters of a URL.
    ///
    /// The parameters are those of `libpq` that the client honours, such as `host` (a folder with the server's socket, too),
    /// `sslmode`, `sslrootcert`, `connect_timeout`, `application_name`, `options` and `target_session_attrs`. What is not
    /// given is taken from the environment (`PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`).
    ///
    /// # Errors
    /// [`Store`](demat_core::ErrorKind::Store) if it is no such URL, or has a parameter that can't be honoured.
    ///
    /// ```
    /// use demat_postgres::Address;
    /// let address = Address::parse("postgresql://ada:secret@localhost/tasks?sslmode=disable")?;
    /// assert_eq!(address.to_string(), "postgresql://ada:***@localhost/tasks?sslmode=disable");
    /// assert!(Address::parse("postgresql://localhost/tasks?sslmode=allow").is_err());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn parse(url: &str) -> Result<Self> {
        Self::with_environment(url, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn with_environment(url: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let shown = masked(url);
        let wrong = |cause: &dyn fmt::Display| refused(format!("{cause}")).in_place(shown.clone());
        if !Self::is_one(url) {
            return Err(wrong(&"no URL of a PostgreSQL database: `postgresql://user@host:port/name`"));
        }
        if url.contains('#') {
            return Err(wrong(&"the URL of a database ends before a `#`, which is `%23` within it"));
        }
        let (base, parameters) = url.split_once('?').unwrap_or((url, ""));
        let (mut tls, mut root, mut kept) = (TlsMode::Prefer, None, String::new());
        let mut given = false;
        for pair in parameters.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = percent_decode_str(value).decode_utf8().map_err(|_| wrong(&"the URL is not UTF-8"))?;
            match name {
                "sslmode" => {
                    (tls, given) = (TlsMode::parse(&value).map_err(|error| error.in_place(shown.clone()))?, true);
                }
                "sslrootcert" => root = Some(PathBuf::from(&*value)),
                _ => {
                    kept.push(if kept.is_empty() { '?' } else { '&' });
                    kept.push_str(pair);
                }
            }
        }
        let mut config = Config::from_str(&format!("{base}{kept}")).map_err(|error| {
            wrong(&std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host(variable("PGHOST").unwrap_or_else(|| "localhost".to_string()));
        }
        if config.get_ports().is_empty()
            && let Some(port) = variable("PGPORT")
        {
            config.port(port.parse().map_err(|_| wrong(&"`PGPORT` is no number of a port"))?);
        }
        if config.get_user().is_none()
            && let Some(user) = variable("PGUSER")
        {
            config.user(user);
        }
        if config.get_password().is_none()
            && let Some(password) = variable("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_dbname().is_none()
            && let Some(name) = variable("PGDATABASE")
        {
            config.dbname(name);
        }
        if config.get_application_name().is_none() {
            config.application_name("demat");
        }
        #[cfg(unix)]
        if config.get_hosts().iter().any(|host| matches!(host, Host::Unix(_))) {
            if given && tls.is_required() {
                return Err(wrong(&"a socket of this machine is not encrypted, so `sslmode` can't be honoured"));
            }
            tls = TlsMode::Disable;
        }
        if root.is_some() && !tls.is_verified() {
            return Err(wrong(&"`sslrootcert` counts with `sslmode=verify-full` only"));
        }
        config.ssl_mode(tls.mode());
        Ok(Self { config, tls, root, shown })
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Whether two addresses lead to one database, as far as their text shows it.
    pub fn is_same(&self, other: &Self) -> bool {
        let ports = |config: &Config| match config.get_ports() {
            [] => vec![5_432],
            ports => ports.to_vec(),
        };
        let (one, other) = (&self.config, &other.config);
        let name = |config: &Config| config.get_dbname().or(config.get_user()).map(str::to_string);
        one.get_hosts() == other.get_hosts()
            && one.get_hostaddrs() == other.get_hostaddrs()
            && ports(one) == ports(other)
            && name(one) == name(other)
    }
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Address").field(&self.shown).finish()
    }
}

/// Returns a URL without its password.
///
/// ```
/// use demat_postgres::masked;
/// assert_eq!(masked("postgresql://a:b@h/d?password=c&x=y"), "postgresql://a:***@h/d?password=***&x=y");
/// ```
pub fn masked(url: &str) -> String {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['?', '#']).map_or(url.len(), |at| start + at);
    // A password with `?` or `#` is to be encoded. One that is not must not show, too; and a port is no password.
    let is_port =
        |text: &str| text.split(['/', ',']).next().is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    let end = match url[start..end].split_once(':') {
        Some((_, after)) if !url[start..end].contains('@') && !is_port(after) => {
            url.rfind('@').filter(|at| *at > end).map_or(end, |at| at + 1)
        }
        _ => end,
    };
    let (authority, rest) = (&url[start..end], &url[end..]);
    let mut shown = url[..start].to_string();
    match authority.rsplit_once('@') {
        Some((user, host)) => {
            match user.split_once(':') {
                Some((user, _)) => shown.extend([user, ":***"]),
                None => shown.push_str(user),
            }
            shown.extend(["@", host]);
        }
        None => shown.push_str(authority),
    }
    let mut rest = rest;
    while let Some(at) = rest.find("password=") {
        let value = at + "password=".len();
        shown.push_str(&rest[..value]);
        shown.push_str("***");
        rest = rest[value..].find(['&', '#', '?']).map_or("", |end| &rest[value + end..]);
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::Address;
    use tokio_postgres::config::Host;

    fn parse(url: &str) -> demat_core::Result<Address> {
        Address::with_environment(url, |name| (name == "PGUSER").then(|| "ada".to_string()))
    }

    #[test]
    fn what_is_not_given_is_taken_from_the_environment() {
        let address = parse("postgres://").unwrap();
        assert_eq!(address.config().get_user(), Some("ada"));
        assert_eq!(address.config().get_hosts(), [Host::Tcp("localhost".to_string())]);
        assert_eq!(parse("postgres://eve@").unwrap().config().get_user(), Some("eve"));
    }

    #[test]
    fn no_error_shows_the_password() {
        for url in [
            "postgresql://a:hunter2#@h/d",
            "postgresql://a:hunter2@h/d#t",
            "postgresql://a:hunter2@h/d?sslmode=no",
            "postgresql://a:hunter2@h/d?foo=1",
            "postgresql://a:hunter2@h:x/d",
        ] {
            let error = parse(url).unwrap_err().to_string();
            assert!(!error.contains("hunter"), "{error}");
        }
        for url in ["postgresql://a:hunter2@h/d", "postgresql://a:hunter?2@h/d"] {
            assert!(!format!("{:?}", parse(url).unwrap()).contains("hunter"));
        }
    }

    #[test]
    fn what_cannot_be_honoured_is_refused() {
        for url in [
            "postgresql://h/d?sslmode=allow",
            "postgresql://h/d?sslmode=verify-ca",
            "postgresql:///d?host=/tmp&sslmode=require",
            "postgresql://h/d?sslmode=require&sslrootcert=/x",
            "postgresql://h/d?unknown=1",
            "mysql://h/d",
        ] {
            assert!(parse(url).is_err(), "{url}");
        }
    }
}
