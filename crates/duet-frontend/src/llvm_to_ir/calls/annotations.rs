//! The annotation language (docs/annotations.md): statements, ghost values, and
//! the brackets of unlogged reads. Arithmetic helpers (`__implies`, `__ite`, …)
//! are value built-ins.

use duet_ir::{
    AnnotationKind, AssertKind, Captured, Const, Diagnostic, FoldOp, GhostKind, InstData, IntCc,
    Rule, ScalarType, Type, Value,
};

use crate::layout::LeafKind;
use crate::llvm::Val;
use crate::llvm_to_ir::Home;
use crate::llvm_to_ir::memory::Accesses;
use crate::llvm_to_ir::values::{Leaf, Pointer, Values};
use crate::mangled::{Mangled, ParamType, Scalar};

/// Statements that take one condition.
const STATEMENTS: &[(&str, AnnotationKind)] = &[
    ("__requires", AnnotationKind::Requires),
    ("bugle_requires", AnnotationKind::Requires),
    ("__global_requires", AnnotationKind::GlobalRequires),
    ("__ensures", AnnotationKind::Ensures),
    ("bugle_ensures", AnnotationKind::Ensures),
    ("__global_ensures", AnnotationKind::GlobalEnsures),
    ("__assume", AnnotationKind::Assume),
    ("bugle_assume", AnnotationKind::Assume),
    ("__candidate_assert", AnnotationKind::CandidateAssert),
    ("__candidate_global_assert", AnnotationKind::CandidateGlobalAssert),
    ("__invariant", AnnotationKind::Invariant),
    ("__global_invariant", AnnotationKind::GlobalInvariant),
    ("__candidate_invariant", AnnotationKind::CandidateInvariant),
    ("__candidate_global_invariant", AnnotationKind::CandidateGlobalInvariant),
    ("__function_wide_invariant", AnnotationKind::FunctionWideInvariant),
    ("__function_wide_candidate_invariant", AnnotationKind::FunctionWideCandidateInvariant),
    ("__duet_axiom", AnnotationKind::Axiom),
    ("__duet_contract", AnnotationKind::Contract),
];

/// Statements about arrays.
const ARRAY_STATEMENTS: &[(&str, AnnotationKind)] = &[
    ("__reads_from", AnnotationKind::ReadsFrom),
    ("__writes_to", AnnotationKind::WritesTo),
    ("__array_snapshot", AnnotationKind::ArraySnapshot),
];

/// Values that exist for annotations only.
const GHOSTS: &[(&str, GhostKind)] = &[
    ("__enabled", GhostKind::Enabled),
    ("__dominator_enabled", GhostKind::DominatorEnabled),
    ("__same_group", GhostKind::SameBlock),
    ("__duet_same_group", GhostKind::SameBlock),
    ("__other_int", GhostKind::Other),
    ("__other_longlong", GhostKind::Other),
    ("__other_bool", GhostKind::Other),
    ("__read", GhostKind::HasRead),
    ("__write", GhostKind::HasWritten),
    ("__read_offset_bytes", GhostKind::ReadOffset),
    ("__write_offset_bytes", GhostKind::WriteOffset),
    ("__ptr_base", GhostKind::ArrayIdentity),
    ("__return_val_int", GhostKind::ReturnValue),
    ("__return_val_bool", GhostKind::ReturnValue),
    ("__return_val_int4", GhostKind::ReturnValue),
    ("__return_val_ptr", GhostKind::ReturnValue),
    ("__old_int", GhostKind::Old),
    ("__old_bool", GhostKind::Old),
    ("__atomic_has_taken_value", GhostKind::AtomicHasTakenValue),
];

fn look_up<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
}

/// Operations that arrays are folded with.
const FOLDS: &[(&str, FoldOp)] = &[
    ("__duet_sum_add_", FoldOp::Add),
    ("__duet_sum_smax_", FoldOp::SMax),
    ("__duet_sum_umax_", FoldOp::UMax),
    ("__duet_sum_smin_", FoldOp::SMin),
    ("__duet_sum_umin_", FoldOp::UMin),
    ("__duet_sum_or_", FoldOp::Or),
    ("__duet_sum_and_", FoldOp::And),
    ("__duet_sum_xor_", FoldOp::Xor),
    ("__duet_sum_declared_", FoldOp::Declared),
    ("__duet_sum_fits_", FoldOp::Fits),
];

