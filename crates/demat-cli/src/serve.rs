//! `demat serve`.

use crate::arguments::ServeArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::{output, signals};
use demat_http::{Mount, Options, Server};
use demat_place::{DatabasePlace, Part, Place};
use demat_sqlite::{Database, OpenOptions};
use demat_store::{Table, TableOptions, Tables};
use std::env;
use std::sync::Arc;

/// The variable that a token stands in: what stands on a command line is seen by everybody on the machine.
const TOKEN: &str = "DEMAT_TOKEN";

pub(crate) fn run(arguments: ServeArguments, screen: Screen) -> Result<Exit, Failure> {
    let place = Place::named(&arguments.place);
    let (path, part) = match place {
        Place::Database(DatabasePlace { path, part }) => (path, part),
        Place::File(path) if path.is_file() => (path, Part::Whole),
        Place::File(path) => return Err(Failure::usage(format!("there is no database {}", path.display()))),
        _ => return Err(Failure::usage("a database is served, or a table of one: tasks.db, tasks.db#tasks")),
    };
    let readonly = arguments.readonly;
    let database = Database::open_with(&path, OpenOptions { readonly, create: false, ..OpenOptions::default() })?;
    let tables =
        TableOptions { readonly, durable: true, log: !readonly && !arguments.no_wal, ..TableOptions::default() };
    let route = match part {
        Part::Whole => ("/".to_string(), Mount::Store(Arc::new(Tables::of(&database, &tables)?))),
        Part::Table(name) => {
            let table = Table::there(&database, database.existing(&name)?, None, &tables)?;
            (demat_store::shown(&[name]), Mount::Store(Arc::new(table)))
        }
        Part::Query(_) => return Err(Failure::usage("a database is served, or a table of one, and no statement")),
    };
    drop(database);
    let log = screen.verbose.then(|| -> demat_http::Log { Arc::new(|access| output::line(&access.to_string())) });
    let options = Options {
        host: arguments.host,
        port: arguments.port,
        cors: arguments.cors,
        token: env::var(TOKEN).ok().filter(|token| !token.is_empty()),
        urls: arguments.urls,
        title: path.display().to_string(),
        browser: !arguments.no_browser,
        tls: arguments.certificate.zip(arguments.key),
        log,
        ..Options::default()
    };
    if !options.host.is_loopback() && options.token.is_none() && !arguments.open {
        let message = format!("whoever reaches {} could do anything with it", options.host);
        let hint = Some(format!("set {TOKEN} to a secret, or say --open if that is meant"));
        return Err(Failure::Usage { message, hint });
    }
    let secure = options.tls.is_some();
    let server = Server::bind(vec![route], options)?;
    let stopper = server.stopper();
    signals::end_by(move || stopper.stop());
    if !screen.quiet {
        let (scheme, address) = (if secure { "https" } else { "http" }, server.address());
        let page = if arguments.no_browser { "" } else { "-/" };
        output::line(&format!("serving {} at {scheme}://{address}/{page} until Ctrl-C", path.display()));
    }
    server.run()?;
    Ok(Exit::Ok)
}
