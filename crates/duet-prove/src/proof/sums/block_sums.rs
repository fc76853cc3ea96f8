//! Shared arrays that the threads of a block add to between two barriers: histograms of blocks.
//!
//! If the only accesses to a shared array in a piece of a block's execution are those of one
//! atomic addition of integers whose result nobody uses, in no loop with barriers, then at the
//! end of the piece each cell is what it was at its start, plus the sum of what all visits of the
//! addition by threads of the block add to it, modulo 2^w. The walk knows nothing of loads from
//! such an array; those in a piece in which nobody writes it yield what the block sees at the
//! piece's start ([`counted_loads`]).
//!
//! The sum over the visits of a block is shown to be one of the clause as that of a launch is
//! ([`super::atomics`]), with threads of the block for those of the launch. Else it is named: an
//! unknown function of the block and the cell.
//!
//! Where every block then adds such sums to a global array (`atomicAdd(&hist[t], s[t])`), once
//! for each cell, the sum over all blocks of the sums over the visits of a block is the sum over
//! all visits of the launch. For that is shown, for any block of the launch:
//!
//! 1. one thread of it, at one visit, adds to the global cell in question, and no other visit of
//!    the block does;
//! 2. what it adds is the block's sum of one shared cell, which was zero before, and whose offset
//!    does not depend on the block.
//!
//! SOUNDNESS: (kernels/prove/traps/67-shared-not-cleared, kernels/prove/traps/68-shared-twice,
//! kernels/prove/traps/69-shared-by-some, kernels/prove/shared-histogram-wrong).

use std::collections::BTreeMap;

use duet_analysis::Loop;
use duet_ir::Space;
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_smt::{Op, Sort, TermId, TermPool};
use duet_vc::{SiteTerm, Walk};

use crate::proof::Prover;
use crate::proof::loops::cuts::{Cut, Cuts, may_precede};
use crate::proof::spec_terms::FoldTerm;
use crate::proof::sums::atomics::Additions;
use crate::proof::walked::Instance;
use crate::proof::writers::{Place, Wanted};

/// The sum of what threads of a block add to a cell.
#[derive(Clone, Debug)]
pub struct BlockSum {
    /// The unknown.
    symbol: TermId,
    /// The addition.
    site: SiteTerm,
    /// The cell, and the block.
    offset: TermId,
    block: Option<[TermId; 3]>,
}

/// Where the piece of an access starts: the cut before it, and the aligned loops around.
fn start_of(
    facts: &KernelFacts<'_>,
    walk: &Walk,
    cuts: &Cuts,
    site: &SiteTerm,
) -> Option<(Option<Cut>, Vec<Loop>)> {
    let level = cuts.around(&facts.loops, facts.block_of(site.inst)?);
    let before: Vec<_> = cuts
        .right_inside(level.last().copied())
        .into_iter()
        .filter(|(_, at)| may_precede(facts, walk, *at, site.at))
        .collect();
    let passed = |at| before.iter().filter(|(_, other)| walk.has_passed(*other, at)).count();
    let last = before.iter().max_by_key(|(_, at)| passed(*at)).map(|(cut, _)| *cut);
    Some((last.or(level.last().copied().map(Cut::Header)), level))
}

/// Does every way to an access come by the cut at which its piece starts?
///
/// SOUNDNESS: where another way leads around the cut, the piece is another one there
/// (kernels/prove/traps/76-shared-on-two-ways).
fn is_on_every_way(
    facts: &KernelFacts<'_>,
    cuts: &Cuts,
    start: Option<Cut>,
    site: &SiteTerm,
) -> bool {
    let Some(block) = facts.block_of(site.inst) else { return false };
    let Some((at, _)) = start.and_then(|cut| cuts.place(cut)) else { return false };
    let from = facts.program.alone.nodes[at.node].block;
    facts.dominators.dominates(from, block)
}

