//! OpenCL built-ins that touch memory, synchronise, or return through a pointer.
//! Which is which: [`crate::opencl_builtins`].

use duet_ir::{
    BarrierScope, BinaryOp, CastOp, Diagnostic, FenceScope, FenceSpaces, FunctionBuilder, InstData,
    IntCc, MemoryOrder, MemoryScope, Type, Value,
};

use crate::llvm::Val;
use crate::llvm_to_ir::memory::{Accesses, Place};
use crate::llvm_to_ir::values::{Leaf, Values};
use crate::mangled::{Mangled, Scalar};
use crate::opencl_builtins::{
    self, AtomicBuiltin, AtomicOperands, AtomicOrder, AtomicResult, AtomicScope, ImageQuery,
    LevelOfDetail, MemoryBuiltin, Rounding, Texel,
};

/// Bytes of a texel.
const TEXEL: u64 = 16;

/// Translates calls of OpenCL built-ins that touch memory.
pub struct OpenClMemory<'c, 't> {
    pub values: &'c mut Values<'t>,
    pub accesses: &'c mut Accesses,
}

impl OpenClMemory<'_, '_> {
    /// Translates a call of `name` if it is such a built-in.
    pub fn call(&mut self, call: Val, name: &Mangled) -> Result<bool, Diagnostic> {
        if name.base == "__translate_sampler_initializer" {
            let leaves = self.values.leaves(call.operand(0))?;
            self.values.define(call, leaves);
            return Ok(true);
        }
        let Some(builtin) = opencl_builtins::classify(name) else {
            return self.out_pointer_builtin(call, name);
        };
        if !opencl_builtins::suits_effect(&builtin, name) {
            return Err(self.values.unsupported(
                format!("`{}` with these parameters: OpenCL has no such function", name.base),
                "give the function another name, and a body",
            ));
        }
        match builtin {
            MemoryBuiltin::VLoad { lanes, stride, half } => {
                self.vload(call, lanes, stride, half)?
            }
            MemoryBuiltin::VStore { stride, half, .. } => self.vstore(call, stride, half)?,
            MemoryBuiltin::Atomic(atomic) => self.atomic_builtin(call, &atomic)?,
            MemoryBuiltin::AtomicInit => {
                let values = self.values.scalars(call.operand(1))?;
                let ty = self.values.builder.func.type_of(values[0]);
                let align = ty.bytes().unwrap_or(1);
                let place = self.accesses.place(self.values, call.operand(0), align)?;
                self.accesses.store_lanes(self.values, &place, values)?;
            }
            MemoryBuiltin::AsyncCopy { strided, to_local, element, lanes } => {
                self.async_copy(call, strided, to_local, element, lanes)?;
            }
            MemoryBuiltin::WaitEvents => self.wait_events(call)?,
            MemoryBuiltin::Barrier => self.opencl_barrier(call)?,
            // It orders nothing for others (kernels/order/old-fence-bug).
            MemoryBuiltin::MemFence => {}
            MemoryBuiltin::WorkItemFence => self.work_item_fence(call)?,
            MemoryBuiltin::ReadImage { .. } => self.read_image(call, &builtin)?,
            MemoryBuiltin::WriteImage { level, .. } => self.write_image(call, level)?,
            MemoryBuiltin::ImageQuery { query, .. } => self.image_query(call, query)?,
            MemoryBuiltin::Prefetch => {}
            MemoryBuiltin::Printf => {
                let zero = self.values.builder.int(0, Type::I32);
                self.values.define_scalar(call, zero);
            }
            MemoryBuiltin::Unsupported(why) => {
                return Err(self
                    .values
                    .unsupported(format!("`{}`: {why}", name.base), "rewrite it"));
            }
        }
        Ok(true)
    }

    /// `frexp`, `sincos` and others: a result, and one through a pointer.
    fn out_pointer_builtin(&mut self, call: Val, name: &Mangled) -> Result<bool, Diagnostic> {
        let Some(result) = self.values.scalar_result(call)? else { return Ok(false) };
        let (mut args, mut pointer) = (vec![], None);
        for argument in call.arguments() {
            if matches!(self.values.leaves(argument)?[..], [Leaf::Pointer(_)]) {
                pointer = Some(argument);
            } else {
                args.push(self.values.scalars(argument)?);
            }
        }
        let Some(pointer) = pointer else { return Ok(false) };
        if !opencl_builtins::suits_out_pointer(name) {
            return Ok(false);
        }
        let lowered =
            opencl_builtins::lower_with_out_pointer(&mut self.values.builder, name, &args, result);
        let Some(lowered) = lowered else { return Ok(false) };
        let align = self.values.builder.func.type_of(lowered.pointee[0]).bytes().unwrap_or(1);
        let place = self.accesses.place(self.values, pointer, align)?;
        self.accesses.store_lanes(self.values, &place, lowered.pointee)?;
        self.values.define_scalars(call, lowered.result);
        Ok(true)
    }

