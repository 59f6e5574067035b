/// What [`Source::list_or_single`](crate::Source::list_or_single) found where a list was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// A list, which was entered; with the number of its items if the format stores it.
    Items(Option<usize>),
    /// A single value, which is next: the only item.
    Single,
}
