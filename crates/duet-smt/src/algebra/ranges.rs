//! Bounds of sums of products under a conjunction of literals, for the
//! translation to integers.

use super::poly::Poly;
use super::proof::{Fact, Rule, View};
use super::state::Prover;
use crate::pool::TermPool;
use crate::sort::TermId;

/// Work that reading the literals may take.
const FUEL: u32 = 1500;
/// Work that one question may take.
const QUESTION_FUEL: u32 = 100;
const DEPTH: u32 = 4;

/// `Σ coefficient · Π unsigned values of terms`.
pub(crate) type SumOfProducts = Vec<(i128, Vec<TermId>)>;

/// Knows what follows from some literals by the algebra's means.
pub(crate) struct Ranges<'a> {
    prover: Prover<'a>,
}

impl<'a> Ranges<'a> {
    pub fn new(pool: &'a mut TermPool, literals: &[TermId]) -> Self {
        let mut prover = Prover::new(pool, FUEL);
        for &t in literals {
            let id = prover.line(Fact::Holds(t), Rule::Given, &[]);
            prover.hold(id);
        }
        prover.saturate();
        Ranges { prover }
    }

    pub fn pool(&mut self) -> &mut TermPool {
        self.prover.terms.pool
    }

    /// Whether the sum is between the bounds in every model of the literals.
    pub fn within(&mut self, sum: &SumOfProducts, lo: i128, hi: i128) -> bool {
        // A contradiction proves everything; that is true, and of no use here.
        let fuel = &mut self.prover.terms.notebook.fuel;
        *fuel = (*fuel).max(QUESTION_FUEL);
        self.proves_within(sum, lo, hi).is_some()
    }

    fn proves_within(&mut self, sum: &SumOfProducts, lo: i128, hi: i128) -> Option<()> {
        let mut total = Poly::zero();
        for (c, factors) in sum {
            let mut product = Poly::constant(*c);
            for &t in factors {
                let atom = self.prover.terms.atoms.get(t, View::Unsigned);
                product = product.mul(&self.prover.terms.value(atom).0)?;
            }
            total = total.add(&product)?;
        }
        self.prover.terms.prove_ge(&total.plus(lo.checked_neg()?)?, DEPTH)?;
        self.prover.terms.prove_ge(&Poly::constant(hi).sub(&total)?, DEPTH)?;
        Some(())
    }
}
