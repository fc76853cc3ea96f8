//! The integer encoding and the decider against enumeration.

mod common;

use common::problems::{Compiled, Problem};
use duet_smt::solver::{Answer, Limits, ProcessSolver, Query, Solver, SolverKind};
use duet_smt::text::{parse_script, write_script};
use duet_smt::{
    Decider, DeciderOptions, IndexSort, Op, Prefer, Question, Sort, TermId, TermPool, Value, holds,
    repaired_model, translate_to_int,
};

fn z3() -> ProcessSolver {
    ProcessSolver::find(SolverKind::Z3, None).expect("z3 is installed")
}

const SHAPES: [(u32, usize); 5] = [(4, 3), (3, 4), (5, 2), (2, 5), (6, 2)];

/// Sat and unsat of the integers are sat and unsat of the bit-vectors.
#[test]
fn integers_agree_with_bit_vectors() {
    let mut solver = z3();
    let (mut definite, mut inexact, mut wrapping) = (0, 0, 0);
    for seed in 0..120u64 {
        let (width, count) = SHAPES[seed as usize % SHAPES.len()];
        let mut problem = Problem::new(seed + 40_000, width, count);
        let literals = problem.literals();
        let compiled = Compiled::new(&problem.pool, &literals, &problem.vars);
        let expected = compiled.model(&vec![width; count]);
        let translation = translate_to_int(&mut problem.pool, &literals).expect("no arrays");
        inexact += u32::from(!translation.exact);
        wrapping += u32::from(!translation.may_wrap.is_empty());
        solver.reset();
        translation.assertions.iter().for_each(|&t| solver.assert(t));
        let query = Query { limits: Limits::wall_ms(400), ..Query::new(&[]) };
        let answer = solver.check(&problem.pool, &query).expect("z3 runs");
        let script = || write_script(&problem.pool, &literals, &format!("seed {seed}"));
        match answer {
            Answer::Unsat => assert_eq!(expected, None, "{}", script()),
            Answer::Sat(model) if translation.exact => {
                let model = translation.restore(&problem.pool, &model);
                assert!(expected.is_some(), "{}", script());
                assert!(holds(&problem.pool, &model, &literals), "{}", script());
            }
            Answer::Sat(_) | Answer::Unknown(_) => continue,
        }
        definite += 1;
    }
    assert!(definite > 60, "{definite} definite");
    assert!(inexact > 4 && wrapping > 30, "{inexact} inexact, {wrapping} wrapping");
}

/// The evaluator and the printer mean what z3 means: under fixed values of the
/// variables no term differs from what the evaluator says.
#[test]
fn the_evaluator_agrees_with_z3() {
    let mut solver = z3();
    for seed in 0..40u64 {
        let mut pool = TermPool::new();
        let widths: &[u32] = [&[4u32, 7][..], &[1, 3], &[32, 64], &[128, 5]][seed as usize % 4];
        let mut grower = common::Grower::new(&mut pool, seed + 31, widths);
        for _ in 0..40 {
            grower.step();
        }
        let (twins, funcs) = (grower.twins.clone(), grower.funcs());
        let model = common::some_model(&mut common::Rng::new(seed + 9), &pool, &funcs);
        let divides = |t| matches!(pool.op(t), Op::IntDiv | Op::IntMod);
        let mut terms: Vec<TermId> = twins.iter().map(|t| t.raw).collect();
        // Integer division by zero is any function to z3, and a fixed one here.
        terms.retain(|&t| !pool.reachable(&[t]).into_iter().any(divides));
        let mut wrong = Vec::new();
        for &t in &terms {
            let Ok(value) = duet_smt::eval(&pool, &model, t) else { continue };
            let constant = match value {
                Value::Bool(b) => pool.bool(b),
                Value::Bv { width, bits } => pool.bv(width, bits),
                Value::Int(n) => pool.int(n),
                other => unreachable!("{other:?}"),
            };
            let same = pool.raw(Op::Eq, &[t, constant]);
            if pool.args(t).is_empty() {
                solver.assert(same);
            } else {
                wrong.push(pool.raw(Op::Not, &[same]));
            }
        }
        let no = pool.ff();
        wrong.extend([no, no]);
        let any = pool.raw(Op::Or, &wrong);
        let query = Query { limits: Limits::wall_ms(5000), ..Query::new(&[]) };
        let alone = solver.check(&pool, &query).expect("z3 runs");
        assert_eq!(alone.word(), "sat", "seed {seed}: the values themselves");
        solver.assert(any);
        let answer = solver.check(&pool, &query).expect("z3 runs");
        assert_eq!(answer, Answer::Unsat, "seed {seed}: {:?}", solver.last_problem());
        solver.reset();
    }
}

