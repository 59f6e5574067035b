//! Seeded random numbers for the tests of the scalars: the same in every run.

/// Marsaglia's xorshift, 64 bits.
pub(super) struct Xorshift(u64);

impl Xorshift {
    pub(super) fn new(seed: u64) -> Xorshift {
        Xorshift(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns an integer with a random number of bits, so that short ones occur, too.
    pub(super) fn sized(&mut self) -> u64 {
        let bits = self.below(64);
        self.next() >> bits
    }

    /// Inserts, removes or replaces one to three characters in `text`, to test a parser's robustness.
    pub(super) fn spoil(&mut self, text: &str) -> String {
        const WITH: &[char] =
            &['0', '1', '9', '-', '+', '.', ':', 'T', 'Z', 'P', 'S', 'e', 'E', ' ', '=', 'é', '٣', '\0', '\u{10FFFF}'];
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(characters.len() + 1);
            let with = WITH[self.below(WITH.len())];
            match self.below(3) {
                0 => characters.insert(at, with),
                1 if at < characters.len() => drop(characters.remove(at)),
                _ if at < characters.len() => characters[at] = with,
                _ => characters.push(with),
            }
        }
        characters.into_iter().collect()
    }
}
