//! Invariants about cells at the heads of aligned loops, which the user does not write.
//!
//! Each says of one array, at every visit of the loop's head and for every index x in a
//! domain, what the cell x holds, in terms of a variable of the loop that is the same for all
//! threads of the block (a stride d), and of a sum of the clause with body F, whose index 0
//! is the block's first element:
//!
//! | shape | domain | the cell holds |
//! |---|---|---|
//! | running | `0 <= x < B` | the sum of F over `[max(0, x + 1 - d), x + 1)` |
//! | apart | `0 <= x < B`, `d` divides x | the sum of F over `[x, x + d)` |
//! | folded | `0 <= x < w`, w = 2d or 1 if d is 0 | the sum of F over `j < B` with `j mod w = x` |
//!
//! The first is Hillis and Steele's scan, the others are reductions with a growing and with
//! a shrinking stride. Which shape fits is a guess. It counts once it is proved, for the
//! block and the hypotheses of the clause: on entry by what the code before the loop leaves
//! in the cell x, and over each way round by what an iteration leaves there if all cells are
//! as the invariant says at its start.
//!
//! The sums are written with the functions of [`crate::proof::sums::folds`]: `P` for ranges, and `Q(x, w)`
//! for the terms with `j mod w = x` below B, of which is stated, at terms: `Q(x, B) = F(x)`
//! for `0 <= x < B`; `Q(x, w) = Q(x, 2w) + Q(x + w, 2w)` for `0 <= x < w`; `Q(0, 1)` is the
//! sum of all. All three hold of every F and every `w >= 1`.
//!
//! SOUNDNESS: nothing of the invariant is used before both parts are proved, except the
//! hypothesis of the step (kernels/prove/traps/36-first-round, 37-second-round,
//! kernels/prove/traps/15-odd-block).

use duet_analysis::Loop;
use duet_ask::Effort;
use duet_ir::Array;
use duet_smt::solver::SolverError;
use duet_smt::{Op, Sort, TermId, TermPool};
use duet_vc::HeaderTerm;

use crate::proof::Prover;
use crate::proof::elements::element;
use crate::proof::loops::cuts::{Cut, Until};
use crate::proof::spec_terms::FoldTerm;
use crate::proof::sums::folds::Sums;
use crate::proof::walked::{Instance, View};

/// What cells hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Running,
    Apart,
    Folded,
}

/// An invariant about the cells of an array at the head of a loop.
#[derive(Clone, Debug)]
pub struct CellInvariant {
    /// The loop.
    id: Loop,
    /// The array.
    array: Array,
    /// The bytes of an element.
    size: u32,
    /// The block that it is about.
    block: [TermId; 3],
    /// Which of the loop's variables is the stride.
    stride: usize,
    shape: Shape,
    /// The sum.
    fold: FoldTerm,
    /// Threads of a block, in 64 bits.
    threads: TermId,
    /// The stride is a power of two or zero at every visit.
    is_power: bool,
    /// It is at most the number of threads at every visit.
    is_at_most: bool,
}

/// Looks for invariants with a prover.
pub struct Cells<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Cells);

impl FoldTerm {
    /// `Q` at two terms.
    fn interleaved(&self, pool: &mut TermPool, x: TermId, width: TermId) -> TermId {
        self.function(pool, "interleaved", &[x, width])
    }
}

impl CellInvariant {
    /// The domain, and what the cell x holds there, by the stride, both of 64 bits.
    fn says(&self, pool: &mut TermPool, x: TermId, stride: TermId) -> (TermId, TermId) {
        let fold = &self.fold;
        let (zero, one) = (pool.bv(64, 0), pool.bv(64, 1));
        let from_zero = pool.compare().sle(zero, x);
        let below = |pool: &mut TermPool, end| {
            let below = pool.compare().slt(x, end);
            pool.and2(from_zero, below)
        };
        match self.shape {
            Shape::Running => {
                let inside = below(pool, self.threads);
                let end = pool.bits().add(x, one);
                let start = pool.bits().sub(end, stride);
                let is_cut = pool.compare().slt(start, zero);
                let start = pool.ite(is_cut, zero, start);
                (inside, range(pool, fold, start, end))
            }
            Shape::Apart => {
                let inside = below(pool, self.threads);
                // The stride is a power of two.
                let less = pool.bits().sub(stride, one);
                let rest = pool.bits().and(x, less);
                let divides = pool.eq(rest, zero);
                let end = pool.bits().add(x, stride);
                (pool.and2(inside, divides), range(pool, fold, x, end))
            }
            Shape::Folded => {
                let width = folded_width(pool, stride);
                let limit = pool.bv(64, 1 << 32);
                let (inside, small) = (below(pool, width), pool.compare().slt(x, limit));
                (pool.and2(inside, small), fold.interleaved(pool, x, width))
            }
        }
    }

