//! Steps of a proof that a study leaves out. Each only finds proofs: what is proved without
//! one is proved by the same obligations, so none of them can make a verdict wrong.

/// Which steps are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// The index of a store is inverted; without, a thread is found only if guards name it.
    pub inversion: bool,
    /// Quotients and remainders are digits of their own, `x = d·q + r`; without, divisions stay.
    pub digits: bool,
    /// Values are compared leaf by leaf first; without, as a whole.
    pub leaves: bool,
    /// A value that is a choice is compared case by case.
    pub splitting: bool,
    /// Invariants about arrays that a loop with barriers rewrites are looked for.
    pub rounds: bool,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps { inversion: true, digits: true, leaves: true, splitting: true, rounds: true }
    }
}
