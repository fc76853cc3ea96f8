//! Claims about every element of an array hold when the threads come to the barrier.
//!
//! Two questions, of an arbitrary element, in every interval that leads to the barrier:
//!
//! * *Written*: a thread wrote it in the interval. Then that thread knows what it holds, since
//!   another's access would race, and what it holds satisfies the claim.
//! * *Quiet*: no thread wrote it. Then it is what it was at the start, of which the claims at the
//!   barrier before say something; and with the values of now it satisfies the claim. That
//!   no thread wrote it is said of a few threads, the *owners*: for each store, the thread that
//!   would write this element. An owner is guessed from the offset as a function of the
//!   thread's id, at 0 and 1; a wrong guess is a thread that did not write the element either.
//!
//! Together they cover every element. SOUNDNESS: only if every write of the interval is one of
//! a thread that comes to the barrier, and stands where its value is known there: not in a
//! loop that is cut (kernels/claims/51-cell-written-in-loop), and only of shared memory, which
//! other blocks do not write. What an owner does is used as `in range and guard => elsewhere`,
//! never its guards themselves (kernels/claims/52-owner-that-left).

use std::collections::BTreeSet;

use duet_ask::Question;
use duet_ir::{Dim, InstData, Rule};
use duet_product::{Family, Interval, Row};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{CellTerm, ClaimTerm, Group, SiteTerm, ThreadTerms, Walk, walk_group};

use super::Claims;
use crate::claims::is_of_cells;
use crate::report::Why;

/// Owners that are looked at, at most.
const MAX_OWNERS: u32 = 4;

impl Claims<'_, '_, '_> {
    /// The claims about elements of one interval.
    pub(super) fn check_cells(
        &mut self,
        (row, aligned): (&Row, &Family),
        interval: &Interval,
    ) -> Result<(), SolverError> {
        let facts = self.check.facts;
        let has_cells = facts.claims.in_force.iter().any(|&claim| is_of_cells(facts, claim));
        if !has_cells {
            return Ok(());
        }
        let probe = walk_group(&mut self.check.walker, (row, aligned), interval, 0);
        let claims: Vec<ClaimTerm> = self.in_force(&probe.walk);
        self.reject_untold(interval, &claims);
        for claim in claims.iter().filter(|claim| claim.cell.is_some()) {
            if self.is_written_in_loop(interval, claim) {
                let why = "a loop without a barrier writes the array on the way to the barrier";
                let why = Why::Stated(why.to_string());
                self.check.report(Rule::NotModelled, claim.inst, None, why);
                continue;
            }
            self.ask_written(&probe, claim)?;
            let stores = stores_to(&probe.walk, claim).count() as u32;
            let owners = stores.min(MAX_OWNERS);
            let group = walk_group(&mut self.check.walker, (row, aligned), interval, owners);
            self.ask_quiet(&group, claim)?;
        }
        Ok(())
    }

    /// A claim that names a thread, or an element other than its own, cannot be told.
    fn reject_untold(&mut self, interval: &Interval, told: &[ClaimTerm]) {
        let facts = self.check.facts;
        let nodes = interval.region.nodes.values();
        let insts =
            nodes.flat_map(|node| &facts.func.blocks[node.block].insts[node.first..node.end]);
        let is_untold = |inst: &&duet_ir::Inst| {
            facts.claims.in_force.contains(inst)
                && is_of_cells(facts, **inst)
                && !told.iter().any(|claim| claim.inst == **inst)
        };
        for &inst in insts.filter(is_untold).collect::<Vec<_>>() {
            let why = "it mentions more than its element and what all threads share";
            self.check.report(Rule::NotModelled, inst, None, Why::Stated(why.to_string()));
        }
    }

    /// Is the array written in a loop of the interval that is cut?
    fn is_written_in_loop(&self, interval: &Interval, claim: &ClaimTerm) -> bool {
        let facts = self.check.facts;
        let Some(cell) = &claim.cell else { return true };
        let cut: BTreeSet<_> = interval.region.nodes.values().filter_map(|node| node.cut).collect();
        facts.uses.writes(cell.array).iter().any(|write| {
            let Some(block) = facts.block_of(write.inst) else { return false };
            facts.loops.around(block).any(|id| cut.contains(&id))
        })
    }

    fn ask_written(&mut self, group: &Group, claim: &ClaimTerm) -> Result<(), SolverError> {
        let Some(cell) = &claim.cell else { return Ok(()) };
        let walk = &group.walk;
        let sites: Vec<SiteTerm> = stores_to(walk, claim).cloned().collect();
        let mut at = vec![];
        for site in &sites {
            let touches = self.touches(site, cell);
            at.push(self.check.walker.pool.and2(site.guard, touches));
        }
        let is_written = self.check.walker.pool.or(&at);
        let mut given = group.facts.clone();
        given.extend(walk.facts_at(claim.at));
        let question = Question {
            given,
            when: vec![claim.guard, is_written],
            goal: vec![self.check.walker.pool.not(claim.holds)],
            places: vec![claim.inst],
            ..Question::about("a cell invariant of a cell that was written")
        };
        if let Some(open) = self.check.ask(&question)? {
            let seen = super::seen_at(walk, claim);
            self.report(claim.inst, question, seen, open)?;
        }
        Ok(())
    }

    /// Do the bytes of the store and of the element meet?
    fn touches(&mut self, site: &SiteTerm, cell: &CellTerm) -> TermId {
        let pool = &mut self.check.walker.pool;
        let width = pool.width(site.offset);
        let number = pool.bits().zext_or_trunc(cell.number, width);
        let size = pool.bv(width, u128::from(cell.size));
        let distance = pool.bits().mul(number, size);
        let offset = pool.bits().add(cell.base, distance);
        if site.bytes == cell.size {
            // Offsets of stores are multiples of the element, which is checked elsewhere.
            return pool.eq(site.offset, offset);
        }
        let (one, other) =
            (pool.bits().sub(site.offset, offset), pool.bits().sub(offset, site.offset));
        let (len, size) = (pool.bv(width, site.bytes.into()), pool.bv(width, cell.size.into()));
        let (one, other) = (pool.compare().ult(one, size), pool.compare().ult(other, len));
        pool.or(&[one, other])
    }

    fn ask_quiet(&mut self, group: &Group, claim: &ClaimTerm) -> Result<(), SolverError> {
        let Some(cell) = &claim.cell else { return Ok(()) };
        let mut given = group.facts.clone();
        given.extend(group.walk.facts_at(claim.at));
        given.extend(&cell.known);
        for (number, (thread, walk)) in group.guests.iter().enumerate() {
            let site = stores_to(walk, claim).nth(number).cloned();
            given.extend(site.and_then(|site| self.is_owner(thread, &site, cell)));
            let sites: Vec<SiteTerm> = stores_to(walk, claim).cloned().collect();
            for site in sites {
                given.extend(walk.facts_at(site.at));
                let touches = self.touches(&site, cell);
                let pool = &mut self.check.walker.pool;
                let meets = pool.and2(site.guard, touches);
                given.push(pool.not(meets));
            }
        }
        let question = Question {
            given,
            when: vec![claim.guard],
            goal: vec![self.check.walker.pool.not(cell.if_quiet)],
            places: vec![claim.inst],
            ..Question::about("a cell invariant of a cell that no thread wrote")
        };
        if let Some(open) = self.check.ask(&question)? {
            self.check.report_open(Rule::BarrierInvariantFailed, claim.inst, None, open);
        }
        Ok(())
    }

    /// The thread is the one that would write the element with this store, if there is one.
    ///
    /// Which thread it is does not matter for soundness: no thread wrote the element.
    fn is_owner(
        &mut self,
        thread: &ThreadTerms,
        site: &SiteTerm,
        cell: &CellTerm,
    ) -> Option<TermId> {
        let size = self.check.walker.geometry.block[Dim::X.index()];
        let pool = &mut self.check.walker.pool;
        let id = thread.thread[Dim::X.index()];
        pool.as_bv(id).is_none().then_some(())?;
        let mut index_of = |at: u128| {
            let number = pool.bv(32, at);
            let offset =
                pool.rebuild(&[site.offset], |_, part, _| (part == id).then_some(number))[0];
            let distance = pool.bits().sub(offset, cell.base);
            let size = pool.bv(pool.width(distance), u128::from(cell.size));
            let index = pool.bits().udiv(distance, size);
            pool.bits().zext_or_trunc(index, 32)
        };
        let (first, second) = (index_of(0), index_of(1));
        let step = pool.bits().sub(second, first);
        let distance = pool.bits().sub(cell.number, first);
        let owner = pool.bits().udiv(distance, step);
        let in_range = pool.compare().ult(owner, size);
        let is_it = pool.eq(id, owner);
        Some(pool.implies(in_range, is_it))
    }
}

