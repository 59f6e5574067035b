//! Conversion of field mask paths between `snake_case` and `lowerCamelCase`.

/// Appends a path in its JSON form. Returns `None` if the JSON form would not convert back to the same path.
pub(super) fn json_path(path: &str, out: &mut String) -> Option<()> {
    let mut large = false;
    for letter in path.chars() {
        match letter {
            '_' if large => return None,
            '_' => large = true,
            letter if large => {
                if !letter.is_ascii_lowercase() {
                    return None;
                }
                out.push(letter.to_ascii_uppercase());
                large = false;
            }
            letter if letter.is_ascii_uppercase() => return None,
            letter => out.push(letter),
        }
    }
    (!large).then_some(())
}

/// Returns the path with the fields' own names. Returns `None` if the JSON form has an underscore.
pub(super) fn field_path(path: &str) -> Option<String> {
    let mut out = String::with_capacity(path.len() + 4);
    for letter in path.chars() {
        match letter {
            '_' => return None,
            letter if letter.is_ascii_uppercase() => {
                out.push('_');
                out.push(letter.to_ascii_lowercase());
            }
            letter => out.push(letter),
        }
    }
    Some(out)
}