/// Whatever the decider says is so, whoever said it.
#[test]
fn the_decider_agrees_with_enumeration() {
    let short = Limits::units(15_000_000);
    let options = DeciderOptions { first: short, second: Some(short), ..DeciderOptions::default() };
    let mut decider = Decider::new(Box::new(z3()), options);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for seed in 0..100u64 {
        let (width, count) = SHAPES[seed as usize % SHAPES.len()];
        let mut problem = Problem::new(seed + 70_000, width, count);
        let literals = problem.literals();
        let compiled = Compiled::new(&problem.pool, &literals, &problem.vars);
        let expected = compiled.model(&vec![width; count]);
        let prefer = [Prefer::Auto, Prefer::Bits, Prefer::Integers][seed as usize % 3];
        let question = Question { literals: &literals, prefer, ..Question::default() };
        let decision = decider.decide(&mut problem.pool, &question).expect("z3 runs");
        let script = || write_script(&problem.pool, &literals, &format!("seed {seed}"));
        match decision.answer {
            Answer::Unsat => {
                unsat += 1;
                assert_eq!(expected, None, "{:?}\n{}", decision.by.word(), script());
            }
            Answer::Sat(model) => {
                sat += 1;
                assert!(holds(&problem.pool, &model, &literals), "{}", script());
            }
            Answer::Unknown(_) => unknown += 1,
        }
    }
    let by = decider.statistics();
    assert!(sat > 25 && unsat > 25 && unknown < 6, "{sat} {unsat} {unknown} {by:?}");
    assert_eq!(by.refused_proofs, 0);
    assert!(by.decided.keys().count() >= 3, "{by:?}");
}

/// A sum, choice or widening of what a function yields for small indices.
fn random_data(pool: &mut TermPool, rng: &mut common::Rng, indices: &[TermId]) -> TermId {
    let read = pool.func("data", &[Sort::BitVec(3)], Sort::BitVec(4));
    let mut parts = vec![];
    for _ in 0..1 + rng.below(3) {
        let index = rng.pick(indices);
        let value = pool.apply(read, &[index]);
        let constant = pool.bv(4, rng.below(16) as u128);
        let is_low = pool.compare().ult(index, indices[0]);
        parts.push(match rng.below(4) {
            0 => pool.ite(is_low, value, constant),
            1 => constant,
            _ => value,
        });
    }
    pool.bits().sum(&parts)
}

/// Data as integers beside indices as bits: the answers are those of bit-vectors.
#[test]
fn data_as_integers_agree_with_bit_vectors() {
    let options = DeciderOptions { algebra: false, second: None, ..DeciderOptions::default() };
    let mut decider = Decider::new(Box::new(z3()), options);
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..80u64 {
        let (mut pool, mut rng) = (TermPool::new(), common::Rng::new(seed + 5));
        let (i, j) = (pool.bv_var("i", 3), pool.bv_var("j", 3));
        let both = pool.bits().xor(i, j);
        let mut literals = vec![pool.compare().ult(i, j)];
        for _ in 0..3 + rng.below(4) {
            let [a, b] = [0, 1].map(|_| random_data(&mut pool, &mut rng, &[i, j, both]));
            let [wide_a, wide_b] = [a, b].map(|term| pool.bits().zero_extend(4, term));
            let literal = match rng.below(4) {
                0 => pool.eq(a, b),
                1 => pool.ne(a, b),
                2 => pool.compare().ult(a, b),
                _ => {
                    let (sum, most) = (pool.bits().add(wide_a, wide_b), pool.bv(8, 15));
                    pool.compare().ule(sum, most)
                }
            };
            literals.push(literal);
        }
        let mut answer = |prefer| {
            let question = Question { literals: &literals, prefer, ..Question::default() };
            decider.decide(&mut pool, &question).expect("z3 runs").answer.word()
        };
        let (bits, data) = (answer(Prefer::Bits), answer(Prefer::Data));
        assert_eq!(bits, data, "seed {seed}: {}", write_script(&pool, &literals, "data"));
        sat += u32::from(data == "sat");
        unsat += u32::from(data == "unsat");
    }
    assert!(sat > 15 && unsat > 15, "{sat} {unsat}");
    let by = &decider.statistics().decided;
    assert!(by.get("data").is_some_and(|&count| count > 15), "{by:?}");
}

