//! The integer encoding and the decider against enumeration.

mod common;

use common::problems::{Compiled, Problem};
use duet_smt::solver::{Answer, Limits, ProcessSolver, Query, Solver, SolverKind};
use duet_smt::text::{parse_script, write_script};
use duet_smt::{
    Decider, DeciderOptions, IndexSort, Op, Prefer, Question, Sort, TermPool, holds,
    translate_to_int,
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
    for seed in 0..160u64 {
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
    assert!(definite > 80, "{definite} definite");
    assert!(inexact > 5 && wrapping > 40, "{inexact} inexact, {wrapping} wrapping");
}

/// Whatever the decider says is so, whoever said it.
#[test]
fn the_decider_agrees_with_enumeration() {
    let short = Limits::wall_ms(1500);
    let options = DeciderOptions { first: short, second: Some(short), ..DeciderOptions::default() };
    let mut decider = Decider::new(Box::new(z3()), options);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for seed in 0..250u64 {
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
    assert!(sat > 60 && unsat > 60 && unknown < 10, "{sat} {unsat} {unknown} {by:?}");
    assert_eq!(by.refused_proofs, 0);
    assert!(by.decided.keys().count() >= 3, "{by:?}");
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
    let product = pool.bv_mul(x, y);
    let c = pool.bv(32, 77);
    let literals = [pool.eq(product, c)];
    let options = DeciderOptions { solvers: false, ..DeciderOptions::default() };
    let mut decider = Decider::new(Box::new(z3()), options);
    let question = Question { literals: &literals, ..Question::default() };
    let decision = decider.decide(&mut pool, &question).expect("no solver, no error");
    assert_eq!((decision.answer.word(), decision.by.word()), ("unknown", "nobody"));
    assert!(pool.reachable(&literals).iter().any(|&t| pool.op(t) == Op::BvMul));
}
