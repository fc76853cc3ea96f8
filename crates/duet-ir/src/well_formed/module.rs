//! Rules about modules, arrays and locations.

use std::collections::HashSet;

use cranelift_entity::EntityRef;

use super::{Errors, WellFormedRule};
use crate::{Array, ArrayData, ArrayOrigin, Loc, Module, Place, Space};

/// Checks everything but the functions' insides.
pub fn check(module: &Module, errors: &mut Errors) {
    if !matches!(module.pointer_width, 32 | 64) {
        let message = format!("pointers have {} bits, not 32 or 64", module.pointer_width);
        errors.push(Place::Module, WellFormedRule::PointerWidth, message);
    }
    check_locs(module, errors);
    let mut names = HashSet::new();
    for (id, array) in &module.arrays {
        if !names.insert(array.name.as_str()) {
            let message = format!("a second array is called `@{}`", array.name);
            errors.push(Place::Array(id), WellFormedRule::UniqueArrayName, message);
        }
        check_array(module, id, array, errors);
    }
    check_function_names(module, errors);
}

/// Does the location that `place` refers to exist?
pub fn check_loc(module: &Module, place: Place, loc: Option<Loc>, errors: &mut Errors) {
    if let Some(loc) = loc
        && !module.locs.is_valid(loc)
    {
        let message = format!("location `!{}` does not exist", loc.index());
        errors.push(place, WellFormedRule::LocExists, message);
    }
}

fn check_locs(module: &Module, errors: &mut Errors) {
    for (id, loc) in &module.locs {
        let place = Place::Loc(id);
        if !module.files.is_valid(loc.file) {
            errors.push(
                place,
                WellFormedRule::FileExists,
                format!("`{}` does not exist", loc.file),
            );
        }
        check_loc(module, place, loc.inlined_at, errors);
    }
    for id in locs_on_cycles(module) {
        errors.push(
            Place::Loc(id),
            WellFormedRule::LocAcyclic,
            "the location is inlined into itself",
        );
    }
}

/// Follows every chain of calls once; a chain that meets itself is a cycle.
fn locs_on_cycles(module: &Module) -> Vec<Loc> {
    let mut walk_of: Vec<Option<Loc>> = vec![None; module.locs.len()];
    let mut cycles = Vec::new();
    for start in module.locs.keys() {
        let mut at = Some(start);
        while let Some(loc) = at.filter(|&loc| module.locs.is_valid(loc)) {
            match walk_of[loc.index()] {
                Some(walk) if walk == start => {
                    cycles.push(loc);
                    break;
                }
                Some(_) => break,
                None => walk_of[loc.index()] = Some(start),
            }
            at = module.locs[loc].inlined_at;
        }
    }
    cycles
}

fn check_array(module: &Module, id: Array, array: &ArrayData, errors: &mut Errors) {
    let place = Place::Array(id);
    check_loc(module, place, array.loc, errors);
    if !array.granule.is_power_of_two() {
        let message = format!("granule {} is not a power of two", array.granule);
        errors.push(place, WellFormedRule::Granule, message);
    }
    if let Some(problem) = initialiser_problem(array) {
        errors.push(place, WellFormedRule::Initialiser, problem);
    }
    if array.origin == ArrayOrigin::DynamicShared && array.space != Space::Shared {
        let message = format!("a dynamic shared array is in {} memory", array.space);
        errors.push(place, WellFormedRule::ArraySpace, message);
    }
}

fn initialiser_problem(array: &ArrayData) -> Option<String> {
    let init = array.init.as_ref()?;
    if matches!(array.space, Space::Shared | Space::Private) {
        return Some(format!("an array in {} memory has an initialiser", array.space));
    }
    match array.size {
        None => Some("an array of unknown size has an initialiser".to_string()),
        Some(size) if size != init.len() as u64 => {
            Some(format!("the initialiser has {} bytes, the array {size}", init.len()))
        }
        Some(_) => None,
    }
}

fn check_function_names(module: &Module, errors: &mut Errors) {
    let (mut symbols, mut kernels) = (HashSet::new(), HashSet::new());
    for (id, function) in &module.functions {
        let place = Place::Function(id);
        if !symbols.insert(function.symbol.as_str()) {
            let message = format!("a second function has the symbol `{}`", function.symbol);
            errors.push(place, WellFormedRule::UniqueSymbol, message);
        }
        if function.is_kernel() && !kernels.insert(function.name.as_str()) {
            let message = format!("a second kernel is called `{}`", function.name);
            errors.push(place, WellFormedRule::UniqueKernelName, message);
        }
    }
}
