//! Deterministic pseudo-random numbers: a generator for schedules, and hashes
//! for values that must not depend on the schedule.

/// Spreads the bits of `x` over the whole word (a bijection).
pub(crate) fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A hash of several words.
pub(crate) fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0x5eed, |h, &word| mix(h ^ mix(word)))
}

/// 128 bits from a hash.
pub(crate) fn wide(h: u64) -> u128 {
    u128::from(mix(h)) << 64 | u128::from(mix(h ^ 0x00ff_00ff))
}

/// A generator.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(mix(seed))
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}
