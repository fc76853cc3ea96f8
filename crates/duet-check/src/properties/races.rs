//! Can two threads touch the same bytes in one interval, one of them writing?

use std::collections::{BTreeSet, HashMap};

use duet_ask::{Doubt, Effort, Patience, Question, cases, has_cases};
use duet_ir::{
    AccessMode, Array, Effect, Inst, InstData, MemoryScope, Rule, Space, is_read_permission,
};
use duet_product::{Family, Interval, Row, Scope};
use duet_smt::TermId;
use duet_smt::solver::{Answer, SolverError};
use duet_vc::{PairWalk, SiteTerm};

use super::order::is_strong_volatile;
use crate::check::Check;

/// Questions that are asked of the solver at once.
const JOINT: usize = 32;
/// So many are asked one by one: the algebra takes nothing else.
const FEW: usize = 3;

/// Two sites that may race.
pub(super) struct Suspect<'w> {
    pub(super) first: &'w SiteTerm,
    pub(super) second: &'w SiteTerm,
    /// What is known where they are, and that both happen, on common bytes.
    pub(super) meet: Vec<TermId>,
    /// They write different values: without that it is no race.
    differ: Option<TermId>,
}

impl Suspect<'_> {
    /// Are these two writes no race if they write the same value?
    pub(crate) fn is_tolerable(&self) -> bool {
        self.differ.is_some()
    }

    fn race(&self) -> Vec<TermId> {
        self.meet.iter().copied().chain(self.differ).collect()
    }
}

/// Asks about pairs of accesses.
pub(crate) struct Races<'c, 's, 'f> {
    pub(crate) check: &'c mut Check<'s, 'f>,
}

