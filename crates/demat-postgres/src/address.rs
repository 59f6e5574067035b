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
    /// given is taken from the environment (`PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`, `PGSSLMODE`,
    /// `PGSSLROOTCERT`).
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
            let decoded = |text| percent_decode_str(text).decode_utf8().map_err(|_| wrong(&"the URL is not UTF-8"));
            let (name, value) = (decoded(name)?, decoded(value)?);
            match &*name {
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
        if !given && let Some(mode) = variable("PGSSLMODE") {
            (tls, given) = (TlsMode::parse(&mode).map_err(|error| error.in_place(shown.clone()))?, true);
        }
        if root.is_none() && tls.is_verified() {
            root = variable("PGSSLROOTCERT").map(PathBuf::from);
        }
        let mut config = Config::from_str(&format!("{base}{kept}")).map_err(|error| {
            wrong(&std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            for host in variable("PGHOST").as_deref().unwrap_or("localhost").split(',') {
                config.host(host);
            }
        }
        if config.get_ports().is_empty()
            && let Some(port) = variable("PGPORT")
        {
            for port in port.split(',') {
                config.port(port.parse().map_err(|_| wrong(&"`PGPORT` is no number of a port"))?);
            }
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
            let is_other = |host: &Host| match host {
                Host::Tcp(_) => true,
                // The client takes a list that begins with a folder for one folder.
                Host::Unix(folder) => folder.to_string_lossy().contains(','),
            };
            if config.get_hosts().iter().any(is_other) || !config.get_hostaddrs().is_empty() {
                return Err(wrong(
                    &"sockets of this machine, which are not encrypted, and hosts can't be given together",
                ));
            }
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
    // A password with `?`, `#` or `/` is to be encoded. One that is not must not show, too: what stands before the last
    // `@` is taken for the user and the password then. A statement may have an `@`, and a space before it.
    let behind = url[end..].find(char::is_whitespace).map_or(url.len(), |at| end + at);
    let is_value = |at: usize| url[end..at].contains('=') && !url[start..end].contains(':');
    let end = match url[..behind].rfind('@').filter(|at| *at > end) {
        Some(at) if !url[start..end].contains('@') && !is_value(at) => at + 1,
        _ => end,
    };
    let (authority, rest) = (&url[start..end], &url[end..]);
    let mut shown = url[..start].to_string();
    match authority.rsplit_once('@') {
        Some((user, host)) => {
            match user.find([':', '?', '#']) {
                Some(at) => shown.extend([&user[..at], ":***"]),
                None => shown.push_str(user),
            }
            shown.extend(["@", host]);
        }
        None => shown.push_str(authority),
    }
    for (at, part) in rest.split('&').enumerate() {
        if at > 0 {
            shown.push('&');
        }
        // The first one stands behind the `?`, and another part of the place may, too.
        let value = part.match_indices('=').find(|(equals, _)| is_secret(&part[..*equals]));
        match value {
            Some((equals, _)) => {
                let part_of_place = part.rfind('#').filter(|at| *at > equals && !part[*at..].contains(['@', '?', ':']));
                shown.extend([&part[..=equals], "***", part_of_place.map_or("", |at| &part[at..])]);
            }
            None => shown.push_str(part),
        }
    }
    shown
}

/// Whether a parameter's name, which other characters stand before, is that of a password.
fn is_secret(before: &str) -> bool {
    let name = percent_decode_str(before).decode_utf8_lossy();
    name.to_ascii_lowercase().ends_with("password")
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
    fn passwords_that_are_not_encoded_are_masked_too() {
        for url in [
            "postgresql://ada:1234?5secret@h/d",
            "postgresql://ada:2024#secret@h",
            "postgresql://ada:#secret@h",
            "postgresql://ada:a/b?secret@h/d#t",
            "postgresql://h/d?password=ab?secret",
            "postgresql://h/d?x=y&password=ab#secret?",
            "postgresql://h/d?pass%77ord=secret",
            "postgresql://h/d?x=y&PASSWORD=secret&z=1",
            "postgresql://h/d?sslpassword=secret",
        ] {
            let shown = super::masked(url);
            assert!(!shown.contains("secret") && shown.contains("***"), "{url}: {shown}");
        }
        for url in ["postgresql://h:5432/d?select a @ b", "postgresql://ada@h/d#t", "postgresql://h/d?user=a@b"] {
            assert_eq!(super::masked(url), url);
        }
        assert_eq!(super::masked("postgresql://a:b@h/d?password=c#t"), "postgresql://a:***@h/d?password=***#t");
    }

    #[test]
    fn encryption_is_what_was_asked_for() {
        use crate::tls::TlsMode;
        assert_eq!(parse("postgresql://h/d?sslm%6Fde=require").unwrap().tls, TlsMode::Require);
        let with = |name: &'static str, value: &'static str| {
            Address::with_environment("postgresql://", move |own| (own == name).then(|| value.to_string()))
        };
        assert_eq!(with("PGSSLMODE", "require").unwrap().tls, TlsMode::Require);
        assert!(with("PGSSLMODE", "verify-ca").is_err());
        assert_eq!(with("PGHOST", "a,b").unwrap().config().get_hosts().len(), 2);
        assert_eq!(with("PGPORT", "1,2").map(|own| own.config().get_ports().to_vec()).unwrap(), [1, 2]);
    }

    #[test]
    fn what_cannot_be_honoured_is_refused() {
        for url in [
            "postgresql://h/d?sslmode=allow",
            "postgresql://h/d?sslmode=verify-ca",
            "postgresql:///d?host=/tmp&sslmode=require",
            "postgresql:///d?host=/tmp/x,db.example.com",
            "postgresql://h/d?sslmode=require&sslrootcert=/x",
            "postgresql://h/d?unknown=1",
            "mysql://h/d",
        ] {
            assert!(parse(url).is_err(), "{url}");
        }
    }
}
