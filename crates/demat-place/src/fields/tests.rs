use super::projected;
use demat_core::{Items, Shape};

fn of(shape: &str, names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(ToString::to_string).collect();
    match projected(&shape.parse::<Shape>().unwrap(), &names) {
        Ok(shape) => shape.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn fields_come_in_the_order_that_they_are_asked_for() {
    let chosen = of("[Task{id: int, title: text?, done: bool}]", &["done", "id"]);
    assert_eq!(chosen, "[Task{done@3:bool, id@1:int}]");
}

/// A table without a header has its columns where they were, also if fields are chosen twice.
#[test]
fn fields_keep_their_columns() {
    let columns = |shape: &Shape| match shape {
        Shape::Record(record) => record.get().fields().iter().map(demat_core::Field::column).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let all: Shape = "{id: int, title: text?, done: bool}".parse().unwrap();
    assert_eq!(columns(&all), [None, None, None]);
    let some = projected(&all, &["done".to_string(), "title".to_string()]).unwrap();
    assert_eq!(columns(&some), [Some(2), Some(1)]);
    assert_eq!(columns(&projected(&some, &["title".to_string()]).unwrap()), [Some(1)]);
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    assert_eq!(
        of("{id: int, title: text}", &["titel"]),
        "there is no field `titel`; there are `id`, `title`; did you mean `title`?"
    );
    assert_eq!(of("[int]", &["id"]), "fields are chosen of records, and this is a int");
}

#[test]
fn names_lead_into_records() {
    let shape = "[{id: int, by: {name: text, at: {x: int, y: int}}?, all: [{a: int, b: int}], \"by.id\": int}]";
    assert_eq!(of(shape, &["by.at.y", "id", "by.name"]), "[{by@2:{at@2:{y@2:int}, name@1:text}?, id@1:int}]");
    assert_eq!(of(shape, &["all.b", "by.id"]), "[{all@3:[{b@2:int}], \"by.id\"@4:int}]");
    assert_eq!(of(shape, &["by.x"]), "there is no field `x`; there are `name`, `at`");
    assert_eq!(of(shape, &["id.x"]), "fields are chosen of records, and this is a int");
    for names in [["by", "by.name"], ["by.name", "by"], ["id", "id"]] {
        assert_eq!(of(shape, &names), format!("the field `{}` is named twice", names[1]));
    }
}

#[test]
fn of_anything_nothing_is_chosen() {
    assert_eq!(of("[any]", &["id"]), "[any]");
}

/// Items of a list are known by their place, whichever fields are chosen; a list that is written has all of them.
#[test]
fn fields_keep_their_items() {
    let of = |items: Items| {
        let record = match "{id: int, title: text?, done: bool}".parse().unwrap() {
            Shape::Record(record) => record.get().clone().with_items(items),
            other => panic!("{other}"),
        };
        projected(&Shape::record(record), &["done".to_string(), "id".to_string()])
    };
    let chosen = of(Items::in_order(3)).unwrap();
    let items = chosen.row().map(|record| record.get().items().cloned()).unwrap().unwrap();
    assert_eq!((0..4).map(|place| items.field_at(place)).collect::<Vec<_>>(), [Some(1), None, Some(0), None]);
    assert_eq!(items.count(), 3);
    let refused = of(Items::in_order(3).written()).unwrap_err();
    assert!(refused.to_string().contains("written as a list of all its fields"), "{refused}");
}
