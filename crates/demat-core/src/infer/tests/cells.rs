use super::{InferenceOptions, shape_with};

#[test]
fn a_column_is_the_narrowest_kind_that_all_cells_are() {
    for (cells, expected) in [
        (&["1", "-2", "0"][..], "int"),
        (&["123456789012345678901234567890"], "int"),
        (&["1", "007"], "text"),
        (&["1", "+1"], "text"),
        (&["1", "1.5", "1e3"], "float"),
        (&["-0"], "float"),
        (&["0.1", "1.10", "0.30000000000000004"], "float"),
        (&["0.1000000000000000000001"], "text"),
        (&["9007199254740993", "1.5"], "text"),
        (&["1e400"], "text"),
        (&["NaN"], "text"),
        (&["true", "false"], "bool"),
        (&["true", "TRUE"], "text"),
        (&["true", "1"], "text"),
        (&["2026-02-03", "2024-02-29"], "date"),
        (&["2026-02-30"], "text"),
        (&["2026-02-03T10:00:00Z", "2026-02-03 10:00:00+01:00"], "instant"),
        (&["2026-02-03T10:00:00", "2026-02-03 10:00:00.5"], "datetime"),
        (&["2026-02-03T10:00:00", "2026-02-03 10:00:00", ""], "datetime?"),
        (&["2026-02-03T10:00:00Z", "2026-02-03 10:00:00"], "text"),
        (&["2026-02-03", "2026-02-03 10:00:00"], "text"),
        (&["2026-02-03", "2026-02-03T10:00:00Z"], "text"),
        (&["", "1"], "int?"),
        (&["", ""], "text?"),
        (&[" 1"], "text"),
        (&["a"], "text"),
    ] {
        let quoted: Vec<_> = cells.iter().map(|cell| format!("\"{cell}\"")).collect();
        let literals: Vec<&str> = quoted.iter().map(String::as_str).collect();
        assert_eq!(shape_with(InferenceOptions::cells(), &literals), expected, "{cells:?}");
    }
}

#[test]
fn rows_are_records_of_cells() {
    let rows = ["{\"id\": \"1\", \"due\": \"\"}", "{\"id\": \"2\", \"due\": \"2026-02-03\"}"];
    assert_eq!(shape_with(InferenceOptions::cells(), &rows), "id:int, due:date?, !");
}
