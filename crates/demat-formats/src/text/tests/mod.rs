//! Compares the text layer with `std`, with slow twins, and with a public set of numbers.

mod escape;
mod float;
mod integer;
mod number_read;
mod number_scan;
mod suite;
mod unescape;

/// The number of rounds of a random test.
const ROUNDS: usize = if cfg!(miri) { 20 } else { 100_000 };

/// Marsaglia's xorshift: varied enough, and the same sequence each time.
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

    /// Returns a number of random magnitude: uniform ones nearly all have 19 or 20 digits.
    fn number(&mut self) -> u64 {
        let number = self.next();
        number >> self.below(64)
    }

    fn pick<'a, T: ?Sized>(&mut self, choice: &[&'a T]) -> &'a T {
        choice[self.below(choice.len())]
    }

    /// Returns up to `most` pieces in a row.
    fn pieces(&mut self, choice: &[&[u8]], most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.below(most + 1) {
            bytes.extend_from_slice(self.pick(choice));
        }
        bytes
    }
}
