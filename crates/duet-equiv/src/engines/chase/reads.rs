//! What a thread read from memory that others write.

use duet_smt::{Op, TermId};

use super::folds::Folds;
use super::{Chase, IDS, Witness};
use crate::engines::NotShown;
use crate::engines::blocks::run::What;
use crate::engines::terms::Terms;
use crate::pair::request::Side;

/// Reads of what was written from what was read, and so on.
const MOST_STEPS: u32 = 8;

impl Chase<'_> {
    /// A value with each read replaced by what was written there.
    pub(super) fn resolve(
        &mut self,
        side: Side,
        value: TermId,
        facts: &[TermId],
        depth: u32,
    ) -> Result<TermId, NotShown> {
        let value = Folds { chase: self }.expand(value, facts)?;
        let reads: Vec<(usize, TermId)> = self.reads_in(side, value);
        if reads.is_empty() {
            return Ok(value);
        }
        if depth > MOST_STEPS {
            return Err("a value goes back too many steps".into());
        }
        let mut found = vec![];
        for (number, term) in reads {
            let ids = self.pool.args(term).to_vec();
            found.push((term, self.read(side, number, &ids, facts, depth)?));
        }
        let replaced = self.pool.rebuild(&[value], |_, term, _| {
            found.iter().find(|(read, _)| *read == term).map(|(_, value)| *value)
        });
        Ok(replaced[0])
    }

    /// The reads that a value mentions, outermost ones, with the numbers of their events.
    fn reads_in(&self, side: Side, value: TermId) -> Vec<(usize, TermId)> {
        let events = &self.sides[side.index()].events;
        let number = |term: TermId| match self.pool.op(term) {
            Op::Apply(func) => events.iter().position(|event| event.what == What::Reads(func)),
            _ => None,
        };
        let all = self.pool.reachable(&[value]);
        all.into_iter().filter_map(|term| Some((number(term)?, term))).collect()
    }

    /// What a read of a thread yields.
    fn read(
        &mut self,
        side: Side,
        number: usize,
        ids: &[TermId],
        facts: &[TermId],
        depth: u32,
    ) -> Result<TermId, NotShown> {
        let event = self.event(side, number);
        // An offset or a condition may itself rest on reads.
        let offset = self.at(side, number, ids, event.offset);
        let guard = self.at(side, number, ids, event.guard);
        let offset = self.resolve(side, offset, facts, depth + 1)?;
        let guard = self.resolve(side, guard, facts, depth + 1)?;
        // A value is used only where it was read.
        let keeps = self.keeps(side, number, ids);
        let facts: Vec<TermId> = facts.iter().copied().chain([guard]).chain(keeps).collect();
        let sites = self.writes(side, event.array);
        let mut why = None;
        for &site in sites.iter().rev() {
            let write = self.event(side, site);
            if write.ty != event.ty {
                return Err("a cell is accessed at several types".into());
            }
            for witness in self.writers(side, site, (number, ids, offset)) {
                match self.is_writer(side, &witness, (number, ids, offset), &facts) {
                    Ok(()) => {
                        let What::Writes(value) = write.what else { continue };
                        let value = self.at(side, site, &witness.ids, value);
                        return self.resolve(side, value, &facts, depth + 1);
                    }
                    Err(reason) => why = Some(reason),
                }
            }
        }
        if let Ok(value) = self.read_by_cases(side, &sites, (number, ids, offset), &facts, depth) {
            return Ok(value);
        }
        match self.is_untouched(side, number, (ids, offset), &sites, &facts) {
            Ok(value) => Ok(value),
            Err(reason) => {
                let line = self.line(side, &event);
                let NotShown(reason) = why.unwrap_or(reason);
                Err(format!("{line}: who wrote what is read here was not found ({reason})").into())
            }
        }
    }

    /// Threads that may have written: of the reader's block, or the reader itself.
    ///
    /// SOUNDNESS: shared memory is the block's, and what another block writes is not ordered
    /// before the read (test `cells_of_another_block`).
    pub(super) fn writers(
        &mut self,
        side: Side,
        site: usize,
        (number, ids, offset): (usize, &[TermId], TermId),
    ) -> Vec<Witness> {
        let (read, write) = (self.event(side, number), self.event(side, site));
        let common = read.counts.iter().zip(&write.counts).take_while(|(x, y)| x == y).count();
        let counts = ids[IDS..IDS + common].to_vec();
        let mut list = vec![];
        for back in 0..=u128::from(common > 0 && !write.moment.parts.is_empty()) {
            // In the same iteration, or in the one before.
            let mut counts = counts.clone();
            if let (1, Some(last)) = (back, counts.last_mut()) {
                let one = self.pool.bv(32, 1);
                *last = self.pool.bits().sub(*last, one);
            }
            if write.counts.len() == common {
                let own = ids[..IDS].iter().chain(&counts).copied().collect();
                list.push(Witness { site, ids: own });
            }
            let block = ids[3..IDS].to_vec();
            list.extend(self.witnesses(side, site, offset, &[], Some((&block, &counts))));
        }
        list
    }

    /// Did the witness write the place, before the read, and no thread in between?
    fn is_writer(
        &mut self,
        side: Side,
        witness: &Witness,
        read: (usize, &[TermId], TermId),
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        self.writes_place(side, witness, read.2, facts)?;
        self.comes_before(side, witness, read, facts)?;
        self.is_not_overwritten(side, witness, read, facts)
    }

    /// Does the witness write before the read: in an earlier interval, or as the same thread?
    ///
    /// SOUNDNESS: what another thread writes in the interval of the read is not ordered (test
    /// `a_read_before_the_barrier`).
    pub(super) fn comes_before(
        &mut self,
        side: Side,
        witness: &Witness,
        (number, ids, _): (usize, &[TermId], TermId),
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let mut when = self.is_before(side, (witness.site, &witness.ids), (number, ids));
        if witness.ids[..IDS] == ids[..IDS] {
            let own = self.precedes(side, (witness.site, &witness.ids), (number, ids));
            when = self.pool.or2(when, own);
        }
        self.goals.show_all(&mut self.pool, facts, &[when])
    }

    /// Does no thread write the place after the witness and before the read?
    ///
    /// SOUNDNESS: between are the witness's own later writes in its interval, anybody's in the
    /// intervals between, and the reader's own before the read (tests
    /// `later_sites_of_the_witness`, `a_tile_that_is_written_in_some_iterations`).
    pub(super) fn is_not_overwritten(
        &mut self,
        side: Side,
        witness: &Witness,
        (number, ids, offset): (usize, &[TermId], TermId),
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let own = self.event(side, witness.site);
        let (wrote, read) = ((witness.site, witness.ids.as_slice()), (number, ids));
        let place = (offset, own.ty);
        let is_own = witness.ids[..IDS] == ids[..IDS];
        for other in self.writes(side, own.array) {
            // Later writes of the witness; if it is the reader, only those before the read.
            let visit = self.visit_of(side, other, &witness.ids[..IDS]);
            let after = self.precedes(side, wrote, (other, &visit));
            let until = match is_own {
                true => self.precedes(side, (other, &visit), read),
                false => {
                    let past = self.is_before(side, wrote, (other, &visit));
                    self.pool.not(past)
                }
            };
            let when = self.pool.and2(after, until);
            self.is_elsewhere(side, other, (&visit, when), place, facts)?;
            // Anybody's in the intervals between.
            let (anybody, more) = self.anybody(side, other, Some(&ids[3..IDS]));
            let after = self.is_before(side, wrote, (other, &anybody));
            let until = self.is_before(side, (other, &anybody), read);
            let when = self.pool.and2(after, until);
            let more: Vec<TermId> = facts.iter().copied().chain(more).collect();
            self.is_elsewhere(side, other, (&anybody, when), place, &more)?;
            // The reader's own before the read.
            if !is_own {
                let visit = self.visit_of(side, other, &ids[..IDS]);
                let until = self.precedes(side, (other, &visit), read);
                let after = self.is_before(side, wrote, (other, &visit));
                let when = self.pool.and2(after, until);
                self.is_elsewhere(side, other, (&visit, when), place, facts)?;
            }
        }
        Ok(())
    }

    /// What the launch began with, if no thread wrote before.
    fn is_untouched(
        &mut self,
        side: Side,
        number: usize,
        (ids, offset): (&[TermId], TermId),
        sites: &[usize],
        facts: &[TermId],
    ) -> Result<TermId, NotShown> {
        let event = self.event(side, number);
        let func = self.kernels[side.index()].function();
        let terms = Terms { side, func, matching: self.matching };
        // SOUNDNESS: contents at the start are common only for matched arrays of the launch;
        // shared memory holds nothing (test `shared_memory_that_nobody_wrote`).
        let value = terms.initial(&mut self.pool, event.array, offset, event.ty);
        let value = value.ok_or("no thread is shown to have written it")?;
        for &site in sites {
            let place = (offset, event.ty);
            let (anybody, more) = self.anybody(side, site, Some(&ids[3..IDS]));
            let when = self.is_before(side, (site, &anybody), (number, ids));
            let more: Vec<TermId> = facts.iter().copied().chain(more).collect();
            self.is_elsewhere(side, site, (&anybody, when), place, &more)?;
            let visit = self.visit_of(side, site, &ids[..IDS]);
            let when = self.precedes(side, (site, &visit), (number, ids));
            self.is_elsewhere(side, site, (&visit, when), place, facts)?;
        }
        Ok(value)
    }
}