/// A sum of two numbers may be less than both.
#[test]
fn sums_of_data_wrap_in_the_translation() {
    let mut pool = TermPool::new();
    let read = pool.func("data", &[Sort::BitVec(3)], Sort::BitVec(32));
    let (i, zero) = (pool.bv_var("i", 3), pool.bv(32, 0));
    let not_i = pool.bits().not(i);
    let [a, b] = [i, not_i].map(|index| pool.apply(read, &[index]));
    let sum = pool.bits().add(a, b);
    let literals = [pool.eq(sum, zero), pool.ne(a, zero)];
    let options = DeciderOptions { second: None, ..DeciderOptions::default() };
    let mut decider = Decider::new(Box::new(z3()), options);
    let question = Question { literals: &literals, prefer: Prefer::Data, ..Question::default() };
    let decision = decider.decide(&mut pool, &question).expect("z3 runs");
    assert_eq!(decision.answer.word(), "sat");
    let fits = pool.compare().ule(a, sum);
    let literals = [&literals[..], &[fits]].concat();
    let question = Question { literals: &literals, prefer: Prefer::Data, ..Question::default() };
    let decision = decider.decide(&mut pool, &question).expect("z3 runs");
    assert_eq!(decision.answer, Answer::Unsat);
}

/// Symbolic sizes: the integers decide what bit-vectors cannot, algebra off.
#[test]
fn symbolic_products_are_decided_as_integers() {
    let text = include_str!("algebra/mixed-radix-2.smt2");
    let mut pool = TermPool::new();
    let script = parse_script(&mut pool, text, true).expect("reads");
    let options = DeciderOptions { algebra: false, second: None, ..DeciderOptions::default() };
    let mut decider = Decider::new(Box::new(z3()), options);
    let question = Question { literals: &script.assertions, ..Question::default() };
    let decision = decider.decide(&mut pool, &question).expect("z3 runs");
    assert_eq!((decision.answer, decision.by.word()), (Answer::Unsat, "integers"));
    assert_eq!(decision.may_wrap, [], "the literals bound both sums");
}

#[test]
fn models_of_memories_come_back_as_arrays() {
    let mut pool = TermPool::new();
    let sort = Sort::Array { index: IndexSort::BitVec(32), element: 8 };
    let a = pool.constant("a", sort);
    let (i, j) = (pool.bv_var("i", 32), pool.bv_var("j", 32));
    let seven = pool.bv(8, 7);
    let stored = pool.store(a, i, seven);
    let (before, after) = (pool.select(a, j), pool.select(stored, j));
    let nine = pool.bv(8, 9);
    let literals = vec![pool.eq(before, nine), pool.ne(after, nine)];
    let mut decider = Decider::new(Box::new(z3()), DeciderOptions::default());
    let question = Question { literals: &literals, ..Question::default() };
    let decision = decider.decide(&mut pool, &question).expect("z3 runs");
    let Answer::Sat(model) = decision.answer else { panic!("{:?}", decision.by) };
    assert!(holds(&pool, &model, &literals));
    let distinct = pool.ne(i, j);
    let literals = [literals, vec![distinct]].concat();
    let question = Question { literals: &literals, ..Question::default() };
    let decision = decider.decide(&mut pool, &question).expect("z3 runs");
    assert_eq!(decision.answer, Answer::Unsat);
}

/// With no solver allowed nothing is claimed.
#[test]
fn without_solvers_the_rest_is_unknown() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.bv_var("x", 32), pool.bv_var("y", 32));
    let product = pool.bits().mul(x, y);
    let c = pool.bv(32, 77);
    let literals = [pool.eq(product, c)];
    let options = DeciderOptions { solvers: false, ..DeciderOptions::default() };
    let mut decider = Decider::new(Box::new(z3()), options);
    let question = Question { literals: &literals, ..Question::default() };
    let decision = decider.decide(&mut pool, &question).expect("no solver, no error");
    assert_eq!((decision.answer.word(), decision.by.word()), ("unknown", "nobody"));
    assert!(pool.reachable(&literals).iter().any(|&t| pool.op(t) == Op::BvMul));
}

/// What is found by mending zeros satisfies every literal, and is found for most small
/// conjunctions that have a model.
#[test]
fn what_repair_finds_is_a_model() {
    let (mut found, mut possible) = (0, 0);
    for seed in 0..400u64 {
        let mut problem = Problem::new(seed + 1, 4, 3);
        let literals = problem.literals();
        let compiled = Compiled::new(&problem.pool, &literals, &problem.vars);
        let is_possible = compiled.model(&[4; 3]).is_some();
        possible += u32::from(is_possible);
        if let Some(model) = repaired_model(&problem.pool, &literals) {
            found += 1;
            assert!(is_possible, "seed {seed}: no assignment is a model");
            assert!(holds(&problem.pool, &model, &literals), "seed {seed}");
        }
    }
    assert!(found * 2 > possible, "only {found} of {possible}");
}
