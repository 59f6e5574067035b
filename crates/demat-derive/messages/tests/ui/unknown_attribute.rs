use demat::Decode;

#[derive(Decode)]
#[demat(rename_everything = "camelCase")]
struct Type {
    a: u8,
}

#[derive(Decode)]
struct OnField {
    #[demat(renamed = "b")]
    a: u8,
    #[demat(optional)]
    b: u8,
}

#[derive(Decode)]
enum OnVariant {
    #[demat(alias = "b")]
    A,
}

fn main() {}
