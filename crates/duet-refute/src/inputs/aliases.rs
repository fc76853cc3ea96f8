//! Pointer parameters that are tried on the same memory, where an option says that
//! different pointers may point into the same array.

use std::collections::BTreeMap;

use duet_interp::Key;
use duet_ir::{Array, ArrayOrigin, Space};

use super::RunMaker;
use super::contents::written_arrays;
use crate::run::array_key;

/// Which parameters point into another one's array, and how many bytes from its
/// start.
pub(crate) type Aliases = BTreeMap<Key, (Key, u64)>;

/// Choices that are tried.
const MOST: usize = 24;

impl RunMaker<'_> {
    /// Pairs of pointers at the same place, then an element or two apart. None if
    /// pointers are taken to be distinct.
    pub(crate) fn alias_choices(&self) -> Vec<Aliases> {
        if !self.setting.may_alias {
            return vec![];
        }
        let written = written_arrays(self.func);
        let pointers = self.pointers();
        let mut choices = vec![];
        for elements in 0..3u64 {
            for &array in &pointers {
                for &of in pointers.iter().filter(|&&of| of != array) {
                    // Two arrays at the same place are so in either direction.
                    let is_new = elements > 0 || array > of;
                    if is_new && (written.contains(&array) || written.contains(&of)) {
                        choices.push(self.alias(array, of, elements));
                    }
                }
            }
        }
        choices.truncate(MOST);
        choices
    }

    fn alias(&self, array: Array, of: Array, elements: u64) -> Aliases {
        let granule = u64::from(self.module.arrays[of].granule.max(1));
        let (array, of) = (array_key(self.module, array), array_key(self.module, of));
        [(array, (of, elements * granule))].into()
    }

    /// Pointer parameters to global memory that may be another's alias.
    ///
    /// SOUNDNESS: not those that the source declares `restrict`. A launch that breaks
    /// that promise is no defect of the kernel (test `restricted_pointers_are_apart`).
    fn pointers(&self) -> Vec<Array> {
        let arrays = self.func.array_params().map(|param| param.array);
        let is_pointer = |array: &Array| {
            let data = &self.module.arrays[*array];
            data.space == Space::Global && data.origin == ArrayOrigin::Param && !data.restrict
        };
        arrays.filter(is_pointer).collect()
    }
}
