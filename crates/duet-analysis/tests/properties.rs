//! Claims of the analyses against runs of random kernels: what is called uniform
//! is equal at the same visit, ranges and strides hold every value, closed forms
//! are exact on every iteration, intervals hold every step.
//!
//! `PROPERTY_RUNS=n` sets the number of kernels for each property.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::trace::{BlockVisit, Trace, record};
use common::{Random, Results, Setting, generator, graph_generator};
use duet_analysis::{Extent, LaunchSpec, SCOPES, Scope, Start};
use duet_interp::{Launch, Status, ThreadPos};
use duet_ir::{Block, Func, Function, InstData, ParamKind, Terminator, Value, WellFormed};

/// A kernel, its analyses and a run of it.
struct Case {
    module: WellFormed,
    id: Func,
    results: Results,
    trace: Trace,
    scalars: [u128; 2],
    what: String,
}

impl Case {
    fn func(&self) -> &Function {
        &self.module.functions[self.id]
    }
}

/// How many kernels each property looks at.
fn runs() -> u64 {
    let given = std::env::var("PROPERTY_RUNS").ok().and_then(|text| text.parse().ok());
    given.unwrap_or(400)
}

/// Calls `check` on random kernels with random launches.
fn for_each_case(salt: u64, mut check: impl FnMut(&Case)) {
    for number in 0..runs() {
        let seed = salt * 1_000_000_007 + number;
        let mut random = Random::new(seed);
        // One in four has no structure at all.
        let (module, id) = match number % 4 {
            0 => graph_generator::kernel(&mut random),
            _ => generator::kernel(&mut random),
        };
        check(&case(module, id, seed, &mut random));
    }
}

fn case(module: WellFormed, id: Func, seed: u64, random: &mut Random) -> Case {
    let (blocks, threads) = match random.below(16) {
        0 | 1 => (1, 34),
        2 => (2, 64),
        _ => (2, 3),
    };
    let scalars = [random.below(12) as u128, random.below(3) as u128 * 0x7fff_fff0];
    let setting = setting(&module.functions[id], blocks, threads, scalars, random);
    let results = Results::new(&module, id, &setting);
    let launch = Launch::linear(blocks, threads);
    let (dominators, loops) = (&results.dominators, &results.loops);
    let trace = record(&module, id, dominators, loops, &launch, scalars, seed);
    let what = format!("seed {seed}, {blocks} blocks of {threads}, {scalars:?}\n{}", *module);
    Case { module, id, results, trace, scalars, what }
}

/// Tells the analyses more or less about the launch.
fn setting(
    func: &Function,
    blocks: u32,
    threads: u32,
    scalars: [u128; 2],
    random: &mut Random,
) -> Setting {
    let mut setting = Setting::default();
    let known = random.below(3);
    setting.uniformity.block_width = (known > 0).then_some(threads);
    match known {
        0 => setting.launch = LaunchSpec::any(),
        1 => setting.launch = LaunchSpec::known([blocks, 1, 1], [threads, 1, 1]),
        _ => setting.launch.block = [threads, 1, 1].map(Extent::Number),
    }
    if random.chance(2) {
        let values = func.scalar_params().map(|param| param.value);
        setting.arguments = values.zip(scalars).collect();
    }
    setting
}

/// The instance of a scope that a thread belongs to.
fn instance(scope: Scope, thread: &ThreadPos) -> (u32, u32) {
    match scope {
        Scope::Warp => (thread.block[0], thread.thread[0] / 32),
        Scope::Block => (thread.block[0], 0),
        Scope::Grid => (0, 0),
    }
}

/// A visit, by instance of a scope.
type Key = ((u32, u32), Block, Vec<u32>);

/// Who makes each visit.
type Visitors<'a> = BTreeMap<Key, Vec<(ThreadPos, &'a BlockVisit)>>;

