//! The memory of a run: instances of arrays, made when they are needed, and their
//! addresses. It finds and moves bytes; what is wrong with an access is for others to say.

use duet_ir::{Array, EntityRef, FoldOp, Func, Module};

use crate::decode::{AccessData, ArrayInfo, FoldData, Place, Program};
use crate::execute::setup::*;
use crate::execute::thread::*;
use crate::interface::launch::*;
use crate::memory::address::Addresses;
use crate::memory::{Budget, Region, Source};
use crate::values::eval;
use crate::values::random::hash;

/// Global memory, and what is needed to make the other instances.
pub(crate) struct Memory<'a> {
    module: &'a Module,
    program: &'a Program,
    options: &'a RunOptions,
    /// Sizes of all arrays, where known.
    sizes: Vec<Option<u64>>,
    addresses: Addresses,
    pub(crate) globals: Vec<Instance>,
    pub(crate) budget: Budget,
    pub(crate) pointer_mask: u64,
}

impl<'a> Memory<'a> {
    /// Memory before a run.
    pub(crate) fn new(
        module: &'a Module,
        kernel: Func,
        program: &'a Program,
        launch: &Launch,
        inputs: &Inputs,
        options: &'a RunOptions,
    ) -> Result<Memory<'a>, RunError> {
        let sizes: Vec<_> = module
            .arrays
            .keys()
            .map(|array| array_size(module, kernel, array, launch, inputs))
            .collect();
        check_memory(program, &sizes, options.limits.memory)?;
        let mut budget = Budget::new(options.limits.memory);
        let globals = make_globals(module, kernel, program, inputs, options, &sizes, &mut budget);
        let mut addresses = Addresses::new(module, &sizes, launch.blocks(), launch.threads());
        for (array, info) in program.arrays.iter().enumerate() {
            if info.array.index() != array {
                addresses.join(array, info.array.index(), info.shift);
            }
        }
        Ok(Memory {
            module,
            program,
            options,
            addresses,
            sizes,
            globals,
            budget,
            pointer_mask: u64::MAX >> (64 - module.pointer_width.clamp(1, 64)),
        })
    }

    /// Makes the shared arrays of a block.
    pub(crate) fn make_shared(&mut self, block: u32) -> Vec<Instance> {
        let make = |&array: &Array| {
            let data = &self.module.arrays[array];
            let seed = hash(&[self.options.seed, u64::from(array.as_u32()), u64::from(block)]);
            let fill = unwritten(self.options, data.init.as_ref(), seed);
            let source = Source { fill, granule: data.granule, seed };
            let size = self.sizes[array.index()];
            let width = self.module.pointer_width;
            let tracked = data.init.is_none();
            let region = Region::new(size, width, tracked, source, &mut self.budget);
            Instance {
                region,
                shadow: make_shadow(self.program, self.options, array, data.granule),
            }
        };
        self.program.shareds.iter().map(make).collect()
    }

    /// Makes a thread's instance of a private array.
    fn make_private(&mut self, index: u32, thread: u32) -> Box<Region> {
        let array = self.program.privates[index as usize];
        let data = &self.module.arrays[array];
        let seed = hash(&[self.options.seed, u64::from(array.as_u32()), !u64::from(thread)]);
        let fill = unwritten(self.options, data.init.as_ref(), seed);
        let source = Source { fill, granule: data.granule, seed };
        let size = self.sizes[array.index()];
        let tracked = data.init.is_none();
        let width = self.module.pointer_width;
        Box::new(Region::new(size, width, tracked, source, &mut self.budget))
    }

    /// The instance that a thread sees, made if need be.
    pub(crate) fn region<'r>(
        &'r mut self,
        block: &'r mut BlockLocal,
        thread: &'r mut Thread,
        place: Place,
    ) -> &'r mut Region {
        if let Place::Private(n) = place
            && thread.private[n as usize].is_none()
        {
            thread.private[n as usize] = Some(self.make_private(n, thread.number));
        }
        find_region(&mut self.globals, block, thread, place)
    }

    /// Reads the element at `offset`; 0 outside of the array. `inside`: the whole access is
    /// known to be inside.
    #[inline]
    pub(crate) fn read(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        inside: bool,
        offset: u64,
    ) -> u128 {
        let budget = &mut self.budget;
        let region = find_region(&mut self.globals, block, thread, data.at.place);
        if !inside && !region.contains(offset, u64::from(data.element)) {
            return 0;
        }
        if data.element <= 8 {
            return u128::from(region.read(offset, data.element, budget));
        }
        let low = region.read(offset, 8, budget);
        u128::from(low) | u128::from(region.read(offset + 8, data.element - 8, budget)) << 64
    }

    /// Writes an element at an offset, unless it is outside of the array.
    #[inline]
    pub(crate) fn write(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        inside: bool,
        (offset, bits): (u64, u128),
    ) {
        let budget = &mut self.budget;
        let region = find_region(&mut self.globals, block, thread, data.at.place);
        if !inside && !region.contains(offset, u64::from(data.element)) {
            return;
        }
        region.write(offset, data.element.min(8), bits as u64, budget);
        if data.element > 8 {
            region.write(offset + 8, data.element - 8, (bits >> 64) as u64, budget);
        }
    }

    /// Has all that an access reads been written?
    pub(crate) fn is_written(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &AccessData,
        start: u64,
    ) -> bool {
        let region = find_region(&mut self.globals, block, thread, data.at.place);
        region.is_written(start, data.len, &mut self.budget)
    }

    /// Is an element inside of its array, which is not private?
    pub(crate) fn element_is_inside(
        &self,
        block: &BlockLocal,
        data: &AccessData,
        offset: u64,
    ) -> bool {
        let region = match data.at.place {
            Place::Global(n) => &self.globals[n as usize].region,
            Place::Shared(n) => &block.shared[n as usize].region,
            Place::Private(_) => return false,
        };
        region.contains(offset, u64::from(data.element))
    }

    /// The instance that a copy reads or writes. Private memory is out of an
    /// agent's reach.
    pub(crate) fn copy_region<'r>(
        &'r mut self,
        block: &'r mut BlockLocal,
        place: Place,
    ) -> Option<(&'r mut Region, &'r mut Budget)> {
        match place {
            Place::Global(n) => Some((&mut self.globals[n as usize].region, &mut self.budget)),
            Place::Shared(n) => Some((&mut block.shared[n as usize].region, &mut self.budget)),
            Place::Private(_) => None,
        }
    }

    /// The address of a byte of an array.
    pub(crate) fn pointer_to_int(
        &self,
        block: &BlockLocal,
        thread: &Thread,
        array: u64,
        offset: u64,
    ) -> u64 {
        let base = match array {
            0 => 0,
            _ => self.addresses.base(array as usize - 1, block.number, thread.number),
        };
        base.wrapping_add(offset) & self.pointer_mask
    }

    /// Null with the address as offset where no array is meant: using such a
    /// pointer fails the assertion that the translator puts there.
    pub(crate) fn int_to_pointer(
        &self,
        block: &BlockLocal,
        thread: &Thread,
        address: u64,
    ) -> (u64, u64) {
        match self.addresses.find(address, block.number, thread.number) {
            Some((array, offset)) => (array as u64 + 1, offset),
            None => (0, address),
        }
    }

    /// `ArraySnapshot`: the first array becomes a copy of the second.
    pub(crate) fn snapshot(&mut self, block: &mut BlockLocal, thread: &mut Thread, args: &[u128]) {
        let place = |&reference: &u128| {
            let index = usize::try_from(reference).ok()?.checked_sub(1)?;
            self.program.arrays.get(index).map(|info| info.place)
        };
        let places: Option<Vec<Place>> = args.iter().map(place).collect();
        match places.as_deref() {
            Some(&[Place::Global(to), Place::Global(from)]) if to != from => {
                self.snapshot_global(to as usize, from as usize);
            }
            Some(&[to, from]) => self.snapshot_local(block, thread, to, from),
            _ => {}
        }
    }

    /// The bytes of an array, where that is known.
    pub(crate) fn size_of(&self, array: Array) -> Option<u64> {
        self.sizes.get(array.index()).copied().flatten()
    }

    /// How many elements have to be looked at one by one to fold them.
    pub(crate) fn folded_elements(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &FoldData,
        s: &[u64],
    ) -> u64 {
        let (end, _) = self.folded_until(block, thread, data, s);
        end.saturating_sub(data.args[2].read(s) as u64)
    }

    /// The element from which on the others that are folded are known to be 0, and whether
    /// there are such: a claim about a part of an array may name a range of 2^32 elements in
    /// the arm of a condition that does not count.
    fn folded_until(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &FoldData,
        s: &[u64],
    ) -> (u64, bool) {
        let [array, base, lo, hi] = data.args.map(|arg| arg.read(s));
        let (lo, hi, size) = (lo as u64, hi as u64, u64::from(data.width / 8));
        let Some(info) = self.folded_array(array) else { return (hi, false) };
        let start = (base as u64).wrapping_add(info.shift);
        // Offsets that wrap come back to the start of the array.
        let wraps = hi.checked_mul(size).and_then(|bytes| bytes.checked_add(start)).is_none();
        if wraps {
            return (hi, false);
        }
        let Some(zeros) = self.region(block, thread, info.place).zeros_from() else {
            return (hi, false);
        };
        let end = zeros.saturating_sub(start).div_ceil(size.max(1)).clamp(lo, hi.max(lo));
        (end, end < hi)
    }

    fn folded_array(&self, reference: u128) -> Option<ArrayInfo> {
        let index = usize::try_from(reference).ok()?.checked_sub(1)?;
        self.program.arrays.get(index).cloned()
    }

    /// The elements of an array, folded; those that it does not have are 0.
    pub(crate) fn fold(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        data: &FoldData,
        s: &[u64],
    ) -> u128 {
        let [array, base, lo, _] = data.args.map(|arg| arg.read(s));
        let mut result = data.op.identity(u32::from(data.width)).unwrap_or_default();
        let size = u64::from(data.width / 8);
        let Some(info) = self.folded_array(array) else { return of_sum(data, result) };
        let (end, then_zeros) = self.folded_until(block, thread, data, s);
        if then_zeros {
            // Of many zeros one says all: each operation takes a second one without effect.
            result = eval::folded(data.op, result, 0, data.width);
        }
        for number in lo as u64..end {
            let offset = (base as u64).wrapping_add(info.shift).wrapping_add(number * size);
            self.region(block, thread, info.place);
            let budget = &mut self.budget;
            let region = find_region(&mut self.globals, block, thread, info.place);
            let element = match region.contains(offset, size) {
                true => region.read(offset, size as u32, budget),
                false => 0,
            };
            result = eval::folded(data.op, result, u128::from(element), data.width);
        }
        of_sum(data, result)
    }

    fn snapshot_global(&mut self, to: usize, from: usize) {
        let (low, high) = self.globals.split_at_mut(to.max(from));
        let (a, b) = (&mut low[to.min(from)], &mut high[0]);
        let (to, from) = if to < from { (a, b) } else { (b, a) };
        to.region.copy_from(&from.region);
    }

    /// A snapshot that involves shared or private arrays, byte by byte.
    fn snapshot_local(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        to: Place,
        from: Place,
    ) {
        let to_size = self.region(block, thread, to).size.unwrap_or(0);
        let from_size = self.region(block, thread, from).size.unwrap_or(0);
        for at in 0..to_size.min(from_size) {
            let budget = &mut self.budget;
            let byte = find_region(&mut self.globals, block, thread, from).read(at, 1, budget);
            find_region(&mut self.globals, block, thread, to).write(at, 1, byte, budget);
        }
    }
}

