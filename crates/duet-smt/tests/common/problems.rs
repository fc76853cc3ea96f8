//! Random conjunctions in the style of address questions, and their models by
//! enumeration.

use super::Rng;
use duet_smt::{Op, TermId, TermPool, mask, to_signed};

/// Bit-vector terms compiled for fast enumeration; an evaluator of its own.
pub struct Compiled {
    ops: Vec<(Op, Vec<usize>, u32)>,
    roots: Vec<usize>,
    pub vars: Vec<usize>,
}

impl Compiled {
    pub fn new(pool: &TermPool, roots: &[TermId], vars: &[TermId]) -> Self {
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
    pub fn holds(&self, values: &[u128], out: &mut Vec<u128>) -> bool {
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
            Op::BvSdiv if arg(1) == 0 => {
                if signed(0) < 0 {
                    1
                } else {
                    u128::MAX
                }
            }
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
    pub fn model(&self, widths: &[u32]) -> Option<Vec<u128>> {
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
pub struct Problem {
    pub pool: TermPool,
    pub rng: Rng,
    pub vars: Vec<TermId>,
    pub width: u32,
}

impl Problem {
    pub fn new(seed: u64, width: u32, count: usize) -> Self {
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
    pub fn index(&mut self) -> TermId {
        let mut sum = self.product();
        for _ in 0..self.rng.below(3) {
            let more = self.product();
            sum = if self.rng.chance(4) {
                self.pool.bits().sub(sum, more)
            } else {
                self.pool.bits().add(sum, more)
            };
        }
        sum
    }

    fn product(&mut self) -> TermId {
        let a = self.operand();
        match self.rng.below(3) {
            0 => a,
            1 => {
                let c = self.constant(self.width);
                self.pool.bits().mul(a, c)
            }
            _ => {
                let b = self.operand();
                self.pool.bits().mul(a, b)
            }
        }
    }

    fn operand(&mut self) -> TermId {
        let (a, b) = (self.var(), self.var());
        let c = self.constant(self.width);
        match self.rng.below(15) {
            0 => self.pool.bits().udiv(a, c),
            1 => self.pool.bits().urem(a, c),
            2 => self.pool.bits().urem(a, b),
            3 => self.pool.bits().and(a, c),
            4 => self.pool.bits().or(a, b),
            5 => self.pool.bits().srem(a, c),
            6 => self.pool.bits().sdiv(a, b),
            7 => {
                let one = self.pool.bv(self.width, 1);
                self.pool.bits().lshr(a, one)
            }
            8 => self.pool.bits().not(a),
            9 => {
                let less = self.pool.compare().ult(a, b);
                self.pool.ite(less, a, c)
            }
            _ => a,
        }
    }

    /// Both sides wider, by zero or sign, scaled by an element size.
    fn wide(&mut self, t: TermId, signed: bool, scale: u128) -> TermId {
        let t = if signed {
            self.pool.bits().sign_extend(3, t)
        } else {
            self.pool.bits().zero_extend(3, t)
        };
        let scale = self.pool.bv(self.width + 3, scale);
        self.pool.bits().mul(t, scale)
    }

    fn bound(&mut self) -> TermId {
        let a = if self.rng.chance(4) { self.index() } else { self.var() };
        let b = if self.rng.chance(2) { self.constant(self.width) } else { self.var() };
        match self.rng.below(7) {
            0 => self.pool.compare().ule(a, b),
            1 => self.pool.compare().slt(a, b),
            2 => {
                let zero = self.pool.bv(self.width, 0);
                self.pool.compare().sle(zero, a)
            }
            3 => {
                let (wa, wb) = (
                    self.pool.bits().zero_extend(self.width, a),
                    self.pool.bits().zero_extend(self.width, b),
                );
                let product = self.pool.bits().mul(wa, wb);
                let limit =
                    self.pool.bv(2 * self.width, mask(self.width - self.rng.below(2) as u32));
                self.pool.compare().ule(product, limit)
            }
            _ => self.pool.compare().ult(a, b),
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
                let diff = self.pool.bits().sub(x, a);
                let size = self.pool.bv(self.width, 1 << self.rng.below(3));
                let inside = self.pool.compare().ult(diff, size);
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
            let bound =
                if self.rng.chance(2) { vars[vars.len() - 1] } else { self.constant(self.width) };
            literals.push(self.pool.compare().ult(vars[i], bound));
            literals.push(self.pool.compare().ult(vars[i + half], bound));
        }
        literals
    }

    /// A conjunction, without literals that are plainly true.
    pub fn literals(&mut self) -> Vec<TermId> {
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
