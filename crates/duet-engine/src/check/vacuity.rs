//! `--vacuity`: do the assumptions of the source leave anything to prove?
//!
//! That launch, preconditions and assumptions can hold together is always shown
//! ([`super::alone`]). But `if (n > 4) { __assume(false); … }` satisfies that with
//! a small `n`, and says nothing of the code behind it. So each start of an interval,
//! for the pairs of each row, and each access of a thread is asked: can it be reached?
//! A place that can be reached only if what the source assumes is left out is
//! `vacuous`, and then nothing about the kernel is proved. A place that cannot be
//! reached either way is dead code, which is no defect.
//!
//! Only what is known to be so is reported; a solver that finds nothing out reports
//! nothing.

use duet_ir::Inst;
use duet_product::Start;
use duet_smt::TermId;
use duet_smt::solver::{Answer, SolverError};

use super::report::Why;
use super::session::{Check, Effort};

impl Check<'_, '_, '_> {
    /// Every interval of every row, and every access.
    pub fn check_vacuity(&mut self) -> Result<(), SolverError> {
        let facts = self.facts;
        for row in &facts.program.rows {
            let Some(family) = row.families.iter().find(|family| family.aligned) else { continue };
            for interval in &family.intervals {
                let Start::Barrier(barrier) = interval.start else { continue };
                let pair = self.walk_pair(row, family, interval, family);
                self.check_reached(barrier, &pair.facts, &pair.not_stated)?;
            }
        }
        self.check_sites_reached()
    }

    fn check_sites_reached(&mut self) -> Result<(), SolverError> {
        let walk = self.walk_alone();
        for site in &walk.sites {
            let mut all = self.facts_alone();
            all.push(site.guard);
            let mut not_stated = all.clone();
            all.extend(walk.facts_at(site.at));
            not_stated.extend(walk.facts_not_stated_at(site.at));
            self.check_reached(site.inst, &all, &not_stated)?;
        }
        Ok(())
    }

    /// Reports a place that only the source's assumptions make unreachable.
    fn check_reached(
        &mut self,
        place: Inst,
        all: &[TermId],
        not_stated: &[TermId],
    ) -> Result<(), SolverError> {
        if all.len() == not_stated.len() {
            return Ok(());
        }
        self.about([place]);
        if self.decide_with(all, "is this place reached", Effort::Small)?.answer != Answer::Unsat {
            return Ok(());
        }
        let without = self.decide_with(not_stated, "without assumptions", Effort::Small)?.answer;
        if matches!(without, Answer::Sat(_)) {
            let why = Why::Stated("the assumptions of the source leave nobody to get here".into());
            self.report("vacuous", place, None, why);
        }
        Ok(())
    }
}
