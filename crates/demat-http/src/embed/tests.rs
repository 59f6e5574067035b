use super::parsed;

#[test]
fn names_fields_and_depth_are_read() {
    let embeds = parsed("authors(name,+countries(*)),books:author_id").unwrap();
    assert_eq!((&*embeds[0].name, &*embeds[1].name), ("authors", "books:author_id"));
    assert_eq!(embeds[0].fields.as_deref(), Some(&["name".to_string()][..]));
    assert_eq!((&*embeds[0].within[0].name, &embeds[0].within[0].fields), ("countries", &None));
    assert_eq!(parsed(r"a\\\,b:t").unwrap()[0].name, r"a\,b:t");
    assert_eq!(parsed(r"a\,b:t").unwrap()[0].name, "a,b:t");
}

#[test]
fn what_is_no_embed_is_refused() {
    for text in ["", ",", "a,", "a(", "a()", "a(b", "a(b))", "(a)", "a,a", "a(+b,+b)", "a(+b(+c(+d)))", "a\\", "a(+)"] {
        parsed(text).unwrap_err();
    }
    parsed(&vec!["a(b)"; 40].join(",")).unwrap_err();
}
