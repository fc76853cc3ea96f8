//! Houdini: which candidates are invariants.
//!
//! Starts from all candidates and removes those that some edge into a loop's
//! header may violate, assuming the others at every header, until none is left to
//! remove. What remains is inductive. SOUNDNESS: nothing is returned before a
//! round in which every remaining candidate was proved on every edge (trap 10).

use std::collections::HashSet;

use duet_analysis::Loop;
use duet_ir::{AnnotationKind, InstData};
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{TermId, holds};
use duet_vc::{Candidate, Encoder, Expr, Sharing, Source, Start, Walk};

use super::report::{Inference, Invariant};
use super::rule_counts::by_rule;
use super::session::{Check, Effort};
use super::source_terms::SourceTerms;

/// An edge into a header, with what it must establish.
struct Obligation {
    id: Loop,
    /// What is known where the edge starts, and that it is taken.
    known: Vec<TermId>,
    claims: Vec<(Candidate, TermId)>,
}

impl Check<'_, '_, '_> {
    /// Finds the invariants of all loops.
    pub fn infer_invariants(&mut self) -> Result<(), SolverError> {
        for (id, candidate) in self.candidates() {
            self.invariants.add(id, candidate);
        }
        self.candidates_made = by_rule(&self.invariants);
        // Conjunctions that were shown unsatisfiable: terms are unique, so a
        // question that comes again is the same list.
        let mut proved = HashSet::new();
        while self.remove_violated(&mut proved)? {}
        Ok(())
    }

    /// What the user wrote at the heads of loops, and what the rules make up.
    fn candidates(&self) -> Vec<(Loop, Candidate)> {
        let facts = self.facts;
        let mut found = vec![];
        for (id, data) in facts.loops.iter() {
            for &inst in &facts.func.blocks[data.header].insts {
                let InstData::Annotation { kind, args } = &facts.func.insts[inst] else { continue };
                if is_invariant(*kind) {
                    let params = 0..facts.func.blocks[data.header].params.len();
                    let params = params.map(Expr::Param).collect();
                    let expr = Expr::InHeader { value: args[0], params };
                    found.push((id, Candidate { source: Source::User(inst), expr }));
                }
            }
        }
        if self.options.infer {
            let kernel = duet_infer::Kernel {
                func: facts.func,
                loops: &facts.loops,
                homes: &facts.homes,
                forms: &facts.forms,
                ranges: &facts.ranges,
            };
            found.extend(duet_infer::guess(&kernel, &self.options.rules));
        }
        found
    }

    /// One round over all edges; was anything removed?
    fn remove_violated(&mut self, proved: &mut HashSet<Vec<TermId>>) -> Result<bool, SolverError> {
        if self.invariants.is_empty() {
            return Ok(false);
        }
        self.search.rounds += 1;
        let walk = self.walk_alone();
        let (obligations, inexpressible) = self.obligations(&walk);
        let mut removed = !inexpressible.is_empty();
        for (id, candidate) in inexpressible {
            self.invariants.remove(id, &candidate);
        }
        if removed {
            return Ok(true);
        }
        for obligation in obligations {
            removed |= self.check_edge(obligation, proved)?;
        }
        Ok(removed)
    }

    /// Removes the candidates that an edge may break.
    fn check_edge(
        &mut self,
        mut obligation: Obligation,
        proved: &mut HashSet<Vec<TermId>>,
    ) -> Result<bool, SolverError> {
        let mut removed = false;
        while !obligation.claims.is_empty() {
            let broken: Vec<TermId> =
                obligation.claims.iter().map(|(_, claim)| self.pool.not(*claim)).collect();
            let mut literals = obligation.known.clone();
            literals.push(self.pool.or(&broken));
            if proved.contains(&literals) {
                return Ok(removed);
            }
            let decision = self.decide_with(&literals, "loop invariants", Effort::Small)?;
            let kept = match decision.answer {
                Answer::Unsat => {
                    proved.insert(literals);
                    return Ok(removed);
                }
                Answer::Sat(model) => obligation
                    .claims
                    .iter()
                    .map(|(_, claim)| holds(&self.pool, &model, &[*claim]))
                    .collect(),
                Answer::Unknown(_) => {
                    let kept = self.proved_alone(&obligation)?;
                    if kept.iter().all(|kept| *kept) {
                        proved.insert(literals);
                        return Ok(removed);
                    }
                    kept
                }
            };
            let all_kept = kept.iter().all(|kept| *kept);
            for ((candidate, _), kept) in obligation.claims.iter().zip(&kept) {
                // A model that breaks nothing is of no use: all go.
                if !kept || all_kept {
                    removed |= self.invariants.remove(obligation.id, candidate);
                }
            }
            let mut kept = kept.into_iter();
            obligation.claims.retain(|_| kept.next() == Some(true) && !all_kept);
        }
        Ok(removed)
    }

    /// Which claims are proved when asked by themselves.
    fn proved_alone(&mut self, obligation: &Obligation) -> Result<Vec<bool>, SolverError> {
        let mut kept = vec![];
        for (_, claim) in &obligation.claims {
            let mut literals = obligation.known.clone();
            literals.push(self.pool.not(*claim));
            let answer = self.decide_with(&literals, "a loop invariant", Effort::Small)?.answer;
            self.search.undecided += usize::from(matches!(answer, Answer::Unknown(_)));
            kept.push(answer == Answer::Unsat);
        }
        Ok(kept)
    }

    /// What each edge must establish, and the candidates that cannot be expressed
    /// on some edge.
    fn obligations(&mut self, walk: &Walk) -> (Vec<Obligation>, Vec<(Loop, Candidate)>) {
        let (mut obligations, mut inexpressible) = (vec![], vec![]);
        for header in &walk.headers {
            for edge in &header.edges {
                let mut known = self.facts_alone();
                known.extend(walk.facts_at(edge.at));
                known.push(edge.guard);
                let mut claims = vec![];
                for (candidate, term) in &edge.claims {
                    match term {
                        Some(term) => claims.push((candidate.clone(), *term)),
                        None => inexpressible.push((header.id, candidate.clone())),
                    }
                }
                obligations.push(Obligation { id: header.id, known, claims });
            }
        }
        (obligations, inexpressible)
    }

    /// What became of the candidates.
    pub fn inference(&self) -> Inference {
        let mut inference = self.search.clone();
        for (id, data) in self.facts.loops.iter() {
            let insts = &self.facts.func.blocks[data.header].insts;
            let line = insts.iter().find_map(|&inst| self.facts.line_of(inst));
            let words = SourceTerms::new(self.facts, id);
            for candidate in self.invariants.of(id) {
                let rule = match candidate.source {
                    Source::Rule(rule) => Some(rule),
                    Source::User(_) => None,
                };
                let text = words.statement(&candidate.expr);
                inference.kept.push(Invariant { line, rule, text });
            }
        }
        inference
    }

    /// One thread by itself, through the whole kernel.
    pub(super) fn walk_alone(&mut self) -> Walk {
        let thread = self.geometry.thread(&mut self.pool, "", None);
        self.walk_thread(&thread)
    }

    /// The same for a thread with a name.
    pub(super) fn walk_thread(&mut self, thread: &duet_vc::ThreadTerms) -> Walk {
        let sharing =
            Sharing { value: &|_| false, visit: &|_| false, contents: &|_| false, tag: "alone" };
        Encoder::walk(
            Self::kernel(self.facts, &self.geometry, &self.in_range),
            &mut self.pool,
            thread,
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

fn is_invariant(kind: AnnotationKind) -> bool {
    use AnnotationKind::*;
    matches!(kind, Invariant | GlobalInvariant | CandidateInvariant | CandidateGlobalInvariant)
}
