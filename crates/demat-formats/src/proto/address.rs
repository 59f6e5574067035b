//! Network addresses: text for callers; four or sixteen bytes on the wire, and two more for a port.

use crate::proto::layout::Form;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Returns the bytes of an address and their number. An IPv4 address is a number, so it is little-endian.
pub(crate) fn of_text(form: Form, text: &str) -> Option<([u8; 18], usize)> {
    let mut bytes = [0; 18];
    let (address, port) = match form {
        Form::Ipv4 => (IpAddr::V4(text.parse().ok()?), None),
        Form::Ip => (text.parse().ok()?, None),
        _ => {
            let both: SocketAddr = text.parse().ok()?;
            (both.ip(), Some(both.port()))
        }
    };
    let len = match address {
        IpAddr::V4(address) if form == Form::Ipv4 => {
            bytes[..4].copy_from_slice(&address.to_bits().to_le_bytes());
            4
        }
        IpAddr::V4(address) => {
            bytes[..4].copy_from_slice(&address.octets());
            4
        }
        IpAddr::V6(address) => {
            bytes[..16].copy_from_slice(&address.octets());
            16
        }
    };
    let Some(port) = port else { return Some((bytes, len)) };
    bytes[len..len + 2].copy_from_slice(&port.to_be_bytes());
    Some((bytes, len + 2))
}

/// Returns the text of an address with these bytes.
pub(crate) fn to_text(form: Form, bytes: &[u8]) -> Option<String> {
    let (address, port) = match (form, bytes) {
        (Form::IpPort, [address @ .., high, low]) => (address, Some(u16::from_be_bytes([*high, *low]))),
        (Form::IpPort, _) => return None,
        (_, address) => (address, None),
    };
    let address = if let Ok(bytes) = <[u8; 4]>::try_from(address) {
        let bits = if form == Form::Ipv4 { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
        IpAddr::V4(Ipv4Addr::from_bits(bits))
    } else {
        IpAddr::V6(Ipv6Addr::from(<[u8; 16]>::try_from(address).ok()?))
    };
    Some(match port {
        None => address.to_string(),
        Some(port) => SocketAddr::new(address, port).to_string(),
    })
}

/// The name of the form in errors.
pub(crate) fn name(form: Form) -> &'static str {
    match form {
        Form::Ipv4 => "an IPv4 address",
        Form::Ip => "an IP address",
        _ => "an IP address and a port",
    }
}