    /// The place `index * stride` elements after a pointer.
    fn element_place(
        &mut self,
        pointer: Val,
        index: Val,
        stride: u32,
        bytes: u32,
    ) -> Result<Place, Diagnostic> {
        let mut place = self.accesses.place(self.values, pointer, bytes)?;
        let index = self.values.scalar(index)?;
        let pointer_type = self.values.builder.module.pointer_type();
        let index = self.values.builder.resize(index, pointer_type, false);
        let scale = self.values.builder.offset(u64::from(stride * bytes));
        let distance = self.values.builder.mul(index, scale);
        place.pointer.offset = self.values.builder.add(place.pointer.offset, distance);
        Ok(place)
    }

    fn vload(&mut self, call: Val, lanes: u32, stride: u32, half: bool) -> Result<(), Diagnostic> {
        let Some(result) = self.values.scalar_result(call)? else {
            return Err(self.values.unsupported("this vector load", "rewrite it"));
        };
        let ty = if half { Type::F16 } else { result.ty };
        let bytes = ty.bytes().unwrap_or(1);
        let place = self.element_place(call.operand(1), call.operand(0), stride, bytes)?;
        let mut values = self.accesses.load_lanes(self.values, &place, ty, lanes)?;
        if half {
            for value in &mut values {
                *value = self.values.builder.cast(CastOp::FExt, *value, result.ty);
            }
        }
        // LLVM may carry three lanes in a vector of four.
        while values.len() < result.count {
            values.push(
                self.values
                    .builder
                    .value(InstData::Fresh { cause: "undefined value".into(), ty: result.ty }),
            );
        }
        self.values.define_scalars(call, values);
        Ok(())
    }

    fn vstore(&mut self, call: Val, stride: u32, half: Option<Rounding>) -> Result<(), Diagnostic> {
        let mut values = self.values.scalars(call.operand(0))?;
        if let Some(rounding) = half {
            for value in &mut values {
                *value = round_to_half(&mut self.values.builder, *value, rounding);
            }
        }
        let bytes = self.values.builder.func.type_of(values[0]).bytes().unwrap_or(1);
        let place = self.element_place(call.operand(2), call.operand(1), stride, bytes)?;
        self.accesses.store_lanes(self.values, &place, values)
    }

    fn atomic_builtin(&mut self, call: Val, atomic: &AtomicBuiltin) -> Result<(), Diagnostic> {
        let ty = scalar_type(atomic.element);
        let place = self.accesses.place(self.values, call.operand(0), ty.bytes().unwrap_or(1))?;
        let scope = self.atomic_scope(call, atomic.scope)?;
        let order = match atomic.order {
            AtomicOrder::Relaxed => MemoryOrder::Relaxed,
            AtomicOrder::Sequential => MemoryOrder::AcquireRelease,
            AtomicOrder::Argument(index) => self.constant_order(call.operand(index as u32))?,
        };
        if let AtomicOperands::ThroughPointer { weak } = atomic.operands {
            return self.exchange_through_pointer(call, &place, (scope, order), ty, weak);
        }
        let args = self.atomic_operands(call, atomic.operands, ty)?;
        let old = self.accesses.atomic(self.values, atomic.op, (scope, order), &place, args, ty)?;
        let result = match atomic.result {
            AtomicResult::None => return Ok(()),
            AtomicResult::Old | AtomicResult::Success => old,
            AtomicResult::OldIsSet => {
                let zero = self.values.builder.int(0, ty);
                self.values.builder.compare(IntCc::Ne, old, zero)
            }
        };
        let wanted = self.values.scalar_result(call)?.map_or(ty, |result| result.ty);
        let result = match wanted {
            Type::Int(_) if wanted != self.values.builder.func.type_of(result) => {
                self.values.builder.resize(result, wanted, false)
            }
            _ => result,
        };
        self.values.define_scalar(call, result);
        Ok(())
    }

