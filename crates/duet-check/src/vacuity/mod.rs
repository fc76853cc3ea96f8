//! Can what is assumed be met? What follows from a contradiction is worth nothing.
//!
//! Here: the launch, preconditions and assumptions together, for one thread and for two.
//! [`all_threads`] asks for all threads of a launch, [`places`] whether assumptions leave
//! anybody to get to each place, [`calls`] whether threads can meet contracts of the memory that
//! they share, [`net`] whether what is known after barriers has a model.

use duet_ir::Rule;
mod all_threads;
mod calls;
mod net;
mod places;

use std::sync::PoisonError;

use duet_ask::{Effort, reason_in_words, witness_of};
use duet_product::{Mates, Row, Scope};
use duet_refute::Met;
use duet_smt::TermId;
use duet_smt::solver::{Answer, Reason, SolverError};
use duet_vc::Witness;

use crate::check::{Basis, Case, Check};
use crate::report::Why;

/// Threads of a warp.
const WARP: u64 = 32;

/// Can what is assumed be met?
pub(crate) enum Satisfied {
    /// In this state, which may lack what does not matter.
    By(Box<Witness>),
    /// It contradicts itself.
    No,
    /// It was not decided.
    Unknown(Reason),
}

/// Asks whether what is assumed can be met.
pub(crate) struct Vacuity<'c, 's, 'f> {
    pub(crate) check: &'c mut Check<'s, 'f>,
}

