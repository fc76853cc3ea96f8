//! Do two threads that start an interval together end it together, although some
//! branches may divide them?
//!
//! *Claim.* Two threads start at the root, at the same visit of every loop around
//! it. If each branch of the region that may divide them meets again, they end the
//! interval at the same node, hence at the same barrier and after the same iterations of
//! every loop that holds one.
//!
//! A branch *meets again* if all ways from it to an end lead through one later node,
//! and none of them passes the header of a cut loop around that node before it.
//!
//! *Why.* By induction along the ways of the two: both are at a node, at the same
//! visit of all loops around it. If its branch is not one that may divide them, both
//! take the same edge. Else both come to the meeting node: a copy of a block in one
//! context, so the same iterations of walked loops led there; and since no way goes round
//! a cut loop that holds it, they are at the same visit of those too. What happens in
//! between ends nothing: it lies on ways that all lead to the meeting node.
//! SOUNDNESS: the last condition, `meets_at_one_visit`, is needed
//! (`barriers/skipped-round-bug.cu`).
//!
//! Ways into a failed assertion, and ways that never end, are no ends (meanings 8 and
//! 10). Cost: near-linear in the region, times the number of such branches.

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::Loops;
use duet_ir::Block;

use crate::region::{End, Node, Region, Successor};

/// Does each branch that may divide two threads meet again?
pub fn all_meet_again(region: &Region, loops: &Loops, may_divide: &dyn Fn(Block) -> bool) -> bool {
    // A node that ends at a barrier does not get to its block's branch.
    let divides = |node: &Node| {
        let data = &region.nodes[*node];
        data.finish.is_none() && may_divide(data.block)
    };
    let dividing: Vec<Node> = region.order.iter().copied().filter(divides).collect();
    if dividing.is_empty() {
        return true;
    }
    let meeting = Meeting::new(region);
    dividing.into_iter().all(|node| match meeting.of(node) {
        Some(Place::Node(place)) => meets_at_one_visit(region, loops, node, place),
        Some(Place::End) => false,
        // No way from here ends.
        None => true,
    })
}

/// No way to the meeting node goes round a cut loop that holds it.
fn meets_at_one_visit(region: &Region, loops: &Loops, from: Node, place: Node) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = followers(region, from);
    while let Some(node) = open.pop() {
        if node == place || !seen.insert(node) {
            continue;
        }
        let goes_round = |id: duet_analysis::Loop| loops.contains(id, region.nodes[place].block);
        if region.nodes[node].cut.is_some_and(goes_round) {
            return false;
        }
        open.extend(followers(region, node));
    }
    true
}

/// The nodes that may come next; after the back edge of a cut loop, its header.
fn followers(region: &Region, node: Node) -> Vec<Node> {
    let successors = region.nodes[node].successors.iter();
    successors
        .filter_map(|successor| match *successor {
            Successor::Node(next) | Successor::Cut(next) => Some(next),
            Successor::Outside => None,
        })
        .collect()
}

/// Where all ways meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    /// At a node.
    Node(Node),
    /// Only when the interval has ended.
    End,
}

/// The immediate postdominator of each node from which a way ends.
struct Meeting {
    places: BTreeMap<Node, Place>,
    /// The order in which nodes are found from the end.
    ranks: BTreeMap<Node, usize>,
}

impl Meeting {
    /// The usual iteration (Cooper, Harvey and Kennedy) on the reversed graph.
    fn new(region: &Region) -> Meeting {
        let order = from_the_end(region);
        let ranks = order.iter().enumerate().map(|(rank, &node)| (node, rank)).collect();
        let mut meeting = Meeting { places: BTreeMap::new(), ranks };
        loop {
            let mut changed = false;
            for &node in &order {
                let place = meeting.common(region, node);
                changed |= meeting.places.insert(node, place) != Some(place);
            }
            if !changed {
                return meeting;
            }
        }
    }

    fn of(&self, node: Node) -> Option<Place> {
        self.places.get(&node).copied()
    }

    /// Where the ways from a node's followers, as far as known, meet.
    fn common(&self, region: &Region, node: Node) -> Place {
        if ends_here(region, node) {
            return Place::End;
        }
        let known = followers(region, node).into_iter();
        let known = known.filter(|next| self.places.contains_key(next)).map(Place::Node);
        known.reduce(|a, b| self.meet(a, b)).unwrap_or(Place::End)
    }

    fn meet(&self, mut a: Place, mut b: Place) -> Place {
        while a != b {
            let later = |place: Place| match place {
                Place::Node(node) => self.ranks[&node] + 1,
                Place::End => 0,
            };
            if later(a) > later(b) {
                a = self.up(a);
            } else {
                b = self.up(b);
            }
        }
        a
    }

    fn up(&self, place: Place) -> Place {
        match place {
            Place::Node(node) => self.places.get(&node).copied().unwrap_or(Place::End),
            Place::End => Place::End,
        }
    }
}

/// Is the node an end of the interval, or does a way leave the region here?
fn ends_here(region: &Region, node: Node) -> bool {
    let data = &region.nodes[node];
    matches!(data.finish, Some(End::Barrier(_) | End::Return))
        || data.successors.contains(&Successor::Outside)
}

/// The nodes from which a way ends, in reverse postorder of the reversed graph.
fn from_the_end(region: &Region) -> Vec<Node> {
    let mut before: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for &node in &region.order {
        for next in followers(region, node) {
            before.entry(next).or_default().push(node);
        }
    }
    let (mut order, mut seen) = (vec![], BTreeSet::new());
    for &end in region.order.iter().filter(|&&node| ends_here(region, node)) {
        let mut stack = vec![(end, 0)];
        seen.insert(end);
        while let Some((node, index)) = stack.pop() {
            match before.get(&node).and_then(|list| list.get(index)) {
                Some(&next) => {
                    stack.push((node, index + 1));
                    if seen.insert(next) {
                        stack.push((next, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    order.reverse();
    order
}
