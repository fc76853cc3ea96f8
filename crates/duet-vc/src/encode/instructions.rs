//! Instructions: pure ones as terms, the others as obligations, facts and unknowns.

use duet_ir::{
    AnnotationKind, BarrierScope, Const, ExchangeOp, GhostKind, Inst, InstData, Operation, Space,
    Type, Value,
};
use duet_product::Node;
use duet_smt::{Op, TermId};

use super::Encoder;
use crate::ops;
use crate::overflow::{keeps_its_value, stays_in_range};
use crate::symbols::Origin;
use crate::walk::{AboutOthers, ObligationTerm};

/// Choices that are followed to find the arrays that a pointer may point into.
const MAX_CHOICES: usize = 8;

impl Encoder<'_> {
    pub(super) fn instructions(&mut self, node: Node) {
        let data = &self.region.nodes[node];
        let insts = self.kernel.func.blocks[data.block].insts[data.first..data.end].to_vec();
        for inst in insts {
            self.instruction(inst);
        }
    }

    pub(super) fn instruction(&mut self, inst: Inst) {
        let func = self.kernel.func;
        let data = &func.insts[inst];
        self.spread_taint(inst, data);
        self.forget_cells_at(data);
        match data {
            InstData::Load { access, ty, lanes } => self.load(inst, access, *ty, *lanes),
            InstData::Store { access, values } => self.store(inst, access, values),
            InstData::Atomic { op, scope, access, ty, .. } => {
                let mut site = self.site(inst, access, ty.bytes().unwrap_or(1), true);
                site.writes = *op != duet_ir::AtomicOp::Load;
                site.atomic = Some((*op, *scope));
                self.forget(self.node, access.array);
                self.forget_aliases(access.array);
                self.unknown_results(inst);
                site.result = func.results_of[inst].first().map(|&value| self.term(value));
                self.walk.sites.push(site);
            }
            InstData::AsyncCopy { event, .. } => {
                self.copy(inst, data);
                match func.const_bits(*event) {
                    Some(0) => self.unknown_results(inst),
                    // The copy joins an event that there is.
                    _ => {
                        let event = self.term(*event);
                        self.define(func.result(inst), event);
                    }
                }
            }
            InstData::WaitEvents { events } => {
                let terms = events.iter().map(|&event| self.term(event)).collect();
                self.walk.waits.push((inst, terms));
            }
            InstData::Exchange { op, mask, args, .. } => {
                self.own_lane_in(inst, *mask);
                self.unknown_results(inst);
                self.own_lane_of_result(inst, *op, *mask, args);
            }
            InstData::Barrier { scope, arg } => {
                if *scope == BarrierScope::Warp {
                    self.own_lane_in(inst, *arg);
                }
                self.pass_barrier();
                self.unknown_results(inst);
            }
            InstData::BarrierReduce { .. } => {
                self.pass_barrier();
                self.unknown_results(inst);
            }
            InstData::Assert { cond, .. } => self.assertion(inst, *cond),
            InstData::Annotation { kind, args } => self.annotation(inst, *kind, args),
            InstData::Binary { op, args, .. } if op.may_fail() => {
                self.pure(inst, data);
                self.division(inst, args[1]);
            }
            InstData::IntToPtr { arg } => self.pointer(inst, *arg),
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
                self.unknown_results(inst);
            }
        }
    }

    /// The pointer that a number stands for: the one whose address it is, or else an
    /// unknown function of the number, of this thread, since private memory is another
    /// one in each.
    fn pointer(&mut self, inst: Inst, number: Value) {
        let func = self.kernel.func;
        let results = func.results_of[inst].clone();
        if results.iter().any(|&value| (self.sharing.value)(value)) {
            return self.unknown_results(inst);
        }
        let number = self.term(number);
        let types = results.iter().map(|&value| func.type_of(value)).collect::<Vec<_>>();
        let parts = self.pointer_parts(number, &types, MAX_CHOICES);
        results.into_iter().zip(parts).for_each(|(value, part)| self.define(value, part));
    }

    /// The array and offset that a number stands for, choice by choice where it is one of
    /// several.
    fn pointer_parts(&mut self, number: TermId, types: &[Type], choices: usize) -> Vec<TermId> {
        if let Some(parts) = self.with_this_address(number) {
            return parts.to_vec();
        }
        if choices > 0
            && let Some((chosen, one, other)) = self.choice(number)
        {
            let one = self.pointer_parts(one, types, choices - 1);
            let other = self.pointer_parts(other, types, choices - 1);
            let both = one.into_iter().zip(other);
            return both.map(|(one, other)| self.pool.ite(chosen, one, other)).collect();
        }
        let named = ["array", "offset"].into_iter().zip(types);
        named
            .map(|(part, &ty)| {
                let name = format!("{part}-of-pointer{}", self.thread.name);
                let part = ops::uninterpreted(self.pool, &name, &[number], ty);
                self.note(part, Origin::Pointer, false)
            })
            .collect()
    }

    /// The number as a choice between two: as it is written, or by what was stored last.
    fn choice(&mut self, number: TermId) -> Option<(TermId, TermId, TermId)> {
        match (self.pool.op(number), self.pool.args(number)) {
            (Op::Ite, &[chosen, one, other]) => Some((chosen, one, other)),
            (Op::Select, &[contents, place]) => {
                let (Op::Store, &[before, stored_at, stored]) =
                    (self.pool.op(contents), self.pool.args(contents))
                else {
                    return None;
                };
                let is_it = self.pool.eq(place, stored_at);
                let other = self.pool.select(before, place);
                Some((is_it, stored, other))
            }
            _ => None,
        }
    }

    /// The array and offset, if the number was made from them.
    fn with_this_address(&mut self, number: TermId) -> Option<[TermId; 2]> {
        let Op::Apply(_) = self.pool.op(number) else { return None };
        let args = <[TermId; 2]>::try_from(self.pool.args(number)).ok()?;
        let ty = self.kernel.module.pointer_type();
        let own = self.thread.name.as_str();
        let is_it = ["", own].into_iter().any(|who| self.address(who, &args, ty) == number);
        is_it.then_some(args)
    }

    fn address(&mut self, who: &str, args: &[TermId], ty: Type) -> TermId {
        let address = ops::uninterpreted(self.pool, &format!("address.of{who}"), args, ty);
        self.note(address, Origin::Address, who.is_empty())
    }

    pub(super) fn unknown_results(&mut self, inst: Inst) {
        for &value in &self.kernel.func.results_of[inst].clone() {
            let term = self.unknown_value(value);
            self.define(value, term);
        }
    }

    /// The results of an instruction that depends on its operands alone.
    pub(super) fn pure(&mut self, inst: Inst, data: &InstData) {
        let func = self.kernel.func;
        let results = func.results_of[inst].clone();
        let Some(term) = self.pure_term(inst, data) else {
            return self.unknown_results(inst);
        };
        self.define(results[0], term);
        if self.kernel.in_range.contains(&inst) {
            self.assume_in_range(inst, data, term);
        }
    }

    /// SOUNDNESS: a fact from here on, of this thread, on this path; not of what it
    /// did before (kernels/soundness/20-overflow-elsewhere).
    fn assume_in_range(&mut self, inst: Inst, data: &InstData, result: TermId) {
        let fact = match data.operation() {
            Some(Operation::Binary { args: [a, b], .. }) => {
                let args = (self.term(a), self.term(b));
                stays_in_range(self.pool, self.kernel.func, inst, args, result)
            }
            Some(Operation::Cast { arg, .. }) => {
                let number = self.term(arg);
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
            self.assume(fact);
        }
    }

    /// The term of a pure instruction with one result; `None` if it is unknown.
    pub(crate) fn pure_term(&mut self, inst: Inst, data: &InstData) -> Option<TermId> {
        let func = self.kernel.func;
        let ty = func.type_of(*func.results_of[inst].first()?);
        Some(match data {
            InstData::Binary { op, args: [a, b], .. } => {
                let (a, b) = (self.term(*a), self.term(*b));
                ops::binary(self.pool, *op, a, b, ty)
            }
            InstData::Unary { op, arg } => {
                let arg = self.term(*arg);
                ops::unary(self.pool, *op, arg, ty)
            }
            InstData::Cast { op, arg, to } => {
                let from = func.type_of(*arg);
                let arg = self.term(*arg);
                ops::cast(self.pool, *op, arg, from, *to)
            }
            InstData::IntCompare { cc, args: [a, b] } => {
                let (a, b) = (self.term(*a), self.term(*b));
                ops::compare(self.pool, *cc, a, b)
            }
            InstData::FloatCompare { cc, args: [a, b] } => {
                let (a, b) = (self.term(*a), self.term(*b));
                ops::float_compare(self.pool, *cc, a, b)
            }
            InstData::Select { cond, args: [a, b] } => {
                let cond = self.term(*cond);
                let (a, b) = (self.term(*a), self.term(*b));
                self.pool.ite(cond, a, b)
            }
            InstData::Pure { name, args, ty } => {
                let args: Vec<TermId> = args.iter().map(|&arg| self.term(arg)).collect();
                ops::uninterpreted(self.pool, name, &args, *ty)
            }
            InstData::Geometry(geometry) => {
                self.kernel.geometry.term(self.thread, geometry.kind, geometry.dim)
            }
            InstData::PtrToInt { reference, offset } => {
                let args = [self.term(*reference), self.term(*offset)];
                // SOUNDNESS: what is not the same array for all threads has an
                // address of its own in each (kernels/soundness/06-private-address).
                let who = match self.has_one_address(*reference) {
                    true => "",
                    false => self.thread.name.as_str(),
                };
                self.address(who, &args, ty)
            }
            InstData::Ghost { kind: GhostKind::Enabled, .. } => self.pool.tt(),
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

    /// Does the reference name null or one array of the whole launch?
    pub(super) fn has_one_address(&self, reference: Value) -> bool {
        match self.kernel.func.const_of(reference) {
            Some(Const::Array(array)) => {
                let space = self.kernel.module.arrays[array].space;
                matches!(space, Space::Global | Space::Constant)
            }
            Some(Const::Null) => true,
            Some(Const::Bits(_)) | None => false,
        }
    }

    /// A division by zero yields an unspecified value. SOUNDNESS: SMT-LIB gives it
    /// a certain one, which nothing may rely on (test `a_division_by_zero_yields_anything`).
    pub(super) fn division(&mut self, inst: Inst, divisor: Value) {
        let result = self.kernel.func.result(inst);
        let ty = self.kernel.func.type_of(divisor);
        let term = self.term(divisor);
        let zero = ops::constant(self.pool, 0, ty);
        let is_zero = self.pool.eq(term, zero);
        let quotient = self.term(result);
        let name = self.symbol(&format!("{result}.undefined"), false);
        let unspecified = self.pool.constant(&name, ops::sort_of(ty));
        let unspecified = self.note(unspecified, Origin::Value(result), false);
        let value = self.pool.ite(is_zero, unspecified, quotient);
        self.define(result, value);
    }

    /// A lane must be in the mask that it names.
    fn own_lane_in(&mut self, inst: Inst, mask: Option<Value>) {
        let all = Some(u128::from(duet_product::ALL_LANES));
        if let Some(mask) = mask.filter(|&mask| self.kernel.func.const_bits(mask) != all) {
            let holds = self.has_own_lane(mask);
            self.obligation(inst, holds, false);
        }
    }

    /// Is the thread's lane set in a value that is a mask?
    fn has_own_lane(&mut self, mask: Value) -> TermId {
        let mask = self.term(mask);
        let mask = self.pool.zext_or_trunc(mask, 32);
        self.thread.lane_is_in(self.pool, self.kernel.geometry, mask)
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
            ExchangeOp::ActiveMask | ExchangeOp::MatchAny => self.pool.tt(),
            ExchangeOp::Ballot => {
                let ty = self.kernel.func.type_of(args[0]);
                let (predicate, zero) = (self.term(args[0]), ops::constant(self.pool, 0, ty));
                self.pool.ne(predicate, zero)
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
        let set = self.has_own_lane(self.kernel.func.result(inst));
        let agrees = self.pool.eq(set, known);
        let takes_part = match mask {
            Some(mask) => self.has_own_lane(mask),
            None => self.pool.tt(),
        };
        let fact = self.pool.implies(takes_part, agrees);
        self.assume(fact);
    }

    pub(super) fn assertion(&mut self, inst: Inst, cond: Value) {
        let holds = self.term(cond);
        let tainted = self.is_tainted(cond);
        self.obligation(inst, holds, tainted);
    }

    pub(super) fn obligation(&mut self, inst: Inst, holds: TermId, not_expressible: bool) {
        let guard = self.walk.reach[&self.node];
        let at = self.point();
        self.walk.obligations.push(ObligationTerm { inst, at, guard, holds, not_expressible });
    }

    pub(super) fn annotation(&mut self, inst: Inst, kind: AnnotationKind, args: &[Value]) {
        let is_fact = matches!(
            kind,
            AnnotationKind::Requires
                | AnnotationKind::GlobalRequires
                | AnnotationKind::Assume
                | AnnotationKind::Axiom
        );
        if !is_fact {
            return;
        }
        let holds = self.term(args[0]);
        if self.is_tainted(args[0]) {
            let (at, guard) = (self.point(), self.walk.reach[&self.node]);
            self.walk.about_others.push(AboutOthers { inst, at, guard, holds });
        } else {
            self.assume_as_stated(holds);
        }
    }

    /// Marks values that depend on the other thread or on logged accesses.
    pub(super) fn spread_taint(&mut self, inst: Inst, data: &InstData) {
        let own = matches!(data, InstData::Ghost { kind, .. } if *kind != GhostKind::Enabled);
        let tainted = own || data.values().into_iter().any(|value| self.is_tainted(value));
        if tainted {
            for &value in &self.kernel.func.results_of[inst] {
                self.tainted.insert(value, true);
            }
        }
    }

    pub(super) fn is_tainted(&self, value: Value) -> bool {
        self.tainted.get(&value).copied().unwrap_or(false)
    }
}
