use super::RecordPaths;
use crate::stream::RecordPath;

fn refused(paths: &[&str]) -> String {
    let paths: Vec<RecordPath> = paths.iter().map(|path| path.parse().unwrap()).collect();
    let forth = RecordPaths::new(&paths).unwrap_err().to_string();
    let mut other = paths.clone();
    other.reverse();
    assert!(RecordPaths::new(&other).is_err(), "{paths:?} in the other order");
    forth
}

#[test]
fn a_path_within_another_is_refused() {
    assert_eq!(refused(&["$.a", "$.a"]), "the path `$.a` is given twice");
    assert_eq!(refused(&["$.a", "$.b", "$.b.c[*]"]), "`$.b.c[*]` lies within `$.b`, whose values are records");
    assert_eq!(refused(&["$.b.c[*]", "$.b"]), "`$.b.c[*]` lies within `$.b`, whose values are records");
    assert_eq!(refused(&["$", "$[*]"]), "`$[*]` lies within `$`, whose values are records");
    assert_eq!(refused(&["$.a[*]", "$.a[*].b"]), "`$.a[*].b` lies within `$.a[*]`, whose values are records");
}

#[test]
fn steps_that_exclude_each_other_are_refused() {
    assert_eq!(refused(&["$.a[*]", "$.a.b"]), "`$.a` can't be both a list and a dict, as `$.a.b` and another path say");
    let twice = "`$.b.x` and another path select each value of the dict `$` and a certain one: that one twice";
    assert_eq!(refused(&["$.*", "$.b.x"]), twice);
    let twice = "`$.a[3].x` and another path select each item of the list `$.a` and a certain one: that one twice";
    assert_eq!(refused(&["$.a[*].y", "$.a[3].x"]), twice);
    assert!(RecordPaths::new(&[]).is_err());
}

#[test]
fn one_root_element_is_allowed() {
    let of = |text| RecordPath::of_elements(text).unwrap();
    assert_eq!(RecordPaths::new(&[of("a/b"), of("a/c/d"), of("a/c/e")]).unwrap().len(), 3);
    let error = RecordPaths::new(&[of("a/b"), of("c/b")]).unwrap_err();
    assert_eq!(error.to_string(), "a document has one root element, and not both `a` and `c`");
    let error = RecordPaths::new(&[of("a/b"), "$.a".parse().unwrap()]).unwrap_err();
    assert!(error.to_string().contains("another path"), "{error}");
}
