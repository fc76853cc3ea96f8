//! Launches, scalar arguments and contents that are tried.

use std::collections::{BTreeMap, BTreeSet};

use duet_interp::{ArrayInput, Fill, Key, Launch, Small, SmallKind};
use duet_ir::{Dim, Function, Geometry, GeometryKind, Operation, Type};
use duet_vc::{Extent, LaunchSpec};

use crate::pair::matching::element_type;
use crate::pair::request::{FloatModel, Kernel};

/// Threads of a launch that is tried.
const MOST_THREADS: u64 = 4096;

/// Sizes of blocks along x that are tried where they are free.
const BLOCKS: [u32; 10] = [2, 4, 1, 3, 8, 5, 16, 33, 64, 128];
/// Sizes of blocks of two dimensions.
const SQUARES: [(u32, u32); 9] =
    [(2, 2), (4, 4), (1, 1), (3, 2), (2, 3), (4, 2), (8, 8), (16, 16), (32, 8)];
/// Sizes of grids.
const GRIDS: [(u32, u32); 5] = [(2, 2), (1, 1), (3, 2), (2, 1), (1, 3)];

/// More sizes of grids, for launches that need not be the same: multiples of each other.
const MORE_GRIDS: [(u32, u32); 6] = [(4, 2), (8, 1), (4, 4), (6, 3), (12, 1), (16, 1)];

/// Small launches of a side, with blocks of more sizes along x where the kernels ask for them.
pub fn launches(spec: &LaunchSpec, is_tied: bool, asked_for: &BTreeSet<u32>) -> Vec<Launch> {
    let more: &[(u32, u32)] = if is_tied { &[] } else { &MORE_GRIDS };
    let mut list: Vec<Launch> = vec![];
    let blocks: Vec<[u32; 3]> = if is_free(&spec.block[1..]) {
        SQUARES.iter().map(|&(x, y)| sizes(&spec.block, [x, y, 2])).collect()
    } else {
        let along = BLOCKS.iter().chain(asked_for);
        along.map(|&x| sizes(&spec.block, [x, 1, 1])).collect()
    };
    for block in &blocks {
        for &(x, y) in GRIDS.iter().chain(more) {
            let launch = Launch {
                grid: sizes(&spec.grid, [x, y, 2]),
                block: *block,
                global_offset: spec.global_offset,
                work_dim: spec.work_dim,
                dynamic_shared: None,
            };
            if is_small(&launch, spec) {
                list.push(launch);
            }
        }
    }
    let mut seen = vec![];
    list.retain(|launch| {
        let is_new = !seen.contains(launch);
        seen.push(launch.clone());
        is_new
    });
    list.sort_by_key(|launch| launch.threads() > 64);
    list
}

/// Is a launch one that is allowed, of not too many threads?
pub fn is_small(launch: &Launch, spec: &LaunchSpec) -> bool {
    let in_block = launch.threads_per_block();
    let fits = in_block <= u64::from(spec.most_threads) || !is_free(&spec.block);
    fits && launch.threads() <= MOST_THREADS.max(in_block)
}

/// May a size be this one?
pub fn admits(extent: Extent, size: u32) -> bool {
    match extent {
        Extent::Number(number) => number == size,
        Extent::Free => true,
    }
}

fn is_free(extents: &[Extent]) -> bool {
    extents.contains(&Extent::Free)
}

fn sizes(extents: &[Extent; 3], free: [u32; 3]) -> [u32; 3] {
    [0, 1, 2].map(|dim| match extents[dim] {
        Extent::Number(number) => number,
        Extent::Free => free[dim],
    })
}

/// Numbers that scalar arguments are tried with, for a launch.
pub fn numbers(launch: &Launch, constants: &BTreeSet<u32>) -> Vec<i64> {
    let along = |dim: usize| i64::from(launch.grid[dim]) * i64::from(launch.block[dim]);
    let (x, y) = (along(0), along(1));
    let mut list = vec![x, i64::from(launch.block[0]), 1, x - 1, 2, 4, 3, x + 1, 0, y, x * y, 7];
    list.extend([i64::from(launch.grid[0]), 8, 2 * x, 5, 16, -1, 6, 32, 3 * x, 4 * x, 12]);
    list.extend(constants.iter().flat_map(|&c| [i64::from(c), i64::from(c) + 1, 2 * i64::from(c)]));
    let mut seen = BTreeSet::new();
    list.retain(|number| seen.insert(*number));
    list
}

/// Numbers in a kernel that may be sizes of tiles.
pub fn constants(func: &Function) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for inst in func.insts_in_order() {
        let Some(Operation::IntCompare { args, .. } | Operation::Binary { args, .. }) =
            func.insts[inst].operation()
        else {
            continue;
        };
        let bits = args.iter().filter_map(|&arg| func.const_bits(arg));
        found.extend(bits.filter(|bits| (2..=64).contains(bits)).map(|bits| bits as u32));
    }
    found
}

/// Numbers with which a kernel compares the width of its blocks: a branch for blocks of at least
/// 256 threads is taken by none of fewer.
pub fn compared_widths(func: &Function) -> BTreeSet<u32> {
    let is_width = |value| {
        let is = |operation| {
            matches!(
                operation,
                Operation::Geometry(Geometry { kind: GeometryKind::BlockDim, dim: Dim::X })
            )
        };
        match func.operation_of(value) {
            Some(Operation::Cast { arg, .. }) => func.operation_of(arg).is_some_and(is),
            other => other.is_some_and(is),
        }
    };
    let mut found: BTreeSet<u128> = BTreeSet::new();
    for inst in func.insts_in_order() {
        if let Some(Operation::IntCompare { args: [a, b], .. }) = func.insts[inst].operation() {
            let compared = [(a, b), (b, a)].into_iter().filter(|&(width, _)| is_width(width));
            found.extend(compared.filter_map(|(_, with)| func.const_bits(with)));
        }
    }
    // `>= 256` may be compiled to `> 255`.
    let sizes = found.into_iter().flat_map(|bits| [bits, bits + 1]);
    sizes.filter_map(|bits| u32::try_from(bits).ok().filter(|size| *size > 0)).collect()
}

