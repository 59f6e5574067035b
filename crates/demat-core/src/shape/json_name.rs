/// Returns the default JSON name of a Protocol Buffers field: without underscores, and with each letter after one in
/// upper case. The name of an extension, in brackets, is unchanged.
///
/// <https://protobuf.dev/programming-guides/json/>
///
/// ```
/// assert_eq!(demat_core::json_name("due_date"), "dueDate");
/// assert_eq!(demat_core::json_name("[todo.due_date]"), "[todo.due_date]");
/// ```
pub fn json_name(name: &str) -> String {
    if name.starts_with('[') {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len());
    let mut large = false;
    for letter in name.chars() {
        match letter {
            '_' => large = true,
            letter if large => {
                out.push(letter.to_ascii_uppercase());
                large = false;
            }
            letter => out.push(letter),
        }
    }
    out
}
