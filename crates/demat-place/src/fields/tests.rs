use super::projected;
use demat_core::Shape;

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

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    assert_eq!(of("{id: int, title: text}", &["titel"]), "there is no field `titel`; there are `id`, `title`");
    assert_eq!(of("[int]", &["id"]), "fields are chosen of records, and this is a int");
}

#[test]
fn of_anything_nothing_is_chosen() {
    assert_eq!(of("[any]", &["id"]), "[any]");
}
