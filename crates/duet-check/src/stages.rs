//! Stages of a check as text or data, for those who want to look at them.

use duet_analysis::{Dominators, Loops};
use duet_ask::{Asked, Session, Trace};
use duet_infer::Inference;
use duet_ir::{Block, Func, WellFormed};
use duet_smt::solver::SolverError;
use duet_vc::InRange;

use crate::check::{Case, Check};
use crate::options::CheckOptions;

/// The questions that decide about a kernel, each as SMT-LIB, without asking them.
/// Loop invariants are searched for, with the solver, as they are part of them.
pub fn kernel_conditions(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<Vec<Asked>, SolverError> {
    let options = &options.begun();
    let case = Case::new(module, kernel, options);
    let mut check = Check::new(session, &case, options, InRange::new());
    check.infer_invariants(None)?;
    check.asker.trace = Trace { only_written: true, ..Trace::default() };
    check.check_properties()?;
    Ok(std::mem::take(&mut check.asker.trace.asked))
}

/// The search for a kernel's loop invariants, without the check that they are for.
pub fn kernel_invariants(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<Inference, SolverError> {
    let options = &options.begun();
    let case = Case::new(module, kernel, options);
    let mut check = Check::new(session, &case, options, InRange::new());
    check.infer_invariants(None)?;
    Ok(check.found.inference)
}

/// The pairs of threads that a kernel is checked by, as text.
pub fn kernel_pairs(module: &WellFormed, kernel: Func, options: &CheckOptions) -> String {
    let Case { facts, .. } = Case::new(module, kernel, options);
    facts.program.to_text(facts.func)
}

/// The loops of a kernel: the line of each header, where it is known.
pub fn kernel_loops(module: &WellFormed, kernel: Func) -> Vec<Option<u32>> {
    let func = &module.functions[kernel];
    let loops = Loops::new(func, &Dominators::new(func));
    let line = |block: Block| {
        let insts = func.blocks[block].insts.iter();
        insts.filter_map(|inst| module.span_of_inst(func, *inst)).map(|span| span.line).next()
    };
    loops.iter().map(|(_, data)| line(data.header)).collect()
}
