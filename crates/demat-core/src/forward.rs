//! The macro that writes the methods of a sink which forwards to another one.

/// Writes methods of a [`Sink`](crate::Sink) that forward to another sink, by their names.
///
/// `forward! { self => EXPR; … }` calls the same method of `EXPR`, which is evaluated for each call and may use `?`.
/// `forward! { self by METHOD; … }` calls `self.METHOD(|sink| sink.…)` instead, for sinks that choose where a call
/// goes.
///
/// Groups of names: `scalars`; `containers`, which are lists, maps, records and variants; `keys`; `marks`, which are
/// `commit`, `rollback` and `finish`; `runs`, for a sink that does nothing but forward.
///
/// ```
/// use demat_core::{Result, Sink, forward};
/// /// Writes texts in capital letters.
/// struct Loud<S>(S);
/// impl<S: Sink> Sink for Loud<S> {
///     forward! { self => self.0; null bool int float containers marks }
///     fn text(&mut self, value: &str) -> Result<()> {
///         self.0.text(&value.to_uppercase())
///     }
/// }
/// # Loud(demat_core::Nothing).text("a")?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[macro_export]
macro_rules! forward {
    ($self:ident => $sink:expr; $($names:tt)*) => { $crate::forward!(@each [$self => $sink] $($names)*); };
    ($self:ident by $method:ident; $($names:tt)*) => { $crate::forward!(@each [$self by $method] $($names)*); };

    (@each $how:tt) => {};
    (@each $how:tt scalars $($rest:tt)*) => {
        $crate::forward!(@each $how null bool int i64 u64 float float32 text bytes decimal);
        $crate::forward!(@each $how date time date_time instant duration uuid variant);
        $crate::forward!(@each $how $($rest)*);
    };
    (@each $how:tt containers $($rest:tt)*) => {
        $crate::forward!(@each $how begin_list item end_list begin_map entry value end_map);
        $crate::forward!(@each $how begin_record field rest end_record begin_variant end_variant);
        $crate::forward!(@each $how $($rest)*);
    };
    (@each $how:tt runs $($rest:tt)*) => { $crate::forward!(@each $how int_bytes field_run item_run number_items $($rest)*); };
    (@each $how:tt keys $($rest:tt)*) => { $crate::forward!(@each $how key key_with key_quoted $($rest)*); };
    (@each $how:tt marks $($rest:tt)*) => { $crate::forward!(@each $how commit rollback finish $($rest)*); };
    (@each $how:tt $name:ident $($rest:tt)*) => {
        $crate::forward!(@method $how $name);
        $crate::forward!(@each $how $($rest)*);
    };

    (@method $how:tt null) => { $crate::forward!(@write $how null() -> ()); };
    (@method $how:tt bool) => { $crate::forward!(@write $how bool(value: bool) -> ()); };
    (@method $how:tt int) => { $crate::forward!(@write $how int(value: &$crate::scalar::Int<'_>) -> ()); };
    (@method $how:tt i64) => { $crate::forward!(@write $how i64(value: i64) -> ()); };
    (@method $how:tt u64) => { $crate::forward!(@write $how u64(value: u64) -> ()); };
    (@method $how:tt float) => { $crate::forward!(@write $how float(value: f64) -> ()); };
    (@method $how:tt float32) => { $crate::forward!(@write $how float32(value: f32) -> ()); };
    (@method $how:tt text) => { $crate::forward!(@write $how text(value: &str) -> ()); };
    (@method $how:tt bytes) => { $crate::forward!(@write $how bytes(value: &[u8]) -> ()); };
    (@method $how:tt decimal) => { $crate::forward!(@write $how decimal(value: &$crate::scalar::Decimal<'_>) -> ()); };
    (@method $how:tt date) => { $crate::forward!(@write $how date(value: $crate::scalar::Date) -> ()); };
    (@method $how:tt time) => { $crate::forward!(@write $how time(value: $crate::scalar::Time) -> ()); };
    (@method $how:tt date_time) => { $crate::forward!(@write $how date_time(at: $crate::scalar::DateTime) -> ()); };
    (@method $how:tt instant) => {
        $crate::forward!(@write $how instant(at: $crate::scalar::DateTime, offset: $crate::scalar::Offset) -> ());
    };
    (@method $how:tt duration) => { $crate::forward!(@write $how duration(value: $crate::scalar::Duration) -> ()); };
    (@method $how:tt uuid) => { $crate::forward!(@write $how uuid(value: $crate::scalar::Uuid) -> ()); };
    (@method $how:tt variant) => { $crate::forward!(@write $how variant(names: &$crate::Enum, index: usize) -> ()); };
    (@method $how:tt begin) => { $crate::forward!(@write $how begin(shape: &$crate::Shape) -> ()); };
    (@method $how:tt stated) => { $crate::forward!(@write $how stated(shape: &$crate::Shape) -> ()); };
    (@method $how:tt as_is) => { $crate::forward!(@write $how as_is(format: &str, bytes: &[u8]) -> bool); };
    (@method $how:tt begin_list) => { $crate::forward!(@write $how begin_list(len: Option<usize>) -> ()); };
    (@method $how:tt begin_list_of) => {
        $crate::forward!(@write $how begin_list_of(item: &$crate::Shape, len: Option<usize>) -> ());
    };
    (@method $how:tt item) => { $crate::forward!(@write $how item() -> ()); };
    (@method $how:tt end_list) => { $crate::forward!(@write $how end_list() -> ()); };
    (@method $how:tt empty_list) => { $crate::forward!(@write $how empty_list() -> ()); };
    (@method $how:tt begin_map) => { $crate::forward!(@write $how begin_map(len: Option<usize>) -> ()); };
    (@method $how:tt entry) => { $crate::forward!(@write $how entry() -> ()); };
    (@method $how:tt value) => { $crate::forward!(@write $how value() -> ()); };
    (@method $how:tt end_map) => { $crate::forward!(@write $how end_map() -> ()); };
    (@method $how:tt empty_map) => { $crate::forward!(@write $how empty_map() -> ()); };
    (@method $how:tt key) => { $crate::forward!(@write $how key(key: &str) -> ()); };
    (@method $how:tt key_with) => { $crate::forward!(@write $how key_with(key: &str, token: &$crate::KeyPattern) -> ()); };
    (@method $how:tt key_quoted) => {
        $crate::forward!(@write $how key_quoted(key: &str, quoted: &$crate::QuotedKey) -> ());
    };
    (@method $how:tt begin_record) => { $crate::forward!(@write $how begin_record(record: &$crate::Record) -> ()); };
    (@method $how:tt field) => { $crate::forward!(@write $how field(record: &$crate::Record, index: usize) -> ()); };
    (@method $how:tt rest) => { $crate::forward!(@write $how rest(record: &$crate::Record, key: &str) -> ()); };
    (@method $how:tt end_record) => { $crate::forward!(@write $how end_record(record: &$crate::Record) -> ()); };
    (@method $how:tt begin_variant) => {
        $crate::forward!(@write $how begin_variant(union: &$crate::Union, index: usize) -> ());
    };
    (@method $how:tt end_variant) => {
        $crate::forward!(@write $how end_variant(union: &$crate::Union, index: usize) -> ());
    };
    (@method $how:tt int_bytes) => {
        $crate::forward!(@write $how int_bytes(bytes: &[u8], negative: bool) -> bool);
    };
    (@method [$self:ident => $sink:expr] field_run) => {
        #[inline]
        fn field_run(
            &mut $self,
            record: &$crate::Record,
            first: usize,
            values: &[$crate::Basic<'_>],
        ) -> $crate::Result<(), (usize, $crate::Error)> {
            $sink.field_run(record, first, values)
        }
    };
    (@method [$self:ident => $sink:expr] item_run) => {
        #[inline]
        fn item_run(&mut $self, values: &[$crate::Basic<'_>]) -> $crate::Result<(), (usize, $crate::Error)> {
            $sink.item_run(values)
        }
    };
    (@method [$self:ident => $sink:expr] number_items) => {
        #[inline]
        fn number_items(&mut $self, numbers: $crate::Numbers<'_>) -> $crate::Result<(), (usize, $crate::Error)> {
            $sink.number_items(numbers)
        }
    };
    (@method $how:tt commit) => { $crate::forward!(@write $how commit() -> ()); };
    (@method $how:tt rollback) => { $crate::forward!(@write $how rollback() -> ()); };
    (@method $how:tt finish) => { $crate::forward!(@write $how finish() -> ()); };

    (@write [$self:ident => $sink:expr] $name:ident($($value:ident: $type:ty),*) -> $answer:ty) => {
        #[inline]
        fn $name(&mut $self, $($value: $type),*) -> $crate::Result<$answer> {
            $sink.$name($($value),*)
        }
    };
    (@write [$self:ident by $method:ident] $name:ident($($value:ident: $type:ty),*) -> $answer:ty) => {
        #[inline]
        fn $name(&mut $self, $($value: $type),*) -> $crate::Result<$answer> {
            $self.$method(|sink| sink.$name($($value),*))
        }
    };
}
