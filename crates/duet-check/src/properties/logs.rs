//! Invariants about logged accesses: `__write_implies(a, P(__write_offset_bytes(a)))`.
//!
//! A proof here compares access with access and keeps no log, so nothing rests on them.
//! They are claims about accesses, and checked as such: a function-wide invariant holds if
//! at every access of the kind to the array, P holds of its offset, and if it holds while
//! nothing is logged.
//!
//! An invariant of one loop is about the accesses that are logged when its head is
//! reached. An access from which a barrier lies on every way to the head is not, unless
//! the barrier does not order it. A claim that fails at another access is not known to be
//! false either: the head may be reached without a barrier only where the claim holds. So
//! what is not shown of such an invariant is listed with the verdict as not checked, and
//! is no finding. Where P speaks of what the loop changes, it must hold on the next arrival
//! at the head and be kept by each iteration.
//!
//! SOUNDNESS: a function-wide claim that fails at an access is a finding
//! (kernels/contracts/log-function-wide-bug); a claim of a loop that is not shown is never
//! listed as shown (kernels/contracts/log-invariant-bug).

use std::collections::{BTreeSet, HashMap};

use duet_analysis::Loop;
use duet_ask::{Open, Question};
use duet_ir::{BarrierScope, Block, Function, GhostKind, Inst, InstData, Rule, Space, Value};
use duet_product::ghosts_of;
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{HeaderTerm, Log, Logged, Place, SiteTerm, Walk};

use crate::check::Check;
use crate::report::Why;

/// What came of a claim at an access.
enum Checked {
    Holds,
    Open(Open),
    /// It has no term there.
    Unclear,
}

/// Elements of one access for which a claim is asked.
const MAX_ELEMENTS: u32 = 64;

/// Checks claims about logged accesses.
pub(super) struct Logs<'c, 's, 'f> {
    pub(super) check: &'c mut Check<'s, 'f>,
}

