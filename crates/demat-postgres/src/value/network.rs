//! Addresses: `inet`, `cidr` and `macaddr`, which are text elsewhere.

use core::fmt::Write as _;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The families of addresses, as PostgreSQL sends them.
const V4: u8 = 2;
const V6: u8 = 3;

/// Appends an address. Returns false if the text is none. `network`: whether it is a `cidr`, whose host bits are zero.
pub(crate) fn encode(text: &str, network: bool, out: &mut Vec<u8>) -> bool {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => match bits.parse::<u8>() {
            Ok(bits) if bits.to_string() == *bits_text(text) => (address, Some(bits)),
            _ => return false,
        },
        None => (text, None),
    };
    let Ok(address) = address.parse::<IpAddr>() else { return false };
    let widest = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.unwrap_or(widest);
    if bits > widest {
        return false;
    }
    let (v4, v6);
    let (family, octets): (u8, &[u8]) = match address {
        IpAddr::V4(address) => {
            v4 = address.octets();
            (V4, &v4)
        }
        IpAddr::V6(address) => {
            v6 = address.octets();
            (V6, &v6)
        }
    };
    if network && (usize::from(bits)..octets.len() * 8).any(|bit| octets[bit / 8] >> (7 - bit % 8) & 1 == 1) {
        return false;
    }
    out.extend_from_slice(&[family, bits, u8::from(network), octets.len() as u8]);
    out.extend_from_slice(octets);
    true
}

fn bits_text(text: &str) -> &str {
    text.split_once('/').map_or("", |(_, bits)| bits)
}

/// Appends the text of an address. Returns false if the bytes are none.
pub(crate) fn decode(bytes: &[u8], text: &mut String) -> bool {
    let [family, bits, network, _, octets @ ..] = bytes else { return false };
    let (address, widest) = match (*family, <[u8; 4]>::try_from(octets), <[u8; 16]>::try_from(octets)) {
        (V4, Ok(octets), _) => (IpAddr::V4(Ipv4Addr::from(octets)), 32),
        (V6, _, Ok(octets)) => (IpAddr::V6(Ipv6Addr::from(octets)), 128),
        _ => return false,
    };
    if *bits > widest {
        return false;
    }
    // As PostgreSQL writes them: an address of one host has no bits.
    if *bits == widest && *network == 0 {
        return write!(text, "{address}").is_ok();
    }
    write!(text, "{address}/{bits}").is_ok()
}

/// Appends a hardware address of six or eight bytes. Returns false if the text is none.
pub(crate) fn encode_mac(text: &str, len: usize, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    for part in text.split([':', '-']) {
        match (part.len(), u8::from_str_radix(part, 16)) {
            (2, Ok(byte)) if !part.starts_with('+') => out.push(byte),
            _ => break,
        }
    }
    let is_whole = out.len() - start == len && text.len() == len * 3 - 1;
    if !is_whole {
        out.truncate(start);
    }
    is_whole
}

/// Appends the text of a hardware address. Returns false if the bytes are none.
pub(crate) fn decode_mac(bytes: &[u8], len: usize, text: &mut String) -> bool {
    for (at, byte) in bytes.iter().enumerate() {
        let _ = write!(text, "{}{byte:02x}", if at == 0 { "" } else { ":" }); // writing to a String never fails
    }
    bytes.len() == len
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_mac, encode, encode_mac};

    #[test]
    fn addresses_come_back() {
        for (text, network) in [
            ("192.168.0.1", false),
            ("192.168.0.1/24", false),
            ("::1", false),
            ("2001:db8::1/64", false),
            ("10.0.0.0/8", true),
            ("0.0.0.0/0", true),
            ("10.1.2.3/32", true),
        ] {
            let (mut bytes, mut back) = (Vec::new(), String::new());
            assert!(encode(text, network, &mut bytes), "{text}");
            assert!(decode(&bytes, &mut back), "{text}");
            assert_eq!(back, text);
        }
        for (text, network) in
            [("192.168.0", false), ("1.2.3.4/33", false), ("1.2.3.4/08", false), ("10.0.0.1/8", true), ("a", false)]
        {
            assert!(!encode(text, network, &mut Vec::new()), "{text}");
        }
        let (mut bytes, mut back) = (Vec::new(), String::new());
        assert!(encode_mac("08:00:2b:01:02:03", 6, &mut bytes));
        assert!(decode_mac(&bytes, 6, &mut back));
        assert_eq!(back, "08:00:2b:01:02:03");
        assert!(!encode_mac("08:00:2b:01:02", 6, &mut Vec::new()));
        assert!(!encode_mac("08:00:2b:01:02:+3", 6, &mut Vec::new()));
    }
}
