//! Numbers and strings as text documents write them.
