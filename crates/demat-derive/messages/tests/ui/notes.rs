use demat::Decode;

#[derive(Decode)]
struct Word {
    #[demat(xml = "atribute")]
    id: i64,
}

#[derive(Decode)]
struct Two {
    #[demat(xml = "attribute, text")]
    id: i64,
}

fn main() {}
