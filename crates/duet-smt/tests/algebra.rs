//! The index algebra: files with their verdict, and random conjunctions against
//! enumeration.

mod common;

use common::Rng;
use duet_smt::algebra::{check_refutation, meaning, proof::Fact, refute};
use duet_smt::text::{parse_script, write_script};
use duet_smt::{Op, Sort, TermId, TermPool, mask, to_signed};
use std::path::Path;

/// Every file of `tests/algebra`: `unsat` must be refuted by a proof that the
/// checker accepts, `sat` must not be refuted.
#[test]
fn files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/algebra");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("reads");
        let mut pool = TermPool::new();
        let script = parse_script(&mut pool, &text, true).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = refute(&mut pool, &script.assertions);
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
            Fact::Ge(p) => Fact::Ge(p.plus(-1).expect("fits")),
            Fact::Eq(p) => Fact::Eq(p.plus(1).expect("fits")),
            Fact::Cong(p, m) => Fact::Cong(p.plus(1).expect("fits"), m),
            _ => continue,
        };
        changed += 1;
        assert!(check_refutation(&mut pool, &literals, &bad).is_err(), "{}", bad.explain(&pool));
    }
    assert!(changed > 10);
}

/// Bit-vector terms compiled for fast enumeration; an evaluator of its own.
struct Compiled {
    ops: Vec<(Op, Vec<usize>, u32)>,
    roots: Vec<usize>,
    vars: Vec<usize>,
}

impl Compiled {
    fn new(pool: &TermPool, roots: &[TermId], vars: &[TermId]) -> Self {
        let all = [roots, vars].concat();
        let order = pool.reachable(&all);
        let at = |t: &TermId| order.binary_search(t).expect("reachable");
        let ops = order.iter().map(|&t| {
            let width = pool.sort(t).width().unwrap_or(1);
            (pool.op(t), pool.args(t).iter().map(at).collect(), width)
        });
        Compiled {
            ops: ops.collect(),
            roots: roots.iter().map(at).collect(),
            vars: vars.iter().map(at).collect(),
        }
    }

    /// Whether all roots are true with the variables set to `values`.
    fn holds(&self, values: &[u128], out: &mut Vec<u128>) -> bool {
        out.clear();
        for (i, (op, args, width)) in self.ops.iter().enumerate() {
            let value = match self.vars.iter().position(|&v| v == i) {
                Some(v) => values[v],
                None => self.apply(*op, args, *width, out),
            };
            out.push(value);
        }
        self.roots.iter().all(|&r| out[r] == 1)
    }

    fn apply(&self, op: Op, args: &[usize], width: u32, v: &[u128]) -> u128 {
        let arg = |i: usize| v[args[i]];
        let signed = |i: usize| to_signed(v[args[i]], self.ops[args[i]].2);
        let all = args.iter().map(|&a| v[a]);
        let bits = match op {
            Op::True => 1,
            Op::False => 0,
            Op::BvConst { bits, .. } => bits,
            Op::Not => 1 - arg(0),
            Op::And => all.min().expect("arguments"),
            Op::Or => all.max().expect("arguments"),
            Op::Eq => u128::from(arg(0) == arg(1)),
            Op::Ite => arg(if arg(0) == 1 { 1 } else { 2 }),
            Op::BvNot => !arg(0),
            Op::BvAdd => all.fold(0, u128::wrapping_add),
            Op::BvMul => all.fold(1, u128::wrapping_mul),
            Op::BvAnd => all.fold(u128::MAX, |x, y| x & y),
            Op::BvOr => all.fold(0, |x, y| x | y),
            Op::BvXor => all.fold(0, |x, y| x ^ y),
            Op::BvUdiv => arg(0).checked_div(arg(1)).unwrap_or(mask(width)),
            Op::BvUrem => arg(0).checked_rem(arg(1)).unwrap_or(arg(0)),
            Op::BvSdiv if arg(1) == 0 => if signed(0) < 0 { 1 } else { u128::MAX },
            Op::BvSdiv => (signed(0) / signed(1)) as u128,
            Op::BvSrem if arg(1) == 0 => arg(0),
            Op::BvSrem => (signed(0) % signed(1)) as u128,
            Op::Extract { lo, .. } => arg(0) >> lo,
            Op::Concat => (arg(0) << self.ops[args[1]].2) | arg(1),
            Op::ZeroExtend(_) => arg(0),
            Op::SignExtend(_) => signed(0) as u128,
            Op::Ult => u128::from(arg(0) < arg(1)),
            Op::Ule => u128::from(arg(0) <= arg(1)),
            Op::Slt => u128::from(signed(0) < signed(1)),
            Op::Sle => u128::from(signed(0) <= signed(1)),
            other => unreachable!("{other:?} is not generated"),
        };
        bits & mask(width)
    }

