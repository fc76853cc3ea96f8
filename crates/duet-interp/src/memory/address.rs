//! Addresses of array instances, for pointers that are turned into integers and
//! back. Instances lie one after the other with a gap, so that a pointer just
//! past the end still belongs to its array. Private arrays of neighbouring threads are close
//! together and not in the order of the threads, so that a kernel which computes with their
//! addresses does not see the same low bits everywhere. An array that does not fit into the
//! address space has no addresses: its pointers read as bare offsets, and no
//! integer points into it.

use duet_ir::{Array, EntityRef, Module, Space};

const GAP: u128 = 256;
/// Distances of small private arrays are multiples of this.
const PRIVATE_GAP: u128 = 32;

/// The address range of an array's instances.
#[derive(Clone, Copy, Debug)]
struct Range {
    base: u128,
    /// Distance of instances.
    stride: u128,
    count: u128,
    space: Space,
}

/// The addresses of all instances.
#[derive(Debug)]
pub(crate) struct Addresses {
    ranges: Vec<Option<Range>>,
}

impl Addresses {
    /// `sizes` are the arrays' sizes in bytes, where known.
    pub(crate) fn new(
        module: &Module,
        sizes: &[Option<u64>],
        blocks: u64,
        threads: u64,
    ) -> Addresses {
        let end = 1u128 << module.pointer_width.min(64);
        let mut next = GAP;
        let place = |(array, data): (Array, &duet_ir::ArrayData)| {
            let count = u128::from(match data.space {
                Space::Global | Space::Constant => 1,
                Space::Shared => blocks,
                // Slots, see `instance`: as many as keep it one to one.
                Space::Private => threads.checked_next_power_of_two().unwrap_or(threads),
            });
            let size = sizes[array.index()].map_or(reserve(module, data.space), u128::from);
            let is_small = data.space == Space::Private && size < GAP / 2;
            let stride = match is_small {
                true => (size + PRIVATE_GAP / 2).next_multiple_of(PRIVATE_GAP),
                false => (size + GAP).next_multiple_of(GAP),
            };
            let base = next.next_multiple_of(GAP);
            let after = base + stride * count;
            (after <= end).then(|| {
                next = after;
                Range { base, stride, count, space: data.space }
            })
        };
        Addresses { ranges: module.arrays.iter().map(place).collect() }
    }

    /// Places an array inside another one, so many bytes from its start (modulo 2^64).
    pub(crate) fn join(&mut self, array: usize, of: usize, shift: u64) {
        self.ranges[array] = self.ranges[of].map(|range| Range {
            base: u128::from((range.base as u64).wrapping_add(shift)),
            ..range
        });
    }

    /// The address of the array's instance that this thread sees.
    pub(crate) fn base(&self, array: usize, block: u32, thread: u32) -> u64 {
        self.ranges.get(array).copied().flatten().map_or(0, |range| {
            (range.base + range.stride * instance(range.space, block, thread)) as u64
        })
    }

    /// The array and offset that an address names for this thread. Instances of
    /// other blocks and threads cannot be reached.
    pub(crate) fn find(&self, address: u64, block: u32, thread: u32) -> Option<(usize, u64)> {
        let address = u128::from(address);
        self.ranges.iter().enumerate().find_map(|(array, range)| {
            let range = (*range)?;
            let within = address.checked_sub(range.base)?;
            let number = within / range.stride;
            let own = instance(range.space, block, thread);
            (number < range.count && number == own).then(|| (array, (within % range.stride) as u64))
        })
    }
}

/// Which instance a thread sees. Among so many threads as a power of two, each has a private
/// one of its own.
fn instance(space: Space, block: u32, thread: u32) -> u128 {
    u128::from(match space {
        Space::Global | Space::Constant => 0,
        Space::Shared => block,
        Space::Private => thread ^ (thread >> 5),
    })
}

/// Address space for an instance of unknown size.
fn reserve(module: &Module, space: Space) -> u128 {
    let global = matches!(space, Space::Global | Space::Constant);
    match (module.pointer_width >= 64, global) {
        (true, true) => 1 << 40,
        (true, false) => 1 << 30,
        (false, true) => 1 << 24,
        (false, false) => 1 << 14,
    }
}
