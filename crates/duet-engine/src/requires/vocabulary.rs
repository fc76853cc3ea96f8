//! The statements that a precondition may be made of, with what each costs: the
//! order in which a person would want them.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{
    AccessMode, BinaryOp, Dim, Edge, Function, Module, Operation, Space, Type, Value, ValueDef,
};
use duet_vc::{Extent, LaunchSpec};

use super::atom::{Atom, Quantity};
use super::suggested::suggested;

/// Numbers of the kernel that sizes are compared with.
const MOST_NUMBERS: usize = 10;
/// No block has more threads.
const MAX_BLOCK: u32 = 1024;
/// Strides that the threads of a grid are compared with.
const MOST_STRIDES: usize = 3;
/// A precondition that allows only smaller grids is of no use.
const LEAST_TOTAL: u32 = 128;
/// Arguments that are compared with each other.
const MOST_ARGUMENTS: usize = 8;

/// What a statement costs that a place suggests.
const SUGGESTED: u32 = 6;

/// A statement and its cost.
pub(super) type Priced = (u32, Atom);

/// What can be said of a kernel's launches.
pub(super) struct Vocabulary {
    /// Statements, the cheapest first.
    pub(super) atoms: Vec<Priced>,
    /// Integer arguments.
    pub(super) arguments: Vec<Value>,
    /// Numbers of the kernel that a size may have to do with.
    pub(super) numbers: Vec<u32>,
}

impl Vocabulary {
    pub(super) fn new(module: &Module, func: &Function, launch: &LaunchSpec) -> Vocabulary {
        let arguments = integer_arguments(func);
        let numbers = numbers(module, func);
        let free = |extents: &[Extent; 3]| -> Vec<Dim> {
            Dim::ALL.into_iter().filter(|dim| extents[dim.index()] == Extent::Free).collect()
        };
        let (block, grid) = (free(&launch.block), free(&launch.grid));
        let mut atoms = vec![];
        about_ones(&block, &grid, &mut atoms);
        about_blocks(&block, &numbers, &mut atoms);
        let limits = product_limits(func);
        about_products(func, &arguments, &grid, &limits, &mut atoms);
        let mut rows = strides(func);
        let large = numbers.iter().rev().filter(|number| **number >= LEAST_TOTAL);
        rows.extend(large.take(MOST_STRIDES));
        about_totals(&grid, &rows, &mut atoms);
        let addressing = addressing_values(module, func);
        for (rank, &argument) in arguments.iter().enumerate() {
            let elsewhere = if addressing.contains(&argument) { 0 } else { 8 };
            let rank = rank as u32 / 2 + elsewhere;
            let mut own = vec![];
            about_argument(argument, &block, &grid, &numbers, &mut own);
            atoms.extend(own.into_iter().map(|(cost, atom)| (cost + rank, atom)));
        }
        about_pairs(func, &arguments, &mut atoms);
        let of_places = suggested(func).into_iter().filter(|atom| {
            atom.sizes().all(|size| match size {
                Quantity::Block(dim) => block.contains(&dim),
                Quantity::Argument(value) | Quantity::Rows(value, _) => arguments.contains(&value),
                _ => true,
            })
        });
        atoms.extend(of_places.map(|atom| (SUGGESTED, atom)));
        atoms.sort_by_key(|(cost, atom)| (*atom, *cost));
        atoms.dedup_by_key(|(_, atom)| *atom);
        atoms.sort();
        Vocabulary { atoms, arguments, numbers }
    }

    /// Makes statements dearer: a person wants as little as possible to be excluded.
    pub(super) fn price(&mut self, more: impl Fn(Atom) -> u32) {
        for (cost, atom) in &mut self.atoms {
            *cost += more(*atom);
        }
        self.atoms.sort();
    }
}