    /// Some assignment under which all roots hold.
    fn model(&self, widths: &[u32]) -> Option<Vec<u128>> {
        let mut values = vec![0u128; widths.len()];
        let mut scratch = Vec::new();
        loop {
            if self.holds(&values, &mut scratch) {
                return Some(values);
            }
            let next = (0..values.len()).find(|&i| values[i] < mask(widths[i]))?;
            values[next] += 1;
            values[..next].fill(0);
        }
    }
}

/// A random conjunction in the style of addresses and bounds.
struct Problem {
    pool: TermPool,
    rng: Rng,
    vars: Vec<TermId>,
    width: u32,
}

impl Problem {
    fn new(seed: u64, width: u32, count: usize) -> Self {
        let mut pool = TermPool::new();
        let vars = (0..count).map(|i| pool.bv_var(&format!("v{i}"), width)).collect();
        Problem { pool, rng: Rng::new(seed), vars, width }
    }

    fn var(&mut self) -> TermId {
        self.rng.pick(&self.vars)
    }

    fn constant(&mut self, width: u32) -> TermId {
        let bits = match self.rng.below(4) {
            0 => self.rng.bits(),
            1 => 1 << self.rng.below(width as usize),
            _ => 1 + self.rng.below(5) as u128,
        };
        self.pool.bv(width, bits)
    }

    /// A sum of products, sometimes divided, masked or resized and back.
    fn index(&mut self) -> TermId {
        let mut sum = self.product();
        for _ in 0..self.rng.below(3) {
            let more = self.product();
            sum = if self.rng.chance(4) { self.pool.bv_sub(sum, more) } else { self.pool.bv_add(sum, more) };
        }
        sum
    }

    fn product(&mut self) -> TermId {
        let a = self.operand();
        match self.rng.below(3) {
            0 => a,
            1 => {
                let c = self.constant(self.width);
                self.pool.bv_mul(a, c)
            }
            _ => {
                let b = self.operand();
                self.pool.bv_mul(a, b)
            }
        }
    }

    fn operand(&mut self) -> TermId {
        let (a, b) = (self.var(), self.var());
        let c = self.constant(self.width);
        match self.rng.below(14) {
            0 => self.pool.bv_udiv(a, c),
            1 => self.pool.bv_urem(a, c),
            2 => self.pool.bv_urem(a, b),
            3 => self.pool.bv_and(a, c),
            4 => self.pool.bv_or(a, b),
            5 => self.pool.bv_srem(a, c),
            6 => self.pool.bv_sdiv(a, b),
            7 => {
                let one = self.pool.bv(self.width, 1);
                self.pool.bv_lshr(a, one)
            }
            8 => self.pool.bv_not(a),
            _ => a,
        }
    }

    /// Both sides wider, by zero or sign, scaled by an element size.
    fn wide(&mut self, t: TermId, signed: bool, scale: u128) -> TermId {
        let t = if signed { self.pool.sign_extend(3, t) } else { self.pool.zero_extend(3, t) };
        let scale = self.pool.bv(self.width + 3, scale);
        self.pool.bv_mul(t, scale)
    }

