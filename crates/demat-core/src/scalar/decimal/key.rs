//! Bytes that sort as the numbers do.

use super::Decimal;
use super::normal::Normal;

/// The first bytes of the keys.
const NEGATIVE: u8 = 0x40;
const ZERO: u8 = 0x80;
const POSITIVE: u8 = 0xc0;
/// The lengths of exponents from here on take eight more bytes.
const LONG: usize = 0xff;

impl Decimal<'_> {
    /// Returns bytes that sort as the numbers do, and that are the same for equal numbers: for stores that compare
    /// bytes. They are about as long as the text, and begin with a byte from `0x40` to `0xc0`.
    ///
    /// ```
    /// use demat_core::scalar::Decimal;
    ///
    /// let key = |text| Decimal::parse(text).unwrap().sort_key();
    /// assert!(key("9") < key("1.0e1"));
    /// assert_eq!(key("1.10"), key("11e-1"));
    /// ```
    pub fn sort_key(&self) -> Vec<u8> {
        let number = self.normal();
        let sign = match number.signum() {
            0 => return vec![ZERO],
            1 => POSITIVE,
            _ => NEGATIVE,
        };
        let mut key = Vec::with_capacity(self.as_str().len() + 4);
        key.push(sign);
        exponent(&number, &mut key);
        let mut digits = number.digits().map(|digit| digit - b'0');
        while let Some(ten) = digits.next() {
            // From 1, so that no byte is that of the end below.
            key.push(1 + ten * 10 + digits.next().unwrap_or(0));
        }
        if sign == NEGATIVE {
            key[1..].iter_mut().for_each(|byte| *byte = !*byte);
            // Of two negative numbers, the one with more digits is the lesser.
            key.push(0xff);
        }
        key
    }
}

/// Appends the exponent: its sign, the number of its digits, and these. The lower of two negative exponents has more.
fn exponent(number: &Normal<'_>, key: &mut Vec<u8>) {
    let (negative, digits) = number.point();
    key.push(u8::from(!negative));
    let from = key.len();
    if digits.len() < LONG {
        key.push(digits.len() as u8);
    } else {
        key.push(LONG as u8);
        key.extend((digits.len() as u64).to_be_bytes());
    }
    key.extend(digits);
    if negative {
        key[from..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}
