//! How to check a kernel, as plain data. What a command line calls the options is the
//! business of the shells.

use std::path::PathBuf;
use std::time::Duration;

use duet_ask::{AskOptions, Budget, Likely, Patience, WORK};
use duet_infer::sorting::SortOptions;
use duet_infer::{Composition, InferOptions, Selection};
use duet_ir::Function;
use duet_logs::LogOptions;
use duet_product::FactsOptions;
use duet_refute::Setting;
use duet_smt::Fence;
use duet_vc::{LaunchSpec, Premises};

/// How to check one kernel.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The launch.
    pub launch: LaunchSpec,
    /// Threads of the whole grid along each dimension, where they are given while
    /// the block's size is free: blocks times threads come to this.
    pub global_size: [Option<u32>; 3],
    /// Two writes of the same value are no race.
    pub tolerate_benign: bool,
    /// Only pairs within a block.
    pub only_intra_group: bool,
    /// Only barrier divergence and what each thread must keep by itself; no races.
    pub only_divergence: bool,
    /// Accept no assumption that the language leaves undefined: a thread that
    /// returns before a barrier is an error in CUDA too.
    pub strict: bool,
    /// Values of scalar parameters, by position among them.
    pub scalar_args: Vec<Option<u128>>,
    /// Sizes in bytes of the arrays that pointer parameters point to, by position
    /// among them.
    pub array_sizes: Vec<Option<u64>>,
    /// Accesses must stay inside their arrays.
    pub check_bounds: bool,
    /// Make up candidates for loop invariants; if not, only the user's count.
    pub infer: bool,
    /// The rules that make them up.
    pub rules: Selection,
    /// Follow each loop for so many iterations, and look no further: then
    /// nothing is ever proved.
    pub unwind: Option<u32>,
    /// Iterations of a loop that induction goes back.
    pub induction_depth: u32,
    /// A folder with what earlier proofs kept ([`duet_infer::proof_cache`]).
    pub proof_cache: Option<PathBuf>,
    /// Who sorts the candidates out.
    pub engines: Composition,
    /// Threads of a warp, if warps are assumed to run in lock step.
    pub warp_sync: Option<u32>,
    /// Different pointers may point into the same memory.
    pub may_alias: bool,
    /// Show that each interval and access can be reached under what is assumed.
    pub vacuity: bool,
    /// Show that what is known after each barrier that a run passes has a model, and end with
    /// an internal error if it has none. Always on where debug assertions are, so in tests.
    pub safety_net: bool,
    /// Work for all questions, in units of z3's resource count: what is not decided by
    /// then is unproven, on every machine.
    pub work: u64,
    /// The time after which everything that is not decided yet is unproven, from when the
    /// check begins. A fence, which should be far beyond what the work takes.
    pub time_limit: Option<Duration>,
    /// The fence, once the check began ([`CheckOptions::begun`]).
    pub fence: Fence,
    /// Stop at the first thing that is not proved: only the verdict is wanted.
    pub verdict_only: bool,
    /// Another check follows that knows more about the launch: end once a state shows that
    /// this one leads nowhere.
    pub is_first_look: bool,
    /// How long solvers are waited for.
    pub patience: Patience,
    /// Look for runs that show what is not proved.
    pub refute: bool,
    /// Without runs, say still if a fence is all that is missing and no run can show it.
    pub mends: bool,
    /// A launch that is likely to suit what is assumed: it is tried before a solver is
    /// asked for one.
    pub likely: Option<Likely>,
    /// The likely launch is one that runs should show too: the host passes the same memory for
    /// several pointers, and the launch has several blocks.
    pub runs_likely: bool,
    /// A small run of the launch shows a defect, whatever that is worth: no proof is looked for.
    pub launch_fails: bool,
    /// Keep what was asked and who answered ([`crate::KernelReport::asked`]).
    pub explain: bool,
    /// What makes the check faster and changes no verdict.
    pub shortcuts: Shortcuts,
    /// The kernel is a copy for one launch of a host program.
    pub host: Option<HostLaunch>,
    /// How the kernel is made questions.
    pub encoding: Encoding,
    /// Check in both ways, and compare.
    pub cross_check: bool,
    /// Races and barriers first, without claims about memory; then the claims.
    pub staged: bool,
}

/// How a kernel is made questions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Pairs of accesses, by the scope that the two threads share.
    #[default]
    Pairs,
    /// Two threads in lock step, the first of which logs its accesses.
    Logs(LogOptions),
}

/// What the check has to know about the host program that launches the kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostLaunch {
    /// Values that the run of a defect makes up, and that are not the program's input:
    /// whether they occur is not known, so such a run refutes nothing.
    pub hypothetical: Vec<String>,
    /// The same, of values that only say how large allocations are: a run that makes them up
    /// shows no access out of bounds, but any other defect.
    pub hypothetical_sizes: Vec<String>,
    /// Pointers may point into the same memory.
    pub may_alias: bool,
    /// The pointers are known to point to distinct allocations.
    pub is_distinct: bool,
    /// What is believed about the host.
    pub assumptions: Vec<String>,
}

impl HostLaunch {
    /// Does a run of the launch make up nothing but the program's input?
    pub fn is_followed(&self) -> bool {
        self.hypothetical.is_empty() && self.hypothetical_sizes.is_empty()
    }
}

