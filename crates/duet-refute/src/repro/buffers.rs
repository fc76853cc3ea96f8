//! How much memory a run touches, and what it holds first.

use std::collections::BTreeMap;

use duet_interp::{Fill, Key, Observer, Site, ThreadPos};
use duet_ir::{Array, ArrayOrigin, Func, Function, Module, Value};

use crate::Evidence;
use crate::run::{Run, array_key};

/// Instructions of the run that is watched.
const STEPS: u64 = 50_000_000;
/// Bytes of an array that are written into a program.
const MOST: u64 = 1 << 20;

/// An array of the device.
pub(super) struct Buffer {
    /// Its size in bytes.
    pub size: u64,
    /// The first bytes; the rest is zero.
    pub bytes: Vec<u8>,
}

/// The last byte of each array that a run touches.
#[derive(Default)]
pub(super) struct Reach {
    ends: BTreeMap<Array, u64>,
}

impl Reach {
    /// Of a run.
    pub(super) fn of(module: &Module, kernel: Func, run: &Run) -> Reach {
        let mut reach = Reach::default();
        let _ = run.watch(module, kernel, STEPS, &mut reach);
        reach
    }

    /// Bytes that the array needs: those it was given, else those that are touched.
    pub(super) fn size(&self, module: &Module, array: Array, run: &Run) -> u64 {
        let data = &module.arrays[array];
        let given = run.inputs.arrays.get(&array_key(module, array)).and_then(|input| input.bytes);
        let touched = self.ends.get(&array).copied().unwrap_or(0);
        let element = u64::from(data.granule.max(1));
        given.or(data.size).unwrap_or(touched.max(element).next_multiple_of(element.max(4)))
    }

    /// Bytes of dynamic shared memory that are touched.
    pub(super) fn dynamic_shared(&self, module: &Module, run: &Run) -> u64 {
        let arrays = module.arrays.iter();
        let dynamic = arrays.filter(|(_, data)| data.origin == ArrayOrigin::DynamicShared);
        let sizes = dynamic.filter(|(array, _)| self.ends.contains_key(array));
        sizes.map(|(array, _)| self.size(module, array, run)).max().unwrap_or(0)
    }

    /// The array's size and first contents.
    pub(super) fn buffer(
        &self,
        module: &Module,
        array: Array,
        run: &Run,
    ) -> Result<Buffer, String> {
        let size = self.size(module, array, run);
        let name = &module.arrays[array].name;
        if size > 1 << 32 {
            return Err(format!("`{name}` would need {size} bytes"));
        }
        let granule = module.arrays[array].granule.clamp(1, 16);
        let input = run.inputs.arrays.get(&array_key(module, array));
        let bytes = match input.map(|input| &input.fill) {
            None | Some(Fill::Zero) => vec![],
            Some(_) if size > MOST => return Err(format!("`{name}` holds {size} bytes")),
            Some(fill) => contents(fill, granule, size),
        };
        Ok(Buffer { size, bytes })
    }
}

/// The first contents, without zeros at the end.
fn contents(fill: &Fill, granule: u32, size: u64) -> Vec<u8> {
    let mut bytes = vec![];
    for index in 0..size.div_ceil(u64::from(granule)) {
        let element = duet_interp::initial_element(fill, granule, index);
        bytes.extend(&element.to_le_bytes()[..granule as usize]);
    }
    bytes.truncate(size as usize);
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}

impl Observer for Reach {
    fn access(&mut self, _: ThreadPos, _: Site, array: Array, offset: u64, len: u32) {
        let end = self.ends.entry(array).or_default();
        // An access before the array's start reaches nothing of it.
        if offset < 1 << 62 {
            *end = (*end).max(offset + u64::from(len));
        }
    }
}

/// The bytes of a scalar argument.
pub(super) fn number(evidence: &Evidence, func: &Function, index: usize, value: Value) -> Vec<u8> {
    let bits = evidence.run.inputs.scalars.get(&Key::Index(index)).copied().unwrap_or(0);
    let bytes = func.type_of(value).bits().unwrap_or(32).div_ceil(8).clamp(1, 16);
    bits.to_le_bytes()[..bytes as usize].to_vec()
}
