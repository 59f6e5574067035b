use super::{RecordPath, Step};

fn steps(text: &str) -> Vec<Step> {
    text.parse::<RecordPath>().unwrap().steps().to_vec()
}

fn key(name: &str) -> Step {
    Step::Key(name.to_string())
}

#[test]
fn paths_are_read() {
    assert_eq!(steps("$"), []);
    assert_eq!(steps("$[*]"), [Step::Each]);
    assert_eq!(steps("$.data.items[*]"), [key("data"), key("items"), Step::Each]);
    assert_eq!(steps(r#"$["a b"][*]"#), [key("a b"), Step::Each]);
    assert_eq!(steps(r"$['a b'][*]"), [key("a b"), Step::Each]);
    assert_eq!(steps("$.*"), [Step::Values]);
    assert_eq!(steps("$.users.*.tasks[*].*"), [key("users"), Step::Values, key("tasks"), Step::Each, Step::Values]);
    assert_eq!(steps("$[0].x[*]"), [Step::Index(0), key("x"), Step::Each]);
    assert_eq!(steps("$.users[*].tasks[*]"), [key("users"), Step::Each, key("tasks"), Step::Each]);
    assert_eq!(steps(r#"$["a\"]\u00e9"]['"\'']"#), [key("a\"]é"), key("\"'")]);
    // As a path is shown, in an error and by itself.
    assert_eq!(steps(r#"$["\u{1f}\u{7f}\u{18d1f}\0\t"]"#), [key("\u{1f}\u{7f}\u{18d1f}\0\t")]);
    assert_eq!(steps("$['\u{1}\t']"), [key("\u{1}\t")]);
    assert_eq!(steps("$.größe.x-y"), [key("größe"), key("x-y")]);
    assert_eq!(steps(r#"$[""]"#), [key("")]);
}

#[test]
fn what_is_no_path_is_refused() {
    let cases = [
        ("", "expected `$`, which is the document, at the beginning"),
        ("items[*]", "expected `$`, which is the document, at the beginning"),
        ("$items", "expected `.` or `[` after `$`"),
        ("$.", "expected a name (or `*`, for each value of a map; `[*]` for each item of a list) after `$.`"),
        ("$..x", "expected a name (or `*`, for each value of a map; `[*]` for each item of a list) after `$.`"),
        ("$.**", "expected `.` or `[` after `$.*`"),
        ("$.*x", "expected `.` or `[` after `$.*`"),
        ("$.a b", "expected `.` or `[` after `$.a`"),
        ("$[", "expected `*`, an index or a quoted name after `$[`"),
        ("$[-1]", "expected `*`, an index or a quoted name after `$[`"),
        ("$[99999999999999999999]", "expected `*`, an index or a quoted name after `$[`"),
        ("$[1", "expected `]` after `$[1`"),
        ("$[1:2]", "expected `]` after `$[1`"),
        ("$[*", "expected `]` after `$[*`"),
        ("$[\"a", "expected a name in quotes after `$[`"),
        ("$[\"\\x\"]", "expected a name in quotes after `$[`"),
    ];
    for (text, message) in cases {
        assert_eq!(text.parse::<RecordPath>().unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn paths_are_written_as_they_are_read() {
    for text in ["$", "$[*]", "$.*", "$[*].*.a.*[*]", "$.a[0].b[*]", r#"$["a b"]["é\""]"#, "$._x1"] {
        let at: RecordPath = text.parse().unwrap();
        assert_eq!(at.to_string().parse::<RecordPath>().unwrap(), at);
    }
    assert_eq!(RecordPath::items().in_each().to_string(), "$[*][*]");
    assert_eq!(RecordPath::whole().to_string(), "$");
}