/// The instance at a place; a private one must have been made.
#[inline]
fn find_region<'r>(
    globals: &'r mut [Instance],
    block: &'r mut BlockLocal,
    thread: &'r mut Thread,
    place: Place,
) -> &'r mut Region {
    match place {
        Place::Global(n) => &mut globals[n as usize].region,
        Place::Shared(n) => &mut block.shared[n as usize].region,
        Place::Private(n) => {
            thread.private[n as usize].as_deref_mut().expect("made by `region` before any use")
        }
    }
}

/// What memory that no thread has written holds.
fn unwritten(options: &RunOptions, init: Option<&Vec<u8>>, seed: u64) -> Fill {
    match (init, options.unknown_below) {
        (Some(init), _) => Fill::Bytes(init.clone()),
        (None, Some(below)) => Fill::Small(Small { seed, below, kind: SmallKind::Natural }),
        (None, None) => Fill::Unknown,
    }
}

/// What a fold yields of what the elements come to: itself, or whether it fits their type.
fn of_sum(data: &FoldData, result: u128) -> u128 {
    let most = u128::MAX >> (128 - u32::from(data.width));
    match data.op {
        FoldOp::Fits => u128::from(result <= most),
        FoldOp::Add
        | FoldOp::SMax
        | FoldOp::UMax
        | FoldOp::SMin
        | FoldOp::UMin
        | FoldOp::Or
        | FoldOp::And
        | FoldOp::Xor
        | FoldOp::Declared
        | FoldOp::Associative
        | FoldOp::Commutative => result,
    }
}
