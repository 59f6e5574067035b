/// How many values a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cardinality {
    /// One value.
    Value,
    /// A list of values.
    List,
    /// A map.
    Map,
    /// A union whose variants are numbered like the record's fields.
    Oneof,
}
