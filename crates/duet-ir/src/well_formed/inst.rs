//! Rules about single instructions: operand counts and types, results, accesses.
//! Operands exist when these functions are called.

use super::WellFormedRule;
use super::subject::Subject;
use crate::{
    Access, AnnotationKind, AtomicOp, BarrierScope, BinaryOp, CastOp, Dim, ExchangeOp, Func,
    FunctionKind, Geometry, GeometryKind, GhostKind, Inst, InstData, IntCc, ParamKind, Space, Type,
    UnaryOp, Value,
};

/// The rules about instructions; where values are defined does not matter to them.
pub struct InstChecker<'s, 'm> {
    subject: &'s mut Subject<'m>,
}

impl<'s, 'm> InstChecker<'s, 'm> {
    /// Checks the place that the subject is at.
    pub fn new(subject: &'s mut Subject<'m>) -> InstChecker<'s, 'm> {
        InstChecker { subject }
    }

    /// Checks an instruction whose operands exist.
    pub fn inst(&mut self, inst: Inst) {
        let func = self.subject.func;
        let data = &func.insts[inst];
        if let InstData::Call { callee, .. } = data
            && !self.subject.module.functions.is_valid(*callee)
        {
            return self
                .subject
                .error(WellFormedRule::IdExists, format!("{callee} does not exist"));
        }
        self.operands(data);
        let want = func.result_types(self.subject.module, data);
        let results = &func.results_of[inst];
        let have: Vec<Type> =
            results.iter().filter_map(|&value| func.types.get(value).copied()).collect();
        if have.len() == results.len() && have != want {
            let message = format!("the results are ({}), expected ({})", list(&have), list(&want));
            self.subject.error(WellFormedRule::ResultType, message);
        }
    }

    fn operands(&mut self, data: &InstData) {
        match data {
            InstData::Binary { op, nsw, args } => self.binary(*op, *nsw, args),
            InstData::Unary { op, arg } => self.unary(*op, *arg),
            InstData::Cast { op, arg, to } => self.cast(*op, *arg, *to),
            InstData::IntCompare { cc, args } => self.int_compare(*cc, args),
            InstData::FloatCompare { args, .. } => {
                self.subject.expect_float(args[0]);
                self.subject.expect_same(args);
            }
            InstData::Select { cond, args } => {
                self.subject.expect(*cond, Type::BOOL);
                self.subject.expect_same(args);
            }
            InstData::Geometry(Geometry { kind: GeometryKind::WorkDim, dim }) if *dim != Dim::X => {
                self.subject
                    .error(WellFormedRule::WorkDim, format!("`work_dim` is along {dim}, not x"));
            }
            InstData::PtrToInt { reference, offset } => {
                self.subject.expect(*reference, Type::Ref);
                self.subject.expect(*offset, self.subject.module.pointer_type());
            }
            InstData::IntToPtr { arg } => {
                self.subject.expect(*arg, self.subject.module.pointer_type())
            }
            InstData::Call { callee, args } => self.call(*callee, args),
            InstData::Annotation { kind, args } => self.annotation(*kind, args),
            InstData::Ghost { kind, args, ty } => self.ghost(*kind, args, *ty),
            InstData::Load { access, ty, lanes } => self.load(access, *ty, *lanes),
            InstData::Store { access, values } => self.store(access, values),
            InstData::Atomic { op, access, args, ty, .. } => self.atomic(*op, access, args, *ty),
            InstData::AsyncCopy { .. } => self.async_copy(data),
            InstData::Barrier { scope, arg } => self.barrier(*scope, *arg),
            InstData::BarrierReduce { arg, .. } => self.subject.expect(*arg, Type::I32),
            InstData::Exchange { op, mask, args, ty } => self.exchange(*op, *mask, args, *ty),
            InstData::WaitEvents { events } => {
                events.iter().for_each(|&event| self.subject.expect(event, Type::I32));
            }
            InstData::Assert { cond, .. } => self.subject.expect(*cond, Type::BOOL),
            InstData::Pure { .. }
            | InstData::Fresh { .. }
            | InstData::Geometry(_)
            | InstData::CallUnknown { .. }
            | InstData::Fence { .. } => {}
        }
    }
}

