//! Several sites that together write what one site does not: edges and halos.
//!
//! Each witness comes with the condition under which it is one. Under that condition it must
//! be right, and together the conditions must cover everything: that is a goal too.

use duet_smt::TermId;

use super::{Chase, Witness};
use crate::engines::NotShown;
use crate::engines::blocks::run::What;
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
            for witness in self.witnesses(to, other, place, &ids, None) {
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
        self.covers(&conditions, facts)
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
            for witness in self.writers(side, site, (number, ids, offset)) {
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
        if is_false || self.goals.is_impossible(&mut self.pool, &facts) {
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
