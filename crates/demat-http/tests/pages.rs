//! Pages by `after`, which records that are added or deleted do not shift.

mod support;

use demat_http::Options;
use support::{Got, Running};

const JSON: &str = "content-type: application/json\r\n";

fn tasks() -> Running {
    let own = Running::new(Options::default());
    let rows: Vec<_> = (1..=10)
        .map(|id| {
            let order = if id % 3 == 0 { "null".to_string() } else { (id % 4).to_string() };
            format!(r#"{{"id":{},"title":"t{}","order":{order}}}"#, id * 10, id % 2)
        })
        .collect();
    assert_eq!(own.ask("POST", "/tasks", JSON, &format!("[{}]", rows.join(","))).status, 201);
    own
}

fn ids_of(page: &Got) -> Vec<i64> {
    let id = |rest: &str| rest[..rest.find([',', '}']).unwrap()].parse().unwrap();
    page.text().split("\"id\":").skip(1).map(id).collect()
}

/// Follows the links from a page to the last; calls a function after each page.
fn walked(own: &Running, first: &str, mut each: impl FnMut(usize)) -> Vec<i64> {
    let (mut ids, mut target, mut pages) = (Vec::new(), first.to_string(), 0);
    loop {
        let page = own.get(&target);
        assert_eq!(page.status, 200, "{target}: {}", page.text());
        ids.extend(ids_of(&page));
        pages += 1;
        assert!(pages < 50, "{target}");
        each(pages);
        let Some(link) = page.header("link") else { return ids };
        let url = link.strip_prefix("<http://localhost").and_then(|link| link.strip_suffix(">; rel=\"next\"")).unwrap();
        target = url.to_string();
    }
}

#[test]
fn all_pages_together_are_the_whole_list() {
    let own = tasks();
    for order in ["", "&order=-id", "&order=order", "&order=-order", "&order=title,-order", "&order=-title,order,-id"] {
        let whole = ids_of(&own.get(&format!("/tasks?limit=100{order}")));
        for limit in [1, 2, 3, 9, 10, 11] {
            let pages = walked(&own, &format!("/tasks?after=&limit={limit}{order}"), |_| {});
            assert_eq!(pages, whole, "{order} by {limit}");
        }
    }
    let some =
        walked(&own, "/tasks?after=&limit=2&fields=title,id&where=order%20is%20null%20or%20id%20%3C%2030", |_| {});
    assert_eq!(some, [10, 20, 30, 60, 90]);
}

#[test]
fn rows_that_come_and_go_shift_no_page() {
    let own = tasks();
    let ids = walked(&own, "/tasks?after=&limit=3", |page| {
        // Before what has been read, and behind it.
        own.ask("POST", "/tasks", JSON, &format!(r#"{{"id":{page},"title":"x"}}"#));
        own.ask("DELETE", &format!("/tasks/{}", page * 10), "", "");
    });
    assert_eq!(ids, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    // The row that a cursor came from may be gone.
    let page = own.get("/tasks?limit=1&fields=id&after=%5B40%5D");
    own.ask("DELETE", "/tasks/40", "", "");
    assert_eq!(own.get("/tasks?limit=1&fields=id&after=%5B40%5D").text(), page.text());
}

#[test]
fn the_next_page_has_the_format_of_this() {
    let own = tasks();
    for target in ["/tasks?limit=2&format=csv", "/tasks?limit=2&after=&format=csv"] {
        let link = own.get(target).header("link").unwrap().to_string();
        assert!(link.contains("&format=csv>"), "{link}");
    }
}

#[test]
fn what_is_no_cursor_is_refused() {
    let own = tasks();
    for query in [
        "after=",
        "after=&limit=2&offset=1",
        "limit=2&after=x",
        "limit=2&after=%5B%5D",
        "limit=2&after=%5B1%2C2%5D",
        "limit=2&after=%5B%7B%7D%5D",
        "limit=2&after=%5Btrue%5D",
        "limit=2&order=title&after=%5B1%5D",
        "limit=2&after=&after=",
        "limit=2&after=%22",
        "limit=2&after=%5B99999999999999999999%5D",
    ] {
        let got = own.get(&format!("/tasks?{query}"));
        assert_eq!(got.status, 400, "{query}: {}", got.text());
    }
    assert_eq!(own.get("/tasks/10?after=&limit=1").status, 400);
    assert_eq!(own.ask("DELETE", "/tasks?after=&id=10", "", "").status, 400);
    own.ask("PUT", "/notes/list", JSON, "[1,2]");
    let other = own.get("/notes/list?after=&limit=1");
    assert_eq!(other.status, 400, "{}", other.text());
    assert_eq!(own.get("/tasks?after=&limit=0").text(), "[]");
}
