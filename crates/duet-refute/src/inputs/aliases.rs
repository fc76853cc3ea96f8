//! Pointer parameters that are tried on the same memory, and on that of variables at file
//! scope, where an option says that different pointers may point into the same array.

use std::collections::{BTreeMap, BTreeSet};

use duet_interp::Key;
use duet_ir::{Array, ArrayOrigin, Space};

use super::RunMaker;
use super::contents::written_arrays;
use crate::run::array_key;

/// Which parameters point into another one's array, and how many bytes from its
/// start.
pub(crate) type Aliases = BTreeMap<Key, (Key, u64)>;

/// Choices that are tried, of two pointers and of a pointer and a variable.
const MOST: usize = 24;
const MOST_OF_VARIABLES: usize = 12;

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
        choices.extend(self.of_variables(&written, &pointers).take(MOST_OF_VARIABLES));
        choices
    }

    /// A variable in the array of a pointer.
    fn of_variables(
        &self,
        written: &BTreeSet<Array>,
        pointers: &[Array],
    ) -> impl Iterator<Item = Aliases> {
        let is_variable = |array: &Array| {
            let data = &self.module.arrays[*array];
            let in_memory = matches!(data.space, Space::Global | Space::Constant);
            // The address of a function is an array of no bytes.
            in_memory && data.origin == ArrayOrigin::Variable && data.size != Some(0)
        };
        let variables: Vec<Array> =
            self.func.arrays_used().into_iter().filter(is_variable).collect();
        let pairs = variables.iter().flat_map(|&one| pointers.iter().map(move |&of| (one, of)));
        let pairs = pairs.filter(|(one, of)| written.contains(one) || written.contains(of));
        let pairs: Vec<(Array, Array)> = pairs.collect();
        (0..3u64).flat_map(move |elements| {
            let choices = pairs.iter().map(|&(one, of)| self.alias(one, of, elements));
            choices.collect::<Vec<_>>()
        })
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
