use crate::csv::{Dialect, Rows};

fn cut(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut rows = Rows::new(text.as_bytes(), Dialect::default()).unwrap();
    let mut all = Vec::new();
    while let Some(row) = rows.next_row().map_err(|error| error.to_string())? {
        assert_eq!(row.len(), row.cells().count());
        assert_eq!((row.get(row.len()), row.raw(row.len())), (None, None));
        all.push(row.cells().map(|cell| String::from_utf8_lossy(&cell).into_owned()).collect());
    }
    assert!(rows.next_row().unwrap().is_none());
    Ok(all)
}

#[test]
fn cells_are_lent_as_they_stand_unless_a_quote_is_doubled() {
    assert_eq!(cut("a,b\n\"c,\"\"d\",\n").unwrap(), [["a", "b"], ["c,\"d", ""]]);
    let mut rows = Rows::new(b"\"a\",\"b\"\"\"", Dialect::default()).unwrap();
    let row = rows.next_row().unwrap().unwrap();
    assert!(matches!(row.get(0).unwrap(), std::borrow::Cow::Borrowed(b"a")));
    assert_eq!((row.raw(1).unwrap(), &*row.get(1).unwrap()), (&b"\"b\"\"\""[..], &b"b\""[..]));
    assert_eq!(row.bytes(), b"\"a\",\"b\"\"\"");
}

#[test]
fn faults_are_placed() {
    assert_eq!(cut("a\n\"b").unwrap_err(), "expected a closing quote, found end of input (line 2, column 1)");
    assert!(cut("a\n\"b\"c").unwrap_err().ends_with("(line 2, column 4)"));
}

#[test]
fn rows_longer_than_any_chunk_and_runs_of_empty_lines() {
    let wide = vec!["x"; 40_000].join(",");
    let long = "y,\n\"\"".repeat(20_000);
    let text = format!("a\n{}{wide}\n\"{long}\",b\n5\" c\n{}d", "\n".repeat(100_000), "\r\n".repeat(50_000));
    let rows = cut(&text).unwrap();
    let lengths: Vec<_> = rows.iter().map(Vec::len).collect();
    assert_eq!(lengths, [1, 40_000, 2, 1, 1]);
    assert_eq!(rows[2][0], long.replace("\"\"", "\""));
    assert_eq!((&*rows[3][0], &*rows[4][0]), ("5\" c", "d"));
}

/// A sweep that unusual quotes end early must still skip the empty lines before them.
#[test]
fn empty_lines_just_before_odd_quotes() {
    assert_eq!(cut("a\n\n\r\n5\"\n").unwrap(), [["a"], ["5\""]]);
    assert_eq!(cut("\na\"").unwrap(), [["a\""]]);
}
