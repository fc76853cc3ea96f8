//! Header parameters that are doubled or halved, at an arbitrary visit of a cut header.
//!
//! `init << k*c` after `c` iterations needs more of the count than its low bits, while visits
//! are counted modulo 2^64. So there is one more symbol for a visit, *steps*, which stands for
//! `min(c, 64)`: at most 64, and the count itself where it is less. No number has more than 64
//! bits here, so a shift by `k*steps` is the shift by `k*c`.
//!
//! A visit that is not the first also knows that the header's test let the visit before pass:
//! `d > 0` there, so a halved `d` that is 0 now was 1. The visit before has a symbol of its
//! own, `steps - 1` below 64, else 63 or 64.
//!
//! Both are exact and need no proof. They are stated only in kernels with claims about memory,
//! where the doubled offset and the halved count have to be related behind the loop: the
//! rules for loop invariants do elsewhere, with less work for the solver.

use duet_analysis::{ClosedForm, RightShift};
use duet_ir::{Terminator, Type};
use duet_smt::{TermId, TermPool};

use super::loops::Headers;
use super::values::Values;
use crate::symbols::Origin;
use crate::walk::HeaderTerm;

/// From so many bits on a number of steps, times the bits per step, fits a number.
const MIN_BITS: u32 = 16;
/// Steps are counted up to here.
const MAX_STEPS: u128 = 64;

/// Steps at a visit, or at the one before it.
#[derive(Clone, Copy)]
enum When {
    Now,
    Before,
}

impl Headers<'_> {
    /// States what shifts and the visit before make known of a header's parameters.
    pub(super) fn state_shifts(&mut self, values: &mut Values, header: &HeaderTerm) {
        let params = values.view(header.id).params().to_vec();
        let shifts = |form: Option<&ClosedForm>| {
            matches!(form, Some(ClosedForm::ShiftLeft { .. } | ClosedForm::ShiftRight { .. }))
        };
        let shifted = params.iter().any(|&param| shifts(values.kernel.forms.get(param)));
        if values.kernel.facts.claims.in_force.is_empty() || !shifted {
            return;
        }
        let steps = steps(values, header, When::Now);
        self.state_steps(values, header, steps);
        for (index, &param) in params.iter().enumerate() {
            if shifts(values.kernel.forms.get(param))
                && let Some(term) = self.param_after(values, header, index, steps, When::Now)
            {
                let same = values.pool.eq(header.params[index], term);
                values.assume_derived(same);
            }
        }
        self.state_visit_before(values, header, steps);
    }

    /// The steps are the visits, up to 64 of them.
    fn state_steps(&mut self, values: &mut Values, header: &HeaderTerm, steps: TermId) {
        let pool = &mut *values.pool;
        let most = pool.bv(8, MAX_STEPS);
        let in_range = pool.compare().ule(steps, most);
        let is_less = pool.compare().ult(steps, most);
        let wide = pool.bits().zero_extend(56, steps);
        let is_count = pool.eq(header.visits, wide);
        let is_exact = pool.implies(is_less, is_count);
        let fact = pool.and2(in_range, is_exact);
        values.assume_derived(fact);
    }

    /// At a later visit the header's test held at the one before.
    ///
    /// SOUNDNESS: only behind a visit that there was
    /// (kernels/claims/60-first-visit-has-none-before).
    fn state_visit_before(&mut self, values: &mut Values, header: &HeaderTerm, steps: TermId) {
        let before = steps_before(values, header, steps);
        let count = values.view(header.id).params().len();
        let params: Vec<Option<TermId>> = (0..count)
            .map(|index| self.param_after(values, header, index, before, When::Before))
            .collect();
        let Some(held) = self.header_test(values, header, &params) else { return };
        let zero = values.pool.bv(8, 0);
        let is_later = values.pool.ne(steps, zero);
        let fact = values.pool.implies(is_later, held);
        values.assume_derived(fact);
    }

    /// The test by which the header stays in its loop, for these parameters.
    fn header_test(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        params: &[Option<TermId>],
    ) -> Option<TermId> {
        let view = values.view(header.id);
        let block = view.loops.data(view.id).header;
        let Terminator::Branch { cond, then, otherwise } = &view.func.blocks[block].terminator
        else {
            return None;
        };
        let stays = |block| view.loops.contains(view.id, block);
        let positive = match (stays(then.block), stays(otherwise.block)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => return None,
        };
        let held = self.in_header(values, header, *cond, params)?;
        Some(if positive { held } else { values.pool.not(held) })
    }

    /// A parameter after so many steps; at the visit before, one that is counted too.
    fn param_after(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        index: usize,
        steps: TermId,
        when: When,
    ) -> Option<TermId> {
        let param = values.view(header.id).params()[index];
        let Type::Int(width) = values.kernel.func.type_of(param) else { return None };
        let (first, width) = (*header.initial.get(index)?, u32::from(width));
        let form = values.kernel.forms.get(param)?.clone();
        match (form, when) {
            (ClosedForm::Unchanged, _) => Some(first),
            (ClosedForm::Affine { step }, When::Before) if width > 1 => {
                let step = self.sum_term(values, header, &step)?;
                Some(values.pool.bits().sub(header.params[index], step))
            }
            (ClosedForm::ShiftLeft { by }, _) => {
                shifted(values.pool, first, width, steps, by, Shift::Left)
            }
            (ClosedForm::ShiftRight { kind: RightShift::Logical, by }, _) => {
                shifted(values.pool, first, width, steps, by, Shift::Logical)
            }
            (ClosedForm::ShiftRight { kind: RightShift::Arithmetic, by }, _) => {
                shifted(values.pool, first, width, steps, by, Shift::Arithmetic)
            }
            (
                ClosedForm::Affine { .. }
                | ClosedForm::ShiftRight { kind: RightShift::Division, .. }
                | ClosedForm::Reflects { .. }
                | ClosedForm::Flips { .. }
                | ClosedForm::Swaps { .. }
                | ClosedForm::Follows { .. }
                | ClosedForm::Settles { .. },
                _,
            ) => None,
        }
    }
}

