//! Element granularity: at which element size an array may be modelled.
//!
//! An array whose accesses all have elements of one size, at offsets that are
//! multiples of it, has that size as its granule; otherwise the granule is one
//! byte.
//!
//! SOUNDNESS: that an offset is a multiple is read off how it is computed, not off
//! the alignment that the source language promises: a kernel that breaks the
//! promise (`*(short *)(text + tid)`) overlaps its neighbours by a byte
//! (`kernels/pointers/short-pairs-bug.cu`).

#![warn(clippy::wildcard_enum_match_arm)]

use duet_ir::{
    AnnotationKind, Array, BinaryOp, CastOp, Const, Function, Inst, InstData, Module, Operation,
    SecondaryMap, Value, ValueDef,
};

/// What the accesses to an array have in common.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Common {
    #[default]
    Unused,
    Size(u32),
    Bytes,
}

impl Common {
    /// Takes in an access to elements of `size` bytes at a multiple of `align`.
    fn meet(self, size: u32, align: u32) -> Common {
        let fits = size.is_power_of_two() && align >= size;
        match self {
            _ if !fits => Common::Bytes,
            Common::Unused => Common::Size(size),
            Common::Size(common) if common == size => self,
            Common::Size(_) | Common::Bytes => Common::Bytes,
        }
    }

    /// Takes in a copy of whole elements, which may hold several granules.
    fn meet_copy(self, element: u32, align: u32) -> Common {
        match self {
            Common::Size(size) if element.is_multiple_of(size) && align >= size => self,
            Common::Unused => Common::Unused.meet(align.min(element), align),
            Common::Size(_) | Common::Bytes => Common::Bytes,
        }
    }
}

/// Sets the granule of every array of the module.
pub fn set_granules(module: &mut Module) {
    let mut common: SecondaryMap<Array, Common> = SecondaryMap::new();
    for function in module.functions.values() {
        let alignment = Alignment::new(function);
        for inst in function.insts_in_order() {
            let data = &function.insts[inst];
            let size = match data {
                InstData::Load { ty, .. } | InstData::Atomic { ty, .. } => ty.bytes(),
                InstData::Store { values, .. } => function.type_of(values[0]).bytes(),
                // Copies are looked at once the elements of all else are known.
                InstData::AsyncCopy { .. } => continue,
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
                | InstData::IntToPtr { .. }
                | InstData::Barrier { .. }
                | InstData::BarrierReduce { .. }
                | InstData::Fence { .. }
                | InstData::Exchange { .. }
                | InstData::WaitEvents { .. }
                | InstData::Assert { .. }
                | InstData::Annotation { .. }
                | InstData::Ghost { .. }
                | InstData::Call { .. }
                | InstData::CallUnknown { .. } => continue,
            };
            for (_, access) in data.accesses() {
                let align = alignment.of(access.offset).min(access.align);
                common[access.array] = common[access.array].meet(size.unwrap_or(1), align);
            }
        }
        for inst in function.insts_in_order() {
            if let InstData::AsyncCopy { dst, src, element, .. } = &function.insts[inst] {
                for access in [dst, src] {
                    let align = alignment.of(access.offset).min(access.align);
                    common[access.array] = common[access.array].meet_copy(*element, align);
                }
            }
        }
    }
    for (copy, source) in module.functions.values().flat_map(snapshots) {
        if common[copy] == Common::Unused {
            common[copy] = common[source];
        }
    }
    for (array, data) in module.arrays.iter_mut() {
        data.granule = match common[array] {
            Common::Size(size) => size,
            Common::Unused | Common::Bytes => 1,
        };
    }
}

/// The arrays of which snapshots are taken, each after the one that holds the snapshot. That
/// may be one without any access, which is then modelled like its source.
fn snapshots(function: &Function) -> Vec<(Array, Array)> {
    let array = |value: Value| match function.const_of(value) {
        Some(Const::Array(array)) => Some(array),
        Some(Const::Null | Const::Bits(_)) | None => None,
    };
    let of = |inst: Inst| {
        let InstData::Annotation { kind: AnnotationKind::ArraySnapshot, args } =
            &function.insts[inst]
        else {
            return None;
        };
        Some((array(*args.first()?)?, array(*args.get(1)?)?))
    };
    function.insts_in_order().filter_map(of).collect()
}

/// How many low bits of each value are zero for certain.
struct Alignment {
    zeros: SecondaryMap<Value, Option<u32>>,
}

/// More zeros than any access asks for.
const PLENTY: u32 = 16;

impl Alignment {
    /// Starts from the best and lowers it until every definition agrees.
    fn new(func: &Function) -> Alignment {
        let mut alignment = Alignment { zeros: SecondaryMap::new() };
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &func.layout {
                let data = &func.blocks[block];
                for &inst in &data.insts {
                    for &value in &func.results_of[inst] {
                        let zeros = alignment.of_inst(func, &func.insts[inst]);
                        changed |= alignment.lower(value, zeros);
                    }
                }
                for edge in data.terminator.edges() {
                    let params = &func.blocks[edge.block].params;
                    for (&param, &arg) in params.iter().zip(&edge.args) {
                        let zeros = alignment.zeros_of(func, arg);
                        changed |= alignment.lower(param, zeros);
                    }
                }
            }
        }
        for (value, def) in func.values.iter() {
            if matches!(def, ValueDef::Const(_) | ValueDef::FunctionParam(_)) {
                alignment.zeros[value] = Some(alignment.zeros_of(func, value));
            }
        }
        alignment
    }

    /// The power of two that the value is a multiple of.
    fn of(&self, value: Value) -> u32 {
        1 << self.zeros[value].unwrap_or(0)
    }

    fn lower(&mut self, value: Value, zeros: u32) -> bool {
        let old = self.zeros[value].unwrap_or(PLENTY);
        let new = old.min(zeros);
        self.zeros[value] = Some(new);
        new != old
    }

    fn zeros_of(&self, func: &Function, value: Value) -> u32 {
        match func.values[value] {
            ValueDef::Const(_) => {
                func.const_bits(value).map_or(0, u128::trailing_zeros).min(PLENTY)
            }
            ValueDef::FunctionParam(_) => 0,
            ValueDef::Result(..) | ValueDef::BlockParam(..) => self.zeros[value].unwrap_or(PLENTY),
        }
    }

    fn of_inst(&self, func: &Function, data: &InstData) -> u32 {
        use BinaryOp::*;
        let zeros = |value: Value| self.zeros_of(func, value);
        let zeros = match data.operation() {
            Some(Operation::Binary { op, args: [a, b], .. }) => match op {
                Add | Sub | Or | Xor => zeros(a).min(zeros(b)),
                And => zeros(a).max(zeros(b)),
                Mul => zeros(a) + zeros(b),
                Shl => match func.const_bits(b) {
                    Some(amount) => zeros(a) + amount.min(u128::from(PLENTY)) as u32,
                    None => zeros(a),
                },
                UDiv | SDiv | URem | SRem | LShr | AShr | FAdd | FSub | FMul | FDiv | FRem => 0,
            },
            Some(Operation::Cast {
                op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, arg, ..
            }) => zeros(arg),
            Some(Operation::Select { args: [a, b], .. }) => zeros(a).min(zeros(b)),
            Some(
                Operation::Unary { .. }
                | Operation::Cast { .. }
                | Operation::IntCompare { .. }
                | Operation::FloatCompare { .. }
                | Operation::Geometry(_),
            )
            | None => 0,
        };
        zeros.min(PLENTY)
    }
}
