//! Duet's own intrinsics, `__duet_*` (docs/intrinsics.md).

use duet_ir::{
    AtomicOp, BarrierScope, Cause, Diagnostic, Dim, ExchangeOp, FenceScope, FenceSpaces, Geometry,
    GeometryKind, InstData, MemoryOrder, MemoryScope, Reduction, Type,
};

use crate::llvm::Val;
use crate::llvm_to_ir::Home;
use crate::llvm_to_ir::memory::Accesses;
use crate::llvm_to_ir::values::{Leaf, Pointer, Values};
use crate::opencl_builtins;

/// Translates calls of Duet's own intrinsics.
pub struct DuetIntrinsics<'c, 't> {
    pub values: &'c mut Values<'t>,
    pub accesses: &'c mut Accesses,
}

impl DuetIntrinsics<'_, '_> {
    /// Translates a call of `base` if it is one of Duet's intrinsics.
    pub fn call(&mut self, call: Val, base: &str) -> Result<bool, Diagnostic> {
        let Some(name) = base.strip_prefix("__duet_") else { return Ok(false) };
        if let Some(geometry) = name.strip_prefix("rank_").and_then(geometry) {
            self.values.in_ranks.insert(geometry);
            let value = self.values.builder.geometry(geometry);
            self.values.define_scalar(call, value);
        } else if let Some(geometry) = geometry(name) {
            self.values.in_source.insert(geometry);
            let value = self.values.builder.geometry(geometry);
            self.values.define_scalar(call, value);
        } else if let Some(rest) = name.strip_prefix("barrier_") {
            self.barrier(call, rest)?;
        } else if let Some(scope) = name.strip_prefix("fence_").and_then(FenceScope::from_name) {
            self.values.memory_fence(scope);
        } else if let Some(scope) =
            name.strip_prefix("ordering_fence_").and_then(FenceScope::from_name)
        {
            let order = self.constant_order(call.operand(0))?;
            self.values.ordering_fence(scope, order, FenceSpaces::All);
        } else if let Some((op, scope)) = name.strip_prefix("atomic_").and_then(atomic) {
            let arguments = call.arguments();
            self.atomic_intrinsic(call, op, (scope, MemoryOrder::Relaxed), &arguments)?;
        } else if let Some((op, scope)) = name.strip_prefix("ordered_").and_then(atomic) {
            let mut arguments = call.arguments();
            let order = arguments.pop().ok_or_else(|| {
                self.values.unsupported("an atomic operation without an order", "name one")
            })?;
            let order = self.constant_order(order)?;
            self.atomic_intrinsic(call, op, (scope, order), &arguments)?;
        } else if let Some((op, sync)) = exchange(name) {
            self.exchange(call, op, sync)?;
        } else if name.starts_with("fresh_") || name == "malloc" {
            let kinds = self.values.leaf_kinds(call.ty())?;
            let cause = match name {
                "malloc" => Cause::Allocated,
                _ => Cause::from("unmodelled value"),
            };
            let leaves =
                kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, cause.clone())).collect();
            self.values.define(call, leaves);
        } else if name == "asynchronous_copy" {
            // SOUNDNESS: every proof must know that there is one
            // (kernels/soundness/37-copy-past-barrier).
            let name = duet_ir::ASYNCHRONOUS_COPY.to_string();
            self.values.builder.inst(InstData::CallUnknown { name, args: vec![], results: vec![] });
        } else if name == "cached_loads" {
            let begin = self.values.scalar(call.operand(0))?;
            self.accesses.cached = self.values.builder.func.const_bits(begin) != Some(0);
        } else if let Some(family) = name.strip_prefix("scope_of_") {
            self.check_builtin_scope(call, family)?;
        } else if matches!(name, "texture_object" | "surface_object") {
            self.image_object(call)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn barrier(&mut self, call: Val, rest: &str) -> Result<(), Diagnostic> {
        let arg = match call.arguments().first() {
            Some(&argument) => Some(self.values.scalar(argument)?),
            None => None,
        };
        if let (Some(op), Some(arg)) = (Reduction::from_name(rest), arg) {
            let value = self.values.builder.value(InstData::BarrierReduce { op, arg });
            self.values.define_scalar(call, value);
            return Ok(());
        }
        let Some(scope) = BarrierScope::from_name(rest) else {
            return Err(self
                .values
                .unsupported(format!("the barrier {rest}"), "use another barrier"));
        };
        self.values.builder.inst(InstData::Barrier { scope, arg });
        Ok(())
    }

    /// The order that an argument names, if it is a constant.
    fn constant_order(&mut self, argument: Val) -> Result<MemoryOrder, Diagnostic> {
        let value = self.values.scalar(argument)?;
        Ok(opencl_builtins::memory_order(self.values.builder.func.const_bits(value)))
    }

    fn atomic_intrinsic(
        &mut self,
        call: Val,
        op: AtomicOp,
        strength: (MemoryScope, MemoryOrder),
        arguments: &[Val],
    ) -> Result<(), Diagnostic> {
        let mut args = vec![];
        for &argument in arguments.iter().skip(1) {
            args.push(self.values.scalar(argument)?);
        }
        let ty = match (args.first(), self.values.scalar_result(call)?) {
            (Some(&arg), _) => self.values.builder.func.type_of(arg),
            (None, Some(result)) => result.ty,
            (None, None) => Type::I32,
        };
        let place = self.accesses.place(self.values, call.operand(0), ty.bytes().unwrap_or(1))?;
        let old = self.accesses.atomic(self.values, op, strength, &place, args, ty)?;
        self.values.define_scalar(call, old);
        Ok(())
    }

    /// The scope of an atomic builtin of clang, which the operation itself has lost
    /// (headers/common/scoped_atomics.h). SOUNDNESS: one narrower than the device
    /// would be taken for the device's (`narrow_scopes_of_builtins` in
    /// tests/scopes.rs).
    fn check_builtin_scope(&mut self, call: Val, family: &str) -> Result<(), Diagnostic> {
        let wide: &[u128] = match family {
            "scoped_atomic" => &[0, 1],
            "opencl_atomic" => &[2, 3],
            "hip_atomic" => &[4, 5],
            _ => &[],
        };
        let scope = self.values.scalar(call.operand(0))?;
        let constant = self.values.builder.func.const_bits(scope);
        if constant.is_some_and(|scope| wide.contains(&scope)) {
            return Ok(());
        }
        Err(self.values.unsupported(
            format!("a scope narrower than the device in `__{family}_…`"),
            "use the scope of the device or the system, or a function of the language: \
             `atomicAdd_block` and its kin, `atomic_fetch_add_explicit`",
        ))
    }

    fn exchange(&mut self, call: Val, op: ExchangeOp, sync: bool) -> Result<(), Diagnostic> {
        let mut args = vec![];
        for argument in call.arguments() {
            args.push(self.values.scalar(argument)?);
        }
        let has_mask = sync && op != ExchangeOp::ActiveMask;
        let mask = has_mask.then(|| args.remove(0));
        let ty = self.values.scalar_result(call)?.map_or(Type::I32, |result| result.ty);
        let value = self.values.builder.value(InstData::Exchange { op, mask, args, ty });
        self.values.define_scalar(call, value);
        Ok(())
    }

    /// The start of the image behind a handle.
    fn image_object(&mut self, call: Val) -> Result<(), Diagnostic> {
        let array = self.values.arrays().at(self.values.arrays().image_home(call));
        let Some(array) = array.or_else(|| self.values.arrays().at(Home::Variable(call))) else {
            return Err(self
                .values
                .unsupported("this image handle", "pass it as a kernel argument"));
        };
        let reference = self.values.builder.func.constant(duet_ir::Const::Array(array), Type::Ref);
        let offset = self.values.builder.offset(0);
        self.values.define(call, vec![Leaf::Pointer(Pointer { reference, offset })]);
        Ok(())
    }
}

/// `thread_id_x` and its kin.
fn geometry(name: &str) -> Option<Geometry> {
    let (kind, dim) = name.rsplit_once('_')?;
    let dim = Dim::ALL.into_iter().find(|candidate| candidate.to_string() == dim)?;
    GeometryKind::from_name(kind).map(|kind| Geometry { kind, dim })
}

/// `OP_SCOPE_TY`.
fn atomic(name: &str) -> Option<(AtomicOp, MemoryScope)> {
    let (rest, _ty) = name.rsplit_once('_')?;
    let (op, scope) = rest.rsplit_once('_')?;
    Some((AtomicOp::from_name(op)?, MemoryScope::from_name(scope)?))
}

/// A warp exchange, and whether it names a mask.
fn exchange(name: &str) -> Option<(ExchangeOp, bool)> {
    let name = ["_i32", "_i64"].iter().find_map(|ty| name.strip_suffix(ty)).unwrap_or(name);
    match name.strip_suffix("_nosync") {
        Some(name) => ExchangeOp::from_name(name).map(|op| (op, false)),
        None => ExchangeOp::from_name(name).map(|op| (op, true)),
    }
}