/// Loads from shared arrays that atomic operations touch, as reads of what the block sees where
/// their piece starts: by the unknown that the walk has for what they yield.
///
/// SOUNDNESS: only in a piece in which nobody writes the array; the kernel is free of races, so
/// additions of other pieces are before its start or after its end
/// (kernels/prove/traps/70-shared-in-the-piece).
pub fn counted_loads(
    facts: &KernelFacts<'_>,
    pool: &mut TermPool,
    walk: &Walk,
    cuts: &Cuts,
) -> BTreeMap<TermId, TermId> {
    let mut found = BTreeMap::new();
    for site in walk.sites.iter().filter(|site| !site.writes && site.atomic.is_none()) {
        let array = site.array;
        if facts.module.arrays[array].space != Space::Shared
            || !facts.uses.is_touched_by_atomics(array)
        {
            continue;
        }
        let Some(start) = start_of(facts, walk, cuts, site) else { continue };
        if !is_on_every_way(facts, cuts, start.0, site) {
            continue;
        }
        let mut writes = walk.sites.iter().filter(|one| one.array == array && one.writes);
        if writes.any(|one| start_of(facts, walk, cuts, one).is_none_or(|own| own == start)) {
            continue;
        }
        let memory = match start.0 {
            Some(Cut::Barrier(number)) => walk.after_barriers.get(number).map(|one| &one.memory),
            Some(Cut::Header(id)) => {
                walk.headers.iter().find(|header| header.id == id).map(|one| &one.memory)
            }
            None => None,
        };
        let Some(&contents) = memory.and_then(|memory| memory.arrays.get(&array)) else { continue };
        let &[value] = &facts.func.results_of[site.inst][..] else { continue };
        let Some(&term) = walk.values.get(&(site.context, value)) else { continue };
        let read = pool.select(contents, site.offset);
        if matches!(pool.op(term), Op::Apply(_)) && pool.sort(term) == pool.sort(read) {
            found.insert(term, read);
        }
    }
    // An offset may depend on another such load.
    for _ in 0..found.len() {
        let before = found.clone();
        for read in found.values_mut() {
            *read = pool.rebuild(&[*read], |_, term, _| before.get(&term).copied())[0];
        }
        if before == found {
            break;
        }
    }
    found
}

/// Works on sums of blocks with a prover.
pub struct BlockSums<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(BlockSums);

