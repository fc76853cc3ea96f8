//! Options of `duet check`, and what they come to.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use duet_bench::Shard;
use duet_engine::LaunchSizes;
use duet_engine::check::{
    Abstraction, CheckOptions, Composition, Encoding, Fence, Instrumenter, LogOptions, Prefer,
    Selection, SessionOptions, Shortcuts, WORK, argument_values, array_sizes, global_size,
    launch_spec,
};
use duet_engine::load::LoadOptions;
use duet_engine::tools::{SolverKind, preferred_solver};
use duet_frontend::Options;
use duet_ir::{Func, Module};
use duet_report::check::Replay;
use duet_report::{Baseline, Run, Sources};

use super::database::Database;
use super::launches::GivenLaunch;
use super::peer_options::PeerArgs;
use super::preconditions::{self, GivenPrecondition};
use crate::input::frontend_args::FrontendArgs;
use crate::input::sizes::SizeArgs;

/// For each kernel, unless the user says otherwise.
const TIME_LIMIT: Duration = Duration::from_secs(300);
/// Units of work that the option counts in.
const MILLION: u64 = 1_000_000;
/// Millions of units for all launches of a file, and the least and the most for each of
/// them. Of 78 launches of public programs that were proved, 7 needed more than 10 and one
/// more than 20; a file with many must still be done within a minute on two cores.
const WORK_OF_FILE: u64 = 600;
const LEAST_WORK: u64 = 15;
const MOST_WORK: u64 = 300;
/// For the launches of a file, unless the user gives any limit: with both compilations the
/// answer comes within a minute.
const TIME_OF_PROGRAM: Duration = Duration::from_secs(50);

