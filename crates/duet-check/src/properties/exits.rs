//! Threads that return while others go on to a barrier.
//!
//! The hardware of CUDA lets the others pass, so that is only a warning. But a thread
//! that has returned takes part in no barrier: nothing orders what it did since its last
//! one before what the others do after theirs. So these are compared as well: the
//! accesses of an interval that a thread may return from, with those of every interval
//! that comes after its barriers. The two threads have nothing in common there but the
//! launch.
//!
//! SOUNDNESS: kernels/soundness/60-returned-before-barrier; and a thread that exchanges
//! values with its warp on the way to its return has not returned yet, it waits
//! (61-waits-on-the-way-out).

use std::collections::BTreeSet;

use duet_ir::{Function, Inst, Rule, Severity};
use duet_product::{End, Family, Interval, Mates, Node, Region, Row, Scope, Start, Successor};
use duet_smt::TermId;
use duet_smt::solver::SolverError;

use super::races::Races;

impl Races<'_, '_, '_> {
    /// Races with threads that have returned, where that is tolerated.
    pub(crate) fn check_exits(&mut self) -> Result<(), SolverError> {
        let may_return = self.check.findings.iter().any(|finding| {
            finding.rule == Rule::ExitBeforeBarrier && finding.severity == Severity::Warning
        });
        if !may_return {
            return Ok(());
        }
        let facts = self.check.facts;
        for row in facts.program.rows.iter().filter(|row| row.scope != Scope::Grid) {
            // In lock step a thread that returned did so in an earlier step.
            if matches!(row.mates, Mates::LockStep(_)) {
                continue;
            }
            for family in row.families.iter().filter(|family| family.orders_memory()) {
                for interval in &family.intervals {
                    self.check_exits_of(row, family, interval)?;
                }
            }
        }
        Ok(())
    }

    fn check_exits_of(
        &mut self,
        row: &Row,
        family: &Family,
        interval: &Interval,
    ) -> Result<(), SolverError> {
        let ways_out = leading_to_return(&interval.region);
        if ways_out.is_empty() {
            return Ok(());
        }
        for later in after(family, interval) {
            if self.check.is_over() {
                return Ok(());
            }
            let mut pair = self.check.walker.walk_apart(row, interval, later);
            let returns: Vec<TermId> = (pair.first.ends.iter())
                .filter(|end| end.end == End::Return)
                .map(|end| end.guard)
                .collect();
            let returns = self.check.walker.pool.or(&returns);
            pair.first.sites.retain(|site| ways_out.contains(&site.at.node));
            for site in &mut pair.first.sites {
                // In a loop that is cut, the visit of the access is not the last one.
                if !self.is_in_cut_loop(&interval.region, site.at.node) {
                    site.guard = self.check.walker.pool.and2(site.guard, returns);
                }
            }
            self.check_pair(row, family, &pair)?;
        }
        Ok(())
    }

    fn is_in_cut_loop(&self, region: &Region, node: Node) -> bool {
        let cut: BTreeSet<_> = region.nodes.values().filter_map(|node| node.cut).collect();
        self.check.facts.loops.around(region.nodes[node].block).any(|id| cut.contains(&id))
    }
}

/// Where a thread may wait for others of its warp on the way to its return.
pub(super) fn waits_on_the_way_out(func: &Function, region: &Region) -> Option<Inst> {
    let ways_out = leading_to_return(region);
    let insts = ways_out.into_iter().flat_map(|node| {
        let data = &region.nodes[node];
        &func.blocks[data.block].insts[data.first..data.end]
    });
    insts.copied().find(|&inst| func.insts[inst].is_meeting_point_of_warp())
}

/// The nodes from which a thread may get to the kernel's end, over back edges too.
fn leading_to_return(region: &Region) -> BTreeSet<Node> {
    let mut found: BTreeSet<Node> =
        region.ends().filter(|(_, end)| *end == End::Return).map(|(node, _)| node).collect();
    loop {
        let before = found.len();
        for &node in &region.order {
            let leads = |next: &Successor| match next {
                Successor::Node(to) | Successor::Cut(to) => found.contains(to),
                Successor::Outside => false,
            };
            if region.nodes[node].successors.iter().any(leads) {
                found.insert(node);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The intervals that a thread may be in after this one.
fn after<'f>(family: &'f Family, interval: &Interval) -> Vec<&'f Interval> {
    let barriers = |interval: &Interval| -> Vec<Inst> {
        let at = |(_, end)| match end {
            End::Barrier(inst) => Some(inst),
            End::Return | End::Halt => None,
        };
        interval.region.ends().filter_map(at).collect()
    };
    let (mut seen, mut open) = (BTreeSet::new(), barriers(interval));
    let mut found = vec![];
    while let Some(barrier) = open.pop() {
        if !seen.insert(barrier) {
            continue;
        }
        let next = family.intervals.iter().filter(|next| next.start == Start::Barrier(barrier));
        for next in next {
            open.extend(barriers(next));
            found.push(next);
        }
    }
    found
}
