//! Asynchronous copies of OpenCL, each done by an agent of its own.
//!
//! The threads of a group ask for a copy together, with the same arguments; that is
//! checked (`copy-mismatch`). The agent may be at work from the first call to the
//! wait for its event, and only a barrier after the wait tells all threads that it
//! is done. So its two ranges are compared with all accesses of every interval that
//! is reached from the call without a wait and then a barrier: those before the
//! call in the same interval too, since another thread may have called earlier.
//!
//! **One thread is enough** outside loops. The agent is the same for all threads of the
//! group, so an access of an arbitrary thread is compared with the copies that this
//! thread asked for; no partner is needed, and groups of one thread are covered. In a
//! loop without a barrier one thread may be iterations behind another that asked for a copy:
//! there an access of one thread is compared with the copies of any, itself included,
//! each in an iteration of its own. Agents of different groups are compared like threads of
//! different groups, in the row of the grid.
//!
//! **Which copies are under way** at the start of an interval is the least fixed
//! point over the graph ([`UnderWay`]). A wait counts for a copy only if its event
//! is, as a term of the walk through the whole kernel, the result of the last call;
//! a copy that is asked for again before that stays under way for ever. What is
//! copied by an agent from before the interval is not known: any element.

use std::collections::{BTreeMap, BTreeSet};

use duet_ask::Question;
use duet_ir::{Array, BarrierScope, Block, Inst, InstData, Language, Rule};
use duet_product::{Family, Interval, KernelFacts, Row, Scope, Start};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{SiteTerm, Walk};

use crate::check::Check;
use crate::report::{Construct, Why};

/// A copy that may be under way; `older` means a call before the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pending {
    copy: Inst,
    older: bool,
}

/// The copies that may be under way before each instruction.
struct UnderWay {
    before: BTreeMap<Inst, BTreeSet<Pending>>,
}

/// What is known at a point of the graph.
#[derive(Clone, PartialEq, Eq, Default)]
struct State {
    /// Asked for, and not waited for.
    pending: BTreeSet<Pending>,
    /// Waited for, with no barrier since.
    waited: BTreeSet<Pending>,
}

/// Asks about asynchronous copies.
pub(crate) struct Copies<'c, 's, 'f> {
    pub(crate) check: &'c mut Check<'s, 'f>,
}