/// Options of `duet check`. (No group of clap's: `duet emit` takes them over.)
#[derive(clap::Args, Clone)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    pub frontend: FrontendArgs,
    /// Further files of the program, folders of them, or @LIST: a file with a name on each line
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// Values of a kernel's scalar parameters, `*` for any; checks only the kernels named
    #[arg(long, value_name = "KERNEL,VALUE,...")]
    kernel_args: Vec<PerKernel<u128>>,
    /// Sizes in bytes behind a kernel's pointer parameters, `*` for unknown; checks only the kernels named
    #[arg(long, value_name = "KERNEL,BYTES,...")]
    kernel_arrays: Vec<PerKernel<u64>>,

    /// Prove the kernels (the default)
    #[arg(long)]
    verify: bool,
    /// Check that accesses stay inside their arrays
    #[arg(long)]
    check_array_bounds: bool,
    /// Leave data races out
    #[arg(long)]
    only_divergence: bool,
    /// Check only pairs of threads within a block
    #[arg(long)]
    only_intra_group: bool,
    /// Two writes of the same value are a race too
    #[arg(long)]
    no_benign_tolerance: bool,
    /// Threads that return before a barrier are an error in CUDA too; signed overflow is never assumed away
    #[arg(long)]
    strict: bool,
    /// How races are looked for: `pairs` compares accesses with accesses; the others log
    /// those of one thread, watching one offset or choosing among them [default: pairs]
    #[arg(long, value_name = "NAME", value_parser = ["pairs", "watchdog-single", "watchdog-multiple", "original"])]
    race_instrumenter: Option<String>,
    /// Check in both ways, by pairs and by logs: if one proves what the other refutes, that is an internal error
    #[arg(long)]
    cross_check: bool,
    /// Check in two stages and show them: races and barriers without claims about memory, then the claims
    #[arg(long, conflicts_with_all = ["race_instrumenter", "cross_check", "only_divergence"])]
    staged: bool,
    /// Assume that warps of N threads run in lock step, as old code does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    warp_sync: Option<u32>,

    /// Different pointers may point into the same memory
    #[arg(long)]
    may_alias: bool,

    /// Show that what the source assumes leaves every barrier and access reachable
    #[arg(long)]
    vacuity: bool,

    /// Ignore contracts, loop invariants and barrier invariants of the source
    #[arg(long, conflicts_with = "only_requires")]
    no_annotations: bool,
    /// The same, but keep preconditions
    #[arg(long)]
    only_requires: bool,
    /// Drop loop invariants of the source that don't hold
    #[arg(long)]
    invariants_as_candidates: bool,
    /// Make up no loop invariants
    #[arg(long)]
    no_infer: bool,
    /// Make up no loop invariants by this rule (may be repeated)
    #[arg(long, value_name = "RULE", action = clap::ArgAction::Append)]
    omit_infer: Vec<String>,
    /// Make up loop invariants by this rule only (may be repeated)
    #[arg(long, value_name = "RULE", action = clap::ArgAction::Append)]
    only_infer: Vec<String>,
    /// Who sorts out guessed loop invariants: H, or others before it (DYN;H) or
    /// beside it (DYN||SBASE||H); others are SBASE, SSTEP, LU(1) and DYN [default: DYN;H]
    #[arg(long, value_name = "ENGINES")]
    engines: Option<Composition>,
    /// Iterations of a loop that induction goes back
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=64))]
    k_induction_depth: u32,
    /// Show the loop invariants that were found
    #[arg(long)]
    pub infer_info: bool,
    /// Keep in this folder which loop invariants proofs needed, and try them first
    #[arg(long, value_name = "DIR")]
    proof_cache: Option<PathBuf>,

    /// Look for defects in the first two iterations of each loop; proves nothing
    #[arg(long)]
    findbugs: bool,
    /// The same with so many iterations of each loop
    #[arg(long, value_name = "PASSES")]
    loop_unwind: Option<u32>,
    /// Prove it for any launch: ignore the sizes that are given, and preconditions of
    /// the source that fix an argument or a size to a number
    #[arg(long)]
    pub sizes_free: bool,
    /// Judge kernels for any launch too; the exit code stays that of the launches that the host code makes
    #[arg(long)]
    pub any_launch: bool,
    /// Judge a kernel for this launch, whatever the host code does: `k<<<[4,4],[16,16]>>>(n=1024,m=*)`
    #[arg(long = "launch", value_name = "LAUNCH", conflicts_with_all = ["kernel_args", "sizes_free", "block_dim", "grid_dim", "global_size"])]
    pub launches: Vec<GivenLaunch>,
    /// A build folder: its compile_commands.json says how each file is read
    #[arg(short = 'p', value_name = "DIR")]
    pub build: Option<PathBuf>,
    /// Check only files that changed since this commit of git, and those that include them
    #[arg(long, value_name = "GIT_REV", conflicts_with = "write_baseline")]
    pub since: Option<String>,
    /// Check only a part of the files, the same on every machine: 3/16
    #[arg(long, value_name = "K/N", conflicts_with = "write_baseline")]
    pub shard: Option<Shard>,
    /// Look for a precondition under which a kernel that is not proved is
    #[arg(long)]
    pub infer_requires: bool,
    /// Try barriers that mend races within a block
    #[arg(long)]
    pub suggest_fixes: bool,
    /// Look for no runs that show what is not proved
    #[arg(long)]
    no_refute: bool,
    /// Write a host program for each defect that a run showed into this folder
    #[arg(long, value_name = "DIR")]
    pub emit_repro: Option<PathBuf>,
    /// Seconds for each kernel, 300 unless given (`duet prove`: 60, and less work); 0 for no
    /// limit. Only a fence: see --work
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Seconds for all kernels of a file; 0 for no limit. Unless given, the launches of a
    /// program have 50 seconds together, and kernels without launches have no limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    file_timeout: Option<Duration>,
    /// Work for each kernel, in millions of units that solvers count; about ten are done in
    /// a second. What is decided does not depend on the machine. If this is not given, the
    /// launches of a program have a part of it each
    #[arg(long, value_name = "MILLIONS", default_value_t = WORK / MILLION)]
    work: u64,
    /// Whom to ask: z3, cvc5 or bitwuzla [default: z3, or cvc5 where z3 is not installed]
    #[arg(long, value_name = "NAME", value_parser = ["z3", "cvc5", "cvc4", "bitwuzla"])]
    solver: Option<String>,
    /// Ask z3 and cvc5 at the same time
    #[arg(long, conflicts_with = "solver")]
    portfolio: bool,
    /// How many kernels of the file are checked at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Write every question into this folder
    #[arg(long, value_name = "DIR")]
    emit_smt2: Option<PathBuf>,
    /// Keep the solvers' answers in this folder, and use those of earlier runs
    #[arg(long, value_name = "DIR")]
    query_cache: Option<PathBuf>,

    /// Which encoding solvers are asked in first: auto, bits or integers
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = ["auto", "bits", "integers"])]
    encoding: String,
    /// Leave out what only makes the check faster, for studies: algebra, uniformity,
    /// joint-questions, read-only-arrays, quiet-intervals, private-arrays, elements, plain-first, selectors
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = ["algebra", "uniformity", "joint-questions", "read-only-arrays", "quiet-intervals", "private-arrays", "elements", "plain-first", "selectors"])]
    without: Vec<String>,

    /// Say of each question who answered it, and show the steps of the algebra
    #[arg(long)]
    pub explain: bool,
    /// How to print: human, json, sarif, html, github or gitlab
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = ["human", "json", "sarif", "html", "github", "gitlab"])]
    pub format: String,
    /// Where the pages of rules are (docs/rules), for SARIF: each rule's `helpUri` is this, the
    /// rule's id and `.md`
    #[arg(long, value_name = "ADDRESS")]
    pub help_uri: Option<String>,
    /// Findings that are listed in this file are accepted
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings into a file for --baseline
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Show at most so many findings of a kernel; 0 for all
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub error_limit: usize,
    /// Show the time spent in each stage
    #[arg(long, alias = "time")]
    pub timings: bool,
    /// Print the times as a line: LABEL, verdict, seconds of clang, seconds of the rest
    #[arg(long, value_name = "LABEL")]
    pub time_as_csv: Option<String>,
    /// Say more about each kernel
    #[arg(long, conflicts_with_all = ["silent", "quiet"])]
    pub verbose: bool,
    /// Say nothing about what is proved, and no notes
    #[arg(long)]
    pub quiet: bool,
    /// Print nothing about the kernels; the exit code tells
    #[arg(long)]
    pub silent: bool,

    #[command(flatten)]
    pub peer: PeerArgs,

    /// The file is a copy of this one, which an editor has not saved: project file, build and
    /// includes are this one's
    #[arg(long, value_name = "FILE", hide = true)]
    pub stands_for: Option<PathBuf>,

    /// The file is one of several that are checked.
    #[arg(skip)]
    pub is_one_of_many: bool,
    /// Lines of the project file about findings that are accepted.
    #[arg(skip)]
    pub accepted: Vec<String>,
    /// Preconditions of kernels from the project file.
    #[arg(skip)]
    pub preconditions: Vec<GivenPrecondition>,
}

