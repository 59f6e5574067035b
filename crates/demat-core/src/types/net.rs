//! Network addresses of the standard library: text in every format, unless a note says otherwise (`proto:ip`).

use crate::text_as::text_as;
use crate::{Decode, Encode, Result, Shape, Shaped, Sink, Source};
use core::fmt::{self, Write};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// Longer than any text of an address with a zone and a port.
const LONGEST: usize = 80;

/// A text buffer without an allocation.
struct Line {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

macro_rules! addresses {
    ($($own:ty: $name:literal;)*) => {$(
        impl Shaped for $own {
            const SHAPE: &'static Shape = &Shape::Text;
        }

        impl Encode for $own {
            fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
                let mut line = Line { bytes: [0; LONGEST], len: 0 };
                match write!(line, "{self}").ok().and_then(|()| core::str::from_utf8(&line.bytes[..line.len]).ok()) {
                    Some(text) => sink.text(text),
                    None => sink.text(&self.to_string()),
                }
            }
        }

        impl<'a> Decode<'a> for $own {
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                text_as(source, $name, $name, |text| text.parse().ok())
            }
        }
    )*};
}

addresses! {
    Ipv4Addr: "an IPv4 address";
    Ipv6Addr: "an IPv6 address";
    IpAddr: "an IP address";
    SocketAddrV4: "an IPv4 address and a port";
    SocketAddrV6: "an IPv6 address and a port";
    SocketAddr: "an IP address and a port";
}
