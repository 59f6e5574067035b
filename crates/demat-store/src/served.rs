//! The names under which a server offers the tables of a database.

/// Paths that the server uses itself.
const TAKEN: [&str; 4] = ["-", "health", "metrics", "openapi.json"];

/// Returns the name that a table or collection is served by: its own, or with a `~` in front if the server uses that
/// path. A name that looks like an escaped one gets another `~`, so the names stay distinct.
///
/// ```
/// use demat_store::served_name;
/// assert_eq!(["tasks", "", "~a"].map(served_name), ["tasks", "", "~a"]);
/// assert_eq!(["health", "~health"].map(served_name), ["~health", "~~health"]);
/// ```
pub fn served_name(name: &str) -> String {
    if TAKEN.contains(&name.trim_start_matches('~')) { format!("~{name}") } else { name.to_string() }
}
