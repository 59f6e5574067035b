//! What the help says before and after the options.

/// Examples first.
pub(crate) const TEMPLATE: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

pub(crate) const DEMAT: &str = "\
Examples:
  demat copy people.json people.csv          by the suffixes, also .gz and .zst
  demat copy people.csv people.parquet --infer
  demat copy --from csv --to ndjson - -      from standard input to standard output
  demat copy -o tasks.json tasks.csv --shape 'id: int, done: bool, title: text'
  demat head big.json.zst                    the first records, whatever the size
  demat copy people.csv app.db#people        into a table of an SQLite database
  demat schema people.ndjson                 the shape, to be given to --shape
  demat serve app.db                         its tables over HTTP, and a page to look at them
  demat formats                              what there is
";

pub(crate) const COPY: &str = "\
Examples:
  demat copy people.json people.csv
  demat copy people.csv people.ndjson.zst --infer
  demat copy nested.ndjson flat.csv --flatten --sample all
  demat copy tasks.csv tasks.json --shape 'id: int, done: bool = false, title: text'
  demat copy dirty.csv clean.ndjson --infer --on-error skip --rejects bad.ndjson
  demat copy tasks.ndjson.gz tasks.db#tasks --shape 'id: int #sql:key, title: text'
  demat copy 'tasks.db?select title from tasks where not done' open.csv
  demat copy folder/ all.db                  each file of it a table
  curl … | demat copy --from json --to csv | less
";

pub(crate) const COPY_AFTER: &str = "\
Of which shape the copy is:
  With --shape S: S is the shape of the source; or, where the source is a list
  and S is none, of its records. Fields that S does not have are left out; where
  S ends in `!` they are refused.
  Else JSON and NDJSON pass to each other as they are, and the cells of a table
  are text, the empty ones null.
  Arrow and Parquet know their shape, and pass to each other as they are.
  With --infer, and where a table or columns are made of JSON, the shape is learnt from a
  sample. Then a field that the sample has not, and a value that is not like
  those in it, are refused: nothing is lost in silence.

What is refused:
  A record that is not of the shape, or that the target's format has no form
  for; a broken line of NDJSON, or row of a table. Broken JSON, and a quote that
  is never closed, end every copy: nobody can know where the next record begins.

What is written:
  A file appears whole when all was copied, or not at all. What had its name is
  replaced in one step; its permissions stay, and a symbolic link stays one.
  Standard output gets the records as they come; with --on-error all, when all
  were read.
  A table of a database that is there gets the records besides its own, all of
  them in one transaction; what its rows are, it says itself. A table that is
  not there is made, a database that is not there appears whole.

Which table an option of tables is about:
  The source, where that is a table; else the target. What is made of a table is
  written with commas (tabs, for TSV), quotes and a header; --to-delimiter
  and --escape-formulas are about the target.
";

pub(crate) const HEAD: &str = "\
Examples:
  demat head big.json.gz
  demat head -n 3 people.csv --infer
  demat head -n 100 big.ndjson --to csv --flatten
";

pub(crate) const SCHEMA: &str = "\
Examples:
  demat schema people.json
  demat schema people.parquet
  demat schema people.csv --infer --sample all > people.shape
  demat copy people.csv people.json --shape @people.shape
  demat schema app.db                        the shapes of all tables
";

pub(crate) const SERVE: &str = "\
Examples:
  demat serve tasks.db                       http://127.0.0.1:8080/tasks, and /-/ to look at it
  demat serve tasks.db#tasks --readonly -p 9000
  curl 'http://127.0.0.1:8080/tasks?done=false&order=-id&limit=20&format=csv'
  curl -X PATCH -H 'Content-Type: application/json' -d '{\"done\":true}' http://127.0.0.1:8080/tasks/1
  DEMAT_TOKEN=secret demat serve tasks.db --host 0.0.0.0 --certificate chain.pem --key key.pem
";

pub(crate) const SERVE_AFTER: &str = "\
What is served:
  Each table at its name, each row at its key. GET, POST, PUT, PATCH and DELETE,
  in JSON, NDJSON, CSV, Protocol Buffers and Arrow, as Accept and Content-Type
  say. /openapi.json describes all of it; /health and /metrics are for machines.

Who may:
  Who reaches the address. Where DEMAT_TOKEN is set, who says it as
  \"Authorization: Bearer ...\".

A write is acknowledged when a loss of power could not undo it. Ctrl-C stops it
once everything that was asked for is answered; again, at once.
";

pub(crate) const FORMATS: &str = "\
Examples:
  demat formats
  demat formats --to json
";

pub(crate) const COMPLETION: &str = "\
Examples:
  demat completion bash > ~/.local/share/bash-completion/completions/demat
  demat completion zsh > ~/.zfunc/_demat
  demat completion fish > ~/.config/fish/completions/demat.fish
";

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  done          1  data was refused       2  the command line was
  3  reading or writing failed               4  the input is past a limit
  130, 143, 141  ended by Ctrl-C, by SIGTERM, or because nobody reads the output any more
";