    fn atomic_scope(&mut self, call: Val, scope: AtomicScope) -> Result<MemoryScope, Diagnostic> {
        let AtomicScope::Argument(index) = scope else { return Ok(MemoryScope::Device) };
        self.constant_scope(call.operand(index as u32))?.ok_or_else(|| {
            self.values.unsupported(
                "an atomic operation whose memory scope is not a constant of at least a work-group",
                "use memory_scope_work_group or memory_scope_device",
            )
        })
    }

    /// The operands that are values.
    fn atomic_operands(
        &mut self,
        call: Val,
        operands: AtomicOperands,
        ty: Type,
    ) -> Result<Vec<Value>, Diagnostic> {
        Ok(match operands {
            AtomicOperands::None => vec![],
            AtomicOperands::Constant(bits) => {
                vec![self.values.builder.int(u128::from(bits), ty)]
            }
            AtomicOperands::Argument => {
                let arg = self.values.scalar(call.operand(1))?;
                vec![if ty.is_int() { self.values.builder.resize(arg, ty, true) } else { arg }]
            }
            AtomicOperands::CompareAndNew | AtomicOperands::ThroughPointer { .. } => {
                vec![self.values.scalar(call.operand(1))?, self.values.scalar(call.operand(2))?]
            }
        })
    }

    /// `(p, expected, new)`: what is expected stands in memory, and what was found is
    /// put there.
    fn exchange_through_pointer(
        &mut self,
        call: Val,
        place: &Place,
        scope: (MemoryScope, MemoryOrder),
        ty: Type,
        weak: bool,
    ) -> Result<(), Diagnostic> {
        let bytes = ty.bytes().unwrap_or(1);
        let expected = self.accesses.place(self.values, call.operand(1), bytes)?;
        let compared = self.accesses.load_lanes(self.values, &expected, ty, 1)?[0];
        let new = self.values.scalar(call.operand(2))?;
        let operands = [compared, new];
        let (old, done) =
            self.accesses.exchange_if_equal(self.values, scope, place, operands, weak)?;
        self.accesses.store_lanes(self.values, &expected, vec![old])?;
        let wanted = self.values.scalar_result(call)?.map_or(Type::BOOL, |result| result.ty);
        let result = self.values.builder.resize(done, wanted, false);
        self.values.define_scalar(call, result);
        Ok(())
    }

    fn async_copy(
        &mut self,
        call: Val,
        strided: bool,
        to_local: bool,
        element: Scalar,
        lanes: u32,
    ) -> Result<(), Diagnostic> {
        let lanes = if lanes == 3 { 4 } else { lanes };
        let scalar = scalar_type(element).bytes().unwrap_or(1);
        let (dst, src) = (
            self.accesses.place(self.values, call.operand(0), scalar)?,
            self.accesses.place(self.values, call.operand(1), scalar)?,
        );
        let count = self.values.scalar(call.operand(2))?;
        let one = self.values.builder.offset(1);
        let stride = if strided { self.values.scalar(call.operand(3))? } else { one };
        let event = self.values.scalar(call.operand(if strided { 4 } else { 3 }))?;
        let (dst_stride, src_stride) = if to_local { (one, stride) } else { (stride, one) };
        let accesses = &*self.accesses;
        let results = accesses.split_cases(self.values, &dst, &[Type::I32], |values, dst| {
            let inner = accesses.split_cases(values, &src, &[Type::I32], |values, src| {
                vec![values.builder.value(InstData::AsyncCopy {
                    dst,
                    src,
                    element: scalar * lanes,
                    count,
                    dst_stride,
                    src_stride,
                    event,
                })]
            });
            inner.unwrap_or_default()
        })?;
        self.values.define_scalar(call, results[0]);
        Ok(())
    }

    fn wait_events(&mut self, call: Val) -> Result<(), Diagnostic> {
        const MAX: u64 = 64;
        let count = self.values.scalar(call.operand(0))?;
        let count = self.values.builder.func.const_bits(count).map(|count| count as u64);
        let Some(count) = count.filter(|&count| count <= MAX) else {
            return Err(self.values.unsupported(
                "waiting for a number of events that is not a small constant",
                "wait for each event by itself",
            ));
        };
        let place = self.accesses.place(self.values, call.operand(1), 4)?;
        let stride = u64::from(self.values.builder.module.pointer_width / 8);
        let mut events = vec![];
        for index in 0..count {
            let place = place.at_offset(&mut self.values.builder, index * stride);
            events.extend(self.accesses.load_lanes(self.values, &place, Type::I32, 1)?);
        }
        self.values.builder.inst(InstData::WaitEvents { events });
        Ok(())
    }

