/// The formats, by which the engines are instantiated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Json,
    Ndjson,
    Csv,
    Proto,
}

impl Format {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Json, Self::Ndjson, Self::Csv, Self::Proto];

    /// Its name, which is that of its module, too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Proto => "proto",
        }
    }

    /// The format of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}
