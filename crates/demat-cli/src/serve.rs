//! `demat serve`.

use crate::arguments::ServeArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::{output, signals};
use demat_http::{Mount, Options, Route, Server};
use demat_lmdb::{Environment, Wanted};
use demat_lmdb_store::Records;
use demat_place::{CollectionPlace, DatabasePlace, Part, Place, ServerPlace};
use demat_postgres::Address;
use demat_postgres_store::{Base, BaseOptions};
use demat_sqlite::{Database, OpenOptions};
use demat_sqlite_store::{Table, TableOptions};
use demat_store::{ReadOnly, Store, served_name};
use std::env;
use std::path::PathBuf;
use std::sync::Arc;

/// The environment variable of the token. Command lines are visible to every user of the machine.
const TOKEN: &str = "DEMAT_TOKEN";

const EXPECTED: &str = "expected a database or one of its tables (tasks.db, tasks.db#tasks, postgresql://host/name#tasks), or an LMDB \
     environment or one of its collections (lmdb:dir, lmdb:dir#tasks)";

/// What is served, and the path that it is served at.
struct Served {
    path: PathBuf,
    at: String,
    store: Arc<dyn Store>,
    notes: Vec<String>,
}

/// Opens a table, or all tables of a database.
fn tables(path: PathBuf, part: Part, arguments: &ServeArguments) -> Result<Served, Failure> {
    let (immutable, readonly) = (arguments.immutable, arguments.readonly || arguments.immutable);
    let how = OpenOptions { readonly, immutable, create: false, ..OpenOptions::default() };
    let database = Database::open_with(&path, how)?;
    let options = TableOptions { readonly, immutable, log: !readonly && !arguments.no_wal, ..TableOptions::default() };
    match part {
        Part::Whole => {
            let all = demat_sqlite_store::tables(&database, &options)?;
            let notes = all.notes().to_vec();
            Ok(Served { path, at: "/".to_string(), store: Arc::new(all), notes })
        }
        Part::Table(name) => {
            let table = Table::there(&database, database.existing(&name)?, None, &options)?;
            let at = demat_store::shown(&[served_name(&name)]);
            Ok(Served { path, at, store: Arc::new(table), notes: Vec::new() })
        }
        Part::Query(_) => Err(Failure::usage("expected a database or one of its tables, not a query")),
    }
}

/// Opens a collection, or all collections of an environment.
fn collections(place: CollectionPlace, arguments: &ServeArguments) -> Result<Served, Failure> {
    if arguments.immutable {
        return Err(Failure::usage(
            "--immutable is for files of SQLite; --readonly refuses changes of an LMDB environment",
        ));
    }
    let options = demat_lmdb::Options { readonly: arguments.readonly, create: false, ..demat_lmdb::Options::default() };
    let environment = Environment::open(&place.path, &options)?;
    let path = place.path;
    let Some(name) = place.name else {
        let all = demat_lmdb_store::collections(&environment)?;
        let notes = all.notes().to_vec();
        return Ok(Served { path, at: "/".to_string(), store: Arc::new(all), notes });
    };
    let records = Records::of(&environment.collection(&name, &Wanted::default())?)?;
    Ok(Served { path, at: demat_store::shown(&[served_name(&name)]), store: Arc::new(records), notes: Vec::new() })
}

/// Opens a table of a server, or all its tables.
fn server_tables(place: &ServerPlace, arguments: &ServeArguments) -> Result<Served, Failure> {
    if arguments.immutable || arguments.no_wal {
        let option = if arguments.immutable { "--immutable" } else { "--no-wal" };
        return Err(Failure::usage(format!(
            "{option} is for files of SQLite; --readonly refuses changes of any database"
        )));
    }
    let base = Base::open(&Address::parse(place.url())?, &BaseOptions::default())?;
    let (at, store, notes): (_, Arc<dyn Store>, _) = match &place.part {
        Part::Whole => {
            let all = demat_postgres_store::tables(&base)?;
            let notes = all.notes().to_vec();
            ("/".to_string(), Arc::new(all), notes)
        }
        Part::Table(name) => {
            let table = demat_postgres_store::Table::of(&base, name, None)?;
            (demat_store::shown(&[served_name(name)]), Arc::new(table), Vec::new())
        }
        Part::Query(_) => return Err(Failure::usage("expected a database or one of its tables, not a query")),
    };
    let store = if arguments.readonly { Arc::new(ReadOnly::over(store)) } else { store };
    Ok(Served { path: place.to_string().into(), at, store, notes })
}

pub(crate) fn run(arguments: ServeArguments, screen: Screen) -> Result<Exit, Failure> {
    let served = match Place::named(&arguments.place) {
        Place::Database(DatabasePlace { path, part }) => tables(path, part, &arguments)?,
        Place::File(path) if path.is_file() => tables(path, Part::Whole, &arguments)?,
        Place::Collection(place) => collections(place, &arguments)?,
        Place::Server(place) => server_tables(&place, &arguments)?,
        Place::File(path) => return Err(Failure::usage(format!("no such database: {}", path.display()))),
        _ => return Err(Failure::usage(EXPECTED)),
    };
    let Served { path, at, store, notes } = served;
    let log = screen.verbose.then(|| -> demat_http::Log { Arc::new(|access| output::line(&access.to_string())) });
    let options = Options {
        host: arguments.host,
        port: arguments.port,
        cors: arguments.cors,
        hosts: arguments.host_name,
        token: env::var(TOKEN).ok().filter(|token| !token.is_empty()),
        urls: arguments.urls,
        title: path.display().to_string(),
        browser: !arguments.no_browser,
        tls: arguments.certificate.zip(arguments.key),
        log,
        unrepresentable: arguments.unrepresentable.into(),
        ..Options::default()
    };
    if !options.host.is_loopback() && options.token.is_none() && !arguments.open {
        let message = format!("without a token, everyone who can reach {} could change the data", options.host);
        let hint = Some(format!("set {TOKEN} to a secret, or allow it with --open"));
        return Err(Failure::Usage { message, hint });
    }
    let (all, named) = (options.host.is_unspecified(), !options.hosts.is_empty());
    let secure = options.tls.is_some();
    let server = Server::bind([Route::new(at, Mount::Store(store)).bulk(arguments.bulk)], options)?;
    let stopper = server.stopper();
    signals::end_by(move || stopper.stop());
    if !screen.quiet {
        let (scheme, address) = (if secure { "https" } else { "http" }, server.address());
        for note in &notes {
            output::line(note);
        }
        let page = if arguments.no_browser { "" } else { "-/" };
        if all && !named {
            output::line("requests must use `localhost` or an IP address as host; --host-name adds names");
        }
        output::line(&format!("serving {} at {scheme}://{address}/{page} until Ctrl-C", path.display()));
    }
    server.run()?;
    Ok(Exit::Ok)
}
