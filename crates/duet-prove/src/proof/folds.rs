//! Sums that a loop accumulates: by induction over visits, a variable of the loop is the sum
//! of the contract's first terms; where the loop is left, it is the whole sum.
//!
//! The sum over `[from, from + m)` is an unknown function `φ(m)` with `φ(0) = 0` and
//! `φ(m + 1) = φ(m) + body(from + m)`; both are used at terms only, and the second only where
//! `from + m < to` was shown. Floats are added from the left from `+0.0`, as the contract
//! says; integers modulo 2^w, which is what the conversion of the contract's sum yields.

use std::ops::{Deref, DerefMut};

use duet_analysis::Loop;
use duet_ask::Effort;
use duet_ir::{BinaryOp, Type};
use duet_smt::solver::SolverError;
use duet_smt::{Sort, TermId};
use duet_vc::{SiteTerm, binary_term};

use super::Prover;
use super::spec_terms::{FoldTerm, SpecTerm};
use super::walked::Instance;

/// Looks for sums with a prover.
struct Sums<'p, 's, 'f>(&'p mut Prover<'s, 'f>);

impl<'s, 'f> Deref for Sums<'_, 's, 'f> {
    type Target = Prover<'s, 'f>;

    fn deref(&self) -> &Prover<'s, 'f> {
        self.0
    }
}

impl DerefMut for Sums<'_, '_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0
    }
}

impl Prover<'_, '_> {
    /// Equations between what loops left in a stored value and sums of the clause.
    pub fn accumulated(
        &mut self,
        site: &SiteTerm,
        instance: &mut Instance,
        stored: TermId,
        known: &[TermId],
    ) -> Result<Vec<TermId>, SolverError> {
        let mut facts = vec![];
        if self.folds.is_empty() {
            return Ok(facts);
        }
        let parts = self.walked.walker.pool.reachable(&[stored]);
        for id in self.walked.loops_done(site) {
            let Some(header) = self.walked.header(id).cloned() else { continue };
            for (index, &param) in header.params.iter().enumerate() {
                let value = instance.get(param);
                let Some(value) = value.filter(|value| parts.contains(value)) else { continue };
                for fold in self.folds.clone() {
                    if Sums(self).is_sum(instance, id, index, &fold, known)? {
                        facts.push(self.walked.walker.pool.eq(value, fold.symbol));
                        break;
                    }
                }
            }
        }
        Ok(facts)
    }
}