/// Flags of a declared operation, as in the headers.
const ASSOCIATIVE: u64 = 1;
const COMMUTATIVE: u64 = 2;

/// Is it the function of the headers that folds with an operation, for one of its types?
fn is_fold(base: &str, name: &str) -> bool {
    let types = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
    base.strip_prefix(name).is_some_and(|ty| types.contains(&ty))
}

/// Translates calls that are annotations.
pub struct Annotations<'c, 't> {
    pub values: &'c mut Values<'t>,
    pub accesses: &'c mut Accesses,
}

impl Annotations<'_, '_> {
    /// Translates a call of `base` if it is an annotation.
    pub fn call(&mut self, call: Val, name: &Mangled) -> Result<bool, Diagnostic> {
        // A number tells declarations of one name apart.
        let base = name.base.split('~').next().unwrap_or_default();
        match base {
            "__duet_capture" => self.capture(call, name)?,
            "__non_temporal_loads_begin" | "__non_temporal_loads_end" => self.bracket(base)?,
            "__assert" | "bugle_assert" => self.assertion(call, AssertKind::Annotated)?,
            "__global_assert" => self.assertion(call, AssertKind::Global)?,
            "__ptr_offset_bytes" => self.pointer_offset(call)?,
            "__duet_cell" => self.cell(call)?,
            "__duet_given" => self.given(call)?,
            "__duet_ensured" => self.assertion(call, AssertKind::Annotated)?,
            "__duet_verified" => self.verified(),
            "__duet_arguments" => self.arguments(call)?,
            "__duet_choice" => self.choice(call),
            "__duet_summary_made" => self.believed(),
            _ if base.starts_with("__duet_summary_") => self.of_summary(call)?,
            "__duet_cell_invariant" => self.cell_invariant(call)?,
            "__other_ptr_base" => self.other_array(call)?,
            "__requires_fresh_array" | "__duet_requires_fresh_array" => self.fresh_array(call)?,
            _ => return self.tabled_annotation(call, base),
        }
        Ok(true)
    }

