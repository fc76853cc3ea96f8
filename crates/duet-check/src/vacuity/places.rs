//! `--vacuity`: do the assumptions of the source leave anything to prove?
//!
//! That launch, preconditions and assumptions can hold together is always shown
//! ([`super`]). But `if (n > 4) { __assume(false); … }` satisfies that with
//! a small `n`, and says nothing of the code behind it. So each start of an interval,
//! for the pairs of each row, and each access of a thread is asked: can it be reached?
//! A place that can be reached only if what the source assumes is left out is
//! `vacuous`, and then nothing about the kernel is proved. A place that cannot be
//! reached either way is dead code, which is no defect.
//!
//! An assumption in a loop is looked at without being asked: with an invariant that
//! follows from it no thread may be left after the loop, though each iteration by itself
//! has a model. That is done only where no run of the interpreter comes to its end.
//!
//! A solver that finds nothing out about a place reports nothing, since the assumptions
//! were shown to be possible; but where no run meets what is assumed in a loop, that is
//! not enough, and the question is a finding.

use duet_ask::Effort;
use duet_infer::Search;
use duet_ir::{AnnotationKind, Inst, InstData, Rule};
use duet_product::Start;
use duet_smt::TermId;
use duet_smt::solver::{Answer, SolverError};
use duet_vc::{Invariants, Walk};

use super::Vacuity;
use crate::report::Why;

/// A place, with what must hold for it to be reached.
type Place = (Inst, Vec<TermId>);

impl Vacuity<'_, '_, '_> {
    /// Is something assumed in a loop that no run meets to its end?
    ///
    /// SOUNDNESS: kernels/soundness/93-assumed-away-in-a-loop.
    pub(crate) fn assumes_too_much_in_loops(&self) -> bool {
        let facts = self.check.facts;
        let is_assumption = |inst: &Inst| {
            let data = &facts.func.insts[*inst];
            matches!(
                data,
                InstData::Annotation {
                    kind: AnnotationKind::Assume | AnnotationKind::Contract,
                    ..
                }
            )
        };
        let mut in_loops =
            facts.func.layout.iter().filter(|&&block| facts.loops.innermost(block).is_some());
        in_loops.any(|&block| facts.func.blocks[block].insts.iter().any(is_assumption))
            && !self.check.met.is_stated_met_in_loops(facts, self.check.options)
    }

    /// Every interval of every row, and every access. If it must be `shown` that places
    /// are reached, no answer is a finding.
    ///
    /// SOUNDNESS: test `what_nobody_knows_of_assumptions_in_loops_is_a_finding`.
    pub(crate) fn check_vacuity(&mut self, shown: bool) -> Result<(), SolverError> {
        let is_stated = |walk: &Walk| walk.assumptions.iter().any(|assumption| assumption.stated);
        // If the verdict is clear, there is a finding already.
        if self.check.asker.is_settled() || !is_stated(&self.check.walker.walk_alone()) {
            return Ok(());
        }
        let mut out_of_reach = vec![];
        for (number, (place, known)) in self.places(true).into_iter().enumerate() {
            let about = "is this place reached";
            let pool = &mut self.check.walker.pool;
            let asked = self.check.asker.decide_at(pool, &known, about, &[place], Effort::Small)?;
            match asked.answer {
                Answer::Unsat => out_of_reach.push(number),
                Answer::Unknown(reason) if shown => {
                    self.not_shown_satisfiable(reason);
                    return Ok(());
                }
                Answer::Sat(_) | Answer::Unknown(_) => {}
            }
        }
        if out_of_reach.is_empty() {
            return Ok(());
        }
        // SOUNDNESS: invariants may follow from what is assumed
        // (kernels/soundness/53-assumed-in-a-loop).
        let kept = self.keep_what_holds_anyway()?;
        let places = self.places(false);
        self.check.walker.invariants = kept;
        for (place, known) in out_of_reach.into_iter().map(|number| &places[number]) {
            let about = "without assumptions";
            let pool = &mut self.check.walker.pool;
            let asked = self.check.asker.decide_at(pool, known, about, &[*place], Effort::Small)?;
            match asked.answer {
                Answer::Sat(_) => {
                    let why = "no thread that meets the assumptions of the source gets here";
                    self.check.report(Rule::Vacuous, *place, None, Why::Stated(why.to_string()));
                }
                Answer::Unknown(reason) if shown => {
                    self.not_shown_satisfiable(reason);
                    return Ok(());
                }
                Answer::Unsat | Answer::Unknown(_) => {}
            }
        }
        Ok(())
    }

    /// Drops the invariants that rest on what the source assumes; returns all of them.
    fn keep_what_holds_anyway(&mut self) -> Result<Invariants, SolverError> {
        let kept = self.check.walker.invariants.clone();
        let options = self.check.options.infer_options();
        let search =
            Search::new(&mut self.check.walker, &mut self.check.asker, &options).ignoring_stated();
        search.find_among(kept.clone())?;
        Ok(kept)
    }

    /// The starts of intervals and the accesses, always in the same order; with or
    /// without what the source assumes.
    fn places(&mut self, stated: bool) -> Vec<Place> {
        let facts = self.check.facts;
        let mut places = vec![];
        for row in &facts.program.rows {
            let Some(family) = row.families.iter().find(|family| family.aligned) else { continue };
            for interval in &family.intervals {
                let Start::Barrier(barrier) = interval.start else { continue };
                let pair = self.check.walker.walk_pair(row, family, interval, family);
                places.push((barrier, if stated { pair.facts } else { pair.not_stated }));
            }
        }
        let walk = self.check.walker.walk_alone();
        for site in &walk.sites {
            let mut known = self.check.walker.facts_alone();
            known.push(site.guard);
            known.extend(match stated {
                true => walk.facts_at(site.at),
                false => walk.facts_not_stated_at(site.at),
            });
            places.push((site.inst, known));
        }
        places
    }
}
