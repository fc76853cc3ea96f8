//! What the walks of two threads have in common, and which facts hold where.

use std::collections::BTreeSet;

use duet_analysis::Loops;
use duet_ir::{IntCc, Module, WellFormed, check_well_formed};
use duet_product::{FactsOptions, KernelFacts, PairProgram, Region};
use duet_smt::{Op, TermId, TermPool};
use duet_vc::{
    Candidate, Encoder, Expr, Extent, Geometry, Invariants, Kernel, LaunchSpec, Sharing, Side,
    Source, Start, Walk, argument_name,
};

fn parse(text: &str) -> WellFormed {
    let module = Module::parse(text).expect("a module");
    check_well_formed(module).expect("a well-formed module")
}

fn spec(block: [Extent; 3]) -> LaunchSpec {
    let grid = [Extent::Number(4), Extent::Number(1), Extent::Number(1)];
    LaunchSpec { block, grid, global_offset: [0; 3], work_dim: 1, most_threads: 1024 }
}

const SMALL: [Extent; 3] = [Extent::Number(64), Extent::Number(1), Extent::Number(1)];

/// Walks a region, chosen by `region`, for threads with the given names.
fn walk<const N: usize>(
    module: &WellFormed,
    pool: &mut TermPool,
    sides: [Side; N],
    invariants: &dyn Fn(&Loops) -> Invariants,
    region: &dyn Fn(&PairProgram) -> Region,
) -> [Walk; N] {
    let (kernel, _) = module.kernels().next().expect("a kernel");
    let options = FactsOptions {
        launch: LaunchSpec::any(),
        arguments: Default::default(),
        may_alias: false,
        warp_sync: None,
    };
    let facts = KernelFacts::new(module, kernel, &options);
    let geometry = Geometry::new(pool, &spec(SMALL));
    let region = region(&facts.program);
    let sharing = Sharing { tag: "test", ..Sharing::nothing() };
    let invariants = invariants(&facts.loops);
    let in_range = Default::default();
    let kernel =
        Kernel { facts: &facts, geometry: &geometry, private_arrays: true, in_range: &in_range };
    sides.map(|side| {
        let thread = geometry.thread(pool, side, None);
        let start = Start { before: None };
        Encoder::walk(kernel, pool, &thread, &region, &sharing, &invariants, start)
    })
}

fn alone(program: &PairProgram) -> Region {
    program.alone.clone()
}

fn nothing(_: &Loops) -> Invariants {
    Invariants::default()
}

/// The names of the symbols in all terms of a walk.
fn symbols(pool: &TermPool, walk: &Walk) -> BTreeSet<String> {
    let mut roots: Vec<TermId> = walk.values.values().copied().collect();
    roots.extend(walk.memory.values().flat_map(|memory| memory.arrays.values()));
    roots.extend(walk.reach.values());
    let terms = pool.reachable(&roots);
    let name = |term: TermId| match pool.op(term) {
        Op::Apply(func) => Some(pool.func_data(func).name.clone()),
        _ => None,
    };
    terms.into_iter().filter_map(name).collect()
}