impl Copies<'_, '_, '_> {
    /// Copies against the accesses of the group's own threads.
    pub(crate) fn check_copies(&mut self) -> Result<(), SolverError> {
        let copies = self.copies();
        if copies.is_empty() {
            return Ok(());
        }
        let facts = self.check.facts;
        let covered = self.covered_by_waits(&copies);
        let row = facts.program.rows.iter().find(|row| row.scope == Scope::Block);
        let Some(row) = row else { return Ok(()) };
        for family in row.families.iter().filter(|family| family.orders_memory()) {
            let under_way = self.under_way(family, &covered);
            for interval in &family.intervals {
                if self.check.is_over() {
                    return Ok(());
                }
                self.check_interval_copies(family, interval, &under_way)?;
                if has_copy_in_loop(interval, &copies) {
                    self.check_copies_of_other_rounds(row, family, interval)?;
                }
            }
        }
        Ok(())
    }

    fn copies(&self) -> Vec<(Block, Inst)> {
        let func = self.check.facts.func;
        let is_copy =
            |inst: Inst| func.insts[inst].accesses().iter().any(|(mode, _)| mode.is_copy());
        func.insts_with_blocks().filter(|&(_, inst)| is_copy(inst)).collect()
    }

    /// All threads of the group must ask for the copy, with the same arguments, and
    /// between the same barriers. SOUNDNESS: where threads may be in different iterations
    /// of a loop at one barrier, one may ask before it and another behind it
    /// (kernels/async/other-round-bug).
    pub(crate) fn check_copy_arguments(&mut self) {
        let copies = self.copies();
        let facts = self.check.facts;
        for row in facts.program.rows.iter().filter(|row| row.scope == Scope::Block) {
            let Some(aligned) = row.families.iter().find(|family| family.aligned) else { continue };
            let open = match copies.is_empty() {
                true => continue,
                false => self.check.facts.unaligned_loops(row, aligned),
            };
            for &(block, inst) in &copies {
                if open.iter().any(|&id| facts.loops.contains(id, block)) {
                    let what = Construct::AsyncCopiesInLoops;
                    self.check.report(Rule::NotModelled, inst, None, Why::NotModelled(what));
                }
            }
        }
        let uniformity = &self.check.facts.uniformity;
        let differs = |&&(block, inst): &&(Block, Inst)| {
            let values = self.check.facts.func.insts[inst].values();
            let operand =
                |&value: &_| uniformity.may_be_divergent_at(value, block, BarrierScope::Block);
            // The event is matched by its own; its value is no concern here.
            let InstData::AsyncCopy { event, .. } = self.check.facts.func.insts[inst] else {
                return true;
            };
            uniformity.may_be_divergent_block(block, BarrierScope::Block)
                || values.iter().filter(|&&value| value != event).any(operand)
        };
        let differing: Vec<Inst> = copies.iter().filter(differs).map(|(_, inst)| *inst).collect();
        for inst in differing {
            let why = Why::Stated("the threads of a group may ask for different copies".into());
            self.check.report(Rule::CopyMismatch, inst, None, why);
        }
    }

    /// For each wait, the copies whose last call it waits for.
    fn covered_by_waits(&mut self, copies: &[(Block, Inst)]) -> BTreeMap<Inst, BTreeSet<Inst>> {
        let walk = self.check.walker.walk_alone();
        let only = <duet_product::Context as duet_ir::EntityRef>::new(0);
        let result =
            |inst: Inst| walk.values.get(&(only, self.check.facts.func.result(inst))).copied();
        let mut covered: BTreeMap<Inst, BTreeSet<Inst>> = BTreeMap::new();
        for (wait, events) in &walk.waits {
            let matched = copies
                .iter()
                .map(|(_, inst)| *inst)
                .filter(|&copy| result(copy).is_some_and(|event| events.contains(&event)));
            covered.insert(*wait, matched.collect());
        }
        covered
    }

    /// The copies that may be under way, if the barriers of the family end them.
    fn under_way(&self, family: &Family, covered: &BTreeMap<Inst, BTreeSet<Inst>>) -> UnderWay {
        let func = self.check.facts.func;
        let barriers: BTreeSet<Inst> = family
            .intervals
            .iter()
            .filter_map(|interval| match interval.start {
                Start::Barrier(inst) => Some(inst),
                Start::Entry => None,
            })
            .collect();
        let mut entries: BTreeMap<Block, State> = BTreeMap::new();
        let mut under_way = UnderWay { before: BTreeMap::new() };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in self.check.facts.loops.order() {
                let mut state = entries.get(&block).cloned().unwrap_or_default();
                for &inst in &func.blocks[block].insts {
                    under_way.before.insert(inst, state.pending.clone());
                    state.pass(&func.insts[inst], inst, &barriers, covered);
                }
                for next in func.successors(block) {
                    changed |= entries.entry(next).or_default().join(&state);
                }
            }
        }
        under_way
    }

    fn check_interval_copies(
        &mut self,
        family: &Family,
        interval: &Interval,
        under_way: &UnderWay,
    ) -> Result<(), SolverError> {
        let (walk, facts) = self.check.walker.walk_interval_alone(interval);
        let carried = match interval.start {
            Start::Entry => BTreeSet::new(),
            Start::Barrier(inst) => under_way.before[&inst].clone(),
        };
        let sites: Vec<&SiteTerm> = walk
            .sites
            .iter()
            .filter(|site| self.check.facts.is_ordered_by(site.array, family))
            .collect();
        for (number, agent) in sites.iter().enumerate().filter(|(_, site)| site.by_agent) {
            for (other_number, other) in sites.iter().enumerate() {
                // Two agents are compared once, and none with itself.
                let again = other.by_agent && other_number <= number;
                if !again && other.inst != agent.inst {
                    let touch = self.check.walker.overlap(agent, other);
                    self.ask_copy(&walk, &facts, agent.inst, Some(agent), other, touch)?;
                }
            }
        }
        for site in &sites {
            let again = site.by_agent
                && under_way.before[&site.inst].iter().any(|pending| pending.copy == site.inst);
            let any = self.check.walker.pool.tt();
            if again {
                self.ask_copy(&walk, &facts, site.inst, None, site, any)?;
            }
            for pending in &carried {
                if self.touches(pending.copy, site) {
                    self.ask_copy(&walk, &facts, pending.copy, None, site, any)?;
                }
            }
        }
        Ok(())
    }

    /// Accesses of one thread against copies that another asked for in another iteration of a
    /// loop that both go round without a barrier. Copies against each other need none of
    /// this: of two, one is under way when the other is asked for.
    ///
    /// SOUNDNESS: kernels/async/other-iteration-bug.
    fn check_copies_of_other_rounds(
        &mut self,
        row: &Row,
        family: &Family,
        interval: &Interval,
    ) -> Result<(), SolverError> {
        let Some(aligned) = row.families.iter().find(|family| family.aligned) else {
            return Ok(());
        };
        let pair = self.check.walker.walk_any_two(row, family, interval, aligned);
        let wanted = |site: &&SiteTerm| self.check.facts.is_ordered_by(site.array, family);
        let agents: Vec<&SiteTerm> =
            pair.first.sites.iter().filter(|site| site.by_agent).filter(wanted).collect();
        let others: Vec<&SiteTerm> =
            pair.second.sites.iter().filter(|site| !site.by_agent).filter(wanted).collect();
        for agent in agents {
            let mut facts = pair.facts.clone();
            facts.extend(pair.first.facts_at(agent.at));
            facts.push(agent.guard);
            for other in &others {
                if self.may_overlap(agent.array, other.array) && (agent.writes || other.writes) {
                    let touch = self.check.walker.overlap(agent, other);
                    self.ask_copy(&pair.second, &facts, agent.inst, None, other, touch)?;
                }
            }
        }
        Ok(())
    }

    /// Does the copy write what the site touches, or read what it writes?
    fn touches(&self, copy: Inst, site: &SiteTerm) -> bool {
        let InstData::AsyncCopy { dst, src, .. } = &self.check.facts.func.insts[copy] else {
            return false;
        };
        self.may_overlap(site.array, dst.array)
            || (self.may_overlap(site.array, src.array) && site.writes)
    }

    fn may_overlap(&self, array: Array, other: Array) -> bool {
        self.check.facts.uses.may_overlap(array, other)
    }

    /// Asks whether the copy and the access can meet.
    fn ask_copy(
        &mut self,
        walk: &Walk,
        facts: &[TermId],
        copy: Inst,
        agent: Option<&SiteTerm>,
        site: &SiteTerm,
        touch: TermId,
    ) -> Result<(), SolverError> {
        let writes = agent.is_none_or(|agent| agent.writes);
        if agent.is_some_and(|agent| !self.may_overlap(agent.array, site.array))
            || !(writes || site.writes)
        {
            return Ok(());
        }
        let (mut given, mut when) = (facts.to_vec(), vec![site.guard]);
        given.extend(walk.facts_at(site.at));
        if let Some(agent) = agent {
            given.extend(walk.facts_at(agent.at));
            when.push(agent.guard);
        }
        let question = Question {
            given,
            when,
            goal: vec![touch],
            places: vec![copy, site.inst],
            ..Question::about("a copy under way")
        };
        if let Some(open) = self.check.ask(&question)? {
            let rule = match site.writes && writes {
                true => Rule::WriteWriteRace,
                false => Rule::ReadWriteRace,
            };
            self.check.report_open(rule, copy, Some(site.inst), open);
        }
        Ok(())
    }
}