impl Vacuity<'_, '_, '_> {
    /// The same as [`Vacuity::satisfy_assumptions`], asked once for attempts with the same basis:
    /// loop invariants have no part in it.
    ///
    /// SOUNDNESS: only what was found and left nothing open is kept; an attempt that assumes
    /// more asks again (kernels/soundness/43-overflow-in-every-launch).
    pub(crate) fn satisfy_once(&mut self, case: &Case<'_>) -> Result<Satisfied, SolverError> {
        let basis = Basis::of(self.check.facts, &self.check.walker.in_range);
        let Some(basis) = basis else { return self.satisfy_assumptions() };
        let examples = || case.examples.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, example)) = examples().iter().find(|(known, _)| *known == basis) {
            return Ok(Satisfied::By(Box::new(example.clone())));
        }
        let before = self.check.findings.len();
        let satisfied = self.satisfy_assumptions()?;
        if let Satisfied::By(example) = &satisfied
            && self.check.findings.len() == before
        {
            examples().push((basis, (**example).clone()));
        }
        Ok(satisfied)
    }

    /// Can the launch, the preconditions and the assumptions hold together?
    /// SOUNDNESS: without a model nothing is proved: what follows from a
    /// contradiction is worth nothing (kernel `contracts/vacuous-bug.cu`).
    pub(crate) fn satisfy_assumptions(&mut self) -> Result<Satisfied, SolverError> {
        let invariants = std::mem::take(&mut self.check.walker.invariants);
        let walk = self.check.walker.walk_alone();
        let mut facts = self.check.walker.facts_alone();
        facts.extend(walk.premises());
        let assumes = !(walk.premises().is_empty() && walk.about_others.is_empty());
        let answer = self.find_example(&facts, assumes)?;
        let possible = matches!(answer, Satisfied::By(_)) && assumes;
        let rows: Vec<&Row> = self.check.facts.program.rows.iter().collect();
        // SOUNDNESS: whether several threads can meet what is assumed of arithmetic is left
        // to the code that accepts a proof under it (`Vacuity::is_met_by`,
        // kernels/soundness/43-overflow-in-every-launch).
        let is_exact = self.check.walker.in_range.is_empty();
        let vacuous = possible
            && is_exact
            && (self.only_one_thread_satisfies(&rows)? || self.no_launch_suits_all()?);
        self.check.walker.invariants = invariants;
        Ok(if vacuous { Satisfied::No } else { answer })
    }

    /// Do these runs show that the threads of a launch can meet what is assumed of
    /// arithmetic? Products make the question hard for solvers and easy for runs, so
    /// solvers are asked only about what runs leave open: pairs of threads that none of
    /// them has, and the blocks that were left out.
    ///
    /// SOUNDNESS: kernels/soundness/43-overflow-in-every-launch, 121-overflow-in-the-middle.
    pub(crate) fn is_met_by(&mut self, runs: &Met) -> Result<bool, SolverError> {
        let all = self.check.facts.program.rows.iter();
        let is_open =
            |row: &&Row| !runs.launches.iter().any(|run| has_pair(row, &run.block, &run.grid));
        let open: Vec<&Row> = all.filter(is_open).collect();
        let invariants = std::mem::take(&mut self.check.walker.invariants);
        let before = self.check.findings.len();
        let contradicts = self.only_one_thread_satisfies(&open)?
            || !runs.is_whole && self.no_launch_suits_all()?;
        self.check.walker.invariants = invariants;
        Ok(!contradicts && self.check.findings.len() == before)
    }

    /// A state of one thread in which the facts hold. What a solver does not find soon a
    /// run may show: assumptions about long computations are easy to evaluate and hard to
    /// solve.
    ///
    /// SOUNDNESS: a run that comes to its end meets all that the source assumes, unless
    /// runs leave some of it out; an assumption about arithmetic is not the source's (test
    /// `a_run_shows_what_a_silent_solver_does_not`).
    fn find_example(&mut self, facts: &[TermId], assumes: bool) -> Result<Satisfied, SolverError> {
        let about = "launch and preconditions";
        let mut efforts = vec![Effort::Witness];
        if assumes {
            efforts.insert(0, Effort::Refuting);
        }
        let mut reason = Reason::Incomplete;
        for effort in efforts {
            let (walker, asker) = (&mut self.check.walker, &mut self.check.asker);
            match asker.find_model(walker, facts, about, effort)? {
                Answer::Unsat => return Ok(Satisfied::No),
                Answer::Sat(model) => {
                    let example = witness_of(&self.check.walker, &model);
                    return Ok(Satisfied::By(Box::new(example)));
                }
                Answer::Unknown(why) => reason = why,
            }
            let is_exact = self.check.walker.in_range.is_empty();
            if effort == Effort::Refuting
                && is_exact
                && let Some(example) = self.check.met.example(self.check.facts, self.check.options)
            {
                return Ok(Satisfied::By(Box::new(example.clone())));
            }
        }
        Ok(Satisfied::Unknown(reason))
    }

    /// Is there a thread that meets the assumptions with another beside it, which
    /// then cannot?
    ///
    /// SOUNDNESS: `__requires(threadIdx.x == 0)` leaves no pair to compare; nothing
    /// would race (kernels/soundness/09-one-thread-assumed).
    fn only_one_thread_satisfies(&mut self, rows: &[&Row]) -> Result<bool, SolverError> {
        for row in rows {
            let (first, second, mut facts) = self.check.walker.threads(row);
            let (first, second) =
                (self.check.walker.walk_thread(&first), self.check.walker.walk_thread(&second));
            facts.extend(first.premises());
            match self.check.asker.find_model(
                &mut self.check.walker,
                &facts,
                "preconditions of one of two threads",
                Effort::Witness,
            )? {
                Answer::Sat(_) => {}
                Answer::Unsat => continue,
                Answer::Unknown(_) if self.is_pair_in_a_run(row) => continue,
                Answer::Unknown(reason) => return Ok(self.not_shown_satisfiable(reason)),
            }
            facts.extend(second.premises());
            facts.extend(self.check.walker.assumed_of_walks(
                &first,
                &second,
                row.scope != Scope::Grid,
            ));
            match self.check.asker.find_model(
                &mut self.check.walker,
                &facts,
                "preconditions of two threads",
                Effort::Witness,
            )? {
                Answer::Sat(_) => {}
                Answer::Unsat => return Ok(true),
                Answer::Unknown(_) if self.is_pair_in_a_run(row) => continue,
                Answer::Unknown(reason) => return Ok(self.not_shown_satisfiable(reason)),
            }
        }
        Ok(false)
    }

    /// Does a run that meets what the source assumes have two threads of the row?
    ///
    /// SOUNDNESS: both meet it then (tests `a_run_shows_what_a_silent_solver_does_not`,
    /// `what_may_be_vacuous_is_not_proved`).
    fn is_pair_in_a_run(&self, row: &Row) -> bool {
        let Check { met, facts, options, walker, .. } = &*self.check;
        let run = met.example(facts, options).filter(|_| walker.in_range.is_empty());
        run.is_some_and(|run| has_pair(row, &run.block_dim, &run.grid_dim))
    }

    /// It is not known whether two threads can meet the assumptions: nothing is proved
    /// then, nor is it vacuous.
    pub(crate) fn not_shown_satisfiable(&mut self, reason: Reason) -> bool {
        let why = Why::Solver(reason_in_words(reason).to_string());
        self.check.report_kernel(Rule::NotShownSatisfiable, why);
        false
    }
}

/// Has a launch of these sizes two threads of the row? Two threads of a block that share
/// no warp take more than a warp.
fn has_pair(row: &Row, block: &[u32; 3], grid: &[u32; 3]) -> bool {
    let count = |sizes: &[u32; 3]| sizes.iter().map(|&size| u64::from(size)).product::<u64>();
    let threads = count(block);
    let are_there = match row.mates {
        Mates::Any if row.scope == Scope::Grid => count(grid) > 1,
        Mates::Any | Mates::SameWarp => threads > 1,
        Mates::OtherWarps => threads > WARP,
        Mates::LockStep(_) | Mates::OtherLockStepWarps(_) => false,
    };
    are_there && row.masks.is_empty()
}
