//! What is missing where fences and flags nearly order the accesses of a kernel.
//!
//! A kernel with races and with strong accesses is checked with one change at a time: a fence
//! of wider scope, an atomic operation of wider scope, a volatile access instead of a plain
//! one, a fence more before a write or behind a read of a flag. The first change with which it
//! is proved is a finding of its own, beside the races, which stay what they are: it names the
//! line and says that the kernel is proved with the change. Nothing else rests on it.

use duet_analysis::Paths;
use duet_ask::Session;
use duet_ir::{
    AccessMode, Array, AtomicOp, BarrierScope, FenceScope, Inst, InstData, Language, MemoryScope,
    Rule, Severity, Space,
};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_transform::{OrderEdit, with_order};
use duet_vc::InRange;

use super::check_under;
use super::order::{arrays_of_races, hand_over};
use crate::check::Case;
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, Verdict, Why};

/// Changes that are tried.
const MOST_EDITS: usize = 16;
/// Read-modify-writes behind which a fence is tried before all else.
const MOST_DRAWS: usize = 2;
/// Kernels with more instructions are left alone.
const MOST_INSTS: usize = 600;
/// Work for one check, beside that of so many checks of the kernel as it is.
const CHECK_WORK: u64 = 5_000_000;
const CHECKS: u64 = 2;

/// A change with which the kernel is proved.
pub(crate) struct Mended {
    pub(crate) finding: Finding,
    /// No run shows that it is missing: a fence behind a read-modify-write that all of the
    /// accesses come behind, and a barrier of the block in between.
    pub(crate) is_left_open: bool,
}

/// A change with which the kernel is proved.
pub(crate) fn find(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    report: &KernelReport,
) -> Result<Option<Mended>, SolverError> {
    let facts = &case.facts;
    if !is_concerned(facts, options, report) {
        return Ok(None);
    }
    let limit = (report.work * CHECKS + CHECK_WORK).min(options.work);
    let options = CheckOptions {
        refute: false,
        explain: false,
        verdict_only: true,
        ..options.with_work(limit).begun()
    };
    let arrays = arrays_of_races(facts, report);
    for (rule, edit) in edits(facts).into_iter().take(MOST_EDITS) {
        if options.fence.is_past() {
            return Ok(None);
        }
        let changed = with_order(facts.module, facts.kernel, edit);
        let mut case = Case::new(&changed, facts.kernel, &options);
        hand_over(&mut case, arrays.clone());
        let mended = check_under(session, &case, &options, InRange::new(), None)?;
        if mended.verdict == Verdict::Proved {
            let is_left_open = is_left_open(facts, report, edit);
            return Ok(Some(Mended { finding: finding(facts, rule, edit), is_left_open }));
        }
    }
    Ok(None)
}

/// The fence behind each read-modify-write of a flag, that the changes are about first.
pub(super) fn fences_behind_draws(facts: &KernelFacts<'_>) -> Vec<OrderEdit> {
    let is_draw = |edit: &OrderEdit| {
        let OrderEdit::FenceBehind(inst) = *edit else { return false };
        let (_, writes) = reads_and_writes(facts, inst);
        writes && matches!(facts.func.insts[inst], InstData::Atomic { .. })
    };
    edits(facts).into_iter().map(|(_, edit)| edit).filter(is_draw).take(MOST_DRAWS).collect()
}

/// Is a fence behind a read-modify-write all that is missing, and is one access of each race
/// behind it and a barrier of the block? Runs leave that open.
pub(super) fn is_left_open(
    facts: &KernelFacts<'_>,
    report: &KernelReport,
    edit: OrderEdit,
) -> bool {
    let OrderEdit::FenceBehind(draw) = edit else { return false };
    let func = facts.func;
    let paths = Paths::new(func);
    let is_barrier = |inst: &Inst| {
        let data = &func.insts[*inst];
        matches!(data, InstData::Barrier { scope: BarrierScope::Block, .. })
            || matches!(data, InstData::BarrierReduce { .. })
    };
    let behind: Vec<Inst> = func
        .insts_in_order()
        .filter(is_barrier)
        .filter(|&barrier| paths.may_reach(Some(draw), barrier, |_| false))
        .collect();
    let is_behind = |access: Inst| behind.iter().any(|&one| paths.must_precede(one, access));
    let (_, writes) = reads_and_writes(facts, draw);
    let is_draw = writes && matches!(func.insts[draw], InstData::Atomic { .. });
    let mut races = report.findings.iter().filter(|one| one.rule.is_race());
    is_draw && races.all(|one| one.primary.into_iter().chain(one.secondary).any(is_behind))
}

