use super::{RouteRequest, Template};
use crate::{Encoded, Fault, Put, Query, Reference, Store, ValueBody, Verb, Verbs, When, collected, fault_of};
use demat_core::{Result, Shape, Value};
use demat_place::Format;
use std::sync::{Arc, Mutex};

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn number(value: i64) -> Value {
    Value::Int(value.into())
}

fn json(store: &dyn Store, place: &str, query: &str) -> Result<String> {
    let bytes = store.encoded(&at(place), &Query::parse(query)?, Format::JSON, usize::MAX)?;
    Ok(String::from_utf8(bytes.unwrap().to_vec()).unwrap())
}

fn fault<T: core::fmt::Debug>(result: Result<T>) -> Option<Fault> {
    fault_of(&result.unwrap_err())
}

/// A store of tasks, of which only the first exists.
fn tasks(seen: &Arc<Mutex<Vec<String>>>) -> Template {
    let seen = Arc::clone(seen);
    let one = move |request: &mut RouteRequest<'_>| {
        let value = request.value(&Shape::Any)?;
        seen.lock().unwrap().push(format!("{request:?} {value:?}"));
        let is = request.name("id") == Some("1");
        Ok(is.then(|| Value::Map(vec![(Value::Text("id".into()), number(1))])))
    };
    let all = |request: &mut RouteRequest<'_>| {
        let most = request.query().limit.unwrap_or(3);
        Ok(Some(Value::List((0..most.cast_signed()).map(number).collect())))
    };
    let store = Template::new().with("/tasks/:id", Verbs::ALL.without(Verb::Post), one).unwrap();
    let store = store.with("/tasks", Verbs::READ, all).unwrap();
    let store = store.with("/plain/:a/and/:b", Verbs::READ, |request| {
        let names = [request.name("b"), request.name("a"), request.name("c")];
        Ok(Some(Value::List(names.into_iter().flatten().map(|name| Value::Text(name.to_string().into())).collect())))
    });
    store.unwrap()
}

#[test]
fn routes_lead_to_functions() {
    let seen = Arc::default();
    let store = tasks(&seen);
    assert_eq!(json(&store, "/tasks/1", "").unwrap(), r#"{"id":1}"#);
    assert_eq!(json(&store, "/plain/x%2Fy/and/z", "").unwrap(), r#"["z","x/y"]"#);
    assert_eq!(json(&store, "/plain/x/and/z", "limit=1&offset=1").unwrap(), r#"["x"]"#, "the store sees to a query");
    assert_eq!(json(&store, "/tasks", "limit=2").unwrap(), "[0,1]", "or the function that asks for it");
    assert_eq!(json(&store, "/", "").unwrap(), r#"["tasks","plain"]"#);
    assert_eq!(json(&store, "/plain/x", "").unwrap(), r#"["and"]"#);
    for place in ["/tasks/2", "/none", "/tasks/1/more", "/plain/x/or/y"] {
        assert_eq!(fault(json(&store, place, "")), Some(Fault::NotFound), "{place}");
    }
    assert_eq!(fault(store.post(&at("/tasks/1"), &mut ValueBody(&number(1)))), Some(Fault::NotAllowed(Verb::Post)));
    assert_eq!(fault(store.delete(&at("/plain"), &When::Always)), Some(Fault::NotAllowed(Verb::Delete)));
    assert_eq!(fault(store.delete(&at("/none"), &When::Always)), Some(Fault::NotFound));
    assert_eq!(store.allows(&at("/tasks/1")), Verbs::ALL.without(Verb::Post));
    assert_eq!((store.allows(&at("/none")), store.allows(&at("/plain"))), (Verbs::NONE, Verbs::READ));
    assert!(!store.is_prompt() && store.prompt().is_prompt());
}

#[test]
fn what_is_given_is_told_on_request() {
    let seen = Arc::default();
    let store = tasks(&seen);
    let given = || Encoded::new(Format::JSON, &b"[1]"[..]);
    assert_eq!(store.put(&at("/tasks/1"), &mut given(), &When::Always).unwrap(), Put::Replaced);
    assert_eq!(store.put(&at("/tasks/2"), &mut given(), &When::Absent).unwrap(), Put::Created);
    assert_eq!(fault(store.put(&at("/tasks/1"), &mut given(), &When::Absent)), Some(Fault::Changed));
    store.delete(&at("/tasks/1"), &When::There).unwrap();
    let seen = seen.lock().unwrap();
    let value = "Some(List([Int(I64(1))]))";
    let wanted = [
        format!("put /tasks/1 {value}"),
        "get /tasks/2 None".to_string(),
        format!("put /tasks/2 {value}"),
        "get /tasks/1 None".to_string(),
        "get /tasks/1 None".to_string(),
        "delete /tasks/1 None".to_string(),
    ];
    assert_eq!(*seen, wanted);
}

#[test]
fn what_is_posted_is_named() {
    for (answer, reference) in [
        (None, Some("/all")),
        (Some(number(7)), Some("/all/7")),
        (Some(Value::Text("a b".into())), Some("/all/a%20b")),
        (Some(Value::Text("/other/1".into())), Some("/other/1")),
        (Some(Value::Text("..".into())), Some("/all/~..")),
        (Some(Value::Bool(true)), None),
    ] {
        let store = Template::new().with("/all", Verbs::NONE.and(Verb::Post), move |_| Ok(answer.clone())).unwrap();
        let posted = store.post(&at("/all"), &mut ValueBody(&Value::Null)).ok();
        assert_eq!(posted.map(|posted| posted.to_string()).as_deref(), reference);
    }
}

#[test]
fn what_is_no_route_says_so() {
    for bad in ["/a/:", "/:a/:a", "/../a", "/a//b"] {
        assert_eq!(fault(Template::new().with(bad, Verbs::READ, |_| Ok(None))), Some(Fault::BadReference), "{bad}");
    }
    let store = Template::new().with("/", Verbs::READ, |_| Ok(Some(Value::Null))).unwrap();
    let store = store.with("/a b/:c", Verbs::READ, |_| Ok(None)).unwrap();
    assert_eq!(collected(&store, &[], &Query::default()).unwrap(), Value::Null);
    assert_eq!(store.describe().to_string(), "template\n├─ route / get\n└─ route /a%20b/:c get\n");
}
