//! The help texts before and after the options.

/// The template puts examples first.
pub(crate) const TEMPLATE: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

pub(crate) const DEMAT: &str = "\
Examples:
  demat copy people.json people.csv          formats by suffix; .gz and .zst work too
  demat copy people.csv people.parquet --infer
  demat copy --from csv --to ndjson - -      from standard input to standard output
  demat copy -o tasks.json tasks.csv --shape 'id: int, done: bool, title: text'
  demat head big.json.zst                    the first records of a file of any size
  demat copy people.csv app.db#people        into a table of an SQLite database
  demat schema people.ndjson                 a shape for --shape
  demat info app.db                          what a place holds
  demat check app.json --shape @app.shape    which records are invalid
  demat diff old.csv new.csv --key id        what has changed
  demat serve app.db                         its tables over HTTP, with a page to browse them
  demat formats                              all formats and their options
";

pub(crate) const COPY: &str = "\
Examples:
  demat copy people.json people.csv
  demat copy people.csv people.ndjson.zst --infer
  demat copy nested.ndjson flat.csv --flatten --sample all
  demat copy tasks.csv tasks.json --shape 'id: int, done: bool = false, title: text'
  demat copy people.csv adults.csv --infer --where 'age >= 18' --fields name,age
  demat copy api.json items.parquet --at '$.data.items[*]' --rename id=item_id
  demat copy dirty.csv clean.ndjson --infer --on-error skip --rejects bad.ndjson
  demat copy tasks.ndjson.gz tasks.db#tasks --shape 'id: int #sql:key, title: text'
  demat copy 'tasks.db?select title from tasks where not done' open.csv
  demat copy old.csv new.csv --encoding latin1
  demat copy 'people.csv?select city, count(*) as n from people group by city' cities.csv
  demat copy https://example.com/people.csv people.parquet --infer
  demat copy folder/ all.db                  one table for each file
  demat copy a.ndjson a.parquet --also app.db#a --also a.csv   several targets
  demat copy logs/*.ndjson.gz all.parquet --add-path
  demat copy hits.ndjson hits.csv --shape 'id: int, path: text' --workers 8
  curl … | demat copy --from json --to csv | less
";

pub(crate) const COPY_AFTER: &str = "\
The shape of the copy:
  --shape S sets the shape of the source, or of its records if the source is a
  list and S is not. Fields that S lacks are left out; if S ends in `!`, they
  are refused.
  Without --shape, JSON and NDJSON are copied unchanged to each other, and so
  are Arrow and Parquet, which carry their shape. Table cells are text; empty
  cells are null.
  --infer learns the shape from a sample. So does a copy from JSON to a table or
  columns. A later record with a field or value that contradicts the sample is
  refused: no data is lost in silence.
  --lax converts values to the shape's kinds: text that holds a number, yes and
  no, 3.0 to an int, seconds to an instant. Without it they are refused.

Conditions (--where):
  n = 3 (<>, <, <=, >, >=), title like '%x%' (contains), n in (1, 2), n between 1
  and 5, n is null; done is short for done = true. Join them by and, or, not and
  brackets. a.b is a field within a field; `a name` in backticks may hold any
  character. Text stands in quotes, and compares with text only: types of cells
  come from --infer or --shape. As in SQL, a comparison with null is never true.
  Of records that are not chosen, only the fields that it names are read.

Several sources:
  demat copy a.csv b.csv 'c/**/*.csv' all.csv writes one list. The last place is
  the target, unless -o names it. Patterns in quotes are expanded in order; **
  is any number of folders. All sources have the first one's shape, or --shape.
  --add-path adds the field `path` with the source of each record;
  --add-path=file gives it another name.

Several threads (--workers N):
  N workers read the files, and parts of large files of lines and of tables. The
  output, the errors and the refused records are those of one. Targets are lines,
  tables, JSON, Protocol Buffers, and with --to-option sequence=true MessagePack,
  CBOR and NBT. What would learn from the first records needs --shape.

What is copied of the records, in this order:
  --at leads to them; --where chooses; --fields and --rename see the source's
  names, and write the new ones; --limit and -n count what was chosen.

