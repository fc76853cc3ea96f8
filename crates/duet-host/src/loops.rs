//! Values that loops change: an unknown for the value in the iteration of the launch, with
//! facts that hold in every iteration.
//!
//! Each fact is proved here by induction over the iterations: it holds for the first value
//! (which comes from outside), and one step of the loop keeps it. Where a step might wrap,
//! the bound that excludes it is a premise of the fact, so nothing is assumed.

use duet_analysis::bits;
use duet_ir::{BinaryOp, CastOp, IntCc, Type};

use crate::evaluate::{Evaluator, Incoming, Key};
use crate::relation::{Origin, Term, TermData};

impl Evaluator<'_> {
    /// The value that comes into the head of a loop.
    pub fn loop_value(
        &mut self,
        key: Key,
        head: usize,
        incoming: &[(usize, Incoming)],
        ty: Type,
        name: String,
    ) -> Term {
        let current = self.unknown(key, name, Origin::Iteration, ty);
        let body = self.cfg.loops[&head].clone();
        let (inside, outside): (Vec<_>, Vec<_>) =
            incoming.iter().partition(|(pred, _)| body.contains(pred));
        let (&[(latch, step)], &[(_, start)]) = (inside.as_slice(), outside.as_slice()) else {
            return current;
        };
        // What is not executed has no value that facts could be about.
        if !self.cfg.dominates(head, self.site) {
            return current;
        }
        let start = self.incoming(start, ty);
        let next = self.incoming(step, ty);
        if next == current {
            // It never changes.
            let same = self.terms.compare(IntCc::Eq, current, start);
            self.facts.push(same);
            return current;
        }
        let conditions = self.conditions_at(latch, head);
        let mut conditions = conditions;
        conditions.extend(self.edge_condition(latch, head));
        let guards: Vec<Term> =
            conditions.into_iter().filter(|&cond| self.is_about(cond, current, &body)).collect();
        let step = Step { current, start, next, ty };
        self.affine(&step, &guards);
        self.geometric(&step, &guards);
        self.after_test(&step, &guards);
        current
    }

    /// The condition under which a latch goes back.
    fn edge_condition(&mut self, latch: usize, head: usize) -> Option<Term> {
        let cond = crate::evaluate::branch_condition(self.cfg, latch)?;
        let (then, other) = (self.cfg.succs[latch][0], self.cfg.succs[latch][1]);
        if then == other {
            return None;
        }
        let term = self.value(cond);
        Some(if then == head { term } else { self.terms.not(term) })
    }

    /// Is everything in the condition but the loop's own value the same in all
    /// iterations?
    fn is_about(&self, cond: Term, current: Term, body: &std::collections::HashSet<usize>) -> bool {
        let own = self.terms.unknowns_of(current);
        let unknowns = self.terms.unknowns_of(cond);
        unknowns.iter().all(|unknown| {
            let is_outside = |block: usize| !body.contains(&block);
            own.contains(unknown) || self.defined[unknown].is_some_and(is_outside)
        }) && unknowns.iter().any(|unknown| own.contains(unknown))
    }

    /// `i = start; …; i += c`.
    fn affine(&mut self, step: &Step, guards: &[Term]) {
        let TermData::Binary { op, args: [a, b], .. } = self.terms.data(step.next) else { return };
        let by = match (op, self.signed_bits(b)) {
            (BinaryOp::Add, Some(by)) if a == step.current => by,
            (BinaryOp::Sub, Some(by)) if a == step.current => -by,
            _ => return,
        };
        let Some(width) = step.ty.bits() else { return };
        if by == 0 {
            return;
        }
        if by.unsigned_abs() > 1 {
            // Exact for any number of iterations, wrap-around included.
            let key = Key::Count(step.current);
            let count =
                self.unknown(key, crate::relation::COUNT.into(), Origin::Iteration, step.ty);
            let factor = self.terms.constant(by as u128, step.ty);
            let moved = self.terms.binary(BinaryOp::Mul, false, count, factor);
            let sum = self.terms.binary(BinaryOp::Add, false, step.start, moved);
            let fact = self.terms.compare(IntCc::Eq, step.current, sum);
            self.facts.push(fact);
        }
        for &guard in guards {
            let TermData::Compare { cc, args: [a, b] } = self.terms.data(guard) else { continue };
            let (cc, bound) = match (a == step.current, b == step.current) {
                (true, false) => (cc, b),
                (false, true) => (bits::swap(cc), a),
                _ => continue,
            };
            self.affine_range(step, by, cc, bound, width);
        }
    }

    /// The guard keeps a step from wrapping if its bound leaves room for one; then the
    /// value never passes its start.
    fn affine_range(&mut self, step: &Step, by: i128, cc: IntCc, bound: Term, width: u32) {
        let (largest, smallest) =
            ((bits::mask(width as u8) >> 1) as i128, -((bits::mask(width as u8) >> 1) as i128) - 1);
        let size = by.abs();
        // The bound must be at most (at least) this.
        let (limit, exceeds, range) = match (cc, by > 0) {
            (IntCc::Slt, true) => (largest - size + 1, IntCc::Sgt, IntCc::Sge),
            (IntCc::Sle, true) => (largest - size, IntCc::Sgt, IntCc::Sge),
            (IntCc::Sgt, false) => (smallest + size - 1, IntCc::Slt, IntCc::Sle),
            (IntCc::Sge, false) => (smallest + size, IntCc::Slt, IntCc::Sle),
            (IntCc::Ult, true) => {
                (bits::mask(width as u8) as i128 - size + 1, IntCc::Ugt, IntCc::Uge)
            }
            (IntCc::Ule, true) => (bits::mask(width as u8) as i128 - size, IntCc::Ugt, IntCc::Uge),
            (IntCc::Ugt, false) => (size - 1, IntCc::Ult, IntCc::Ule),
            (IntCc::Uge, false) => (size, IntCc::Ult, IntCc::Ule),
            _ => return,
        };
        if width > 64 {
            return;
        }
        let limit = self.terms.constant(limit as u128, step.ty);
        let no_room = self.terms.compare(exceeds, bound, limit);
        let in_range = self.terms.compare(range, step.current, step.start);
        let fact = self.terms.or(no_room, in_range);
        self.facts.push(fact);
    }

    /// `i /= 2`, `i *= 2` and the like.
    fn geometric(&mut self, step: &Step, guards: &[Term]) {
        let _ = guards;
        let TermData::Binary { op, args: [a, b], .. } = self.terms.data(step.next) else {
            return self.geometric_in_wide(step);
        };
        let (true, Some(by)) = (a == step.current, self.terms.bits(b)) else { return };
        let Some(width) = step.ty.bits() else { return };
        let zero = self.terms.constant(0, step.ty);
        let is_negative = self.terms.compare(IntCc::Slt, step.start, zero);
        let shrinks = match op {
            BinaryOp::LShr | BinaryOp::UDiv => Some((IntCc::Ule, None)),
            BinaryOp::AShr => Some((IntCc::Ule, Some(is_negative))),
            BinaryOp::SDiv if by >> (width - 1) == 0 => Some((IntCc::Ule, Some(is_negative))),
            _ => None,
        };
        let keeps_power = match op {
            BinaryOp::Shl | BinaryOp::LShr => true,
            BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::SDiv => by.is_power_of_two(),
            BinaryOp::AShr => true,
            _ => false,
        };
        if let Some((cc, unless)) = shrinks {
            let smaller = self.terms.compare(cc, step.current, step.start);
            let fact = unless.map_or(smaller, |unless| self.terms.or(unless, smaller));
            self.facts.push(fact);
        }
        if keeps_power {
            let is_start = self.has_one_bit(step.start, step.ty);
            let not_start = self.terms.not(is_start);
            let is_current = self.has_one_bit(step.current, step.ty);
            let mut fact = self.terms.or(not_start, is_current);
            if matches!(op, BinaryOp::SDiv | BinaryOp::AShr) {
                fact = self.terms.or(is_negative, fact);
            }
            self.facts.push(fact);
        }
    }

    /// Small integers are computed as wide ones and cut: nothing is said of them.
    fn geometric_in_wide(&mut self, step: &Step) {
        let is_cut = matches!(self.terms.data(step.next), TermData::Cast { op: CastOp::Trunc, .. });
        debug_assert!(is_cut || step.ty.is_int());
    }

    /// Has the term at most one bit set?
    fn has_one_bit(&mut self, term: Term, ty: Type) -> Term {
        let (zero, one) = (self.terms.constant(0, ty), self.terms.constant(1, ty));
        let less = self.terms.binary(BinaryOp::Sub, false, term, one);
        let both = self.terms.binary(BinaryOp::And, false, term, less);
        self.terms.compare(IntCc::Eq, both, zero)
    }

    /// A loop that tests the next value before it goes back: the value is the first one,
    /// or passed the test.
    ///
    /// SOUNDNESS: the test does not hold of the first value (trap 10 of the test `traps`).
    fn after_test(&mut self, step: &Step, guards: &[Term]) {
        for &guard in guards {
            let TermData::Compare { cc, args: [a, b] } = self.terms.data(guard) else { continue };
            let (a, b) = match (a == step.next, b == step.next) {
                (true, false) => (step.current, b),
                (false, true) => (a, step.current),
                _ => continue,
            };
            let rest = if a == step.current { b } else { a };
            if self
                .terms
                .unknowns_of(rest)
                .iter()
                .any(|u| self.terms.unknowns_of(step.current).contains(u))
            {
                continue;
            }
            let passed = self.terms.compare(cc, a, b);
            let first = self.terms.compare(IntCc::Eq, step.current, step.start);
            let fact = self.terms.or(first, passed);
            self.facts.push(fact);
        }
    }
}

/// How a loop changes a value.
struct Step {
    current: Term,
    start: Term,
    next: Term,
    ty: Type,
}