impl Sums<'_, '_, '_> {
    /// Is the variable of the loop the sum where the loop is left?
    fn is_sum(
        &mut self,
        instance: &mut Instance,
        id: Loop,
        index: usize,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let Some(header) = self.walked.header(id).cloned() else { return Ok(false) };
        let Some(left) = instance.get(header.visits) else { return Ok(false) };
        let pool = &mut self.walked.walker.pool;
        let width = pool.width(fold.symbol);
        if pool.sort(header.params[index]) != Sort::BitVec(width) {
            return Ok(false);
        }
        // φ(0) is zero; floats start from +0.0.
        let first = self.walked.one_at(instance, header.initial[index]);
        let zero = self.walked.walker.pool.bv(width, 0);
        let starts = self.walked.walker.pool.eq(first, zero);
        if !self.implies(known, starts, "the sum starts at zero", Effort::Small)? {
            return Ok(false);
        }
        if !self.goes_on(instance, id, index, fold, known)? {
            return Ok(false);
        }
        self.is_whole(instance, id, left, fold, known)
    }

    /// Does each iteration add the next term?
    fn goes_on(
        &mut self,
        instance: &mut Instance,
        id: Loop,
        index: usize,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let Some(header) = self.walked.header(id).cloned() else { return Ok(false) };
        let (mut visit, count) = self.visit_of(instance, id);
        let width = self.walked.walker.pool.width(fold.symbol);
        let so_far = self.walked.walker.pool.fresh("so_far", Sort::BitVec(width));
        visit.set(header.params[index], so_far);
        let Some((inside, next)) = self.next_term(fold, count, so_far, known)? else {
            return Ok(false);
        };
        let backs: Vec<_> = header.edges.iter().filter(|edge| edge.is_back).cloned().collect();
        for edge in backs {
            let mut all = known.to_vec();
            let passed = self.walked.walk.facts_at(edge.at);
            all.extend(self.walked.at(&mut visit, &passed));
            all.extend(self.counter_facts(&mut visit, id, count));
            all.push(self.walked.one_at(&mut visit, edge.guard));
            // SOUNDNESS: a term is added only inside of the range
            // (kernels/prove/row-sum-wrong).
            if !self.implies(&all, inside, "the term is one of the sum", Effort::Full)? {
                return Ok(false);
            }
            all.push(inside);
            let added = self.walked.one_at(&mut visit, edge.args[index]);
            if !self.equal(&all, added, next, 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same thread at another visit of the loop, with its count.
    fn visit_of(&mut self, instance: &Instance, id: Loop) -> (Instance, TermId) {
        let kept = self.coordinates(Some(id));
        let mut visit = instance.only(&kept);
        let count = self.walked.walker.pool.fresh("visit", Sort::BitVec(32));
        self.walked.set_count(&mut visit, id, count);
        (visit, count)
    }

    /// The condition that there is a next term, and the sum with it.
    fn next_term(
        &mut self,
        fold: &FoldTerm,
        count: TermId,
        so_far: TermId,
        known: &[TermId],
    ) -> Result<Option<(TermId, TermId)>, SolverError> {
        let pool = &mut self.walked.walker.pool;
        let wide = pool.bits().zero_extend(32, count);
        let at = pool.bits().add(fold.from, wide);
        // Neither the sum of both nor the ends have more than 63 bits.
        let inside = pool.compare().slt(at, fold.to);
        let mut variables = fold.variables.clone();
        variables.push((fold.variable.clone(), SpecTerm::Int(at, fold.range)));
        let body = &fold.body;
        let made = self.with_cells(&variables, fold.initial, |terms| terms.term(body));
        let (term, cells) = match made {
            Ok(made) => made,
            Err(_) => return Ok(None),
        };
        // An index inside is small only where there is a next term.
        for side in std::mem::take(&mut self.sides) {
            let mut all = known.to_vec();
            all.push(inside);
            if !self.implies(&all, side, "an index is small", Effort::Small)? {
                return Ok(None);
            }
        }
        if !cells.is_empty() {
            return Ok(None);
        }
        let pool = &mut self.walked.walker.pool;
        let next = match (term, fold.float) {
            (SpecTerm::Float(term, _), Some(ty)) => {
                binary_term(pool, BinaryOp::FAdd, so_far, term, Type::Float(ty))
            }
            (SpecTerm::Int(term, _), None) => {
                let width = pool.width(so_far);
                let cut = pool.bits().sext_or_trunc(term, width);
                pool.bits().add(so_far, cut)
            }
            _ => return Ok(None),
        };
        Ok(Some((inside, next)))
    }

    /// Is the loop left when all terms were added: at `to - from` visits, or at once if there
    /// are none?
    fn is_whole(
        &mut self,
        instance: &mut Instance,
        id: Loop,
        left: TermId,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let pool = &mut self.walked.walker.pool;
        let end = pool.bits().add(fold.from, left);
        let not_before = pool.compare().sle(fold.to, end);
        if !self.implies(known, not_before, "no term is left out", Effort::Full)? {
            return Ok(false);
        }
        // By the step of the induction every visit that goes round is inside of the range,
        // so the loop is left at a count of at most `to - from`, or 0.
        let pool = &mut self.walked.walker.pool;
        let zero = pool.bv(64, 0);
        let some = pool.ne(left, zero);
        let (mut visit, count) = self.visit_of(instance, id);
        let back = {
            let leaves = self.leaves(&mut visit, id);
            self.walked.walker.pool.not(leaves)
        };
        let pool = &mut self.walked.walker.pool;
        let wide = pool.bits().zero_extend(32, count);
        let one = pool.bv(64, 1);
        let next = pool.bits().add(wide, one);
        let is_last = pool.eq(next, left);
        let at = pool.bits().add(fold.from, wide);
        let inside = pool.compare().slt(at, fold.to);
        let mut all = known.to_vec();
        all.extend([some, is_last, back]);
        all.extend(self.counter_facts(&mut visit, id, count));
        self.implies(&all, inside, "no term is added twice", Effort::Full)
    }
}
