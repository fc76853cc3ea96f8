//! Goals: what a clause says of one instance of its variables, proved leaf by leaf.

use std::collections::BTreeMap;

use duet_ask::Effort;
use duet_smt::solver::SolverError;
use duet_smt::{Op, Sort, TermId, TermPool};

use super::Prover;

/// Calls of functions in one question that are replaced by their bodies.
const CALLS: usize = 12;
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
        // Operands of one comparison here may be wider than those of the same there.
        if self.walked.walker.pool.sort(a) != self.walked.walker.pool.sort(b) {
            return Ok(false);
        }
        if !self.steps.leaves {
            return Parts(self).equal_as_wholes(hypotheses, a, b);
        }
        let pool = &self.walked.walker.pool;
        if pool.op(a) == Op::Ite
            && pool.op(b) == Op::Ite
            && Parts(self).is_same_choice(hypotheses, a, b)?
        {
            return Ok(true);
        }
        let pool = &self.walked.walker.pool;
        for (one, other) in [(a, b), (b, a)] {
            if pool.op(one) == Op::Ite && splits < SPLITS && self.steps.splitting {
                let args = pool.args(one).to_vec();
                return Parts(self).equal_by_cases(
                    hypotheses,
                    (args[0], args[1], args[2]),
                    other,
                    splits,
                );
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
        for (one, other) in [(a, b), (b, a)] {
            if splits < SPLITS
                && let Some(body) = Calls(self).unfolded(one, hypotheses)?
            {
                return self.equal(hypotheses, body, other, splits + 1);
            }
        }
        if Parts(self).is_sum_of_equals(hypotheses, a, b, splits)? {
            return Ok(true);
        }
        Parts(self).equal_as_wholes(hypotheses, a, b)
    }
}

/// Replaces calls of functions of the contract with a prover.
struct Calls<'p, 's, 'f>(&'p mut Prover<'s, 'f>);

works_on_prover!(Calls);

impl Calls<'_, '_, '_> {
    /// What functions of the contract that call themselves are where terms call them.
    fn bodies_of_calls(
        &mut self,
        terms: &[TermId],
        hypotheses: &[TermId],
    ) -> Result<Vec<TermId>, SolverError> {
        let (mut facts, mut done): (Vec<TermId>, Vec<TermId>) = (vec![], vec![]);
        if self.recursions.is_empty() {
            return Ok(facts);
        }
        while done.len() < CALLS {
            let pool = &self.walked.walker.pool;
            let roots: Vec<TermId> = terms.iter().chain(&facts).copied().collect();
            let is_call = |term: &TermId| {
                matches!(pool.op(*term), Op::Apply(func) if self.recursions.contains_key(&func))
                    && !done.contains(term)
            };
            let Some(call) = pool.reachable(&roots).into_iter().find(is_call) else { break };
            done.push(call);
            if let Some(body) = self.unfolded(call, hypotheses)? {
                facts.push(self.walked.walker.pool.eq(call, body));
            }
        }
        Ok(facts)
    }

    /// A call of a function of the contract that calls itself, as its body there.
    fn unfolded(
        &mut self,
        call: TermId,
        hypotheses: &[TermId],
    ) -> Result<Option<TermId>, SolverError> {
        let Op::Apply(func) = self.walked.walker.pool.op(call) else { return Ok(None) };
        if !self.recursions.contains_key(&func) {
            return Ok(None);
        }
        let kept = std::mem::take(&mut self.sides);
        let made = self.with_cells(&vec![], false, |terms| terms.body_of_call(func, call));
        let sides = std::mem::replace(&mut self.sides, kept);
        let Ok(((body, premises), cells)) = made else { return Ok(None) };
        if !cells.is_empty() {
            return Ok(None);
        }
        // SOUNDNESS: the body is exact only where its numbers fit (kernels/prove/traps/72-power-too-large).
        for premise in premises.into_iter().chain(sides) {
            if !self.implies(hypotheses, premise, "an argument is small", Effort::Small)? {
                return Ok(None);
            }
        }
        Ok(Some(body))
    }
}

/// Compares parts of terms with a prover.
struct Parts<'p, 's, 'f>(&'p mut Prover<'s, 'f>);

