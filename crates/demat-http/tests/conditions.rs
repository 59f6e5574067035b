//! Conditions with `and`, `or` and `not` in a query.

mod support;

use demat_http::Options;
use support::Running;

const JSON: &str = "content-type: application/json\r\n";

fn tasks() -> Running {
    let own = Running::new(Options::default());
    let rows = r#"[{"title":"a"},{"title":"b","completed":true,"order":1},{"title":"c","completed":true,"order":9}]"#;
    assert_eq!(own.ask("POST", "/tasks", JSON, rows).status, 201);
    assert_eq!(
        own.ask("PUT", "/notes/list", JSON, r#"[{"n":1,"by":{"name":"Ada"}},{"n":2,"by":{"name":"Bob"}}]"#).status,
        201
    );
    own
}

fn encoded(condition: &str) -> String {
    condition.bytes().fold(String::new(), |whole, byte| format!("{whole}%{byte:02X}"))
}

#[test]
fn they_choose_what_is_read_and_counted() {
    let own = tasks();
    for (condition, ids) in [
        ("completed and order > 5", vec![3]),
        ("not completed or order = 1", vec![1, 2]),
        ("not (title in ('a', 'b') or order is null)", vec![3]),
        ("title like 'a%' or title contains 'C'", vec![1, 3]),
        ("order > 100", vec![]),
    ] {
        let told: Vec<_> = ids.iter().map(|id| format!("{{\"id\":{id}}}")).collect();
        let target = format!("/tasks?fields=id&where={}", encoded(condition));
        assert_eq!(own.get(&target).text(), format!("[{}]", told.join(",")), "{condition}");
        let count = own.get(&format!("/tasks?count&where={}", encoded(condition)));
        assert_eq!(count.text(), format!("{{\"count\":{}}}", ids.len()), "{condition}");
    }
    let page = own.get(&format!("/tasks?limit=1&completed=true&where={}", encoded("not order = 9")));
    assert_eq!((page.status, page.text().matches("title").count()), (200, 1));
    let list = own.get(&format!("/notes/list?where={}", encoded("by.name = 'Bob' and n = 2")));
    assert_eq!(list.text(), r#"[{"n":2,"by":{"name":"Bob"}}]"#);
}

#[test]
fn they_choose_what_is_changed() {
    let own = tasks();
    let patched =
        own.ask("PATCH", &format!("/tasks?where={}", encoded("order = 9 or title = 'a'")), JSON, r#"{"order":7}"#);
    assert_eq!((patched.status, patched.header("demat-count")), (204, Some("2")));
    assert_eq!(own.get("/tasks?order=7&fields=id").status, 400, "`order` is a word");
    assert_eq!(own.get("/tasks?order.eq=7&fields=id").text(), r#"[{"id":1},{"id":3}]"#);
    let deleted = own.ask("DELETE", &format!("/tasks?where={}", encoded("not order = 7")), "", "");
    assert_eq!((deleted.status, deleted.header("demat-count")), (204, Some("1")));
    assert_eq!(own.get("/tasks?fields=id").text(), r#"[{"id":1},{"id":3}]"#);
}

#[test]
fn what_is_no_condition_is_refused_with_its_place() {
    let own = tasks();
    for (condition, said) in [
        ("", "the name of a field"),
        ("title =", "expected a value, found end of the condition"),
        ("title = 5", "text stands in quotes"),
        ("title = a", "text stands in quotes"),
        ("nothing = 1", "there is no field `nothing`"),
        ("completed and", "the name of a field"),
        ("completed; drop table tasks", "`;`"),
        ("title = 'a' union select 1", "`union`"),
        ("order = 'x'", "`x` is no value of `order`"),
        ("order = '5'", "without quotes"),
    ] {
        for (method, body) in [("GET", ""), ("DELETE", ""), ("PATCH", r#"{"order":7}"#)] {
            let got = own.ask(method, &format!("/tasks?where={}", encoded(condition)), "", body);
            assert_eq!(got.status, 400, "{method} {condition}: {}", got.text());
            assert!(got.text().contains(said), "{condition}: {}", got.text());
        }
    }
    assert_eq!(own.get("/tasks?where=completed&where=completed").status, 400, "it is said twice");
    let deep = format!("{}completed{}", "(".repeat(100), ")".repeat(100));
    assert_eq!(own.get(&format!("/tasks?where={}", encoded(&deep))).status, 400, "it is too deep");
    let wide = vec!["order = 1"; 300].join(" or ");
    assert_eq!(own.get(&format!("/tasks?where={}", encoded(&wide))).status, 400, "it is too wide");
    assert_eq!(own.get("/tasks?count").text(), r#"{"count":3}"#, "nothing was changed");
}
