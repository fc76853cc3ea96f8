//! What terms say about atoms: the axioms of the algebra, as one function from
//! a term to the facts that it justifies. Prover and checker both read it; its
//! own check is `tests/algebra.rs`, which evaluates every axiom on random
//! values.

use super::poly::{Atom, Poly};
use super::proof::{AtomData, Fact, View};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{Sort, TermId, to_signed};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

/// Widths above this are left to solvers: 2^w must fit well into 128 bits.
pub(super) const MAX_ALGEBRA_WIDTH: u32 = 64;

/// Atoms, found by term and view.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    pub(super) table: PrimaryMap<Atom, AtomData>,
    index: FxHashMap<AtomData, Atom>,
}

impl Atoms {
    /// A table with the given entries.
    pub fn from_table(table: &PrimaryMap<Atom, AtomData>) -> Self {
        let index = table.iter().map(|(a, &data)| (data, a)).collect();
        Atoms { table: table.clone(), index }
    }

    /// What the atoms stand for.
    pub fn table(&self) -> &PrimaryMap<Atom, AtomData> {
        &self.table
    }

    /// The atom for a view of a term.
    pub fn get(&mut self, term: TermId, view: View) -> Atom {
        let data = AtomData { term, view };
        let table = &mut self.table;
        *self.index.entry(data).or_insert_with(|| table.push(data))
    }

    pub(super) fn unsigned(&mut self, t: TermId) -> Poly {
        Poly::atom(self.get(t, View::Unsigned))
    }

    pub(super) fn signed(&mut self, t: TermId) -> Poly {
        Poly::atom(self.get(t, View::Signed))
    }

    pub(super) fn integer(&mut self, t: TermId) -> Poly {
        Poly::atom(self.get(t, View::Integer))
    }
}

/// Whether the algebra looks at a term of this sort.
pub(super) fn is_numeric(sort: Sort) -> bool {
    match sort {
        Sort::BitVec(width) => width <= MAX_ALGEBRA_WIDTH,
        Sort::Int => true,
        _ => false,
    }
}

/// 2^w.
pub(super) fn modulus(width: u32) -> i128 {
    1 << width
}

/// The least and greatest value of an atom by its width alone.
pub fn width_bounds(pool: &TermPool, atom: AtomData) -> Option<(i128, i128)> {
    let width = pool.sort(atom.term).width().filter(|&w| w <= MAX_ALGEBRA_WIDTH)?;
    match atom.view {
        View::Unsigned => Some((0, modulus(width) - 1)),
        View::Signed => Some((-(modulus(width) / 2), modulus(width) / 2 - 1)),
        View::Integer => None,
    }
}

/// The values of a conditional term and of its branch are equal: one fact per
/// view. `None` if `t` is no conditional.
pub fn branch(pool: &TermPool, atoms: &mut Atoms, t: TermId, taken: bool) -> Option<Vec<Fact>> {
    let [_, then, other] = *pool.args(t) else { return None };
    if pool.op(t) != Op::Ite || !is_numeric(pool.sort(t)) {
        return None;
    }
    let chosen = if taken { then } else { other };
    let views: &[View] = match pool.sort(t) {
        Sort::Int => &[View::Integer],
        _ => &[View::Unsigned, View::Signed],
    };
    let mut equal = |view: &View| {
        let (x, y) = (Poly::atom(atoms.get(t, *view)), Poly::atom(atoms.get(chosen, *view)));
        x.sub(&y).map(Fact::Eq)
    };
    views.iter().map(&mut equal).collect()
}

/// What holds whichever part of a disjunction does: `(a ∧ b) ∨ (a ∧ c)` gives `a`. A place
/// that several ways lead to is reached under what they have in common.
pub fn common_parts(pool: &TermPool, t: TermId) -> Vec<TermId> {
    let parts = |t: &TermId| match pool.op(*t) {
        Op::And => pool.args(*t).to_vec(),
        _ => vec![*t],
    };
    match (pool.op(t), pool.args(t)) {
        (Op::Or, [first, others @ ..]) => {
            let everywhere = |part: &TermId| others.iter().all(|other| parts(other).contains(part));
            parts(first).into_iter().filter(everywhere).collect()
        }
        _ => Vec::new(),
    }
}

