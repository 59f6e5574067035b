//! Help, versions, formats and completions.

use crate::run::Folder;

#[test]
fn help_begins_with_examples_and_ends_with_exit_codes() {
    let folder = Folder::new();
    for arguments in ["-h", "--help", "copy -h", "copy --help", "head -h", "schema -h", "info -h", "help copy"] {
        let help = folder.run(arguments).ok();
        let (examples, usage) = (help.find("Examples:\n").unwrap(), help.find("Usage: ").unwrap());
        assert!(examples < usage, "{arguments}");
        assert!(help.contains("Exit codes:"), "{arguments}");
    }
    assert!(folder.run("copy --help").ok().contains("Broken JSON, and a quote that"));
    for shell in ["completion -h", "formats -h"] {
        assert!(folder.run(shell).ok().contains("Examples:\n"));
    }
}

#[test]
fn without_a_command_there_is_help_on_standard_error() {
    let err = Folder::new().run("").failed(2);
    assert!(err.contains("Examples:\n"), "{err}");
}

#[test]
fn the_version() {
    assert_eq!(Folder::new().run("--version").ok(), concat!("demat ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn formats_for_people_and_as_data() {
    let folder = Folder::new();
    let table = folder.run("formats").ok();
    for name in ["json", "ndjson", ".jsonl", "csv", "tsv", "text/csv", ".gz", ".zst"] {
        assert!(table.contains(name), "{name}");
    }
    let json = folder.run("formats --to json").ok();
    let csv = folder.run("formats --to csv").ok();
    assert_eq!(folder.feed("copy --from json --to csv", &json).ok(), csv);
    assert_eq!(folder.feed("copy --from ndjson --to json --pretty", folder.run("formats --to ndjson").ok()).ok(), json);
    assert_eq!(folder.feed("copy --from tsv --to csv", folder.run("formats --to tsv").ok()).ok(), csv);
    assert!(csv.starts_with("name,suffixes,media_type,description\njson,.json,application/json,"), "{csv}");
}

#[test]
fn pages_of_the_manual_say_what_the_help_says() {
    let folder = Folder::new();
    let page = folder.run("man").ok();
    for part in [".TH", "demat", ".SH EXAMPLES", "demat copy people.json people.csv", ".SH SUBCOMMANDS", "Exit codes:"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let page = folder.run("man copy").ok();
    for part in ["\\-\\-where", "\\-\\-on\\-error", "Refused data:", "Conditions (\\-\\-where)"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let none = folder.run("man cpoy").failed(2);
    assert!(none.contains("no command is called `cpoy`") && none.contains("did you mean `copy`?"), "{none}");
}

#[test]
fn completions_for_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&format!("completion {shell}")).ok();
        assert!(script.contains("on-error"), "{shell}");
        // Shells that can complete values complete the names of formats.
        assert!(script.contains("ndjson") || ["powershell", "elvish"].contains(&shell), "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn the_bash_completion_is_good_bash() {
    let folder = Folder::new();
    folder.write("demat.bash", folder.run("completion bash").ok());
    let check = std::process::Command::new("bash").arg("-n").arg(folder.path("demat.bash")).status();
    // Without bash there is nothing to check.
    assert!(check.map_or(true, |status| status.success()));
}
