//! Barriers whose removal keeps every property proved.
//!
//! A kernel that is proved without a barrier has no race without it, so every read
//! sees the same write as before: the barrier orders nothing that matters. Each is
//! left out alone; of two that guard the same accesses both are named, and only one of
//! them may go.

use std::collections::BTreeMap;

use duet_ir::{BarrierScope, Func, Function, Inst, InstData, Module, SourceSpan};
use duet_smt::solver::SolverError;

use super::edit;
use crate::check::{CheckOptions, KernelReport, Session, Verdict, check_kernel};

/// A barrier of the source that could go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RedundantBarrier {
    /// Where it is.
    pub span: SourceSpan,
    /// Its instructions; a barrier in a function is there as often as that is called.
    pub insts: Vec<Inst>,
}

/// The barriers that the kernel could do without, in source order. `report` is the
/// check of the kernel as it is; unless that is a proof nothing is known.
pub fn redundant_barriers(
    session: &mut Session,
    module: &Module,
    kernel: Func,
    options: &CheckOptions,
    report: &KernelReport,
) -> Result<Vec<RedundantBarrier>, SolverError> {
    if report.verdict != Verdict::Proved {
        return Ok(vec![]);
    }
    let options = CheckOptions { refute: false, explain: false, ..options.clone() };
    let mut found = vec![];
    for (span, insts) in barriers(module, &module.functions[kernel]) {
        let less = edit::without(module, kernel, &insts);
        let without = check_kernel(session, &less, kernel, &options)?;
        if is_as_good(&without, report) {
            found.push(RedundantBarrier { span, insts });
        }
    }
    Ok(found)
}

/// Is the second proof no better than the first? One that assumes more, or tolerates
/// more writes of the same value, is.
fn is_as_good(without: &KernelReport, report: &KernelReport) -> bool {
    without.verdict == Verdict::Proved
        && without.assumptions.iter().all(|one| report.assumptions.contains(one))
        && without.findings.len() <= report.findings.len()
}

/// The barriers of blocks and of the grid, by their places in the source.
fn barriers(module: &Module, func: &Function) -> BTreeMap<SourceSpan, Vec<Inst>> {
    let mut found: BTreeMap<SourceSpan, Vec<Inst>> = BTreeMap::new();
    for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
        use BarrierScope::{Block, Grid};
        if !matches!(func.insts[inst], InstData::Barrier { scope: Block | Grid, .. }) {
            continue;
        }
        if let Some(span) = duet_frontend::source_span(module, func.inst_locs[inst]) {
            found.entry(span).or_default().push(inst);
        }
    }
    found
}
