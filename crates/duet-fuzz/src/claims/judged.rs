//! What runs show about made kernels, against what is proved of them.
//!
//! Several kernels are one file, which is read once; where functions have contracts, twice:
//! runs execute them as they are written, and what is checked knows their contracts only. A
//! kernel is accepted if it and the functions that are verified for it are proved.
//!
//! A violation takes a run that shows a defect. So kernels in which runs show none are proved in
//! samples only, for the share of them that is accepted: they take most of the time.

use std::path::Path;
use std::time::Duration;

use duet_engine::check::{CheckOptions, Session, Verdict, check_kernel};
use duet_engine::load::{LoadOptions, LoadedFile, load};
use duet_frontend::Options;
use duet_interp::{
    ArrayInput, Fill, FindingKind, Inputs, Launch, Limits, RunOptions, Schedule, Status, run,
};
use duet_ir::{Func, WellFormed};
use duet_vc::{Extent, LaunchSpec, MAX_BLOCK};

use super::program::Program;
use crate::oracle::Class;
use crate::random::Random;

/// Work for one check, in units of z3's resource count.
const WORK: u64 = 3_000_000;
/// What takes longer is given up.
const FENCE: Duration = Duration::from_secs(15);
/// Runs on each launch.
const RUNS: usize = 6;

/// How a kernel is checked, and the launches whose runs count.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The launch that is checked; none: any size.
    pub checked: Option<Launch>,
    /// A thread that returns before a barrier of others is a defect.
    pub strict: bool,
    /// Where the runs' inputs come from.
    pub seed: u64,
}

/// A defect that a run showed.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The kernel, or a function that is verified by itself.
    pub name: String,
    /// The launch, arguments and schedule.
    pub run: String,
    /// The finding.
    pub finding: FindingKind,
}

/// What came of a kernel.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The first defect that a run showed.
    pub shown: Option<Shown>,
    /// It is proved, with all functions that are verified for it.
    pub is_accepted: bool,
    /// A proof was tried.
    pub is_asked: bool,
    /// It could not be read.
    pub is_refused: bool,
}

/// Draws how a kernel is checked.
pub fn setting(program: &Program, random: &mut Random) -> Setting {
    let launches = launches(program.is_flat);
    let checked = (!random.percent(10)).then(|| random.pick(&launches));
    Setting { checked, strict: random.percent(40), seed: random.bits() }
}

fn launches(is_flat: bool) -> Vec<Launch> {
    match is_flat {
        true => vec![Launch::new([1, 1, 1], [4, 2, 1]), Launch::new([1, 1, 1], [8, 8, 1])],
        false => [(1, 8), (1, 64), (1, 64), (1, 40), (2, 8), (1, 1)]
            .map(|(blocks, threads)| Launch::linear(blocks, threads))
            .to_vec(),
    }
}

/// A file that was read in the two ways.
pub struct Files {
    /// As it is written.
    inlined: LoadedFile,
    /// By contracts, where there are any.
    modular: Option<LoadedFile>,
}

impl Files {
    /// Writes and reads the kernels.
    ///
    /// # Errors
    /// If the file cannot be written, or nothing of it can be used.
    pub fn read(programs: &[Program], cache: Option<&Path>) -> Result<Files, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("claims.cu");
        let text: Vec<String> = programs.iter().map(Program::text).collect();
        std::fs::write(&file, text.concat()).map_err(|error| error.to_string())?;
        let read = |by_contract: bool| {
            let cache_dir = cache.map(Path::to_path_buf);
            let reading = Options { by_contract, cache_dir, ..Options::default() };
            load(&LoadOptions::plain(file.clone(), reading))
                .map_err(|error| format!("{error}: {error:?}"))
        };
        let has_contracts = programs.iter().any(Program::has_contract);
        let modular = if has_contracts { Some(read(true)?) } else { None };
        Ok(Files { inlined: read(false)?, modular })
    }

    /// Runs and checks one of the kernels. Of those in which runs show nothing, one in `sample`
    /// is checked.
    ///
    /// # Errors
    /// When the solver cannot be used.
    pub fn judge(
        &self,
        session: &mut Session,
        program: &Program,
        setting: &Setting,
        sample: usize,
    ) -> Result<Judged, String> {
        let checked = self.modular.as_ref().unwrap_or(&self.inlined);
        let names = [program.name(), format!("f{}", program.number)];
        let units: Vec<Func> = kernels(checked, &names);
        let whole = kernels(&self.inlined, &names[..1]);
        let is_read = |name: &String| named(checked, name).is_some();
        if !is_read(&names[0]) || whole.is_empty() {
            let (is_accepted, is_asked) = (false, false);
            return Ok(Judged { shown: None, is_accepted, is_asked, is_refused: true });
        }
        let mut shown = observe(&self.inlined.module, whole[0], program, setting);
        for &unit in &units {
            // A kernel whose functions are known by contracts has no runs of its own.
            if Some(unit) != named(checked, &names[0]) {
                shown = shown.or_else(|| observe(&checked.module, unit, program, setting));
            }
        }
        let is_asked = shown.is_some() || program.number.is_multiple_of(sample);
        let mut is_accepted = is_asked;
        for unit in units {
            is_accepted =
                is_accepted && is_proved(session, &checked.module, unit, program, setting)?;
        }
        Ok(Judged { shown, is_accepted, is_asked, is_refused: false })
    }
}

