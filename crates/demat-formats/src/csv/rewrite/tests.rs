use super::*;
use crate::csv::NullText;
use proptest::prelude::*;

fn rewritten(old: &str, columns: &[&str], before: &str, after: &str, dialect: Dialect) -> Result<String> {
    let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let (old, before, after) = (old.as_bytes(), before.as_bytes(), after.as_bytes());
    rewrite(&Rewrite { old, columns: &columns, before, after }, dialect).map(|row| String::from_utf8(row).unwrap())
}

#[test]
fn only_changed_cells_are_written() {
    let usual = Dialect::default();
    for (old, columns, before, after, expected) in [
        (" a ,\"b\",5\" pipe", &["x", "y", "z"][..], "y,x\nb, a \n", "y,x\nc, a \n", " a ,\"c\",5\" pipe"),
        // Null is written without quotes, and what needs them has them.
        ("\"1\",\"2\"", &["x", "y"], "x,y\n1,2\n", "x,y\n,\"a,\"\"b\"\n", ",\"a,\"\"b\""),
        // By position.
        ("1,2,3", &[], "x,y\n1,2\n", "x,y\n1,7\n", "1,7,3"),
        // A row that is too short gets the cells up to the changed one.
        ("1", &["x", "y", "z"], "x,z\n1,\n", "x,z\n1,3\n", "1,,3"),
        ("", &["x"], "x\n\n", "x\nnew\n", "new"),
        ("old", &["x"], "x\nold\n", "x\n\n", ""),
        // A column that only one of the documents has.
        ("1,2", &["x", "y"], "x,y\n1,2\n", "x\n1\n", "1,"),
    ] {
        assert_eq!(rewritten(old, columns, before, after, usual).unwrap(), expected, "{old}");
    }
    let dialect = Dialect { delimiter: b';', quote: Some(b'\''), null: Some(NullText::new("NA").unwrap()), ..usual };
    assert_eq!(rewritten("'a';\"b\"", &["x", "y"], "x;y\na;1\n", "x;y\nNA;2\n", dialect).unwrap(), "NA;2");
}

#[test]
fn a_value_without_a_column_is_refused() {
    for columns in [&["y"][..], &[]] {
        let error = rewritten("1", columns, "y,x\n1,2\n", "y,x\n1,3\n", Dialect::default()).unwrap_err();
        assert!(error.to_string().contains("`x` has changed"), "{error}");
    }
    // It may be there if it stays as it is.
    assert_eq!(rewritten("1", &["y"], "y,x\n1,2\n", "y,x\n3,2\n", Dialect::default()).unwrap(), "3");
}

proptest! {
    #[test]
    fn the_row_has_the_new_values_and_the_other_bytes(
        texts in prop::collection::vec(("[a\",\n\r é']{0,6}", "[a\",\n\r é']{0,6}", any::<bool>(), any::<bool>()), 1..6),
    ) {
        let dialect = Dialect::default();
        let cell = |text: &str, quotes: bool| {
            if quotes || text.is_empty() || text.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.to_string()
            }
        };
        let columns: Vec<String> = (0..texts.len()).map(|index| format!("c{index}")).collect();
        let row = |cells: Vec<String>| cells.join(",");
        let old: Vec<String> = texts.iter().map(|(old, _, quotes, _)| cell(old, *quotes)).collect();
        let header = columns.join(",");
        let before = row(texts.iter().map(|(old, ..)| cell(old, false)).collect());
        let after = row(texts.iter().map(|(old, new, _, changes)| cell(if *changes { new } else { old }, false)).collect());
        let (before, after) = (format!("{header}\n{before}\n"), format!("{header}\n{after}\n"));
        let whole = row(old.clone());
        let rewrite = Rewrite { old: whole.as_bytes(), columns: &columns, before: before.as_bytes(), after: after.as_bytes() };
        let new = super::rewrite(&rewrite, dialect).unwrap();
        let cells = table(&new, dialect).unwrap().concat();
        prop_assert_eq!(cells.len(), texts.len());
        let mut rows = Rows::new(&new, dialect).unwrap();
        let values: Vec<Vec<u8>> = rows.next_row().unwrap().unwrap().cells().map(std::borrow::Cow::into_owned).collect();
        for (index, (was, is, _, changes)) in texts.iter().enumerate() {
            prop_assert_eq!(&values[index], if *changes { is } else { was }.as_bytes());
            if !changes || was == is {
                prop_assert_eq!(cells[index], old[index].as_bytes());
            }
        }
    }
}
