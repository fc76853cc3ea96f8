//! LU(k): the first k iterations of every loop, walked one after the other.
//!
//! Where a loop goes on after that it is cut, with all candidates assumed, so what is
//! said of base and step cases holds here too: a candidate that is false at one of
//! these visits is in no inductive set. Iterations of nested loops multiply, and what is
//! made of many of them takes solvers long: a kernel that becomes too large is left
//! alone. (*candidate-invariants*, 5.1.2)

use duet_product::RegionBuilder;
use duet_vc::{Visits, Walk};

use super::Search;
use super::numbered::Numbered;
use crate::sorting::Edge;

/// Blocks of the kernel, repeated ones counted, above which nothing is done.
const MOST_NODES: usize = 160;

impl Search<'_, '_, '_> {
    /// The visits of headers in the first iterations.
    pub(super) fn unrolled(&mut self, iterations: u32, all: &Numbered) -> Option<Vec<Edge>> {
        let walk = self.walk_unrolled(iterations as usize)?;
        Some(self.edges(&walk, &walk.visits, all))
    }

    fn walk_unrolled(&mut self, max_iterations: usize) -> Option<Walk> {
        let (func, loops) = (self.walker.facts.func, &self.walker.facts.loops);
        let builder = RegionBuilder {
            func,
            loops,
            stops_at: &|_| false,
            is_concrete: &|_| true,
            max_iterations,
            iterations_after_cut: &|_| 0,
        };
        let region = builder.build(func.entry(), 0);
        if region.nodes.len() > MOST_NODES {
            return None;
        }
        Some(self.walker.walk_visits(&region, "unrolled", Visits::Noted))
    }
}