fn named(file: &LoadedFile, name: &str) -> Option<Func> {
    kernels(file, &[name.to_string()]).first().copied()
}

fn kernels(file: &LoadedFile, names: &[String]) -> Vec<Func> {
    let is_wanted = |&kernel: &Func| names.contains(&file.module.functions[kernel].name);
    file.kernels().into_iter().filter(is_wanted).collect()
}

fn is_proved(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    program: &Program,
    setting: &Setting,
) -> Result<bool, String> {
    let y = if program.is_flat { Extent::Free } else { Extent::Number(1) };
    let one = Extent::Number(1);
    let launch = match &setting.checked {
        Some(launch) => LaunchSpec {
            block: launch.block.map(Extent::Number),
            grid: launch.grid.map(Extent::Number),
            global_offset: launch.global_offset,
            work_dim: launch.work_dim,
            most_threads: MAX_BLOCK,
        },
        None => LaunchSpec {
            block: [Extent::Free, y, one],
            grid: [Extent::Free, one, one],
            global_offset: [0; 3],
            work_dim: 3,
            most_threads: MAX_BLOCK,
        },
    };
    let options = CheckOptions {
        strict: setting.strict,
        verdict_only: true,
        safety_net: true,
        refute: false,
        work: WORK,
        time_limit: Some(FENCE),
        ..CheckOptions::new(launch)
    };
    let report =
        check_kernel(session, module, kernel, &options).map_err(|error| error.to_string())?;
    Ok(report.verdict == Verdict::Proved)
}

/// Limits of a run: kernels are small, and what loops for ever is cut off.
const LIMITS: Limits = Limits {
    steps: 400_000,
    thread_steps: 4_000,
    memory: 64 << 20,
    call_depth: 8,
    conflicts: u64::MAX,
};

/// The first defect that a proof would exclude, in runs in which all is met that proofs take
/// for granted.
fn observe(
    module: &WellFormed,
    kernel: Func,
    program: &Program,
    setting: &Setting,
) -> Option<Shown> {
    let launches = match &setting.checked {
        Some(launch) => vec![launch.clone()],
        None => launches(program.is_flat),
    };
    let mut random = Random::new(setting.seed);
    for launch in launches {
        for number in 0..RUNS {
            let (inputs, options, text) = inputs(module, kernel, number, &mut random);
            let outcome = run(module, kernel, &launch, &inputs, &options).ok()?;
            let illegal = matches!(
                outcome.status,
                Status::RequirementFailed(_) | Status::AssumptionFailed(_)
            );
            let assumed_away = outcome.findings.iter().any(|finding| {
                matches!(
                    finding.kind,
                    FindingKind::OutOfBounds { .. } | FindingKind::SignedOverflow { .. }
                )
            });
            if illegal || assumed_away {
                continue;
            }
            let counts = |finding: &FindingKind| {
                Class::of(finding).is_some_and(|class| class.counts(setting.strict))
            };
            if let Some(finding) = outcome.findings.into_iter().find(|one| counts(&one.kind)) {
                let name = module.functions[kernel].name.clone();
                let run = format!("grid {:?} block {:?}, {text}", launch.grid, launch.block);
                return Some(Shown { name, run, finding: finding.kind });
            }
        }
    }
    None
}

/// Arguments, contents and schedule of a run.
fn inputs(
    module: &WellFormed,
    kernel: Func,
    number: usize,
    random: &mut Random,
) -> (Inputs, RunOptions, String) {
    let n = if number == 0 { 4 } else { random.below(5) };
    let seed = random.bits();
    let (fill, contents) = match number % 4 {
        0 => (Fill::Iota, "iota"),
        1 => (Fill::Zero, "zeros"),
        2 => (Fill::Random(seed), "random"),
        _ => (Fill::Bytes((0..4096).map(|_| random.below(2) as u8).collect()), "small"),
    };
    let bytes = (number % 4 == 3).then_some(1 << 16);
    let mut inputs = Inputs { other_arrays: ArrayInput { fill, bytes }, ..Inputs::new() };
    // Functions that are verified by themselves have no numbers among their parameters.
    if module.functions[kernel].params.iter().any(|param| param.name == "n") {
        inputs = inputs.scalar("n", n as u128);
    }
    let schedule = match number % 3 {
        0 => Schedule::InOrder,
        1 => Schedule::Reversed,
        _ => Schedule::Seeded(seed),
    };
    let unknown_below = random.pick(&[None, Some(2), Some(5), Some(70)]);
    let options =
        RunOptions { schedule, seed, limits: LIMITS, unknown_below, ..RunOptions::default() };
    let text = format!(
        "n = {n}, contents {contents}, {schedule:?}, unknown below {unknown_below:?}, seed {seed}"
    );
    (inputs, options, text)
}
