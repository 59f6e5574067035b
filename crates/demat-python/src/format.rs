/// The formats, by which the engines are instantiated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Json,
    Ndjson,
    Csv,
}

impl Format {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Json, Self::Ndjson, Self::Csv];

    /// Its name, which is that of its module, too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
        }
    }

    /// What places call it.
    pub(crate) fn of_places(self) -> demat_place::Format {
        match self {
            Self::Json => demat_place::Format::Json,
            Self::Ndjson => demat_place::Format::Ndjson,
            Self::Csv => demat_place::Format::Csv,
        }
    }

    /// The format of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}
