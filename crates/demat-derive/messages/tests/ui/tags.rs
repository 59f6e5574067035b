use demat::Decode;

#[derive(Decode)]
#[demat(tag = "kind")]
struct Struct {
    a: u8,
}

#[derive(Decode)]
#[demat(tag = "kind", untagged)]
enum Both {
    A(u8),
}

#[derive(Decode)]
#[demat(content = "value")]
enum ContentAlone {
    A(u8),
}

#[derive(Decode)]
#[demat(tag = "kind", content = "kind")]
enum Same {
    A(u8),
}

#[derive(Decode)]
#[demat(tag = "kind")]
enum Tuple {
    A(u8, u8),
}

#[derive(Decode)]
enum Never {}

#[derive(Decode)]
union Union {
    a: u8,
}

fn main() {}
