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
use duet_ir::{
    Array, ArrayData, ArrayOrigin, ExchangeOp, Found, Func, Function, InstData, Module, ParamKind,
    Space,
};

use crate::{Host, Relation, Site, Term};

/// The most bytes of a variable that are followed.
const MOST_BYTES: u64 = 4096;
/// What stands for the lanes that `__activemask` finds. A run takes all that have not
/// returned for them; on a device only those that came the same way are.
const TOGETHER: &str = "the lanes that run together";

/// The arrays behind parameters of a kernel all of whose bytes the host set, by what a launch
/// finds behind them.
pub fn filled_arrays(func: &Function, found: &[Found]) -> Vec<Array> {
    let is_filled = |found: &Found| matches!(found, Found::Filled { bytes: None, .. });
    let params = func.array_params().zip(found);
    params.filter(|(_, found)| is_filled(found)).map(|(param, _)| param.array).collect()
}

impl Relation {
    /// What a launch finds behind a pointer into one of its bases; `keepers`: the kernels that may
    /// keep addresses that they are given.
    pub fn found_behind(
        &self,
        pointer: Option<(usize, Term)>,
        keepers: &dyn Fn(&str) -> bool,
    ) -> Found {
        let Some((base, offset)) = pointer else { return Found::Unknown };
        let base = &self.bases[base];
        // SOUNDNESS: a kernel that keeps an address may let any other kernel write there
        // (test `memory_whose_address_a_kernel_keeps`).
        if base.given.iter().any(|kernel| keepers(kernel)) {
            return Found::Unknown;
        }
        base.found.seen_from(self.terms.bits(offset))
    }
}

/// Does the kernel ask which lanes run together?
pub fn lanes_together(module: &Module, kernel: Func) -> Option<String> {
    let func = &module.functions[kernel];
    let asks = func.insts_in_order().any(|inst| {
        matches!(&func.insts[inst], InstData::Exchange { op: ExchangeOp::ActiveMask, .. })
    });
    asks.then(|| TOGETHER.to_string())
}

/// Does code of the device launch kernels?
///
/// SOUNDNESS: which ones and how is not followed, so the host's launches are not all
/// (kernels/programs/launches-again-bug.cu).
pub fn launches_kernels(module: &Module) -> bool {
    let is_launch = |data: &InstData| match data {
        InstData::CallUnknown { name, .. } => duet_frontend::host::is_device_launch(name),
        _ => false,
    };
    let launches = |func: &Function| func.insts_in_order().any(|inst| is_launch(&func.insts[inst]));
    module.functions.values().any(launches)
}

/// Does the kernel use the pointers that it is given for accesses alone, so that no other
/// kernel finds them in memory?
pub fn keeps_nothing(module: &Module, kernel: Func) -> bool {
    let func = &module.functions[kernel];
    let uses_alone = |array| func.uses_only_in_accesses(array);
    let has_other = func.params.iter().any(|param| matches!(param.kind, ParamKind::Pointer(..)));
    !has_other && func.array_params().all(|param| uses_alone(param.array))
}

/// Does it matter what the kernel finds in memory: does what it reads decide an address, or
/// may it order threads by what it reads?
pub fn matter(module: &Module, kernel: Func) -> bool {
    let func = &module.functions[kernel];
    let accesses = func.insts_in_order().flat_map(|inst| func.insts[inst].accesses());
    let mut outside =
        accesses.filter(|(_, access)| module.arrays[access.array].space == Space::Global);
    outside.any(|(mode, access)| mode.is_atomic() || access.volatile)
        || !deciding(module, kernel).is_empty()
}

/// What is made up of arrays that the kernel only reads, and whose contents reach an
/// address, but for those that are known.
pub fn made_up(module: &Module, kernel: Func, known: &BTreeSet<Array>) -> Vec<String> {
    let arrays = deciding(module, kernel).into_iter().filter(|array| !known.contains(array));
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
    known.extend(variables(module, kernel, host, site));
    (known, is_copied)
}

/// Variables of the device that hold what the source initialises them with when the kernel
/// begins: no host code uses them, and no kernel wrote them before. That is so if no kernel
/// writes them at all, or this one alone, whose only launch the program makes once.
///
/// SOUNDNESS: a kernel that is launched again finds what it left there, other kernels may
/// write the variable or keep its address, and other files may name it (test
/// `variables_that_are_not_known`).
fn variables(module: &Module, kernel: Func, host: &Host, site: &Site) -> Vec<(Array, Vec<u8>)> {
    let own = &site.kernel;
    let is_only = host.sites.iter().filter(|other| other.kernel == *own).count() == 1
        && !host.escaped.contains(own)
        && !host.launches_any();
    let is_first = site.is_once && is_only && host.files.len() <= 1;
    let may_change = |func: Func, array: Array| {
        let function = &module.functions[func];
        let accesses = function.insts_in_order().flat_map(|inst| function.insts[inst].accesses());
        let mut own = accesses.filter(|(_, access)| access.array == array);
        own.any(|(mode, _)| mode.may_write() || mode.is_atomic())
            || !function.uses_only_in_accesses(array)
    };
    let is_kept = |array: &Array| {
        let data = &module.arrays[*array];
        let is_variable = data.space == Space::Global && data.origin == ArrayOrigin::Variable;
        let mut others = module.functions.keys().filter(|other| *other != kernel);
        is_variable
            && data.init.is_none()
            && is_only_name(module, &data.name)
            && host.files.len() <= 1
            && host.keeps_initial(&data.name)
            && !others.any(|other| may_change(other, *array))
            && (is_first || !may_change(kernel, *array))
    };
    let used = module.functions[kernel].arrays_used();
    let kept = used.into_iter().filter(is_kept);
    kept.filter_map(|array| initial(&module.arrays[array]).map(|bytes| (array, bytes))).collect()
}

/// What the source initialises a variable with, if that is not too much: zeros where it says
/// nothing.
fn initial(data: &ArrayData) -> Option<Vec<u8>> {
    let size = data.size.filter(|size| *size <= MOST_BYTES)?;
    let bytes = data.declared.clone().unwrap_or_else(|| vec![0; size as usize]);
    (bytes.len() as u64 == size).then_some(bytes)
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
