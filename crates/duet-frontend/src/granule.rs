//! Element granularity: at which element size an array may be modelled.
//!
//! An array whose accesses all have elements of one size, at offsets that the
//! source language promises to be multiples of it, has that size as its granule
//! (a misaligned access is undefined in the source and traps on a GPU). Otherwise
//! the granule is one byte.

use duet_ir::{Array, InstData, Module, SecondaryMap};

/// What the accesses to an array have in common.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Common {
    #[default]
    Unused,
    Size(u32),
    Bytes,
}

impl Common {
    /// Takes in an access to elements of `size` bytes, aligned to `align`.
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
            _ => Common::Bytes,
        }
    }
}

/// Sets the granule of every array of the module.
pub fn set_granules(module: &mut Module) {
    let mut common: SecondaryMap<Array, Common> = SecondaryMap::new();
    for (_, function) in module.functions.iter() {
        let insts = || function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
        for &inst in insts() {
            let data = &function.insts[inst];
            let size = match data {
                InstData::Load { ty, .. } | InstData::Atomic { ty, .. } => ty.bytes(),
                InstData::Store { values, .. } => function.type_of(values[0]).bytes(),
                _ => continue,
            };
            for access in data.accesses() {
                common[access.array] = common[access.array].meet(size.unwrap_or(1), access.align);
            }
        }
        for &inst in insts() {
            if let InstData::AsyncCopy { dst, src, element, .. } = &function.insts[inst] {
                for access in [dst, src] {
                    common[access.array] = common[access.array].meet_copy(*element, access.align);
                }
            }
        }
    }
    for (array, data) in module.arrays.iter_mut() {
        data.granule = match common[array] {
            Common::Size(size) => size,
            Common::Unused | Common::Bytes => 1,
        };
    }
}
