//! Sinks that stand before another.

/// Writes the methods of a [`Sink`](demat_core::Sink) that tell the sink `$inner` the same.
macro_rules! forward {
    ($self:ident => $inner:expr; $($told:ident($($value:ident: $type:ty),*);)*) => {$(
        #[inline]
        fn $told(&mut $self, $($value: $type),*) -> demat_core::Result<()> {
            $inner.$told($($value),*)
        }
    )*};
}

/// As [`forward!`], for all scalars.
macro_rules! forward_scalars {
    ($self:ident => $inner:expr) => {
        $crate::forward::forward! { $self => $inner;
            null();
            bool(value: bool);
            int(value: &demat_core::scalar::Int<'_>);
            i64(value: i64);
            u64(value: u64);
            float(value: f64);
            float32(value: f32);
            text(value: &str);
            bytes(value: &[u8]);
            decimal(value: &demat_core::scalar::Decimal<'_>);
            date(value: demat_core::scalar::Date);
            time(value: demat_core::scalar::Time);
            instant(value: demat_core::scalar::Instant);
            duration(value: demat_core::scalar::Duration);
            uuid(value: demat_core::scalar::Uuid);
            variant(names: &demat_core::Enum, index: usize);
        }
    };
}

pub(crate) use {forward, forward_scalars};
