//! Properties of regions: every path of the kernel from the start of an interval to
//! its end is a path of the region, edges lead forward, and a back edge that leads
//! to a cut header comes from the visit that this header stands for.

use std::collections::BTreeSet;

use duet_analysis::{Dominators, LaunchSpec, Loop, Loops, Ranges};
use duet_ir::{Block, Function, Module, Terminator, check_well_formed};
use duet_product::{Interval, Masks, Node, PairProgram, Region, Settings, Start, Successor};

/// Two loops, one in the other, with a barrier inside that may be skipped,
/// and the exits tested first. SOUNDNESS: kernels/soundness/01-loop-entered-again.
const NESTED: &str = "
module cuda 64
kernel k symbol k (c: i1 v9 \"c\", d: i1 v8 \"d\") {
bb0:
  jump bb1
bb1:
  br v9, bb9, bb2
bb2:
  br v9, bb7, bb3
bb3:
  br v8, bb4, bb5
bb4:
  barrier block 3
  jump bb5
bb5:
  jump bb2
bb7:
  jump bb1
bb9:
  return
}
";

/// A loop without a barrier inside one with a barrier, and one after the other.
const MIXED: &str = "
module cuda 64
kernel k symbol k (c: i1 v9 \"c\", d: i1 v8 \"d\") {
bb0:
  jump bb1
bb1:
  br v9, bb2, bb6
bb2:
  br v8, bb2, bb3
bb3:
  br v8, bb4, bb5
bb4:
  barrier block 3
  jump bb5
bb5:
  br v9, bb1, bb1
bb6:
  br v8, bb7, bb8
bb7:
  barrier block 3
  br v9, bb6, bb8
bb8:
  return
}
";

fn with_program(text: &str, check: impl Fn(&Function, &Loops, &PairProgram)) {
    let module = check_well_formed(Module::parse(text).expect("a module")).expect("well formed");
    let (_, func) = module.kernels().next().expect("a kernel");
    let dominators = Dominators::new(func);
    let loops = Loops::new(func, &dominators);
    let launch = LaunchSpec::default();
    let ranges = Ranges::new(func, &dominators, &loops, &launch, &Default::default());
    check(
        func,
        &loops,
        &PairProgram::new(func, &loops, &Settings::of_masks(&Masks::new(func, &ranges))),
    );
}

fn intervals(program: &PairProgram) -> impl Iterator<Item = &Interval> {
    program.rows.iter().flat_map(|row| &row.families).flat_map(|family| &family.intervals)
}

fn regions(program: &PairProgram) -> impl Iterator<Item = &Region> {
    let prefixes = intervals(program).filter_map(|interval| interval.prefix.as_ref());
    intervals(program)
        .map(|interval| &interval.region)
        .chain(prefixes.map(|prefix| &prefix.region))
        .chain([&program.alone])
}

#[test]
fn edges_lead_forward() {
    for text in [NESTED, MIXED] {
        with_program(text, |_, _, program| {
            for region in regions(program) {
                let place = |node: Node| region.order.iter().position(|&other| other == node);
                for &node in &region.order {
                    for successor in &region.nodes[node].successors {
                        if let Successor::Node(next) = successor {
                            assert!(place(node) < place(*next), "{node} -> {next}");
                        }
                    }
                }
            }
        });
    }
}

/// The copies of the loop's header that lead to a node without leaving the loop.
fn headers_behind(loops: &Loops, region: &Region, id: Loop, from: Node) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        let data = &region.nodes[node];
        if !seen.insert(node) || !loops.contains(id, data.block) {
            continue;
        }
        match data.block == loops.data(id).header {
            true => drop(found.insert(node)),
            false => open.extend(data.predecessors.iter().map(|(before, _)| *before)),
        }
    }
    found
}

#[test]
fn a_cut_stands_for_the_visit_that_the_back_edge_ends() {
    for text in [NESTED, MIXED] {
        with_program(text, |_, loops, program| {
            for region in regions(program) {
                for &node in &region.order {
                    for successor in &region.nodes[node].successors {
                        let Successor::Cut(header) = successor else { continue };
                        let id = region.nodes[*header].cut.expect("a cut header");
                        let behind = headers_behind(loops, region, id, node);
                        assert_eq!(behind, BTreeSet::from([*header]), "back from {node}");
                    }
                }
            }
        });
    }
}

#[test]
fn every_path_is_walked() {
    for text in [NESTED, MIXED] {
        with_program(text, |func, _, program| {
            for interval in intervals(program) {
                for seed in 1..200 {
                    follow(func, interval, seed);
                }
            }
        });
    }
}

/// Goes a random way through the kernel and the region at once, until the region
/// says that the interval ends.
fn follow(func: &Function, interval: &Interval, mut seed: u64) {
    let region = &interval.region;
    let mut node = region.root();
    let mut block: Block = region.nodes[node].block;
    for _ in 0..60 {
        let data = &region.nodes[node];
        assert_eq!(data.block, block);
        if data.finish.is_some() {
            return;
        }
        assert!(!matches!(func.blocks[block].terminator, Terminator::Return(_)));
        let ways: Vec<Block> = func.successors(block).collect();
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let way = (seed >> 33) as usize % ways.len();
        block = ways[way];
        node = match data.successors[way] {
            Successor::Node(next) | Successor::Cut(next) => next,
            Successor::Outside => panic!("{} leads out of the region", data.block),
        };
    }
}

#[test]
fn an_interval_ends_only_at_barriers_of_its_family() {
    with_program(NESTED, |func, _, program| {
        let grid = program.rows.last().expect("the row of the grid");
        for interval in grid.families.iter().flat_map(|family| &family.intervals) {
            assert_eq!(interval.start, Start::Entry);
            let inside = interval.region.nodes.values().map(|data| data.end - data.first);
            let all = func.layout.iter().map(|&block| func.blocks[block].insts.len());
            assert_eq!(inside.sum::<usize>(), all.sum::<usize>());
        }
    });
}

/// The header of a loop with a barrier that is reached at once, and again after more
/// blocks than a region walks concretely.
fn long_detour() -> String {
    let mut text = "
module cuda 64
kernel k symbol k (c: i1 v9 \"c\") {
bb0:
  br v9, bb1, bb3
bb1:
  br v9, bb2, bb9999
bb2:
  barrier block 3
  jump bb1
"
    .to_string();
    for block in 3..2200 {
        text += &format!("bb{block}:\n  jump bb{}\n", block + 1);
    }
    text + "bb2200:\n  jump bb1\nbb9999:\n  return\n}\n"
}

#[test]
fn a_header_is_once_in_a_context_of_a_full_region() {
    with_program(&long_detour(), |func, _, program| {
        let header = func.layout[1];
        let region = &intervals(program).next().expect("an interval").region;
        assert!(region.nodes.len() > 2048, "it is not full: {}", region.nodes.len());
        let copies = region.nodes.values().filter(|node| node.block == header);
        let contexts: Vec<_> = copies.map(|node| node.context).collect();
        let different: BTreeSet<_> = contexts.iter().collect();
        assert_eq!(different.len(), contexts.len(), "{contexts:?}");
    });
}