    fn tabled_annotation(&mut self, call: Val, base: &str) -> Result<bool, Diagnostic> {
        if let Some(kind) = look_up(STATEMENTS, base) {
            let cond = self.condition(call.operand(0))?;
            let of_callee = call.debug_loc().is_some_and(|loc| loc.inlined_at().is_some());
            self.values.builder.inst(match kind {
                // SOUNDNESS: what a device function requires, its callers must see to
                // (kernels/soundness/49-callee-requires).
                AnnotationKind::Requires | AnnotationKind::GlobalRequires if of_callee => {
                    InstData::Assert { kind: AssertKind::Annotated, cond }
                }
                _ => InstData::Annotation { kind, args: vec![cond] },
            });
        } else if let Some(kind) = look_up(ARRAY_STATEMENTS, base) {
            let mut args = vec![];
            for argument in call.arguments() {
                args.push(self.values.pointer(argument)?.reference);
            }
            self.values.builder.inst(InstData::Annotation { kind, args });
        } else if let Some(kind) = look_up(GHOSTS, base) {
            self.ghost_value(call, kind)?;
        } else if let Some((_, op)) = FOLDS.iter().find(|(name, _)| is_fold(base, name)) {
            self.fold(call, *op, base)?;
        } else if let Some(rest) = base.strip_prefix("__barrier_invariant_") {
            self.barrier_invariant(call, rest.starts_with("binary_"))?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads between the brackets are the specification's, not the kernel's.
    fn bracket(&mut self, base: &str) -> Result<(), Diagnostic> {
        let begin = base.ends_with("begin");
        if begin && self.accesses.ghost {
            return Err(Diagnostic::new(
                Rule::MisplacedAnnotation,
                "an annotation inside another annotation",
            )
            .at(self.values.here()));
        }
        self.accesses.ghost = begin;
        Ok(())
    }

    /// A condition: true if not zero.
    fn condition(&mut self, argument: Val) -> Result<Value, Diagnostic> {
        let value = self.values.scalar(argument)?;
        let ty = self.values.builder.func.type_of(value);
        if ty == Type::BOOL {
            return Ok(value);
        }
        let zero = self.values.builder.int(0, ty);
        Ok(self.values.builder.compare(IntCc::Ne, value, zero))
    }

    fn assertion(&mut self, call: Val, kind: AssertKind) -> Result<(), Diagnostic> {
        let cond = self.condition(call.operand(0))?;
        self.values.builder.inst(InstData::Assert { kind, cond });
        Ok(())
    }

    fn pointer_offset(&mut self, call: Val) -> Result<(), Diagnostic> {
        let pointer = self.values.pointer(call.operand(0))?;
        self.values.define(call, vec![Leaf::Scalar(pointer.offset)]);
        Ok(())
    }

    /// The other thread's array: of a pointer, or of an identity already taken.
    fn other_array(&mut self, call: Val) -> Result<(), Diagnostic> {
        let ty = Type::I32;
        let own = match self.values.leaves(call.operand(0))?[..] {
            [Leaf::Pointer(Pointer { reference, .. })] => {
                self.values.builder.value(InstData::Ghost {
                    kind: GhostKind::ArrayIdentity,
                    args: vec![reference],
                    ty,
                })
            }
            _ => self.values.scalar(call.operand(0))?,
        };
        let other = self.values.builder.value(InstData::Ghost {
            kind: GhostKind::Other,
            args: vec![own],
            ty,
        });
        self.values.define_scalar(call, other);
        Ok(())
    }

    fn ghost_value(&mut self, call: Val, kind: GhostKind) -> Result<(), Diagnostic> {
        let mut args = vec![];
        for argument in call.arguments() {
            for leaf in self.values.leaves(argument)? {
                args.push(match leaf {
                    Leaf::Scalar(value) => value,
                    Leaf::Pointer(pointer) => pointer.reference,
                });
            }
        }
        let kinds = self.values.leaf_kinds(call.ty())?;
        let pointer_type = self.values.builder.module.pointer_type();
        let leaves = kinds
            .into_iter()
            .map(|leaf| {
                let ty = match leaf {
                    LeafKind::Scalar(ty) => ty,
                    LeafKind::Pointer(_) => pointer_type,
                };
                let value =
                    self.values.builder.value(InstData::Ghost { kind, args: args.clone(), ty });
                match leaf {
                    LeafKind::Scalar(_) => Leaf::Scalar(value),
                    LeafKind::Pointer(_) => Leaf::Pointer(self.values.pointer_from_int(value)),
                }
            })
            .collect();
        self.values.define(call, leaves);
        Ok(())
    }

    /// The elements of an array, folded.
    fn fold(&mut self, call: Val, op: FoldOp, name: &str) -> Result<(), Diagnostic> {
        let pointer = self.values.pointer(call.operand(0))?;
        let (lo, hi) = (self.values.scalar(call.operand(1))?, self.values.scalar(call.operand(2))?);
        let [LeafKind::Scalar(ty)] = self.values.leaf_kinds(call.ty())?[..] else {
            return Err(self.values.unsupported("this sum", "rewrite it"));
        };
        let mut more = vec![];
        let op = match op {
            FoldOp::Declared => {
                more.push(self.values.scalar(call.operand(3))?);
                more.push(self.values.scalar(call.operand(4))?);
                self.declared_as(call.operand(5))?
            }
            FoldOp::Fits => {
                let bits = name.rsplit('u').next().and_then(|bits| bits.parse().ok());
                more.push(self.values.builder.int(0, Type::Int(bits.unwrap_or(64))));
                op
            }
            FoldOp::Add
            | FoldOp::SMax
            | FoldOp::UMax
            | FoldOp::SMin
            | FoldOp::UMin
            | FoldOp::Or
            | FoldOp::And
            | FoldOp::Xor
            | FoldOp::Associative
            | FoldOp::Commutative => op,
        };
        let op = self.values.builder.int(op.number(), Type::I32);
        let mut args = vec![pointer.reference, pointer.offset, lo, hi, op];
        args.extend(more);
        let fold = self.values.builder.value(InstData::Ghost { kind: GhostKind::Fold, args, ty });
        self.values.define_scalar(call, fold);
        Ok(())
    }

    /// What the flags of a declared operation say of it.
    fn declared_as(&self, flags: Val) -> Result<FoldOp, Diagnostic> {
        match flags.const_u64() {
            Some(flags) if flags & !(ASSOCIATIVE | COMMUTATIVE) == 0 => {
                Ok(match (flags & ASSOCIATIVE != 0, flags & COMMUTATIVE != 0) {
                    (true, true) => FoldOp::Commutative,
                    (true, false) => FoldOp::Associative,
                    // Without the first the second says nothing about sums.
                    (false, _) => FoldOp::Declared,
                })
            }
            Some(_) | None => Err(self.values.unsupported(
                "these flags of an operator",
                "write `__associative`, `__commutative`, or both with `|`",
            )),
        }
    }

    /// The number of an arbitrary element of an array.
    fn cell(&mut self, call: Val) -> Result<(), Diagnostic> {
        let pointer = self.values.pointer(call.operand(0))?;
        let args = vec![pointer.reference, pointer.offset];
        let ghost = InstData::Ghost { kind: GhostKind::Cell, args, ty: Type::I32 };
        let number = self.values.builder.value(ghost);
        self.values.define_scalar(call, number);
        Ok(())
    }

    fn cell_invariant(&mut self, call: Val) -> Result<(), Diagnostic> {
        let args = vec![self.condition(call.operand(0))?, self.values.scalar(call.operand(1))?];
        let kind = AnnotationKind::CellInvariant;
        self.values.builder.inst(InstData::Annotation { kind, args });
        Ok(())
    }

    fn barrier_invariant(&mut self, call: Val, binary: bool) -> Result<(), Diagnostic> {
        let kind = match binary {
            true => AnnotationKind::BarrierInvariantBinary,
            false => AnnotationKind::BarrierInvariant,
        };
        let mut args = vec![];
        for (position, argument) in call.arguments().into_iter().enumerate() {
            args.push(match position {
                0 => self.condition(argument)?,
                _ => self.values.scalar(argument)?,
            });
        }
        self.values.builder.inst(InstData::Annotation { kind, args });
        Ok(())
    }

    /// What a function that is verified by itself may rely on.
    fn given(&mut self, call: Val) -> Result<(), Diagnostic> {
        let args = vec![self.condition(call.operand(0))?];
        let kind = AnnotationKind::Requires;
        self.values.builder.inst(InstData::Annotation { kind, args });
        Ok(())
    }

    /// The contract of a function is believed, whatever it says.
    fn believed(&mut self) {
        let args = vec![self.values.builder.int(1, Type::BOOL)];
        let kind = AnnotationKind::Contract;
        self.values.builder.inst(InstData::Annotation { kind, args });
    }

    fn verified(&mut self) {
        let kind = AnnotationKind::Verified;
        self.values.builder.inst(InstData::Annotation { kind, args: vec![] });
    }

    /// The pointers that are passed to a function in whose place its contract stands.
    ///
    /// SOUNDNESS: it was verified with arrays of their own, each from its start
    /// (kernels/modular/21-aliased-arguments).
    fn arguments(&mut self, call: Val) -> Result<(), Diagnostic> {
        let kind = AssertKind::Annotated;
        let mut passed: Vec<Option<duet_ir::Array>> = vec![];
        for argument in call.arguments() {
            let Pointer { reference, offset } = self.values.pointer(argument)?;
            let array = match self.values.builder.func.const_of(reference) {
                Some(Const::Array(array)) => Some(array),
                Some(Const::Null | Const::Bits(_)) | None => None,
            };
            let zero = self.values.builder.offset(0);
            let mut cond = self.values.builder.compare(IntCc::Eq, offset, zero);
            if array.is_none() || passed.contains(&array) {
                cond = self.values.builder.int(0, Type::BOOL);
            }
            passed.push(array);
            self.values.builder.inst(InstData::Assert { kind, cond });
        }
        Ok(())
    }

    /// An unknown that all threads share: another one for each call.
    fn choice(&mut self, call: Val) {
        let number = self.values.shared.next_choice();
        let args = vec![self.values.builder.int(number, Type::I32)];
        let name = "__duet_choice".to_string();
        let choice = InstData::Pure { name, args, ty: Type::I32 };
        let choice = self.values.builder.value(choice);
        self.values.define_scalar(call, choice);
    }

    /// An unknown of a function that is known by its contract.
    fn of_summary(&mut self, call: Val) -> Result<(), Diagnostic> {
        let cause = duet_ir::Cause::UnknownFunction("a function known by its contract".to_string());
        let kinds = self.values.leaf_kinds(call.ty())?;
        let leaves =
            kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, cause.clone())).collect();
        self.values.define(call, leaves);
        Ok(())
    }

