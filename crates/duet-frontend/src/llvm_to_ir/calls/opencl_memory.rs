//! OpenCL built-ins that touch memory, synchronise, or return through a pointer.
//! Which is which: [`crate::opencl_builtins`].

use duet_ir::{
    BarrierScope, BinaryOp, CastOp, Diagnostic, FenceScope, InstData, IntCc, MemoryScope, Type,
    Value,
};

use crate::llvm::Val;
use crate::llvm_to_ir::function::{FunctionTranslator, Leaf};
use crate::llvm_to_ir::memory::Place;
use crate::mangled::{Mangled, Scalar};
use crate::opencl_builtins::{
    self, AtomicBuiltin, AtomicOperands, AtomicResult, AtomicScope, ImageQuery, LevelOfDetail,
    MemoryBuiltin, Rounding, Texel,
};

/// Bytes of a texel.
const TEXEL: u64 = 16;

impl FunctionTranslator<'_> {
    /// Translates a call of `name` if it is such a built-in.
    pub fn opencl_memory_builtin(&mut self, call: Val, name: &Mangled) -> Result<bool, Diagnostic> {
        if name.base == "__translate_sampler_initializer" {
            let leaves = self.leaves(call.operand(0))?;
            self.define(call, leaves);
            return Ok(true);
        }
        let Some(builtin) = opencl_builtins::classify(name) else {
            return self.out_pointer_builtin(call, name);
        };
        if !opencl_builtins::suits_effect(&builtin, name) {
            return Err(self.unsupported(
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
                let values = self.scalars(call.operand(1))?;
                let place = self.place(call.operand(0), 1)?;
                self.store_lanes(&place, values)?;
            }
            MemoryBuiltin::AsyncCopy { strided, to_local, element, lanes } => {
                self.async_copy(call, strided, to_local, element, lanes)?;
            }
            MemoryBuiltin::WaitEvents => self.wait_events(call)?,
            MemoryBuiltin::Barrier => self.opencl_barrier(call)?,
            MemoryBuiltin::MemFence { scope } => self.opencl_fence(call, scope)?,
            MemoryBuiltin::ReadImage { .. } => self.read_image(call, &builtin)?,
            MemoryBuiltin::WriteImage { level, .. } => self.write_image(call, level)?,
            MemoryBuiltin::ImageQuery { query, .. } => self.image_query(call, query)?,
            MemoryBuiltin::Prefetch => {}
            MemoryBuiltin::Printf => {
                let zero = self.builder.int(0, Type::I32);
                self.define_scalar(call, zero);
            }
            MemoryBuiltin::Unsupported(why) => {
                return Err(self.unsupported(format!("`{}`: {why}", name.base), "rewrite it"));
            }
        }
        Ok(true)
    }

    /// `frexp`, `sincos` and others: a result, and one through a pointer.
    fn out_pointer_builtin(&mut self, call: Val, name: &Mangled) -> Result<bool, Diagnostic> {
        let Some(result) = self.scalar_result(call)? else { return Ok(false) };
        let (mut args, mut pointer) = (vec![], None);
        for argument in call.arguments() {
            if matches!(self.leaves(argument)?[..], [Leaf::Pointer(_)]) {
                pointer = Some(argument);
            } else {
                args.push(self.scalars(argument)?);
            }
        }
        let Some(pointer) = pointer else { return Ok(false) };
        if !opencl_builtins::suits_out_pointer(name) {
            return Ok(false);
        }
        let lowered =
            opencl_builtins::lower_with_out_pointer(&mut self.builder, name, &args, result);
        let Some(lowered) = lowered else { return Ok(false) };
        let align = self.builder.func.type_of(lowered.pointee[0]).bytes().unwrap_or(1);
        let place = self.place(pointer, align)?;
        self.store_lanes(&place, lowered.pointee)?;
        self.define_scalars(call, lowered.result);
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
        let mut place = self.place(pointer, bytes)?;
        let index = self.scalar(index)?;
        let pointer_type = self.builder.module.pointer_type();
        let index = self.builder.resize(index, pointer_type, false);
        let scale = self.builder.offset(u64::from(stride * bytes));
        let distance = self.builder.mul(index, scale);
        place.pointer.offset = self.builder.add(place.pointer.offset, distance);
        Ok(place)
    }

    fn vload(&mut self, call: Val, lanes: u32, stride: u32, half: bool) -> Result<(), Diagnostic> {
        let Some(result) = self.scalar_result(call)? else {
            return Err(self.unsupported("this vector load", "rewrite it"));
        };
        let ty = if half { Type::F16 } else { result.ty };
        let bytes = ty.bytes().unwrap_or(1);
        let place = self.element_place(call.operand(1), call.operand(0), stride, bytes)?;
        let mut values = self.load_lanes(&place, ty, lanes)?;
        if half {
            for value in &mut values {
                *value = self.builder.cast(CastOp::FExt, *value, result.ty);
            }
        }
        // LLVM may carry three lanes in a vector of four.
        while values.len() < result.count {
            values.push(
                self.builder
                    .value(InstData::Fresh { cause: "undefined value".into(), ty: result.ty }),
            );
        }
        self.define_scalars(call, values);
        Ok(())
    }

    fn vstore(&mut self, call: Val, stride: u32, half: Option<Rounding>) -> Result<(), Diagnostic> {
        let mut values = self.scalars(call.operand(0))?;
        if let Some(rounding) = half {
            for value in &mut values {
                *value = self.round_to_half(*value, rounding);
            }
        }
        let bytes = self.builder.func.type_of(values[0]).bytes().unwrap_or(1);
        let place = self.element_place(call.operand(2), call.operand(1), stride, bytes)?;
        self.store_lanes(&place, values)
    }

    fn round_to_half(&mut self, value: Value, rounding: Rounding) -> Value {
        let name = match rounding {
            Rounding::NearestEven => return self.builder.cast(CastOp::FTrunc, value, Type::F16),
            Rounding::Zero => "convert_half_rtz",
            Rounding::Up => "convert_half_rtp",
            Rounding::Down => "convert_half_rtn",
        };
        self.builder.value(InstData::Pure { name: name.into(), args: vec![value], ty: Type::F16 })
    }

    fn atomic_builtin(&mut self, call: Val, atomic: &AtomicBuiltin) -> Result<(), Diagnostic> {
        let ty = scalar_type(atomic.element);
        let place = self.place(call.operand(0), ty.bytes().unwrap_or(1))?;
        let scope = self.atomic_scope(call, atomic.scope)?;
        if let AtomicOperands::ThroughPointer { weak } = atomic.operands {
            return self.exchange_through_pointer(call, &place, scope, ty, weak);
        }
        let args = self.atomic_operands(call, atomic.operands, ty)?;
        let old = self.atomic(atomic.op, scope, &place, args, ty)?;
        let result = match atomic.result {
            AtomicResult::None => return Ok(()),
            AtomicResult::Old | AtomicResult::Success => old,
            AtomicResult::OldIsSet => {
                let zero = self.builder.int(0, ty);
                self.builder.compare(IntCc::Ne, old, zero)
            }
        };
        let wanted = self.scalar_result(call)?.map_or(ty, |result| result.ty);
        let result = match wanted {
            Type::Int(_) if wanted != self.builder.func.type_of(result) => {
                self.builder.resize(result, wanted, false)
            }
            _ => result,
        };
        self.define_scalar(call, result);
        Ok(())
    }

    fn atomic_scope(&mut self, call: Val, scope: AtomicScope) -> Result<MemoryScope, Diagnostic> {
        let AtomicScope::Argument(index) = scope else { return Ok(MemoryScope::Device) };
        self.constant_scope(call.operand(index as u32))?.ok_or_else(|| {
            self.unsupported(
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
            AtomicOperands::Constant(bits) => vec![self.builder.int(u128::from(bits), ty)],
            AtomicOperands::Argument => {
                let arg = self.scalar(call.operand(1))?;
                vec![if ty.is_int() { self.builder.resize(arg, ty, true) } else { arg }]
            }
            AtomicOperands::CompareAndNew | AtomicOperands::ThroughPointer { .. } => {
                vec![self.scalar(call.operand(1))?, self.scalar(call.operand(2))?]
            }
        })
    }

    /// `(p, expected, new)`: what is expected stands in memory, and what was found is
    /// put there.
    fn exchange_through_pointer(
        &mut self,
        call: Val,
        place: &Place,
        scope: MemoryScope,
        ty: Type,
        weak: bool,
    ) -> Result<(), Diagnostic> {
        let expected = self.place(call.operand(1), ty.bytes().unwrap_or(1))?;
        let compared = self.load_lanes(&expected, ty, 1)?[0];
        let new = self.scalar(call.operand(2))?;
        let (old, done) = self.exchange_if_equal(scope, place, [compared, new], ty, weak)?;
        self.store_lanes(&expected, vec![old])?;
        let wanted = self.scalar_result(call)?.map_or(Type::BOOL, |result| result.ty);
        let result = self.builder.resize(done, wanted, false);
        self.define_scalar(call, result);
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
        let (dst, src) =
            (self.place(call.operand(0), scalar)?, self.place(call.operand(1), scalar)?);
        let count = self.scalar(call.operand(2))?;
        let one = self.builder.offset(1);
        let stride = if strided { self.scalar(call.operand(3))? } else { one };
        let event = self.scalar(call.operand(if strided { 4 } else { 3 }))?;
        let (dst_stride, src_stride) = if to_local { (one, stride) } else { (stride, one) };
        let results = self.split_cases(&dst, &[Type::I32], |this, dst| {
            let inner = this.split_cases(&src, &[Type::I32], |this, src| {
                vec![this.builder.value(InstData::AsyncCopy {
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
        self.define_scalar(call, results[0]);
        Ok(())
    }

    fn wait_events(&mut self, call: Val) -> Result<(), Diagnostic> {
        const MAX: u64 = 64;
        let count = self.scalar(call.operand(0))?;
        let count = self.builder.func.const_bits(count).map(|count| count as u64);
        let Some(count) = count.filter(|&count| count <= MAX) else {
            return Err(self.unsupported(
                "waiting for a number of events that is not a small constant",
                "wait for each event by itself",
            ));
        };
        let place = self.place(call.operand(1), 4)?;
        let stride = u64::from(self.builder.module.pointer_width / 8);
        let mut events = vec![];
        for index in 0..count {
            let place = place.at_offset(self, index * stride);
            events.extend(self.load_lanes(&place, Type::I32, 1)?);
        }
        self.builder.inst(InstData::WaitEvents { events });
        Ok(())
    }

    /// A fence. One whose scope is narrower than a work-group, or is not known,
    /// orders nothing that a proof may use, and is left out.
    fn opencl_fence(&mut self, call: Val, scope: Option<usize>) -> Result<(), Diagnostic> {
        let scope = match scope {
            None => Some(MemoryScope::Block),
            Some(index) => self.constant_scope(call.operand(index as u32))?,
        };
        match scope {
            Some(MemoryScope::Block) => self.memory_fence(FenceScope::Block),
            Some(MemoryScope::Device) => self.memory_fence(FenceScope::Device),
            Some(MemoryScope::System) => self.memory_fence(FenceScope::System),
            None => {}
        }
        Ok(())
    }

    /// The scope that an argument names, if it is a constant of at least a work-group.
    fn constant_scope(&mut self, argument: Val) -> Result<Option<MemoryScope>, Diagnostic> {
        let value = self.scalar(argument)?;
        Ok(self.builder.func.const_bits(value).and_then(opencl_builtins::memory_scope))
    }

    /// `barrier(flags)` and `work_group_barrier(flags, scope)`. SOUNDNESS: with a scope
    /// narrower than the work-group the memory of others is not ordered
    /// (`barriers_of_narrow_scope` in tests/scopes.rs). A wider one orders accesses with other
    /// work-groups only together with something that makes those wait, and nothing here
    /// relies on it.
    fn opencl_barrier(&mut self, call: Val) -> Result<(), Diagnostic> {
        let flags = self.scalar(call.operand(0))?;
        if let Some(&scope) = call.arguments().get(1)
            && self.constant_scope(scope)?.is_none()
        {
            return Err(self.unsupported(
                "a barrier whose memory scope is not a constant of at least a work-group",
                "use memory_scope_work_group or memory_scope_device",
            ));
        }
        self.builder.inst(InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) });
        Ok(())
    }

    /// The place of the texel at integer coordinates.
    fn texel_place(&mut self, image: Val, coordinates: Val) -> Result<Place, Diagnostic> {
        let coordinates = self.scalars(coordinates)?;
        let pointer_type = self.builder.module.pointer_type();
        // Distinct coordinates are distinct texels within an image's limits.
        let shift = if self.builder.module.pointer_width == 64 { 20 } else { 13 };
        let mut number = self.builder.offset(0);
        for (dim, coordinate) in coordinates.into_iter().take(3).enumerate() {
            let coordinate = self.builder.resize(coordinate, pointer_type, true);
            let amount = self.builder.offset(dim as u64 * shift);
            let shifted = self.builder.binary(BinaryOp::Shl, coordinate, amount);
            number = self.builder.add(number, shifted);
        }
        self.numbered_texel(image, number)
    }

    fn numbered_texel(&mut self, image: Val, number: Value) -> Result<Place, Diagnostic> {
        let mut place = self.place(image, TEXEL as u32)?;
        let size = self.builder.offset(TEXEL);
        let distance = self.builder.mul(number, size);
        place.pointer.offset = self.builder.add(place.pointer.offset, distance);
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
        let zero = self.builder.int(0, Type::F32);
        let mut args = self.scalars(coordinates)?;
        args.resize(3, zero);
        if let Some(sampler) = sampler {
            args.push(self.scalar(sampler)?);
        }
        let ty = self.builder.module.pointer_type();
        let number = self.builder.value(InstData::Pure { name: "__duet_texel".into(), args, ty });
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
            return Err(self.unsupported("reading a level of a mipmap", "read the base level"));
        }
        let coordinates = call.operand(*coordinates as u32);
        let sampler = sampler.then(|| call.operand(1));
        let place = match float_coordinates {
            true => self.sampled_texel(call.operand(0), coordinates, sampler)?,
            false => self.texel_place(call.operand(0), coordinates)?,
        };
        let Some(result) = self.scalar_result(call)? else {
            return Err(self.unsupported("this image read", "rewrite it"));
        };
        let ty = if *texel == Texel::Half { Type::F32 } else { result.ty };
        let mut values = self.load_lanes(&place, ty, result.count as u32)?;
        if ty != result.ty {
            for value in &mut values {
                *value = self.builder.cast(CastOp::FTrunc, *value, result.ty);
            }
        }
        self.define_scalars(call, values);
        Ok(())
    }

    fn write_image(&mut self, call: Val, level: bool) -> Result<(), Diagnostic> {
        if level {
            return Err(self.unsupported("writing a level of a mipmap", "write the base level"));
        }
        let place = self.texel_place(call.operand(0), call.operand(1))?;
        let mut values = self.scalars(call.operand(2))?;
        for value in &mut values {
            if self.builder.func.type_of(*value) == Type::F16 {
                *value = self.builder.cast(CastOp::FExt, *value, Type::F32);
            }
        }
        self.store_lanes(&place, values)
    }

    /// A property of an image: the same whenever it is asked in a launch.
    fn image_query(&mut self, call: Val, query: ImageQuery) -> Result<(), Diagnostic> {
        let Some(result) = self.scalar_result(call)? else {
            return Err(self.unsupported("this question about an image", "rewrite it"));
        };
        let pointer = self.pointer(call.operand(0))?;
        let image = self.int_from_pointer(pointer);
        let values = (0..result.count)
            .map(|lane| {
                let name = match query {
                    // The lanes of the vector are what the single questions yield.
                    ImageQuery::Dim => format!("image_{:?}", dimension(lane)),
                    _ => format!("image_{query:?}"),
                };
                let args = vec![image];
                self.builder.value(InstData::Pure { name, args, ty: result.ty })
            })
            .collect();
        self.define_scalars(call, values);
        Ok(())
    }
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
