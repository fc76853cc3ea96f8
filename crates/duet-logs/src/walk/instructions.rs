//! Instructions: pure ones as terms, the others as what they do to the states.

use super::accesses::{atomic_access, load_access, store_access};
use super::evaluate::logged_ghost;
use duet_ir::{
    AnnotationKind, AssertKind, Function, GhostKind, Inst, InstData, Operation, Rule, Type, Value,
};
use duet_product::ghosts_of;
use duet_smt::TermId;
use duet_vc::{keeps_its_value, ops, stays_in_range};

use super::{Lockstep, Obligation, Row, What};

/// What an instruction does to the threads that are enabled.
pub(crate) fn walk_instruction(walk: &mut Lockstep<'_>, inst: Inst, reach: &[TermId]) {
    let func = walk.setting.facts.func;
    let data = &func.insts[inst];
    match data {
        InstData::Load { access, ty, lanes } => load_access(walk, inst, access, *ty, *lanes, reach),
        InstData::Store { access, values } => store_access(walk, inst, access, values, reach),
        InstData::Atomic { access, ty, .. } => atomic_access(walk, inst, access, *ty, reach),
        InstData::Barrier { scope, arg } => {
            walk.barrier(inst, *scope, *arg, reach);
            unknown_results(walk, inst);
        }
        InstData::BarrierReduce { .. } => {
            walk.barrier(inst, duet_ir::BarrierScope::Block, None, reach);
            unknown_results(walk, inst);
        }
        InstData::Assert { kind, cond } => asserted(walk, inst, *kind, *cond, reach),
        InstData::Annotation { kind, args } => annotated(walk, inst, *kind, args, reach),
        InstData::Ghost { kind, args, .. } => ghost_instruction(walk, inst, *kind, args, reach),
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. } => pure_instruction(walk, inst, data, reach),
        InstData::Exchange { mask, .. } => {
            if let Some(mask) = mask {
                walk.names_itself(inst, *mask, reach);
            }
            unknown_results(walk, inst);
        }
        // The last four are rejected before; whatever they do is not known here.
        InstData::Fresh { .. }
        | InstData::IntToPtr { .. }
        | InstData::Fence { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => unknown_results(walk, inst),
    }
}

/// The results may be anything, for each thread.
pub(crate) fn unknown_results(walk: &mut Lockstep<'_>, inst: Inst) {
    for thread in 0..walk.threads.len() {
        for &value in &walk.setting.facts.func.results_of[inst] {
            let term = walk.unknown(value);
            walk.define(thread, value, term);
        }
    }
}

pub(crate) fn pure_instruction(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    data: &InstData,
    reach: &[TermId],
) {
    let result = walk.setting.facts.func.result(inst);
    for (thread, &here) in reach.iter().enumerate() {
        let mut of = |lockstep: &mut Lockstep<'_>, value| Some(lockstep.term(thread, value));
        let term = operation_term(walk, thread, inst, data, &mut of);
        let term = term.unwrap_or_else(|| walk.unknown(result));
        walk.define(thread, result, term);
        if walk.setting.in_range.contains(&inst) {
            assume_in_range(walk, thread, inst, data, term, here);
        }
    }
}