/// Everything of which a thread knows nothing: uninitialised values, atomics,
/// exchanges, barriers, loops, loads of written, unwritten and shared arrays.
const UNKNOWNS: &str = "
module cuda 64
array @in global param granule 4
array @out global param granule 4
array @s shared local granule 4 size 256
array @never shared local granule 4 size 256
array @own private local granule 4 size 16
kernel k symbol k (in: @in, out: @out, n: i32 v90 \"n\") {
bb0:
  v0 = fresh i32 \"uninitialised\"
  v1 = atomic add device i32 @out[0], 1 align 4
  v2 = load i32 @in[0] align 4
  v3 = load i32 @s[0] align 4
  v4 = load i32 @never[0] align 4
  v5 = load i32 @own[0] align 4
  store i32 @s[4], 1 align 4
  v6 = barrier_reduce count v0
  v7 = load i32 @s[0] align 4
  jump bb1(i32 0, v2)
bb1(i32 v10 \"i\", i32 v11 \"x\"):
  v12 = icmp slt i32 v10, v90
  br v12, bb2, bb3
bb2:
  v13 = add i32 v10, 1
  v14 = mul i32 v11, 3
  v15 = udiv i32 v14, v11
  jump bb1(v13, v15)
bb3:
  return
}
";

#[test]
fn threads_share_only_what_is_common_to_the_launch() {
    let module = parse(UNKNOWNS);
    let mut pool = TermPool::new();
    let [first, second] = walk(&module, &mut pool, [Side::First, Side::Second], &nothing, &alone);
    let (first, second) = (symbols(&pool, &first), symbols(&pool, &second));
    let common: Vec<&String> = first.intersection(&second).collect();
    assert_eq!(common, ["arg:n", "contents:in"]);
    assert!(first.len() > 8, "{first:?}");
}

#[test]
fn two_unknowns_of_a_thread_are_two_symbols() {
    let module = parse(UNKNOWNS);
    let mut pool = TermPool::new();
    let [walk] = walk(&module, &mut pool, [Side::Alone], &nothing, &alone);
    let (_, func) = module.kernels().next().expect("a kernel");
    let results = func.insts.keys().flat_map(|inst| func.results_of[inst].clone());
    let unknown: Vec<TermId> = results
        .filter_map(|value| walk.values.iter().find(|((_, known), _)| *known == value))
        .map(|(_, &term)| term)
        .filter(|&term| matches!(pool.op(term), Op::Apply(_)) && pool.args(term).is_empty())
        .collect();
    let distinct: BTreeSet<TermId> = unknown.iter().copied().collect();
    assert_eq!(unknown.len(), distinct.len());
    assert!(unknown.len() >= 3, "fresh, atomic and barrier_reduce");
}

#[test]
fn later_assumptions() {
    let module = parse(
        "
module cuda 64
array @a global param granule 4
kernel k symbol k (a: @a, c: i1 v90 \"c\") {
bb0:
  store i32 @a[0], 1 align 4
  annotation assume (v90)
  store i32 @a[0], 2 align 4
  return
}
",
    );
    let mut pool = TermPool::new();
    let [walk] = walk(&module, &mut pool, [Side::Alone], &nothing, &alone);
    let facts: Vec<usize> = walk.sites.iter().map(|site| walk.facts_at(site.at).len()).collect();
    assert_eq!(facts, [0, 1]);
}

/// A loop with a barrier that most iterations skip.
const SKIPPED: &str = "
module cuda 64
kernel k symbol k (n: i32 v90 \"n\", c: i1 v91 \"c\") {
bb0:
  jump bb1(i32 0)
bb1(i32 v1 \"i\"):
  v2 = icmp slt i32 v1, v90
  br v2, bb2, bb5
bb2:
  br v91, bb3, bb4
bb3:
  barrier block 3
  jump bb4
bb4:
  v5 = add i32 v1, 1
  jump bb1(v5)
bb5:
  return
}
";

/// SOUNDNESS: kernels/soundness/02-cut-after-passes.
#[test]
fn values_on_arrival_by_a_back_edge_are_not_those_on_entry() {
    let module = parse(SKIPPED);
    let not_below = |loops: &Loops| {
        let mut invariants = Invariants::default();
        for (id, _) in loops.iter() {
            let expr = Expr::compare(IntCc::Sge, Expr::Param(0), Expr::Initial(0));
            invariants.add(id, Candidate { source: Source::Rule("test"), expr });
        }
        invariants
    };
    let from_entry =
        |program: &PairProgram| program.rows[0].families[0].intervals[0].region.clone();
    let mut pool = TermPool::new();
    let [entered] = walk(&module, &mut pool, [Side::Alone], &not_below, &alone);
    let [passed] = walk(&module, &mut pool, [Side::Alone], &not_below, &from_entry);
    assert_eq!((entered.headers.len(), entered.assumptions.len()), (1, 1));
    assert_eq!((passed.headers.len(), passed.assumptions.len()), (1, 0));
}

/// What the loop computes is another value at each visit.
#[test]
fn values_of_the_loop_are_not_expressible() {
    let module = parse(UNKNOWNS);
    let (_, func) = module.kernels().next().expect("a kernel");
    let header = func.layout[1];
    let inside = func.results_of[func.blocks[func.layout[2]].insts[0]][0];
    let before = func.results_of[func.blocks[func.layout[0]].insts[0]][0];
    let about = |value| {
        move |loops: &Loops| {
            let mut invariants = Invariants::default();
            let id = loops.headed_by(header).expect("a loop");
            let expr = Expr::compare(IntCc::Eq, Expr::Param(0), Expr::Value(value));
            invariants.add(id, Candidate { source: Source::Rule("test"), expr });
            invariants
        }
    };
    let mut pool = TermPool::new();
    for (value, expressible) in [(before, true), (inside, false)] {
        let [walk] = walk(&module, &mut pool, [Side::Alone], &about(value), &alone);
        let edges = walk.headers[0].edges.iter();
        let claims: Vec<bool> =
            edges.flat_map(|edge| &edge.claims).map(|(_, claim)| claim.is_some()).collect();
        assert_eq!(claims, [expressible, expressible]);
    }
}

/// A table of functions that is read twice holds the same function; in another
/// thread the same number may stand for another private array.
#[test]
fn a_number_stands_for_one_pointer_of_a_thread() {
    let module = parse(
        "
module cuda 64
array @table global param granule 8
kernel k symbol k (table: @table) {
bb0:
  v1 = load i64 @table[8] align 8
  v2, v3 = int_to_ptr v1
  v4 = load i64 @table[8] align 8
  v5, v6 = int_to_ptr v4
  v7 = load i64 @table[0] align 8
  v8, v9 = int_to_ptr v7
  return
}
",
    );
    let mut pool = TermPool::new();
    let [first, second] = walk(&module, &mut pool, [Side::First, Side::Second], &nothing, &alone);
    let (_, func) = module.kernels().next().expect("a kernel");
    let pointers: Vec<duet_ir::Value> = func.blocks[func.layout[0]]
        .insts
        .iter()
        .filter_map(|&inst| match func.results_of[inst][..] {
            [array, _] => Some(array),
            _ => None,
        })
        .collect();
    let term = |walk: &Walk, value| {
        let found = walk.values.iter().find(|((_, known), _)| *known == value);
        *found.expect("it was walked").1
    };
    assert_eq!(term(&first, pointers[0]), term(&first, pointers[1]));
    assert_ne!(term(&first, pointers[0]), term(&first, pointers[2]));
    assert_ne!(term(&first, pointers[0]), term(&second, pointers[0]));
}

#[test]
fn arguments_of_one_name_are_told_apart() {
    let module = parse(
        "
module cuda 64
kernel k symbol k (t.z: i32 v1 \"t.z\", t.z: i32 v2 \"t.z\", n: i32 v3 \"n\") {
bb0:
  return
}
",
    );
    let (_, func) = module.kernels().next().expect("a kernel");
    let names: BTreeSet<String> =
        func.scalar_params().map(|param| argument_name(func, param.value)).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.contains("arg:n"));
}

#[test]
fn numbers_of_threads_do_not_wrap() {
    let mut pool = TermPool::new();
    let huge = [Extent::Number(65536), Extent::Number(65537), Extent::Number(1)];
    for (block, width) in [(SMALL, 32), (huge, 96)] {
        let geometry = Geometry::new(&mut pool, &spec(block));
        let thread = geometry.thread(&mut pool, Side::Alone, None);
        let flat = thread.flat(&mut pool, &geometry);
        assert_eq!(pool.width(flat), width);
    }
}
