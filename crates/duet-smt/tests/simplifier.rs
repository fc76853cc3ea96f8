//! The simplifying constructors against the evaluator, and their normal forms.

mod common;

use common::{Grower, Rng, some_model};
use duet_smt::text::{parse_script, write_script};
use duet_smt::{Model, Op, Sort, TermPool, Value, eliminate_arrays, eval, eval_all, holds};

/// Random terms have the same value as written and as simplified.
#[test]
fn simplified_terms_evaluate_as_written() {
    let mut checked = 0;
    for seed in 0..1500 {
        let mut pool = TermPool::new();
        let widths: &[u32] = [&[4u32, 8][..], &[1, 3], &[32, 64], &[128, 5]][seed as usize % 4];
        let mut grower = Grower::new(&mut pool, seed + 1, widths);
        for _ in 0..60 {
            grower.step();
        }
        let (twins, funcs) = (grower.twins.clone(), grower.funcs());
        let mut rng = Rng::new(seed + 77);
        for _ in 0..6 {
            let model = some_model(&mut rng, &pool, &funcs);
            let roots: Vec<_> = twins.iter().flat_map(|t| [t.raw, t.mk]).collect();
            let Ok(values) = eval_all(&pool, &model, &roots) else { continue };
            for t in &twins {
                checked += 1;
                if values[&t.raw] != values[&t.mk] {
                    let text = |r| write_script_of(&mut pool.clone(), r);
                    panic!(
                        "seed {seed}: {:?} became {:?}\nfrom {}\nto {}\nunder {model:?}",
                        values[&t.raw],
                        values[&t.mk],
                        text(t.raw),
                        text(t.mk)
                    );
                }
            }
        }
    }
    assert!(checked > 300_000, "only {checked} comparisons");
}

fn write_script_of(pool: &mut TermPool, t: duet_smt::TermId) -> String {
    let eq = pool.raw(Op::Eq, &[t, t]);
    write_script(pool, &[eq], "")
}

/// What is printed and read back is the same term.
#[test]
fn text_form_round_trips() {
    for seed in 0..300 {
        let mut pool = TermPool::new();
        let mut grower = Grower::new(&mut pool, seed + 5000, &[4, 7, 32]);
        for _ in 0..50 {
            grower.step();
        }
        let twins = grower.twins.clone();
        let bools: Vec<_> =
            twins.iter().map(|t| t.raw).filter(|&t| pool.sort(t) == Sort::Bool).collect();
        let text = write_script(&pool, &bools, "round trip");
        let script =
            parse_script(&mut pool, &text, false).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(script.assertions, bools, "seed {seed}");
        let mut other = TermPool::new();
        let again = parse_script(&mut other, &text, false).expect("reads into a fresh pool");
        assert_eq!(write_script(&other, &again.assertions, "round trip"), text, "seed {seed}");
    }
}

#[test]
fn names_of_the_theory_are_free_for_users() {
    let mut pool = TermPool::new();
    let vars: Vec<_> = ["select", "and", "bvadd", "v!and", "d!0", "a b", "x", "let"]
        .iter()
        .map(|name| pool.bool_var(name))
        .collect();
    let all = pool.raw(Op::And, &vars);
    let text = write_script(&pool, &[all], "");
    let script = parse_script(&mut pool, &text, false).expect("reads");
    assert_eq!(script.assertions, [all], "{text}");
}

#[test]
fn reader_reports_and_never_panics() {
    let good = "(declare-const x (_ BitVec 8))(assert (bvult x #x05))";
    let mut rng = Rng::new(3);
    let alphabet: Vec<char> = "()|\"; x#_bv8 assert let declare-const".chars().collect();
    for _ in 0..3000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(text.len());
            if rng.chance(2) {
                text[at] = rng.pick(&alphabet);
            } else {
                text.remove(at);
            }
        }
        let text: String = text.into_iter().collect();
        let _ = parse_script(&mut TermPool::new(), &text, true);
    }
    for bad in
        ["(assert (bvadd x x))", "(assert #x05)", "(assert", ")", "(assert ((_ extract 9 0) #x05))"]
    {
        assert!(parse_script(&mut TermPool::new(), bad, true).is_err(), "{bad}");
    }
}

/// A chain of doublings has exponentially many paths and linear text.
#[test]
fn text_is_linear_in_shared_terms() {
    let mut pool = TermPool::new();
    let mut t = pool.bv_var("x", 32);
    for _ in 0..2000 {
        t = pool.raw(Op::BvMul, &[t, t]);
    }
    let zero = pool.bv(32, 0);
    let root = pool.raw(Op::Eq, &[t, zero]);
    let text = write_script(&pool, &[root], "");
    assert!(text.len() < 2000 * 80, "{} bytes", text.len());
    assert_eq!(eval(&pool, &Model::new(), root), Ok(Value::Bool(true)));
}

