//! What a run of a kernel makes up, beside sizes and arguments: memory that the host fills
//! and whose contents decide where a kernel reads and writes, and which lanes of a warp run
//! together.
//!
//! What the host puts into an array is followed for tables of constants alone ([`tables`]).
//! A run makes other contents up, so if they decide an address (`out[index[i]]`), the run may
//! show what the program never does: such a run refutes nothing. Contents that only decide which way is taken count as input:
//! programs of this kind read them from somewhere, and a defect that needs certain data is
//! one.

use std::collections::BTreeSet;

use duet_analysis::{DataDependence, offsets};
use duet_ir::{Array, ArrayData, ArrayOrigin, ExchangeOp, Func, InstData, Module, Space};

use crate::{Host, Site};

/// What stands for the lanes that `__activemask` finds. A run takes all that have not
/// returned for them; on a device only those that came the same way are.
const TOGETHER: &str = "the lanes that run together";

/// Does the kernel ask which lanes run together?
pub fn lanes_together(module: &Module, kernel: Func) -> Option<String> {
    let func = &module.functions[kernel];
    let asks = func.insts_in_order().any(|inst| {
        matches!(&func.insts[inst], InstData::Exchange { op: ExchangeOp::ActiveMask, .. })
    });
    asks.then(|| TOGETHER.to_string())
}

/// What is made up of arrays that the kernel only reads, and whose contents reach an
/// address, but for those that are known.
pub fn made_up(module: &Module, kernel: Func, known: &[(Array, Vec<u8>)]) -> Vec<String> {
    let is_known = |array: &Array| known.iter().any(|(table, _)| table == array);
    let arrays = deciding(module, kernel).into_iter().filter(|array| !is_known(array));
    arrays.map(|array| format!("the contents of {}", module.arrays[array].name)).collect()
}

/// Tables of constants that decide addresses and whose contents at the launch are known:
/// what the source initialises them with, if no host code uses them, or what the host puts
/// there before. Also whether a copy has to succeed for that.
pub fn tables(
    module: &Module,
    kernel: Func,
    host: &Host,
    site: &Site,
) -> (Vec<(Array, Vec<u8>)>, bool) {
    let (mut known, mut is_copied) = (vec![], false);
    for array in deciding(module, kernel) {
        let data = &module.arrays[array];
        let is_table = data.space == Space::Constant && data.origin == ArrayOrigin::Variable;
        if !is_table || !is_only_name(module, &data.name) {
            continue;
        }
        let filled = filled(module, data, host, site);
        is_copied |= filled.is_some();
        let initial = || data.declared.clone().filter(|_| host.keeps_initial(&data.name));
        let contents =
            filled.or_else(initial).filter(|bytes| Some(bytes.len() as u64) == data.size);
        known.extend(contents.map(|bytes| (array, bytes)));
    }
    (known, is_copied)
}

/// What the host puts into a table before the launch. Symbols of several files may be alike.
fn filled(module: &Module, data: &ArrayData, host: &Host, site: &Site) -> Option<Vec<u8>> {
    let loc = &module.locs[data.loc?];
    let file = &module.files[loc.file].path;
    let table = site.tables.iter().find(|table| table.is(&data.name, file, loc.line));
    table.filter(|_| host.files.len() <= 1).map(|table| table.contents.clone())
}

/// Is it the name of one variable, as the source has it?
fn is_only_name(module: &Module, name: &str) -> bool {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let again = format!("{name}#");
    is_word && !module.arrays.values().any(|other| other.name.starts_with(&again))
}

/// The arrays that the kernel only reads, and whose contents reach an address.
fn deciding(module: &Module, kernel: Func) -> Vec<Array> {
    let func = &module.functions[kernel];
    let reached = DataDependence::through_memory(func, offsets(func));
    let mut written: BTreeSet<Array> = BTreeSet::new();
    let mut read: BTreeSet<Array> = BTreeSet::new();
    for inst in func.insts_in_order() {
        let data = &func.insts[inst];
        for (mode, access) in data.accesses() {
            if mode.may_write() {
                written.insert(access.array);
            }
        }
        if let InstData::Load { access, .. } = data
            && func.results_of[inst].iter().any(|&value| reached.contains(value))
        {
            read.insert(access.array);
        }
    }
    let is_filled = |array: &Array| {
        let data = &module.arrays[*array];
        let is_outside = matches!(data.space, Space::Global | Space::Constant);
        is_outside && data.init.is_none() && !written.contains(array)
    };
    read.into_iter().filter(is_filled).collect()
}
