//! Cells in terms: what a final cell holds, and what a block sees of one at a cut.

use duet_ask::Effort;
use duet_smt::solver::SolverError;
use duet_smt::{Op, TermId};
use duet_vc::SiteTerm;

use super::Prover;
use super::loops::cells::Cells;
use super::loops::cuts::{Cut, Piece, Until};
use super::loops::heads::Heads;
use super::sums::atomics::Additions;
use super::sums::block_sums::BlockSums;
use super::sums::folds::Sums;
use super::walked::View;
use super::writers::Place;

/// Reads within reads that are followed.
const DEPTH: u32 = 6;

/// What a cell holds if no thread writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Before {
    /// This.
    Value(TermId),
    /// What was seen at the cut before.
    Seen(View),
    /// Nothing is known of it.
    Unknown,
}

impl Prover<'_, '_> {
    /// What a cell of a global array holds in the end.
    pub fn final_value(
        &mut self,
        array: duet_ir::Array,
        offset: TermId,
        hypotheses: &[TermId],
    ) -> Result<TermId, SolverError> {
        if let Some(site) = Additions(self).addition(array) {
            return Additions(self).added_value(&site, offset, hypotheses);
        }
        if let Some(value) = Heads(self).final_in_block(array, offset, hypotheses)? {
            return Ok(value);
        }
        let place = Place { array, offset, block: None, piece: None };
        let initial = self.walked.walk.initial.arrays[&array];
        let default = self.walked.walker.pool.select(initial, offset);
        self.value(&place, Before::Value(default), hypotheses, &[], 0)
    }

    /// What the writers leave in a cell.
    pub fn value(
        &mut self,
        place: &Place,
        before: Before,
        hypotheses: &[TermId],
        under: &[TermId],
        depth: u32,
    ) -> Result<TermId, SolverError> {
        if let Some(addition) = BlockSums(self).addition(place) {
            return self.after_additions(place, addition, before, (hypotheses, under), depth);
        }
        let mut written = self.writers(place, hypotheses)?;
        let is_certain = written.last().is_some_and(|last| last.when.is_empty());
        let mut result = None;
        if !is_certain && before != Before::Unknown {
            let mut known = hypotheses.to_vec();
            known.extend(&self.digits);
            let mut under = under.to_vec();
            for one in &written {
                let pool = &mut self.walked.walker.pool;
                let when = pool.and(&one.when);
                let not = pool.not(when);
                known.push(not);
                under.push(not);
            }
            if self.is_kept(place, &known)? {
                result = match before {
                    Before::Value(value) => Some(value),
                    Before::Seen(view) => {
                        Some(self.view_value(&view, place.offset, &known, &under, depth)?)
                    }
                    Before::Unknown => None,
                };
            }
        }
        let mut value = result.unwrap_or_else(|| {
            let width = 8 * self.walked.facts().module.arrays[place.array].granule;
            self.walked.walker.pool.fresh("cell", duet_smt::Sort::BitVec(width))
        });
        written.reverse();
        for mut one in written {
            self.note_writer(place, &one);
            let stored = self.walked.one_at(&mut one.instance, one.site.values[0]);
            let (stored, sums) =
                Sums(self).accumulated(&one.site.clone(), &mut one.instance, stored, &one.known)?;
            one.known.extend(sums);
            let stored = self.bits_of(stored, place);
            let under: Vec<TermId> = under.iter().chain(&one.when).copied().collect();
            let stored = self.resolved(stored, &one.known, &under, depth + 1)?;
            let pool = &mut self.walked.walker.pool;
            let when = pool.and(&one.when);
            value = pool.ite(when, stored, value);
            // SOUNDNESS: what is known of a writer is known only where it is the writer
            // (kernels/prove/traps/15-case-of-a-read).
            let condition = pool.and(&under);
            for &fact in &one.known {
                let fact = self.walked.walker.pool.implies(condition, fact);
                self.learned.push(fact);
            }
        }
        Ok(value)
    }