/// Arithmetic.
impl InstChecker<'_, '_> {
    /// What the source says of an operation's sign.
    pub fn sign_of_result(&mut self, inst: Inst) {
        use BinaryOp::{Add, Mul, Sub};
        let data = &self.subject.func.insts[inst];
        let may_not_fit = matches!(
            data,
            InstData::Binary { op: Add | Sub | Mul, nsw: false, .. }
                | InstData::Cast { op: CastOp::Trunc, .. }
        );
        if self.subject.func.into_signed[inst] && !may_not_fit {
            self.subject.error(
                WellFormedRule::Nsw,
                "only unsigned arithmetic and `trunc` are `into_signed`",
            );
        }
    }

    fn binary(&mut self, op: BinaryOp, nsw: bool, args: &[Value; 2]) {
        if op.is_float() {
            self.subject.expect_float(args[0]);
        } else {
            self.subject.expect_int(args[0]);
        }
        self.subject.expect_same(args);
        let overflows = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl);
        if nsw && !overflows {
            self.subject.error(WellFormedRule::Nsw, format!("`{op}` cannot have `nsw`"));
        }
    }

    fn unary(&mut self, op: UnaryOp, arg: Value) {
        match (op, self.subject.type_of(arg)) {
            (UnaryOp::FNeg, _) => self.subject.expect_float(arg),
            (UnaryOp::SwapBytes, Type::Int(width)) if width % 8 != 0 => {
                self.subject.not_a(arg, "an integer of whole bytes");
            }
            _ => self.subject.expect_int(arg),
        }
    }

    fn cast(&mut self, op: CastOp, arg: Value, to: Type) {
        let from = self.subject.type_of(arg);
        let (ints, floats) = (from.is_int() && to.is_int(), from.is_float() && to.is_float());
        // `None`, for `ref`, is neither.
        let (narrows, widens) = (to.bits() < from.bits(), to.bits() > from.bits());
        let valid = match op {
            CastOp::Trunc => ints && narrows,
            CastOp::ZExt | CastOp::SExt => ints && widens,
            CastOp::FToU | CastOp::FToS | CastOp::FToUSat | CastOp::FToSSat => {
                from.is_float() && to.is_int()
            }
            CastOp::UToF | CastOp::SToF => from.is_int() && to.is_float(),
            CastOp::FTrunc => floats && narrows,
            CastOp::FExt => floats && widens,
            CastOp::Bitcast => from.bits().is_some() && from.bits() == to.bits(),
        };
        if !valid {
            self.subject.error(
                WellFormedRule::Conversion,
                format!("`{op}` does not convert {from} to {to}"),
            );
        }
    }

    fn int_compare(&mut self, cc: IntCc, args: &[Value; 2]) {
        match self.subject.type_of(args[0]) {
            Type::Int(_) => {}
            Type::Ref if matches!(cc, IntCc::Eq | IntCc::Ne) => {}
            Type::Ref => self.subject.not_a(args[0], "an integer: a `ref` is only equal or not"),
            Type::Float(_) => self.subject.not_a(args[0], "an integer or a `ref`"),
        }
        self.subject.expect_same(args);
    }
}

/// Accesses.
impl InstChecker<'_, '_> {
    fn load(&mut self, access: &Access, ty: Type, lanes: u32) {
        self.access(access);
        self.access_size(access, ty, lanes as usize);
    }

    fn store(&mut self, access: &Access, values: &[Value]) {
        self.access(access);
        self.written(access);
        let Some(&first) = values.first() else {
            return self.subject.error(WellFormedRule::AccessType, "a store of no values");
        };
        self.subject.expect_same(values);
        self.access_size(access, self.subject.type_of(first), values.len());
    }

