//! Truth-value operations, equality and `ite`.

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{Sort, TermId};

impl TermPool {
    /// Negation. A comparison becomes its opposite.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::True => self.ff(),
            Op::False => self.tt(),
            Op::Not => self.args(a)[0],
            Op::Ult => self.flipped(a, |pool, x, y| pool.compare().ule(x, y)),
            Op::Ule => self.flipped(a, |pool, x, y| pool.compare().ult(x, y)),
            Op::Slt => self.flipped(a, |pool, x, y| pool.compare().sle(x, y)),
            Op::Sle => self.flipped(a, |pool, x, y| pool.compare().slt(x, y)),
            Op::IntLe => self.flipped(a, |pool, x, y| pool.ints().lt(x, y)),
            _ => self.raw(Op::Not, &[a]),
        }
    }

    fn flipped(&mut self, a: TermId, make: fn(&mut Self, TermId, TermId) -> TermId) -> TermId {
        let (x, y) = (self.args(a)[0], self.args(a)[1]);
        make(self, y, x)
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::And, args)
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::Or, args)
    }

    /// Conjunction of two terms.
    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.and(&[a, b])
    }

    /// Disjunction of two terms.
    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.or(&[a, b])
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    /// Equality, of any sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.tt();
        }
        match self.sort(a) {
            Sort::Bool => self.bool_eq(a, b),
            Sort::BitVec(_) => self.compare().eq_bits(a, b),
            Sort::Int => self.ints().eq(a, b),
            Sort::Named(_) | Sort::Array { .. } => self.plain_eq(a, b),
        }
    }

    /// An equation as it is, whichever way round.
    pub(crate) fn plain_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw(Op::Eq, &[a.min(b), a.max(b)])
    }

    fn bool_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (Some(false), _) => not_b,
            (_, Some(true)) => a,
            (_, Some(false)) => self.not(a),
            _ if a == not_b => self.ff(),
            _ => self.plain_eq(a, b),
        }
    }

    /// Disequality.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// `and` and `or` are duals: flatten, sort, drop the unit, stop at the zero
    /// or at a term next to its negation.
    fn junction(&mut self, op: Op, args: &[TermId]) -> TermId {
        let (unit, zero) = match op {
            Op::And => (self.tt(), self.ff()),
            _ => (self.ff(), self.tt()),
        };
        let mut flat = Vec::with_capacity(args.len());
        for &a in args {
            if self.op(a) == op { flat.extend_from_slice(self.args(a)) } else { flat.push(a) }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&t| t != unit);
        if flat.contains(&zero) || self.has_complement(&flat) {
            return zero;
        }
        match flat[..] {
            [] => unit,
            [single] => single,
            _ => self.raw(op, &flat),
        }
    }

    fn has_complement(&self, sorted: &[TermId]) -> bool {
        let negated = sorted.iter().filter(|&&t| self.op(t) == Op::Not);
        negated.into_iter().any(|&t| sorted.binary_search(&self.args(t)[0]).is_ok())
    }

    /// If-then-else, of any sort.
    pub fn ite(&mut self, c: TermId, t: TermId, e: TermId) -> TermId {
        match self.op(c) {
            Op::True => return t,
            Op::False => return e,
            Op::Not => return self.ite(self.args(c)[0], e, t),
            _ => {}
        }
        let t = self.branch_under(c, t, true);
        let e = self.branch_under(c, e, false);
        if t == e {
            return t;
        }
        if self.sort(t) == Sort::Bool {
            self.bool_ite(c, t, e)
        } else {
            self.raw(Op::Ite, &[c, t, e])
        }
    }

    /// `ite(c, ite(c, a, b), d) = ite(c, a, d)`, and the same on the other side.
    fn branch_under(&self, c: TermId, branch: TermId, taken: bool) -> TermId {
        let data = self.data(branch);
        if data.op == Op::Ite && data.args[0] == c {
            return if taken { data.args[1] } else { data.args[2] };
        }
        branch
    }

    fn bool_ite(&mut self, c: TermId, t: TermId, e: TermId) -> TermId {
        let not_c = self.not(c);
        match (self.as_bool(t), self.as_bool(e)) {
            (Some(true), _) => self.or(&[c, e]),
            (Some(false), _) => self.and(&[not_c, e]),
            (_, Some(true)) => self.or(&[not_c, t]),
            (_, Some(false)) => self.and(&[c, t]),
            _ if c == t => self.or(&[c, e]),
            _ if c == e => self.and(&[c, t]),
            _ => self.raw(Op::Ite, &[c, t, e]),
        }
    }
}