impl Races<'_, '_, '_> {
    /// Races of every row.
    pub(crate) fn check_races(&mut self) -> Result<(), SolverError> {
        self.each_interval(|races, row, family, pair| races.check_pair(row, family, pair))
    }

    /// The pairs of accesses that would race if fences and flags did not order them in every
    /// execution, with the kind of race. Nothing is asked about the others.
    pub(crate) fn ordered_pairs(&mut self) -> Result<BTreeSet<(Rule, Inst, Inst)>, SolverError> {
        let mut ordered = BTreeSet::new();
        self.each_interval(|races, row, family, pair| {
            let (first, second) = races.accesses(row, family, pair);
            for &a in &first {
                for &b in &second {
                    if races.may_conflict(row, a, b)
                        && races.check.walker.unordered(pair, a, b).is_some()
                        && races.not_handed_over(row, pair, a, b)?.is_none()
                    {
                        ordered.insert((races.rule_of(a, b), a.inst, b.inst));
                    }
                }
            }
            Ok(())
        })?;
        Ok(ordered)
    }

    /// Walks of two threads through every interval in which they may race.
    fn each_interval<Then>(&mut self, mut then: Then) -> Result<(), SolverError>
    where
        Then: FnMut(&mut Self, &Row, &Family, &PairWalk) -> Result<(), SolverError>,
    {
        let facts = self.check.facts;
        for row in &facts.program.rows {
            if row.scope == Scope::Grid && self.check.options.only_intra_group {
                continue;
            }
            let aligned = row.families.iter().find(|family| family.aligned);
            let Some(aligned) = aligned else { continue };
            for family in row.families.iter().filter(|family| family.orders_memory()) {
                for interval in &family.intervals {
                    if self.check.is_over() {
                        return Ok(());
                    }
                    if self.check.options.shortcuts.quiet_intervals && !self.has_write(interval) {
                        continue;
                    }
                    let pair = self.check.walker.walk_pair(row, family, interval, aligned);
                    then(self, row, family, &pair)?;
                }
            }
        }
        Ok(())
    }

    /// The accesses of either thread that may race with those of the other.
    fn accesses<'w>(
        &self,
        row: &Row,
        family: &Family,
        pair: &'w PairWalk,
    ) -> (Vec<&'w SiteTerm>, Vec<&'w SiteTerm>) {
        let facts = self.check.facts;
        let is_apart = |site: &SiteTerm| {
            row.scope == Scope::Grid && facts.module.arrays[site.array].space == Space::Shared
        };
        let leave_out = self.check.options.shortcuts.read_only_arrays;
        // Within a block, copies are compared with the threads in `copies`.
        let wanted = |site: &&SiteTerm| {
            facts.is_ordered_by(site.array, family)
                && !is_apart(site)
                && (!site.by_agent || row.scope == Scope::Grid)
                && (!leave_out || facts.can_race(site.array))
        };
        let of = |sites: &'w [SiteTerm]| sites.iter().filter(wanted).collect();
        (of(&pair.first.sites), of(&pair.second.sites))
    }

    /// May the instruction write memory that others see?
    fn may_write_for_others(&self, data: &InstData) -> bool {
        let is_common =
            |array: Array| self.check.facts.module.arrays[array].space != Space::Private;
        let writes = data.accesses().iter().any(|(mode, access)| match mode {
            AccessMode::Load => false,
            AccessMode::Store => is_common(access.array),
            AccessMode::AtomicLoad
            | AccessMode::Atomic
            | AccessMode::CopyFrom
            | AccessMode::CopyTo => true,
        });
        writes || matches!(data.effect(), Effect::Call(_))
    }

    /// Does anything in the interval write memory that others see?
    fn has_write(&self, interval: &Interval) -> bool {
        let func = self.check.facts.func;
        interval.region.nodes.values().any(|node| {
            let insts = &func.blocks[node.block].insts[node.first..node.end];
            insts.iter().any(|&inst| self.may_write_for_others(&func.insts[inst]))
        })
    }

    /// Races of two threads on their walks.
    pub(crate) fn check_pair(
        &mut self,
        row: &Row,
        family: &Family,
        pair: &PairWalk,
    ) -> Result<(), SolverError> {
        let (first, second) = self.accesses(row, family, pair);
        let passed: Vec<Vec<TermId>> =
            second.iter().map(|site| pair.second.facts_at(site.at)).collect();
        let mut suspects = vec![];
        for (number, a) in first.iter().copied().enumerate() {
            if self.check.is_over() {
                return Ok(());
            }
            // The two threads are interchangeable: each unordered pair once.
            let passed_first = pair.first.facts_at(a.at);
            let known = if pair.is_symmetric { number } else { 0 };
            for (b, passed_second) in second.iter().copied().zip(&passed).skip(known) {
                if !self.may_conflict(row, a, b) {
                    continue;
                }
                let Some(unordered) = self.check.walker.unordered(pair, a, b) else { continue };
                let Some(not_handed_over) = self.not_handed_over(row, pair, a, b)? else {
                    continue;
                };
                if self.check.report_if_shown(self.rule_of(a, b), a.inst, Some(b.inst)) {
                    continue;
                }
                let mut meet = passed_first.clone();
                meet.extend(passed_second);
                meet.extend(pair.facts_of_two(a.at, b.at));
                meet.push(unordered);
                meet.extend(not_handed_over);
                meet.extend(self.meet(row, a, b));
                let differ = match self.check.options.tolerate_benign {
                    true => self.check.walker.differ(a, b),
                    false => None,
                };
                suspects.push(Suspect { first: a, second: b, meet, differ });
            }
        }
        let facts = self.facts_of(row, pair);
        let open = self.not_cheaply_apart(&facts, &suspects.iter().collect::<Vec<_>>())?;
        let open = self.not_apart_at_once(&facts, open)?;
        let is_written = self.check.asker.trace.only_written;
        let splits =
            !is_written && !open.is_empty() && has_cases(&mut self.check.walker.pool, &facts);
        let at_once = match self.check.options.shortcuts.joint_questions && !is_written {
            true => JOINT,
            false => 1,
        };
        for chunk in open.chunks(at_once) {
            let meeting = match splits {
                true => self.ask_by_case(&facts, chunk)?,
                false => self.ask_several(&facts, chunk)?,
            };
            self.list_tolerated(&facts, &meeting)?;
        }
        Ok(())
    }

    /// What is known of the two threads.
    fn facts_of(&mut self, row: &Row, pair: &PairWalk) -> Vec<TermId> {
        let told = std::mem::take(&mut self.check.told);
        let mut facts = pair.facts.clone();
        facts.extend(told.facts(self.check, row, pair));
        self.check.told = told;
        facts
    }

    /// The suspects that the simplifier and the algebra do not show apart.
    fn not_cheaply_apart<'w>(
        &mut self,
        facts: &[TermId],
        suspects: &[&'w Suspect<'w>],
    ) -> Result<Vec<&'w Suspect<'w>>, SolverError> {
        let mut open = vec![];
        // A read and a write of one element meet others where the write does: the same
        // literals. Where every question is to be shown, all are asked.
        let remembers = !self.check.options.explain && !self.check.asker.trace.only_written;
        let mut known: HashMap<&[TermId], bool> = HashMap::new();
        for &suspect in suspects {
            if let Some(&apart) = known.get(suspect.meet.as_slice()) {
                open.extend((!apart).then_some(suspect));
                continue;
            }
            let literals: Vec<TermId> = facts.iter().chain(&suspect.meet).copied().collect();
            let places = [suspect.first.inst, suspect.second.inst];
            let pool = &mut self.check.walker.pool;
            let apart = self.check.asker.is_excluded_soon(pool, &literals, "a race", &places)?;
            open.extend((!apart).then_some(suspect));
            if remembers {
                known.insert(&suspect.meet, apart);
            }
        }
        Ok(open)
    }

    /// The suspects that are not shown apart by a short question for all states of counters at
    /// once. Where memory is claimed about, that mostly is enough, and a question for each state
    /// is not: Blelloch's scan of flags, for every power of two, has hundreds of states.
    fn not_apart_at_once<'w>(
        &mut self,
        facts: &[TermId],
        suspects: Vec<&'w Suspect<'w>>,
    ) -> Result<Vec<&'w Suspect<'w>>, SolverError> {
        if self.check.facts.claims.in_force.is_empty() || self.check.asker.trace.only_written {
            return Ok(suspects);
        }
        let mut open = vec![];
        for suspect in suspects {
            let overlap = self.check.walker.overlap(suspect.first, suspect.second);
            let question = Question {
                given: facts.iter().chain(&suspect.meet).copied().collect(),
                when: vec![suspect.first.guard, suspect.second.guard],
                goal: vec![overlap],
                places: vec![suspect.first.inst, suspect.second.inst],
                effort: Effort::Small,
                ..Question::about("a race")
            };
            if self.check.ask(&question)?.is_some() {
                open.push(suspect);
            }
        }
        Ok(open)
    }

    /// Asks state by state. Yields the suspects that may meet.
    fn ask_by_case<'w>(
        &mut self,
        facts: &[TermId],
        suspects: &[&'w Suspect<'w>],
    ) -> Result<Vec<&'w Suspect<'w>>, SolverError> {
        let mut meeting: Vec<&Suspect<'_>> = vec![];
        for case in cases(&mut self.check.walker.pool, facts) {
            let facts: Vec<TermId> = facts.iter().copied().chain(case).collect();
            let known = |one: &&&Suspect<'_>| !self.is_race_reported(one);
            let open: Vec<&Suspect<'_>> = suspects.iter().filter(known).copied().collect();
            let open = self.not_cheaply_apart(&facts, &open)?;
            for suspect in self.ask_several(&facts, &open)? {
                if !meeting.iter().any(|&other| std::ptr::eq(other, suspect)) {
                    meeting.push(suspect);
                }
            }
        }
        Ok(meeting)
    }

    /// Can some of the suspects happen?
    fn may_one_happen(
        &mut self,
        facts: &[TermId],
        suspects: &[&Suspect<'_>],
        what: &dyn Fn(&Suspect<'_>) -> Vec<TermId>,
    ) -> Result<bool, SolverError> {
        let parts: Vec<TermId> =
            suspects.iter().map(|suspect| self.check.walker.pool.and(&what(suspect))).collect();
        let mut literals = facts.to_vec();
        literals.push(self.check.walker.pool.or(&parts));
        let places: Vec<Inst> =
            suspects.iter().flat_map(|one| [one.first.inst, one.second.inst]).collect();
        let pool = &mut self.check.walker.pool;
        let decision =
            self.check.asker.decide_at(pool, &literals, "races", &places, Effort::Joint)?;
        Ok(decision.answer != Answer::Unsat)
    }

    fn is_race_reported(&self, suspect: &Suspect<'_>) -> bool {
        let (rule, primary, secondary) =
            (self.rule_of(suspect.first, suspect.second), suspect.first.inst, suspect.second.inst);
        self.check.findings.iter().any(|finding| {
            finding.rule == rule
                && finding.primary == Some(primary)
                && finding.secondary == Some(secondary)
        })
    }

    /// Asks about several suspects at once, then one by one if that fails. Yields
    /// those that may meet.
    fn ask_several<'w>(
        &mut self,
        facts: &[TermId],
        suspects: &[&'w Suspect<'w>],
    ) -> Result<Vec<&'w Suspect<'w>>, SolverError> {
        if suspects.len() > FEW {
            if !self.may_one_happen(facts, suspects, &|suspect| suspect.meet.clone())? {
                return Ok(vec![]);
            }
            let tolerable = suspects.iter().any(|suspect| suspect.differ.is_some());
            if tolerable && !self.may_one_happen(facts, suspects, &|one| one.race())? {
                return Ok(suspects.to_vec());
            }
        }
        let mut meeting = vec![];
        let mut apart: Vec<&[TermId]> = vec![];
        for &suspect in suspects {
            if !self.check.options.explain && apart.contains(&suspect.meet.as_slice()) {
                continue;
            }
            match self.ask_one(facts, suspect)? {
                true => meeting.push(suspect),
                false => apart.push(&suspect.meet),
            }
        }
        Ok(meeting)
    }

    /// May the two accesses meet? If they may, and that is a race, it is reported.
    fn ask_one(&mut self, facts: &[TermId], suspect: &Suspect<'_>) -> Result<bool, SolverError> {
        let overlap = self.check.walker.overlap(suspect.first, suspect.second);
        let mut question = Question {
            given: facts.iter().chain(&suspect.meet).copied().collect(),
            when: vec![suspect.first.guard, suspect.second.guard],
            goal: vec![overlap],
            places: vec![suspect.first.inst, suspect.second.inst],
            sites: vec![suspect.first, suspect.second],
            ..Question::about("a race")
        };
        let Some(mut open) = self.check.ask(&question)? else { return Ok(false) };
        // With little patience, the values of a model seldom help.
        let has_a_look =
            matches!(self.check.asker.patience(), Patience::Glance | Patience::Algebra);
        let is_lost = has_a_look && matches!(open.doubt, Doubt::Unknown(_));
        if let Some(differ) = suspect.differ.filter(|_| !is_lost) {
            question.goal.push(differ);
            match self.check.ask(&question)? {
                Some(still) => open = still,
                None => return Ok(true),
            }
        }
        let (first, second) = (suspect.first.inst, suspect.second.inst);
        let rule = self.rule_of(suspect.first, suspect.second);
        self.check.report_open(rule, first, Some(second), open);
        Ok(true)
    }

    /// What must be true as well if fences and flags do not order the two accesses; nothing
    /// if they always do.
    ///
    /// SOUNDNESS: only for arrays whose contents are unknown
    /// (kernels/order/stale-index-bug).
    fn not_handed_over(
        &mut self,
        row: &Row,
        pair: &PairWalk,
        a: &SiteTerm,
        b: &SiteTerm,
    ) -> Result<Option<Vec<TermId>>, SolverError> {
        let ordered = &self.check.facts.ordered;
        // SOUNDNESS: fences do not order loads through the read-only cache
        // (kernels/order/message-ldg-bug).
        let func = self.check.facts.func;
        let is_cached = |site: &SiteTerm| {
            func.insts[site.inst].accesses().iter().any(|(_, access)| access.cached)
        };
        let may_be = ordered.contains(&a.array)
            && ordered.contains(&b.array)
            && !is_cached(a)
            && !is_cached(b);
        let Some(mut order) = self.check.order.take_if(|_| may_be && !a.by_agent && !b.by_agent)
        else {
            return Ok(Some(vec![]));
        };
        let unordered = order.unordered(self.check, row, pair, [a, b]);
        self.check.order = Some(order);
        unordered
    }

    /// Same array, a write, and not two strong accesses that exclude each other.
    fn may_conflict(&self, row: &Row, a: &SiteTerm, b: &SiteTerm) -> bool {
        if !self.check.facts.uses.may_overlap(a.array, b.array) || !(a.writes || b.writes) {
            return false;
        }
        !(self.excludes(row, a, b) && self.check.walker.is_aligned_pair(a, b))
    }

    /// Both accesses happen and overlap.
    fn meet(&mut self, row: &Row, a: &SiteTerm, b: &SiteTerm) -> Vec<TermId> {
        let mut meet = vec![a.guard, b.guard, self.check.walker.overlap(a, b)];
        if self.excludes(row, a, b) && a.bytes == b.bytes {
            // SOUNDNESS: only on the very same bytes; the alignment that the source
            // promises is no proof (kernels/soundness/13-misaligned-atomics).
            let (one, other) = (self.check.walker.address(a, b), self.check.walker.address(b, a));
            meet.push(self.check.walker.pool.ne(one, other));
        }
        meet
    }
}

