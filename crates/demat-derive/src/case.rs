//! `rename_all`: converts names from one case to another.

use syn::LitStr;

/// A case for names of several words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    Camel,
    Pascal,
    Snake,
    ScreamingSnake,
    Kebab,
    Lower,
    Upper,
}

const CASES: [(&str, Case); 7] = [
    ("camelCase", Case::Camel),
    ("PascalCase", Case::Pascal),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
];

impl Case {
    pub(crate) fn parse(text: &LitStr) -> syn::Result<Self> {
        let name = text.value();
        let found = CASES.iter().find(|(own, _)| *own == name);
        found.map(|(_, case)| *case).ok_or_else(|| {
            let known: Vec<_> = CASES.iter().map(|(own, _)| format!("\"{own}\"")).collect();
            syn::Error::new(text.span(), format!("no such case; write rename_all = one of {}", known.join(", ")))
        })
    }

    /// Converts the name of a field or variant to this case. Words are separated by `_` or begin with a capital; lower
    /// and upper case only change letters.
    pub(crate) fn apply(self, name: &str) -> String {
        match self {
            Self::Lower => name.to_lowercase(),
            Self::Upper => name.to_uppercase(),
            Self::Snake => words(name).join("_"),
            Self::ScreamingSnake => words(name).join("_").to_uppercase(),
            Self::Kebab => words(name).join("-"),
            Self::Pascal => words(name).iter().map(|word| capitalised(word)).collect(),
            Self::Camel => {
                let mut words = words(name).into_iter();
                let first = words.next().unwrap_or_default();
                first + &words.map(|word| capitalised(&word)).collect::<String>()
            }
        }
    }
}

/// Splits a name into words in lower case: `http_server`, `HttpServer` and `HTTPServer` have the same two.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (i, &char) in chars.iter().enumerate() {
        let after_small = i > 0 && !chars[i - 1].is_uppercase() && chars[i - 1] != '_';
        let before_small = i > 0 && chars[i - 1].is_uppercase() && chars.get(i + 1).is_some_and(|c| c.is_lowercase());
        if char == '_' || (char.is_uppercase() && (after_small || before_small)) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (char != '_', words.last_mut()) {
            word.extend(char.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::{CASES, Case};

    #[test]
    fn names_are_written_in_every_case() {
        let table = [
            ("http_server", ["httpServer", "HttpServer", "http_server", "HTTP_SERVER", "http-server"]),
            ("HttpServer", ["httpServer", "HttpServer", "http_server", "HTTP_SERVER", "http-server"]),
            ("HTTPServer", ["httpServer", "HttpServer", "http_server", "HTTP_SERVER", "http-server"]),
            ("x", ["x", "X", "x", "X", "x"]),
            ("utf8_text", ["utf8Text", "Utf8Text", "utf8_text", "UTF8_TEXT", "utf8-text"]),
            ("_private", ["private", "Private", "private", "PRIVATE", "private"]),
        ];
        for (name, expected) in table {
            for ((_, case), expected) in CASES.iter().zip(expected) {
                assert_eq!(case.apply(name), expected, "{name} in {case:?}");
            }
        }
        assert_eq!(Case::Lower.apply("Two_Words"), "two_words");
        assert_eq!(Case::Upper.apply("two_words"), "TWO_WORDS");
    }
}
