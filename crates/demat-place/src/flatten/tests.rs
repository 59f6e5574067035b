use super::{Columns, Flatten};
use demat_core::{Shape, copy};
use demat_formats::csv::{CsvSink, Dialect};
use demat_formats::json::JsonSource;
use demat_formats::{Keep, Output};

fn flattened(shape: &str, json: &str) -> demat_core::Result<String> {
    let shape: Shape = format!("[{{{shape}}}]").parse()?;
    let columns = Columns::of(shape.row().unwrap())?;
    let mut csv = CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep))?;
    let mut flatten = Flatten::new(&mut csv, &columns, 1024);
    demat_core::Sink::begin(&mut flatten, &shape)?;
    copy(&mut JsonSource::new(json.as_bytes()), &shape, &mut flatten)?;
    Ok(String::from_utf8(csv.into_output().into_parts().0).unwrap())
}

#[test]
fn fields_of_inner_records_are_columns() {
    let shape = "id: int, at: {x: int, deep: {y: text}}?, z: bool";
    let json = r#"[{"z":true,"id":1,"at":{"deep":{"y":"a"},"x":2}},{"id":3,"at":null,"z":false},{"id":4,"z":true}]"#;
    assert_eq!(flattened(shape, json).unwrap(), "id,at.x,at.deep.y,z\n1,2,a,true\n3,,,false\n4,,,true\n");
}

#[test]
fn lists_and_maps_are_their_json() {
    let shape = "a: [{x: int}], m: map(text, [int]), any: any, t: (int, text)?";
    let json = r#"[{"a":[{"x":1},{"x":2}],"m":{"k":[1]},"any":{"q":"\""},"t":[1,"b"]},
                   {"a":[],"m":{},"any":1.5,"t":null}]"#;
    let expected = r#"a,m,any,t
"[{""x"":1},{""x"":2}]","{""k"":[1]}","{""q"":""\""""}","[1,""b""]"
[],{},1.5,
"#;
    assert_eq!(flattened(shape, json).unwrap(), expected);
}

#[test]
fn unions_are_their_json_unless_they_are_scalars() {
    let shape = "a: int | text, b: union(x: int, y), c: union[kind](p: {n: int}, q: {}), d: int | [int]";
    let json = r#"[{"a":1,"b":{"x":1},"c":{"kind":"p","n":1},"d":[1]},{"a":"s","b":"y","c":{"kind":"q"},"d":2}]"#;
    let expected = r#"a,b,c,d
1,"{""x"":1}","{""kind"":""p"",""n"":1}",[1]
s,y,"{""kind"":""q""}",2
"#;
    assert_eq!(flattened(shape, json).unwrap(), expected);
}

#[test]
fn a_record_within_itself_is_json() {
    let shape: Shape = "[Node{v: int, next: Node?}]".parse().unwrap();
    let columns = Columns::of(shape.row().unwrap()).unwrap();
    let names: Vec<_> = columns.flat().fields().iter().map(|field| field.key().to_string()).collect();
    assert_eq!(names, ["v", "next"]);
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let error = flattened("a: {b: int}, \"a.b\": int", "[]").unwrap_err();
    assert_eq!(error.to_string(), "two fields have the name `a.b`");
    let error = flattened("a: int, ...rest: map(text, int)", "[]").unwrap_err();
    assert!(error.to_string().contains("can't be flattened"), "{error}");
}