    fn bound(&mut self) -> TermId {
        let a = if self.rng.chance(4) { self.index() } else { self.var() };
        let b = if self.rng.chance(2) { self.constant(self.width) } else { self.var() };
        match self.rng.below(7) {
            0 => self.pool.ule(a, b),
            1 => self.pool.slt(a, b),
            2 => {
                let zero = self.pool.bv(self.width, 0);
                self.pool.sle(zero, a)
            }
            3 => {
                let (wa, wb) = (self.pool.zero_extend(self.width, a), self.pool.zero_extend(self.width, b));
                let product = self.pool.bv_mul(wa, wb);
                let limit = self.pool.bv(2 * self.width, mask(self.width - self.rng.below(2) as u32));
                self.pool.ule(product, limit)
            }
            _ => self.pool.ult(a, b),
        }
    }

    fn relation(&mut self) -> TermId {
        let (a, b) = (self.index(), self.index());
        match self.rng.below(6) {
            0 => self.pool.ne(a, b),
            1 => {
                let (signed, scale) = (self.rng.chance(2), 1 << self.rng.below(3));
                let (a, b) = (self.wide(a, signed, scale), self.wide(b, signed, scale));
                self.pool.eq(a, b)
            }
            2 => {
                let (c, d) = (self.var(), self.var());
                let (p, q) = (self.pool.ne(a, b), self.pool.ne(c, d));
                self.pool.or(&[p, q])
            }
            3 => {
                let (x, y) = (self.var(), self.var());
                let diff = self.pool.bv_sub(x, a);
                let size = self.pool.bv(self.width, 1 << self.rng.below(3));
                let inside = self.pool.ult(diff, size);
                let ne = self.pool.ne(x, y);
                if self.rng.chance(2) { inside } else { ne }
            }
            _ => self.pool.eq(a, b),
        }
    }

    /// Two copies of an index under bounds, distinct variables: the shape of a
    /// race question.
    fn race(&mut self) -> Vec<TermId> {
        let half = self.vars.len() / 2;
        let index = self.index();
        let vars = self.vars.clone();
        let twin = self.pool.rebuild(&[index], |_, t, _| {
            vars[..half].iter().position(|&v| v == t).map(|i| vars[i + half])
        })[0];
        let mut literals = vec![self.pool.eq(index, twin)];
        let distinct: Vec<TermId> =
            (0..half).map(|i| self.pool.ne(vars[i], vars[i + half])).collect();
        literals.push(self.pool.or(&distinct));
        for i in 0..half {
            let bound = if self.rng.chance(2) { vars[vars.len() - 1] } else { self.constant(self.width) };
            literals.push(self.pool.ult(vars[i], bound));
            literals.push(self.pool.ult(vars[i + half], bound));
        }
        literals
    }

    fn literals(&mut self) -> Vec<TermId> {
        let mut literals = if self.rng.chance(2) && self.vars.len() >= 4 {
            self.race()
        } else {
            (0..1 + self.rng.below(3)).map(|_| self.relation()).collect()
        };
        for _ in 0..1 + self.rng.below(4) {
            literals.push(self.bound());
        }
        literals.retain(|&t| self.pool.op(t) != Op::True);
        literals
    }
}

/// Whatever the algebra refutes has no model, and the checker agrees.
#[test]
fn refuted_conjunctions_have_no_model() {
    let (mut refuted, mut tried) = (0, 0);
    for seed in 0..6000u64 {
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
    eprintln!("{refuted} of {tried} refuted");
    assert!(refuted > 400, "only {refuted} of {tried} refuted");
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
                        c * m.iter().map(|&a| {
                            let data = atoms.table()[a];
                            let bits = eval(&pool, &model, data.term).expect("fits").bits().expect("bits");
                            let Sort::BitVec(w) = pool.sort(data.term) else { unreachable!() };
                            match data.view {
                                View::Signed => to_signed(bits, w),
                                _ => bits as i128,
                            }
                        }).product::<i128>()
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