/// The symbol of the steps.
fn steps(values: &mut Values, header: &HeaderTerm, when: When) -> TermId {
    let same_visit = (values.sharing.visit)(header.id);
    let what = match when {
        When::Now => "steps",
        When::Before => "steps-before",
    };
    let name = values.symbol(&format!("{what}:{}", header.id), same_visit);
    let steps = values.pool.bv_var(&name, 8);
    values.note(steps, Origin::Visits(header.id), same_visit)
}

/// The steps at the visit before, if there was one.
fn steps_before(values: &mut Values, header: &HeaderTerm, now: TermId) -> TermId {
    let before = steps(values, header, When::Before);
    let pool = &mut *values.pool;
    let (one, most) = (pool.bv(8, 1), pool.bv(8, MAX_STEPS));
    let less = pool.bits().sub(now, one);
    let is_less = pool.eq(before, less);
    let is_most = pool.eq(now, most);
    let stays = pool.eq(before, most);
    let at_most = pool.and2(is_most, stays);
    let fact = pool.or(&[is_less, at_most]);
    values.assume_derived(fact);
    before
}

#[derive(Clone, Copy)]
enum Shift {
    Left,
    Logical,
    Arithmetic,
}

/// A number of `width` bits, shifted by so many bits a step.
fn shifted(
    pool: &mut TermPool,
    first: TermId,
    width: u32,
    steps: TermId,
    by: u32,
    shift: Shift,
) -> Option<TermId> {
    // SOUNDNESS: wider numbers go on changing after 64 steps, and more bits a step than the
    // number has make a product that may not fit (test `shifts_are_exact`).
    if width > 64 || by > width {
        return None;
    }
    let wide = width.max(MIN_BITS);
    let first = match shift {
        Shift::Arithmetic => pool.bits().sign_extend(wide - width, first),
        Shift::Left | Shift::Logical => pool.bits().zero_extend(wide - width, first),
    };
    let steps = pool.bits().zext_or_trunc(steps, wide);
    let by = pool.bv(wide, u128::from(by));
    let amount = pool.bits().mul(steps, by);
    let moved = match shift {
        Shift::Left => pool.bits().shl(first, amount),
        Shift::Logical => pool.bits().lshr(first, amount),
        Shift::Arithmetic => pool.bits().ashr(first, amount),
    };
    Some(pool.bits().zext_or_trunc(moved, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the loop computes, step by step.
    fn by_steps(first: u128, width: u32, by: u32, shift: Shift, steps: u32) -> u128 {
        let mask = u128::MAX >> (128 - width);
        (0..steps).fold(first, |value, _| match shift {
            Shift::Left => value.checked_shl(by).unwrap_or(0) & mask,
            Shift::Logical => value >> by,
            Shift::Arithmetic => {
                let sign = if value >> (width - 1) == 1 { !mask } else { 0 };
                (((value | sign) as i128) >> by) as u128 & mask
            }
        })
    }

    #[test]
    fn shifts_are_exact() {
        for (width, first) in [(8, 0xb7), (16, 0x8001), (32, 0x8000_0003), (64, 1 << 63 | 5)] {
            for by in [1, 3, width] {
                for shift in [Shift::Left, Shift::Logical, Shift::Arithmetic] {
                    for steps in [0, 1, 2, 7, 31, 32, 63, 64] {
                        let mut pool = TermPool::new();
                        let start = pool.bv(width, first);
                        let count = pool.bv(8, u128::from(steps));
                        let term = shifted(&mut pool, start, width, count, by, shift);
                        let value = term.and_then(|term| pool.as_bv(term));
                        assert_eq!(value, Some(by_steps(first, width, by, shift, steps)));
                    }
                }
            }
        }
        let mut pool = TermPool::new();
        let (start, count) = (pool.bv(128, 1), pool.bv(8, 64));
        assert_eq!(shifted(&mut pool, start, 128, count, 1, Shift::Logical), None);
    }
}