    fn atomic(&mut self, op: AtomicOp, access: &Access, args: &[Value], ty: Type) {
        self.access(access);
        self.access_size(access, ty, 1);
        self.not_ghost(access);
        if op.access_mode().may_write() {
            self.written(access);
        }
        let count = match op {
            AtomicOp::Load => 0,
            AtomicOp::CompareExchange => 2,
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Exchange
            | AtomicOp::SMin
            | AtomicOp::SMax
            | AtomicOp::UMin
            | AtomicOp::UMax
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::IncWrap
            | AtomicOp::DecWrap
            | AtomicOp::FAdd
            | AtomicOp::FMin
            | AtomicOp::FMax
            | AtomicOp::Store => 1,
        };
        self.subject.expect_all(args, &vec![ty; count]);
        let float = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
        let either = matches!(
            op,
            AtomicOp::Exchange | AtomicOp::CompareExchange | AtomicOp::Load | AtomicOp::Store
        );
        if !either && ty.is_float() != float {
            self.subject
                .error(WellFormedRule::OperandType, format!("`atomic {op}` is not for {ty}"));
        }
    }

    fn async_copy(&mut self, data: &InstData) {
        let InstData::AsyncCopy { dst, src, element, count, dst_stride, src_stride, event } = data
        else {
            return;
        };
        if *element == 0 {
            self.subject.error(WellFormedRule::AccessType, "a copy of elements of no size");
        }
        for access in [dst, src] {
            self.access(access);
            self.not_ghost(access);
            self.granule_fits(access, u64::from(*element));
        }
        self.written(dst);
        for &value in [count, dst_stride, src_stride] {
            self.subject.expect(value, self.subject.module.pointer_type());
        }
        self.subject.expect(*event, Type::I32);
    }

    /// What every access must satisfy.
    fn access(&mut self, access: &Access) {
        self.subject.array_exists(access.array);
        self.subject.expect(access.offset, self.subject.module.pointer_type());
        if !access.align.is_power_of_two() {
            let message = format!("alignment {} is not a power of two", access.align);
            self.subject.error(WellFormedRule::Alignment, message);
        }
    }

    /// An access of some values of a type.
    fn access_size(&mut self, access: &Access, ty: Type, lanes: usize) {
        match ty.bits() {
            _ if lanes == 0 => {
                self.subject.error(WellFormedRule::AccessType, "an access of no values")
            }
            None => {
                self.subject.error(WellFormedRule::AccessType, "a `ref` in memory is an integer")
            }
            Some(bits) if bits % 8 != 0 => {
                self.subject.error(
                    WellFormedRule::AccessType,
                    format!("{ty} does not fill whole bytes in memory"),
                );
            }
            Some(bits) => self.granule_fits(access, u64::from(bits / 8) * lanes as u64),
        }
    }

    fn granule_fits(&mut self, access: &Access, bytes: u64) {
        let Some(array) = self.subject.module.arrays.get(access.array) else { return };
        let granule = array.granule;
        // A granule of 0 has been noted at its array.
        if granule == 0
            || (bytes.is_multiple_of(u64::from(granule)) && access.align.is_multiple_of(granule))
        {
            return;
        }
        let message = format!(
            "an access of {bytes} bytes at alignment {} does not fit the granule {granule} of `@{}`",
            access.align, array.name
        );
        self.subject.error(WellFormedRule::GranuleFits, message);
    }

    fn written(&mut self, access: &Access) {
        if let Some(array) = self.subject.module.arrays.get(access.array)
            && array.space == Space::Constant
            // A ghost store only says where a pointer points: `__requires_fresh_array`.
            && !access.ghost
        {
            self.subject
                .error(WellFormedRule::ConstantWrite, format!("`@{}` is constant", array.name));
        }
    }