works_on_prover!(Parts);

impl Parts<'_, '_, '_> {
    fn equal_as_wholes(
        &mut self,
        hypotheses: &[TermId],
        a: TermId,
        b: TermId,
    ) -> Result<bool, SolverError> {
        let goal = self.walked.walker.pool.eq(a, b);
        let mut known = hypotheses.to_vec();
        known.extend(Calls(self).bodies_of_calls(&[a, b], hypotheses)?);
        self.implies(&known, goal, "the value is what the contract says", Effort::Full)
    }

    /// Are two choices by one comparison the same, part by part? Not asked of choices within
    /// choices, which are cases.
    fn is_same_choice(
        &mut self,
        hypotheses: &[TermId],
        a: TermId,
        b: TermId,
    ) -> Result<bool, SolverError> {
        let pool = &self.walked.walker.pool;
        let (x, y) = (pool.args(a).to_vec(), pool.args(b).to_vec());
        let compares =
            matches!(pool.op(x[0]), Op::Slt | Op::Sle | Op::Ult | Op::Ule | Op::Apply(_));
        let is_plain = |term: &TermId| pool.op(*term) != Op::Ite;
        if !compares || pool.op(x[0]) != pool.op(y[0]) || !x.iter().chain(&y).all(is_plain) {
            return Ok(false);
        }
        Ok(self.equal_arguments(hypotheses, x[0], y[0], SPLITS)?
            && self.equal(hypotheses, x[1], y[1], SPLITS)?
            && self.equal(hypotheses, x[2], y[2], SPLITS)?)
    }

    /// Are two sums modulo 2^w equal addend by addend? What is on both sides goes out, and what
    /// is left has to cancel in pairs: `c·f(x)` against `-c·f(y)`, where x = y is shown. That
    /// asks of indices alone; a solver takes minutes over such a sum as a whole.
    ///
    /// SOUNDNESS: only pairs that were shown equal cancel, so the difference is zero
    /// (kernels/prove/scan-hillis-steele-wrong, test `sums_cancel_only_in_equal_pairs`).
    fn is_sum_of_equals(
        &mut self,
        hypotheses: &[TermId],
        a: TermId,
        b: TermId,
        splits: u32,
    ) -> Result<bool, SolverError> {
        let pool = &self.walked.walker.pool;
        let Sort::BitVec(width @ 2..=64) = pool.sort(a) else { return Ok(false) };
        let mut left = vec![];
        addends(pool, width, a, 1, &mut left);
        addends(pool, width, b, -1, &mut left);
        let Some(mut left) = collected(width, left).filter(|left| left.len() <= 8) else {
            return Ok(false);
        };
        while let Some((term, coefficient)) = left.pop() {
            let pool = &self.walked.walker.pool;
            let fits = |&(other, count): &(TermId, i128)| {
                let sum = reduced(width, count.wrapping_add(coefficient));
                sum == 0 && pool.op(other) == pool.op(term) && is_function(pool, term)
            };
            let partners: Vec<usize> =
                (0..left.len()).filter(|&number| fits(&left[number])).collect();
            let mut found = None;
            for number in partners {
                if self.equal_arguments(hypotheses, term, left[number].0, splits)? {
                    found = Some(number);
                    break;
                }
            }
            let Some(number) = found else { return Ok(false) };
            left.remove(number);
        }
        Ok(true)
    }

    /// Are the arguments of two terms with one function equal?
    fn equal_arguments(
        &mut self,
        hypotheses: &[TermId],
        a: TermId,
        b: TermId,
        splits: u32,
    ) -> Result<bool, SolverError> {
        let pool = &self.walked.walker.pool;
        let (x, y) = (pool.args(a).to_vec(), pool.args(b).to_vec());
        for (x, y) in x.into_iter().zip(y) {
            let differs = pool_sort_is_array(self, x) && x != y;
            if differs || !self.equal(hypotheses, x, y, splits)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equal_by_cases(
        &mut self,
        hypotheses: &[TermId],
        (cond, then, otherwise): (TermId, TermId, TermId),
        other: TermId,
        splits: u32,
    ) -> Result<bool, SolverError> {
        let negated = self.walked.walker.pool.not(cond);
        let mut open = vec![];
        for (number, (case, value)) in [(cond, then), (negated, otherwise)].into_iter().enumerate()
        {
            // One of both occurs: to ask whether the only one that is left does takes long.
            let is_only = number == 1 && open.is_empty();
            let about = "the case does not occur";
            if !is_only && self.excludes(hypotheses, &[case], about, Effort::Small)? {
                continue;
            }
            let mut known = hypotheses.to_vec();
            known.push(case);
            open.push((known, value));
        }
        // A choice that is settled is no split.
        let splits = splits + u32::from(open.len() > 1);
        for (known, value) in open {
            if !self.equal(&known, value, other, splits)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A term whose value is that of a function at its arguments.
fn is_function(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::Apply(_) | Op::Select) && !pool.args(term).is_empty()
}

/// A number modulo 2^w.
fn reduced(width: u32, number: i128) -> i128 {
    number & ((1i128 << width) - 1)
}

/// The addends of a term, each with its coefficient; those of a number are multiples of one,
/// which has no term.
fn addends(
    pool: &TermPool,
    width: u32,
    term: TermId,
    times: i128,
    all: &mut Vec<(Option<TermId>, i128)>,
) {
    let args = pool.args(term);
    let number = |term: TermId| pool.as_bv(term).map(|bits| bits as i128);
    match (pool.op(term), args) {
        (Op::BvAdd, _) => {
            for &arg in args {
                addends(pool, width, arg, times, all);
            }
        }
        (Op::BvMul, &[a, b]) if number(a).is_some() => {
            let by = number(a).unwrap_or(0);
            addends(pool, width, b, reduced(width, times.wrapping_mul(by)), all);
        }
        _ => match number(term) {
            Some(own) => all.push((None, reduced(width, times.wrapping_mul(own)))),
            None => all.push((Some(term), reduced(width, times))),
        },
    }
}

/// Addends that occur more than once as one, without those that are zero; none if a number is
/// left, which nothing cancels.
fn collected(width: u32, all: Vec<(Option<TermId>, i128)>) -> Option<Vec<(TermId, i128)>> {
    let mut sums: BTreeMap<Option<TermId>, i128> = BTreeMap::new();
    for (term, times) in all {
        let sum = sums.entry(term).or_default();
        *sum = reduced(width, sum.wrapping_add(times));
    }
    sums.retain(|_, times| *times != 0);
    sums.into_iter().map(|(term, times)| Some((term?, times))).collect()
}

fn pool_sort_is_array(prover: &Prover<'_, '_>, term: TermId) -> bool {
    matches!(prover.walked.walker.pool.sort(term), duet_smt::Sort::Array { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The addends of `a - b` that are left.
    fn difference(pool: &TermPool, a: TermId, b: TermId) -> Option<Vec<(TermId, i128)>> {
        let mut all = vec![];
        addends(pool, 32, a, 1, &mut all);
        addends(pool, 32, b, -1, &mut all);
        collected(32, all)
    }

    #[test]
    fn sums_cancel_only_in_equal_pairs() {
        let mut pool = TermPool::new();
        let (x, y, one) = (pool.bv_var("x", 32), pool.bv_var("y", 32), pool.bv(32, 1));
        let (xy, yx) = (pool.bits().add(x, y), pool.bits().add(y, x));
        assert_eq!(difference(&pool, xy, yx), Some(vec![]));
        // A number that is left is no sum of nothing.
        let more = pool.bits().add(x, one);
        assert_eq!(difference(&pool, x, more), None);
        // Twice x is not x.
        let double = pool.bits().add(x, x);
        assert_eq!(difference(&pool, double, x).map(|left| left.len()), Some(1));
        let minus = pool.bits().sub(x, y);
        assert_eq!(difference(&pool, minus, xy).map(|left| left.len()), Some(1));
        // 2^31·x twice is zero modulo 2^32.
        let half = pool.bv(32, 1 << 31);
        let part = pool.bits().mul(half, x);
        let negated = pool.bits().sub(y, part);
        let sum = pool.bits().add(y, part);
        assert_eq!(difference(&pool, sum, negated), Some(vec![]));
    }
}
