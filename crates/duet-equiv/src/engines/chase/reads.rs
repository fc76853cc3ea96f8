//! What a thread read from memory that others write.

use duet_smt::{Op, TermId};

use super::{Chase, Witness};
use crate::engines::NotShown;
use crate::engines::blocks::run::{Event, What};
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
        let (offset, guard) = (self.at(side, ids, event.offset), self.at(side, ids, event.guard));
        let offset = self.resolve(side, offset, facts, depth + 1)?;
        let guard = self.resolve(side, guard, facts, depth + 1)?;
        // A value is used only where it was read.
        let facts: Vec<TermId> = facts.iter().copied().chain([guard]).collect();
        let sites = self.writes(side, event.array);
        let earlier = |chase: &Self, site: usize| {
            let write = &chase.sides[side.index()].events[site];
            write.interval < event.interval || write.interval == event.interval && site < number
        };
        let earlier: Vec<usize> = sites.into_iter().filter(|&site| earlier(self, site)).collect();
        let mut why = None;
        for &site in earlier.iter().rev() {
            let write = self.event(side, site);
            if write.ty != event.ty {
                return Err("a cell is accessed at several types".into());
            }
            for witness in self.writers(side, site, offset, ids, write.interval == event.interval) {
                match self.is_writer(side, &witness, (number, ids, offset), &facts) {
                    Ok(()) => {
                        let What::Writes(value) = write.what else { continue };
                        let value = self.at(side, &witness.ids, value);
                        return self.resolve(side, value, &facts, depth + 1);
                    }
                    Err(reason) => why = Some(reason),
                }
            }
        }
        match self.is_untouched(side, (&event, number), (ids, offset), &earlier, &facts) {
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
    fn writers(
        &mut self,
        side: Side,
        site: usize,
        offset: TermId,
        ids: &[TermId],
        is_own: bool,
    ) -> Vec<Witness> {
        if is_own {
            return vec![Witness { site, ids: ids.to_vec() }];
        }
        self.witnesses(side, site, offset, ids, Some(&ids[3..]))
    }

    /// Did the witness write the place, and nobody after it and before the read?
    fn is_writer(
        &mut self,
        side: Side,
        witness: &Witness,
        (number, ids, offset): (usize, &[TermId], TermId),
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        self.writes_place(side, witness, offset, facts)?;
        let (own, read) = (self.event(side, witness.site), self.event(side, number));
        for other in self.writes(side, own.array) {
            let event = self.event(side, other);
            let place = (offset, own.ty);
            // Later writes of the witness itself in its interval.
            if event.interval == own.interval
                && other > witness.site
                && (own.interval < read.interval || other < number)
            {
                self.is_elsewhere(side, other, &witness.ids, place, facts)?;
            }
            // Anybody's in the intervals between.
            if event.interval > own.interval && event.interval < read.interval {
                let (anybody, more) = self.anybody(&ids[3..]);
                let facts: Vec<TermId> = facts.iter().copied().chain(more).collect();
                self.is_elsewhere(side, other, &anybody, place, &facts)?;
            }
            // The reader's own before the read.
            if event.interval == read.interval && own.interval < read.interval && other < number {
                self.is_elsewhere(side, other, ids, place, facts)?;
            }
        }
        Ok(())
    }

    /// What the launch began with, if nobody wrote before.
    fn is_untouched(
        &mut self,
        side: Side,
        (event, _): (&Event, usize),
        (ids, offset): (&[TermId], TermId),
        earlier: &[usize],
        facts: &[TermId],
    ) -> Result<TermId, NotShown> {
        let func = self.kernels[side.index()].function();
        let terms = Terms { side, func, matching: self.matching };
        // SOUNDNESS: contents at the start are common only for matched arrays of the launch;
        // shared memory holds nothing (test `shared_memory_that_nobody_wrote`).
        let value = terms.initial(&mut self.pool, event.array, offset, event.ty);
        let value = value.ok_or("nobody is shown to have written it")?;
        for &site in earlier {
            let write = self.event(side, site);
            let place = (offset, event.ty);
            if write.interval < event.interval {
                let (anybody, more) = self.anybody(&ids[3..]);
                let facts: Vec<TermId> = facts.iter().copied().chain(more).collect();
                self.is_elsewhere(side, site, &anybody, place, &facts)?;
            } else {
                self.is_elsewhere(side, site, ids, place, facts)?;
            }
        }
        Ok(value)
    }
}
