//! Two writes of the same value to the same place are tolerated by default. They
//! are listed, so that a reader knows what the verdict lets pass.

use duet_smt::TermId;
use duet_smt::solver::{Answer, SolverError};
use duet_vc::SiteTerm;

use super::pair::PairWalk;
use super::session::{Check, Effort};

/// The rule of such writes, as in runs.
const RULE: &str = "benign-write-write-race";

impl Check<'_, '_, '_> {
    /// Lists pairs of plain writes that may meet. Whether they write the same value
    /// is the business of the race check; a pair that is a race is not listed.
    pub(super) fn list_tolerated(
        &mut self,
        pair: &PairWalk,
        first: &[&SiteTerm],
        second: &[&SiteTerm],
    ) -> Result<(), SolverError> {
        // Nothing rests on the list: it is no condition.
        if self.trace.only_written {
            return Ok(());
        }
        for (number, a) in first.iter().enumerate() {
            for b in second.iter().skip(number) {
                if a.array == b.array && self.is_tolerated(a, b) && !self.is_reported(a, b) {
                    self.list_if_they_meet(pair, a, b)?;
                }
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
        pair: &PairWalk,
        a: &SiteTerm,
        b: &SiteTerm,
    ) -> Result<(), SolverError> {
        let Some(unordered) = self.unordered(pair, a, b) else { return Ok(()) };
        let mut literals: Vec<TermId> = pair.facts.clone();
        literals.extend(pair.first.facts_at(a.at));
        literals.extend(pair.second.facts_at(b.at));
        literals.extend([unordered, a.guard, b.guard, self.overlap(a, b)]);
        self.about([a.inst, b.inst]);
        if self.decide_cheaply(&literals, "writes of the same value")? {
            return Ok(());
        }
        let decision = self.decide_with(&literals, "writes of the same value", Effort::Small)?;
        // Only what is known to meet: nothing rests on this list.
        if let (Answer::Sat(_), Some(why)) = (&decision.answer, self.why(&decision.answer)) {
            self.report(RULE, a.inst, Some(b.inst), why);
        }
        Ok(())
    }
}
