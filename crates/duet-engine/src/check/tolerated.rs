//! Two writes that agree on every byte that both write are tolerated by default. They
//! are listed, so that a reader knows what the verdict lets pass.

use duet_smt::solver::{Answer, SolverError};
use duet_smt::{Sort, TermId};
use duet_vc::SiteTerm;

use super::effort::Effort;
use super::races::Suspect;
use super::session::Check;

/// Pairs of parts that are compared, at most: more are not tolerated.
const MAX_PAIRS: usize = 256;

/// The rule of such writes, as in runs.
const RULE: &str = "benign-write-write-race";

impl Check<'_, '_, '_> {
    /// That two writes disagree on a byte that both write, if they are no race otherwise.
    pub(super) fn differ(&mut self, a: &SiteTerm, b: &SiteTerm) -> Option<TermId> {
        let plain_writes = a.writes && b.writes && a.atomic.is_none() && b.atomic.is_none();
        if !self.options.tolerate_benign || !plain_writes {
            return None;
        }
        let (one, other) = (self.element_bytes(a)?, self.element_bytes(b)?);
        if self.is_aligned_pair(a, b) && (a.values.len(), b.values.len()) == (1, 1) && one == other
        {
            return Some(self.pool.ne(a.values[0], b.values[0]));
        }
        // Elements of one size, at multiples of it, overlap only if they are equal.
        let granule = self.facts.module.arrays[a.array].granule;
        let whole = a.array == b.array && one == other && granule.is_multiple_of(one);
        let unit = if whole { one } else { 1 };
        let (parts, others) = (self.parts(a, one, unit), self.parts(b, other, unit));
        (parts.len() * others.len() <= MAX_PAIRS).then(|| {
            let starts = [self.address(a, b), self.address(b, a)];
            self.any_differs(starts, &parts, &others, unit)
        })
    }

    /// Bytes of an element that is written, if all of what is written is known.
    fn element_bytes(&self, site: &SiteTerm) -> Option<u32> {
        let bytes = site.bytes.checked_div(site.values.len() as u32)?;
        let is_whole = |&value: &TermId| self.pool.sort(value) == Sort::BitVec(bytes * 8);
        (bytes > 0 && site.values.iter().all(is_whole)).then_some(bytes)
    }

    /// What is written, in pieces of `unit` bytes, the lowest first.
    fn parts(&mut self, site: &SiteTerm, element: u32, unit: u32) -> Vec<TermId> {
        let mut parts = vec![];
        for &value in &site.values {
            for low in (0..element * 8).step_by(unit as usize * 8) {
                parts.push(self.pool.extract(low + unit * 8 - 1, low, value));
            }
        }
        parts
    }

    /// Two parts at the same address differ.
    fn any_differs(
        &mut self,
        starts: [TermId; 2],
        parts: &[TermId],
        others: &[TermId],
        unit: u32,
    ) -> TermId {
        let width = self.pool.width(starts[0]);
        let place = |this: &mut Self, start: TermId, number: usize| {
            let distance = this.pool.bv(width, u128::from(unit) * number as u128);
            this.pool.bv_add(start, distance)
        };
        let mut differing = vec![];
        for (i, &part) in parts.iter().enumerate() {
            for (j, &other) in others.iter().enumerate() {
                let (here, there) = (place(self, starts[0], i), place(self, starts[1], j));
                let (meet, differ) = (self.pool.eq(here, there), self.pool.ne(part, other));
                differing.push(self.pool.and2(meet, differ));
            }
        }
        self.pool.or(&differing)
    }

    /// Lists pairs of plain writes that meet, among suspects of which that was not
    /// excluded. Whether they write the same value is the business of the race check;
    /// a pair that is a race is not listed.
    pub(super) fn list_tolerated(
        &mut self,
        facts: &[TermId],
        meeting: &[&Suspect<'_>],
    ) -> Result<(), SolverError> {
        // Nothing rests on the list: it is no condition.
        if self.trace.only_written {
            return Ok(());
        }
        for suspect in meeting {
            if suspect.is_tolerable() && !self.is_reported(suspect.first, suspect.second) {
                self.list_if_they_meet(facts, suspect)?;
            }
        }
        Ok(())
    }

    fn is_reported(&self, a: &SiteTerm, b: &SiteTerm) -> bool {
        self.findings.iter().any(|finding| {
            let places = (finding.primary, finding.secondary);
            let is_race = finding.rule == RULE || finding.rule == "write-write-race";
            is_race && places == (Some(a.inst), Some(b.inst))
        })
    }

    fn list_if_they_meet(
        &mut self,
        facts: &[TermId],
        suspect: &Suspect<'_>,
    ) -> Result<(), SolverError> {
        let literals: Vec<TermId> = facts.iter().chain(&suspect.meet).copied().collect();
        let (a, b) = (suspect.first.inst, suspect.second.inst);
        self.about([a, b]);
        let decision = self.decide_with(&literals, "writes of the same value", Effort::Small)?;
        // Only what is known to meet: nothing rests on this list.
        if let (Answer::Sat(_), Some(why)) = (&decision.answer, self.why(&decision.answer)) {
            self.report(RULE, a, Some(b), why);
        }
        Ok(())
    }
}
