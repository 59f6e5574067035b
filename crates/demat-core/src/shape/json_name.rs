/// The name that JSON has for a field of Protocol Buffers unless it is told another: without its underscores, each letter
/// behind one large. The name of an extension, in brackets, stays as it is.
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
