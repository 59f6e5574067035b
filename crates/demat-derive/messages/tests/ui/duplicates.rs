use demat::Decode;

#[derive(Decode)]
struct Keys {
    a: u8,
    #[demat(rename = "a")]
    b: u8,
}

#[derive(Decode)]
struct Aliases {
    a: u8,
    #[demat(alias = "a")]
    b: u8,
}

#[derive(Decode)]
struct Numbers {
    #[demat(number = 2)]
    a: u8,
    b: u8,
}

#[derive(Decode)]
enum Variants {
    A(u8),
    #[demat(rename = "A")]
    B,
}

#[derive(Decode)]
enum VariantNumbers {
    A(u8),
    #[demat(number = 1)]
    B,
}

#[derive(Decode)]
#[demat(tag = "kind")]
enum Tagged {
    A { kind: u8 },
}

#[derive(Decode)]
#[demat(tag = "kind")]
enum TaggedNumber {
    A {
        #[demat(number = 1)]
        a: u8,
    },
}

fn main() {}