    fn not_ghost(&mut self, access: &Access) {
        if access.ghost {
            self.subject
                .error(WellFormedRule::GhostAccess, "only a load or a store can be `ghost`");
        }
    }
}

/// Synchronisation, annotations and calls.
impl InstChecker<'_, '_> {
    fn barrier(&mut self, scope: BarrierScope, arg: Option<Value>) {
        let types: &[Type] = match scope {
            BarrierScope::Warp | BarrierScope::Block => &[Type::I32],
            BarrierScope::Grid => &[],
        };
        self.subject.expect_all(arg.as_slice(), types);
    }

    fn exchange(&mut self, op: ExchangeOp, mask: Option<Value>, args: &[Value], ty: Type) {
        use ExchangeOp::*;
        if let Some(mask) = mask {
            self.subject.expect(mask, Type::I32);
        }
        match op {
            ShuffleIndex | ShuffleUp | ShuffleDown | ShuffleXor => {
                self.subject.expect_all(args, &[ty, Type::I32, Type::I32]);
                self.expect_number(ty);
            }
            VoteAll | VoteAny | VoteUniform | Ballot => {
                self.subject.expect_all(args, &[Type::I32]);
                self.subject.expect_result(ty, Type::I32);
            }
            MatchAny | MatchAll => {
                if self.subject.expect_count(args, 1) {
                    self.subject.expect_int(args[0]);
                }
                self.subject.expect_result(ty, Type::I32);
            }
            ActiveMask => {
                self.subject.expect_count(args, 0);
                if mask.is_some() {
                    self.subject.error(WellFormedRule::OperandCount, "`active_mask` has no mask");
                }
                self.subject.expect_result(ty, Type::I32);
            }
            ReduceAdd | ReduceSMin | ReduceSMax | ReduceUMin | ReduceUMax | ReduceAnd
            | ReduceOr | ReduceXor => {
                self.subject.expect_all(args, &[ty]);
                args.iter().for_each(|&arg| self.subject.expect_int(arg));
            }
        }
    }

    /// A type with a bit pattern.
    fn expect_number(&mut self, ty: Type) {
        if ty == Type::Ref {
            self.subject.error(WellFormedRule::OperandType, "a `ref` cannot be exchanged");
        }
    }

    fn annotation(&mut self, kind: AnnotationKind, args: &[Value]) {
        match kind {
            AnnotationKind::ReadsFrom | AnnotationKind::WritesTo => {
                self.subject.expect_all(args, &[Type::Ref]);
            }
            AnnotationKind::ArraySnapshot => self.subject.expect_all(args, &[Type::Ref, Type::Ref]),
            AnnotationKind::Captured => self.captured(args),
            AnnotationKind::BarrierInvariant => self.barrier_invariant(args, 1),
            AnnotationKind::BarrierInvariantBinary => self.barrier_invariant(args, 2),
            AnnotationKind::CellInvariant => {
                self.subject.expect_all(args, &[Type::BOOL, Type::I32]);
            }
            AnnotationKind::Requires
            | AnnotationKind::GlobalRequires
            | AnnotationKind::Ensures
            | AnnotationKind::GlobalEnsures
            | AnnotationKind::Assume
            | AnnotationKind::CandidateAssert
            | AnnotationKind::CandidateGlobalAssert
            | AnnotationKind::Invariant
            | AnnotationKind::GlobalInvariant
            | AnnotationKind::CandidateInvariant
            | AnnotationKind::CandidateGlobalInvariant
            | AnnotationKind::FunctionWideInvariant
            | AnnotationKind::FunctionWideCandidateInvariant
            | AnnotationKind::Contract
            | AnnotationKind::Axiom => self.subject.expect_all(args, &[Type::BOOL]),
            AnnotationKind::Verified => self.subject.expect_all(args, &[]),
        }
    }