/// A kernel and a value for each of its parameters of one kind.
#[derive(Clone, Debug)]
struct PerKernel<T> {
    kernel: String,
    values: Vec<Option<T>>,
}

impl<T: TryFrom<u128>> FromStr for PerKernel<T> {
    type Err = String;

    /// `K,0x10,*,7`.
    fn from_str(text: &str) -> Result<PerKernel<T>, String> {
        let mut words = text.split(',').map(str::trim);
        let kernel = words.next().filter(|name| !name.is_empty());
        let kernel = kernel.ok_or("the kernel's name is missing")?.to_string();
        let values = words.map(parse_value).collect::<Result<_, _>>()?;
        Ok(PerKernel { kernel, values })
    }
}

fn parse_value<T: TryFrom<u128>>(word: &str) -> Result<Option<T>, String> {
    if word == "*" {
        return Ok(None);
    }
    let bits = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    };
    let value = bits.and_then(|bits| T::try_from(bits).ok());
    value.map(Some).ok_or_else(|| format!("`{word}` is neither a number nor `*`"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0);
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration.ok_or_else(|| "a number of seconds".to_string())
}

impl Args {
    /// The same options for one file of several.
    pub fn for_file(&self, file: &Path, database: Option<&Database>) -> Args {
        let mut one = self.clone();
        let options = self.options_of(file, database);
        one.frontend.include_dirs = options.include_dirs;
        one.frontend.defines = options.defines;
        one.frontend.includes = options.includes;
        one.frontend.standard = options.standard;
        one.frontend.file = file.to_path_buf();
        one.more.clear();
        one
    }

