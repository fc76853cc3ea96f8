//! Can all threads of a launch meet what is assumed of each?
//!
//! `__requires(threadIdx.x < 32)` with 64 threads has a model, and one for two
//! threads too; but no launch meets it, and what is proved under it is worth nothing.
//! So threads are collected that break the assumptions: for a launch that suits those
//! collected so far, another one that it does not suit. If no launch suits them all
//! the assumptions are vacuous. A launch that suits everybody ends the search, and so
//! does the limit: then nothing is reported.
//!
//! *Why it is right.* Only an unsatisfiable question counts: that certain threads, if
//! they exist, meet the assumptions, each with unknowns of its own, in a launch and
//! with arguments that they share. That they break them otherwise is only a hint.

use duet_ir::ParamKind;
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{Model, Sort, TermId, eval};

use super::report::Position;
use super::session::{Check, Effort};

/// Threads that are collected.
const MAX_THREADS: usize = 4;

impl Check<'_, '_, '_> {
    /// Are there threads that cannot all meet the assumptions in any launch?
    ///
    /// SOUNDNESS: see kernels/soundness/36-some-threads-assumed.
    pub(super) fn no_launch_suits_all(&mut self) -> Result<bool, SolverError> {
        let mut known: Vec<Position> = vec![];
        for _ in 0..=MAX_THREADS {
            let suits = self.suits(&known);
            let about = "preconditions of several threads";
            let model = match self.decide_with(&suits, about, Effort::Small)?.answer {
                Answer::Unsat => return Ok(true),
                Answer::Sat(model) => model,
                Answer::Unknown(_) => return Ok(false),
            };
            match self.who_breaks_them(&model)? {
                Some(thread) if !known.contains(&thread) => known.push(thread),
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    /// These threads, where they exist, meet the assumptions.
    fn suits(&mut self, known: &[Position]) -> Vec<TermId> {
        let mut facts = self.geometry.facts.clone();
        for (number, position) in known.iter().enumerate() {
            let thread = self.geometry.thread(&mut self.pool, &format!("#{number}"), None);
            let ids = position.thread.iter().chain(&position.block);
            for (&term, &id) in thread.thread.iter().chain(&thread.block).zip(ids) {
                let id = self.pool.bv(32, u128::from(id));
                facts.push(self.pool.eq(term, id));
            }
            let exists = self.pool.and(&thread.facts);
            let assumed = self.assumptions_of(&thread);
            let assumed = self.pool.and(&assumed);
            facts.push(self.pool.implies(exists, assumed));
        }
        facts
    }

    /// A thread that may break the assumptions in the model's launch.
    fn who_breaks_them(&mut self, model: &Model) -> Result<Option<Position>, SolverError> {
        let thread = self.geometry.thread(&mut self.pool, "", None);
        let mut literals = self.facts_alone();
        literals.extend(self.launch_of(model));
        let assumed = self.assumptions_of(&thread);
        let assumed = self.pool.and(&assumed);
        literals.push(self.pool.not(assumed));
        let about = "a thread that breaks preconditions";
        Ok(match self.decide_with(&literals, about, Effort::Small)?.answer {
            Answer::Sat(model) => self.witness(&model).threads.first().copied(),
            _ => None,
        })
    }

    /// The sizes and arguments of a model, as facts.
    fn launch_of(&mut self, model: &Model) -> Vec<TermId> {
        let func = self.facts.func;
        let scalars = func.params.iter().filter_map(|param| match param.kind {
            ParamKind::Scalar(value) => Some(value),
            _ => None,
        });
        let mut terms: Vec<TermId> = self.geometry.block.into_iter().collect();
        terms.extend(self.geometry.grid);
        for value in scalars {
            let sort = match func.type_of(value).bits() {
                Some(1) => Sort::Bool,
                Some(width) => Sort::BitVec(width),
                None => continue,
            };
            terms.push(self.pool.constant(&duet_vc::argument_name(func, value), sort));
        }
        let mut facts = vec![];
        for term in terms {
            let Ok(value) = eval(&self.pool, model, term) else { continue };
            let constant = match (value.bits(), value.as_bool()) {
                (Some(bits), _) => self.pool.bv(self.pool.width(term), bits),
                (None, Some(truth)) => self.pool.bool(truth),
                (None, None) => continue,
            };
            facts.push(self.pool.eq(term, constant));
        }
        facts
    }
}
