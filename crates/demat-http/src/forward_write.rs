//! A macro that implements `AsyncWrite` for connections that only change how to read.

/// Writes the methods of `AsyncWrite`, which forward to a field.
macro_rules! forward_write {
    ($inner:ident) => {
        fn poll_write(
            mut self: core::pin::Pin<&mut Self>,
            context: &mut core::task::Context<'_>,
            bytes: &[u8],
        ) -> core::task::Poll<std::io::Result<usize>> {
            core::pin::Pin::new(&mut self.$inner).poll_write(context, bytes)
        }

        fn poll_write_vectored(
            mut self: core::pin::Pin<&mut Self>,
            context: &mut core::task::Context<'_>,
            slices: &[std::io::IoSlice<'_>],
        ) -> core::task::Poll<std::io::Result<usize>> {
            core::pin::Pin::new(&mut self.$inner).poll_write_vectored(context, slices)
        }

        fn is_write_vectored(&self) -> bool {
            self.$inner.is_write_vectored()
        }

        fn poll_flush(
            mut self: core::pin::Pin<&mut Self>,
            context: &mut core::task::Context<'_>,
        ) -> core::task::Poll<std::io::Result<()>> {
            core::pin::Pin::new(&mut self.$inner).poll_flush(context)
        }

        fn poll_shutdown(
            mut self: core::pin::Pin<&mut Self>,
            context: &mut core::task::Context<'_>,
        ) -> core::task::Poll<std::io::Result<()>> {
            core::pin::Pin::new(&mut self.$inner).poll_shutdown(context)
        }
    };
}

pub(crate) use forward_write;
