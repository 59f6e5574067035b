use super::Environment;
use crate::{Fault, Query, Reference, Store, ValueBody, Verb, When, collected, fault_of};
use demat_core::Value;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

#[test]
fn variables_are_got_and_not_put() {
    let store = Environment::new();
    let name = collected(&store, &at("/CARGO_PKG_NAME"), &Query::default()).unwrap();
    assert_eq!(name, Value::Text("demat-store".into()));
    let put = store.put(&at("/CARGO_PKG_NAME"), &mut ValueBody(&name), &When::Always).unwrap_err();
    assert_eq!(fault_of(&put), Some(Fault::NotAllowed(Verb::Put)));
    for absent in ["/NO_SUCH_VARIABLE", "/CARGO_PKG_NAME/x", "/a%3Db"] {
        let error = collected(&store, &at(absent), &Query::default()).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::NotFound), "{absent}");
        assert_eq!(fault_of(&store.version(&at(absent)).unwrap_err()), Some(Fault::NotFound), "{absent}");
    }
    assert_eq!(store.version(&at("/CARGO_PKG_NAME")).unwrap(), store.version(&at("/CARGO_PKG_NAME")).unwrap());
}

#[test]
fn the_whole_is_the_names() {
    let store = Environment::new().with_prefix("CARGO_PKG_");
    let mut names = Vec::new();
    let mut told = |name: &str| {
        names.push(Value::Text(name.to_string().into()));
        Ok(())
    };
    store.children(&[], &mut told).unwrap();
    assert!(names.contains(&Value::Text("VERSION".into())));
    assert_eq!(collected(&store, &[], &Query::default()).unwrap(), Value::List(names));
    assert_eq!(store.describe().to_string(), "environment CARGO_PKG_*\n");
}