    /// A fence. One whose scope is narrower than a work-group, or whose arguments are not
    /// known, orders nothing that a proof may use, and is left out.
    fn work_item_fence(&mut self, call: Val) -> Result<(), Diagnostic> {
        let flags = self.values.scalar(call.operand(0))?;
        let flags = self.values.builder.func.const_bits(flags).unwrap_or(0);
        let spaces = match flags & 3 {
            1 => FenceSpaces::Shared,
            2 => FenceSpaces::Global,
            3 => FenceSpaces::All,
            _ => return Ok(()),
        };
        let order = self.constant_order(call.operand(1))?;
        let scope = match self.constant_scope(call.operand(2))? {
            Some(MemoryScope::Block) => FenceScope::Block,
            Some(MemoryScope::Device) => FenceScope::Device,
            Some(MemoryScope::System) => FenceScope::System,
            None => return Ok(()),
        };
        self.values.ordering_fence(scope, order, spaces);
        Ok(())
    }

    /// The order that an argument names, if it is a constant.
    fn constant_order(&mut self, argument: Val) -> Result<MemoryOrder, Diagnostic> {
        let value = self.values.scalar(argument)?;
        Ok(opencl_builtins::memory_order(self.values.builder.func.const_bits(value)))
    }

    /// The scope that an argument names, if it is a constant of at least a work-group.
    fn constant_scope(&mut self, argument: Val) -> Result<Option<MemoryScope>, Diagnostic> {
        let value = self.values.scalar(argument)?;
        Ok(self.values.builder.func.const_bits(value).and_then(opencl_builtins::memory_scope))
    }

