//! What a thread knows of memory: one map from offsets to elements per array.

use std::collections::BTreeMap;

use duet_ir::{Array, ArrayData, Type};
use duet_product::KernelFacts;
use duet_smt::{IndexSort, Sort, TermId, TermPool};

use crate::ops::{from_bits, to_bits};
use crate::symbols::Side;

/// The contents of arrays, as a thread sees them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Maps from byte offsets of elements to elements.
    pub arrays: BTreeMap<Array, TermId>,
}

/// The sort of an array's contents: an element is a granule.
pub fn contents_sort(data: &ArrayData, pointer_width: u8) -> Sort {
    Sort::Array {
        index: IndexSort::BitVec(u32::from(pointer_width)),
        element: 8 * data.granule.max(1),
    }
}

/// What a settled array holds from its barrier on, in the block of a thread, or in that of all
/// threads of a question.
///
/// SOUNDNESS: shared memory of each block is its own (kernels/claims/47-sums-of-two-blocks).
pub(crate) fn settled(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    array: Array,
    side: Option<Side>,
) -> TermId {
    let name = settled_name(facts, array, side);
    let sort = contents_sort(&facts.module.arrays[array], facts.module.pointer_width);
    pool.constant(&name, sort)
}

/// The name of these contents.
pub(crate) fn settled_name(facts: &KernelFacts<'_>, array: Array, side: Option<Side>) -> String {
    let who = side.map_or("block".to_string(), |side| format!("{side:?}"));
    format!("contents:{}!{array}!{who}", facts.module.arrays[array].name)
}

/// The offset of piece number `piece` of an element.
fn piece_offset(pool: &mut TermPool, offset: TermId, piece: u32, granule: u32) -> TermId {
    let width = pool.width(offset);
    let distance = pool.bv(width, u128::from(piece * granule));
    pool.bits().add(offset, distance)
}

/// Reads a number of type `ty` at `offset`.
pub fn read(
    pool: &mut TermPool,
    contents: TermId,
    data: &ArrayData,
    offset: TermId,
    ty: Type,
) -> TermId {
    let granule = data.granule.max(1);
    let pieces = ty.bytes().expect("memory holds numbers").div_ceil(granule);
    let mut bits = pool.select(contents, offset);
    for piece in 1..pieces {
        let place = piece_offset(pool, offset, piece, granule);
        let high = pool.select(contents, place);
        bits = pool.bits().concat(high, bits);
    }
    let width = ty.bits().expect("memory holds numbers");
    let cut = pool.bits().zext_or_trunc(bits, width);
    from_bits(pool, cut, ty)
}

/// The contents after writing a number of type `ty` at `offset`.
pub fn write(
    pool: &mut TermPool,
    contents: TermId,
    data: &ArrayData,
    offset: TermId,
    value: TermId,
    ty: Type,
) -> TermId {
    let granule = data.granule.max(1);
    let bytes = ty.bytes().expect("memory holds numbers");
    let bits = to_bits(pool, value);
    let padded = pool.bits().zext_or_trunc(bits, 8 * bytes.max(granule));
    let mut contents = contents;
    for piece in 0..bytes.div_ceil(granule) {
        let low = piece * granule * 8;
        let part = pool.bits().extract(low + granule * 8 - 1, low, padded);
        let place = piece_offset(pool, offset, piece, granule);
        contents = pool.store(contents, place, part);
    }
    contents
}
