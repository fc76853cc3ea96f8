//! Instructions: pure ones as terms, the others as obligations, facts and unknowns.

use duet_ir::{
    AnnotationKind, BarrierScope, ExchangeOp, GhostKind, Inst, InstData, Operation, Value,
};
use duet_product::Node;
use duet_smt::TermId;

use super::{Encoder, cells, claims};
use crate::ops;
use crate::overflow::{keeps_its_value, stays_in_range};
use crate::symbols::Origin;
use crate::walk::{AboutOthers, ObligationTerm};

impl Encoder<'_> {
    pub(super) fn instructions(&mut self, node: Node) {
        let data = &self.values.region.nodes[node];
        let insts = self.values.kernel.func.blocks[data.block].insts[data.first..data.end].to_vec();
        for inst in insts {
            self.instruction(inst);
        }
    }

    pub(super) fn instruction(&mut self, inst: Inst) {
        let func = self.values.kernel.func;
        let data = &func.insts[inst];
        self.spread_taint(inst, data);
        let known = match data.barrier_scope() {
            Some(_) => self.memory.cells.carried(&self.values, self.values.node),
            None => vec![],
        };
        self.memory.cells.forget_at(&mut self.values, data);
        match data {
            InstData::Load { access, ty, lanes } => {
                self.memory.load(&mut self.values, inst, access, *ty, *lanes)
            }
            InstData::Store { access, values } => {
                self.memory.store(&mut self.values, inst, access, values)
            }
            InstData::Atomic { op, scope, access, args, ty, .. } => {
                let mut site = self.values.site(inst, access, ty.bytes().unwrap_or(1), true);
                site.writes = *op != duet_ir::AtomicOp::Load;
                site.atomic = Some((*op, *scope));
                site.operands = args.iter().map(|&arg| self.values.term(arg)).collect();
                let node = self.values.node;
                self.memory.forget(&mut self.values, node, access.array);
                self.memory.forget_aliases(&mut self.values, access.array);
                self.values.unknown_results(inst);
                site.result = func.results_of[inst].first().map(|&value| self.values.term(value));
                self.memory.sites.push(site);
            }
            InstData::AsyncCopy { event, .. } => {
                self.memory.copy(&mut self.values, inst, data);
                match func.const_bits(*event) {
                    Some(0) => self.values.unknown_results(inst),
                    // The copy joins an event that there is.
                    _ => {
                        let event = self.values.term(*event);
                        self.values.define(func.result(inst), event);
                    }
                }
            }
            InstData::WaitEvents { events } => {
                let terms = events.iter().map(|&event| self.values.term(event)).collect();
                self.values.walk.waits.push((inst, terms));
            }
            InstData::Exchange { op, mask, args, .. } => {
                self.own_lane_in(inst, *mask);
                self.values.unknown_results(inst);
                self.own_lane_of_result(inst, *op, *mask, args);
            }
            InstData::Barrier { scope, arg } => {
                if *scope == BarrierScope::Warp {
                    self.own_lane_in(inst, *arg);
                }
                self.memory.pass_barrier(&mut self.values, inst, &known);
                self.values.unknown_results(inst);
            }
            InstData::BarrierReduce { .. } => {
                self.memory.pass_barrier(&mut self.values, inst, &known);
                self.values.unknown_results(inst);
            }
            InstData::Assert { cond, .. } => self.assertion(inst, *cond),
            InstData::Annotation { kind, args } => self.annotation(inst, *kind, args),
            InstData::Binary { op, args, .. } if op.may_fail() => {
                self.pure(inst, data);
                self.division(inst, args[1]);
            }
            InstData::IntToPtr { arg } => self.values.pointer(inst, *arg),
            InstData::Ghost { kind: GhostKind::Other, args, .. } => {
                self.pure(inst, data);
                claims::note_other(&mut self.values, inst, args[0]);
            }
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Fresh { .. }
            | InstData::Geometry(_)
            | InstData::PtrToInt { .. }
            | InstData::Ghost { .. } => self.pure(inst, data),
            InstData::Fence { .. } | InstData::Call { .. } | InstData::CallUnknown { .. } => {
                self.values.unknown_results(inst);
            }
        }
    }

    /// The results of an instruction that depends on its operands alone.
    pub(super) fn pure(&mut self, inst: Inst, data: &InstData) {
        let func = self.values.kernel.func;
        let results = func.results_of[inst].clone();
        let Some(term) = self.values.pure_term(inst, data) else {
            return self.values.unknown_results(inst);
        };
        self.values.define(results[0], term);
        if self.values.kernel.in_range.contains(&inst) {
            self.assume_in_range(inst, data, term);
        }
    }

    /// SOUNDNESS: a fact from here on, of this thread, on this path; not of what it
    /// did before (kernels/soundness/20-overflow-elsewhere).
    fn assume_in_range(&mut self, inst: Inst, data: &InstData, result: TermId) {
        let fact = match data.operation() {
            Some(Operation::Binary { args: [a, b], .. }) => {
                let args = (self.values.term(a), self.values.term(b));
                stays_in_range(self.values.pool, self.values.kernel.func, inst, args, result)
            }
            Some(Operation::Cast { arg, .. }) => {
                let number = self.values.term(arg);
                Some(keeps_its_value(self.values.pool, number, result))
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
            self.values.assume(fact);
        }
    }

    /// A division by zero yields an unspecified value. SOUNDNESS: SMT-LIB gives it
    /// a certain one, which nothing may rely on (test `a_division_by_zero_yields_anything`).
    pub(super) fn division(&mut self, inst: Inst, divisor: Value) {
        let result = self.values.kernel.func.result(inst);
        let ty = self.values.kernel.func.type_of(divisor);
        let term = self.values.term(divisor);
        let zero = ops::constant(self.values.pool, 0, ty);
        let is_zero = self.values.pool.eq(term, zero);
        let quotient = self.values.term(result);
        let name = self.values.symbol(&format!("{result}.undefined"), false);
        let unspecified = self.values.pool.constant(&name, ops::sort_of(ty));
        let unspecified = self.values.note(unspecified, Origin::Value(result), false);
        let value = self.values.pool.ite(is_zero, unspecified, quotient);
        self.values.define(result, value);
    }

    /// A lane must be in the mask that it names.
    fn own_lane_in(&mut self, inst: Inst, mask: Option<Value>) {
        let all = Some(u128::from(duet_product::ALL_LANES));
        if let Some(mask) = mask.filter(|&mask| self.values.kernel.func.const_bits(mask) != all) {
            let holds = self.values.has_own_lane(mask);
            self.obligation(inst, holds, false);
        }
    }

    /// What a lane knows of itself in a result that is a mask. SOUNDNESS: only if it
    /// takes part (kernels/warp/ballot-outside-bug).
    fn own_lane_of_result(
        &mut self,
        inst: Inst,
        op: ExchangeOp,
        mask: Option<Value>,
        args: &[Value],
    ) {
        let known = match op {
            ExchangeOp::ActiveMask | ExchangeOp::MatchAny => self.values.pool.tt(),
            ExchangeOp::Ballot => {
                let ty = self.values.kernel.func.type_of(args[0]);
                let (predicate, zero) =
                    (self.values.term(args[0]), ops::constant(self.values.pool, 0, ty));
                self.values.pool.ne(predicate, zero)
            }
            ExchangeOp::ShuffleIndex
            | ExchangeOp::ShuffleUp
            | ExchangeOp::ShuffleDown
            | ExchangeOp::ShuffleXor
            | ExchangeOp::VoteAll
            | ExchangeOp::VoteAny
            | ExchangeOp::VoteUniform
            | ExchangeOp::MatchAll
            | ExchangeOp::ReduceAdd
            | ExchangeOp::ReduceSMin
            | ExchangeOp::ReduceSMax
            | ExchangeOp::ReduceUMin
            | ExchangeOp::ReduceUMax
            | ExchangeOp::ReduceAnd
            | ExchangeOp::ReduceOr
            | ExchangeOp::ReduceXor => return,
        };
        let set = self.values.has_own_lane(self.values.kernel.func.result(inst));
        let agrees = self.values.pool.eq(set, known);
        let takes_part = match mask {
            Some(mask) => self.values.has_own_lane(mask),
            None => self.values.pool.tt(),
        };
        let fact = self.values.pool.implies(takes_part, agrees);
        self.values.assume(fact);
    }

    pub(super) fn assertion(&mut self, inst: Inst, cond: Value) {
        let holds = self.values.term(cond);
        let tainted = self.is_tainted(cond);
        self.obligation(inst, holds, tainted);
    }

    pub(super) fn obligation(&mut self, inst: Inst, holds: TermId, not_expressible: bool) {
        let guard = self.values.walk.reach[&self.values.node];
        let at = self.values.point();
        self.values.walk.obligations.push(ObligationTerm {
            inst,
            at,
            guard,
            holds,
            not_expressible,
        });
    }

    pub(super) fn annotation(&mut self, inst: Inst, kind: AnnotationKind, args: &[Value]) {
        if matches!(kind, AnnotationKind::BarrierInvariant | AnnotationKind::BarrierInvariantBinary)
        {
            return claims::note(&mut self.values, inst, args, None);
        }
        if kind == AnnotationKind::CellInvariant {
            if let Some(cell) = cells::note(&mut self.values, &self.memory.templates, inst) {
                claims::note(&mut self.values, inst, args, Some(cell));
            }
            return;
        }
        let is_fact = matches!(
            kind,
            AnnotationKind::Requires
                | AnnotationKind::GlobalRequires
                | AnnotationKind::Assume
                | AnnotationKind::Axiom
                | AnnotationKind::Contract
        );
        if !is_fact {
            return;
        }
        let holds = self.values.term(args[0]);
        if self.is_tainted(args[0]) {
            let (at, guard) = (self.values.point(), self.values.walk.reach[&self.values.node]);
            self.values.walk.about_others.push(AboutOthers { inst, at, guard, holds });
        } else if kind == AnnotationKind::Contract {
            self.values.assume_by_contract(holds);
        } else {
            self.values.assume_as_stated(holds);
        }
    }

    /// Marks values that depend on the other thread or on logged accesses.
    pub(super) fn spread_taint(&mut self, inst: Inst, data: &InstData) {
        let known = |kind: &GhostKind| matches!(kind, GhostKind::Enabled | GhostKind::Fold);
        let own = matches!(data, InstData::Ghost { kind, .. } if !known(kind));
        let tainted = own || data.values().into_iter().any(|value| self.is_tainted(value));
        if tainted {
            for &value in &self.values.kernel.func.results_of[inst] {
                self.tainted.insert(value, true);
            }
        }
    }

    pub(super) fn is_tainted(&self, value: Value) -> bool {
        self.tainted.get(&value).copied().unwrap_or(false)
    }
}