impl BlockSums<'_, '_, '_> {
    /// The addition to a cell of a shared array in a piece, if there is one; none inside if it
    /// is not the only access that writes the array there.
    pub fn addition(&self, place: &Place) -> Option<Option<SiteTerm>> {
        let stores = self.stores(place);
        let is_touched = place.piece.is_some() && stores.iter().any(|site| site.atomic.is_some());
        let is_only = |site: &SiteTerm| {
            site.operands.len() == 1 && self.walked.aligned_around(site).is_empty()
        };
        is_touched.then(|| match &stores[..] {
            [site] if is_only(site) => Some(site.clone()),
            _ => None,
        })
    }

    /// What threads of the block add to a cell in a piece.
    pub fn added(
        &mut self,
        site: &SiteTerm,
        place: &Place,
        hypotheses: &[TermId],
    ) -> Result<TermId, SolverError> {
        let width = 8 * self.walked.facts().module.arrays[site.array].granule;
        let known = self.block_sums.iter().find(|one| {
            one.site.inst == site.inst && one.offset == place.offset && one.block == place.block
        });
        if let Some(known) = known {
            return Ok(known.symbol);
        }
        let whole = Place { piece: None, ..place.clone() };
        for fold in self.folds.clone() {
            if fold.is_sum()
                && fold.float.is_none()
                && self.walked.walker.pool.width(fold.symbol) >= width
                && Additions(self.0).is_sum_of(site, &whole, &fold, hypotheses)?
            {
                return Ok(self.walked.walker.pool.bits().sext_or_trunc(fold.symbol, width));
            }
        }
        let symbol = self.walked.walker.pool.fresh("added", Sort::BitVec(width));
        let (site, offset, block) = (site.clone(), place.offset, place.block);
        self.block_sums.push(BlockSum { symbol, site, offset, block });
        Ok(symbol)
    }

    /// Is the sum of the clause that of what all blocks add to a global cell, each the sum of a
    /// shared one?
    pub fn is_sum_over_blocks(
        &mut self,
        site: &SiteTerm,
        place: &Place,
        hypotheses: &[TermId],
    ) -> Result<Option<TermId>, SolverError> {
        let Some((own, offset)) = self.sum_of_each(site, place, hypotheses)? else {
            return Ok(None);
        };
        let width = 8 * self.walked.facts().module.arrays[place.array].granule;
        let cell = Place { array: own.array, offset, block: None, piece: None };
        for fold in self.folds.clone() {
            if self.is_wide(&fold, width)
                && Additions(self.0).is_sum_of(&own, &cell, &fold, hypotheses)?
            {
                let pool = &mut self.walked.walker.pool;
                return Ok(Some(pool.bits().sext_or_trunc(fold.symbol, width)));
            }
        }
        Ok(None)
    }

    fn is_wide(&self, fold: &FoldTerm, width: u32) -> bool {
        fold.is_sum() && fold.float.is_none() && self.walked.walker.pool.width(fold.symbol) >= width
    }

    /// What any block adds to the cell: the addition to a shared array, and the offset there.
    fn sum_of_each(
        &mut self,
        site: &SiteTerm,
        place: &Place,
        hypotheses: &[TermId],
    ) -> Result<Option<(SiteTerm, TermId)>, SolverError> {
        let mut any = self.walked.stranger(None);
        let Some(block) = any.block() else { return Ok(None) };
        let mut known = hypotheses.to_vec();
        for (id, size) in self.walked.ids(true) {
            let own = self.walked.one_at(&mut any, id);
            known.push(self.walked.walker.pool.compare().ult(own, size));
        }
        let here = Place { block: Some(block), ..place.clone() };
        for proposal in self.proposals(&here, site, &known).into_iter().take(2) {
            let (proposal, digits) = self.without_division(proposal, &known)?;
            let known: Vec<TermId> = known.iter().copied().chain(digits).collect();
            let found = self.written(&here, site, proposal, &known, Wanted::Unconditional)?;
            let Some(mut written) = found else { continue };
            if !self.is_only_in_block(site, &here, &mut written.instance, &known)? {
                continue;
            }
            let mut all = known.clone();
            all.extend(&written.known);
            let added = self.walked.one_at(&mut written.instance, site.operands[0]);
            let before = (self.learned.len(), self.block_sums.len());
            let added = self.resolved(added, &all, &[], 1)?;
            all.extend(self.learned.drain(before.0..));
            let sums = self.block_sums.split_off(before.1);
            for sum in sums {
                let is_free = !self.depends_on(sum.offset, &block);
                if is_free && self.equal(&all, added, sum.symbol, 0)? {
                    return Ok(Some((sum.site, sum.offset)));
                }
            }
        }
        Ok(None)
    }

    /// Is no other visit of the block one that adds to the cell?
    fn is_only_in_block(
        &mut self,
        site: &SiteTerm,
        place: &Place,
        instance: &mut Instance,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let mut anyone = self.walked.stranger(place.block);
        let mut all = known.to_vec();
        all.extend(self.stranger_facts(None, site, &mut anyone));
        let at = self.walked.one_at(&mut anyone, site.offset);
        all.push(self.walked.walker.pool.eq(at, place.offset));
        Additions(self.0).is_same_visit(site, instance, &mut anyone, &all)
    }

    /// May a term depend on the block? Its symbols are those of the cell, or of the launch.
    fn depends_on(&self, term: TermId, block: &[TermId; 3]) -> bool {
        let pool = &self.walked.walker.pool;
        let given = pool.reachable(&self.given);
        let allowed = |part: TermId| {
            let is_symbol = matches!(pool.op(part), Op::Apply(_)) && pool.args(part).is_empty();
            !is_symbol || given.contains(&part) && !block.contains(&part)
        };
        !pool.reachable(&[term]).into_iter().all(allowed)
    }
}
