//! Induction over several iterations of a loop: `--k-induction-depth`.
//!
//! With depth k a candidate has to hold at the first k visits of the header, each given
//! that it held at those before (base), and at a visit given that it held at the k
//! visits just before (step). That proves what one iteration forgets: `a = b; b = c; c = 1`
//! keeps `a == 1` only because of what happened three iterations ago.
//!
//! For the base the loop is walked concretely from its entry; for the step it is cut and
//! then walked on for k - 1 iterations. Every other loop is cut. Both yield edges of the same
//! kind as induction over one iteration does, so every engine works on them.
//!
//! SOUNDNESS: induction over the time at which headers are visited. All visits before
//! the one in question, of any loop, satisfy what was kept; of its own loop the last k,
//! or all since the entry if they are fewer (kernels/soundness/47, 48). A region that is
//! too large would be cut before all k visits were walked: such a loop gets the edges of
//! one iteration.

use duet_analysis::Loop;
use duet_product::{Region, RegionBuilder};
use duet_vc::{HeaderTerm, Visits};

use super::Search;
use super::numbered::Numbered;
use crate::sorting::Edge;

/// Nodes of a region, repeated ones counted, above which one iteration has to do. Well below
/// the number from which regions cut every loop.
const MOST_NODES: usize = 1000;

impl Search<'_, '_, '_> {
    /// The edges for induction over `depth` iterations of every loop.
    pub(super) fn edges_by_k_induction(&mut self, depth: usize, all: &Numbered) -> Vec<Edge> {
        let mut edges = vec![];
        for (id, _) in self.walker.facts.loops.iter() {
            if self.walker.invariants.of(id).is_empty() {
                continue;
            }
            let (base, step) = (self.region_of_base(id, depth), self.region_of_step(id, depth));
            if base.nodes.len().max(step.nodes.len()) > MOST_NODES {
                let walk = self.walker.walk_alone();
                edges.extend(self.edges(&walk, &of_loop(&walk.headers, id), all));
                continue;
            }
            let walk = self.walker.walk_visits(&base, "base", Visits::NotedThenAssumed);
            edges.extend(self.edges(&walk, &of_loop(&walk.visits, id), all));
            let walk = self.walker.walk_visits(&step, "step", Visits::NotedThenAssumed);
            let mut headers = of_loop(&walk.headers, id);
            headers.iter_mut().for_each(|header| header.edges.retain(|edge| edge.is_back));
            edges.extend(self.edges(&walk, &headers, all));
        }
        edges
    }

    /// The first visits of a loop's header, one after the other.
    fn region_of_base(&self, id: Loop, depth: usize) -> Region {
        let builder = RegionBuilder {
            func: self.walker.facts.func,
            loops: &self.walker.facts.loops,
            stops_at: &|_| false,
            is_concrete: &|other| other == id,
            max_iterations: depth - 1,
            iterations_after_cut: &|_| 0,
        };
        builder.build(self.walker.facts.func.entry(), 0)
    }

    /// An arbitrary visit of a loop's header and those after it.
    fn region_of_step(&self, id: Loop, depth: usize) -> Region {
        let builder = RegionBuilder {
            func: self.walker.facts.func,
            loops: &self.walker.facts.loops,
            stops_at: &|_| false,
            is_concrete: &|_| false,
            max_iterations: 0,
            iterations_after_cut: &|other| if other == id { depth - 1 } else { 0 },
        };
        builder.build(self.walker.facts.func.entry(), 0)
    }
}

fn of_loop(headers: &[HeaderTerm], id: Loop) -> Vec<HeaderTerm> {
    headers.iter().filter(|header| header.id == id).cloned().collect()
}