impl Races<'_, '_, '_> {
    /// Are both strong, for each other's thread too?
    fn excludes(&self, row: &Row, a: &SiteTerm, b: &SiteTerm) -> bool {
        let reaches = |scope| row.scope != Scope::Grid || scope != MemoryScope::Block;
        let is_strong = |site: &SiteTerm| match site.atomic {
            Some((_, scope)) => reaches(scope),
            None => is_strong_volatile(self.check.facts, site),
        };
        is_strong(a) && is_strong(b)
    }

    /// What kind of race it would be. One with a read that the kernel makes for a claim
    /// alone is no race of the kernel.
    fn rule_of(&self, first: &SiteTerm, second: &SiteTerm) -> Rule {
        let (module, func) = (self.check.facts.module, self.check.facts.func);
        let is_permission = |site: &SiteTerm| is_read_permission(module, func, site.inst);
        match is_permission(first) || is_permission(second) {
            true => Rule::BarrierInvariantPermission,
            false => kind_of_race(first, second),
        }
    }
}

fn kind_of_race(first: &SiteTerm, second: &SiteTerm) -> Rule {
    match (first, second) {
        (a, b) if a.atomic.is_some() || b.atomic.is_some() => Rule::AtomicRace,
        (a, b) if a.writes && b.writes => Rule::WriteWriteRace,
        _ => Rule::ReadWriteRace,
    }
}
