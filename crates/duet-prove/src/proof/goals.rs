//! Goals: what a clause says of one instance of its variables, proved leaf by leaf.

use duet_ask::Effort;
use duet_smt::solver::SolverError;
use duet_smt::{Op, TermId};

use super::Prover;

/// Splits of a goal by cases.
const SPLITS: u32 = 6;

impl Prover<'_, '_> {
    /// Are two terms equal under the hypotheses? By cases, then argument by argument, then
    /// as a whole.
    ///
    /// SOUNDNESS: the two cases of a split are a condition and its negation, each a
    /// hypothesis of its own case only (kernels/prove/traps/15-case-of-a-read).
    pub fn equal(
        &mut self,
        hypotheses: &[TermId],
        a: TermId,
        b: TermId,
        splits: u32,
    ) -> Result<bool, SolverError> {
        if a == b {
            return Ok(true);
        }
        let pool = &self.walked.walker.pool;
        for (one, other) in [(a, b), (b, a)] {
            if pool.op(one) == Op::Ite && splits < SPLITS {
                let args = pool.args(one).to_vec();
                return self.equal_by_cases(hypotheses, (args[0], args[1], args[2]), other, splits);
            }
        }
        let (x, y) = (pool.args(a).to_vec(), pool.args(b).to_vec());
        let alike = pool.op(a) == pool.op(b) && x.len() == y.len();
        let by_arguments = matches!(pool.op(a), Op::Apply(_) | Op::Select | Op::SignExtend(_));
        if alike && by_arguments && !x.is_empty() {
            let mut all = true;
            for (x, y) in x.into_iter().zip(y) {
                if pool_sort_is_array(self, x) && x != y {
                    all = false;
                    break;
                }
                if !self.equal(hypotheses, x, y, splits)? {
                    all = false;
                    break;
                }
            }
            if all {
                return Ok(true);
            }
        }
        let goal = self.walked.walker.pool.eq(a, b);
        self.implies(hypotheses, goal, "the value is what the contract says", Effort::Full)
    }

    fn equal_by_cases(
        &mut self,
        hypotheses: &[TermId],
        (cond, then, otherwise): (TermId, TermId, TermId),
        other: TermId,
        splits: u32,
    ) -> Result<bool, SolverError> {
        let negated = self.walked.walker.pool.not(cond);
        for (case, value) in [(cond, then), (negated, otherwise)] {
            if self.excludes(hypotheses, &[case], "the case does not occur", Effort::Small)? {
                continue;
            }
            let mut known = hypotheses.to_vec();
            known.push(case);
            if !self.equal(&known, value, other, splits + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn pool_sort_is_array(prover: &Prover<'_, '_>, term: TermId) -> bool {
    matches!(prover.walked.walker.pool.sort(term), duet_smt::Sort::Array { .. })
}