/// Are there asynchronous copies that this file does not cover?
pub(super) fn has_foreign_copies(facts: &KernelFacts<'_>) -> bool {
    let of_grid = |data: &InstData| data.barrier_scope() == Some(BarrierScope::Grid);
    facts.module.language != Language::OpenCl || facts.func.insts.values().any(of_grid)
}

/// Is there a copy in a loop of the interval that is cut?
fn has_copy_in_loop(interval: &Interval, copies: &[(Block, Inst)]) -> bool {
    let nodes = interval.region.nodes.values();
    let blocks =
        |node: &duet_product::NodeData| copies.iter().any(|(block, _)| *block == node.block);
    interval.region.nodes.values().any(|node| node.cut.is_some()) && nodes.into_iter().any(blocks)
}

impl State {
    fn pass(
        &mut self,
        data: &InstData,
        inst: Inst,
        barriers: &BTreeSet<Inst>,
        covered: &BTreeMap<Inst, BTreeSet<Inst>>,
    ) {
        match data {
            InstData::AsyncCopy { .. } => {
                let last = Pending { copy: inst, older: false };
                if self.pending.contains(&last) {
                    self.pending.insert(Pending { older: true, ..last });
                }
                self.pending.insert(last);
                // What was waited for is no longer the last call.
                if self.waited.remove(&last) {
                    self.waited.insert(Pending { older: true, ..last });
                }
            }
            InstData::WaitEvents { .. } => {
                for &copy in covered.get(&inst).into_iter().flatten() {
                    let last = Pending { copy, older: false };
                    if self.pending.remove(&last) {
                        self.waited.insert(last);
                    }
                }
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
            | InstData::Assert { .. }
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => {
                if barriers.contains(&inst) {
                    self.waited.clear();
                }
            }
        }
    }

    /// What may hold on either way; did it change?
    fn join(&mut self, other: &State) -> bool {
        let before = (self.pending.len(), self.waited.len());
        self.pending.extend(&other.pending);
        self.waited.extend(&other.waited);
        before != (self.pending.len(), self.waited.len())
    }
}