    /// Facts about the sums at an index: on entry, and over an iteration.
    fn facts(
        &self,
        pool: &mut TermPool,
        x: TermId,
        body: TermId,
        strides: (TermId, Option<TermId>),
    ) -> Vec<TermId> {
        let fold = &self.fold;
        let (zero, one) = (pool.bv(64, 0), pool.bv(64, 1));
        let from_zero = pool.compare().sle(zero, x);
        let end = pool.bits().add(x, one);
        let (now, next) = (fold.prefix(pool, x), fold.prefix(pool, end));
        let sum = pool.bits().add(now, body);
        let mut facts = vec![pool.eq(next, sum)];
        if self.shape == Shape::Folded {
            let width = folded_width(pool, strides.0);
            let whole = fold.interleaved(pool, x, width);
            let is_whole = pool.eq(width, fold.to);
            let below = pool.compare().slt(x, fold.to);
            let premise = pool.and(&[is_whole, from_zero, below]);
            let is_term = pool.eq(whole, body);
            facts.push(pool.implies(premise, is_term));
            if let Some(later) = strides.1 {
                let half = folded_width(pool, later);
                let double = pool.bits().add(half, half);
                let far = pool.bits().add(x, half);
                let parts =
                    [fold.interleaved(pool, x, double), fold.interleaved(pool, far, double)];
                let own = fold.interleaved(pool, x, half);
                let sum = pool.bits().add(parts[0], parts[1]);
                let is_sum = pool.eq(own, sum);
                let below = pool.compare().slt(x, half);
                let limit = pool.bv(64, 1 << 32);
                let small = pool.compare().slt(half, limit);
                let premise = pool.and(&[from_zero, below, small]);
                facts.push(pool.implies(premise, is_sum));
            }
        }
        facts
    }
}

impl CellInvariant {
    /// The whole sum, as each of the functions has it.
    fn whole(&self, pool: &mut TermPool) -> Vec<TermId> {
        let fold = &self.fold;
        let (zero, one) = (pool.bv(64, 0), pool.bv(64, 1));
        let count = pool.bits().sub(fold.to, fold.from);
        let sum = fold.first_terms(pool, count);
        let some = pool.compare().slt(zero, fold.to);
        let between = range(pool, fold, zero, fold.to);
        let all = fold.interleaved(pool, zero, one);
        let same = [pool.eq(sum, between), pool.eq(sum, all)];
        same.map(|same| pool.implies(some, same)).to_vec()
    }
}

/// A power of two or zero.
fn is_power(pool: &mut TermPool, term: TermId) -> TermId {
    let width = pool.width(term);
    let (zero, one) = (pool.bv(width, 0), pool.bv(width, 1));
    let less = pool.bits().sub(term, one);
    let common = pool.bits().and(term, less);
    pool.eq(common, zero)
}

/// The sum over a range within that of the clause.
fn range(pool: &mut TermPool, fold: &FoldTerm, from: TermId, to: TermId) -> TermId {
    let (high, low) = (fold.prefix(pool, to), fold.prefix(pool, from));
    pool.bits().sub(high, low)
}

/// How many cells hold sums when the next stride is this.
fn folded_width(pool: &mut TermPool, stride: TermId) -> TermId {
    let (zero, one) = (pool.bv(64, 0), pool.bv(64, 1));
    let none = pool.eq(stride, zero);
    let double = pool.bits().add(stride, stride);
    pool.ite(none, one, double)
}