/// The term of a pure instruction over the terms of its operands; `None` if one of these
/// has none.
pub(crate) fn operation_term(
    walk: &mut Lockstep<'_>,
    thread: usize,
    inst: Inst,
    data: &InstData,
    of: &mut dyn FnMut(&mut Lockstep<'_>, Value) -> Option<TermId>,
) -> Option<TermId> {
    let func = walk.setting.facts.func;
    let ty = func.type_of(func.result(inst));
    Some(match data {
        InstData::Binary { op, args: [a, b], .. } => {
            let (a, divisor) = (of(walk, *a)?, of(walk, *b)?);
            let term = ops::binary(walk.pool, *op, a, divisor, ty);
            match op.may_fail() {
                true => unless_zero(walk, divisor, term, ty),
                false => term,
            }
        }
        InstData::Unary { op, arg } => {
            let arg = of(walk, *arg)?;
            ops::unary(walk.pool, *op, arg, ty)
        }
        InstData::Cast { op, arg, to } => {
            let from = func.type_of(*arg);
            let arg = of(walk, *arg)?;
            ops::cast(walk.pool, *op, arg, from, *to)
        }
        InstData::IntCompare { cc, args: [a, b] } => {
            let (a, b) = (of(walk, *a)?, of(walk, *b)?);
            ops::compare(walk.pool, *cc, a, b)
        }
        InstData::FloatCompare { cc, args: [a, b] } => {
            let (a, b) = (of(walk, *a)?, of(walk, *b)?);
            ops::float_compare(walk.pool, *cc, a, b)
        }
        InstData::Select { cond, args: [a, b] } => {
            let (cond, a, b) = (of(walk, *cond)?, of(walk, *a)?, of(walk, *b)?);
            walk.pool.ite(cond, a, b)
        }
        InstData::Pure { name, args, ty } => {
            let mut terms = vec![];
            for &arg in args {
                terms.push(of(walk, arg)?);
            }
            ops::uninterpreted(walk.pool, name, &terms, *ty)
        }
        InstData::Geometry(one) => {
            let own = &walk.threads[thread].terms;
            walk.geometry.term(own, one.kind, one.dim)
        }
        InstData::PtrToInt { reference, offset } => {
            let args = [of(walk, *reference)?, of(walk, *offset)?];
            // SOUNDNESS: private and shared memory has another address for each thread
            // or block (kernels/soundness/06-private-address).
            let who = match walk.has_one_address(*reference) {
                true => "",
                false => walk.threads[thread].terms.name.as_str(),
            };
            let name = format!("address.of{who}");
            ops::uninterpreted(walk.pool, &name, &args, ty)
        }
        InstData::Fresh { .. }
        | InstData::IntToPtr { .. }
        | InstData::Load { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => return None,
    })
}

/// A division by zero yields anything. SOUNDNESS: SMT-LIB gives it a certain value,
/// which nothing may rely on (test `wrong_kernels_are_never_proved`).
pub(crate) fn unless_zero(
    walk: &mut Lockstep<'_>,
    divisor: TermId,
    quotient: TermId,
    ty: Type,
) -> TermId {
    let zero = ops::constant(walk.pool, 0, ty);
    let is_zero = walk.pool.eq(divisor, zero);
    if walk.pool.as_bool(is_zero) == Some(false) {
        return quotient;
    }
    let anything = walk.unknown_of(ty);
    walk.pool.ite(is_zero, anything, quotient)
}

pub(crate) fn assume_in_range(
    walk: &mut Lockstep<'_>,
    thread: usize,
    inst: Inst,
    data: &InstData,
    result: TermId,
    reach: TermId,
) {
    let fact = match data.operation() {
        Some(Operation::Binary { args: [a, b], .. }) => {
            let args = (walk.term(thread, a), walk.term(thread, b));
            stays_in_range(walk.pool, walk.setting.facts.func, inst, args, result)
        }
        Some(Operation::Cast { arg, .. }) => {
            let number = walk.term(thread, arg);
            Some(keeps_its_value(walk.pool, number, result))
        }
        Some(
            Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Geometry(_),
        )
        | None => None,
    };
    if let Some(fact) = fact {
        walk.assume(thread, reach, fact);
    }
}

/// Assertions about one thread are checked where it is alone, those about two threads or
/// about logs where there are two.
pub(crate) fn asserted(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    kind: AssertKind,
    cond: Value,
    reach: &[TermId],
) {
    if walk.is_ghost || depends_on_two(walk, inst) == (walk.row == Row::Alone) {
        return;
    }
    let rule = match kind {
        AssertKind::Pointer => Rule::InvalidPointer,
        AssertKind::ConstantWrite => Rule::ConstantWrite,
        AssertKind::Bounds => Rule::OutOfBounds,
        AssertKind::Annotated
        | AssertKind::Global
        | AssertKind::Library
        | AssertKind::Trap
        | AssertKind::Unreachable => Rule::AssertionFailed,
    };
    let holds = walk.term(0, cond);
    let mut goal = vec![walk.is_here(0, reach[0]), walk.pool.not(holds)];
    if names_other(walk.setting.facts.func, inst) {
        goal.push(walk.is_here(1, reach[1]));
    }
    add_defect(walk, rule, vec![inst], goal, None);
}

/// Does it depend on what one thread alone does not know?
pub(crate) fn depends_on_two(walk: &Lockstep<'_>, inst: Inst) -> bool {
    ghosts_of(walk.setting.facts.func, inst).into_iter().any(is_of_two)
}

/// Does it depend on a value of the other thread?
pub(crate) fn names_other(func: &Function, inst: Inst) -> bool {
    ghosts_of(func, inst).contains(&GhostKind::Other)
}

/// Something that must not be possible.
pub(crate) fn add_defect(
    walk: &mut Lockstep<'_>,
    rule: Rule,
    places: Vec<Inst>,
    goal: Vec<TermId>,
    tolerated: Option<(Rule, Vec<TermId>)>,
) {
    let what = What::Defect { rule, places, tolerated };
    let known = walk.known.clone();
    walk.obligations.push(Obligation { known, goal, what, logged: None });
}

pub(crate) fn annotated(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    kind: AnnotationKind,
    args: &[Value],
    reach: &[TermId],
) {
    if !kind.is_believed() {
        return;
    }
    let other = names_other(walk.setting.facts.func, inst);
    // SOUNDNESS: one thread alone does not know what is assumed of two, nor what is
    // logged, so it is not assumed of it (test `wrong_kernels_are_never_proved`).
    if depends_on_two(walk, inst) && walk.row == Row::Alone {
        return;
    }
    for thread in 0..walk.threads.len() {
        let holds = walk.term(thread, args[0]);
        // The other's value means something only where it is as well.
        let when = match other {
            true => walk.pool.and(reach),
            false => reach[thread],
        };
        walk.assume(thread, when, holds);
    }
}

/// Values for annotations.
pub(crate) fn ghost_instruction(
    walk: &mut Lockstep<'_>,
    inst: Inst,
    kind: GhostKind,
    args: &[Value],
    reach: &[TermId],
) {
    let result = walk.setting.facts.func.result(inst);
    for (thread, &here) in reach.iter().enumerate() {
        let term = match kind {
            GhostKind::Enabled => Some(here),
            GhostKind::Other => {
                let other = (walk.threads.len() == 2).then_some(1 - thread);
                other.map(|other| walk.term(other, args[0]))
            }
            GhostKind::SameBlock => Some(walk.pool.bool(walk.row != Row::Grid)),
            GhostKind::HasRead
            | GhostKind::HasWritten
            | GhostKind::ReadOffset
            | GhostKind::WriteOffset => {
                let log = walk.log.clone();
                logged_ghost(walk, &log, kind, args[0])
            }
            GhostKind::DominatorEnabled
            | GhostKind::ArrayIdentity
            | GhostKind::ReturnValue
            | GhostKind::Old
            | GhostKind::AtomicHasTakenValue
            | GhostKind::Fold
            | GhostKind::Cell => None,
        };
        let term = term.unwrap_or_else(|| walk.unknown(result));
        walk.define(thread, result, term);
    }
}

/// Does the ghost value depend on what one thread alone does not know?
pub(crate) fn is_of_two(kind: GhostKind) -> bool {
    match kind {
        GhostKind::Other
        | GhostKind::SameBlock
        | GhostKind::HasRead
        | GhostKind::HasWritten
        | GhostKind::ReadOffset
        | GhostKind::WriteOffset => true,
        GhostKind::Enabled
        | GhostKind::DominatorEnabled
        | GhostKind::ArrayIdentity
        | GhostKind::ReturnValue
        | GhostKind::Old
        | GhostKind::AtomicHasTakenValue
        | GhostKind::Fold
        | GhostKind::Cell => false,
    }
}
