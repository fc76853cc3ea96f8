//! One kernel: what its runs showed against what is proved.

use std::time::Duration;

use duet_engine::check::{
    CheckOptions, Encoding, KernelReport, LogOptions, Session, Verdict, check_kernel,
};
use duet_interp::Launch;
use duet_ir::{Func, Module, WellFormed};
use duet_smt::solver::SolverError;
use duet_vc::{Extent, LaunchSpec, MAX_BLOCK};

use crate::ast::Kernel;
use crate::generate::Made;
use crate::lower::lower;
use crate::oracle::{Evidence, launches, observe};
use crate::random::Random;

/// Work for one kernel, in units of z3's resource count: most need a fraction.
const WORK: u64 = 2_000_000;
/// Work for one kernel in eight: a hundredth of the kernels take what they are given, a third
/// of the time of all, and few of them are proved in the end.
const WORK_NOW_AND_THEN: u64 = 8_000_000;
/// What takes longer is given up.
const FENCE: Duration = Duration::from_secs(20);

/// What is compared.
#[derive(Clone, Debug)]
pub struct Case {
    /// The kernel.
    pub kernel: Kernel,
    /// The launches whose runs count.
    pub launches: Vec<Launch>,
    /// The launch that is checked; none: any size.
    pub checked: Option<Launch>,
    /// A thread that returns before a barrier of others is a defect.
    pub strict: bool,
    /// Runs on each launch.
    pub runs: usize,
    /// Where the runs' inputs come from.
    pub seed: u64,
    /// A run on one of the launches showed a defect.
    pub defective: bool,
    /// Check by logs as well as by pairs.
    pub cross_check: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// What the runs showed on the launches that the check covers.
    pub evidence: Vec<Evidence>,
    /// The verdict.
    pub verdict: Verdict,
    /// See [`Case::strict`].
    pub strict: bool,
}

impl Judgement {
    /// The defect that was proved absent.
    pub fn violation(&self) -> Option<&Evidence> {
        self.evidence
            .iter()
            .find(|evidence| self.verdict == Verdict::Proved && evidence.class.counts(self.strict))
    }
}

/// A case from a made kernel: checked for a launch that showed a defect, where one
/// did; now and then for any size.
pub fn case(made: Made, random: &mut Random) -> Case {
    let all = launches(made.two_dimensional);
    let (seed, runs, strict) = (random.bits(), 4, random.percent(50));
    let (module, func) = lower(&made.kernel);
    let shows = |launch: &&Launch| {
        let inputs = &mut Random::new(seed);
        let found = observe(&made.kernel, &module, func, launch, runs, inputs);
        found.iter().any(|evidence| evidence.class.counts(strict))
    };
    let bad: Vec<Launch> = all.iter().filter(shows).cloned().collect();
    let (launches, checked) = match random.percent(12) {
        true => (all, None),
        false => {
            let good_too = bad.is_empty() || random.percent(10);
            let launch = random.pick(if good_too { &all } else { &bad });
            (vec![launch.clone()], Some(launch))
        }
    };
    let defective = launches.iter().any(|launch| bad.contains(launch));
    let cross_check = false;
    Case { kernel: made.kernel, launches, checked, strict, runs, seed, defective, cross_check }
}

/// Runs and checks a case.
///
/// # Errors
/// When the solver cannot be used.
pub fn judge(session: &mut Session, case: &Case) -> Result<Judgement, SolverError> {
    let (module, func) = lower(&case.kernel);
    let mut evidence = vec![];
    let is_covered = |launch: &&Launch| case.checked.is_some() || is_any_size(&module, launch);
    for launch in case.launches.iter().filter(is_covered) {
        let inputs = &mut Random::new(case.seed);
        evidence.extend(observe(&case.kernel, &module, func, launch, case.runs, inputs));
    }
    let launch = case.checked.as_ref();
    let mut verdict = check(session, &module, func, launch, case.strict, false)?.verdict;
    if case.cross_check && verdict != Verdict::Proved {
        let options = options_for(&module, launch, case.strict, false);
        let options = CheckOptions { encoding: Encoding::Logs(LogOptions::default()), ..options };
        verdict = check_kernel(session, &module, func, &options)?.verdict;
    }
    Ok(Judgement { evidence, verdict, strict: case.strict })
}

/// Is the launch one of those that a check for any size is about? Without a y in
/// the kernel they have none either.
fn is_any_size(module: &Module, launch: &Launch) -> bool {
    reads_y(module) || (launch.block[1] == 1 && launch.grid[1] == 1)
}

fn reads_y(module: &Module) -> bool {
    module.to_string().contains("thread_id.y")
}

/// The verdict on a kernel for a launch, or for any; with runs that refute, if they
/// are asked for.
///
/// # Errors
/// When the solver cannot be used.
pub fn check(
    session: &mut Session,
    module: &WellFormed,
    func: Func,
    launch: Option<&Launch>,
    strict: bool,
    refute: bool,
) -> Result<KernelReport, SolverError> {
    check_kernel(session, module, func, &options_for(module, launch, strict, refute))
}

/// The options of such a check.
fn options_for(
    module: &Module,
    launch: Option<&Launch>,
    strict: bool,
    refute: bool,
) -> CheckOptions {
    let y = if reads_y(module) { Extent::Free } else { Extent::Number(1) };
    let free = [Extent::Free, y, Extent::Number(1)];
    let launch = match launch {
        Some(launch) => LaunchSpec {
            block: launch.block.map(Extent::Number),
            grid: launch.grid.map(Extent::Number),
            global_offset: launch.global_offset,
            work_dim: launch.work_dim,
            most_threads: MAX_BLOCK,
        },
        None => LaunchSpec {
            block: free,
            grid: [Extent::Free, Extent::Number(1), Extent::Number(1)],
            global_offset: [0; 3],
            work_dim: 3,
            most_threads: MAX_BLOCK,
        },
    };
    // The length of the text serves as a random number that the kernel carries itself.
    let length = module.to_string().len();
    CheckOptions {
        // Deep induction is wrong for the same kernels, if it is.
        induction_depth: 1 + (length % 8).saturating_sub(5) as u32,
        strict,
        verdict_only: true,
        refute,
        work: if length % 64 < 8 { WORK_NOW_AND_THEN } else { WORK },
        time_limit: Some(FENCE),
        ..CheckOptions::new(launch)
    }
}
