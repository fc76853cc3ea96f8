//! The index algebra: files with their verdict, and random conjunctions against
//! enumeration.

mod common;

use common::problems::{Compiled, Problem};
use duet_smt::algebra::{
    check_refutation, meaning, proof::Fact, proof::Rule, refute, refute_within,
};
use duet_smt::text::{parse_script, write_script};
use duet_smt::{Op, Sort, TermPool, to_signed};
use std::path::Path;

/// What the decider lets the algebra spend where symbols are multiplied.
const FUEL_FOR_PRODUCTS: u32 = 60_000;

/// Every file of `tests/algebra`: `unsat` must be refuted by a proof that the
/// checker accepts, `sat` must not be refuted.
#[test]
fn files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/algebra");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("reads");
        let mut pool = TermPool::new();
        let script = parse_script(&mut pool, &text, true).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = refute_within(&mut pool, &script.assertions, FUEL_FOR_PRODUCTS);
        if let Some(refutation) = &found {
            let checked = check_refutation(&mut pool, &script.assertions, refutation);
            assert_eq!(checked, Ok(()), "{name}\n{}", refutation.explain(&pool));
        }
        match (script.status.as_deref(), found.is_some()) {
            (Some("unsat"), true) | (Some("sat"), false) => {}
            other => wrong.push((name, other.0.map(str::to_string), other.1)),
        }
    }
    assert!(paths.len() > 20);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn explanations_name_the_bounds_that_exclude_wrapping() {
    let text = include_str!("algebra/mixed-radix-2.smt2");
    let mut pool = TermPool::new();
    let script = parse_script(&mut pool, text, true).expect("reads");
    let refutation = refute(&mut pool, &script.assertions).expect("refuted");
    let explained = refutation.explain(&pool);
    for rule in ["no wrap", "mixed radix", "contradiction"] {
        assert!(explained.contains(rule), "{explained}");
    }
    assert_eq!(refutation.used_literals().len(), script.assertions.len());
}

/// A proof is a proof only of the literals it was made for, and only unchanged.
#[test]
fn the_checker_rejects_changed_proofs() {
    let text = include_str!("algebra/mixed-radix-2.smt2");
    let mut pool = TermPool::new();
    let script = parse_script(&mut pool, text, true).expect("reads");
    let literals = script.assertions;
    let refutation = refute(&mut pool, &literals).expect("refuted");
    for without in 0..literals.len() {
        let mut fewer = literals.clone();
        fewer.remove(without);
        assert!(check_refutation(&mut pool, &fewer, &refutation).is_err(), "without {without}");
    }
    let ids: Vec<_> = refutation.steps.keys().collect();
    let mut changed = 0;
    for &id in &ids {
        let mut bad = refutation.clone();
        bad.steps[id].fact = match bad.steps[id].fact.clone() {
            // Further than any slack of the bounds.
            Fact::Ge(p) => Fact::Ge(p.plus(-(1 << 70)).expect("fits")),
            Fact::Eq(p) => Fact::Eq(p.plus(1).expect("fits")),
            Fact::Cong(p, m) => Fact::Cong(p.plus(1).expect("fits"), m),
            _ => continue,
        };
        changed += 1;
        assert!(check_refutation(&mut pool, &literals, &bad).is_err(), "{}", bad.explain(&pool));
    }
    assert!(changed > 10);
}

/// A conjunction that does not hold has a false part: none of them may be left out.
#[test]
fn the_checker_wants_all_parts_of_what_does_not_hold() {
    let text = include_str!("algebra/not-all.smt2");
    let mut pool = TermPool::new();
    let literals = parse_script(&mut pool, text, true).expect("reads").assertions;
    let refutation = refute(&mut pool, &literals).expect("refuted");
    let ids: Vec<_> = refutation.steps.keys().collect();
    let split = ids.into_iter().find(|&id| refutation.steps[id].rule == Rule::DeMorgan);
    let split = split.expect("the rule was needed");
    let Fact::Holds(either) = refutation.steps[split].fact else { panic!("a term") };
    let parts = pool.args(either).to_vec();
    assert!(parts.len() > 1);
    for left_out in 0..parts.len() {
        let mut fewer = parts.clone();
        fewer[left_out] = parts[(left_out + 1) % parts.len()];
        let mut bad = refutation.clone();
        bad.steps[split].fact = Fact::Holds(pool.raw(Op::Or, &fewer));
        assert!(check_refutation(&mut pool, &literals, &bad).is_err(), "without {left_out}");
    }
}

