//! Accesses to memory.
//!
//! A pointer whose array is certain becomes one access. Otherwise the access is
//! split: for each array that the pointer may point into, a branch on its
//! reference and an access to that array; what remains is a failing assertion.
//! SOUNDNESS: that last case is left out only where [`Targets::only`] says that
//! the array is certain (test `a_table_of_pointers_is_a_case_split`).

use std::collections::HashSet;

use duet_ir::{
    Access, Array, AssertKind, AtomicOp, BinaryOp, Block, CastOp, Const, Diagnostic, FenceScope,
    FenceSpaces, FunctionBuilder, InstData, IntCc, MemoryOrder, MemoryScope, Space, Type, Value,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::{LLVMAtomicRMWBinOp, LLVMTypeKind};

use super::arithmetic::join_bytes;
use super::pointers::points_to::{Targets, space_of};
use super::values::{Leaf, Pointer, Values};
use crate::layout::{self, LeafKind};
use crate::llvm::{Bb, Ty, Val};
use crate::prepare::{UNINITIALISED, underlying};

/// A place to access: a pointer, where it may point, and what is promised.
#[derive(Clone, Debug)]
pub struct Place {
    /// The pointer.
    pub pointer: Pointer,
    /// Where it may point.
    pub targets: Targets,
    /// Address space of the pointer's type.
    pub address_space: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// A volatile access.
    pub volatile: bool,
}

impl Place {
    /// The same place, `bytes` further on; alignment follows.
    pub fn at_offset(&self, builder: &mut FunctionBuilder<'_>, bytes: u64) -> Place {
        let distance = builder.offset(bytes);
        let offset = builder.add(self.pointer.offset, distance);
        let align = match bytes {
            0 => self.align,
            _ => self.align.min(1 << bytes.trailing_zeros().min(16)),
        };
        let pointer = Pointer { offset, ..self.pointer };
        Place { pointer, align, ..self.clone() }
    }
}

/// A run of equal scalar leaves in memory, next to one another.
struct Run {
    kind: LeafKind,
    offset: u64,
    lanes: u32,
}

/// A piece of a copy: byte offset, type of its elements, number of them.
type Piece = (u64, Type, u32);

/// Translates accesses.
#[derive(Default)]
pub struct Accesses {
    /// Are loads reads of the specification, between `__non_temporal_loads_begin` and its
    /// end?
    pub ghost: bool,
    /// Do loads go through the read-only cache, between two calls of `__duet_cached_loads`?
    pub cached: bool,
}

impl Accesses {
    /// The place that an LLVM pointer names.
    pub fn place(
        &self,
        values: &mut Values<'_>,
        pointer: Val,
        align: u32,
    ) -> Result<Place, Diagnostic> {
        let address_space = match values.leaf_kind(pointer.ty())? {
            LeafKind::Pointer(address_space) => address_space,
            LeafKind::Scalar(_) => 0,
        };
        Ok(Place {
            pointer: values.pointer(pointer)?,
            targets: values.targets(pointer),
            address_space,
            align: align.max(1),
            volatile: false,
        })
    }

    /// The leaves of a type as runs of neighbours.
    fn runs(&self, values: &Values<'_>, ty: Ty) -> Result<Vec<Run>, Diagnostic> {
        let leaves = layout::leaves(values.llvm(), ty)
            .map_err(|what| values.unsupported(what, "access its parts"))?;
        if ty.kind() == LLVMTypeKind::LLVMVectorTypeKind
            && leaves
                .iter()
                .any(|leaf| matches!(leaf.kind, LeafKind::Scalar(Type::Int(w)) if w % 8 != 0))
        {
            return Err(values.unsupported("a vector of bits in memory", "use a vector of char"));
        }
        let mut runs: Vec<Run> = vec![];
        for leaf in leaves {
            let bytes = |kind| match kind {
                LeafKind::Scalar(ty) => u64::from(ty.bytes().unwrap_or(1)),
                LeafKind::Pointer(_) => u64::from(values.builder.module.pointer_width / 8),
            };
            match runs.last_mut() {
                Some(run)
                    if run.kind == leaf.kind
                        && matches!(run.kind, LeafKind::Scalar(_))
                        && run.offset + bytes(run.kind) * u64::from(run.lanes) == leaf.offset =>
                {
                    run.lanes += 1;
                }
                _ => runs.push(Run { kind: leaf.kind, offset: leaf.offset, lanes: 1 }),
            }
        }
        Ok(runs)
    }

    /// `load`.
    pub fn load(&self, values: &mut Values<'_>, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let mut place = self.place(values, inst.operand(0), inst.alignment())?;
        place.volatile = inst.is_volatile();
        if is_atomic(inst) {
            let LeafKind::Scalar(ty) = values.leaf_kind(inst.ty())? else {
                return Err(values.unsupported("an atomic load of a pointer", "rewrite it"));
            };
            let scope = self.strength(values, inst)?;
            return Ok(vec![Leaf::Scalar(self.atomic(
                values,
                AtomicOp::Load,
                scope,
                &place,
                vec![],
                ty,
            )?)]);
        }
        let only = values.targets(inst).only();
        let mut leaves = vec![];
        for run in self.runs(values, inst.ty())? {
            let place = place.at_offset(&mut values.builder, run.offset);
            leaves.extend(self.load_run(values, &place, run.kind, run.lanes, only)?);
        }
        Ok(leaves)
    }

    fn load_run(
        &self,
        values: &mut Values<'_>,
        place: &Place,
        kind: LeafKind,
        lanes: u32,
        only: Option<Array>,
    ) -> Result<Vec<Leaf>, Diagnostic> {
        match kind {
            LeafKind::Scalar(ty) => {
                let values = self.load_lanes(values, place, ty, lanes)?;
                Ok(values.into_iter().map(Leaf::Scalar).collect())
            }
            LeafKind::Pointer(_) => {
                let number =
                    self.load_lanes(values, place, values.builder.module.pointer_type(), 1)?[0];
                let mut pointer = values.pointer_from_int(number);
                if let Some(array) = only {
                    pointer.reference =
                        values.builder.func.constant(Const::Array(array), Type::Ref);
                }
                Ok(vec![Leaf::Pointer(pointer)])
            }
        }
    }

    /// Loads consecutive numbers of one type.
    pub fn load_lanes(
        &self,
        values: &mut Values<'_>,
        place: &Place,
        ty: Type,
        lanes: u32,
    ) -> Result<Vec<Value>, Diagnostic> {
        self.split_cases(values, place, &vec![ty; lanes as usize], |values, access| {
            let inst = values.builder.inst(InstData::Load { access, ty, lanes });
            values.builder.func.results_of[inst].clone()
        })
    }

    /// `store`.
    pub fn store(&self, values: &mut Values<'_>, inst: Val) -> Result<(), Diagnostic> {
        let opaque = is_opaque_initialisation(inst);
        if opaque && !is_met_again(crate::llvm::instruction_block(inst)) {
            return Ok(());
        }
        let value = inst.operand(0);
        // How a variable is aligned is up to its offset.
        let align = if opaque { MAX_ALIGN } else { inst.alignment() };
        let mut place = self.place(values, inst.operand(1), align)?;
        place.volatile = inst.is_volatile();
        let leaves = values.leaves(value)?;
        if is_atomic(inst) {
            let args = values.scalars(value)?;
            let ty = values.builder.func.type_of(args[0]);
            let scope = self.strength(values, inst)?;
            self.atomic(values, AtomicOp::Store, scope, &place, args, ty)?;
            return Ok(());
        }
        let mut at = 0;
        for run in self.runs(values, value.ty())? {
            let place = place.at_offset(&mut values.builder, run.offset);
            let part = &leaves[at..at + run.lanes as usize];
            let stored = part.iter().map(|&leaf| self.stored_value(values, leaf)).collect();
            self.store_lanes(values, &place, stored)?;
            at += run.lanes as usize;
        }
        Ok(())
    }

    /// A large private array is made or declared: it holds anything, as after
    /// [`is_opaque_initialisation`].
    pub fn renew_array(&self, values: &mut Values<'_>, call: Val) -> Result<(), Diagnostic> {
        let alloca = underlying(call.operand(0));
        if !is_met_again(crate::llvm::instruction_block(call)) {
            return Ok(());
        }
        let runs = self.runs(values, alloca.value_type()).unwrap_or_default();
        let lanes: u32 = runs.iter().map(|run| run.lanes).sum();
        if !(1..=MAX_RENEWED).contains(&lanes) {
            return Err(values.unsupported(
                "a large private array that is declared in a loop with a barrier",
                "declare it before the loop",
            ));
        }
        let place = self.place(values, call.operand(0), MAX_ALIGN)?;
        for run in runs {
            let fresh =
                |values: &mut Values<'_>| values.fresh_leaf(run.kind, "uninitialised array");
            let leaves: Vec<Leaf> = (0..run.lanes).map(|_| fresh(values)).collect();
            let stored = leaves.into_iter().map(|leaf| self.stored_value(values, leaf)).collect();
            let place = place.at_offset(&mut values.builder, run.offset);
            self.store_lanes(values, &place, stored)?;
        }
        Ok(())
    }

    /// What a leaf is in memory: a pointer is a number there.
    fn stored_value(&self, values: &mut Values<'_>, leaf: Leaf) -> Value {
        match leaf {
            Leaf::Scalar(value) => value,
            Leaf::Pointer(pointer) => values.int_from_pointer(pointer),
        }
    }

    /// Stores consecutive numbers of one type.
    pub fn store_lanes(
        &self,
        values: &mut Values<'_>,
        place: &Place,
        stored: Vec<Value>,
    ) -> Result<(), Diagnostic> {
        self.split_cases(values, place, &[], |values, access| {
            if values.builder.module.arrays[access.array].space == Space::Constant {
                values.assert_never(AssertKind::ConstantWrite);
            } else {
                // SOUNDNESS: the brackets are about reads. A store between them is one of
                // the kernel's, and races (kernels/soundness/89-store-between-brackets).
                let access = Access { ghost: false, cached: false, ..access };
                values.builder.inst(InstData::Store { access, values: stored.clone() });
            }
            vec![]
        })?;
        Ok(())
    }

    /// An atomic operation; yields the old value.
    pub fn atomic(
        &self,
        values: &mut Values<'_>,
        op: AtomicOp,
        (scope, order): (MemoryScope, MemoryOrder),
        place: &Place,
        args: Vec<Value>,
        ty: Type,
    ) -> Result<Value, Diagnostic> {
        let results = self.split_cases(values, place, &[ty], |values, access| {
            let is_constant = values.builder.module.arrays[access.array].space == Space::Constant;
            vec![match op {
                // No thread writes there, so it need not be atomic.
                AtomicOp::Load if is_constant => {
                    values.builder.value(InstData::Load { access, ty, lanes: 1 })
                }
                _ if is_constant => {
                    values.assert_never(AssertKind::ConstantWrite);
                    let cause = "atomic operation on constant memory".into();
                    values.builder.value(InstData::Fresh { cause, ty })
                }
                _ => values.builder.value(InstData::Atomic {
                    op,
                    scope,
                    order,
                    access,
                    args: args.clone(),
                    ty,
                }),
            }]
        })?;
        Ok(results[0])
    }

    /// Builds `access` once for each array that the place may be in, and joins
    /// the results.
    pub fn split_cases(
        &self,
        values: &mut Values<'_>,
        place: &Place,
        results: &[Type],
        mut access: impl FnMut(&mut Values<'_>, Access) -> Vec<Value>,
    ) -> Result<Vec<Value>, Diagnostic> {
        if let Some(Const::Array(array)) = values.builder.func.const_of(place.pointer.reference) {
            let here = self.access_to(array, place);
            return Ok(access(values, here));
        }
        let candidates = self.candidates(values, place);
        let join = values.builder.make_block();
        let params: Vec<Value> =
            results.iter().map(|&ty| values.builder.func.add_block_param(join, ty)).collect();
        for array in candidates {
            let next = self.enter_case(values, array, place.pointer.reference);
            let here = self.access_to(array, place);
            let results = access(values, here);
            values.builder.jump(join, results);
            values.builder.switch_to(next);
        }
        values.assert_never(AssertKind::Pointer);
        values.builder.terminate(duet_ir::Terminator::Halt);
        values.builder.switch_to(join);
        Ok(params)
    }

    /// Goes on where the reference is `array`; yields the block for where it is
    /// not.
    fn enter_case(&self, values: &mut Values<'_>, array: Array, reference: Value) -> Block {
        let constant = values.builder.func.constant(Const::Array(array), Type::Ref);
        let is_this = values.builder.compare(IntCc::Eq, reference, constant);
        let (case, next) = (values.builder.make_block(), values.builder.make_block());
        values.builder.branch(is_this, case, next);
        values.builder.switch_to(case);
        next
    }

    fn access_to(&self, array: Array, place: &Place) -> Access {
        Access {
            array,
            offset: place.pointer.offset,
            align: place.align,
            volatile: place.volatile,
            ghost: self.ghost,
            cached: self.cached,
        }
    }

    /// The arrays to tell apart.
    fn candidates(&self, values: &Values<'_>, place: &Place) -> Vec<Array> {
        let mut arrays = place.targets.arrays.clone();
        if place.targets.any {
            let space = space_of(values.builder.module.language, place.address_space);
            arrays.extend(values.shared.points_to.reachable(values.builder.module, space));
        }
        arrays.into_iter().collect()
    }

    /// `atomicrmw`.
    pub fn atomic_rmw(&self, values: &mut Values<'_>, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        use LLVMAtomicRMWBinOp::*;
        // SAFETY: the instruction is an `atomicrmw`.
        let op = match unsafe { LLVMGetAtomicRMWBinOp(inst.0) } {
            LLVMAtomicRMWBinOpXchg => AtomicOp::Exchange,
            LLVMAtomicRMWBinOpAdd => AtomicOp::Add,
            LLVMAtomicRMWBinOpSub => AtomicOp::Sub,
            LLVMAtomicRMWBinOpAnd => AtomicOp::And,
            LLVMAtomicRMWBinOpOr => AtomicOp::Or,
            LLVMAtomicRMWBinOpXor => AtomicOp::Xor,
            LLVMAtomicRMWBinOpMax => AtomicOp::SMax,
            LLVMAtomicRMWBinOpMin => AtomicOp::SMin,
            LLVMAtomicRMWBinOpUMax => AtomicOp::UMax,
            LLVMAtomicRMWBinOpUMin => AtomicOp::UMin,
            LLVMAtomicRMWBinOpFAdd => AtomicOp::FAdd,
            LLVMAtomicRMWBinOpFMax => AtomicOp::FMax,
            LLVMAtomicRMWBinOpFMin => AtomicOp::FMin,
            LLVMAtomicRMWBinOpUIncWrap => AtomicOp::IncWrap,
            LLVMAtomicRMWBinOpUDecWrap => AtomicOp::DecWrap,
            other => {
                return Err(
                    values.unsupported(format!("the atomic operation {other:?}"), "use another")
                );
            }
        };
        let scope = self.strength(values, inst)?;
        let place = self.place(values, inst.operand(0), atomic_align(inst))?;
        let arg = values.scalar(inst.operand(1))?;
        let ty = values.builder.func.type_of(arg);
        Ok(vec![Leaf::Scalar(self.atomic(values, op, scope, &place, vec![arg], ty)?)])
    }

    /// `cmpxchg`: the old value and whether it was the one expected.
    pub fn compare_exchange(
        &self,
        values: &mut Values<'_>,
        inst: Val,
    ) -> Result<Vec<Leaf>, Diagnostic> {
        let scope = self.strength(values, inst)?;
        let place = self.place(values, inst.operand(0), atomic_align(inst))?;
        let args = [values.scalar(inst.operand(1))?, values.scalar(inst.operand(2))?];
        let (old, done) = self.exchange_if_equal(values, scope, &place, args, inst.is_weak())?;
        Ok(vec![Leaf::Scalar(old), Leaf::Scalar(done)])
    }

    /// The old value, and whether the new one took its place: if the old one was the
    /// one expected, bit by bit. A weak exchange may fail nevertheless: it then puts
    /// the expected value where it is already. SOUNDNESS: a failure does not mean that
    /// another value was there (kernels/atomics/compare-exchange-weak-bug).
    pub fn exchange_if_equal(
        &self,
        values: &mut Values<'_>,
        scope: (MemoryScope, MemoryOrder),
        place: &Place,
        [expected, new]: [Value; 2],
        weak: bool,
    ) -> Result<(Value, Value), Diagnostic> {
        let b = &mut values.builder;
        let ty = b.func.type_of(expected);
        let fails = weak.then(|| {
            let cause = "failure of a weak exchange".into();
            b.value(InstData::Fresh { cause, ty: Type::BOOL })
        });
        let new = fails.map_or(new, |fails| b.select(fails, expected, new));
        let args = vec![expected, new];
        let old = self.atomic(values, AtomicOp::CompareExchange, scope, place, args, ty)?;
        let b = &mut values.builder;
        let bits = |b: &mut FunctionBuilder, value: Value| match ty {
            Type::Float(_) => {
                let width = ty.bits().expect("a float has bits");
                b.cast(CastOp::Bitcast, value, Type::Int(width as u8))
            }
            Type::Int(_) | Type::Ref => value,
        };
        let (found, wanted) = (bits(b, old), bits(b, expected));
        let equal = b.compare(IntCc::Eq, found, wanted);
        let done = match fails {
            Some(fails) => {
                let succeeds = b.not(fails);
                b.binary(BinaryOp::And, equal, succeeds)
            }
            None => equal,
        };
        Ok((old, done))
    }

    /// `fence`. One that reaches no other warp orders nothing that a proof may use,
    /// and is left out.
    pub fn fence(&self, values: &mut Values<'_>, inst: Val) -> Result<(), Diagnostic> {
        let name = crate::llvm::sync_scope(inst);
        if matches!(scope_by_name(&name), Some(None)) {
            return Ok(());
        }
        let scope = match self.sync_scope(values, inst)? {
            MemoryScope::Block => FenceScope::Block,
            MemoryScope::Device => FenceScope::Device,
            MemoryScope::System => FenceScope::System,
        };
        values.ordering_fence(scope, crate::llvm::memory_order(inst), FenceSpaces::All);
        Ok(())
    }

    /// Scope and order of an atomic instruction.
    fn strength(
        &self,
        values: &Values<'_>,
        inst: Val,
    ) -> Result<(MemoryScope, MemoryOrder), Diagnostic> {
        Ok((self.sync_scope(values, inst)?, crate::llvm::memory_order(inst)))
    }

    /// Which threads an atomic instruction is atomic for. SOUNDNESS: a scope that is
    /// wider than the one written hides a race between blocks
    /// (`syncscope_is_kept` in tests/scopes.rs).
    fn sync_scope(&self, values: &Values<'_>, inst: Val) -> Result<MemoryScope, Diagnostic> {
        let name = crate::llvm::sync_scope(inst);
        scope_by_name(&name).flatten().ok_or_else(|| {
            values.unsupported(
                format!("an atomic operation of the scope `{name}`"),
                "use the scope of a block or wider",
            )
        })
    }

    /// `memcpy` and `memmove` of a constant number of bytes: loads, then stores,
    /// in the largest pieces that both alignments allow.
    pub fn copy_memory(&self, values: &mut Values<'_>, call: Val) -> Result<(), Diagnostic> {
        let Some(length) = call.operand(2).const_u64() else {
            return Err(values.unsupported(
                "copying a number of bytes that is not a constant",
                "copy element by element in a loop",
            ));
        };
        let to = self.place(values, call.operand(0), crate::llvm::argument_align(call, 0))?;
        let from = self.place(values, call.operand(1), crate::llvm::argument_align(call, 1))?;
        let pieces = match self.typed_pieces(values, call, length)? {
            Some(pieces) => pieces,
            None => self.pieces(values, length, to.align.min(from.align))?,
        };
        // All reads come first: the two ranges may overlap (memmove).
        let mut loaded = vec![];
        for &(offset, ty, lanes) in &pieces {
            let place = from.at_offset(&mut values.builder, offset);
            loaded.push(self.load_lanes(values, &place, ty, lanes)?);
        }
        for ((offset, _, _), stored) in pieces.into_iter().zip(loaded) {
            let place = to.at_offset(&mut values.builder, offset);
            self.store_lanes(values, &place, stored)?;
        }
        Ok(())
    }

    /// The pieces of the type that is copied, where one side tells it and it has
    /// no padding: so a struct of floats is copied as floats, and its array keeps
    /// its granule.
    fn typed_pieces(
        &self,
        values: &Values<'_>,
        call: Val,
        length: u64,
    ) -> Result<Option<Vec<Piece>>, Diagnostic> {
        for side in [call.operand(0), call.operand(1)] {
            let Some(ty) = crate::llvm::pointee_hint(side) else { continue };
            if crate::prepare::size_of(values.llvm(), ty) != length {
                continue;
            }
            let pieces: Vec<_> = self
                .runs(values, ty)?
                .into_iter()
                .map(|run| (run.offset, self.memory_type(values, run.kind), run.lanes))
                .collect();
            let bytes = |ty: Type, lanes: u32| u64::from(ty.bytes().unwrap_or(1) * lanes);
            let covered: u64 = pieces.iter().map(|&(_, ty, lanes)| bytes(ty, lanes)).sum();
            if covered == length {
                return Ok(Some(pieces));
            }
        }
        Ok(None)
    }

    /// The type of a leaf in memory.
    fn memory_type(&self, values: &Values<'_>, kind: LeafKind) -> Type {
        match kind {
            LeafKind::Scalar(ty) => ty,
            LeafKind::Pointer(_) => values.builder.module.pointer_type(),
        }
    }

    /// `memset` of a constant number of bytes.
    pub fn set_memory(&self, values: &mut Values<'_>, call: Val) -> Result<(), Diagnostic> {
        let Some(length) = call.operand(2).const_u64() else {
            return Err(values.unsupported(
                "setting a number of bytes that is not a constant",
                "set element by element in a loop",
            ));
        };
        let place = self.place(values, call.operand(0), crate::llvm::argument_align(call, 0))?;
        let byte = values.scalar(call.operand(1))?;
        for (offset, ty, lanes) in self.pieces(values, length, place.align)? {
            let bytes = vec![byte; ty.bytes().unwrap_or(1) as usize];
            let value = join_bytes(&mut values.builder, &bytes, ty);
            let place = place.at_offset(&mut values.builder, offset);
            self.store_lanes(values, &place, vec![value; lanes as usize])?;
        }
        Ok(())
    }

    /// A range of bytes as (offset, type, lanes): words of the alignment, then
    /// smaller ones for the rest.
    fn pieces(
        &self,
        values: &Values<'_>,
        length: u64,
        align: u32,
    ) -> Result<Vec<Piece>, Diagnostic> {
        const MAX: u64 = 1 << 16;
        if length > MAX {
            return Err(
                values.unsupported(format!("copying {length} bytes at once"), "copy in a loop")
            );
        }
        let mut pieces = vec![];
        let mut at = 0;
        let mut word = u64::from(align.clamp(1, 8)).next_power_of_two();
        while at < length {
            let lanes = (length - at) / word;
            if lanes > 0 {
                pieces.push((at, Type::Int((word * 8) as u8), lanes as u32));
                at += lanes * word;
            }
            word /= 2;
        }
        Ok(pieces)
    }
}

/// The largest alignment that matters.
const MAX_ALIGN: u32 = 16;
/// Elements of an array that are given unknown values one by one.
const MAX_RENEWED: u32 = 512;

/// Is this the opaque first value of a private array? Its contents are unknown at
/// first anyway, and where a loop without a barrier comes round.
///
/// SOUNDNESS: a loop that holds a barrier is walked with what its array held in the
/// iteration before, which is another array (kernels/soundness/39-declared-again, 44).
fn is_opaque_initialisation(store: Val) -> bool {
    let value = store.operand(0);
    value.is_instruction()
        && value.opcode() == inkwell::llvm_sys::LLVMOpcode::LLVMCall
        && value.callee().name().starts_with(UNINITIALISED)
        && underlying(store.operand(1)).opcode_is_alloca()
}

/// Can control come back to the block, past a call that may make threads wait?
fn is_met_again(block: Bb) -> bool {
    let mut seen = HashSet::new();
    let mut open = block.successors();
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            open.extend(next.successors());
        }
    }
    let may_wait = |block: &Bb| {
        let calls = block.instructions().into_iter().filter(|inst| {
            inst.opcode() == inkwell::llvm_sys::LLVMOpcode::LLVMCall && inst.callee().is_function()
        });
        calls.map(|call| call.callee()).any(|callee| {
            let name = callee.name();
            let computes = callee.attribute_value("memory") == Some(0);
            let opaque = name.starts_with(UNINITIALISED) || name.starts_with("llvm.dbg.");
            callee.is_declaration() && !computes && !opaque
        })
    };
    seen.contains(&block) && seen.iter().any(may_wait)
}