    /// What additions of a block's threads leave in a cell, at the end of a piece in which nothing
    /// else writes the array.
    fn after_additions(
        &mut self,
        place: &Place,
        addition: Option<SiteTerm>,
        before: Before,
        (hypotheses, under): (&[TermId], &[TermId]),
        depth: u32,
    ) -> Result<TermId, SolverError> {
        let width = 8 * self.walked.facts().module.arrays[place.array].granule;
        let first = match before {
            Before::Value(value) => Some(value),
            Before::Seen(view) => {
                Some(self.view_value(&view, place.offset, hypotheses, under, depth)?)
            }
            Before::Unknown => None,
        };
        let (Some(site), Some(first)) = (addition, first) else {
            return Ok(self.walked.walker.pool.fresh("cell", duet_smt::Sort::BitVec(width)));
        };
        let added = BlockSums(self).added(&site, place, hypotheses)?;
        Ok(self.walked.walker.pool.bits().add(first, added))
    }

    /// A stored truth value as bits of the cell.
    fn bits_of(&mut self, stored: TermId, place: &Place) -> TermId {
        let width = 8 * self.walked.facts().module.arrays[place.array].granule;
        let pool = &mut self.walked.walker.pool;
        match pool.sort(stored) {
            duet_smt::Sort::Bool => {
                let (one, zero) = (pool.bv(width, 1), pool.bv(width, 0));
                pool.ite(stored, one, zero)
            }
            duet_smt::Sort::BitVec(_)
            | duet_smt::Sort::Int
            | duet_smt::Sort::Named(_)
            | duet_smt::Sort::Array { .. } => stored,
        }
    }

