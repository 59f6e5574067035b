use demat::Decode;

#[derive(Decode)]
#[demat(rename_all = "Camel")]
struct Case {
    a: u8,
}

#[derive(Decode)]
struct Fields {
    #[demat(rename)]
    a: u8,
    #[demat(rename = 3)]
    b: u8,
    #[demat(number = 0)]
    c: u8,
    #[demat(skip_if = 3)]
    d: u8,
    #[demat(rename = "x", rename = "y")]
    e: u8,
}

fn main() {}
