//! Data as integers, indices as bit-vectors.
//!
//! Sums of what is read from memory are hard for solvers on bit-vectors, and so are shifted
//! and masked indices on integers. Where the two do not meet, each is left to what suits it:
//! a bit-vector term becomes an integer term for its *unsigned value* if neither it nor
//! anything that it is compared, chosen or added with is an index or an operand of a bit
//! operation; all else stays as it is.
//!
//! Terms fall into classes: operands and result of a sum, of a choice, of a widening and of
//! an equality or unsigned comparison are of one class, and so are all results of one
//! function. A class is *data* if something in it was read (a function was applied), and no
//! term of it is an argument of a function or takes part in any other operation. Constants
//! are of no class.
//!
//! *Soundness.* A model of the literals gives a model of the translation: take unsigned values
//! for data, and for each sum the quotient that occurs. So `unsat` of the translation is
//! `unsat` of the literals. Every result of a function and every sum has its range as an
//! assertion, so the other direction holds too. A sum that is left without its quotient
//! (`wraps` below) would be another number
//! (test `sums_of_data_wrap_in_the_translation`).
//!
//! *Cost.* One quotient and two inequalities per sum that may wrap by its width.

use crate::bv_to_int::IntTranslation;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{FuncId, Sort, TermId, mask, to_signed};
use rustc_hash::{FxHashMap, FxHashSet};

/// Widths above this are no data.
const MAX_DATA_WIDTH: u32 = 96;

/// Translates a conjunction of array-free literals; `None` if it adds up nothing that was
/// read, or if arrays are left.
pub(crate) fn translate_data(pool: &mut TermPool, literals: &[TermId]) -> Option<IntTranslation> {
    let order = pool.reachable(literals);
    if order.iter().any(|&t| matches!(pool.sort(t), Sort::Array { .. })) {
        return None;
    }
    let data = data_terms(pool, &order);
    let adds_up = |&t: &TermId| {
        let open = pool.args(t).iter().filter(|&&arg| pool.as_bv(arg).is_none()).count();
        pool.op(t) == Op::BvAdd && data.contains(&t) && open > 1
    };
    if !order.iter().any(adds_up) {
        return None;
    }
    let out = IntTranslation { exact: true, ..IntTranslation::default() };
    let mut translator = Translator {
        pool,
        data,
        done: FxHashMap::default(),
        most: FxHashMap::default(),
        asserted: FxHashSet::default(),
        out,
    };
    for t in order {
        if translator.pool.work.is_late() {
            return None;
        }
        let translated = translator.term(t);
        translator.done.insert(t, translated);
    }
    let mut out = translator.out;
    let main: Vec<TermId> = literals.iter().map(|t| translator.done[t]).collect();
    out.assertions.splice(0..0, main);
    Some(out)
}

/// The bit-vector terms that are data.
fn data_terms(pool: &TermPool, order: &[TermId]) -> FxHashSet<TermId> {
    let mut classes = Classes::default();
    for &t in order {
        classes.add(pool, t);
    }
    let is_of_data = |classes: &mut Classes, t: TermId| {
        let root = classes.root(t);
        classes.read.contains(&root) && !classes.bits.contains(&root)
    };
    classes.settle();
    order.iter().copied().filter(|&t| is_term(pool, t) && is_of_data(&mut classes, t)).collect()
}

/// Is it a term of a class?
fn is_term(pool: &TermPool, t: TermId) -> bool {
    pool.sort(t).width().is_some() && pool.as_bv(t).is_none()
}

/// Classes of terms, found by joining them.
#[derive(Default)]
struct Classes {
    parents: FxHashMap<TermId, TermId>,
    /// A result of each function.
    results: FxHashMap<FuncId, TermId>,
    /// Classes, by a term of each, in which something stays a bit-vector.
    bits: FxHashSet<TermId>,
    /// Classes, by a term of each, in which something was read.
    read: FxHashSet<TermId>,
}

impl Classes {
    fn root(&mut self, t: TermId) -> TermId {
        let mut root = t;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        if root != t {
            self.parents.insert(t, root);
        }
        root
    }

    fn join(&mut self, pool: &TermPool, terms: &[TermId]) {
        let mut own = terms.iter().copied().filter(|&t| is_term(pool, t));
        let Some(first) = own.next() else { return };
        for other in own {
            let (a, b) = (self.root(first), self.root(other));
            if a != b {
                self.parents.insert(b, a);
            }
        }
    }

    fn keep(&mut self, pool: &TermPool, terms: &[TermId]) {
        self.bits.extend(terms.iter().copied().filter(|&t| is_term(pool, t)));
    }

    /// Classes are named by their roots from now on.
    fn settle(&mut self) {
        let (bits, read) = (std::mem::take(&mut self.bits), std::mem::take(&mut self.read));
        self.bits = bits.into_iter().map(|t| self.root(t)).collect();
        self.read = read.into_iter().map(|t| self.root(t)).collect();
    }

