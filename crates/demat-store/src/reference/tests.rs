use super::Reference;

/// Names with a special meaning in URLs, paths, files or shells, and names close to them.
const ODD: &[&str] = &[
    "",
    ".",
    "..",
    "...",
    "~",
    "~~",
    "~.",
    "~..",
    "~~.",
    "~a",
    ".a",
    "a.",
    "/",
    "//",
    "a/b",
    "../x",
    "%",
    "%2F",
    "%2e",
    "%00",
    "?",
    "#",
    "a?b#c",
    " ",
    "+",
    "&=",
    ";",
    ":id",
    "\0",
    "a\0b",
    "\n",
    "é☃",
    "\u{202e}",
    "\\",
    "\"<>",
    "\u{10ffff}",
    "*",
    "{key}",
    "-1",
];

#[test]
fn the_text_of_a_reference_leads_back_to_it() {
    for one in ODD {
        for other in ODD {
            let reference = Reference::of([*one, "tasks", *other]);
            let text = reference.to_string();
            assert_eq!(text.parse::<Reference>().unwrap(), reference, "{text}");
            assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{text}");
            // Path resolution finds no segments to resolve.
            let segments: Vec<&str> = text[1..].split('/').collect();
            assert_eq!(segments.len(), 3, "{text}");
            let resolved = ["", ".", "..", "%2e", "%2E"];
            assert!(segments.iter().all(|segment| !resolved.contains(segment)), "{text}");
        }
    }
}

#[test]
fn names_of_their_own_have_texts_of_their_own() {
    let texts: std::collections::BTreeSet<String> = ODD.iter().map(|name| Reference::of([*name]).to_string()).collect();
    assert_eq!(texts.len(), ODD.len());
}

#[test]
fn text_that_others_would_resolve_is_refused() {
    for text in [
        "//",
        "/a//b",
        "/./a",
        "/a/.",
        "/../a",
        "/a/..",
        "/%2e",
        "/%2E%2e/a",
        "/a/%ff",
        "/a/%c3%28",
        "/a/%",
        "/a/%2",
        "/a/%zz",
        "/%%41",
    ] {
        assert!(text.parse::<Reference>().is_err(), "{text}");
    }
}

#[test]
fn a_reference_that_no_text_leads_to_says_so() {
    for (names, is) in [(64, true), (65, false)] {
        let reference = Reference::of(vec!["a"; names]);
        assert_eq!(reference.is_readable(), is);
        assert_eq!(reference.to_string().parse::<Reference>().is_ok(), is);
    }
    for (letters, is) in [(8191, true), (8192, false)] {
        let reference = Reference::of(["a".repeat(letters)]);
        assert_eq!(reference.is_readable(), is);
        assert_eq!(reference.to_string().parse::<Reference>().is_ok(), is);
    }
}