/// Dimensions that are 1; one block, or blocks of one thread, last of all.
fn about_ones(block: &[Dim], grid: &[Dim], atoms: &mut Vec<Priced>) {
    let one = Quantity::Number(1);
    for &dim in block {
        let cost = if dim == Dim::X { 90 } else { 20 };
        atoms.push((cost, Atom::Equal(Quantity::Block(dim), one)));
    }
    for &dim in grid {
        let cost = if dim == Dim::X { 70 } else { 20 };
        atoms.push((cost, Atom::Equal(Quantity::Grid(dim), one)));
    }
}

/// Sizes of a block against numbers of the kernel and against each other.
fn about_blocks(block: &[Dim], numbers: &[u32], atoms: &mut Vec<Priced>) {
    for &dim in block {
        let size = Quantity::Block(dim);
        for (rank, &number) in numbers.iter().rev().enumerate() {
            let (rank, number) = (rank as u32, Quantity::Number(number));
            if number != Quantity::Number(MAX_BLOCK) {
                atoms.push((30 + rank, Atom::AtMost(size, number)));
            }
            atoms.push((56 + rank, Atom::AtMost(number, size)));
            atoms.push((45 + rank, Atom::Multiple(size, number)));
        }
        atoms.push((44, Atom::PowerOfTwo(size)));
        for &other in block.iter().filter(|other| **other != dim) {
            if dim < other {
                atoms.push((26, Atom::Equal(size, Quantity::Block(other))));
            }
            atoms.push((44, Atom::AtMost(size, Quantity::Block(other))));
        }
    }
}

/// Threads along a dimension against strides of the kernel.
fn about_totals(grid: &[Dim], strides: &[u32], atoms: &mut Vec<Priced>) {
    for &dim in grid {
        for (rank, &stride) in strides.iter().enumerate() {
            let cost = 34 + 3 * dim.index() as u32 + rank as u32;
            atoms.push((cost, Atom::AtMost(Quantity::Threads(dim), Quantity::Number(stride))));
        }
    }
}

/// Products that fit their arithmetic: a grid's threads, or so many rows of them.
fn about_products(
    func: &Function,
    arguments: &[Value],
    grid: &[Dim],
    limits: &[u32],
    atoms: &mut Vec<Priced>,
) {
    for &limit in limits {
        // A kernel that multiplies 24 bits is meant for numbers of 24 bits.
        let is_narrow = limit < i32::MAX as u32;
        let fits = |product: Quantity| Atom::AtMost(product, Quantity::Number(limit));
        for (rank, &dim) in grid.iter().enumerate() {
            for &other in &grid[rank + 1..] {
                atoms.push((if is_narrow { 6 } else { 18 }, fits(Quantity::Area(dim, other))));
            }
            if is_narrow {
                atoms.push((8, fits(Quantity::Threads(dim))));
            }
        }
        let narrow = arguments.iter().filter(|&&value| func.type_of(value) == Type::I32);
        for (rank, &argument) in narrow.enumerate().filter(|_| !is_narrow) {
            for &dim in grid {
                atoms.push((21 + rank as u32, fits(Quantity::Rows(argument, dim))));
            }
        }
    }
}

