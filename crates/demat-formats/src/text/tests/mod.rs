//! The text layer against `std`, against slow twins, and against other people's numbers.

mod escape;
mod float;
mod integer;
mod number_read;
mod number_scan;
mod suite;
mod unescape;

/// How many times a random test goes round.
const ROUNDS: usize = if cfg!(miri) { 20 } else { 100_000 };

/// Marsaglia's xorshift: enough to be different, and the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    /// A number of any magnitude: uniform ones nearly all have 19 or 20 digits.
    fn number(&mut self) -> u64 {
        let number = self.next();
        number >> self.below(64)
    }

    fn pick<'a, T: ?Sized>(&mut self, choice: &[&'a T]) -> &'a T {
        choice[self.below(choice.len())]
    }

    /// Up to `most` pieces in a row.
    fn pieces(&mut self, choice: &[&[u8]], most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.below(most + 1) {
            bytes.extend_from_slice(self.pick(choice));
        }
        bytes
    }
}