    /// `barrier(flags)` and `work_group_barrier(flags, scope)`. SOUNDNESS: with a scope
    /// narrower than the work-group the memory of others is not ordered
    /// (`barriers_of_narrow_scope` in tests/scopes.rs). A wider one orders accesses with other
    /// work-groups only together with something that makes those wait, and nothing here
    /// relies on it.
    fn opencl_barrier(&mut self, call: Val) -> Result<(), Diagnostic> {
        let flags = self.values.scalar(call.operand(0))?;
        if let Some(&scope) = call.arguments().get(1)
            && self.constant_scope(scope)?.is_none()
        {
            return Err(self.values.unsupported(
                "a barrier whose memory scope is not a constant of at least a work-group",
                "use memory_scope_work_group or memory_scope_device",
            ));
        }
        self.values
            .builder
            .inst(InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) });
        Ok(())
    }

    /// The place of the texel at integer coordinates.
    fn texel_place(&mut self, image: Val, coordinates: Val) -> Result<Place, Diagnostic> {
        let coordinates = self.values.scalars(coordinates)?;
        let pointer_type = self.values.builder.module.pointer_type();
        // Distinct coordinates are distinct texels within an image's limits.
        let shift = if self.values.builder.module.pointer_width == 64 { 20 } else { 13 };
        let mut number = self.values.builder.offset(0);
        for (dim, coordinate) in coordinates.into_iter().take(3).enumerate() {
            let coordinate = self.values.builder.resize(coordinate, pointer_type, true);
            let amount = self.values.builder.offset(dim as u64 * shift);
            let shifted = self.values.builder.binary(BinaryOp::Shl, coordinate, amount);
            number = self.values.builder.add(number, shifted);
        }
        self.numbered_texel(image, number)
    }

    fn numbered_texel(&mut self, image: Val, number: Value) -> Result<Place, Diagnostic> {
        let mut place = self.accesses.place(self.values, image, TEXEL as u32)?;
        let size = self.values.builder.offset(TEXEL);
        let distance = self.values.builder.mul(number, size);
        place.pointer.offset = self.values.builder.add(place.pointer.offset, distance);
        Ok(place)
    }

    /// The texel that a sampler starts from at float coordinates: a function of
    /// them and of the sampler.
    fn sampled_texel(
        &mut self,
        image: Val,
        coordinates: Val,
        sampler: Option<Val>,
    ) -> Result<Place, Diagnostic> {
        let zero = self.values.builder.int(0, Type::F32);
        let mut args = self.values.scalars(coordinates)?;
        args.resize(3, zero);
        if let Some(sampler) = sampler {
            args.push(self.values.scalar(sampler)?);
        }
        let ty = self.values.builder.module.pointer_type();
        let number =
            self.values.builder.value(InstData::Pure { name: "__duet_texel".into(), args, ty });
        self.numbered_texel(image, number)
    }

    fn read_image(&mut self, call: Val, builtin: &MemoryBuiltin) -> Result<(), Diagnostic> {
        let MemoryBuiltin::ReadImage {
            texel, sampler, coordinates, float_coordinates, level, ..
        } = builtin
        else {
            unreachable!("called for image reads only")
        };
        if *level != LevelOfDetail::None {
            return Err(self
                .values
                .unsupported("reading a level of a mipmap", "read the base level"));
        }
        let coordinates = call.operand(*coordinates as u32);
        let sampler = sampler.then(|| call.operand(1));
        let place = match float_coordinates {
            true => self.sampled_texel(call.operand(0), coordinates, sampler)?,
            false => self.texel_place(call.operand(0), coordinates)?,
        };
        let Some(result) = self.values.scalar_result(call)? else {
            return Err(self.values.unsupported("this image read", "rewrite it"));
        };
        let ty = if *texel == Texel::Half { Type::F32 } else { result.ty };
        let mut values = self.accesses.load_lanes(self.values, &place, ty, result.count as u32)?;
        if ty != result.ty {
            for value in &mut values {
                *value = self.values.builder.cast(CastOp::FTrunc, *value, result.ty);
            }
        }
        self.values.define_scalars(call, values);
        Ok(())
    }

    fn write_image(&mut self, call: Val, level: bool) -> Result<(), Diagnostic> {
        if level {
            return Err(self
                .values
                .unsupported("writing a level of a mipmap", "write the base level"));
        }
        let place = self.texel_place(call.operand(0), call.operand(1))?;
        let mut values = self.values.scalars(call.operand(2))?;
        for value in &mut values {
            if self.values.builder.func.type_of(*value) == Type::F16 {
                *value = self.values.builder.cast(CastOp::FExt, *value, Type::F32);
            }
        }
        self.accesses.store_lanes(self.values, &place, values)
    }

    /// A property of an image: the same whenever it is asked in a launch.
    fn image_query(&mut self, call: Val, query: ImageQuery) -> Result<(), Diagnostic> {
        let Some(result) = self.values.scalar_result(call)? else {
            return Err(self.values.unsupported("this question about an image", "rewrite it"));
        };
        let pointer = self.values.pointer(call.operand(0))?;
        let image = self.values.int_from_pointer(pointer);
        let values = (0..result.count)
            .map(|lane| {
                let name = match query {
                    // The lanes of the vector are what the single questions yield.
                    ImageQuery::Dim => format!("image_{:?}", dimension(lane)),
                    _ => format!("image_{query:?}"),
                };
                let args = vec![image];
                self.values.builder.value(InstData::Pure { name, args, ty: result.ty })
            })
            .collect();
        self.values.define_scalars(call, values);
        Ok(())
    }
}

fn round_to_half(b: &mut FunctionBuilder<'_>, value: Value, rounding: Rounding) -> Value {
    let name = match rounding {
        Rounding::NearestEven => return b.cast(CastOp::FTrunc, value, Type::F16),
        Rounding::Zero => "convert_half_rtz",
        Rounding::Up => "convert_half_rtp",
        Rounding::Down => "convert_half_rtn",
    };
    b.value(InstData::Pure { name: name.into(), args: vec![value], ty: Type::F16 })
}

/// The question whose answer is a lane of the dimensions.
fn dimension(lane: usize) -> ImageQuery {
    [ImageQuery::Width, ImageQuery::Height, ImageQuery::Depth][lane.min(2)]
}

/// The IR type of a number type of C.
fn scalar_type(scalar: Scalar) -> Type {
    use Scalar::*;
    match scalar {
        Bool | Char | UChar => Type::I8,
        Short | UShort => Type::I16,
        Int | UInt => Type::I32,
        Long | ULong | LongLong | ULongLong => Type::I64,
        Half => Type::F16,
        Float => Type::F32,
        Double => Type::F64,
    }
}
