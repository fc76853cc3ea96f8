//! The memory that a run found and left, and the names of a contract in it.

use std::collections::BTreeMap;

use duet_interp::{ArrayInput, Key, Launch, Outcome, initial_element};
use duet_ir::{Array, Function, GeometryKind, Module, ScalarType};
use duet_refute::Run;

use super::eval::World;
use super::value::Val;
use crate::contract::{Bound, Named};

/// A run, before it or after it.
pub struct RunWorld<'a> {
    /// The module of the kernel.
    pub module: &'a Module,
    /// Its contract.
    pub bound: &'a Bound<'a>,
    /// What is run.
    pub run: &'a Run,
    /// What came of it, if it was run.
    pub outcome: Option<&'a Outcome>,
    /// The ghost variables.
    pub ghosts: &'a BTreeMap<String, i128>,
}

impl RunWorld<'_> {
    /// The first bytes of an array, as the launch finds them; `None` where they are unknown.
    fn initial_byte(&self, array: Array, at: u64) -> Option<u8> {
        let data = &self.module.arrays[array];
        if let Some(init) = &data.init {
            return init.get(usize::try_from(at).ok()?).copied();
        }
        let input = self.run.inputs.arrays.get(&Key::Name(data.name.clone()))?;
        let granule = data.granule.max(1);
        let element = initial_element(&input.fill, granule, at / u64::from(granule));
        Some((element >> (8 * (at % u64::from(granule)))) as u8)
    }

    fn final_byte(&self, array: Array, at: u64) -> Option<u8> {
        let outcome = self.outcome?;
        let left = outcome.arrays.get(&array).and_then(|contents| contents.bytes(at, 1));
        left.map(|bytes| bytes[0]).or_else(|| self.initial_byte(array, at))
    }
}

impl World for RunWorld<'_> {
    fn name(&self, name: &str) -> Val {
        if let Some(number) = self.ghosts.get(name) {
            return Val::Int(*number);
        }
        match self.bound.names.get(name) {
            Some(named) => {
                let func = &self.module.functions[self.bound.kernel];
                value_of(*named, func, &self.run.launch, |index| {
                    self.run.inputs.scalars.get(&Key::Index(index)).copied()
                })
            }
            None => constant(name),
        }
    }

    fn threads(&self) -> i128 {
        i128::from(self.run.launch.threads())
    }

    fn cell(&self, array: Array, ty: ScalarType, index: i128, initial: bool) -> Val {
        let size = u64::from(ty.bytes());
        let Some(start) = u64::try_from(index).ok().and_then(|at| at.checked_mul(size)) else {
            return Val::Unknown;
        };
        let mut bits = 0u128;
        for at in 0..size {
            let byte = match initial || self.outcome.is_none() {
                true => self.initial_byte(array, start + at),
                false => self.final_byte(array, start + at),
            };
            let Some(byte) = byte else { return Val::Unknown };
            bits |= u128::from(byte) << (8 * at);
        }
        Val::from_bits(bits, ty)
    }
}

/// Numbers that are known without a declaration.
pub fn constant(name: &str) -> Val {
    duet_spec::known_constant(name).map_or(Val::Unknown, Val::Int)
}

/// What a captured name is in a launch; `argument` yields bits by position.
pub fn value_of(
    named: Named,
    func: &Function,
    launch: &Launch,
    argument: impl Fn(usize) -> Option<u128>,
) -> Val {
    let along = |sizes: [u32; 3], dim: duet_ir::Dim| i128::from(sizes[dim.index()]);
    match named {
        Named::Argument(value, ty) => {
            let position = func.scalar_params().find(|param| param.value == value);
            let bits = position.and_then(|param| argument(param.index));
            bits.map_or(Val::Unknown, |bits| Val::from_bits(bits, ty))
        }
        Named::Constant(bits, ty) => Val::from_bits(bits, ty),
        Named::Size(size) => Val::Int(match size.kind {
            GeometryKind::BlockDim => along(launch.block, size.dim),
            GeometryKind::GlobalOffset => along(launch.global_offset, size.dim),
            GeometryKind::ThreadId
            | GeometryKind::BlockId
            | GeometryKind::GridDim
            | GeometryKind::WorkDim => along(launch.grid, size.dim),
        }),
        Named::Along(dim) => Val::Int(along(launch.block, dim) * along(launch.grid, dim)),
        // Only `writer` speaks of ids, which no run judges.
        Named::Id(_) | Named::GlobalId(_) => Val::Unknown,
        Named::Array(array, ty) => Val::Array(array, ty),
    }
}

/// The input of an array in a run.
pub fn set_contents(run: &mut Run, module: &Module, array: Array, fill: duet_interp::Fill) {
    let key = Key::Name(module.arrays[array].name.clone());
    run.inputs.arrays.insert(key, ArrayInput { fill, bytes: None });
}