/// Each line: a term, and the normal form expected.
#[test]
fn normal_forms() {
    let cases = [
        ("(= (bvsub (bvadd x #x01) x) #x01)", "true"),
        ("(= (bvsub (bvadd x y) y) x)", "true"),
        ("(= (bvadd x #x01) (bvadd y #x01))", "(= x y)"),
        ("(= (bvmul #x02 x) #x03)", "false"),
        ("(= (bvmul #x03 x) #x06)", "(= x #x02)"),
        ("(= (bvshl x #x02) (bvmul x #x04))", "true"),
        ("(= (bvand x #x0f) (bvurem x #x10))", "true"),
        ("(= (bvlshr x #x04) (bvudiv x #x10))", "true"),
        ("(= (bvadd (bvnot x) x) #xff)", "true"),
        ("(= (bvxor x y x) y)", "true"),
        ("(not (bvult x y))", "(bvule y x)"),
        ("(bvult ((_ zero_extend 8) x) #x0100)", "true"),
        ("(bvslt ((_ zero_extend 8) x) #x0000)", "false"),
        ("(= ((_ sign_extend 8) x) ((_ sign_extend 8) y))", "(= x y)"),
        ("(= ((_ zero_extend 8) x) #x0105)", "false"),
        ("(= (concat ((_ extract 7 4) x) ((_ extract 3 0) x)) x)", "true"),
        (
            "(= ((_ extract 7 0) (bvadd ((_ sign_extend 8) x) ((_ sign_extend 8) y))) (bvadd x y))",
            "true",
        ),
        ("(bvult (bvadd (bvmul #x10 x) (bvmul #xf0 y)) #x10)", "(= (bvmul #x10 x) (bvmul #x10 y))"),
        ("(bvult (bvadd (bvmul #x10 x) #x04) #x04)", "false"),
        ("(bvult (bvadd (bvmul #x10 x) #x04) #x08)", "(= (bvmul #x10 x) #x00)"),
        ("(and p (not p))", "false"),
        ("(ite p (ite p q false) false)", "(and p q)"),
        ("(= (ite p #x01 #x00) #x01)", "p"),
        ("(< (+ i 1) (+ i 2))", "true"),
        ("(= (* 2 i) 5)", "false"),
        ("(<= (* 4 i) 7)", "(<= i 1)"),
        ("(= (select (store a x y) x) y)", "true"),
        ("(= (select (store a x y) (bvadd x #x01)) (select a (bvadd x #x01)))", "true"),
    ];
    for (term, expected) in cases {
        let mut pool = TermPool::new();
        let prelude = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))\
            (declare-const p Bool)(declare-const q Bool)(declare-const i Int)\
            (declare-const a (Array (_ BitVec 8) (_ BitVec 8)))";
        let text = format!("{prelude}(assert {term})(assert {expected})");
        let script = parse_script(&mut pool, &text, true).expect(term);
        let found = write_script(&pool, &script.assertions[..1], "");
        assert_eq!(script.assertions[0], script.assertions[1], "{term} became {found}");
    }
}

/// Memory overlays without arrays have the same models.
#[test]
fn array_elimination_keeps_meaning() {
    for seed in 0..200u64 {
        let mut pool = TermPool::new();
        let mut rng = Rng::new(seed + 900);
        let sort = Sort::Array { index: duet_smt::IndexSort::BitVec(3), element: 4 };
        let mut arrays = vec![pool.constant("a", sort), pool.constant("b", sort)];
        let indices: Vec<_> = ["i", "j", "k"].iter().map(|n| pool.bv_var(n, 3)).collect();
        let mut elements = vec![pool.bv_var("v", 4), pool.bv(4, 3)];
        for _ in 0..12 {
            let (a, i) = (rng.pick(&arrays), rng.pick(&indices));
            match rng.below(3) {
                0 => {
                    let v = rng.pick(&elements);
                    arrays.push(pool.store(a, i, v));
                }
                1 => {
                    let c = pool.eq(i, indices[0]);
                    let b = rng.pick(&arrays);
                    arrays.push(pool.ite(c, a, b));
                }
                _ => elements.push(pool.select(a, i)),
            }
        }
        let last = *elements.last().expect("elements");
        let root = pool.eq(last, elements[0]);
        let flat = eliminate_arrays(&mut pool, &[root]).expect("no array escapes");
        let below = pool.reachable(&flat.terms);
        assert!(below.iter().all(|&t| !matches!(pool.op(t), Op::Select | Op::Store)));
        let funcs: Vec<_> = below
            .iter()
            .filter_map(|&t| match pool.op(t) {
                Op::Apply(f) => Some(f),
                _ => None,
            })
            .collect();
        let mut model = some_model(&mut rng, &pool, &funcs);
        let before = holds(&pool, &model, &flat.terms);
        flat.restore(&pool, &mut model);
        assert_eq!(holds(&pool, &model, &[root]), before, "seed {seed}");
    }
}