/// Which of several values each of several parameters has: all alike, then by rank.
pub fn choices(params: usize, values: usize, most: usize) -> Vec<Vec<usize>> {
    let mut list: Vec<Vec<usize>> = vec![];
    if values == 0 {
        return list;
    }
    for rank in 0..values.min(12) {
        list.push(vec![rank; params]);
    }
    // A generator of its own, so that every run tries the same.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    while params > 1 && list.len() < most {
        let one = (0..params).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) as usize) % values.min(16)
        });
        list.push(one.collect());
    }
    for rank in 12..values {
        list.push(vec![rank; params]);
    }
    let mut seen = BTreeSet::new();
    list.retain(|one| seen.insert(one.clone()));
    list
}

/// A number as the bits of an argument.
pub fn bits_of(number: i64, ty: Type) -> u128 {
    match ty {
        Type::F32 => u128::from((number as f32).to_bits()),
        Type::F64 => u128::from((number as f64).to_bits()),
        Type::Int(_) | Type::Float(_) | Type::Ref => {
            i128::from(number) as u128
                & (u128::MAX >> (128 - ty.bits().unwrap_or(64).clamp(1, 128)))
        }
    }
}

/// Contents of an array that both kernels have, the same bytes for both.
pub fn contents(
    kernels: &[Kernel<'_>; 2],
    (which, pair): (usize, [duet_ir::Array; 2]),
    number: usize,
    float: FloatModel,
) -> ArrayInput {
    let granules = [0, 1].map(|side| kernels[side].module.arrays[pair[side]].granule.max(1));
    let types = [0, 1].map(|side| element_type(kernels[side].function(), pair[side]));
    let ty = types[0].or(types[1]);
    // No two arrays hold the same: a copy of one to the other would not show.
    let seed = 11 + number as u64 + 4096 * which as u64;
    let is_float = matches!(ty, Some(Type::Float(_)));
    let kind = if is_float { SmallKind::Float } else { SmallKind::Natural };
    let is_whole = float != FloatModel::Exact;
    let width = ty.and_then(Type::bits).map_or(4, |bits| (bits / 8).max(1));
    if granules[0] != granules[1] || granules[0] != width {
        return ArrayInput::new(
            Fill::Bytes(element_bytes(ty, width, (seed, number), is_whole)),
            1 << 15,
        );
    }
    let fill = match number % 6 {
        4 => Fill::Small(Small { seed, below: 2, kind }),
        5 => Fill::Zero,
        0 => Fill::Small(Small { seed, below: 16, kind }),
        1 => Fill::Small(Small { seed, below: 4, kind }),
        _ if is_float && is_whole => Fill::Small(Small { seed, below: 100, kind }),
        2 | 3 if is_float => cells(ty, seed, number % 6 == 3),
        2 => Fill::Random(seed),
        _ => cells(ty, seed, true),
    };
    ArrayInput { fill, bytes: None }
}

/// Numbers of which sums depend on the order, and special ones.
const FRACTIONS: [f64; 8] = [0.1, 1e8, -1e8, 3.3, 1e-3, 7.7, -0.5, 12345.678];
const SPECIAL: [f64; 8] = [f64::NAN, f64::INFINITY, -0.0, 1.0, f64::NEG_INFINITY, 0.0, 1e30, 1e-40];
const EXTREME: [i64; 8] = [i64::MIN, -1, i64::MAX, 0, 1, 1 << 31, 0x7fff_ffff, -2];

fn element(ty: Option<Type>, seed: u64, index: u64, is_special: bool) -> u128 {
    let mixed =
        (seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let pick = ((mixed >> 40) % 8) as usize;
    let number = if is_special { SPECIAL[pick] } else { FRACTIONS[pick] };
    match ty {
        Some(Type::F32) => u128::from((number as f32).to_bits()),
        Some(Type::F64) => u128::from(number.to_bits()),
        _ => EXTREME[pick] as u64 as u128,
    }
}

fn cells(ty: Option<Type>, seed: u64, is_special: bool) -> Fill {
    let bits = ty.and_then(Type::bits).unwrap_or(64).clamp(1, 64);
    let mask = u128::MAX >> (128 - bits);
    let all: BTreeMap<u64, u128> =
        (0..96).map(|index| (index, element(ty, seed, index, is_special) & mask)).collect();
    Fill::Cells(all)
}

fn element_bytes(
    ty: Option<Type>,
    width: u32,
    (seed, number): (u64, usize),
    is_whole: bool,
) -> Vec<u8> {
    let mut bytes = vec![];
    let below = match number % 6 {
        5 => 1,
        4 => 2,
        _ => 16,
    };
    for index in 0..96u64 {
        let mixed = (index ^ seed.wrapping_mul(0x9e37_79b9)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let small = (mixed >> 40) % below;
        let bits = match ty {
            _ if is_whole || number % 6 > 2 || number % 2 == 0 => match ty {
                Some(Type::F32) => u128::from((small as f32).to_bits()),
                Some(Type::F64) => u128::from((small as f64).to_bits()),
                _ => u128::from(small),
            },
            ty => element(ty, seed, index, false),
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..width.min(16) as usize]);
    }
    bytes
}

/// How inputs name an array.
pub fn key(kernel: &Kernel<'_>, array: duet_ir::Array) -> Key {
    Key::Name(kernel.module.arrays[array].name.clone())
}
