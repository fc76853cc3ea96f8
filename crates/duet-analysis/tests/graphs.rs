//! Dominance, post-dominance, control dependence and loops on random graphs,
//! against what their definitions say when every path is tried.

mod common;

use std::collections::BTreeSet;

use common::Random;
use common::graph_generator::{graph, skeleton};
use duet_analysis::{ControlDependence, Dominators, Loops, PostDominators};
use duet_ir::{Block, EntityRef, Function};

const GRAPHS: u64 = 3_000;

fn for_each_graph(mut check: impl FnMut(&[Vec<usize>], &Function)) {
    for seed in 0..GRAPHS {
        let successors = graph(&mut Random::new(seed));
        check(&successors, &skeleton(&successors));
    }
}

/// What can be reached from `start` without entering `without`.
fn reach(successors: &[Vec<usize>], start: usize, without: Option<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        if Some(node) != without && seen.insert(node) {
            work.extend(&successors[node]);
        }
    }
    seen
}

/// Can a `return` be reached from `start` without entering `without`?
fn returns(successors: &[Vec<usize>], start: usize, without: Option<usize>) -> bool {
    reach(successors, start, without).iter().any(|&node| successors[node].is_empty())
}

#[test]
fn dominance_is_what_removal_shows() {
    for_each_graph(|graph, func| {
        let dominators = Dominators::new(func);
        let reachable = reach(graph, 0, None);
        for b in 0..graph.len() {
            assert_eq!(dominators.is_reachable(Block::new(b)), reachable.contains(&b));
            for a in (0..graph.len()).filter(|_| reachable.contains(&b)) {
                let dominates = !reach(graph, 0, Some(a)).contains(&b);
                let said = dominators.dominates(Block::new(a), Block::new(b));
                assert_eq!(said, dominates, "bb{a} bb{b} in {graph:?}");
            }
            if let Some(parent) = dominators.immediate(Block::new(b)) {
                let strict =
                    |a: &usize| dominators.strictly_dominates(Block::new(*a), Block::new(b));
                let above = (0..graph.len()).filter(strict);
                let last = above.max_by_key(|&a| {
                    (0..graph.len())
                        .filter(|&c| dominators.dominates(Block::new(c), Block::new(a)))
                        .count()
                });
                assert_eq!(Some(parent.index()), last, "bb{b} in {graph:?}");
            }
        }
    });
}

#[test]
fn post_dominance_is_what_removal_shows() {
    for_each_graph(|graph, func| {
        let dominators = Dominators::new(func);
        let post = PostDominators::new(func, &dominators);
        for b in reach(graph, 0, None) {
            assert_eq!(post.may_return(Block::new(b)), returns(graph, b, None));
            for a in reach(graph, 0, None) {
                let said = post.post_dominates(Block::new(a), Block::new(b));
                assert_eq!(said, !returns(graph, b, Some(a)), "bb{a} bb{b} in {graph:?}");
            }
        }
    });
}

#[test]
fn control_dependence_is_what_its_definition_says() {
    let mut found = 0;
    for_each_graph(|graph, func| {
        let dominators = Dominators::new(func);
        let post = PostDominators::new(func, &dominators);
        let control = ControlDependence::new(func, &dominators, &post);
        let reachable = reach(graph, 0, None);
        for &c in &reachable {
            let mut expected = BTreeSet::new();
            for &b in reachable.iter().filter(|&&b| graph[b].len() > 1) {
                for (index, &to) in graph[b].iter().enumerate() {
                    let depends = if returns(graph, to, None) {
                        returns(graph, c, None)
                            && !returns(graph, to, Some(c))
                            && (c == b || returns(graph, b, Some(c)))
                    } else {
                        reach(graph, to, None).contains(&c)
                    };
                    if depends {
                        expected.insert((b, index));
                    }
                }
            }
            let said: BTreeSet<(usize, usize)> = control
                .edges(Block::new(c))
                .iter()
                .map(|edge| (edge.from.index(), edge.index))
                .collect();
            assert_eq!(said, expected, "bb{c} in {graph:?}");
            found += said.len();
        }
    });
    assert!(found > 1_000, "only {found} dependences");
}

#[test]
fn loops_are_what_their_definition_says() {
    let (mut loops_found, mut irreducible) = (0, 0);
    for_each_graph(|graph, func| {
        let dominators = Dominators::new(func);
        let loops = Loops::new(func, &dominators);
        let dominates = |a: usize, b: usize| dominators.dominates(Block::new(a), Block::new(b));
        let reachable = reach(graph, 0, None);
        for &header in &reachable {
            let latches: BTreeSet<usize> = (reachable.iter().copied())
                .filter(|&b| graph[b].contains(&header) && dominates(header, b))
                .collect();
            let id = loops.headed_by(Block::new(header));
            assert_eq!(id.is_some(), !latches.is_empty(), "bb{header} in {graph:?}");
            let Some(data) = id.map(|id| loops.data(id)) else {
                continue;
            };
            loops_found += 1;
            let reaches_latch =
                |b: usize| b == header || !reach(graph, b, Some(header)).is_disjoint(&latches);
            let body: BTreeSet<usize> =
                reachable.iter().copied().filter(|&b| reaches_latch(b)).collect();
            let said: BTreeSet<usize> = data.blocks.iter().map(|b| b.index()).collect();
            // A header of an irreducible graph need not dominate its body.
            if loops.is_reducible() {
                assert_eq!(said, body, "bb{header} in {graph:?}");
                assert!(body.iter().all(|&b| dominates(header, b)));
            }
        }
        irreducible += u32::from(!loops.is_reducible());
        check_order(graph, &loops);
    });
    assert!(loops_found > 500 && irreducible > 50, "{loops_found} loops, {irreducible}");
}

/// Blocks come before their successors, and loops together.
fn check_order(graph: &[Vec<usize>], loops: &Loops) {
    if !loops.is_reducible() {
        return;
    }
    let order = loops.order();
    let position = |block: Block| order.iter().position(|&b| b == block);
    for (n, &block) in order.iter().enumerate() {
        for &to in &graph[block.index()] {
            let forward = position(Block::new(to)) > Some(n);
            assert!(forward || loops.is_back_edge(block, Block::new(to)), "{graph:?} {order:?}");
        }
    }
    for (_, data) in loops.iter() {
        let mut places: Vec<_> = data.blocks.iter().map(|&block| position(block)).collect();
        places.sort_unstable();
        let (first, last) = (places[0].expect("reachable"), places[places.len() - 1]);
        assert_eq!(position(data.header), Some(first));
        assert_eq!(last, Some(first + places.len() - 1), "{graph:?} {order:?}");
    }
}
