//! What has to be shown for terms to say what the contract does: indices are small.

use duet_ask::Effort;
use duet_smt::{Op, TermId};

use super::clauses::{Clauses, Stop};

impl Clauses<'_, '_, '_> {
    /// Shows that offsets are exact; the hypotheses with what was shown, which spares later
    /// questions the same work.
    pub fn show_sides(&mut self, hypotheses: &[TermId]) -> Result<Vec<TermId>, Stop> {
        let mut known = hypotheses.to_vec();
        for side in std::mem::take(&mut self.sides) {
            let usual = self.usual_side(side);
            let mut shown = None;
            for fact in usual.into_iter().chain([side]) {
                if self.implies(&known, fact, "an index is small", Effort::Small)? {
                    shown = Some(fact);
                    break;
                }
            }
            match shown {
                Some(fact) => known.push(fact),
                None => {
                    let why = "an index of the contract may be too large".to_string();
                    return Err(Stop::Open(why));
                }
            }
        }
        Ok(known)
    }

    /// What implies a side and holds of most indices: they are natural numbers and fit an `int`.
    /// Most sides bound an index from below by a negative number, or from above by one that is no
    /// smaller than the greatest `int`.
    fn usual_side(&mut self, side: TermId) -> Option<TermId> {
        let pool = &mut self.walked.walker.pool;
        let (Op::Sle, &[low, high]) = (pool.op(side), pool.args(side)) else { return None };
        let width = pool.width(low);
        let (zero, most) = (pool.bv(width, 0), pool.bv(width, i32::MAX as u128));
        let signed = |bits: u128| duet_smt::to_signed(bits, width);
        let (least, limit) = (pool.as_bv(low).map(signed), pool.as_bv(high).map(signed));
        // SOUNDNESS: powers of two have other limits (kernels/prove/traps/72-power-too-large).
        match (least, limit) {
            (Some(least), None) if least <= 0 => Some(pool.compare().sle(zero, high)),
            (None, Some(limit)) if limit >= i128::from(i32::MAX) => {
                Some(pool.compare().sle(low, most))
            }
            (Some(_), _) | (_, Some(_)) | (None, None) => None,
        }
    }
}
