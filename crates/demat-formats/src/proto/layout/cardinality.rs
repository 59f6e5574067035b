/// How many values a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cardinality {
    /// One value.
    Value,
    /// A list of values.
    List,
    /// A map.
    Map,
    /// A union whose variants are numbered as the record's fields are.
    Oneof,
}