impl Cells<'_, '_, '_> {
    /// What is known of a cell at the head of an aligned loop: in the domain of an invariant
    /// what that says, else nothing.
    pub fn by_invariant(
        &mut self,
        view: &View,
        offset: TermId,
    ) -> Result<Option<TermId>, SolverError> {
        let Cut::Header(id) = view.cut else { return Ok(None) };
        if !self.steps.rounds {
            return Ok(None);
        }
        let is_own = |one: &&CellInvariant| {
            one.id == id && one.array == view.array && one.block == view.block
        };
        let key = (id, view.array, view.block);
        if !self.is_searching && !self.searched.contains(&key) {
            self.searched.push(key);
            self.look_for(id, view)?;
        }
        let Some(own) = self.cells.iter().find(is_own).cloned() else { return Ok(None) };
        // SOUNDNESS: the step of the induction rests on the visit before alone
        // (kernels/prove/traps/37-second-round).
        let count = view.counts.iter().find(|(id, _)| *id == own.id).map(|one| one.1);
        if self.is_searching && count != self.step_at {
            return Ok(None);
        }
        let stride = self.stride_at(&own, view);
        let pool = &mut self.walked.walker.pool;
        let Some(x) = element(pool, offset, own.size) else { return Ok(None) };
        let Some(stride) = stride else { return Ok(None) };
        let mut facts = own.whole(pool);
        if own.is_power {
            facts.push(is_power(pool, stride));
        }
        if own.is_at_most {
            facts.push(pool.compare().ule(stride, own.threads));
        }
        let zero = pool.bv(64, 0);
        if self.positive.contains(&(own.id, own.stride)) {
            facts.push(self.walked.walker.pool.compare().slt(zero, stride));
        }
        self.learned.extend(facts);
        let pool = &mut self.walked.walker.pool;
        let (inside, value) = own.says(pool, x, stride);
        let unknown = pool.fresh("cell", Sort::BitVec(8 * own.size));
        Ok(Some(pool.ite(inside, value, unknown)))
    }

    /// The stride at the head, where the view is from, in 64 bits.
    fn stride_at(&mut self, own: &CellInvariant, view: &View) -> Option<TermId> {
        let header = self.walked.header(own.id)?.clone();
        let mut instance = Instance::default();
        self.walked.set_block(&mut instance, view.block);
        for &(id, count) in &view.counts {
            self.walked.set_count(&mut instance, id, count);
        }
        let stride = self.walked.one_at(&mut instance, header.params[own.stride]);
        Some(self.walked.walker.pool.bits().zext_or_trunc(stride, 64))
    }

    /// Looks for an invariant of the array at the head of the loop.
    ///
    /// SOUNDNESS: it is used anywhere in the goal, so it rests on what the goal does, not on
    /// what is known where it is first needed (kernels/prove/traps/38-case-of-an-invariant).
    fn look_for(&mut self, id: Loop, view: &View) -> Result<(), SolverError> {
        let known: Vec<TermId> = self.given.iter().chain(&self.digits).copied().collect();
        let known = known.as_slice();
        let Some(header) = self.walked.header(id).cloned() else { return Ok(()) };
        let facts = self.walked.facts();
        let block = facts.loops.data(id).header;
        let is_stride = |param: duet_ir::Value| {
            let differs =
                facts.uniformity.may_be_divergent_at(param, block, duet_ir::BarrierScope::Block);
            !differs && facts.func.type_of(param) == duet_ir::Type::I32
        };
        let params = facts.func.blocks[block].params.clone();
        let size = facts.module.arrays[view.array].granule;
        let folds: Vec<FoldTerm> = self
            .folds
            .iter()
            .filter(|fold| fold.float.is_none() && fold.is_sum())
            .cloned()
            .collect();
        for fold in folds {
            let pool = &self.walked.walker.pool;
            let starts = pool.as_bv(fold.from) == Some(0);
            if !starts || pool.width(fold.symbol) != 8 * size {
                continue;
            }
            for (stride, _) in params.iter().enumerate().filter(|(_, param)| is_stride(**param)) {
                let threads = self.walked.walker.geometry.block[0];
                let threads = self.walked.walker.pool.bits().zext_or_trunc(threads, 64);
                let is_power = fold.to == threads && self.is_power(&header, stride, view, known)?;
                // A sum over the whole block is a reduction, any other a scan.
                let shapes = match fold.to == threads {
                    true => vec![Shape::Folded, Shape::Apart, Shape::Running],
                    false => vec![Shape::Running],
                };
                for shape in shapes {
                    let (array, block, fold) = (view.array, view.block, fold.clone());
                    // What is known of bits only hinders questions about ranges.
                    let is_power = is_power && shape != Shape::Running;
                    let is_at_most = is_power
                        && shape == Shape::Apart
                        && self.is_at_most(&header, stride, view, known)?;
                    let one = CellInvariant {
                        is_at_most,
                        id,
                        array,
                        size,
                        block,
                        stride,
                        shape,
                        fold,
                        threads,
                        is_power,
                    };
                    if self.is_invariant(&header, &one, view, known)? {
                        self.cells.push(one);
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Is the variable of the loop a power of two or zero at every visit?
    fn is_power(
        &mut self,
        header: &HeaderTerm,
        stride: usize,
        view: &View,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let (mut anyone, facts) = self.anyone(header, view);
        let all: Vec<TermId> = known.iter().copied().chain(facts).collect();
        let first = self.walked.one_at(&mut anyone, header.initial[stride]);
        let reach = self.reaches(&mut anyone, header.id);
        let mut at_first = all.clone();
        at_first.push(reach);
        let goal = is_power(&mut self.walked.walker.pool, first);
        if !self.implies(&at_first, goal, "the stride is a power of two at first", Effort::Small)? {
            return Ok(false);
        }
        let count = self.walked.walker.pool.fresh("visit", Sort::BitVec(32));
        self.walked.set_count(&mut anyone, header.id, count);
        for edge in header.edges.iter().filter(|edge| edge.is_back) {
            let mut all = all.clone();
            let passed = self.walked.walk.facts_at(edge.at);
            all.extend(self.walked.at(&mut anyone, &passed));
            all.push(self.walked.one_at(&mut anyone, edge.guard));
            let strides = self.walked.at(&mut anyone, &[header.params[stride], edge.args[stride]]);
            let pool = &mut self.walked.walker.pool;
            all.push(is_power(pool, strides[0]));
            let goal = is_power(pool, strides[1]);
            if !self.implies(&all, goal, "the stride stays a power of two", Effort::Small)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is the variable of the loop, a power of two, at most the number of threads at every
    /// visit? Over a way round by what follows of bits alone.
    fn is_at_most(
        &mut self,
        header: &HeaderTerm,
        stride: usize,
        view: &View,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let block = self.walked.walker.geometry.block[0];
        let (mut anyone, facts) = self.anyone(header, view);
        let mut all: Vec<TermId> = known.iter().copied().chain(facts).collect();
        let first = self.walked.one_at(&mut anyone, header.initial[stride]);
        all.push(self.reaches(&mut anyone, header.id));
        let goal = self.walked.walker.pool.compare().ule(first, block);
        if !self.implies(&all, goal, "the stride is small at first", Effort::Small)? {
            return Ok(false);
        }
        let count = self.walked.walker.pool.fresh("visit", Sort::BitVec(32));
        self.walked.set_count(&mut anyone, header.id, count);
        for edge in header.edges.iter().filter(|edge| edge.is_back) {
            let mut all = all.clone();
            all.push(self.walked.one_at(&mut anyone, edge.guard));
            let strides = self.walked.at(&mut anyone, &[header.params[stride], edge.args[stride]]);
            let pool = &mut self.walked.walker.pool;
            let power = is_power(pool, strides[0]);
            let wanted = [is_power(pool, block), pool.compare().ult(strides[0], block)];
            let mut given = vec![power];
            for fact in wanted {
                if self.implies(&all, fact, "the stride divides the block", Effort::Small)? {
                    given.push(fact);
                }
            }
            let goal = self.walked.walker.pool.compare().ule(strides[1], block);
            if !self.implies(&given, goal, "the stride stays small", Effort::Small)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_invariant(
        &mut self,
        header: &HeaderTerm,
        one: &CellInvariant,
        view: &View,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        self.is_searching = true;
        let result = self.holds_first(header, one, view, known);
        let result = match result {
            Ok(true) => {
                self.cells.push(one.clone());
                let step = self.goes_on(header, one, view, known);
                self.cells.pop();
                step
            }
            Ok(false) | Err(_) => result,
        };
        self.is_searching = false;
        result
    }

    /// Any thread of the block at the head; one is there if the block is.
    fn anyone(&mut self, header: &HeaderTerm, view: &View) -> (Instance, Vec<TermId>) {
        let mut anyone = self.walked.stranger(Some(view.block));
        let mut known = vec![];
        for &(id, count) in &view.counts {
            if !self.is_within(id, header.id) {
                self.walked.set_count(&mut anyone, id, count);
            }
        }
        known.extend(self.walked.in_launch(&mut anyone));
        (anyone, known)
    }

    /// Is it the loop, or one in it?
    fn is_within(&self, id: Loop, outer: Loop) -> bool {
        let loops = &self.walked.facts().loops;
        loops.contains(outer, loops.data(id).header)
    }

    /// The view at another visit of a loop: the loops within it have other counts.
    fn seen_at(&mut self, view: &View, outer: Loop, count: TermId) -> View {
        let mut counts = vec![];
        for &(id, own) in &view.counts {
            counts.push(match (id == outer, self.is_within(id, outer)) {
                (true, _) => (id, count),
                (false, true) => (id, self.walked.walker.pool.fresh("count", Sort::BitVec(64))),
                (false, false) => (id, own),
            });
        }
        View { counts, ..view.clone() }
    }

    /// An index of a cell, with its offset.
    fn any_cell(&mut self, size: u32) -> (TermId, TermId) {
        let pool = &mut self.walked.walker.pool;
        let x = pool.fresh("x", Sort::BitVec(32));
        let x = pool.bits().zero_extend(32, x);
        let bytes = pool.bv(64, u128::from(size));
        (x, pool.bits().mul(x, bytes))
    }

    /// Does the invariant hold where the loop is entered?
    fn holds_first(
        &mut self,
        header: &HeaderTerm,
        one: &CellInvariant,
        view: &View,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let (mut anyone, facts) = self.anyone(header, view);
        let first = self.walked.one_at(&mut anyone, header.initial[one.stride]);
        let reach = self.reaches(&mut anyone, header.id);
        let (x, offset) = self.any_cell(one.size);
        let kept = std::mem::take(&mut self.sides);
        let body = Sums(self).body_at(&one.fold, x);
        self.sides = kept;
        let Some(body) = body else { return Ok(false) };
        let pool = &mut self.walked.walker.pool;
        let first = pool.bits().zext_or_trunc(first, 64);
        let (inside, value) = one.says(pool, x, first);
        let mut all: Vec<TermId> = known.iter().copied().chain(facts).collect();
        all.extend([reach, inside]);
        let mut with_sums = all.clone();
        with_sums.extend(one.facts(pool, x, body, (first, None)));
        // One term each; then the cell is compared with that.
        let is_term = pool.eq(value, body);
        if !self.implies(&with_sums, is_term, "a cell is one term at first", Effort::Small)? {
            return Ok(false);
        }
        let until = Until::Arrival(Cut::Header(one.id));
        let none = self.walked.walker.pool.bv(64, 0);
        let view = self.seen_at(view, one.id, none);
        self.cell_is(until, &view, (offset, body), all)
    }

    /// Is it kept by each way round?
    fn goes_on(
        &mut self,
        header: &HeaderTerm,
        one: &CellInvariant,
        view: &View,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let (mut anyone, facts) = self.anyone(header, view);
        let count = self.walked.walker.pool.fresh("visit", Sort::BitVec(32));
        self.walked.set_count(&mut anyone, one.id, count);
        let wide = self.walked.walker.pool.bits().zero_extend(32, count);
        let view = self.seen_at(view, one.id, wide);
        self.step_at = Some(wide);
        let (x, offset) = self.any_cell(one.size);
        let backs: Vec<_> = header.edges.iter().filter(|edge| edge.is_back).cloned().collect();
        for edge in backs {
            let mut all: Vec<TermId> = known.iter().chain(&facts).copied().collect();
            let passed = self.walked.walk.facts_at(edge.at);
            all.extend(self.walked.at(&mut anyone, &passed));
            all.extend(self.counter_facts(&mut anyone, one.id, count));
            all.push(self.walked.one_at(&mut anyone, edge.guard));
            let strides = [header.params[one.stride], edge.args[one.stride]];
            let strides = self.walked.at(&mut anyone, &strides);
            let pool = &mut self.walked.walker.pool;
            let [now, next] =
                [strides[0], strides[1]].map(|one| pool.bits().zext_or_trunc(one, 64));
            if self.positive.contains(&(one.id, one.stride)) {
                let pool = &mut self.walked.walker.pool;
                let zero = pool.bv(64, 0);
                all.extend([now, next].map(|one| pool.compare().slt(zero, one)));
            }
            let pool = &mut self.walked.walker.pool;
            if one.is_power {
                all.extend([is_power(pool, strides[0]), is_power(pool, strides[1])]);
            }
            let (inside, value) = one.says(pool, x, next);
            all.push(inside);
            if one.shape == Shape::Apart {
                let bits = self.about_bits(x, strides[0], inside, &all)?;
                all.extend(bits);
            }
            let pool = &mut self.walked.walker.pool;
            // Nothing is said of F itself here.
            let unknown = pool.fresh("term", pool.sort(one.fold.symbol));
            let facts = one.facts(pool, x, unknown, (now, Some(next)));
            all.extend(facts.into_iter().skip(1));
            if !self.cell_is(Until::Round(one.id), &view, (offset, value), all)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What follows of bits alone, for a stride that is a power of two in a block of such a
    /// size: each is asked with nothing else around, which takes a moment.
    fn about_bits(
        &mut self,
        x: TermId,
        stride: TermId,
        inside: TermId,
        known: &[TermId],
    ) -> Result<Vec<TermId>, SolverError> {
        let block = self.walked.walker.geometry.block[0];
        let pool = &mut self.walked.walker.pool;
        let (narrow, zero, one) = (pool.bits().extract(31, 0, x), pool.bv(32, 0), pool.bv(32, 1));
        let mut given = vec![inside];
        let wanted = [
            is_power(pool, stride),
            is_power(pool, block),
            pool.compare().ult(stride, block),
            pool.ne(stride, zero),
        ];
        let far = pool.bits().add(narrow, stride);
        let less = pool.bits().sub(stride, one);
        let double = pool.bits().add(stride, stride);
        let rests = [
            pool.bits().and(narrow, less),
            pool.bits().and(far, less),
            pool.bits().urem(narrow, double),
        ];
        let mut goals: Vec<TermId> = rests.map(|rest| pool.eq(rest, zero)).to_vec();
        let (wide, wide_far, wide_less) =
            (pool.bits().zero_extend(32, narrow), pool.bits().zero_extend(32, far), {
                let wide = pool.bits().zero_extend(32, stride);
                let one = pool.bv(64, 1);
                pool.bits().sub(wide, one)
            });
        let zero = pool.bv(64, 0);
        for one in [wide, wide_far] {
            let rest = pool.bits().and(one, wide_less);
            goals.push(pool.eq(rest, zero));
        }
        goals.push(pool.compare().ult(far, block));
        goals.push(pool.compare().ult(narrow, far));
        for fact in wanted {
            if self.implies(known, fact, "the stride divides the block", Effort::Small)? {
                given.push(fact);
            }
        }
        let mut found = vec![];
        for goal in goals {
            if self.implies(&given, goal, "bits of an index", Effort::Small)? {
                found.push(goal);
            }
        }
        Ok(found)
    }

    /// Does the cell hold the value at the end of a piece?
    fn cell_is(
        &mut self,
        until: Until,
        view: &View,
        (offset, value): (TermId, TermId),
        known: Vec<TermId>,
    ) -> Result<bool, SolverError> {
        let mut known = known;
        let before = self.learned.len();
        let (place, seen) = self.piece_before(view, until, offset);
        let held = self.value(&place, seen, &known, &[], 2)?;
        known.extend(self.learned.drain(before..));
        let held = self.settled(&known, held)?;
        let value = self.settled(&known, value)?;
        self.equal(&known, held, value, 0)
    }

    /// A term without the choices that the hypotheses settle; the rest become cases.
    fn settled(&mut self, known: &[TermId], term: TermId) -> Result<TermId, SolverError> {
        let mut term = term;
        let mut open: Vec<TermId> = vec![];
        loop {
            let pool = &self.walked.walker.pool;
            let choice = pool
                .reachable(&[term])
                .into_iter()
                .rev()
                .find(|&part| pool.op(part) == Op::Ite && !open.contains(&pool.args(part)[0]));
            let Some(choice) = choice else { break };
            let args = pool.args(choice).to_vec();
            let about = "a choice is settled";
            let by = if self.implies(known, args[0], about, Effort::Small)? {
                args[1]
            } else if self.excludes(known, &[args[0]], about, Effort::Small)? {
                args[2]
            } else {
                open.push(args[0]);
                continue;
            };
            term = self.replaced(term, choice, by);
        }
        // Those that are left are taken to the outside, where they are cases.
        for cond in open.into_iter().take(3) {
            let pool = &mut self.walked.walker.pool;
            let choices: Vec<TermId> = pool
                .reachable(&[term])
                .into_iter()
                .filter(|&part| pool.op(part) == Op::Ite && pool.args(part)[0] == cond)
                .collect();
            let mut sides = [term, term];
            for (number, side) in sides.iter_mut().enumerate() {
                let picked = |pool: &mut TermPool, part: TermId| {
                    choices.contains(&part).then(|| pool.args(part)[1 + number])
                };
                // A choice within another one's branch comes up again.
                for _ in 0..choices.len() {
                    *side = pool.rebuild(&[*side], |pool, part, _| picked(pool, part))[0];
                }
            }
            term = pool.ite(cond, sides[0], sides[1]);
        }
        Ok(term)
    }
}