    fn add(&mut self, pool: &TermPool, t: TermId) {
        let args = pool.args(t);
        let with_result = [&[t], args].concat();
        match pool.op(t) {
            Op::Apply(f) => {
                self.keep(pool, args);
                if !args.is_empty() && is_term(pool, t) {
                    let other = *self.results.entry(f).or_insert(t);
                    self.join(pool, &[t, other]);
                    self.read.insert(t);
                }
            }
            Op::BvAdd | Op::ZeroExtend(_) if is_narrow(pool, t) => self.join(pool, &with_result),
            Op::Ite => self.join(pool, &[t, args[1], args[2]]),
            Op::Eq | Op::Ult | Op::Ule => self.join(pool, args),
            Op::True
            | Op::False
            | Op::BvConst { .. }
            | Op::IntConst(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::IntAdd
            | Op::IntMul
            | Op::IntDiv
            | Op::IntMod
            | Op::IntLe => {}
            Op::BvAdd
            | Op::ZeroExtend(_)
            | Op::BvNot
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::Concat
            | Op::Extract { .. }
            | Op::SignExtend(_)
            | Op::Slt
            | Op::Sle
            | Op::Select
            | Op::Store => self.keep(pool, &with_result),
        }
    }
}

fn is_narrow(pool: &TermPool, t: TermId) -> bool {
    pool.width(t) <= MAX_DATA_WIDTH
}

struct Translator<'a> {
    pool: &'a mut TermPool,
    data: FxHashSet<TermId>,
    done: FxHashMap<TermId, TermId>,
    /// What data are at most.
    most: FxHashMap<TermId, u128>,
    asserted: FxHashSet<TermId>,
    out: IntTranslation,
}

impl Translator<'_> {
    fn term(&mut self, t: TermId) -> TermId {
        let data = self.pool.data(t).clone();
        if self.data.contains(&t) {
            return self.data_term(t, data.op, &data.args);
        }
        let is_of_data = data.args.iter().any(|arg| self.data.contains(arg));
        if is_of_data && matches!(data.op, Op::Eq | Op::Ult | Op::Ule) {
            let (a, b) = (self.int(data.args[0]), self.int(data.args[1]));
            return match data.op {
                Op::Eq => self.pool.eq(a, b),
                Op::Ult => self.pool.ints().lt(a, b),
                _ => self.pool.ints().le(a, b),
            };
        }
        let args: Vec<TermId> = data.args.iter().map(|arg| self.done[arg]).collect();
        if args[..] == data.args[..] { t } else { self.pool.mk(data.op, &args) }
    }

    /// A term of data, or a constant among them.
    fn int(&mut self, t: TermId) -> TermId {
        match self.pool.as_bv(t) {
            Some(bits) => self.pool.int(bits as i128),
            None => self.done[&t],
        }
    }

    fn at_most(&self, t: TermId) -> u128 {
        self.pool.as_bv(t).unwrap_or_else(|| self.most[&t])
    }

    fn data_term(&mut self, t: TermId, op: Op, args: &[TermId]) -> TermId {
        let width = self.pool.width(t);
        let (value, most) = match op {
            Op::Apply(f) => (self.read(f, args, width), mask(width)),
            Op::Ite => {
                let (then, other) = (self.int(args[1]), self.int(args[2]));
                let most = self.at_most(args[1]).max(self.at_most(args[2]));
                (self.pool.ite(self.done[&args[0]], then, other), most)
            }
            Op::ZeroExtend(_) => (self.int(args[0]), self.at_most(args[0])),
            _ => self.sum(args, width),
        };
        self.most.insert(t, most);
        value
    }

    /// The result of a function, which yields integers now.
    fn read(&mut self, f: FuncId, args: &[TermId], width: u32) -> TermId {
        let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
        let data = self.pool.func_data(f).clone();
        let g = self.pool.func(&format!("{}@data", data.name), &data.args, Sort::Int);
        self.out.functions.insert(f, g);
        let value = self.pool.apply(g, &args);
        self.assert_range(value, width);
        value
    }

    /// The ideal sum, less a multiple of 2^w where it may wrap. Constants above 2^(w−1) count
    /// as negative there.
    fn sum(&mut self, args: &[TermId], width: u32) -> (TermId, u128) {
        let most = args.iter().fold(0u128, |sum, &arg| sum.saturating_add(self.at_most(arg)));
        let wraps = most > mask(width);
        let parts: Vec<TermId> = args
            .iter()
            .map(|&arg| match self.pool.as_bv(arg) {
                Some(bits) if wraps => self.pool.int(to_signed(bits, width)),
                Some(_) | None => self.int(arg),
            })
            .collect();
        let ideal = self.pool.ints().sum(&parts);
        if !wraps {
            return (ideal, most);
        }
        let quotient = self.pool.fresh("k", Sort::Int);
        let power = self.pool.int(-(1 << width));
        let multiple = self.pool.ints().mul(power, quotient);
        let value = self.pool.ints().add(ideal, multiple);
        self.assert_range(value, width);
        (value, mask(width))
    }

    /// Asserts `0 ≤ t < 2^w`.
    fn assert_range(&mut self, t: TermId, width: u32) {
        let (lo, hi) = (self.pool.int(0), self.pool.int(mask(width) as i128));
        let (low, high) = (self.pool.ints().le(lo, t), self.pool.ints().le(t, hi));
        for side in [low, high] {
            if self.pool.as_bool(side) != Some(true) && self.asserted.insert(side) {
                self.out.assertions.push(side);
            }
        }
    }
}