    /// Three constants, then a number, or a reference and its offset.
    fn captured(&mut self, args: &[Value]) {
        if !matches!(args.len(), 4 | 5) {
            return self.subject.error(WellFormedRule::OperandCount, "a capture has a value");
        }
        args[..3].iter().for_each(|&number| self.subject.expect_int(number));
        if let [_, _, _, reference, offset] = *args {
            self.subject.expect(reference, Type::Ref);
            self.subject.expect_int(offset);
        }
    }

    /// A condition, then groups of thread ids.
    fn barrier_invariant(&mut self, args: &[Value], group: usize) {
        let Some((&cond, ids)) = args.split_first() else {
            return self
                .subject
                .error(WellFormedRule::OperandCount, "a barrier invariant has no condition");
        };
        self.subject.expect(cond, Type::BOOL);
        ids.iter().for_each(|&id| self.subject.expect_int(id));
        if ids.len() % group != 0 {
            self.subject.error(
                WellFormedRule::OperandCount,
                format!("thread ids come in groups of {group}"),
            );
        }
    }

    fn ghost(&mut self, kind: GhostKind, args: &[Value], ty: Type) {
        use GhostKind::*;
        match kind {
            Enabled | DominatorEnabled | SameBlock => {
                self.subject.expect_count(args, 0);
                self.subject.expect_result(ty, Type::BOOL);
            }
            Other | Old => self.subject.expect_all(args, &[ty]),
            HasRead | HasWritten => {
                self.subject.expect_all(args, &[Type::Ref]);
                self.subject.expect_result(ty, Type::BOOL);
            }
            ReadOffset | WriteOffset | ArrayIdentity => {
                self.subject.expect_all(args, &[Type::Ref]);
                if !ty.is_int() {
                    self.subject.error(
                        WellFormedRule::ResultType,
                        format!("the result is {ty}, expected an integer"),
                    );
                }
            }
            ReturnValue => {
                self.subject.expect_count(args, 0);
            }
            AtomicHasTakenValue => {
                if self.subject.expect_count(args, 3) {
                    self.subject.expect(args[0], Type::Ref);
                    self.subject.expect_int(args[1]);
                    self.subject.expect_int(args[2]);
                }
                self.subject.expect_result(ty, Type::BOOL);
            }
            Fold => {
                let pointer = self.subject.module.pointer_type();
                let i32 = Type::I32;
                let mut types = vec![Type::Ref, pointer, i32, i32, i32];
                // What is known of a declared operation, and the elements' type.
                types.extend(args.iter().skip(5).map(|&arg| self.subject.func.type_of(arg)));
                self.subject.expect_all(args, &types);
                if !ty.is_int() {
                    self.subject.error(
                        WellFormedRule::ResultType,
                        format!("the result is {ty}, expected an integer"),
                    );
                }
            }
            Cell => {
                let pointer = self.subject.module.pointer_type();
                self.subject.expect_all(args, &[Type::Ref, pointer]);
                self.subject.expect_result(ty, Type::I32);
            }
        }
    }

    fn call(&mut self, callee: Func, args: &[Value]) {
        let callee = &self.subject.module.functions[callee];
        if callee.kind != FunctionKind::Device {
            return self
                .subject
                .error(WellFormedRule::Callee, format!("`{}` is a kernel", callee.name));
        }
        let mut types = Vec::new();
        for param in &callee.params {
            match param.kind {
                ParamKind::Scalar(value) => types.push(callee.types.get(value).copied()),
                ParamKind::Pointer(..) => {
                    types.extend([Some(Type::Ref), Some(self.subject.module.pointer_type())]);
                }
                ParamKind::Array(_) => {}
            }
        }
        // A parameter without a value has been noted at the callee.
        if let Some(types) = types.into_iter().collect::<Option<Vec<_>>>() {
            self.subject.expect_all(args, &types);
        }
    }
}

/// Types with commas between them.
fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}