/// What it means that a truth-valued term holds: `=`, `≠` and the orders.
pub fn reading(pool: &TermPool, atoms: &mut Atoms, t: TermId) -> Option<Fact> {
    let (op, negated) = match pool.op(t) {
        Op::Not => (pool.args(t)[0], true),
        _ => (t, false),
    };
    let args = pool.args(op);
    let [a, b] = *args else { return None };
    if !is_numeric(pool.sort(a)) {
        return None;
    }
    let view = if pool.sort(a) == Sort::Int { View::Integer } else { View::Unsigned };
    let mut diff = |view| {
        let (x, y) = (Poly::atom(atoms.get(a, view)), Poly::atom(atoms.get(b, view)));
        y.sub(&x)
    };
    match (pool.op(op), negated) {
        (Op::Eq, false) => Some(Fact::Eq(diff(view)?)),
        (Op::Eq, true) => Some(Fact::Ne(diff(view)?)),
        (Op::Ult, false) => Some(Fact::Ge(diff(View::Unsigned)?.plus(-1)?)),
        (Op::Ule, false) => Some(Fact::Ge(diff(View::Unsigned)?)),
        (Op::Slt, false) => Some(Fact::Ge(diff(View::Signed)?.plus(-1)?)),
        (Op::Sle, false) => Some(Fact::Ge(diff(View::Signed)?)),
        (Op::IntLe, false) => Some(Fact::Ge(diff(View::Integer)?)),
        _ => None,
    }
}

/// The facts that a term's operation alone justifies.
pub fn definitions(pool: &TermPool, atoms: &mut Atoms, t: TermId) -> Vec<Fact> {
    if !is_numeric(pool.sort(t)) || !pool.args(t).iter().all(|&a| is_numeric(pool.sort(a))) {
        return Vec::new();
    }
    defining_facts(pool, atoms, t).unwrap_or_default()
}

fn defining_facts(pool: &TermPool, atoms: &mut Atoms, t: TermId) -> Option<Vec<Fact>> {
    let args = pool.args(t);
    let value = if pool.sort(t) == Sort::Int { atoms.integer(t) } else { atoms.unsigned(t) };
    Some(match pool.op(t) {
        Op::BvConst { width, bits } => {
            let signed = atoms.signed(t).plus(-to_signed(bits, width))?;
            vec![Fact::Eq(value.plus(-(bits as i128))?), Fact::Eq(signed)]
        }
        Op::IntConst(n) => vec![Fact::Eq(value.plus(n.checked_neg()?)?)],
        // u(Σ a) ≡ Σ u(a), u(Π a) ≡ Π u(a) modulo 2^w.
        Op::BvAdd => {
            let sum = sum(args.iter().map(|&a| atoms.unsigned(a)))?;
            vec![Fact::Cong(value.sub(&sum)?, modulus(pool.width(t)))]
        }
        Op::BvMul => {
            let product = product(args.iter().map(|&a| atoms.unsigned(a)))?;
            vec![Fact::Cong(value.sub(&product)?, modulus(pool.width(t)))]
        }
        Op::IntAdd => {
            let sum = sum(args.iter().map(|&a| atoms.integer(a)))?;
            vec![Fact::Eq(value.sub(&sum)?)]
        }
        Op::IntMul => {
            let product = product(args.iter().map(|&a| atoms.integer(a)))?;
            vec![Fact::Eq(value.sub(&product)?)]
        }
        // ~a = 2^w − 1 − a.
        Op::BvNot => {
            let all = value.add(&atoms.unsigned(args[0]))?;
            vec![Fact::Eq(all.plus(1 - modulus(pool.width(t)))?)]
        }
        Op::ZeroExtend(_) => vec![Fact::Eq(value.sub(&atoms.unsigned(args[0]))?)],
        Op::SignExtend(_) => {
            let signed = atoms.signed(t);
            vec![Fact::Eq(signed.sub(&atoms.signed(args[0]))?)]
        }
        Op::Concat => {
            let high = atoms.unsigned(args[0]).scale(modulus(pool.width(args[1])))?;
            let all = high.add(&atoms.unsigned(args[1]))?;
            vec![Fact::Eq(value.sub(&all)?)]
        }
        Op::Extract { hi, lo: 0 } => {
            vec![Fact::Cong(value.sub(&atoms.unsigned(args[0]))?, modulus(hi + 1))]
        }
        _ => Vec::new(),
    })
}

fn sum(mut parts: impl Iterator<Item = Poly>) -> Option<Poly> {
    parts.try_fold(Poly::zero(), |sum, p| sum.add(&p))
}

fn product(mut parts: impl Iterator<Item = Poly>) -> Option<Poly> {
    parts.try_fold(Poly::constant(1), |product, p| product.mul(&p))
}

/// `s(t) − u(t) ≡ 0` and `u(t) − s(t) ≡ 0` modulo 2^w.
pub fn sign_links(pool: &TermPool, atoms: &mut Atoms, t: TermId) -> Option<[Fact; 2]> {
    let width = pool.sort(t).width().filter(|&w| w <= MAX_ALGEBRA_WIDTH)?;
    let diff = atoms.signed(t).sub(&atoms.unsigned(t))?;
    let flipped = diff.negate()?;
    Some([Fact::Cong(diff, modulus(width)), Fact::Cong(flipped, modulus(width))])
}

