//! The kernel that is run, with what the search for runs wants to know of it.

use duet_analysis::Uniformity;
use duet_ask::Fence;
use duet_interp::{FindingKind, Outcome};
use duet_ir::{
    AccessMode, BarrierScope, Block, Func, Function, InstData, Language, Rule, WellFormed,
};

use crate::evidence::{Defect, is_assumption};
use crate::inputs::RunMaker;
use crate::setting::Setting;

/// A kernel, and what it is run for.
pub struct Subject<'a> {
    /// The module of the kernel.
    pub module: &'a WellFormed,
    /// Which of its functions it is.
    pub kernel: Func,
    /// That function.
    pub func: &'a Function,
    /// Makes up runs of it.
    pub maker: RunMaker<'a>,
    /// No run is begun after that.
    pub(crate) fence: Fence,
    /// Are there preconditions or assumptions?
    pub(crate) has_assumptions: bool,
    /// Are they all in the kernel's first block, and the same for all threads? Then
    /// they hold once a thread has passed them.
    pub(crate) assumptions_come_first: bool,
    /// Is a run without findings the same in every order of threads? Only what
    /// atomics yield, what ghost reads see, and when copies are done, depends on it.
    pub(crate) is_deterministic: bool,
}

impl<'a> Subject<'a> {
    /// A kernel, with what a search for runs wants to know of it.
    pub fn new(
        module: &'a WellFormed,
        kernel: Func,
        setting: Setting,
        uniformity: &Uniformity,
    ) -> Subject<'a> {
        let func = &module.functions[kernel];
        let any = |is: fn(&InstData) -> bool| func.insts_in_order().any(|i| is(&func.insts[i]));
        let has_assumptions = any(is_assumption);
        let is_uniform = assumptions_are_uniform(func, uniformity);
        let mut maker = RunMaker::new(module, kernel, setting);
        maker.may_run_some_threads = is_uniform && !any(InstData::involves_other_threads);
        maker.may_run_some_blocks = is_uniform && !has_grid_barrier(func);
        Subject {
            module,
            kernel,
            func,
            maker,
            fence: Fence::NONE,
            has_assumptions,
            assumptions_come_first: is_uniform && assumptions_are_in(func, func.entry()),
            is_deterministic: !any(depends_on_order),
        }
    }

    /// The same, with no run begun once the fence is past.
    pub fn until(self, fence: Fence) -> Subject<'a> {
        Subject { fence, ..self }
    }

    /// Does a run of the interpreter show what the kernel does?
    ///
    /// SOUNDNESS: a run that makes up what an unknown function yields shows nothing of
    /// the function that will be linked (kernels/soundness/42-unknown-function-fine).
    pub(crate) fn can_be_judged_by_runs(&self) -> bool {
        !duet_interp::skips_assumptions(self.module, self.kernel)
            && !duet_interp::makes_up_results(self.module, self.kernel)
    }

    pub(crate) fn setting(&self) -> &Setting {
        &self.maker.setting
    }

    /// Are defects that no open question is about worth being shown?
    pub(crate) fn adds_defects(&self, outcome: &Outcome) -> bool {
        // Threads that returned early take part in no barrier: whether their
        // accesses are ordered is a matter of that rule, not of another race.
        let left = |kind: &FindingKind| matches!(kind, FindingKind::ExitBeforeBarrier { .. });
        let any_left = outcome.findings.iter().any(|finding| left(&finding.kind));
        !any_left || self.setting().strict || self.module.language == Language::OpenCl
    }

    /// Is the defect one that devices are known to tolerate? Leaving before a barrier is,
    /// in CUDA, unless all of the grid waits there.
    pub fn is_tolerated(&self, defect: &Defect) -> bool {
        let barrier = self.func.insts[defect.primary].barrier_scope();
        let of_grid = barrier == Some(BarrierScope::Grid);
        defect.rule == Rule::ExitBeforeBarrier
            && self.module.language == Language::Cuda
            && !of_grid
            && !self.setting().strict
    }
}

/// May what the instruction yields or does depend on the order of threads, in runs
/// without races?
fn depends_on_order(data: &InstData) -> bool {
    let by_mode = |mode: AccessMode| mode.is_atomic() || mode.is_copy();
    // A ghost read races with no access: it sees what is there at the moment.
    data.accesses().iter().any(|(mode, access)| by_mode(*mode) || access.ghost)
}

/// Are all preconditions and assumptions in this block?
fn assumptions_are_in(func: &Function, block: Block) -> bool {
    let elsewhere = func.layout.iter().filter(|&&other| other != block);
    elsewhere
        .flat_map(|&other| &func.blocks[other].insts)
        .all(|&inst| !is_assumption(&func.insts[inst]))
}

fn has_grid_barrier(func: &Function) -> bool {
    func.insts.values().any(|data| data.barrier_scope() == Some(BarrierScope::Grid))
}

/// Does each precondition and assumption hold for all threads or for none? Then it
/// is enough that the threads of some blocks meet it.
fn assumptions_are_uniform(func: &Function, uniformity: &Uniformity) -> bool {
    func.layout.iter().all(|&block| {
        func.blocks[block].insts.iter().all(|&inst| {
            let data = &func.insts[inst];
            !is_assumption(data)
                || (!uniformity.may_be_divergent_block(block, BarrierScope::Grid)
                    && data
                        .values()
                        .iter()
                        .all(|&value| !uniformity.may_be_divergent(value, BarrierScope::Grid)))
        })
    })
}
