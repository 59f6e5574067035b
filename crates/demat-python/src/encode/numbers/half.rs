//! Floats of half the usual width: IEEE 754 binary16.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of infinity, behind those of all finite numbers.
const INFINITY: u16 = 0x7c00;

/// The powers of ten from the one below the least number to the one below the greatest.
const POWERS: [f64; 13] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4];

/// The bits of the numbers that were asked for before, by their own; of the others zero.
static KNOWN: [AtomicU64; INFINITY as usize] = [const { AtomicU64::new(0) }; INFINITY as usize];

/// Returns the number with the shortest digits that give this one in its own width. So its own shortest digits are these.
pub(super) fn shortest(bits: u16) -> f64 {
    let magnitude = bits & 0x7fff;
    let number = match KNOWN.get(usize::from(magnitude)).map(|known| (known, known.load(Ordering::Relaxed))) {
        Some((_, known)) if known != 0 => f64::from_bits(known),
        Some((known, _)) if magnitude != 0 => {
            let number = rounded(magnitude);
            known.store(number.to_bits(), Ordering::Relaxed);
            number
        }
        _ => wide(magnitude),
    };
    if bits == magnitude { number } else { -number }
}

/// Returns a finite number but zero, rounded to as few digits as tell it from its neighbours.
fn rounded(bits: u16) -> f64 {
    let number = wide(bits);
    // Halfway to the neighbours, which is exact in the usual width. What is halfway is of the number with an even last
    // bit. Behind the greatest number the next one would be 2^16.
    let next = if bits + 1 == INFINITY { 65_536.0 } else { wide(bits + 1) };
    let (low, high) = (f64::midpoint(wide(bits - 1), number), f64::midpoint(number, next));
    let is_even = bits.is_multiple_of(2);
    let fits = |found: f64| if is_even { low <= found && found <= high } else { low < found && found < high };
    let exponent = POWERS.iter().rposition(|power| *power <= number).unwrap_or(0) as i32 - 8;
    // With five digits each number differs from all others.
    for digits in 0..5 {
        let scale = exponent - digits;
        // Both factors are exact, so this is the number that the digits mean.
        let power = 10_f64.powi(scale.abs());
        let of = |digits: f64| if scale < 0 { digits / power } else { digits * power };
        let exact = if scale < 0 { number * power } else { number / power };
        // At a power of two the neighbour below is nearer, and only the other direction may be left.
        let nearest = exact.round_ties_even();
        let other = if nearest > exact { nearest - 1.0 } else { nearest + 1.0 };
        for found in [of(nearest), of(other)] {
            if fits(found) {
                return found;
            }
        }
    }
    number
}

/// Returns the number in the usual width.
fn wide(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
    match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::shortest;

    #[test]
    fn digits_are_the_shortest_ones() {
        for (bits, number) in [
            (0x0001, 6e-8),
            (0x0400, 6.104e-5),
            (0x2e66, 0.1),
            (0x3c00, 1.0),
            (0x3555, 0.3333),
            (0x6800, 2048.0),
            (0x7bff, 65_500.0),
            (0xfbff, -65_500.0),
        ] {
            assert_eq!(shortest(bits).to_bits(), f64::to_bits(number), "{bits:#x}");
        }
        assert!(shortest(0x8000).is_sign_negative() && shortest(0x8000) == 0.0);
        assert!(shortest(0x7c00).is_infinite() && shortest(0x7e00).is_nan());
    }
}
