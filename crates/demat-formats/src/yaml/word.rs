//! Resolves text without quotes, by the core schema of YAML 1.2 and by the types of YAML 1.1.

/// The type of text without quotes in the core schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Null,
    Bool(bool),
    Int,
    Float,
    Text,
}

/// Resolves text without quotes by section 10.3.2 of the specification.
pub(super) fn resolve(text: &str) -> Word {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Word::Null,
        "true" | "True" | "TRUE" => Word::Bool(true),
        "false" | "False" | "FALSE" => Word::Bool(false),
        _ if !matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'.' | b'+' | b'-')) => Word::Text,
        _ if is_int(text) => Word::Int,
        _ if is_float(text) => Word::Float,
        _ => Word::Text,
    }
}

/// Returns whether the text is an int in the core schema.
pub(super) fn is_int(text: &str) -> bool {
    match text.as_bytes() {
        [b'0', b'o', digits @ ..] => all(digits, |byte| matches!(byte, b'0'..=b'7')),
        [b'0', b'x', digits @ ..] => all(digits, |byte| byte.is_ascii_hexdigit()),
        [b'+' | b'-', digits @ ..] | digits => all(digits, |byte| byte.is_ascii_digit()),
    }
}

/// Returns whether the text is a float in the core schema, or a decimal int.
pub(super) fn is_float(text: &str) -> bool {
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(size, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = split_exponent(size);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    has_digits && are_digits(whole) && are_digits(fraction) && exponent.is_none_or(is_exponent)
}

/// Returns whether a reader of YAML 1.1 or 1.2 parses the text as another type if it has no quotes.
pub(super) fn is_other_than_text(text: &str) -> bool {
    resolve(text) != Word::Text || is_word_of_1_1(text) || is_number_of_1_1(text) || begins_as_date(text)
}

fn is_word_of_1_1(text: &str) -> bool {
    const WORDS: [&str; 11] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "=", "<<"];
    text.len() <= 5 && WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Returns whether YAML 1.1 parses the text as a number: ints in any base, floats, and sexagesimal numbers, with
/// underscores.
fn is_number_of_1_1(text: &str) -> bool {
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !size.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '.' | '_')) {
        return false;
    }
    if let [b'0', base, digits @ ..] = size.as_bytes() {
        match base {
            b'x' | b'X' => return all(digits, |byte| byte.is_ascii_hexdigit() || byte == b'_'),
            b'b' | b'B' | b'o' | b'O' => return all(digits, |byte| byte.is_ascii_digit() || byte == b'_'),
            _ => {}
        }
    }
    let word = size.trim_start_matches('.');
    if word.eq_ignore_ascii_case("inf") || word.eq_ignore_ascii_case("nan") {
        return true;
    }
    let (mantissa, exponent) = split_exponent(size);
    let mut points = 0;
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let is_number = mantissa.bytes().all(|byte| {
        points += u32::from(byte == b'.');
        is_digit(byte) || matches!(byte, b'.' | b':')
    });
    // Some readers parse underscores without digits as a number, and fail.
    let has_digit = mantissa.bytes().any(is_digit);
    is_number && has_digit && points <= 1 && exponent.is_none_or(is_exponent)
}

/// Returns whether the text begins with a date in digits, which ends there or before a time.
fn begins_as_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = |text: &str, least: usize, most: usize| {
        (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let ends = matches!(rest.as_bytes().get(digits), None | Some(b'T' | b't' | b' ' | b'\t'));
    is_number(year, 4, 4) && is_number(month, 1, 2) && (1..=2).contains(&digits) && ends
}

/// Returns the text before an exponent, and the exponent.
fn split_exponent(text: &str) -> (&str, Option<&str>) {
    match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

fn is_exponent(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    all(digits.as_bytes(), |byte| byte.is_ascii_digit())
}

/// Returns whether there is at least one byte and all bytes match.
fn all(bytes: &[u8], is_so: impl Fn(u8) -> bool) -> bool {
    !bytes.is_empty() && bytes.iter().all(|byte| is_so(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_schema_decides() {
        let cases = [
            (Word::Null, "~ null Null NULL"),
            (Word::Int, "0 -12 +3 007 0o17 0xfF 123456789012345678901234567890"),
            (Word::Float, "1.5 -0.0 .5 5. 1e3 1E+3 +1.e-2 .inf -.INF +.Inf .nan .NaN"),
            (
                Word::Text,
                "nUll yes no on off y 1_000 0b1 1:30 2001-01-01 -0x1 0xg 0o8 .iNf +.nan e3 . - + -. 1e 1e+ 1.2.3 =",
            ),
        ];
        for (word, texts) in cases {
            for text in texts.split(' ') {
                assert_eq!(resolve(text), word, "{text}");
            }
        }
        assert_eq!(resolve(""), Word::Null);
        assert_eq!((resolve("true"), resolve("FALSE")), (Word::Bool(true), Word::Bool(false)));
    }

    #[test]
    fn what_older_readers_take_for_something_else_is_known() {
        let other = "yes No ON off y N TRUE tRue null ~ = << 1_000 0b101 0o7 017 -0x1F 1:30 190:20:30.15 \
                1.5e3 +.inf _ -__ ._ \
                     2001-12-14 2001-1-1 2001-12-14T10:00:00Z";
        for text in other.split_whitespace() {
            assert!(is_other_than_text(text), "{text}");
        }
        assert!(is_other_than_text("") && is_other_than_text("2001-12-14 21:59:43.10 -5"));
        for text in [
            "none",
            "yess",
            "1.2.3",
            "192.168.0.1",
            "12-34",
            "1a",
            "0xg",
            "2001-12",
            "2001-12-14x",
            "v1",
            "e5",
            "__a__",
            "a_1",
        ] {
            assert!(!is_other_than_text(text), "{text}");
        }
    }
}
