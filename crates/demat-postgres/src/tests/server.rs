//! A server of this test run.

use crate::{Address, Connection};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

struct Server {
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

#[allow(clippy::print_stdout)] // the tests say that they skip
fn start() -> Option<Server> {
    let Some(programs) = programs() else {
        println!("SKIPPED: there is no PostgreSQL server");
        return None;
    };
    let made = unprivileged("mktemp -d /tmp/demat-pg.XXXXXX").output().ok()?;
    if !made.status.success() {
        println!("SKIPPED: the user `postgres` can't run a server");
        return None;
    }
    let folder = PathBuf::from(String::from_utf8(made.stdout).ok()?.trim());
    let script = format!(
        "set -e; cd {folder}; {programs}/initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >log 2>&1; \
         {programs}/postgres -D data -k {folder} -c listen_addresses= -c fsync=off -c max_connections=50 \
         -c log_min_messages=fatal >>log 2>&1 & P=$!; trap 'kill -QUIT $P; wait $P; rm -rf {folder}' EXIT; read X || true",
        folder = folder.display(),
        programs = programs.display()
    );
    let mut child = unprivileged(&script).stdin(Stdio::piped()).spawn().ok()?;
    let stdin = child.stdin.take()?;
    let server = Server { folder, _stdin: stdin };
    let deadline = Instant::now() + Duration::from_secs(60);
    while Connection::open(&address(&server.folder, "public")).is_err() {
        assert!(
            Instant::now() < deadline,
            "{}",
            std::fs::read_to_string(server.folder.join("log")).unwrap_or_default()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(server)
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
