//! `demat serve`.

use crate::arguments::ServeArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::{output, signals};
use demat_http::{Mount, Options, Route, Server};
use demat_place::{DatabasePlace, Part, Place};
use demat_sqlite::{Database, OpenOptions};
use demat_sqlite_store::{Table, TableOptions, Tables};
use std::env;
use std::sync::Arc;

/// The environment variable of the token. Command lines are visible to every user of the machine.
const TOKEN: &str = "DEMAT_TOKEN";

pub(crate) fn run(arguments: ServeArguments, screen: Screen) -> Result<Exit, Failure> {
    let place = Place::named(&arguments.place);
    let (path, part) = match place {
        Place::Database(DatabasePlace { path, part }) => (path, part),
        Place::File(path) if path.is_file() => (path, Part::Whole),
        Place::File(path) => return Err(Failure::usage(format!("no such database: {}", path.display()))),
        _ => return Err(Failure::usage("expected a database or one of its tables: tasks.db, tasks.db#tasks")),
    };
    let readonly = arguments.readonly;
    let database = Database::open_with(&path, OpenOptions { readonly, create: false, ..OpenOptions::default() })?;
    let tables =
        TableOptions { readonly, durable: true, log: !readonly && !arguments.no_wal, ..TableOptions::default() };
    let mut notes = Vec::new();
    let route = match part {
        Part::Whole => {
            let all = Tables::of(&database, &tables)?;
            notes.extend_from_slice(all.notes());
            ("/".to_string(), Mount::Store(Arc::new(all)))
        }
        Part::Table(name) => {
            let table = Table::there(&database, database.existing(&name)?, None, &tables)?;
            (demat_store::shown(&[demat_store::served_name(&name)]), Mount::Store(Arc::new(table)))
        }
        Part::Query(_) => return Err(Failure::usage("expected a database or one of its tables, not a query")),
    };
    drop(database);
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
    let server = Server::bind([Route::new(route.0, route.1).bulk(arguments.bulk)], options)?;
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
