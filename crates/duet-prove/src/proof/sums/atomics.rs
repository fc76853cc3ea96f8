//! Arrays that a kernel only adds to: histograms, counters, sums over a launch.
//!
//! If every access of a kernel to a global array is an atomic addition of integers whose
//! result no instruction uses, then each cell in the end is what it was, plus the sum of what all
//! threads added to it, modulo 2^w, in whatever order. That sum is over all visits of the one
//! addition: threads of the launch, with counts of the loops around it.
//!
//! It is shown to be a sum of the clause, over `[from, to)` with body F, by a bijection. The
//! body at j reads a cell `r(j)` of an array that is never written, and the addition depends
//! on a read of the same array at `k`, a function of the visit. Then, with j any index of the
//! range and x the cell in question:
//!
//! 1. `r(j) = r(0) + size·j`, so different indices have different cells;
//! 2. inverting `k` names a visit `τ(j)` and a condition `C(j)`, under which the visit happens
//!    and `k = r(j)` there; any visit with `k = r(j)` is `τ(j)`;
//! 3. any visit that adds to x has `k = r(j)` for some j of the range;
//! 4. `F(j)` is what `τ(j)` adds to x if `C(j)` holds and its index is x, else 0.
//!
//! By 3, all visits that add to x are among the `τ(j)`; by 1 and 2 each is `τ(j)` for one j
//! only. If `C(j)` does not hold, then by 2 no visit has `k = r(j)`. So both sums have the
//! same terms but for zeros.
//!
//! SOUNDNESS: nothing is said of a cell before all four are shown
//! (kernels/prove/traps/29-atomic-sum, kernels/prove/histogram-wrong,
//! kernels/prove/traps/48-atomic-twice,
//! kernels/prove/traps/49-atomic-outside, kernels/prove/traps/50-atomic-missing).

use duet_ask::Effort;
use duet_ir::{Array, AtomicOp, Function, Inst, InstData, Module, Space};
use duet_smt::solver::SolverError;
use duet_smt::{Op, Sort, TermId};
use duet_vc::SiteTerm;

use crate::proof::Prover;
use crate::proof::elements::element;
use crate::proof::spec_terms::FoldTerm;
use crate::proof::sums::block_sums::BlockSums;
use crate::proof::sums::folds::Sums;
use crate::proof::walked::Instance;
use crate::proof::writers::{Place, Wanted};

/// Why an atomic operation is not covered; none if it is.
pub fn uncovered(module: &Module, func: &Function, inst: Inst) -> Option<&'static str> {
    let InstData::Atomic { op, access, ty, .. } = &func.insts[inst] else { return None };
    let data = &module.arrays[access.array];
    let is_whole = ty.bytes() == Some(data.granule);
    if *op != AtomicOp::Add || !is_whole {
        return Some("of atomic operations only additions of integers are covered");
    }
    if func.results_of[inst].iter().any(|&value| func.is_used(value)) {
        return Some("the result of an atomic operation is used, which is not covered");
    }
    // What else happens to a shared array is looked at piece by piece.
    match data.space {
        Space::Shared => return None,
        Space::Global => {}
        Space::Constant | Space::Private => {
            return Some("atomic additions are covered in global and shared memory only");
        }
    }
    // SOUNDNESS: another access may come before, between or after the additions
    // (kernels/prove/traps/16-plain-after-atomics).
    let others = func.insts_in_order().filter(|&other| other != inst);
    let mut others = others.flat_map(|other| func.insts[other].accesses());
    others
        .any(|(_, other)| other.array == access.array)
        .then_some("an array that atomic operations add to is accessed elsewhere as well")
}

/// Reads of one array: the offset in the body of the sum, and that on which the addition
/// depends.
#[derive(Clone, Copy, Debug)]
struct Both {
    array: Array,
    read: TermId,
    key: TermId,
}

/// Works on additions with a prover.
pub struct Additions<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Additions);