fn visitors(trace: &Trace, scope: Scope) -> Visitors<'_> {
    let mut map = Visitors::new();
    for (thread, visits) in &trace.threads {
        for visit in visits {
            let key = (instance(scope, thread), visit.block, visit.iterations.clone());
            map.entry(key).or_default().push((*thread, visit));
        }
    }
    map
}

/// Did all threads meet at their barriers? Counting barriers and votes are
/// uniform only then.
fn is_aligned(case: &Case) -> bool {
    case.trace.outcome.status == Status::Finished
}

#[test]
fn uniform_values_are_equal_at_the_same_visit() {
    let (mut compared, mut uniform) = (0u64, 0u64);
    for_each_case(1, |case| {
        let synchronises =
            case.func().insts.values().any(|data| {
                matches!(data, InstData::BarrierReduce { .. } | InstData::Exchange { .. })
            });
        if synchronises && !is_aligned(case) {
            return;
        }
        for scope in SCOPES {
            for ((_, block, _), threads) in visitors(&case.trace, scope) {
                let (first, rest) = threads.split_first().expect("a visit has a visitor");
                let same = uniform_here(case, scope, block);
                for (_, visit) in rest {
                    compare_visits(case, scope, &same, visit, first.1);
                    uniform += same.len() as u64;
                    compared += visit.before.len() as u64;
                }
            }
        }
    });
    assert!(uniform * 10 > compared, "of {compared} pairs only {uniform} were called uniform");
}

/// The places in `Trace::visible` of the values that are uniform at a block.
fn uniform_here(case: &Case, scope: Scope, block: Block) -> Vec<usize> {
    let visible = case.trace.visible[block].iter().enumerate();
    let uniform = &case.results.uniformity;
    let same = visible.filter(|(_, value)| !uniform.may_be_divergent_at(**value, block, scope));
    same.map(|(n, _)| n).collect()
}

/// Two threads' views of one visit.
fn compare_visits(case: &Case, scope: Scope, same: &[usize], a: &BlockVisit, b: &BlockVisit) {
    let uniform = &case.results.uniformity;
    let complain = |value: Value, mine: u128, other: u128| {
        let BlockVisit { block, iterations, .. } = a;
        let what = &case.what;
        panic!(
            "{value} is not uniform in {scope} at {block} {iterations:?}: {mine} and {other}\n{what}\n{uniform}"
        );
    };
    for &n in same {
        if a.before[n] != b.before[n] {
            complain(case.trace.visible[a.block][n], a.before[n], b.before[n]);
        }
    }
    for ((value, mine), (_, other)) in a.results.iter().zip(&b.results) {
        if mine != other && !uniform.may_be_divergent(*value, scope) {
            complain(*value, *mine, *other);
        }
    }
}

#[test]
fn uniform_blocks_are_visited_by_all_or_none() {
    let mut checked = 0u64;
    for_each_case(2, |case| {
        if !is_aligned(case) {
            return;
        }
        for scope in SCOPES {
            let mut members: BTreeMap<(u32, u32), BTreeSet<ThreadPos>> = BTreeMap::new();
            for thread in case.trace.threads.keys() {
                if case.trace.returned(case.func(), thread) {
                    members.entry(instance(scope, thread)).or_default().insert(*thread);
                }
            }
            for ((group, block, iterations), threads) in visitors(&case.trace, scope) {
                let all = members.entry(group).or_default();
                let here: BTreeSet<ThreadPos> =
                    threads.iter().map(|(t, _)| *t).filter(|t| all.contains(t)).collect();
                if here.is_empty() || case.results.uniformity.may_be_divergent_block(block, scope) {
                    continue;
                }
                assert!(
                    here == *all,
                    "{block} is called uniform in {scope}, but {iterations:?} is visited by {here:?} \
                     only\n{}\n{}",
                    case.what,
                    case.results.uniformity
                );
                checked += 1;
            }
        }
    });
    assert!(checked > 50 * runs(), "only {checked} visits of uniform blocks");
}

