//! What a run of a kernel makes up, beside sizes and arguments: memory that the host fills
//! and whose contents decide where a kernel reads and writes, and which lanes of a warp run
//! together.
//!
//! What the host puts into an array is not followed. A run makes contents up, so if they
//! decide an address (`out[index[i]]`), the run may show what the program never does: such
//! a run refutes nothing. Contents that only decide which way is taken count as input:
//! programs of this kind read them from somewhere, and a defect that needs certain data is
//! one.

use std::collections::BTreeSet;

use duet_analysis::{DataDependence, offsets};
use duet_ir::{Array, ExchangeOp, Func, InstData, Module, Space};

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

/// The names of arrays that the kernel only reads, and whose contents reach an address.
pub fn deciding(module: &Module, kernel: Func) -> Vec<String> {
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
    let names = read.into_iter().filter(is_filled).map(|array| module.arrays[array].name.clone());
    names.map(|name| format!("the contents of {name}")).collect()
}
