//! The candidates that hold on every way to the heads of their loops, as far as that can
//! be shown.
//!
//! SOUNDNESS: what is returned are the candidates that are live at the end, and every edge
//! was shown, relying on live candidates only, to establish all of its live candidates
//! (kernels/traps/10-houdini-too-early). A candidate that is not decided is dropped.

use duet_ask::{Asker, Effort};
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{TermId, TermPool, holds};

use crate::walk::{Obligation, What};

/// Which candidates are live.
pub(crate) struct Houdini {
    live: Vec<bool>,
    /// How often edges were looked at.
    pub rounds: u32,
}

impl Houdini {
    /// Nothing refuted yet.
    pub fn new(candidates: usize) -> Houdini {
        Houdini { live: vec![true; candidates], rounds: 0 }
    }

    /// Is the candidate not refuted?
    pub fn is_live(&self, number: usize) -> bool {
        self.live[number]
    }

    /// Refutes candidates until the rest is inductive.
    pub fn run(
        &mut self,
        asker: &mut Asker<'_>,
        pool: &mut TermPool,
        obligations: &[Obligation],
    ) -> Result<(), SolverError> {
        let mut open: Vec<usize> = (0..obligations.len())
            .filter(|&number| matches!(obligations[number].what, What::Edge(_)))
            .collect();
        let edges = open.clone();
        while !open.is_empty() {
            self.rounds += 1;
            let before = self.live.clone();
            for number in std::mem::take(&mut open) {
                self.show(asker, pool, &obligations[number])?;
            }
            let died = |fact: usize| before[fact] && !self.live[fact];
            let relied = |number: &usize| {
                obligations[*number].known.iter().any(|fact| fact.if_live.is_some_and(died))
            };
            open = edges.iter().copied().filter(relied).collect();
        }
        Ok(())
    }

    /// Refutes the candidates that an edge does not establish.
    fn show(
        &mut self,
        asker: &mut Asker<'_>,
        pool: &mut TermPool,
        edge: &Obligation,
    ) -> Result<(), SolverError> {
        let What::Edge(claims) = &edge.what else { return Ok(()) };
        loop {
            let claims: Vec<(usize, TermId)> =
                claims.iter().copied().filter(|(number, _)| self.live[*number]).collect();
            if claims.is_empty() {
                return Ok(());
            }
            let broken = match self.ask(asker, pool, edge, &claims, Effort::Joint)? {
                Answer::Unsat => return Ok(()),
                Answer::Sat(model) => {
                    let fails = |claim: TermId| !holds(pool, &model, &[claim]);
                    let broken = claims.iter().filter(|(_, claim)| fails(*claim));
                    broken.map(|(number, _)| *number).collect()
                }
                Answer::Unknown(_) => vec![],
            };
            let broken = match broken.is_empty() {
                false => broken,
                true => self.not_shown_alone(asker, pool, edge, &claims)?,
            };
            if broken.is_empty() {
                return Ok(());
            }
            broken.into_iter().for_each(|number| self.live[number] = false);
        }
    }

    /// The claims that are not shown when each is asked by itself.
    fn not_shown_alone(
        &mut self,
        asker: &mut Asker<'_>,
        pool: &mut TermPool,
        edge: &Obligation,
        claims: &[(usize, TermId)],
    ) -> Result<Vec<usize>, SolverError> {
        let mut broken = vec![];
        for &claim in claims {
            let answer = self.ask(asker, pool, edge, &[claim], Effort::Inference)?;
            if answer != Answer::Unsat {
                broken.push(claim.0);
            }
        }
        Ok(broken)
    }

    fn ask(
        &self,
        asker: &mut Asker<'_>,
        pool: &mut TermPool,
        edge: &Obligation,
        claims: &[(usize, TermId)],
        effort: Effort,
    ) -> Result<Answer, SolverError> {
        let mut literals = edge.known.terms(|number| self.live[number]);
        literals.extend(&edge.goal);
        let fails: Vec<TermId> = claims.iter().map(|(_, claim)| pool.not(*claim)).collect();
        literals.push(pool.or(&fails));
        Ok(asker.decide(pool, &literals, "loop invariants", effort)?.answer)
    }
}
