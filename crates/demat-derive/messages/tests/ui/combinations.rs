use demat::Decode;

#[derive(Decode)]
struct Skipped {
    #[demat(skip, rename = "b")]
    a: u8,
}

#[derive(Decode)]
struct Flattened {
    #[demat(flatten, default)]
    a: Skipped,
}

#[derive(Decode)]
struct Nameless(#[demat(rename = "b")] u8);

#[derive(Decode)]
struct Shaped {
    #[demat(shape = demat::Shape::Text)]
    a: u8,
}

fn main() {}