#[test]
fn uniform_branches_go_one_way() {
    let mut checked = 0u64;
    for_each_case(3, |case| {
        if !is_aligned(case) {
            return;
        }
        for scope in SCOPES {
            let mut next: BTreeMap<Key, Block> = BTreeMap::new();
            for (thread, visits) in &case.trace.threads {
                for pair in visits.windows(2) {
                    let (block, iterations) = (pair[0].block, pair[0].iterations.clone());
                    let key = (instance(scope, thread), block, iterations);
                    let to = *next.entry(key).or_insert(pair[1].block);
                    if !case.results.uniformity.may_be_divergent_branch(block, scope) {
                        assert_eq!(to, pair[1].block, "from {block} in {scope}\n{}", case.what);
                        checked += 1;
                    }
                }
            }
        }
    });
    assert!(checked > 100 * runs(), "only {checked} uniform branches");
}

#[test]
fn ranges_strides_and_powers_hold_every_value() {
    let (mut checked, mut informative) = (0u64, 0u64);
    for_each_case(4, |case| {
        let Results { ranges, strides, powers, .. } = &case.results;
        for (thread, visit) in
            case.trace.threads.iter().flat_map(|(t, visits)| visits.iter().map(move |v| (t, v)))
        {
            let block = visit.block;
            let before = case.trace.before(visit).map(|(v, bits)| (v, bits, ranges.at(v, block)));
            let results = visit.results.iter().map(|&(v, bits)| (v, bits, ranges.of(v)));
            for (value, bits, range) in before.chain(results) {
                let (stride, what) = (strides.of(value), &case.what);
                if let Some(range) = range {
                    assert!(
                        range.contains(bits),
                        "{value} is {bits} at {block} in {thread:?}, not in {range}\n{what}\n{ranges}"
                    );
                    informative += u64::from(!range.is_full());
                }
                assert!(
                    stride.contains(bits),
                    "{value} is {bits}, not {stride}\n{what}\n{strides}"
                );
                let power = bits == 0 || bits.is_power_of_two();
                assert!(power || !powers.is_power_or_zero(value), "{value} is {bits}\n{what}");
                checked += 1;
            }
        }
    });
    assert!(informative * 4 > checked, "of {checked} ranges only {informative} say something");
}

/// The bits of a value that does not change in a loop, as a thread last computed
/// it before its visit number `at`.
fn value_before(case: &Case, visits: &[BlockVisit], at: usize, value: Value) -> u128 {
    let constant = case.func().const_bits(value).or_else(|| argument(case, value));
    let found = constant.or_else(|| case.trace.value(&visits[at], value)).or_else(|| {
        visits[..at].iter().rev().find_map(|visit| {
            let result = visit.results.iter().find(|(v, _)| *v == value);
            result.map(|(_, bits)| *bits).or_else(|| case.trace.value(visit, value))
        })
    });
    found.expect("an invariant value is computed before it counts")
}

#[test]
fn closed_forms_are_exact_and_iterations_are_bounded() {
    let (mut checked, mut exact) = (0u64, 0u64);
    for_each_case(5, |case| {
        for visits in case.trace.threads.values() {
            let mut entries: BTreeMap<Block, usize> = BTreeMap::new();
            for (at, visit) in visits.iter().enumerate() {
                let Some(id) = case.results.loops.headed_by(visit.block) else {
                    continue;
                };
                let iteration = *visit.iterations.last().expect("a header is in its loop");
                if let Some(most) = case.results.iterations.get(id).max_trips {
                    assert!(
                        u128::from(iteration) <= most,
                        "iteration {iteration} of {most}\n{}",
                        case.what
                    );
                }
                if iteration == 0 {
                    entries.insert(visit.block, at);
                }
                checked += check_header(case, visits, at, entries[&visit.block]);
            }
            exact += check_exact(case, visits);
        }
    });
    assert!(checked > 20 * runs(), "only {checked} values with a closed form");
    assert!(exact > runs() / 4, "only {exact} loops with an exact count");
}