/// The largest products that are computed as they are meant: in 31 bits, and in 23 where
/// factors of 24 bits are multiplied.
fn product_limits(func: &Function) -> Vec<u32> {
    let is_number = |value: Value, number: u128| func.const_bits(value) == Some(number);
    let narrows = func.insts_in_order().any(|inst| match func.insts[inst].operation() {
        Some(Operation::Binary { op: BinaryOp::And, args, .. }) => {
            args.iter().any(|&arg| is_number(arg, 0xff_ffff))
        }
        Some(Operation::Binary { op: BinaryOp::Shl, args: [_, by], .. }) => is_number(by, 8),
        Some(
            Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::Cast { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Geometry(_),
        )
        | None => false,
    });
    let all = [i32::MAX as u32, (1 << 23) - 1];
    all[..if narrows { 2 } else { 1 }].to_vec()
}

/// An argument against the sizes.
fn about_argument(
    argument: Value,
    block: &[Dim],
    grid: &[Dim],
    numbers: &[u32],
    atoms: &mut Vec<Priced>,
) {
    let own = Quantity::Argument(argument);
    for number in [0, 1] {
        atoms.push((27, Atom::AtLeast(own, Quantity::Number(number))));
    }
    atoms.push((44, Atom::PowerOfTwo(own)));
    let both: BTreeSet<Dim> = block.iter().chain(grid).copied().collect();
    for dim in both {
        let later = 3 * dim.index() as u32;
        let threads = Quantity::Threads(dim);
        atoms.push((28 + later, Atom::AtLeast(own, threads)));
        atoms.push((24 + later, Atom::Equal(own, threads)));
        atoms.push((30 + later, Atom::AtMost(own, threads)));
    }
    for &dim in block {
        let later = 3 * dim.index() as u32;
        let size = Quantity::Block(dim);
        atoms.push((31 + later, Atom::AtLeast(own, size)));
        atoms.push((26 + later, Atom::Equal(own, size)));
        atoms.push((36 + later, Atom::AtMost(own, size)));
        atoms.push((44 + later, Atom::Multiple(own, size)));
        atoms.push((48 + later, Atom::Multiple(size, own)));
        atoms.push((42 + later, Atom::Equal(own, Quantity::BlockTimes(2, dim))));
        atoms.push((42 + later, Atom::AtMost(own, Quantity::BlockTimes(2, dim))));
        atoms.push((42 + later, Atom::Equal(size, Quantity::Times(2, argument))));
    }
    for &dim in grid {
        let later = 3 * dim.index() as u32;
        atoms.push((40 + later, Atom::Equal(own, Quantity::Grid(dim))));
        atoms.push((41 + later, Atom::AtLeast(own, Quantity::Grid(dim))));
        for (rank, &number) in numbers.iter().rev().enumerate() {
            let several = Quantity::GridTimes(number, dim);
            atoms.push((34 + later + rank as u32, Atom::AtLeast(own, several)));
        }
    }
    for (rank, &number) in numbers.iter().rev().enumerate() {
        let number = Quantity::Number(number);
        atoms.push((46 + rank as u32, Atom::AtMost(own, number)));
        atoms.push((56 + rank as u32, Atom::AtLeast(own, number)));
    }
}

/// Arguments against each other.
fn about_pairs(func: &Function, arguments: &[Value], atoms: &mut Vec<Priced>) {
    let first = &arguments[..arguments.len().min(MOST_ARGUMENTS)];
    for (rank, &one) in first.iter().enumerate() {
        for (other_rank, &other) in first.iter().enumerate() {
            if one == other || func.type_of(one) != func.type_of(other) {
                continue;
            }
            let (a, b) = (Quantity::Argument(one), Quantity::Argument(other));
            if rank < other_rank {
                atoms.push((38, Atom::Equal(a, b)));
            }
            atoms.push((37, Atom::AtLeast(a, b)));
        }
    }
}

/// Integer parameters with a name of their own.
fn integer_arguments(func: &Function) -> Vec<Value> {
    let unique = |name: &str| func.params.iter().filter(|param| param.name == name).count() == 1;
    func.scalar_params()
        .filter(|param| unique(param.name) && matches!(param.ty, Type::Int(32 | 64)))
        .map(|param| param.value)
        .collect()
}

/// What the places of accesses to memory that is written depend on. A statement about
/// anything else seldom keeps two accesses apart.
fn addressing_values(module: &Module, func: &Function) -> BTreeSet<Value> {
    let mut open: Vec<Value> = vec![];
    for inst in func.insts_in_order() {
        for (mode, access) in func.insts[inst].accesses() {
            let written = match mode {
                AccessMode::Store | AccessMode::AtomicLoad | AccessMode::Atomic => true,
                // A copy is about many places; its start says little.
                AccessMode::Load | AccessMode::CopyFrom | AccessMode::CopyTo => false,
            };
            if written && module.arrays[access.array].space != Space::Private {
                open.push(access.offset);
            }
        }
    }
    sources(func, open)
}

/// All values that these are computed from.
fn sources(func: &Function, mut open: Vec<Value>) -> BTreeSet<Value> {
    let mut given: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for &block in &func.layout {
        for Edge { block: to, args } in func.blocks[block].terminator.edges() {
            for (&param, &arg) in func.blocks[*to].params.iter().zip(args) {
                given.entry(param).or_default().push(arg);
            }
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        match func.values[value] {
            ValueDef::Result(inst, _) => open.extend(func.insts[inst].values()),
            ValueDef::BlockParam(..) => open.extend(given.get(&value).into_iter().flatten()),
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => {}
        }
    }
    seen
}

/// Large numbers that something is added to or multiplied by, the smallest first, and
/// what divides them all before: a grid of so many threads may be one row of an array.
fn strides(func: &Function) -> Vec<u32> {
    let mut found = BTreeSet::new();
    for inst in func.insts_in_order() {
        match func.insts[inst].operation() {
            Some(Operation::Binary { op: BinaryOp::Add | BinaryOp::Mul, args, .. }) => {
                found.extend(args.iter().filter_map(|&arg| func.const_bits(arg)));
            }
            Some(Operation::Binary { op: BinaryOp::Shl, args: [_, by], .. }) => {
                let by = func.const_bits(by).filter(|by| *by < 32);
                found.extend(by.map(|by| 1 << by));
            }
            Some(
                Operation::Binary { .. }
                | Operation::Unary { .. }
                | Operation::Cast { .. }
                | Operation::IntCompare { .. }
                | Operation::FloatCompare { .. }
                | Operation::Select { .. }
                | Operation::Geometry(_),
            )
            | None => {}
        }
    }
    let large = found.into_iter().filter(|number| (1025..1 << 30).contains(number));
    let large: Vec<u32> = large.map(|number| number as u32).collect();
    // Offsets of some rows, of which each is a multiple.
    let common = large.iter().fold(0, |common, &number| gcd(common, number));
    let row = (common > MAX_BLOCK && !large.contains(&common)).then_some(common);
    row.into_iter().chain(large).take(MOST_STRIDES).collect()
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Numbers that a size may have to do with: lengths of shared arrays, strides and
/// bounds. Offsets are in bytes, so a stride counts by elements too.
fn numbers(module: &Module, func: &Function) -> Vec<u32> {
    let mut found = BTreeSet::new();
    for array in func.arrays_used() {
        let data = &module.arrays[array];
        if let (Space::Shared, Some(bytes)) = (data.space, data.size) {
            found.insert(bytes / u64::from(data.granule.max(1)));
        }
    }
    for inst in func.insts_in_order() {
        let bits = |value: Value| func.const_bits(value).and_then(|bits| u64::try_from(bits).ok());
        match func.insts[inst].operation() {
            Some(Operation::Binary { op: BinaryOp::Shl, args: [_, by], .. }) => {
                found.extend(bits(by).filter(|by| *by <= 10).map(|by| 1 << by));
            }
            Some(Operation::Binary { op: BinaryOp::And, args, .. }) => {
                found.extend(args.iter().filter_map(|&arg| bits(arg)).map(|mask| mask + 1));
            }
            Some(Operation::Binary { args, .. } | Operation::IntCompare { args, .. }) => {
                for number in args.iter().filter_map(|&arg| bits(arg)) {
                    let parts = [4, 8, 16].into_iter().filter(|part| number % part == 0);
                    found.extend(parts.map(|part| number / part));
                    found.insert(number);
                }
            }
            Some(
                Operation::Unary { .. }
                | Operation::Cast { .. }
                | Operation::FloatCompare { .. }
                | Operation::Select { .. }
                | Operation::Geometry(_),
            )
            | None => {}
        }
    }
    let fitting = found.into_iter().filter(|number| (2..=1024).contains(number));
    let mut list: Vec<u32> = fitting.map(|number| number as u32).collect();
    // Powers of two and multiples of 16 are sizes; other numbers seldom are.
    list.sort_by_key(|number| !(number.is_power_of_two() || number % 16 == 0));
    list.truncate(MOST_NUMBERS);
    list.sort_unstable();
    list
}