/// The stores of a walk to the array that a claim is about.
fn stores_to<'w>(walk: &'w Walk, claim: &'w ClaimTerm) -> impl Iterator<Item = &'w SiteTerm> {
    let array = claim.cell.as_ref().map(|cell| cell.array);
    walk.sites.iter().filter(move |site| site.writes && Some(site.array) == array)
}

/// Why a claim about elements cannot be in force.
pub(crate) fn obstacle(facts: &duet_product::KernelFacts<'_>, claim: duet_ir::Inst) -> Option<Why> {
    let stated = |why: &str| Some(Why::Stated(why.to_string()));
    let InstData::Annotation { args, .. } = &facts.func.insts[claim] else { return None };
    let duet_ir::ValueDef::Result(cell, _) = facts.func.values[args[1]] else {
        return stated("its element is not that of an array");
    };
    let of = facts.func.insts[cell].values();
    let array = of.first().and_then(|&array| facts.func.const_of(array));
    let Some(duet_ir::Const::Array(array)) = array else {
        return stated("its element is not that of one array");
    };
    let data = &facts.module.arrays[array];
    let start = of.get(1).and_then(|&start| facts.func.const_bits(start));
    if start.is_none_or(|start| start % u128::from(data.granule.max(1)) != 0) {
        return stated("its array does not start at an element");
    }
    if data.space != duet_ir::Space::Shared || !is_of_elements(facts, array) {
        return stated("only of shared arrays that are accessed by whole elements");
    }
    match facts.claims.all_arrive {
        true => None,
        false => stated("threads may return before others come to the barrier"),
    }
}

/// Is every access to the array one of whole elements of one size?
///
/// SOUNDNESS: the number of an element means a place only if there is one size
/// (kernels/claims/55-bytes-of-a-cell).
fn is_of_elements(facts: &duet_product::KernelFacts<'_>, array: duet_ir::Array) -> bool {
    let size = Some(facts.module.arrays[array].granule);
    facts.func.insts_in_order().all(|inst| match &facts.func.insts[inst] {
        InstData::Load { access, ty, .. } if access.array == array => ty.bytes() == size,
        InstData::Store { access, values } if access.array == array => {
            values.iter().all(|&value| facts.func.type_of(value).bytes() == size)
        }
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Load { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => true,
    })
}
