//! What was asked and who answered, kept for those who want to read it: `--explain`,
//! and the conditions of a kernel as text.

use std::time::Duration;

use duet_ir::Inst;
use duet_smt::solver::{Answer, Reason};
use duet_smt::{DecidedBy, Decision, Encoding, TermId, TermPool};

/// A question about a kernel: a conjunction that must have no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// What it is about (`a race`, `barrier divergence`).
    pub about: String,
    /// The instructions it is about: none, one, or the two accesses.
    pub places: Vec<Inst>,
    /// `unsat` (it is so), `sat` or `unknown`.
    pub answer: &'static str,
    /// Who answered: `simplifier`, `algebra`, `z3 5.4.0 on bit-vectors`, `nobody`.
    pub by: String,
    /// The steps of the algebra, if it did.
    pub proof: Option<String>,
    /// The question as SMT-LIB, if that was wanted.
    pub script: Option<String>,
    /// Time spent.
    pub took: Duration,
}

/// What is kept of the questions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// Is anything kept?
    pub is_wanted: bool,
    /// Questions are written down instead of being asked. Nothing is proved then.
    pub only_written: bool,
    /// What was asked so far.
    pub asked: Vec<Asked>,
}

impl Trace {
    /// Keeps what was asked and answered, if wanted.
    pub(crate) fn keep(
        &mut self,
        pool: &TermPool,
        about: &str,
        places: &[Inst],
        decision: &Decision,
    ) {
        if !self.is_wanted {
            return;
        }
        let (by, proof) = match &decision.by {
            DecidedBy::Algebra(refutation) => {
                ("algebra".to_string(), Some(refutation.explain(pool)))
            }
            DecidedBy::Solver(Encoding::Bits, solver) => (format!("{solver} on bit-vectors"), None),
            DecidedBy::Solver(Encoding::Integers, solver) => {
                (format!("{solver} on integers"), None)
            }
            DecidedBy::Solver(Encoding::Data, solver) => {
                (format!("{solver} on bit-vectors and integers"), None)
            }
            other @ (DecidedBy::Simplifier | DecidedBy::Repair | DecidedBy::Nobody) => {
                (other.word().to_string(), None)
            }
        };
        self.asked.push(Asked {
            about: about.to_string(),
            places: places.to_vec(),
            answer: decision.answer.word(),
            by,
            proof,
            script: None,
            took: decision.took,
        });
    }

    /// Writes a question down instead of asking it.
    pub(crate) fn write_down(
        &mut self,
        pool: &TermPool,
        literals: &[TermId],
        about: &str,
        places: &[Inst],
    ) -> Decision {
        let script = duet_smt::text::write_script(pool, literals, about);
        self.asked.push(Asked {
            about: about.to_string(),
            places: places.to_vec(),
            answer: "unknown",
            by: DecidedBy::Nobody.word().to_string(),
            proof: None,
            script: Some(script),
            took: Duration::ZERO,
        });
        Decision {
            // SOUNDNESS: what was not asked is not known, so nothing rests on it
            // (test `what_is_only_written_down_is_not_proved`).
            answer: Answer::Unknown(Reason::Cancelled),
            by: DecidedBy::Nobody,
            took: Duration::ZERO,
            may_wrap: vec![],
        }
    }
}