    /// Does no thread that comes into question write the cell?
    pub fn is_kept(&mut self, place: &Place, hypotheses: &[TermId]) -> Result<bool, SolverError> {
        for site in self.stores(place) {
            if self.may_write(place, &site, hypotheses, Effort::Small)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// May some thread that comes into question write the cell by a store?
    pub fn may_write(
        &mut self,
        place: &Place,
        site: &SiteTerm,
        hypotheses: &[TermId],
        effort: Effort,
    ) -> Result<bool, SolverError> {
        let mut anyone = self.walked.stranger(place.block);
        let mut goals = self.stranger_facts(Some(place), site, &mut anyone);
        let offset = self.walked.one_at(&mut anyone, site.offset);
        goals.push(self.walked.walker.pool.eq(offset, place.offset));
        Ok(!self.excludes(hypotheses, &goals, "no thread writes the cell", effort)?)
    }

    /// What is known of any thread that is at a store.
    pub fn stranger_facts(
        &mut self,
        place: Option<&Place>,
        site: &duet_vc::SiteTerm,
        anyone: &mut super::walked::Instance,
    ) -> Vec<TermId> {
        let mut known = vec![];
        for id in self.walked.loops_around(site) {
            let count = match place.and_then(|place| place.count_of(id)) {
                Some(count) => count,
                None => self.walked.walker.pool.fresh("any", duet_smt::Sort::BitVec(32)),
            };
            self.walked.set_count(anyone, id, count);
            known.extend(self.counter_facts(anyone, id, count));
        }
        known.extend(self.walked.in_launch(anyone));
        let passed = self.walked.walk.facts_at(site.at);
        known.extend(self.walked.at(anyone, &passed));
        known.push(self.walked.one_at(anyone, site.guard));
        known
    }

    /// A term in which reads after barriers are what was written before them.
    pub fn resolved(
        &mut self,
        term: TermId,
        hypotheses: &[TermId],
        under: &[TermId],
        depth: u32,
    ) -> Result<TermId, SolverError> {
        let mut term = term;
        if depth > DEPTH {
            return Ok(term);
        }
        for _ in 0..64 {
            let pool = &self.walked.walker.pool;
            let read = pool
                .reachable(&[term])
                .into_iter()
                .find(|&part| pool.op(part) == Op::Select && self.has_view(pool.args(part)[0]));
            let Some(read) = read else { break };
            let (contents, offset) = (pool.args(read)[0], pool.args(read)[1]);
            let value = self.read(contents, offset, hypotheses, under, depth)?;
            let changed = self
                .walked
                .walker
                .pool
                .rebuild(&[term], |_, part, _| (part == read).then_some(value));
            term = changed[0];
        }
        Ok(term)
    }

    fn has_view(&self, contents: TermId) -> bool {
        let pool = &self.walked.walker.pool;
        match pool.op(contents) {
            Op::Apply(_) => self.walked.views.contains_key(&contents),
            Op::Store => self.has_view(pool.args(contents)[0]),
            Op::Ite => pool.args(contents)[1..].iter().any(|&one| self.has_view(one)),
            Op::True
            | Op::False
            | Op::BvConst { .. }
            | Op::IntConst(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::BvNot
            | Op::BvAdd
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::Concat
            | Op::Extract { .. }
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
            | Op::Ult
            | Op::Ule
            | Op::Slt
            | Op::Sle
            | Op::IntAdd
            | Op::IntMul
            | Op::IntDiv
            | Op::IntMod
            | Op::IntLe
            | Op::Select => false,
        }
    }

    fn read(
        &mut self,
        contents: TermId,
        offset: TermId,
        hypotheses: &[TermId],
        under: &[TermId],
        depth: u32,
    ) -> Result<TermId, SolverError> {
        let args = self.walked.walker.pool.args(contents).to_vec();
        match self.walked.walker.pool.op(contents) {
            Op::Store => {
                let below = self.read(args[0], offset, hypotheses, under, depth)?;
                let pool = &mut self.walked.walker.pool;
                let here = pool.eq(args[1], offset);
                Ok(pool.ite(here, args[2], below))
            }
            Op::Ite => {
                let one = self.read(args[1], offset, hypotheses, under, depth)?;
                let other = self.read(args[2], offset, hypotheses, under, depth)?;
                Ok(self.walked.walker.pool.ite(args[0], one, other))
            }
            Op::True
            | Op::False
            | Op::BvConst { .. }
            | Op::IntConst(_)
            | Op::Apply(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::BvNot
            | Op::BvAdd
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::Concat
            | Op::Extract { .. }
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
            | Op::Ult
            | Op::Ule
            | Op::Slt
            | Op::Sle
            | Op::IntAdd
            | Op::IntMul
            | Op::IntDiv
            | Op::IntMod
            | Op::IntLe
            | Op::Select => match self.walked.views.get(&contents).cloned() {
                Some(view) => self.view_value(&view, offset, hypotheses, under, depth),
                None => Ok(self.walked.walker.pool.select(contents, offset)),
            },
        }
    }

    /// What a block sees of a cell at a cut: what the piece before it left there, or what was
    /// seen at the cut before.
    pub fn view_value(
        &mut self,
        view: &View,
        offset: TermId,
        hypotheses: &[TermId],
        under: &[TermId],
        depth: u32,
    ) -> Result<TermId, SolverError> {
        let width = 8 * self.walked.facts().module.arrays[view.array].granule;
        if depth > DEPTH {
            return Ok(self.walked.walker.pool.fresh("cell", duet_smt::Sort::BitVec(width)));
        }
        if let Cut::Header(_) = view.cut {
            if let Some(value) = Heads(self).by_condition(view, offset, hypotheses, under, depth)? {
                return Ok(value);
            }
            if let Some(value) = Cells(self).by_invariant(view, offset)? {
                return Ok(value);
            }
            // What is seen at a later visit is what the iterations before left.
            return Ok(self.walked.walker.pool.fresh("cell", duet_smt::Sort::BitVec(width)));
        }
        let until = Until::Arrival(view.cut);
        let (place, before) = self.piece_before(view, until, offset);
        self.value(&place, before, hypotheses, under, depth + 1)
    }

    /// A cell in the piece before an end, and what is known of it at the cut before. The
    /// view has the array, the block and the counts of the aligned loops around the end.
    pub fn piece_before(&mut self, view: &View, until: Until, offset: TermId) -> (Place, Before) {
        let (array, block) = (view.array, view.block);
        let from = self.walked.cuts.before(&self.walked.walk, until);
        let before = match from {
            Some(cut) => Before::Seen(View { cut, ..view.clone() }),
            None => {
                let is_global =
                    self.walked.facts().module.arrays[array].space == duet_ir::Space::Global;
                // A block's view of global memory starts with what the launch finds there.
                match is_global {
                    true => {
                        let initial = self.walked.walk.initial.arrays[&array];
                        Before::Value(self.walked.walker.pool.select(initial, offset))
                    }
                    false => Before::Unknown,
                }
            }
        };
        let piece = Piece { from, until, counts: view.counts.clone() };
        (Place { array, offset, block: Some(block), piece: Some(piece) }, before)
    }
}