impl Additions<'_, '_, '_> {
    /// The addition to an array, if the kernel only adds to it.
    pub fn addition(&self, array: Array) -> Option<SiteTerm> {
        let own = |site: &&SiteTerm| site.array == array && site.atomic.is_some();
        self.walked.walk.sites.iter().find(own).cloned()
    }

    /// What a cell holds in the end to which threads only add.
    pub fn added_value(
        &mut self,
        site: &SiteTerm,
        offset: TermId,
        hypotheses: &[TermId],
    ) -> Result<TermId, SolverError> {
        let array = site.array;
        let width = 8 * self.walked.facts().module.arrays[array].granule;
        let contents = self.walked.walk.initial.arrays[&array];
        let first = self.walked.walker.pool.select(contents, offset);
        let place = Place { array, offset, block: None, piece: None };
        if self.is_kept(&place, hypotheses)? {
            return Ok(first);
        }
        if let Some(added) = BlockSums(self.0).is_sum_over_blocks(site, &place, hypotheses)? {
            return Ok(self.walked.walker.pool.bits().add(first, added));
        }
        for fold in self.folds.clone() {
            let is_sum = fold.is_sum() && fold.float.is_none();
            if is_sum
                && self.walked.walker.pool.width(fold.symbol) >= width
                && self.is_sum_of(site, &place, &fold, hypotheses)?
            {
                let pool = &mut self.walked.walker.pool;
                let added = pool.bits().sext_or_trunc(fold.symbol, width);
                return Ok(pool.bits().add(first, added));
            }
        }
        Ok(self.walked.walker.pool.fresh("cell", Sort::BitVec(width)))
    }

    /// Is the sum of the clause that of what is added to the cell?
    pub fn is_sum_of(
        &mut self,
        site: &SiteTerm,
        place: &Place,
        fold: &FoldTerm,
        hypotheses: &[TermId],
    ) -> Result<bool, SolverError> {
        let pool = &mut self.walked.walker.pool;
        let symbol = pool.fresh("j", Sort::BitVec(32));
        let index = pool.bits().sign_extend(32, symbol);
        // The range has to be one of 32 bits.
        let (least, most) = (pool.bv(64, i64::from(i32::MIN) as u128), pool.bv(64, 1 << 31));
        let ends = [pool.compare().sle(least, fold.from), pool.compare().sle(fold.to, most)];
        let inside = [pool.compare().sle(fold.from, index), pool.compare().slt(index, fold.to)];
        let some = pool.compare().slt(fold.from, fold.to);
        for end in ends {
            let goal = self.walked.walker.pool.implies(some, end);
            if !self.implies(hypotheses, goal, "the range of a sum is small", Effort::Small)? {
                return Ok(false);
            }
        }
        let mut known = hypotheses.to_vec();
        known.extend(inside);
        let Some(body) = self.body_in_range(fold, index, &known)? else { return Ok(false) };
        for both in self.common_reads(site, body) {
            let Some((size, first)) = self.stride_of(index, both.read, &known)? else { continue };
            let line = (both.key, size, first);
            if self.stays_inside(site, place, fold, line, hypotheses)?
                && self.is_bijection(site, place, body, both, &known)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The body at an index of the range, if it says there what the contract does.
    fn body_in_range(
        &mut self,
        fold: &FoldTerm,
        index: TermId,
        known: &[TermId],
    ) -> Result<Option<TermId>, SolverError> {
        let kept = std::mem::take(&mut self.sides);
        let body = Sums(self.0).body_at(fold, index);
        let sides = std::mem::replace(&mut self.sides, kept);
        for side in sides {
            if !self.implies(known, side, "an index is small", Effort::Small)? {
                return Ok(None);
            }
        }
        Ok(body)
    }

    /// Reads of one array by the body and by the addition.
    fn common_reads(&self, site: &SiteTerm, body: TermId) -> Vec<Both> {
        let pool = &self.walked.walker.pool;
        let initial = &self.walked.walk.initial.arrays;
        let reads = |roots: &[TermId]| -> Vec<(TermId, TermId)> {
            let all = pool.reachable(roots).into_iter();
            let own = all.filter(|&term| pool.op(term) == Op::Select);
            own.map(|term| (pool.args(term)[0], pool.args(term)[1])).collect()
        };
        let roots: Vec<TermId> =
            site.operands.iter().copied().chain([site.offset, site.guard]).collect();
        let (ours, theirs) = (reads(&[body]), reads(&roots));
        let mut pairs = vec![];
        for &(contents, read) in &ours {
            for &(other, key) in &theirs {
                let array = initial.iter().find(|one| *one.1 == contents);
                if let Some((&array, _)) = array.filter(|_| contents == other) {
                    pairs.push(Both { array, read, key });
                }
            }
        }
        pairs
    }

    /// Are the terms of the sum those that visits of the addition add to the cell?
    fn is_bijection(
        &mut self,
        site: &SiteTerm,
        place: &Place,
        body: TermId,
        both: Both,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        // As if the visit wrote the cell that it reads.
        let keyed = SiteTerm { offset: both.key, array: both.array, ..site.clone() };
        let read = Place { array: both.array, offset: both.read, ..place.clone() };
        for proposal in self.proposals(&read, &keyed, known).into_iter().take(2) {
            let (proposal, digits) = self.without_division(proposal, known)?;
            let known: Vec<TermId> = known.iter().copied().chain(digits).collect();
            let known = known.as_slice();
            let written = self.written(&read, &keyed, proposal, known, Wanted::Any)?;
            let Some(mut written) = written else { continue };
            let adds = [site.offset, site.operands[0]];
            let adds = self.walked.at(&mut written.instance, &adds);
            let mut all = known.to_vec();
            let pool = &mut self.walked.walker.pool;
            let when = pool.and(&written.when);
            for &fact in &written.known {
                all.push(self.walked.walker.pool.implies(when, fact));
            }
            let before = self.learned.len();
            let value = self.resolved(adds[1], &all, &[when], 1)?;
            all.extend(self.learned.drain(before..));
            let pool = &mut self.walked.walker.pool;
            let own = pool.eq(adds[0], place.offset);
            let happens = pool.and2(when, own);
            let width = pool.width(value);
            let zero = pool.bv(width, 0);
            let term = pool.ite(happens, value, zero);
            let body = pool.bits().sext_or_trunc(body, width);
            if self.is_only_visit(&keyed, (both.read, place.block), &mut written.instance, known)?
                && self.equal(&all, term, body, 0)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The offset of a read is `first + size·j`: both, if that is so.
    fn stride_of(
        &mut self,
        index: TermId,
        read: TermId,
        known: &[TermId],
    ) -> Result<Option<(u32, TermId)>, SolverError> {
        let pool = &mut self.walked.walker.pool;
        let zero = pool.bv(64, 0);
        let first = pool.rebuild(&[read], |_, term, _| (term == index).then_some(zero))[0];
        for size in [1, 2, 4, 8] {
            let pool = &mut self.walked.walker.pool;
            let bytes = pool.bv(64, u128::from(size));
            let distance = pool.bits().mul(bytes, index);
            let line = pool.bits().add(first, distance);
            let same = pool.eq(read, line);
            if self.implies(known, same, "a read moves on with the index", Effort::Small)? {
                return Ok(Some((size, first)));
            }
        }
        Ok(None)
    }

    /// Is any visit with this key the one that was found?
    fn is_only_visit(
        &mut self,
        keyed: &SiteTerm,
        (read, block): (TermId, Option<[TermId; 3]>),
        instance: &mut Instance,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let mut anyone = self.walked.stranger(block);
        let mut all = known.to_vec();
        all.extend(self.stranger_facts(None, keyed, &mut anyone));
        let key = self.walked.one_at(&mut anyone, keyed.offset);
        all.push(self.walked.walker.pool.eq(key, read));
        self.is_same_visit(keyed, instance, &mut anyone, &all)
    }

    /// Have both visits the same ids, and counts of the loops around the site?
    pub fn is_same_visit(
        &mut self,
        keyed: &SiteTerm,
        instance: &mut Instance,
        anyone: &mut Instance,
        all: &[TermId],
    ) -> Result<bool, SolverError> {
        let mut coordinates = self.coordinates_of_ids();
        for id in self.walked.loops_around(keyed) {
            coordinates.extend(self.walked.header(id).map(|header| header.visits));
        }
        for coordinate in coordinates {
            let (own, other) =
                (self.walked.one_at(instance, coordinate), self.walked.one_at(anyone, coordinate));
            let same = self.walked.walker.pool.eq(own, other);
            if !self.implies(all, same, "no other visit reads the cell", Effort::Full)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does every visit that adds to the cell read one that the sum does?
    fn stays_inside(
        &mut self,
        site: &SiteTerm,
        place: &Place,
        fold: &FoldTerm,
        (key, size, first): (TermId, u32, TermId),
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let mut anyone = self.walked.stranger(place.block);
        let mut all = known.to_vec();
        all.extend(self.stranger_facts(None, site, &mut anyone));
        let terms = self.walked.at(&mut anyone, &[key, site.offset]);
        let pool = &mut self.walked.walker.pool;
        all.push(pool.eq(terms[1], place.offset));
        let distance = pool.bits().sub(terms[0], first);
        let Some(index) = element(pool, distance, size) else { return Ok(false) };
        let bytes = pool.bv(64, u128::from(size));
        let back = pool.bits().mul(index, bytes);
        let goals = [
            pool.eq(back, distance),
            pool.compare().sle(fold.from, index),
            pool.compare().slt(index, fold.to),
        ];
        for goal in goals {
            if !self.implies(&all, goal, "what is added is in the sum", Effort::Full)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