impl Logs<'_, '_, '_> {
    /// A function-wide invariant about logs, at every access.
    pub(super) fn check_function_wide(&mut self, inst: Inst) -> Result<(), SolverError> {
        let walk = self.check.walker.walk_alone();
        let Some(logs) = self.check.walker.logs_of(inst) else {
            self.report_unclear(inst, None);
            return Ok(());
        };
        for (logged, site) in self.states(&walk, &logs) {
            match self.check_at(inst, &walk, logged, site)? {
                Checked::Holds => {}
                Checked::Open(open) => {
                    let place = site.map(|site| site.inst);
                    self.check.report_open(Rule::InvariantFailed, inst, place, open);
                    return Ok(());
                }
                Checked::Unclear => {
                    self.report_unclear(inst, site.map(|site| site.inst));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn report_unclear(&mut self, inst: Inst, site: Option<Inst>) {
        let why = "it depends on another thread, on memory or on a variable that the function \
                   changes, and cannot be told at every access";
        self.check.report(Rule::InvariantFailed, inst, site, Why::Stated(why.to_string()));
    }

    /// The same for an invariant of one loop; is everything that it claims shown?
    pub(super) fn check_of_loop(&mut self, inst: Inst) -> Result<bool, SolverError> {
        let walk = self.check.walker.walk_alone();
        let block = self.check.facts.block_of(inst);
        let id = block.and_then(|block| self.check.facts.loops.headed_by(block));
        let (Some(logs), Some(id)) = (self.check.walker.logs_of(inst), id) else {
            return Ok(false);
        };
        let header = self.check.facts.loops.data(id).header;
        let mut is_shown = true;
        for (logged, site) in self.states(&walk, &logs) {
            if site.is_some_and(|site| !self.may_be_logged_at(site, header)) {
                continue;
            }
            match self.check_at(inst, &walk, logged, site)? {
                Checked::Holds => {}
                // The access may be logged there under conditions that exclude this state.
                Checked::Open(_) => is_shown = false,
                Checked::Unclear => {
                    is_shown &= self.is_kept_by(inst, &walk, id, (logged, site))?;
                }
            }
        }
        Ok(is_shown)
    }

    /// Nothing logged, and each access of the walk in each of its elements.
    fn states<'w>(
        &mut self,
        walk: &'w Walk,
        logs: &BTreeSet<Log>,
    ) -> Vec<(Logged, Option<&'w SiteTerm>)> {
        let mut states = vec![(Logged::Nothing, None)];
        for site in walk.sites.iter().filter(|site| site.atomic.is_none()) {
            let log = Log { array: site.array, writes: site.writes };
            if !logs.contains(&log) {
                continue;
            }
            let granule = self.check.facts.module.arrays[site.array].granule.max(1);
            let step = granule.max(site.bytes.div_ceil(MAX_ELEMENTS));
            for piece in (0..site.bytes.max(1)).step_by(step as usize) {
                let width = self.check.walker.pool.width(site.offset);
                let distance = self.check.walker.pool.bv(width, u128::from(piece));
                let offset = self.check.walker.pool.bits().add(site.offset, distance);
                states.push((Logged::Access(log, offset), Some(site)));
            }
        }
        states
    }

    /// Does the claim hold for a state of the log, right when the access happens?
    fn check_at(
        &mut self,
        inst: Inst,
        walk: &Walk,
        logged: Logged,
        site: Option<&SiteTerm>,
    ) -> Result<Checked, SolverError> {
        let own = site.map_or(inst, |site| site.inst);
        let Some(block) = self.check.facts.block_of(own) else { return Ok(Checked::Unclear) };
        let place = Place { walk, block, params: &HashMap::new() };
        let Some(claim) = self.check.walker.claim(inst, logged, place) else {
            return Ok(Checked::Unclear);
        };
        let mut given = self.check.walker.facts_alone();
        given.extend(site.map_or(vec![], |site| walk.facts_at(site.at)));
        let when = site.map_or(vec![], |site| vec![site.guard]);
        let open = self.ask(inst, given, when, claim)?;
        Ok(open.map_or(Checked::Holds, Checked::Open))
    }

    fn ask(
        &mut self,
        inst: Inst,
        given: Vec<TermId>,
        when: Vec<TermId>,
        claim: TermId,
    ) -> Result<Option<Open>, SolverError> {
        let goal = vec![self.check.walker.pool.not(claim)];
        let places = vec![inst];
        let about = "an invariant about logged accesses";
        self.check.ask(&Question { given, when, goal, places, ..Question::about(about) })
    }

    /// A claim about what the loop changes: it holds of the access at the next arrival at
    /// the head, and is kept by each iteration.
    ///
    /// SOUNDNESS: a loop inside of another is entered again with accesses of before, which
    /// this does not cover (test
    /// `a_claim_of_an_inner_loop_is_not_shown_by_its_own_iterations`).
    fn is_kept_by(
        &mut self,
        inst: Inst,
        walk: &Walk,
        id: Loop,
        (logged, site): (Logged, Option<&SiteTerm>),
    ) -> Result<bool, SolverError> {
        let header = self.check.facts.loops.data(id).header;
        let is_inner = self.check.facts.loops.around(header).count() > 1;
        let found: Vec<&HeaderTerm> = walk.headers.iter().filter(|one| one.id == id).collect();
        let &[head] = &found[..] else { return Ok(false) };
        if is_inner {
            return Ok(false);
        }
        let inside = site.is_some_and(|site| {
            self.check
                .facts
                .block_of(site.inst)
                .is_some_and(|at| self.check.facts.loops.contains(id, at))
        });
        if site.is_some_and(|site| !inside && !walk.is_before(site.at.node, head.node)) {
            return Ok(false);
        }
        for edge in &head.edges {
            let mut given = self.check.walker.facts_alone();
            given.extend(walk.facts_at(edge.at));
            let arrived = self.params_of(header, &edge.args);
            let after = Place { walk, block: header, params: &arrived };
            let comes_here = site.is_none() || edge.is_back == inside;
            if comes_here {
                let Some(claim) = self.check.walker.claim(inst, logged, after) else {
                    return Ok(false);
                };
                let mut when = vec![edge.guard];
                when.extend(site.map(|site| site.guard));
                if self.ask(inst, given.clone(), when, claim)?.is_some() {
                    return Ok(false);
                }
            }
            if let (Logged::Access(log, _), true) = (logged, edge.is_back) {
                let any = Logged::Access(log, self.check.walker.unknown_offset());
                let now = self.params_of(header, &head.params);
                let before = Place { walk, block: header, params: &now };
                let (Some(held), Some(claim)) = (
                    self.check.walker.claim(inst, any, before),
                    self.check.walker.claim(inst, any, after),
                ) else {
                    return Ok(false);
                };
                given.push(held);
                if self.ask(inst, given, vec![edge.guard], claim)?.is_some() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn params_of(&self, header: Block, terms: &[TermId]) -> HashMap<Value, TermId> {
        let params = &self.check.facts.func.blocks[header].params;
        params.iter().copied().zip(terms.iter().copied()).collect()
    }

    /// May the log hold the access when the block is reached? A barrier of the block ends
    /// the logs of shared memory; those of global memory go on for threads of other blocks.
    fn may_be_logged_at(&self, site: &SiteTerm, to: Block) -> bool {
        let func = self.check.facts.func;
        let is_shared = self.check.facts.module.arrays[site.array].space == Space::Shared;
        // Whatever is not known to be such a barrier leaves the log as it is.
        let ends_log = |data: &InstData| {
            if let InstData::Barrier { scope: BarrierScope::Block, arg } = data {
                let flags = arg.and_then(|flags| func.const_bits(flags));
                return is_shared && flags.is_some_and(|flags| flags & 1 == 1);
            }
            is_shared && matches!(data, InstData::BarrierReduce { .. })
        };
        self.leads_to(site.inst, to, &ends_log)
    }

    /// Is there a way from an instruction to a block that meets none at which `stops`?
    fn leads_to(&self, from: Inst, to: Block, stops: &dyn Fn(&InstData) -> bool) -> bool {
        let func = self.check.facts.func;
        let Some(start) = self.check.facts.block_of(from) else { return true };
        let passes = |insts: &[Inst]| !insts.iter().any(|&inst| stops(&func.insts[inst]));
        let next = |block: Block| {
            let edges = func.blocks[block].terminator.edges();
            edges.into_iter().map(|edge| edge.block)
        };
        let insts = &func.blocks[start].insts;
        let after = insts.iter().position(|&inst| inst == from).map_or(0, |at| at + 1);
        let mut open: Vec<Block> = vec![];
        if passes(&insts[after..]) {
            open.extend(next(start));
        }
        let mut seen = BTreeSet::new();
        while let Some(block) = open.pop() {
            if block == to {
                return true;
            }
            if seen.insert(block) && passes(&func.blocks[block].insts) {
                open.extend(next(block));
            }
        }
        false
    }
}

/// Does the annotation speak of logged accesses?
pub(super) fn is_about_logs(func: &Function, inst: Inst) -> bool {
    ghosts_of(func, inst).into_iter().any(|ghost| match ghost {
        GhostKind::HasRead
        | GhostKind::HasWritten
        | GhostKind::ReadOffset
        | GhostKind::WriteOffset => true,
        GhostKind::Enabled
        | GhostKind::DominatorEnabled
        | GhostKind::Other
        | GhostKind::SameBlock
        | GhostKind::ArrayIdentity
        | GhostKind::ReturnValue
        | GhostKind::Old
        | GhostKind::Fold
        | GhostKind::Cell
        | GhostKind::AtomicHasTakenValue => false,
    })
}
