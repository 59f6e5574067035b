use super::ServerPlace;
use crate::{Part, Place};
use std::path::Path;

fn named(name: &str) -> (String, Part) {
    let place = ServerPlace::named(name.as_ref()).unwrap();
    (place.url().to_string(), place.part)
}

#[test]
fn the_part_follows_the_parameters() {
    let table = |name: &str| Part::Table(name.to_string());
    let query = |sql: &str| Part::Query(sql.to_string());
    for (name, url, part) in [
        ("postgres://h/d", "postgres://h/d", Part::Whole),
        ("postgres://h/d#t", "postgres://h/d", table("t")),
        ("postgresql://h/d?sslmode=disable&a=b", "postgresql://h/d?sslmode=disable&a=b", Part::Whole),
        ("postgresql://h/d?a=b#x.\"y#z\"", "postgresql://h/d?a=b", table("x.\"y#z\"")),
        (
            "postgresql://h/d?select a # b from t where c = '?'",
            "postgresql://h/d",
            query("select a # b from t where c = '?'"),
        ),
        ("postgresql://h/d?a=b?table t", "postgresql://h/d?a=b", query("table t")),
        ("postgresql://h/d?with x as (select 1) table x", "postgresql://h/d", query("with x as (select 1) table x")),
    ] {
        assert_eq!(named(name), (url.to_string(), part), "{name}");
    }
    assert!(ServerPlace::named("postgres.db".as_ref()).is_none());
    assert!(ServerPlace::named("mysql://h/d".as_ref()).is_none());
}

#[test]
fn no_text_shows_the_password() {
    let place = Place::named("postgresql://ada:hunter2@h/d?password=hunter2#t".as_ref());
    for text in [place.to_string(), format!("{place:?}"), place.name_as_source(), place.name_as_target()] {
        assert!(!text.contains("hunter2") && (text.contains("#t") || !cfg!(feature = "postgres")), "{text}");
    }
    assert_eq!(place.path(), None::<&Path>);
    let place = Place::named("postgresql://ada:hunter?2@h/d#t".as_ref());
    assert!(!place.to_string().contains("hunter"), "{place}");
}

#[cfg(feature = "postgres")]
#[test]
fn what_is_no_table_is_refused_before_anything_is_reached() {
    use crate::{CopyJob, Format};
    for (to, expected) in [
        ("postgresql://h/d?select 1", "rows go into a table"),
        ("postgresql://h/d", "which table is not said"),
        ("postgresql://h/d?sslmode=maybe#t", "sslmode=maybe"),
        ("postgresql://h/d#a.b.c", "no name of a table"),
    ] {
        let from = Place::Given("rows".to_string());
        let job = CopyJob::new(from, Format::CSV, Place::named(to.as_ref()), Format::SQLITE);
        let error = job.reader(&b"a\n1\n"[..]).run().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
