//! Unknowns inside an operation that is no sum: `(u + c) % g`, `u % 2^k`, `u ^ m`. The whole
//! operation is solved for as if it were an unknown of its own; here it is undone.

use duet_smt::{Op, TermId};

use super::poly::Poly;
use super::solve::{Found, Solver};

impl Solver<'_> {
    /// Atoms of the offset that hide an unknown. Their bounds are noted.
    pub(super) fn hidden(&mut self, offset: &Poly, unknowns: &[TermId]) -> Vec<TermId> {
        let mut hidden = offset.atoms();
        hidden.retain(|atom| !unknowns.contains(atom) && self.mentions(*atom, unknowns));
        for &atom in &hidden {
            let below = match self.pool.op(atom) {
                Op::BvUrem | Op::BvSrem => {
                    let divisor = self.pool.args(atom)[1];
                    Poly::read(self.pool, divisor, &mut self.lifts)
                }
                Op::Extract { hi, lo: 0 } if hi < 100 => Some(Poly::constant(1 << (hi + 1))),
                _ => None,
            };
            if let Some(below) = below {
                self.bounds.insert(atom, below);
            }
        }
        hidden
    }

    fn mentions(&self, term: TermId, unknowns: &[TermId]) -> bool {
        self.pool.reachable(&[term]).iter().any(|part| unknowns.contains(part))
    }

    /// Finds the unknowns inside the hidden atoms, whose values are known by now. Each must
    /// hide exactly one unknown that is not found yet.
    pub(super) fn undo(
        &mut self,
        hidden: &[TermId],
        unknowns: &[TermId],
        found: &mut Found,
    ) -> Option<()> {
        let mut left: Vec<TermId> = hidden.to_vec();
        while !left.is_empty() {
            let before = left.len();
            let mut kept = vec![];
            for atom in left {
                match self.undo_one(atom, unknowns, found) {
                    Some((unknown, value)) => {
                        found.insert(unknown, value);
                    }
                    None => kept.push(atom),
                }
            }
            left = kept;
            (left.len() < before).then_some(())?;
        }
        Some(())
    }

    fn undo_one(
        &mut self,
        atom: TermId,
        unknowns: &[TermId],
        found: &Found,
    ) -> Option<(TermId, Poly)> {
        let args = self.pool.args(atom).to_vec();
        let value = found.get(&atom)?.clone();
        match self.pool.op(atom) {
            Op::BvUrem | Op::BvSrem => {
                self.undo_remainder(args[0], args[1], &value, unknowns, found)
            }
            Op::Extract { hi, lo: 0 } => {
                let inner = self.pool.width(args[0]).max(hi + 2);
                let divisor = self.pool.bv(inner, 1 << (hi + 1));
                self.undo_remainder(args[0], divisor, &value, unknowns, found)
            }
            Op::BvXor => {
                let is_unknown = |arg: &TermId| unknowns.contains(arg) && !found.contains_key(arg);
                let unknown = *args.iter().find(|arg| is_unknown(arg))?;
                let others: Vec<TermId> =
                    args.iter().copied().filter(|arg| *arg != unknown).collect();
                if others.iter().any(|&other| self.mentions(other, unknowns)) {
                    return None;
                }
                let width = self.pool.width(atom);
                let value = value.to_term(self.pool, &self.lifts, width);
                let all: Vec<TermId> = [value].into_iter().chain(others).collect();
                Some((unknown, Poly::atom(self.pool.bits().xor_all(&all))))
            }
            _ => None,
        }
    }

    /// `(±u + rest) % g = value`: u is `±(value - rest)` modulo g.
    fn undo_remainder(
        &mut self,
        dividend: TermId,
        divisor: TermId,
        value: &Poly,
        unknowns: &[TermId],
        found: &Found,
    ) -> Option<(TermId, Poly)> {
        let mut inner = Poly::read(self.pool, dividend, &mut self.lifts)?;
        for (&unknown, known) in found {
            inner = inner.substitute(unknown, known)?;
        }
        let open: Vec<TermId> =
            inner.atoms().into_iter().filter(|atom| unknowns.contains(atom)).collect();
        let [unknown] = *open.as_slice() else { return None };
        let (weights, rest) = inner.split(&open)?;
        let sign = weights[0].as_constant().filter(|sign| sign.abs() == 1)?;
        let wanted = value.sub(&rest)?.mul(&Poly::constant(sign))?;
        let radix = Poly::read(self.pool, divisor, &mut self.lifts)?;
        // What is negative is raised by a multiple of the radix first: by as many as there are
        // digits of it.
        let falling = wanted.terms().filter(|(_, number)| *number < 0);
        let raise = falling.map(|(_, number)| -number).sum::<i128>().clamp(0, 1 << 20);
        let raised = wanted.add_scaled(&radix, raise)?;
        let dividend = raised.to_term(self.pool, &self.lifts, self.width);
        let divisor = radix.to_term(self.pool, &self.lifts, self.width);
        let remainder = self.pool.bits().urem(dividend, divisor);
        self.bounds.insert(remainder, radix);
        Some((unknown, Poly::atom(remainder)))
    }
}
