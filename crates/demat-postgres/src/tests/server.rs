//! A server of this test run.

use crate::{Address, Connection};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub(super) struct Server {
    folder: PathBuf,
    /// The server ends when this process does, and closes it.
    _stdin: ChildStdin,
}

static SERVER: OnceLock<Option<Server>> = OnceLock::new();
static SCHEMAS: AtomicU32 = AtomicU32::new(0);

/// Returns the folder of the server's programs.
fn programs() -> Option<PathBuf> {
    let mut versions: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|folder| folder.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all: Vec<_> = versions.into_iter().rev().chain(std::env::split_paths(&path)).collect();
    all.into_iter().find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// Returns a command that does not run as root, as the server demands.
fn unprivileged(script: &str) -> Command {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let mut command = Command::new(if is_root { "setpriv" } else { "sh" });
    if is_root {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh"]);
    }
    command.args(["-c", script]);
    command
}

/// A server that encrypts connections, and its certificate.
pub(super) struct Encrypting {
    _server: Server,
    pub(super) port: u16,
    /// The file with the certificate, which is for `localhost`.
    pub(super) certificate: PathBuf,
}

/// Makes a folder for a server; `None` where none can be had.
#[allow(clippy::print_stdout)] // the tests say that they skip
fn folder() -> Option<(PathBuf, PathBuf)> {
    let Some(programs) = programs() else {
        println!("SKIPPED: there is no PostgreSQL server");
        return None;
    };
    let made = unprivileged("mktemp -d /tmp/demat-pg.XXXXXX").output().ok()?;
    if !made.status.success() {
        println!("SKIPPED: the user `postgres` can't run a server");
        return None;
    }
    Some((programs, PathBuf::from(String::from_utf8(made.stdout).ok()?.trim())))
}

/// Starts a server in a folder, and waits until it answers at an address.
fn launch(programs: &Path, folder: PathBuf, options: &str, waited: &Address) -> Option<Server> {
    let script = format!(
        "set -e; cd {folder}; {programs}/initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >log 2>&1; \
         {programs}/postgres -D data -k {folder} -c fsync=off -c max_connections=50 -c log_min_messages=fatal {options} \
         >>log 2>&1 & P=$!; trap 'kill -QUIT $P; wait $P; rm -rf {folder}' EXIT; read X || true",
        folder = folder.display(),
        programs = programs.display()
    );
    let mut child = unprivileged(&script).stdin(Stdio::piped()).spawn().ok()?;
    let stdin = child.stdin.take()?;
    let server = Server { folder, _stdin: stdin };
    let deadline = Instant::now() + Duration::from_secs(60);
    while let Err(error) = Connection::open(waited) {
        let log = std::fs::read_to_string(server.folder.join("log")).unwrap_or_default();
        assert!(Instant::now() < deadline, "{error}: {log}");
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(server)
}

fn start() -> Option<Server> {
    let (programs, folder) = folder()?;
    let waited = address(&folder, "public");
    launch(&programs, folder, "-c listen_addresses=", &waited)
}

/// Starts a server that encrypts connections, on a port of this machine.
pub(super) fn encrypting() -> Option<Encrypting> {
    let (programs, folder) = folder()?;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
    for (name, text) in [("server.crt", made.cert.pem()), ("server.key", made.signing_key.serialize_pem())] {
        let script = format!("umask 077; cat > {}", folder.join(name).display());
        let mut child = unprivileged(&script).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }
    let certificate = std::env::temp_dir().join(format!("demat-pg-{}.crt", std::process::id()));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    let options = format!(
        "-c listen_addresses=127.0.0.1 -c port={port} -c ssl=on -c ssl_cert_file={0}/server.crt -c ssl_key_file={0}/server.key",
        folder.display()
    );
    // The name of the socket has the port.
    let url = format!("postgresql://postgres@/postgres?host={}&port={port}", folder.display());
    let server = launch(&programs, folder, &options, &Address::parse(&url).unwrap())?;
    Some(Encrypting { _server: server, port, certificate })
}

fn address(folder: &Path, schema: &str) -> Address {
    let folder = folder.display();
    let url = format!("postgresql://postgres@/postgres?host={folder}&options=-csearch_path%3D{schema}");
    Address::parse(&url).unwrap()
}

/// Returns the address of a schema of its own; `None` where no server can be had.
pub(super) fn schema() -> Option<Address> {
    let server = SERVER.get_or_init(start).as_ref()?;
    let name = format!("s{}", SCHEMAS.fetch_add(1, Ordering::Relaxed));
    let address = address(&server.folder, &name);
    Connection::open(&address).unwrap().execute(&format!("CREATE SCHEMA {name}")).unwrap();
    Some(address)
}

/// Returns a connection whose tables are its own.
pub(super) fn connection() -> Option<Connection> {
    schema().map(|address| Connection::open(&address).unwrap())
}