/// Compares the parameters of a header with their closed forms.
fn check_header(case: &Case, visits: &[BlockVisit], at: usize, entry: usize) -> u64 {
    let (func, forms, visit) = (case.func(), &case.results.forms, &visits[at]);
    let iteration = *visit.iterations.last().expect("a header is in its loop");
    let init = |param| case.trace.value(&visits[entry], param).expect("a parameter");
    let invariant = |value| value_before(case, visits, at, value);
    let mut checked = 0;
    for &param in &func.blocks[visit.block].params {
        if let Some(bits) = forms.evaluate(param, iteration.into(), &init, &invariant) {
            let now = case.trace.value(visit, param).expect("bound");
            let what = &case.what;
            assert!(bits == now, "{param} is {now} at {iteration}, not {bits}\n{what}\n{forms}");
            checked += 1;
        }
    }
    checked
}

/// The bits of a scalar argument.
fn argument(case: &Case, value: Value) -> Option<u128> {
    let scalar = |param: &duet_ir::Param| param.kind == ParamKind::Scalar(value);
    case.func().params.iter().position(scalar).map(|n| case.scalars[n])
}

/// Loops that a thread left after another number of iterations than computed.
fn check_exact(case: &Case, visits: &[BlockVisit]) -> u64 {
    let loops = &case.results.loops;
    let mut checked = 0;
    for pair in visits.windows(2) {
        for id in loops.around(pair[0].block) {
            let Some(iterations) = case.results.iterations.get(id).exact else {
                continue;
            };
            let halts = matches!(case.func().blocks[pair[1].block].terminator, Terminator::Halt);
            if !loops.contains(id, pair[1].block) && !halts {
                let depth = loops.data(id).depth as usize - 1;
                let made = u128::from(pair[0].iterations[depth]);
                assert_eq!(made, iterations, "{id}\n{}\n{}", case.what, case.results.iterations);
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn intervals_hold_every_step() {
    let mut checked = 0u64;
    for_each_case(6, |case| {
        let func = case.func();
        for intervals in &case.results.intervals {
            for visits in case.trace.threads.values() {
                // The last visit may have stopped at a barrier.
                let (_, whole) = visits.split_last().expect("a thread visits the entry");
                let mut open = intervals.starting_at(Start::Entry).expect("the entry's");
                for visit in whole {
                    for (index, &inst) in func.blocks[visit.block].insts.iter().enumerate() {
                        let next = intervals.starting_at(Start::Barrier(inst));
                        if let Some(next) = next.filter(|next| next.for_every_pair) {
                            assert!(
                                open.ends.contains(&inst),
                                "{inst}\n{}\n{intervals}",
                                case.what
                            );
                            open = next;
                            checked += 1;
                            continue;
                        }
                        assert!(
                            open.contains(visit.block, index),
                            "{inst} at {}.{index} is not in {open}\n{}\n{intervals}",
                            visit.block,
                            case.what
                        );
                    }
                }
            }
        }
    });
    assert!(checked > runs(), "only {checked} barriers passed");
}

#[test]
fn the_next_barrier_is_foreseen() {
    let mut checked = 0u64;
    for_each_case(7, |case| {
        let func = case.func();
        for intervals in case.results.intervals.iter().filter(|set| set.space().is_none()) {
            for (thread, visits) in &case.trace.threads {
                let mut next = None;
                let mut known = case.trace.returned(func, thread);
                // The last visit may have stopped at a barrier.
                for visit in visits.iter().rev().skip(1) {
                    for &inst in func.blocks[visit.block].insts.iter().rev() {
                        let start = intervals.starting_at(Start::Barrier(inst));
                        if start.is_some_and(|start| start.for_every_pair) {
                            (next, known) = (Some(inst), true);
                        }
                    }
                    let (barriers, may_return) = intervals.may_come_next(func, visit.block, 0);
                    let foreseen = next.map_or(may_return, |next| barriers.contains(&next));
                    assert!(foreseen || !known, "{next:?}\n{}\n{intervals}", case.what);
                    checked += u64::from(known);
                }
            }
        }
    });
    assert!(checked > 100 * runs(), "only {checked} points");
}