/// Whatever the algebra refutes has no model, and the checker agrees.
/// `DUET_ALGEBRA_SEEDS=100000` looks at more, best with `--release`.
#[test]
fn refuted_conjunctions_have_no_model() {
    let seeds = std::env::var("DUET_ALGEBRA_SEEDS").ok().and_then(|n| n.parse().ok());
    let seeds: u64 = seeds.unwrap_or(300);
    let (mut refuted, mut tried) = (0u64, 0u64);
    for seed in 0..seeds {
        let (width, count) = [(4, 3), (3, 4), (5, 2), (2, 5), (6, 2), (3, 5)][seed as usize % 6];
        let mut problem = Problem::new(seed + 1, width, count);
        let literals = problem.literals();
        if literals.iter().any(|&t| problem.pool.op(t) == Op::False) {
            continue;
        }
        tried += 1;
        let Some(refutation) = refute(&mut problem.pool, &literals) else { continue };
        refuted += 1;
        let checked = check_refutation(&mut problem.pool, &literals, &refutation);
        let explain = || {
            let script = write_script(&problem.pool, &literals, "");
            format!("seed {seed}\n{script}\n{}", refutation.explain(&problem.pool))
        };
        assert_eq!(checked, Ok(()), "{}", explain());
        let compiled = Compiled::new(&problem.pool, &literals, &problem.vars);
        let model = compiled.model(&vec![width; count]);
        assert_eq!(model, None, "{}", explain());
    }
    assert!(refuted > seeds / 20, "only {refuted} of {tried} refuted");
}

/// The axioms hold for random values.
#[test]
fn axioms_hold() {
    use duet_smt::algebra::proof::View;
    use duet_smt::{Model, Value, eval};
    let mut checked = 0;
    for seed in 0..400u64 {
        let mut problem = Problem::new(seed + 99, 5, 3);
        let term = problem.index();
        let mut pool = problem.pool;
        let mut atoms = meaning::Atoms::default();
        let mut facts: Vec<Fact> = Vec::new();
        let mut divided = Vec::new();
        for t in pool.reachable(&[term]) {
            facts.extend(meaning::definitions(&pool, &mut atoms, t));
            facts.extend(meaning::bit_bounds(&pool, &mut atoms, t));
            facts.extend(meaning::sign_links(&pool, &mut atoms, t).into_iter().flatten());
            facts.extend(meaning::middle(&mut pool, &mut atoms, t));
            for k in 1..5 {
                facts.extend(meaning::split(&mut pool, &mut atoms, t, k));
            }
            divided.extend(meaning::division(&mut pool, &mut atoms, t));
        }
        for _ in 0..20 {
            let mut model = Model::new();
            for &v in &problem.vars {
                let Op::Apply(f) = pool.op(v) else { unreachable!() };
                model.set(f, Value::bv(5, problem.rng.bits()));
            }
            let value = |p: &duet_smt::algebra::poly::Poly| -> i128 {
                p.terms()
                    .map(|(m, c)| {
                        c * m
                            .iter()
                            .map(|&a| {
                                let data = atoms.table()[a];
                                let bits = eval(&pool, &model, data.term)
                                    .expect("fits")
                                    .bits()
                                    .expect("bits");
                                let Sort::BitVec(w) = pool.sort(data.term) else { unreachable!() };
                                match data.view {
                                    View::Signed => to_signed(bits, w),
                                    _ => bits as i128,
                                }
                            })
                            .product::<i128>()
                    })
                    .sum()
            };
            let holds = |fact: &Fact| match fact {
                Fact::Eq(p) => value(p) == 0,
                Fact::Ge(p) => value(p) >= 0,
                Fact::Ne(p) => value(p) != 0,
                Fact::Cong(p, m) => value(p) % m == 0,
                _ => unreachable!("no axiom"),
            };
            for fact in &facts {
                checked += 1;
                assert!(holds(fact), "seed {seed}: {fact:?}");
            }
            for d in &divided {
                if d.needs.iter().all(|p| value(p) >= 0) {
                    assert!(d.gives.iter().all(&holds), "seed {seed}: {:?}", d.gives);
                }
            }
        }
    }
    assert!(checked > 20_000);
}
