//! Several sites that together write what one site does not: edges and halos.
//!
//! Each witness comes with the condition under which it is one. Under that condition it must
//! be right, and together the conditions must cover everything: that is a goal too.

use duet_smt::TermId;

use super::folds::Folds;
use super::{Chase, Witness};
use crate::engines::NotShown;
use crate::engines::blocks::run::What;
use crate::engines::terms::Terms;
use crate::pair::request::Side;

/// Cases of one place.
const MOST_CASES: usize = 6;

impl Chase<'_> {
    /// Finds writes of the other side that together are partners of one.
    pub(super) fn partners_by_cases(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let to = from.other();
        let ids = self.own(from, site);
        let mut conditions = vec![];
        for other in self.writes(to, pair[to.index()]) {
            let witnesses = self.witnesses(to, other, place, &ids, None);
            for witness in likely(self, to, witnesses, place, facts) {
                let Some((condition, facts)) = self.case(to, &witness, place, facts) else {
                    continue;
                };
                if self.is_right(from, (site, place), &witness, &facts).is_ok() {
                    conditions.push(condition);
                    break;
                }
            }
            if conditions.len() >= MOST_CASES {
                break;
            }
        }
        let any = self.pool.or(&conditions);
        let other = self.pool.not(any);
        let rest: Vec<TermId> = facts.iter().copied().chain([other]).collect();
        match self.goals.is_impossible(&mut self.pool, &rest) {
            true => Ok(()),
            false => self.is_unchanged(from, (site, place), pair, &rest),
        }
    }

    /// Does the write leave what the launch began with, at a place that the other side does not
    /// write?
    ///
    /// That is enough of each write: if the other side writes the place, its writes are
    /// compared; else the last of these writes, like all of them, leaves what was there.
    ///
    /// SOUNDNESS: forward, a write of B at the place would find this one and be taken for
    /// compared, so there must be none (test `rewritten_elements_that_the_other_writes`). What
    /// is left is compared with the launch's start, not with what was read (test
    /// `elements_rewritten_after_a_change`).
    fn is_unchanged(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let event = self.event(from, site);
        let What::Writes(value) = event.what else { return Err("no write".into()) };
        let to = from.other();
        if from == Side::A {
            for other in self.writes(to, pair[to.index()]) {
                let (ids, more) = self.anybody(to, other, None);
                let always = self.pool.tt();
                let facts: Vec<TermId> = facts.iter().copied().chain(more).collect();
                self.is_elsewhere(to, other, (&ids, always), (place, event.ty), &facts)?;
            }
        }
        let func = self.kernels[from.index()].function();
        let terms = Terms { side: from, func, matching: self.matching };
        let start = terms.initial(&mut self.pool, event.array, place, event.ty);
        let start = start.ok_or("an array has no partner")?;
        let value = self.resolve(from, value, facts, 0)?;
        Folds { chase: self }.same(value, start, facts)
    }

    /// Does the same thread always write the place again in the same iteration? Then the write
    /// of A is never the last one, and only those are compared.
    ///
    /// SOUNDNESS: the later write must happen whenever this one does, at the same place (test
    /// `a_write_that_is_sometimes_overwritten`).
    pub(super) fn is_overwritten(&mut self, site: usize, facts: &[TermId]) -> bool {
        let event = self.event(Side::A, site);
        let later: Vec<usize> =
            self.writes(Side::A, event.array).into_iter().filter(|&other| other > site).collect();
        later.into_iter().any(|other| {
            let other = self.event(Side::A, other);
            if other.ty != event.ty || other.counts != event.counts {
                return false;
            }
            let is_place = self.pool.eq(other.offset, event.offset);
            self.pool.as_bool(is_place) != Some(false)
                && self.goals.show_all(&mut self.pool, facts, &[is_place, other.guard]).is_ok()
        })
    }

    /// What a read yields, if several sites may have written it.
    pub(super) fn read_by_cases(
        &mut self,
        side: Side,
        sites: &[usize],
        (number, ids, offset): (usize, &[TermId], TermId),
        facts: &[TermId],
        depth: u32,
    ) -> Result<TermId, NotShown> {
        let mut found: Vec<(TermId, TermId)> = vec![];
        for &site in sites.iter().rev() {
            let write = self.event(side, site);
            let What::Writes(value) = write.what else { continue };
            let witnesses = self.writers(side, site, (number, ids, offset));
            for witness in likely(self, side, witnesses, offset, facts) {
                let Some((condition, facts)) = self.case(side, &witness, offset, facts) else {
                    continue;
                };
                let read = (number, ids, offset);
                if self.comes_before(side, &witness, read, &facts).is_err()
                    || self.is_not_overwritten(side, &witness, read, &facts).is_err()
                {
                    continue;
                }
                let value = self.at(side, site, &witness.ids, value);
                if let Ok(value) = self.resolve(side, value, &facts, depth + 1) {
                    found.push((condition, value));
                    break;
                }
            }
            if found.len() >= MOST_CASES {
                break;
            }
        }
        let conditions: Vec<TermId> = found.iter().map(|(condition, _)| *condition).collect();
        self.covers(&conditions, facts)?;
        let mut cases = found.into_iter().rev();
        let (_, last) = cases.next().ok_or("there is no case")?;
        Ok(cases.fold(last, |rest, (condition, value)| self.pool.ite(condition, value, rest)))
    }

    /// The condition under which a witness writes a place, and the facts with it; nothing if
    /// it never holds.
    fn case(
        &mut self,
        side: Side,
        witness: &Witness,
        place: TermId,
        facts: &[TermId],
    ) -> Option<(TermId, Vec<TermId>)> {
        let wanted = self.wanted(side, witness, place);
        let condition = self.pool.and(&wanted);
        let keeps = self.keeps(side, witness.site, &witness.ids);
        let facts: Vec<TermId> = facts.iter().copied().chain(wanted).chain(keeps).collect();
        let is_false = self.pool.as_bool(condition) == Some(false);
        if is_false || self.goals.is_plainly_impossible(&mut self.pool, &facts) {
            return None;
        }
        Some((condition, facts))
    }

    /// Does one of the conditions always hold?
    ///
    /// SOUNDNESS: what no case covers is not shown (test `cases_must_cover`).
    fn covers(&mut self, conditions: &[TermId], facts: &[TermId]) -> Result<(), NotShown> {
        let any = self.pool.or(conditions);
        self.goals.show_all(&mut self.pool, facts, &[any])
    }
}

/// Witnesses in the order of how often they are some in small examples: many are where an
/// index is zero, and one is where it should be.
fn likely(
    chase: &mut Chase<'_>,
    side: Side,
    witnesses: Vec<Witness>,
    place: TermId,
    facts: &[TermId],
) -> Vec<Witness> {
    if witnesses.len() < 2 {
        return witnesses;
    }
    let mut weighed: Vec<(usize, Witness)> = vec![];
    for witness in witnesses {
        let wanted = chase.wanted(side, &witness, place);
        let condition = chase.pool.and(&wanted);
        weighed.push((chase.goals.weight(&mut chase.pool, facts, condition), witness));
    }
    weighed.sort_by_key(|(weight, _)| usize::MAX - weight);
    weighed.into_iter().map(|(_, witness)| witness).collect()
}
