//! Helpers of the tests: a small generator of random numbers, random terms and
//! random assignments.
#![allow(dead_code)] // Each test binary uses its own part.

pub mod problems;

use duet_smt::{FuncId, Model, Op, Sort, TermId, TermPool, Value};

/// A xorshift generator: the same numbers on every run.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn bits(&mut self) -> u128 {
        (u128::from(self.next()) << 64) | u128::from(self.next())
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// An interesting bit pattern: small, near the top, a power of two, or random.
pub fn some_bits(rng: &mut Rng, width: u32) -> u128 {
    let top = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    top & match rng.below(5) {
        0 => rng.below(4) as u128,
        1 => top.wrapping_sub(rng.below(3) as u128),
        2 => 1 << rng.below(width as usize),
        3 => (1 << rng.below(width as usize)) - 1,
        _ => rng.bits(),
    }
}

pub fn some_value(rng: &mut Rng, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.chance(2)),
        Sort::BitVec(width) => Value::bv(width, some_bits(rng, width)),
        Sort::Int => Value::Int(rng.below(21) as i128 - 10),
        Sort::Named(_) => Value::Named(rng.below(3) as u32),
        Sort::Array { .. } => Value::zero(sort),
    }
}

pub fn some_model(rng: &mut Rng, pool: &TermPool, funcs: &[FuncId]) -> Model {
    let mut model = Model::new();
    for &f in funcs {
        let data = pool.func_data(f).clone();
        if data.args.is_empty() {
            model.set(f, some_value(rng, data.result));
            continue;
        }
        for _ in 0..4 {
            let args = data.args.iter().map(|&s| some_value(rng, s)).collect();
            model.set_at(f, args, some_value(rng, data.result));
        }
    }
    model
}

/// A pair of terms: as written, and through the simplifying constructors.
#[derive(Clone, Copy, Debug)]
pub struct Twin {
    pub raw: TermId,
    pub mk: TermId,
}

/// Grows random twins of mixed sorts from a few variables.
pub struct Grower<'a> {
    pub pool: &'a mut TermPool,
    pub rng: Rng,
    pub twins: Vec<Twin>,
}

impl<'a> Grower<'a> {
    pub fn new(pool: &'a mut TermPool, seed: u64, widths: &[u32]) -> Self {
        let mut grower = Grower { pool, rng: Rng::new(seed), twins: Vec::new() };
        for &width in widths {
            for name in ["x", "y", "z"] {
                let v = grower.pool.bv_var(&format!("{name}{width}"), width);
                grower.twins.push(Twin { raw: v, mk: v });
            }
        }
        for name in ["p", "q"] {
            let v = grower.pool.bool_var(name);
            grower.twins.push(Twin { raw: v, mk: v });
        }
        for name in ["m", "n"] {
            let v = grower.pool.int_var(name);
            grower.twins.push(Twin { raw: v, mk: v });
        }
        grower
    }

    pub fn funcs(&self) -> Vec<FuncId> {
        let all = self.pool.reachable(&self.twins.iter().map(|t| t.raw).collect::<Vec<_>>());
        let mut funcs: Vec<FuncId> = all
            .iter()
            .filter_map(|&t| match self.pool.op(t) {
                Op::Apply(f) => Some(f),
                _ => None,
            })
            .collect();
        funcs.sort_unstable();
        funcs.dedup();
        funcs
    }

    /// A twin of the sort: mostly an existing one, sometimes a constant.
    fn of_sort(&mut self, sort: Sort) -> Twin {
        let fits: Vec<Twin> =
            self.twins.iter().copied().filter(|t| self.pool.sort(t.raw) == sort).collect();
        if fits.is_empty() || self.rng.chance(5) {
            let c = match sort {
                Sort::BitVec(width) => {
                    let bits = some_bits(&mut self.rng, width);
                    self.pool.bv(width, bits)
                }
                Sort::Int => {
                    let n = self.rng.below(9) as i128 - 4;
                    self.pool.int(n)
                }
                _ => {
                    let value = self.rng.chance(2);
                    self.pool.bool(value)
                }
            };
            return Twin { raw: c, mk: c };
        }
        let recent = fits.len().saturating_sub(8);
        if self.rng.chance(2) { self.rng.pick(&fits[recent..]) } else { self.rng.pick(&fits) }
    }

    pub fn apply(&mut self, op: Op, args: &[Twin]) -> Option<Twin> {
        let raw: Vec<TermId> = args.iter().map(|t| t.raw).collect();
        let mk: Vec<TermId> = args.iter().map(|t| t.mk).collect();
        self.pool.check_sorts(op, &raw).ok()?;
        let twin = Twin { raw: self.pool.raw(op, &raw), mk: self.pool.mk(op, &mk) };
        self.twins.push(twin);
        Some(twin)
    }

    /// Adds one random application.
    pub fn step(&mut self) {
        use Op::*;
        const BV2: &[Op] = &[
            BvAdd, BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvAnd, BvOr, BvXor, BvShl,
            BvLshr, BvAshr, Concat, Ult, Ule, Slt, Sle, Eq,
        ];
        const INT2: &[Op] = &[IntAdd, IntMul, IntDiv, IntMod, IntLe, Eq];
        match self.rng.below(10) {
            0 => {
                let op = self.rng.pick(&[And, Or]);
                let n = 2 + self.rng.below(2);
                let args: Vec<Twin> = (0..n).map(|_| self.of_sort(Sort::Bool)).collect();
                self.apply(op, &args);
            }
            1 => {
                let op = self.rng.pick(&[Not, Eq]);
                let (a, b) = (self.of_sort(Sort::Bool), self.of_sort(Sort::Bool));
                let args = [a, b];
                self.apply(op, if op == Not { &args[..1] } else { &args });
            }
            2 => {
                let c = self.of_sort(Sort::Bool);
                let a = self.rng.below(self.twins.len());
                let a = self.twins[a];
                let b = self.of_sort(self.pool.sort(a.raw));
                self.apply(Ite, &[c, a, b]);
            }
            3 => {
                let op = self.rng.pick(INT2);
                let (a, b) = (self.of_sort(Sort::Int), self.of_sort(Sort::Int));
                self.apply(op, &[a, b]);
            }
            4 | 5 => self.resize(),
            _ => {
                let Some(sort) = self.some_bv_sort() else { return };
                let op = self.rng.pick(BV2);
                let (a, b) = (self.of_sort(sort), self.of_sort(sort));
                self.apply(op, &[a, b]);
            }
        }
    }

    fn some_bv_sort(&mut self) -> Option<Sort> {
        let i = self.rng.below(self.twins.len());
        let sort = self.pool.sort(self.twins[i].raw);
        sort.width().map(|_| sort)
    }

    fn resize(&mut self) {
        let Some(sort) = self.some_bv_sort() else { return };
        let width = sort.width().expect("a bit-vector");
        let a = self.of_sort(sort);
        let by = 1 + self.rng.below(8) as u32;
        let lo = self.rng.below(width as usize) as u32;
        let hi = lo + self.rng.below((width - lo) as usize) as u32;
        let op = match self.rng.below(4) {
            0 => Op::ZeroExtend(by),
            1 => Op::SignExtend(by),
            2 => Op::Extract { hi, lo },
            _ => Op::BvNot,
        };
        self.apply(op, &[a]);
    }
}