/// Are there races, all that is open, between threads that use flags?
pub(super) fn is_concerned(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    report: &KernelReport,
) -> bool {
    let errors = || report.findings.iter().filter(|one| one.severity == Severity::Error);
    let is_other = options.may_alias || options.warp_sync.is_some() || options.only_divergence;
    let is_open = matches!(report.verdict, Verdict::Unproven | Verdict::Refuted);
    let insts = || facts.func.insts_in_order();
    let is_followed = |inst: Inst| {
        !matches!(facts.func.insts[inst], InstData::Call { .. } | InstData::CallUnknown { .. })
    };
    let has_fence = insts().any(|inst| facts.func.insts[inst].may_order_others());
    !is_other
        && is_open
        && has_fence
        && facts.module.language == Language::Cuda
        && facts.claims.in_force.is_empty()
        && insts().count() <= MOST_INSTS
        && insts().all(is_followed)
        && errors().all(|one| one.rule.is_race() && one.primary.is_some())
}

/// The changes, those first that say most about what was meant.
fn edits(facts: &KernelFacts<'_>) -> Vec<(Rule, OrderEdit)> {
    let func = facts.func;
    let mut edits = vec![];
    for inst in func.insts_in_order() {
        if matches!(func.insts[inst], InstData::Fence { scope: FenceScope::Block, .. }) {
            edits.push((Rule::FenceScopeTooNarrow, OrderEdit::WidenFence(inst)));
        }
        if matches!(func.insts[inst], InstData::Atomic { scope: MemoryScope::Block, .. }) {
            edits.push((Rule::AtomicScopeTooNarrow, OrderEdit::WidenAtomic(inst)));
        }
    }
    let flags: Vec<Array> =
        func.arrays_used().into_iter().filter(|&array| is_flag(facts, array)).collect();
    for &flag in &flags {
        for site in facts.uses.sites(flag).iter().filter(|site| !site.ghost) {
            let is_plain = matches!(site.kind, AccessMode::Load | AccessMode::Store);
            if is_plain && !site.volatile {
                edits.push((Rule::PlainAccessToFlag, OrderEdit::MakeVolatile(site.inst)));
            }
        }
    }
    for &flag in &flags {
        for site in facts.uses.sites(flag).iter().filter(|site| !site.ghost) {
            let (reads, writes) = reads_and_writes(facts, site.inst);
            if writes {
                edits.push((Rule::MissingFence, OrderEdit::FenceBefore(site.inst)));
            }
            if reads {
                edits.push((Rule::MissingFence, OrderEdit::FenceBehind(site.inst)));
            }
        }
    }
    edits
}

/// Is some access to the array of global memory strong?
fn is_flag(facts: &KernelFacts<'_>, array: Array) -> bool {
    let is_strong = |site: &duet_analysis::AccessSite| site.kind.is_atomic() || site.volatile;
    facts.module.arrays[array].space == Space::Global
        && facts.uses.sites(array).iter().any(|site| !site.ghost && is_strong(site))
}

/// May the access read a flag, and may it set one?
fn reads_and_writes(facts: &KernelFacts<'_>, inst: Inst) -> (bool, bool) {
    let func = facts.func;
    if let InstData::Atomic { op, args, .. } = &func.insts[inst] {
        let is_zero = args.first().is_some_and(|&arg| func.const_bits(arg) == Some(0));
        let keeps = *op == AtomicOp::Load || is_zero && *op == AtomicOp::Add;
        return (*op != AtomicOp::Store && func.is_used(func.result(inst)), !keeps);
    }
    let is_store = matches!(func.insts[inst], InstData::Store { .. });
    (!is_store, is_store)
}

pub(super) fn finding(facts: &KernelFacts<'_>, rule: Rule, edit: OrderEdit) -> Finding {
    let (inst, change) = match edit {
        OrderEdit::FenceBefore(inst) => (inst, "with `__threadfence();` before it"),
        OrderEdit::FenceBehind(inst) => (inst, "with `__threadfence();` behind it"),
        OrderEdit::WidenFence(inst) => (inst, "with `__threadfence();` here"),
        OrderEdit::WidenAtomic(inst) => (inst, "with the same operation of the device here"),
        OrderEdit::MakeVolatile(inst) => (inst, "with a volatile access here"),
    };
    let line = facts.line_of(inst).map_or(String::new(), |line| format!(" (line {line})"));
    let why = Why::Stated(format!("{change}{line} the kernel is proved"));
    let (severity, primary, secondary) = (Severity::Error, Some(inst), None);
    Finding { rule, severity, primary, secondary, why, obstacles: vec![] }
}