    /// A name of a contract, with the type that overload resolution gave it.
    fn capture(&mut self, call: Val, name: &Mangled) -> Result<(), Diagnostic> {
        let arguments = call.arguments();
        let ty = name.params.last().and_then(captured_type);
        let ([spec, index, value], Some(ty)) = (&arguments[..], ty) else {
            return Err(self.values.unsupported(
                "a name of this type in a contract",
                "numbers, and pointers to numbers, may be named",
            ));
        };
        let mut args = vec![self.values.scalar(*spec)?, self.values.scalar(*index)?];
        args.push(self.values.builder.int(ty.code(), Type::I32));
        match ty {
            Captured::Scalar(_) => args.push(self.values.scalar(*value)?),
            Captured::Pointer(_) => {
                let pointer = self.values.pointer(*value)?;
                args.extend([pointer.reference, pointer.offset]);
            }
        }
        let kind = AnnotationKind::Captured;
        self.values.builder.inst(InstData::Annotation { kind, args });
        Ok(())
    }

    /// Makes the pointer variable point at an array of its own.
    fn fresh_array(&mut self, call: Val) -> Result<(), Diagnostic> {
        let array =
            self.values.arrays().at(Home::Variable(call)).expect("collected with the arrays");
        let slot = call.arguments().pop().expect("the variable's address");
        let place = self.accesses.place(
            self.values,
            slot,
            u32::from(self.values.builder.module.pointer_width) / 8,
        )?;
        let reference = self.values.builder.func.constant(Const::Array(array), Type::Ref);
        let offset = self.values.builder.offset(0);
        let number = self.values.int_from_pointer(Pointer { reference, offset });
        let ghost = std::mem::replace(&mut self.accesses.ghost, true);
        let stored = self.accesses.split_cases(self.values, &place, &[], |values, access| {
            values.builder.inst(InstData::Store { access, values: vec![number] });
            vec![]
        });
        self.accesses.ghost = ghost;
        stored.map(|_| ())
    }
}

/// The type of a captured name, if contracts know it.
fn captured_type(ty: &ParamType) -> Option<Captured> {
    match ty {
        ParamType::Scalar(scalar) => Some(Captured::Scalar(scalar_type(*scalar))),
        ParamType::Pointer { pointee, .. } => match pointee.as_ref() {
            ParamType::Scalar(scalar) => Some(Captured::Pointer(scalar_type(*scalar))),
            _ => None,
        },
        _ => None,
    }
}

fn scalar_type(scalar: Scalar) -> ScalarType {
    match scalar {
        Scalar::Bool => ScalarType::Bool,
        Scalar::Char => ScalarType::Char,
        Scalar::UChar => ScalarType::UChar,
        Scalar::Short => ScalarType::Short,
        Scalar::UShort => ScalarType::UShort,
        Scalar::Int => ScalarType::Int,
        Scalar::UInt => ScalarType::UInt,
        Scalar::Long | Scalar::LongLong => ScalarType::Long,
        Scalar::ULong | Scalar::ULongLong => ScalarType::ULong,
        Scalar::Half => ScalarType::Half,
        Scalar::Float => ScalarType::Float,
        Scalar::Double => ScalarType::Double,
    }
}