/// `u(t) = 2^k·u(t[w−1:k]) + u(t[k−1:0])`. Makes the two parts as terms.
pub fn split(pool: &mut TermPool, atoms: &mut Atoms, t: TermId, k: u32) -> Option<Fact> {
    let width = pool.sort(t).width().filter(|&w| w <= MAX_ALGEBRA_WIDTH && 0 < k && k < w)?;
    let (high, low) = (pool.bits().extract(width - 1, k, t), pool.bits().extract(k - 1, 0, t));
    let whole = atoms.unsigned(high).scale(modulus(k))?.add(&atoms.unsigned(low))?;
    Some(Fact::Eq(atoms.unsigned(t).sub(&whole)?))
}

/// `t[hi:lo]` is the low part of `t[w−1:lo]`: a congruence of their values.
pub fn middle(pool: &mut TermPool, atoms: &mut Atoms, t: TermId) -> Option<Fact> {
    let Op::Extract { hi, lo } = pool.op(t) else { return None };
    let inner = pool.args(t)[0];
    let width =
        pool.sort(inner).width().filter(|&w| w <= MAX_ALGEBRA_WIDTH && lo > 0 && hi + 1 < w)?;
    let high = pool.bits().extract(width - 1, lo, inner);
    let diff = atoms.unsigned(t).sub(&atoms.unsigned(high))?;
    Some(Fact::Cong(diff, modulus(hi - lo + 1)))
}

/// Quotient and remainder, once the divisor is at least one.
pub struct Divided {
    /// What must be shown to be at least zero first.
    pub needs: Vec<Poly>,
    /// What then holds.
    pub gives: Vec<Fact>,
}

/// The facts of a division or remainder term. For signed ones the dividend must
/// not be negative; then truncation is rounding down.
pub fn division(pool: &mut TermPool, atoms: &mut Atoms, t: TermId) -> Option<Divided> {
    let (quotient, remainder, view) = match pool.op(t) {
        Op::BvUdiv | Op::BvUrem => (Op::BvUdiv, Op::BvUrem, View::Unsigned),
        Op::BvSdiv | Op::BvSrem => (Op::BvSdiv, Op::BvSrem, View::Signed),
        Op::IntDiv | Op::IntMod => (Op::IntDiv, Op::IntMod, View::Integer),
        _ => return None,
    };
    is_numeric(pool.sort(t)).then_some(())?;
    let [a, b] = *pool.args(t) else { return None };
    let (q, r) = (pool.mk(quotient, &[a, b]), pool.mk(remainder, &[a, b]));
    let [a, b, q, r] = [a, b, q, r].map(|t| Poly::atom(atoms.get(t, view)));
    let mut needs = vec![b.plus(-1)?];
    if view == View::Signed {
        needs.push(a.clone());
    }
    let mut gives =
        vec![Fact::Eq(a.sub(&b.mul(&q)?)?.sub(&r)?), Fact::Ge(b.sub(&r)?.plus(-1)?), Fact::Ge(r)];
    if view == View::Signed {
        gives.push(Fact::Ge(q));
    }
    Some(Divided { needs, gives })
}

/// `a & b ≤ a`, `a | b ≥ a`, `a | b ≤ a + b`, `a ^ b ≤ a + b`, `a >> b ≤ a`,
/// `a % b ≤ a`.
pub fn bit_bounds(pool: &TermPool, atoms: &mut Atoms, t: TermId) -> Vec<Fact> {
    let op = pool.op(t);
    let bitwise = matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvLshr | Op::BvUrem);
    if !bitwise || !is_numeric(pool.sort(t)) {
        return Vec::new();
    }
    let value = atoms.unsigned(t);
    let args: Vec<Poly> = pool.args(t).iter().map(|&a| atoms.unsigned(a)).collect();
    let below = |p: &Poly| p.sub(&value);
    let facts: Option<Vec<Poly>> = match op {
        Op::BvAnd => args.iter().map(below).collect(),
        Op::BvLshr | Op::BvUrem => below(&args[0]).map(|p| vec![p]),
        Op::BvXor => sum(args.into_iter()).and_then(|s| below(&s)).map(|p| vec![p]),
        _ => {
            let above = args.iter().map(|p| value.sub(p));
            let total = sum(args.iter().cloned()).and_then(|s| below(&s));
            above.chain([total]).collect()
        }
    };
    facts.unwrap_or_default().into_iter().map(Fact::Ge).collect()
}
