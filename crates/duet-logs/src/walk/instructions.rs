//! Instructions: pure ones as terms, the others as what they do to the states.

use duet_ir::{
    AnnotationKind, AssertKind, GhostKind, Inst, InstData, Operation, Rule, Type, Value,
};
use duet_product::ghosts_of;
use duet_smt::TermId;
use duet_vc::{keeps_its_value, ops, stays_in_range};

use super::{Lockstep, Obligation, Row, What};

impl Lockstep<'_> {
    /// What an instruction does to the threads that are enabled.
    pub fn instruction(&mut self, inst: Inst, reach: &[TermId]) {
        let func = self.setting.facts.func;
        let data = &func.insts[inst];
        match data {
            InstData::Load { access, ty, lanes } => self.load(inst, access, *ty, *lanes, reach),
            InstData::Store { access, values } => self.store(inst, access, values, reach),
            InstData::Atomic { access, ty, .. } => self.atomic(inst, access, *ty, reach),
            InstData::Barrier { scope, arg } => {
                self.barrier(inst, *scope, *arg, reach);
                self.unknown_results(inst);
            }
            InstData::BarrierReduce { .. } => {
                self.barrier(inst, duet_ir::BarrierScope::Block, None, reach);
                self.unknown_results(inst);
            }
            InstData::Assert { kind, cond } => self.assertion(inst, *kind, *cond, reach),
            InstData::Annotation { kind, args } => self.annotation(inst, *kind, args, reach),
            InstData::Ghost { kind, args, .. } => self.ghost(inst, *kind, args, reach),
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Geometry(_)
            | InstData::PtrToInt { .. } => self.pure(inst, data, reach),
            // The last five are rejected before; whatever they do is not known here.
            InstData::Fresh { .. }
            | InstData::IntToPtr { .. }
            | InstData::Fence { .. }
            | InstData::Exchange { .. }
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => self.unknown_results(inst),
        }
    }

    /// The results may be anything, for each thread.
    pub fn unknown_results(&mut self, inst: Inst) {
        for thread in 0..self.threads.len() {
            for &value in &self.setting.facts.func.results_of[inst] {
                let term = self.unknown(value);
                self.define(thread, value, term);
            }
        }
    }

    fn pure(&mut self, inst: Inst, data: &InstData, reach: &[TermId]) {
        let result = self.setting.facts.func.result(inst);
        for (thread, &here) in reach.iter().enumerate() {
            let mut of = |lockstep: &mut Self, value| Some(lockstep.term(thread, value));
            let term = self.operation(thread, inst, data, &mut of);
            let term = term.unwrap_or_else(|| self.unknown(result));
            self.define(thread, result, term);
            if self.setting.in_range.contains(&inst) {
                self.assume_in_range(thread, inst, data, term, here);
            }
        }
    }

    /// The term of a pure instruction over the terms of its operands; `None` if one of these
    /// has none.
    pub fn operation(
        &mut self,
        thread: usize,
        inst: Inst,
        data: &InstData,
        of: &mut dyn FnMut(&mut Self, Value) -> Option<TermId>,
    ) -> Option<TermId> {
        let func = self.setting.facts.func;
        let ty = func.type_of(func.result(inst));
        Some(match data {
            InstData::Binary { op, args: [a, b], .. } => {
                let (a, divisor) = (of(self, *a)?, of(self, *b)?);
                let term = ops::binary(self.pool, *op, a, divisor, ty);
                match op.may_fail() {
                    true => self.unless_zero(divisor, term, ty),
                    false => term,
                }
            }
            InstData::Unary { op, arg } => {
                let arg = of(self, *arg)?;
                ops::unary(self.pool, *op, arg, ty)
            }
            InstData::Cast { op, arg, to } => {
                let from = func.type_of(*arg);
                let arg = of(self, *arg)?;
                ops::cast(self.pool, *op, arg, from, *to)
            }
            InstData::IntCompare { cc, args: [a, b] } => {
                let (a, b) = (of(self, *a)?, of(self, *b)?);
                ops::compare(self.pool, *cc, a, b)
            }
            InstData::FloatCompare { cc, args: [a, b] } => {
                let (a, b) = (of(self, *a)?, of(self, *b)?);
                ops::float_compare(self.pool, *cc, a, b)
            }
            InstData::Select { cond, args: [a, b] } => {
                let (cond, a, b) = (of(self, *cond)?, of(self, *a)?, of(self, *b)?);
                self.pool.ite(cond, a, b)
            }
            InstData::Pure { name, args, ty } => {
                let mut terms = vec![];
                for &arg in args {
                    terms.push(of(self, arg)?);
                }
                ops::uninterpreted(self.pool, name, &terms, *ty)
            }
            InstData::Geometry(one) => {
                let own = &self.threads[thread].terms;
                self.geometry.term(own, one.kind, one.dim)
            }
            InstData::PtrToInt { reference, offset } => {
                let args = [of(self, *reference)?, of(self, *offset)?];
                // SOUNDNESS: private and shared memory has another address for each thread
                // or block (kernels/soundness/06-private-address).
                let who = match self.has_one_address(*reference) {
                    true => "",
                    false => self.threads[thread].terms.name.as_str(),
                };
                let name = format!("address.of{who}");
                ops::uninterpreted(self.pool, &name, &args, ty)
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
    fn unless_zero(&mut self, divisor: TermId, quotient: TermId, ty: Type) -> TermId {
        let zero = ops::constant(self.pool, 0, ty);
        let is_zero = self.pool.eq(divisor, zero);
        if self.pool.as_bool(is_zero) == Some(false) {
            return quotient;
        }
        let anything = self.unknown_of(ty);
        self.pool.ite(is_zero, anything, quotient)
    }

    fn assume_in_range(
        &mut self,
        thread: usize,
        inst: Inst,
        data: &InstData,
        result: TermId,
        reach: TermId,
    ) {
        let fact = match data.operation() {
            Some(Operation::Binary { args: [a, b], .. }) => {
                let args = (self.term(thread, a), self.term(thread, b));
                stays_in_range(self.pool, self.setting.facts.func, inst, args, result)
            }
            Some(Operation::Cast { arg, .. }) => {
                let number = self.term(thread, arg);
                Some(keeps_its_value(self.pool, number, result))
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
            self.assume(thread, reach, fact);
        }
    }

    /// Assertions about one thread are checked where it is alone, those about two threads or
    /// about logs where there are two.
    fn assertion(&mut self, inst: Inst, kind: AssertKind, cond: Value, reach: &[TermId]) {
        if self.is_ghost || self.is_of_two(inst) == (self.row == Row::Alone) {
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
        let holds = self.term(0, cond);
        let mut goal = vec![self.is_here(0, reach[0]), self.pool.not(holds)];
        if self.names_other(inst) {
            goal.push(self.is_here(1, reach[1]));
        }
        self.defect(rule, vec![inst], goal, None);
    }

    /// Does it depend on what one thread alone does not know?
    pub fn is_of_two(&self, inst: Inst) -> bool {
        ghosts_of(self.setting.facts.func, inst).into_iter().any(is_of_two)
    }

    /// Does it depend on a value of the other thread?
    pub fn names_other(&self, inst: Inst) -> bool {
        ghosts_of(self.setting.facts.func, inst).contains(&GhostKind::Other)
    }

    /// Something that must not be possible.
    pub fn defect(
        &mut self,
        rule: Rule,
        places: Vec<Inst>,
        goal: Vec<TermId>,
        tolerated: Option<(Rule, Vec<TermId>)>,
    ) {
        let what = What::Defect { rule, places, tolerated };
        let known = self.known.clone();
        self.obligations.push(Obligation { known, goal, what, logged: None });
    }

    fn annotation(&mut self, inst: Inst, kind: AnnotationKind, args: &[Value], reach: &[TermId]) {
        if !kind.is_believed() {
            return;
        }
        let other = self.names_other(inst);
        // SOUNDNESS: one thread alone does not know what is assumed of two, nor what is
        // logged, so it is not assumed of it (test `wrong_kernels_are_never_proved`).
        if self.is_of_two(inst) && self.row == Row::Alone {
            return;
        }
        for thread in 0..self.threads.len() {
            let holds = self.term(thread, args[0]);
            // The other's value means something only where it is as well.
            let when = match other {
                true => self.pool.and(reach),
                false => reach[thread],
            };
            self.assume(thread, when, holds);
        }
    }

    /// Values for annotations.
    fn ghost(&mut self, inst: Inst, kind: GhostKind, args: &[Value], reach: &[TermId]) {
        let result = self.setting.facts.func.result(inst);
        for (thread, &here) in reach.iter().enumerate() {
            let term = match kind {
                GhostKind::Enabled => Some(here),
                GhostKind::Other => {
                    let other = (self.threads.len() == 2).then_some(1 - thread);
                    other.map(|other| self.term(other, args[0]))
                }
                GhostKind::SameBlock => Some(self.pool.bool(self.row != Row::Grid)),
                GhostKind::HasRead
                | GhostKind::HasWritten
                | GhostKind::ReadOffset
                | GhostKind::WriteOffset => {
                    let log = self.log.clone();
                    self.logged_ghost(&log, kind, args[0])
                }
                GhostKind::DominatorEnabled
                | GhostKind::ArrayIdentity
                | GhostKind::ReturnValue
                | GhostKind::Old
                | GhostKind::AtomicHasTakenValue
                | GhostKind::Fold
                | GhostKind::Cell => None,
            };
            let term = term.unwrap_or_else(|| self.unknown(result));
            self.define(thread, result, term);
        }
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
