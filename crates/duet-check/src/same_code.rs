//! Copies that are the same but for names that tell them apart: instances of a template that
//! differ in nothing that the kernel computes, launched in the same way. They are checked
//! once.
//!
//! The key of a copy is all that its check looks at: the instructions with their types and
//! places in the source, the parameters, the arrays in the order of their use, the sizes of
//! the launch and what the host says. Where the host launches the copy is left out. A proof
//! for one copy of a key is a proof for every other. Only proofs without findings, and without
//! assumptions about arithmetic, are had in common: these name places of their own copy.
//!
//! SOUNDNESS: whatever differs between two copies differs between their keys (test
//! `instances_that_differ_have_other_keys`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use duet_ir::{Array, Func, Loc, Module};
use duet_transform::Copies;
use duet_vc::LaunchSpec;

use crate::{HostLaunch, KernelReport, Verdict};

/// What came of the check of copies that are the same.
#[derive(Clone, Debug, Default)]
pub struct Checked(Arc<Mutex<Option<KernelReport>>>);

impl Checked {
    /// The report of a copy that was proved, for another that is the same: it took no time.
    pub fn proved(&self) -> Option<KernelReport> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().map(|report| KernelReport {
            took: Duration::ZERO,
            work: 0,
            in_solvers: Duration::ZERO,
            in_inference: Duration::ZERO,
            decided: vec![],
            asked: vec![],
            ..report.clone()
        })
    }

    /// Keeps a report, if it is a proof.
    pub fn keep(&self, report: &KernelReport) {
        let is_plain = report.findings.is_empty() && report.is_exact;
        if report.verdict == Verdict::Proved && is_plain {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.get_or_insert_with(|| report.clone());
        }
    }
}

/// All that the check of the copies of a kernel looks at, as a text.
pub fn key(
    module: &Module,
    copies: &Copies,
    (launch, at): (&LaunchSpec, Loc),
    host: &HostLaunch,
) -> String {
    let mut text = format!("{launch:?} {host:?}\n");
    for copy in [copies.plain, copies.bounded] {
        describe(module, copy, at, &mut text);
    }
    text
}

fn describe(module: &Module, copy: Func, at: Loc, text: &mut String) {
    let mut func = module.functions[copy].clone();
    let mut arrays: Vec<Array> = func.array_params().map(|param| param.array).collect();
    let others: Vec<Array> =
        func.arrays_used().into_iter().filter(|array| !arrays.contains(array)).collect();
    arrays.extend(others);
    let numbers: BTreeMap<Array, Array> = arrays
        .iter()
        .enumerate()
        .map(|(number, &array)| (array, Array::from_u32(number as u32)))
        .collect();
    func.exchange_arrays(&numbers);
    for array in arrays {
        let mut data = module.arrays[array].clone();
        data.name = data.name.split(['@', '#']).next().unwrap_or_default().to_string();
        let place = place(module, data.loc.take());
        let _ = writeln!(text, "{data:?} {place:?}");
    }
    let _ = writeln!(text, "{:?} {:?} {:?}", func.kind, func.params, func.layout);
    let _ = writeln!(text, "{:?} {:?}", func.flattened, func.unsigned);
    for (value, def) in &func.values {
        let _ = writeln!(text, "{def:?} {:?} {:?}", func.types[value], func.names[value]);
    }
    for &block in &func.layout {
        let data = &func.blocks[block];
        let _ = writeln!(text, "{block:?} {:?} {:?}", data.params, data.terminator);
        for &inst in &data.insts {
            let loc = func.inst_locs[inst].filter(|loc| *loc != at);
            let place = place(module, loc);
            let signed = func.into_signed[inst];
            let results = &func.results_of[inst];
            let _ = writeln!(text, "{:?} {results:?} {signed} {place:?}", func.insts[inst]);
        }
    }
}

/// The place in the source, and the calls that it was inlined through.
fn place(module: &Module, loc: Option<Loc>) -> Vec<(String, u32, u32)> {
    let mut places = vec![];
    let mut next = loc;
    while let Some(loc) = next {
        let data = &module.locs[loc];
        places.push((module.files[data.file].path.clone(), data.line, data.column));
        next = data.inlined_at;
    }
    places
}