/// The scope behind LLVM's name for it: `None` for an unknown name, `Some(None)` for
/// a scope narrower than a block. A cluster is several blocks and less than the
/// device, so that its scope counts as a block's.
fn scope_by_name(name: &str) -> Option<Option<MemoryScope>> {
    // With `one-as` the order among address spaces is left open, of which no proof
    // makes use; who the operation is atomic for is the same.
    let name = name.strip_suffix("one-as").map_or(name, |name| name.trim_end_matches('-'));
    Some(match name {
        // No proof speaks of more than the device.
        "" | "all_svm_devices" | "agent" | "device" | "gpu" => Some(MemoryScope::Device),
        "workgroup" | "work_group" | "block" | "cluster" => Some(MemoryScope::Block),
        "singlethread" | "wavefront" | "warp" | "subgroup" | "sub_group" | "work_item" => None,
        _ => return None,
    })
}

/// Is the load or store atomic?
fn is_atomic(inst: Val) -> bool {
    use inkwell::llvm_sys::LLVMAtomicOrdering::*;
    // SAFETY: the instruction is a load or a store, which have an ordering.
    !matches!(unsafe { LLVMGetOrdering(inst.0) }, LLVMAtomicOrderingNotAtomic)
}

/// The alignment of an atomic operation.
fn atomic_align(inst: Val) -> u32 {
    inst.alignment()
}