    /// How a file is read: as the command line and the build say.
    pub fn options_of(&self, file: &Path, database: Option<&Database>) -> Options {
        let mut options = self.frontend.options();
        let file = self.stands_for.as_deref().unwrap_or(file);
        if let Some(database) = database {
            database.add_to(file, &mut options);
        }
        // The folder of a file is searched by itself; that of the one it stands for is not.
        let folder = self.stands_for.as_ref().and_then(|file| file.parent());
        options.include_dirs.extend(folder.map(Path::to_path_buf));
        options
    }

    /// How the build reads its files, if there is a build folder.
    pub fn database(&self) -> Result<Option<Database>, String> {
        self.build.as_deref().map(Database::read).transpose()
    }

    /// Are the launches of the host code what is asked about? Not if sizes, arguments or
    /// launches are given.
    pub fn asks_for_sites(&self) -> bool {
        let sizes = self.sizes.sizes();
        let given = sizes.block.is_some() || sizes.grid.is_some() || sizes.global.is_some();
        let other = self.sizes_free
            || !self.launches.is_empty()
            || self.frontend.pointer_bitwidth == Some(32);
        !given && !other && self.kernel_args.is_empty() && self.kernel_arrays.is_empty()
    }

    /// The findings that are accepted.
    pub fn baseline(&self) -> Result<Option<Baseline>, String> {
        let mut baseline = match &self.baseline {
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
                let baseline = text.and_then(|text| Baseline::parse(&text));
                Some(baseline.map_err(|error| format!("{}: {error}", path.display()))?)
            }
            None => None,
        };
        for line in &self.accepted {
            baseline.get_or_insert_default().accept(line)?;
        }
        Ok(baseline)
    }

    /// Writes the baseline that is asked for.
    pub fn keep_baseline(&self, run: &Run) -> Result<(), String> {
        let Some(path) = &self.write_baseline else { return Ok(()) };
        let text = Baseline::of(run, &mut Sources::default()).to_text();
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// How many kernels are checked at a time. Questions that are written down are
    /// numbered as they are asked, so that is done one by one.
    pub fn jobs(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
        match &self.emit_smt2 {
            Some(_) => 1,
            None => self.jobs.map_or(cores, |jobs| jobs as usize),
        }
    }

    /// How the file is loaded: device functions are inlined, but for those with contracts under `--no-inline`, and only the
    /// kernels named are read.
    pub fn loading(&self) -> LoadOptions {
        let mut reading = Options {
            inline: true,
            by_contract: self.frontend.no_inline,
            ..self.frontend.options()
        };
        reading.kernels.extend(self.kernel_args.iter().map(|given| given.kernel.clone()));
        reading.kernels.extend(self.kernel_arrays.iter().map(|given| given.kernel.clone()));
        if let Some((text, _)) = self.with_preconditions() {
            reading.replaced.push((self.frontend.file.clone(), text));
        }
        LoadOptions {
            sizes: self.sizes.sizes(),
            check_sizes: true,
            forget_sizes: self.sizes_free,
            warp_size: Some(self.warp_sync.unwrap_or(32)),
            no_annotations: self.no_annotations,
            only_requires: self.only_requires,
            invariants_as_candidates: self.invariants_as_candidates,
            ..LoadOptions::plain(self.frontend.file.clone(), reading)
        }
    }

    /// The file with the preconditions that the project file gives, and the kernels that
    /// it does not define; `None` if there are none.
    fn with_preconditions(&self) -> Option<(String, Vec<String>)> {
        (!self.preconditions.is_empty()).then_some(())?;
        let text = std::fs::read_to_string(&self.frontend.file).ok()?;
        Some(preconditions::added(&text, &self.preconditions))
    }

    /// A precondition of a kernel that is not there; one of several files need not have it.
    pub fn missing_precondition(&self) -> Option<String> {
        let (_, missing) = self.with_preconditions().filter(|_| !self.is_one_of_many)?;
        let kernel = missing.first()?;
        Some(format!("requires: the file defines no kernel `{kernel}`"))
    }

    /// What is said about options before anything else.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.peer_options().notes();
        notes.extend(self.sizes.notes());
        for name in self.rules().unknown_names() {
            notes.push(format!("there is no rule `{name}` that guesses loop invariants"));
        }
        notes.extend(self.solver_note());
        if self.loop_unwind == Some(0) {
            notes.push("--loop-unwind=0 has no effect: loops are not unwound".to_string());
        }
        if self.error_limit > 0 && self.format != "human" {
            notes.push(format!("--error-limit has no effect on {}", self.format));
        }
        notes
    }

    /// Is another solver asked than the user may think?
    pub fn solver_note(&self) -> Option<String> {
        match self.solver.as_deref() {
            Some("cvc4") => Some("--solver=cvc4 asks cvc5, its successor".to_string()),
            None if !self.portfolio && preferred_solver() != SolverKind::Z3 => Some(
                "z3 is not installed: cvc5 is asked instead, and may prove less; \
                 `duet doctor` says how to install z3"
                    .to_string(),
            ),
            _ => None,
        }
    }

    /// How a run of the kernels is asked for.
    pub fn replay(&self) -> Replay {
        let mut reading = self.frontend.words();
        reading.extend(self.warp_sync.map(|size| format!("-D__WARP_SIZE={size}")));
        reading.extend(self.no_annotations.then(|| "--no-annotations".to_string()));
        reading.extend(self.only_requires.then(|| "--only-requires".to_string()));
        Replay { file: self.frontend.file.display().to_string(), reading }
    }

    /// The moment at which the check of a file that begins now ends.
    pub fn file_fence(&self, has_launches: bool) -> Fence {
        let is_limited = self.timeout.is_some() || self.work != WORK / MILLION;
        let usual = (has_launches && !is_limited).then_some(TIME_OF_PROGRAM);
        Fence::after(self.file_timeout.or(usual).filter(|limit| !limit.is_zero()))
    }

    /// Work for one of so many launches of a file: unless the user says how much, a program
    /// with many launches must not take as many times as long as a kernel.
    pub fn work_of_site(&self, count: usize) -> u64 {
        let part = (WORK_OF_FILE / count.max(1) as u64).clamp(LEAST_WORK, MOST_WORK);
        let is_given = self.work != WORK / MILLION;
        self.work.min(if is_given { self.work } else { part }).saturating_mul(MILLION)
    }

    /// Which solvers are asked.
    pub fn session(&self) -> SessionOptions {
        let solvers = match (self.portfolio, self.solver.as_deref()) {
            (true, _) => vec![SolverKind::Z3, SolverKind::Cvc5],
            (_, Some("cvc4" | "cvc5")) => vec![SolverKind::Cvc5],
            (_, Some("bitwuzla")) => vec![SolverKind::Bitwuzla],
            (_, Some(_)) => vec![SolverKind::Z3],
            (_, None) => vec![preferred_solver()],
        };
        let encoding = match self.encoding.as_str() {
            "bits" => Prefer::Bits,
            "integers" => Prefer::Integers,
            _ => Prefer::Auto,
        };
        SessionOptions {
            solvers,
            query_folder: self.emit_smt2.clone(),
            answer_folder: self.query_cache.clone(),
            algebra: self.uses("algebra"),
            encoding,
        }
    }

    /// The rules that guess loop invariants.
    fn rules(&self) -> Selection {
        Selection {
            only: self.only_infer.iter().cloned().collect(),
            omit: self.omit_infer.iter().cloned().collect(),
        }
    }

    /// Is this shortcut taken?
    fn uses(&self, shortcut: &str) -> bool {
        !self.without.iter().any(|name| name == shortcut)
    }

    /// How many iterations of each loop are looked at; none: all.
    fn iterations(&self) -> Option<u32> {
        self.loop_unwind.filter(|&iterations| iterations > 0).or(self.findbugs.then_some(2))
    }

    /// Is it of interest which loop invariants hold, and not only the verdict?
    fn wants_invariants(&self) -> bool {
        self.infer_info || self.engines.is_some() || self.rules() != Selection::default()
    }

    /// How a kernel is checked.
    pub fn options(
        &self,
        module: &Module,
        kernel: Func,
        sizes: &LaunchSizes,
    ) -> Result<CheckOptions, String> {
        let func = &module.functions[kernel];
        let of_kernel = |name: &str| names(func, name);
        let args = self.kernel_args.iter().rev().find(|given| of_kernel(&given.kernel));
        let arrays = self.kernel_arrays.iter().rev().find(|given| of_kernel(&given.kernel));
        let scalar_args = args.map(|given| argument_values(func, &given.values)).transpose();
        let sizes_given = arrays.map(|given| array_sizes(module, func, &given.values)).transpose();
        Ok(CheckOptions {
            global_size: global_size(sizes),
            tolerate_benign: !self.no_benign_tolerance,
            only_intra_group: self.only_intra_group,
            only_divergence: self.only_divergence,
            strict: self.strict,
            scalar_args: scalar_args
                .map_err(|error| format!("--kernel-args: {error}"))?
                .unwrap_or_default(),
            array_sizes: sizes_given
                .map_err(|error| format!("--kernel-arrays: {error}"))?
                .unwrap_or_default(),
            check_bounds: self.check_array_bounds,
            infer: !self.no_infer,
            rules: self.rules(),
            unwind: self.iterations(),
            engines: self.engines.clone().unwrap_or_default(),
            induction_depth: self.k_induction_depth,
            proof_cache: self.proof_cache.clone().filter(|_| !self.wants_invariants()),
            refute: !self.no_refute,
            warp_sync: self.warp_sync,
            may_alias: self.may_alias,
            vacuity: self.vacuity,
            safety_net: self.vacuity || cfg!(debug_assertions),
            work: self.work.saturating_mul(MILLION),
            time_limit: Some(self.timeout.unwrap_or(TIME_LIMIT)).filter(|limit| !limit.is_zero()),
            explain: self.explain,
            shortcuts: Shortcuts {
                uniformity: self.uses("uniformity"),
                joint_questions: self.uses("joint-questions"),
                read_only_arrays: self.uses("read-only-arrays"),
                quiet_intervals: self.uses("quiet-intervals"),
                private_arrays: self.uses("private-arrays"),
                elements: self.uses("elements"),
                plain_first: self.uses("plain-first") && !self.wants_invariants(),
                plain_in_range: self.uses("plain-first") && !self.wants_invariants(),
                selectors: self.uses("selectors"),
            },
            encoding: self.encoding(),
            cross_check: self.cross_check,
            staged: self.staged,
            ..CheckOptions::new(launch_spec(func, sizes))
        })
    }

    /// Options of the peer that mean nothing here, given how accesses are looked at.
    pub fn peer_options(&self) -> PeerArgs {
        match self.encoding() {
            Encoding::Pairs => self.peer.clone(),
            Encoding::Logs(_) => self.peer.without_logs(),
        }
    }

    /// Is a kernel checked in both ways?
    pub fn is_cross_check(&self) -> bool {
        self.cross_check
    }

    /// How kernels are made questions.
    fn encoding(&self) -> Encoding {
        let named = self.race_instrumenter.as_deref();
        let known = Instrumenter::ALL.into_iter().find(|(name, _)| Some(*name) == named);
        match known {
            None => Encoding::Pairs,
            Some((_, instrumenter)) => {
                let abstraction = match self.peer.is_given("adversarial-abstraction") {
                    true => Abstraction::Adversarial,
                    false => Abstraction::Equality,
                };
                let only_log = self.peer.is_given("only-log");
                let options = LogOptions::default();
                Encoding::Logs(LogOptions { instrumenter, abstraction, only_log, ..options })
            }
        }
    }
}

/// Is this the kernel's name, its name without template arguments, or its symbol?
pub fn names(func: &duet_ir::Function, name: &str) -> bool {
    let bare = func.name.split('<').next().unwrap_or(&func.name);
    name == func.name || name == bare || name == func.symbol
}
