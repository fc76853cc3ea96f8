//! A conjunction that is asked about again and again, under assumptions that change.
//!
//! It is simplified and told to the solver once; each question then adds literals that
//! hold for this question only, symbols or their negations (*selectors*). The solver
//! keeps what it learned. The index algebra is not asked: it knows no assumptions.
//!
//! A model counts as it does for other questions: only if the evaluator finds the
//! literals true that the caller names.

use std::time::Instant;

use crate::arrays::{EliminatedArrays, eliminate_arrays};
use crate::bv_to_int::{IntTranslation, translate_to_int};
use crate::decider::{BRIEF_RESOURCES, DecidedBy, Decision};
use crate::decider::{Decider, Encoding, Question, encodings, simplify_conjunction};
use crate::pool::TermPool;
use crate::repair::repaired_model;
use crate::solver::{Answer, Limits, Query, SolverError};
use crate::sort::TermId;

/// A conjunction that a solver knows.
pub struct Context {
    flat: EliminatedArrays,
    /// If it was told as integers.
    translation: Option<IntTranslation>,
    /// It says no already.
    is_false: bool,
    is_open: bool,
}

impl Decider {
    /// Prepares a conjunction. It is told to the solver with the first question.
    pub fn context(&mut self, pool: &mut TermPool, literals: &[TermId]) -> Context {
        let simple = simplify_conjunction(pool, literals);
        let is_false = simple.iter().any(|&t| pool.as_bool(t) == Some(false));
        let flat = eliminate_arrays(pool, &simple)
            .unwrap_or_else(|_| EliminatedArrays { terms: simple, ..Default::default() });
        let first = encodings(pool, self.preferred(Default::default()), &flat.terms)[0];
        let translation = match first == Encoding::Integers && self.solver().has_integers() {
            true => translate_to_int(pool, &flat.terms).ok(),
            false => None,
        };
        Context { flat, translation, is_false, is_open: false }
    }

    /// Asks under assumptions. The question's literals are what a model must satisfy:
    /// the conjunction as it is under the assumptions.
    ///
    /// The limit is that of a first try: what is not easy is better asked by itself.
    ///
    /// No other question may be asked before [`Decider::close`].
    pub fn decide_within(
        &mut self,
        pool: &mut TermPool,
        context: &mut Context,
        assumptions: &[TermId],
        question: &Question<'_>,
        limits: Limits,
    ) -> Result<Decision, SolverError> {
        let start = Instant::now();
        let limits = Limits { resources: Some(BRIEF_RESOURCES), ..limits };
        let (answer, by) = match (context.is_false, repaired_model(pool, question.literals)) {
            (true, _) => (Answer::Unsat, DecidedBy::Simplifier),
            (false, Some(model)) => (Answer::Sat(model), DecidedBy::Repair),
            (false, None) => self.ask_within(pool, context, assumptions, question, limits)?,
        };
        // What is not decided here is asked again by itself.
        if answer.is_definite() {
            self.count(&by);
        }
        Ok(Decision { answer, by, took: start.elapsed(), may_wrap: vec![] })
    }

    fn ask_within(
        &mut self,
        pool: &TermPool,
        context: &mut Context,
        assumptions: &[TermId],
        question: &Question<'_>,
        limits: Limits,
    ) -> Result<(Answer, DecidedBy), SolverError> {
        self.open(context);
        let cancel = question.cancel.clone();
        let query = Query { assumptions, limits, cancel, about: question.about };
        let answer = self.ask_solver(pool, &query)?;
        let answer = match (answer, &context.translation) {
            (Answer::Sat(model), Some(translation)) => {
                let model = translation.restore(pool, &model);
                self.checked_model(pool, question, &context.flat, model)
            }
            (Answer::Sat(model), None) => self.checked_model(pool, question, &context.flat, model),
            (other, _) => other,
        };
        let by = match (answer.is_definite(), &context.translation) {
            (false, _) => DecidedBy::Nobody,
            (true, None) => DecidedBy::Solver(Encoding::Bits, self.solver().name()),
            (true, Some(_)) => DecidedBy::Solver(Encoding::Integers, self.solver().name()),
        };
        Ok((answer, by))
    }

    fn open(&mut self, context: &mut Context) {
        if context.is_open {
            return;
        }
        context.is_open = true;
        let terms = match &context.translation {
            Some(translation) => &translation.assertions,
            None => &context.flat.terms,
        };
        let solver = self.solver();
        solver.reset();
        solver.push();
        terms.iter().for_each(|&t| solver.assert(t));
    }

    /// The solver forgets the conjunction; it may be asked about again.
    pub fn close(&mut self, context: &mut Context) {
        if std::mem::take(&mut context.is_open) {
            self.solver().pop();
        }
    }
}