Refused data:
  A record is refused if it doesn't fit the shape, or if the target's format
  can't represent it. So is a broken NDJSON line or table row.
  Broken JSON, and a quote that is never closed, end every copy: the next record
  can't be found.

Output:
  A file appears once the copy is complete, or not at all. It replaces an
  existing file in one step, and keeps its permissions and symbolic link.
  Without --to, standard output is in the source's format if that is JSON, NDJSON
  or a table of text, else in NDJSON. It gets records as they come; with --on-error all, once every
  record has been read.
  An existing database table gains the records in one transaction; its columns
  determine their types. Missing tables are created. A new database file
  appears once it is complete.

Table options:
  They apply to the source if it is a table, else to the target. From a table to
  a table, the target gets commas (tabs for TSV), quotes and a header.
  --to-delimiter, --to-null and --escape-formulas always apply to the target.
";

pub(crate) const HEAD: &str = "\
Examples:
  demat head big.json.gz
  demat head -n 3 people.csv --infer
  demat head -n 100 big.ndjson --to csv --flatten
  demat head big.ndjson --where 'status >= 500 and path contains \"/api/\"'
";

pub(crate) const SCHEMA: &str = "\
Examples:
  demat schema people.json
  demat schema people.parquet
  demat schema people.csv --infer --sample all > people.shape
  demat copy people.csv people.json --shape @people.shape
  demat schema app.db                        the shapes of all tables
";

pub(crate) const CHECK: &str = "\
Examples:
  demat check people.ndjson.gz               that it is what its suffix says
  demat check people.csv --shape 'id: int, name: text' --lax --rejects bad.ndjson
  demat check tasks.bin --from proto --shape '[tasks.proto:Task]'
  python -m demat check tasks.json --class app.models:Task
";

pub(crate) const DIFF: &str = "\
Examples:
  demat diff old.json new.json --key id
  demat diff people.csv app.db#people --key id --infer
  demat diff old.ndjson new.ndjson --key id --fields id,title --to ndjson
";

pub(crate) const DIFF_AFTER: &str = "\
Each change is a line: - for a record that was removed, + for one that was
added, ~ for fields that changed. As data (--to), each changed field is a record
of change, key, field, old and new.

Values are compared with their types: 1 is not the text \"1\", and 1 is 1.0. A
null is as an absent field; the order of fields and of records does not count.
All records of OLD are held in memory, those of NEW are not.

Exit codes:
  0  no difference     1  differences     2  anything else
";

pub(crate) const INFO: &str = "\
Examples:
  demat info people.csv.gz
  demat info app.db                          all tables
  demat info lmdb:tasks.lmdb                 all collections, and who reads
  demat info lmdb:tasks.lmdb#tasks --to json
";

pub(crate) const SERVE: &str = "\
Examples:
  demat serve tasks.db                       http://127.0.0.1:8080/tasks; /-/ is a page to browse
  demat serve tasks.db#tasks --readonly -p 9000
  curl 'http://127.0.0.1:8080/tasks?done=false&order=-id&limit=20&format=csv'
  curl -X PATCH -H 'Content-Type: application/json' -d '{\"done\":true}' http://127.0.0.1:8080/tasks/1
  DEMAT_TOKEN=secret demat serve tasks.db --host 0.0.0.0 --certificate chain.pem --key key.pem
";

pub(crate) const SERVE_AFTER: &str = "\
URLs:
  /TABLE is a table, /TABLE/KEY a row. Both support GET, POST, PUT, PATCH and
  DELETE. Accept and Content-Type select JSON, NDJSON, CSV, Protocol Buffers or
  Arrow. /openapi.json describes the API; /health and /metrics are for
  monitoring.

Access:
  Everyone who can reach the address. If DEMAT_TOKEN is set, requests need the
  header \"Authorization: Bearer TOKEN\".

A write is acknowledged once it would survive a loss of power. Ctrl-C answers
the requests in progress and stops; a second Ctrl-C stops at once.
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

pub(crate) const MAN: &str = "\
Examples:
  demat man | man -l -
  demat man copy > ~/.local/share/man/man1/demat-copy.1
";

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  success       1  data was refused       2  bad command line
  3  reading or writing failed               4  the input exceeds a limit
  130, 143, 141  ended by Ctrl-C, by SIGTERM, or because the output was closed
";
