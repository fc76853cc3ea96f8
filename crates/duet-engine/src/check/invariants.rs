//! Houdini: which candidates are invariants.
//!
//! Starts from all candidates and removes those that some edge into a loop's
//! header may violate, assuming the others at every header, until none is left to
//! remove. What remains is inductive. SOUNDNESS: nothing is returned before a
//! round in which every remaining candidate was proved on every edge (trap 10).

use duet_smt::solver::{Answer, SolverError};
use duet_smt::{TermId, holds};
use duet_vc::{Candidate, Encoder, Sharing, Start, Walk, candidates_for};

use super::session::Check;

/// A candidate and the condition under which an edge breaks it.
struct Claim {
    id: duet_analysis::Loop,
    candidate: Candidate,
    /// What is known where the edge starts, and that the edge breaks it.
    violated: TermId,
}

impl Check<'_, '_, '_> {
    /// Finds the invariants of all loops.
    pub fn infer_invariants(&mut self) -> Result<(), SolverError> {
        for id in self.all_loops() {
            for candidate in candidates_for(self.facts.func, &self.facts.loops, id) {
                self.invariants.add(id, candidate);
            }
        }
        while self.remove_violated()? {}
        Ok(())
    }

    /// One round; was anything removed?
    fn remove_violated(&mut self) -> Result<bool, SolverError> {
        if self.invariants.is_empty() {
            return Ok(false);
        }
        let walk = self.walk_alone();
        let (claims, inexpressible) = self.claims(&walk);
        if !inexpressible.is_empty() {
            for (id, candidate) in inexpressible {
                self.invariants.remove(id, &candidate);
            }
            return Ok(true);
        }
        let facts = self.facts_alone();
        let violations: Vec<TermId> = claims.iter().map(|claim| claim.violated).collect();
        let mut literals = facts.clone();
        literals.push(self.pool.or(&violations));
        match self.decide(&literals, "loop invariants")?.answer {
            Answer::Unsat => Ok(false),
            Answer::Sat(model) => {
                let mut removed = false;
                for claim in &claims {
                    if holds(&self.pool, &model, &[claim.violated]) {
                        removed |= self.invariants.remove(claim.id, &claim.candidate);
                    }
                }
                // A model that breaks nothing is of no use: ask one by one.
                if removed { Ok(true) } else { self.remove_one_by_one(&facts, &claims) }
            }
            Answer::Unknown(_) => self.remove_one_by_one(&facts, &claims),
        }
    }

    /// Keeps only the claims that are proved by themselves.
    fn remove_one_by_one(
        &mut self,
        facts: &[TermId],
        claims: &[Claim],
    ) -> Result<bool, SolverError> {
        let mut removed = false;
        for claim in claims {
            let mut literals = facts.to_vec();
            literals.push(claim.violated);
            if self.decide(&literals, "a loop invariant")?.answer != Answer::Unsat {
                removed |= self.invariants.remove(claim.id, &claim.candidate);
            }
        }
        Ok(removed)
    }

    /// The conditions that break each candidate, and the candidates that cannot be
    /// expressed on some edge.
    #[allow(clippy::type_complexity)]
    fn claims(
        &mut self,
        walk: &Walk,
    ) -> (Vec<Claim>, Vec<(duet_analysis::Loop, Candidate)>) {
        let (mut claims, mut inexpressible) = (vec![], vec![]);
        for header in &walk.headers {
            for edge in &header.edges {
                for (candidate, term) in &edge.claims {
                    let Some(term) = term else {
                        inexpressible.push((header.id, candidate.clone()));
                        continue;
                    };
                    let mut parts = walk.facts_at(edge.at);
                    parts.extend([edge.guard, self.pool.not(*term)]);
                    let violated = self.pool.and(&parts);
                    let candidate = candidate.clone();
                    claims.push(Claim { id: header.id, candidate, violated });
                }
            }
        }
        (claims, inexpressible)
    }

    /// One thread by itself, through the whole kernel.
    pub(super) fn walk_alone(&mut self) -> Walk {
        let thread = self.geometry.thread(&mut self.pool, "", None);
        let sharing = Sharing {
            value: &|_| false,
            visit: &|_| false,
            contents: &|_| false,
            tag: "alone",
        };
        Encoder::walk(
            Self::kernel(self.facts, &self.geometry),
            &mut self.pool,
            &thread,
            &self.facts.program.alone,
            &sharing,
            &self.invariants,
            Start { before: None },
        )
    }

    /// What is known of one thread from the start.
    pub(super) fn facts_alone(&mut self) -> Vec<TermId> {
        let thread = self.geometry.thread(&mut self.pool, "", None);
        let mut facts = self.geometry.facts.clone();
        facts.extend(thread.facts);
        facts
    }
}
