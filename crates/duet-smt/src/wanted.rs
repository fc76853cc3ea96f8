//! Bounds that the algebra lacks, shown by a solver.
//!
//! The algebra takes an index apart by mixed radix: `x + a·y = x' + a·y'` gives `y = y'` if `x`
//! and `x'` are below `a`. Where the row's length is the quotient of a pitch, or rounded up, that
//! bound is beyond it, and the whole question is beyond a solver, which has to find the bound
//! under products. So what the algebra [lacked](crate::algebra::Attempt) is asked of a solver
//! alone, without the literals in which symbols are multiplied, and what is shown is given to the
//! algebra as a literal.
//!
//! SOUNDNESS: a bound counts only if some of the literals exclude its opposite; then it holds in
//! every model of all literals, and to refute them with it is to refute them (test
//! `a_bound_that_does_not_follow_is_not_used`).

use rustc_hash::FxHashSet;

use crate::bv_to_int::translate_to_int;
use crate::decider::{
    BRIEF_RESOURCES, DecidedBy, Decider, Encoding, FUEL_FOR_PRODUCTS, Question, is_symbolic_product,
};
use crate::pool::TermPool;
use crate::solver::{Answer, Limits, Query, SolverError};
use crate::sort::TermId;

/// Rounds of bounds; each may open the way to another.
const ROUNDS: usize = 3;

impl Decider {
    /// Asks a solver for the bounds that the algebra lacked, and the algebra again.
    pub(crate) fn ask_with_bounds(
        &mut self,
        pool: &mut TermPool,
        question: &Question<'_>,
        literals: &[TermId],
        limits: Limits,
    ) -> Result<Option<DecidedBy>, SolverError> {
        let mut all = literals.to_vec();
        let mut linear: Vec<TermId> =
            literals.iter().copied().filter(|&literal| !has_products(pool, literal)).collect();
        let mut asked = FxHashSet::default();
        for _ in 0..ROUNDS {
            let mut is_helped = false;
            for bound in self.wanted(&all) {
                if asked.insert(bound) && self.follows(pool, question, &linear, bound, limits)? {
                    linear.push(bound);
                    // The last equation is taken for the question, so the bound comes first.
                    all.insert(0, bound);
                    is_helped = true;
                }
            }
            if !is_helped {
                return Ok(None);
            }
            if self.refute(pool, &all, FUEL_FOR_PRODUCTS).is_some() {
                return Ok(Some(DecidedBy::Solver(Encoding::Integers, self.solver().name())));
            }
        }
        Ok(None)
    }

    /// Does the statement follow from the literals, as far as is soon told?
    fn follows(
        &mut self,
        pool: &mut TermPool,
        question: &Question<'_>,
        literals: &[TermId],
        bound: TermId,
        limits: Limits,
    ) -> Result<bool, SolverError> {
        let mut opposite = literals.to_vec();
        opposite.push(pool.not(bound));
        let Ok(translation) = translate_to_int(pool, &opposite) else { return Ok(false) };
        self.solver().reset();
        translation.assertions.iter().for_each(|&assertion| self.solver().assert(assertion));
        let limits = Limits { resources: Some(BRIEF_RESOURCES), ..limits };
        let cancel = question.cancel.clone();
        let query = Query { assumptions: &[], limits, cancel, about: "a bound for the algebra" };
        Ok(matches!(self.ask_solver(pool, &query)?, Answer::Unsat))
    }
}

/// Is there a product or a quotient of symbols below?
fn has_products(pool: &TermPool, literal: TermId) -> bool {
    pool.reachable(&[literal]).into_iter().any(|t| is_symbolic_product(pool, t))
}
