//! Two writes that agree on every byte that both write are tolerated by default. They
//! are listed, so that a reader knows what the verdict lets pass.

use duet_ask::{Doubt, Effort, Open, Question};
use duet_ir::Rule;
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::SiteTerm;

use super::races::{Races, Suspect};

/// The rule of such writes, as in runs.
const RULE: Rule = Rule::BenignWriteWriteRace;

impl Races<'_, '_, '_> {
    /// Lists pairs of plain writes that meet, among suspects of which that was not
    /// excluded. Whether they write the same value is the business of the race check;
    /// a pair that is a race is not listed.
    pub(super) fn list_tolerated(
        &mut self,
        facts: &[TermId],
        meeting: &[&Suspect<'_>],
    ) -> Result<(), SolverError> {
        // Nothing rests on the list: it is no condition.
        if self.check.asker.trace.only_written {
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
        self.check.findings.iter().any(|finding| {
            let places = (finding.primary, finding.secondary);
            let is_race = finding.rule == RULE || finding.rule == Rule::WriteWriteRace;
            is_race && places == (Some(a.inst), Some(b.inst))
        })
    }

    fn list_if_they_meet(
        &mut self,
        facts: &[TermId],
        suspect: &Suspect<'_>,
    ) -> Result<(), SolverError> {
        let (a, b) = (suspect.first.inst, suspect.second.inst);
        let question = Question {
            given: facts.iter().chain(&suspect.meet).copied().collect(),
            places: vec![a, b],
            effort: Effort::Small,
            ..Question::about("writes of the same value")
        };
        // Only what is known to meet: nothing rests on this list.
        if let Some(Open { doubt: doubt @ Doubt::Model(_), .. }) = self.check.ask(&question)? {
            self.check.report(RULE, a, Some(b), doubt.into());
        }
        Ok(())
    }
}
