//! The edges into loop headers, as walks of one thread have them.

use duet_smt::TermId;
use duet_vc::{HeaderTerm, Point, Walk};

use super::Search;
use super::numbered::Numbered;
use crate::sorting::{Edge, Number};

impl Search<'_, '_, '_> {
    /// The edges into some headers of a walk. Candidates that cannot be expressed on an
    /// edge have no claim there.
    pub(super) fn edges(
        &mut self,
        walk: &Walk,
        headers: &[HeaderTerm],
        all: &Numbered,
    ) -> Vec<Edge> {
        let mut edges = vec![];
        for header in headers {
            for edge in &header.edges {
                let terms = edge.claims.iter().map(|(_, term)| *term).enumerate();
                let (mut claims, mut unclaimed) = (vec![], vec![]);
                for (position, term) in terms {
                    let number = all.number(header.id, position);
                    match term {
                        Some(term) => claims.push((number, term)),
                        None => unclaimed.push(number),
                    }
                }
                let (known, assumed) = self.known_at(walk, edge.at, edge.guard, all);
                edges.push(Edge { is_back: edge.is_back, known, assumed, claims, unclaimed });
            }
        }
        edges
    }

    /// What is known at a point that is reached under a condition, and what the
    /// candidates add to it.
    fn known_at(
        &mut self,
        walk: &Walk,
        at: Point,
        guard: TermId,
        all: &Numbered,
    ) -> (Vec<TermId>, Vec<(Number, TermId)>) {
        let (mut known, mut assumed) = (self.walker.facts_alone(), vec![]);
        for passed in walk.passed_at(at).filter(|fact| !(self.ignores_stated && fact.stated)) {
            match passed.invariant {
                Some((id, position)) => assumed.push((all.number(id, position), passed.fact)),
                None => known.push(passed.fact),
            }
        }
        known.push(guard);
        (known, assumed)
    }
}