/// What makes the check faster and could be left out: a study turns each off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcuts {
    /// Threads that take the same way by the uniformity analysis are not asked about.
    pub uniformity: bool,
    /// Many pairs of accesses are asked about at once.
    pub joint_questions: bool,
    /// Accesses to arrays that are never written are left out from the start.
    pub read_only_arrays: bool,
    /// Intervals in which nothing is written are not asked about.
    pub quiet_intervals: bool,
    /// What a thread stores in its private arrays is known when it loads it.
    pub private_arrays: bool,
    /// A kernel with loops is tried without guessed invariants first.
    pub plain_first: bool,
    /// So is the assumption that arithmetic stays in range. Proofs of contracts use invariants
    /// that the check finds, and do without.
    pub plain_in_range: bool,
    /// Edges into loops are asked about in solver contexts with a selector for each
    /// candidate.
    pub selectors: bool,
    /// Arrays are modelled by elements where all accesses fit; if not, by bytes.
    pub elements: bool,
}

impl Default for Shortcuts {
    fn default() -> Shortcuts {
        Shortcuts {
            uniformity: true,
            joint_questions: true,
            read_only_arrays: true,
            quiet_intervals: true,
            private_arrays: true,
            plain_first: true,
            plain_in_range: true,
            selectors: true,
            elements: true,
        }
    }
}

impl CheckOptions {
    /// The same options for a check that begins now. Of several checks that are part of
    /// one, the first sets the fence.
    pub fn begun(&self) -> CheckOptions {
        let fence = self.fence.nearer(Fence::after(self.time_limit));
        CheckOptions { fence, time_limit: None, ..self.clone() }
    }

    /// The same options with at most so much work.
    pub fn with_work(&self, work: u64) -> CheckOptions {
        CheckOptions { work: self.work.min(work), ..self.clone() }
    }

    /// Does a run that shows a defect refute the kernel?
    pub(crate) fn believes_runs(&self) -> bool {
        self.refute && self.host.as_ref().is_none_or(HostLaunch::is_followed)
    }

    /// What the analyses are told.
    pub fn facts_options(&self, func: &Function) -> FactsOptions {
        FactsOptions {
            launch: self.launch.clone(),
            arguments: self.premises().given_arguments(func),
            may_alias: self.may_alias,
            warp_sync: self.warp_sync,
        }
    }

    /// What the kernel is walked for.
    pub fn premises(&self) -> Premises {
        Premises {
            launch: self.launch.clone(),
            global_size: self.global_size,
            scalar_args: self.scalar_args.clone(),
            private_arrays: self.shortcuts.private_arrays,
        }
    }

    /// How questions are asked.
    pub fn ask_options(&self) -> AskOptions {
        AskOptions {
            budget: Budget { patience: self.patience, work: self.work, fence: self.fence },
            explain: self.explain,
            is_size_free: self.premises().is_size_free(),
            adds_cells: false,
            likely: self.likely.clone(),
        }
    }

    /// How loop invariants are looked for.
    pub fn infer_options(&self) -> InferOptions {
        InferOptions {
            guesses: self.infer,
            rules: self.rules.clone(),
            engines: self.engines.clone(),
            induction_depth: self.induction_depth,
            selectors: self.shortcuts.selectors,
            ask: self.ask_options(),
            setting: self.run_setting(),
        }
    }

    /// How the encoding by logs sorts candidates out.
    pub(crate) fn sort_options(&self) -> SortOptions {
        let InferOptions { engines, selectors, ask, setting, .. } = self.infer_options();
        SortOptions { engines, selectors, ask, setting }
    }

    /// The options of the encoding by logs, if it is asked for.
    pub(crate) fn logs(&self) -> Option<LogOptions> {
        match &self.encoding {
            Encoding::Pairs => None,
            Encoding::Logs(options) => Some(LogOptions {
                uniformity: self.shortcuts.uniformity,
                read_only_arrays: self.shortcuts.read_only_arrays,
                private_arrays: self.shortcuts.private_arrays,
                ..options.clone()
            }),
        }
    }

    /// What runs are for, and what counts as a defect in them.
    pub fn run_setting(&self) -> Setting {
        Setting {
            launch: self.launch.clone(),
            global_size: self.global_size,
            scalar_args: self.scalar_args.clone(),
            array_sizes: self.array_sizes.clone(),
            may_alias: self.may_alias,
            warp_sync: self.warp_sync,
            tolerate_benign: self.tolerate_benign,
            only_intra_group: self.only_intra_group,
            only_divergence: self.only_divergence,
            strict: self.strict,
            check_bounds: self.check_bounds,
            likely: self.likely.clone().filter(|_| self.runs_likely),
        }
    }

    /// The usual options for a launch.
    pub fn new(launch: LaunchSpec) -> CheckOptions {
        CheckOptions {
            launch,
            global_size: [None; 3],
            tolerate_benign: true,
            only_intra_group: false,
            only_divergence: false,
            strict: false,
            scalar_args: vec![],
            array_sizes: vec![],
            check_bounds: false,
            infer: true,
            rules: Selection::default(),
            unwind: None,
            induction_depth: 1,
            proof_cache: None,
            engines: Composition::default(),
            warp_sync: None,
            may_alias: false,
            vacuity: false,
            safety_net: cfg!(debug_assertions),
            work: WORK,
            time_limit: Some(Duration::from_secs(300)),
            fence: Fence::NONE,
            verdict_only: false,
            is_first_look: false,
            patience: Patience::Full,
            explain: false,
            shortcuts: Shortcuts::default(),
            host: None,
            encoding: Encoding::default(),
            cross_check: false,
            staged: false,
            refute: true,
            mends: false,
            likely: None,
            runs_likely: false,
            launch_fails: false,
        }
    }
}
