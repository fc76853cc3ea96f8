//! A solver session, and the state of checking one kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duet_analysis::{
    Aliasing, ArrayUses, ClosedForms, Dominators, Homes, Loops, Ranges, Uniformity,
    UniformityOptions,
};
use duet_ir::{
    AnnotationKind, Array, ArrayOrigin, BarrierScope, Block, Func, Function, Inst, InstData,
    Language, Module, Severity, Space, Value,
};
use duet_product::{Apart, Family, PairProgram, Settings};
use duet_smt::solver::{
    Answer, CancelToken, Limits, Portfolio, ProcessSolver, QueryCache, QueryLog, Reason,
    RecordingSolver, Solver, SolverError, SolverKind, locate,
};
use duet_smt::{
    DecidedBy, Decider, DeciderOptions, Decision, Policy, Prefer, Question, TermId, TermPool,
};
use duet_vc::{Extent, Geometry, InRange, Invariants, Kernel, LaunchSpec};

use super::effort::Effort;
use super::launch::launch_shape;
use super::masks::meeting_places;
use super::options::{CheckOptions, Patience, SessionOptions};
use super::report::{Finding, Inference, Why};
use super::trace::Trace;

/// The solvers that are there, by name.
pub fn installed_solvers() -> Vec<&'static str> {
    let all = [SolverKind::Z3, SolverKind::Cvc5, SolverKind::Bitwuzla];
    let is_there = |kind: &SolverKind| locate(*kind, None).is_ok();
    all.into_iter().filter(is_there).map(SolverKind::name).collect()
}

/// A solver that is asked, over many kernels.
pub struct Session {
    pub(super) decider: Decider,
    options: SessionOptions,
    /// Sessions for those who work beside this one.
    spare: Vec<Session>,
}

impl Session {
    /// Starts a session with z3.
    pub fn new() -> Result<Session, SolverError> {
        Session::with_options(&SessionOptions::default())
    }

    /// Starts a session. A solver that is missing is an error at once.
    pub fn with_options(options: &SessionOptions) -> Result<Session, SolverError> {
        let mut solvers: Vec<Box<dyn Solver>> = vec![];
        for &kind in &options.solvers {
            solvers.push(Box::new(ProcessSolver::find(kind, None)?));
        }
        let mut solver = match solvers.len() {
            1 => solvers.remove(0),
            _ => Box::new(Portfolio::new(solvers)),
        };
        let cache = opened(&options.answer_folder, "cache of answers", QueryCache::open)?;
        let log = opened(&options.query_folder, "log of questions", QueryLog::open)?;
        if cache.is_some() || log.is_some() {
            solver = Box::new(RecordingSolver::new(solver, cache, log));
        }
        let policy = Policy { algebra: options.algebra, prefer: options.encoding };
        let decider = Decider::new(solver, DeciderOptions::default()).with_policy(policy);
        Ok(Session { decider, options: options.clone(), spare: vec![] })
    }

    /// A session of the same kind, to work beside this one. It keeps no questions: their
    /// numbers would depend on who is faster.
    pub(super) fn another(&mut self) -> Result<Session, SolverError> {
        match self.spare.pop() {
            Some(session) => Ok(session),
            None => Session::with_options(&SessionOptions {
                query_folder: None,
                ..self.options.clone()
            }),
        }
    }

    /// Keeps a session for the next time.
    pub(super) fn take_back(&mut self, session: Session) {
        self.spare.push(session);
    }

    /// Time spent in solvers so far.
    pub fn in_solvers(&self) -> Duration {
        self.decider.statistics().in_solvers
    }

    /// How often each means decided.
    pub fn decided(&self) -> Vec<(&'static str, u64)> {
        self.decider.statistics().decided.iter().map(|(&word, &count)| (word, count)).collect()
    }
}

/// Opens a folder, if one is named.
fn opened<T>(
    folder: &Option<PathBuf>,
    name: &str,
    open: fn(&Path) -> std::io::Result<T>,
) -> Result<Option<T>, SolverError> {
    let Some(folder) = folder else { return Ok(None) };
    let why = |error| format!("{}: {error}", folder.display());
    let failed = |error| SolverError::CannotStart { name: name.to_string(), why: why(error) };
    open(folder).map(Some).map_err(failed)
}

/// What the analyses know about a kernel.
pub struct KernelFacts<'m> {
    pub(super) module: &'m Module,
    pub(super) kernel: Func,
    pub(crate) func: &'m Function,
    pub(crate) loops: Loops,
    pub(super) uses: ArrayUses,
    pub(super) homes: Homes,
    pub(super) forms: ClosedForms,
    pub(super) ranges: Ranges,
    pub(crate) uniformity: Uniformity,
    pub(super) program: PairProgram,
    pub(super) dominators: Dominators,
    /// Where threads of a warp in lock step are apart; empty without that option.
    pub(super) apart: Vec<Apart>,
    /// Do all lanes of a warp come by at every barrier and exchange of the warp?
    pub(super) all_lanes_come_by: bool,
    /// The launch has at least so many threads.
    pub(super) least_threads: u128,
    /// Arrays of which each place is written by one thread only, as far as that was
    /// asked.
    pub(super) single_writers: BTreeSet<Array>,
}

impl<'m> KernelFacts<'m> {
    /// Runs the analyses.
    pub fn new(module: &'m Module, kernel: Func, options: &CheckOptions) -> KernelFacts<'m> {
        let func = &module.functions[kernel];
        let dominators = Dominators::new(func);
        let loops = Loops::new(func, &dominators);
        let aliasing = match options.may_alias {
            true => Aliasing::MayAlias,
            false => Aliasing::Distinct,
        };
        let uses = ArrayUses::new(module, kernel, aliasing);
        let uniformity = Uniformity::new(module, func, &loops, &uses, UniformityOptions::default());
        let places = meeting_places(func, &uniformity);
        let meets = |inst| places.contains(&inst);
        let images = func.arrays_used().into_iter().any(|array| is_image(module, array));
        let settings = Settings { lock_step: options.warp_sync, meets: &meets, images };
        let program = PairProgram::new(func, &loops, &settings);
        let may_part = |block| uniformity.may_be_divergent_branch(block, BarrierScope::Block);
        let apart = match options.warp_sync {
            Some(_) => Apart::all(func, &dominators, &loops, &may_part),
            None => vec![],
        };
        let homes = Homes::new(func);
        let forms = ClosedForms::new(func, &loops, &uses);
        let (shape, arguments) = (launch_shape(&options.launch), given_arguments(func, options));
        let ranges = Ranges::new(func, &dominators, &loops, &shape, &arguments);
        KernelFacts {
            module,
            kernel,
            func,
            loops,
            uses,
            homes,
            forms,
            ranges,
            uniformity,
            program,
            dominators,
            apart,
            all_lanes_come_by: places.is_empty(),
            least_threads: least_threads(&options.launch),
            single_writers: BTreeSet::new(),
        }
    }

    /// Do the barriers of the family order accesses to the array?
    pub(super) fn is_ordered_by(&self, array: Array, family: &Family) -> bool {
        match self.module.arrays[array].space {
            Space::Shared => family.shared,
            Space::Global | Space::Constant if is_image(self.module, array) => family.images,
            Space::Global | Space::Constant => family.global,
            Space::Private => false,
        }
    }

    /// Can two accesses to the array race at all?
    pub(super) fn can_race(&self, array: Array) -> bool {
        let data = &self.module.arrays[array];
        // Constant memory is written, if at all, under the name of another array.
        data.space != Space::Private && !self.uses.is_never_written(array)
    }
}

/// Is the array an image that barriers order by a flag of its own? In CUDA they order
/// surfaces like global memory.
///
/// SOUNDNESS: test `barriers_order_what_their_flags_say`.
fn is_image(module: &Module, array: Array) -> bool {
    module.language == Language::OpenCl && module.arrays[array].origin == ArrayOrigin::Image
}

/// The product of the sizes that are given.
fn least_threads(launch: &LaunchSpec) -> u128 {
    let sizes = launch.block.iter().chain(&launch.grid);
    sizes.fold(1, |product, size| match size {
        Extent::Number(number) => product.saturating_mul(u128::from(*number)),
        _ => product,
    })
}

/// The state of checking one kernel.
pub struct Check<'s, 'f, 'm> {
    pub(super) session: &'s mut Session,
    pub(super) facts: &'f KernelFacts<'m>,
    pub(super) options: &'f CheckOptions,
    pub(super) pool: TermPool,
    pub(super) geometry: Geometry,
    pub(super) invariants: Invariants,
    /// How they were found.
    pub(super) search: Inference,
    /// Arithmetic that is assumed to stay in its range.
    pub(super) in_range: InRange,
    pub(super) findings: Vec<Finding>,
    /// How many candidates each rule made.
    pub(super) candidates_made: BTreeMap<&'static str, usize>,
    /// What was asked and who answered.
    pub(super) trace: Trace,
    /// A question was left open in haste: the rest is of no use.
    pub(super) gave_up: bool,
    /// Invariants may not rest on what the source assumes.
    pub(super) ignores_stated: bool,
    /// Stops the questions that are being asked.
    pub(super) cancel: CancelToken,
    /// When everything that is still open becomes unproven.
    deadline: Option<Instant>,
}

impl<'s, 'f, 'm> Check<'s, 'f, 'm> {
    /// Nothing checked yet.
    pub fn new(
        session: &'s mut Session,
        facts: &'f KernelFacts<'m>,
        options: &'f CheckOptions,
        in_range: InRange,
    ) -> Self {
        let mut pool = TermPool::new();
        let mut geometry = Geometry::new(&mut pool, &options.launch);
        geometry.facts.extend(argument_facts(&mut pool, facts.func, options));
        let global_size = super::launch::global_size_facts(&mut pool, &geometry, options);
        geometry.facts.extend(global_size);
        Check {
            session,
            facts,
            options,
            pool,
            geometry,
            invariants: Invariants::default(),
            search: Inference::default(),
            in_range,
            findings: vec![],
            candidates_made: BTreeMap::new(),
            trace: Trace { is_wanted: options.explain, ..Trace::default() },
            gave_up: false,
            ignores_stated: false,
            cancel: CancelToken::new(),
            deadline: options.time_limit.map(|limit| Instant::now() + limit),
        }
    }

    /// The kernel, for the encoder.
    pub(super) fn kernel<'k>(
        facts: &'k KernelFacts<'_>,
        options: &CheckOptions,
        geometry: &'k Geometry,
        in_range: &'k InRange,
    ) -> Kernel<'k> {
        Kernel {
            module: facts.module,
            func: facts.func,
            loops: &facts.loops,
            uses: &facts.uses,
            homes: &facts.homes,
            forms: &facts.forms,
            geometry,
            lock_step: options.warp_sync.is_some(),
            private_arrays: options.shortcuts.private_arrays,
            single_writers: &facts.single_writers,
            in_range,
        }
    }

    /// Asks whether the conjunction can be satisfied.
    pub(super) fn decide(
        &mut self,
        literals: &[TermId],
        about: &str,
    ) -> Result<Decision, SolverError> {
        self.decide_with(literals, about, Effort::Full)
    }

    /// Asks with more or less effort.
    pub(super) fn decide_with(
        &mut self,
        literals: &[TermId],
        about: &str,
        effort: Effort,
    ) -> Result<Decision, SolverError> {
        if self.trace.only_written {
            return Ok(self.write_down(literals, about));
        }
        let left = self.time_left();
        if left.is_zero() {
            return Ok(out_of_time());
        }
        let mut decision = out_of_time();
        for options in self.means(effort, left) {
            let cancel = self.cancel.clone();
            let prefer = self.preferred_encoding();
            let question = Question { literals, about, cancel, prefer };
            self.session.decider.set_options(options);
            decision = self.session.decider.decide(&mut self.pool, &question)?;
            if !matches!(decision.answer, Answer::Unknown(_)) {
                break;
            }
        }
        let is_open = matches!(decision.answer, Answer::Unknown(_)) && effort != Effort::Moment;
        self.gave_up |= self.options.patience == Patience::None && is_open;
        // What takes more than a moment is asked again.
        if effort != Effort::Moment || decision.answer == Answer::Unsat {
            self.keep(about, &decision);
        }
        Ok(decision)
    }

    /// Is the verdict clear, and nothing else wanted? It is not "proved" then.
    pub(super) fn is_settled(&self) -> bool {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        self.gave_up || self.options.verdict_only && self.findings.iter().any(is_error)
    }

    /// Is there no point in asking more: the verdict is clear, or the time is up? The
    /// latter is a finding.
    ///
    /// SOUNDNESS: whoever stops because of this leaves a finding behind, or knows of one.
    pub(super) fn is_over(&mut self) -> bool {
        if self.trace.only_written || self.is_settled() {
            return self.is_settled();
        }
        let is_late = self.time_left().is_zero();
        if is_late && self.findings.iter().all(|finding| finding.rule != "time-limit") {
            let why = "what was not looked at by then is open";
            self.report_kernel("time-limit", Why::Stated(why.to_string()));
        }
        is_late
    }

    /// What a question may use, with so much time left; one after the other.
    fn means(&self, effort: Effort, left: Duration) -> Vec<DeciderOptions> {
        let mut tries = match self.options.patience {
            Patience::Full => vec![effort.options()],
            Patience::Little => vec![effort.little()],
            Patience::Glance => effort.at_a_glance(),
            Patience::None => vec![Effort::Moment.options()],
        };
        for options in &mut tries {
            options.first.wall = options.first.wall.min(left);
            if let Some(second) = &mut options.second {
                second.wall = second.wall.min(left);
            }
        }
        tries
    }

    /// Where the sizes are numbers, products of symbols are few, and bit-vectors are faster
    /// even so: over 382 kernels, with 2 s each, 340 are proved instead of 331, in 0.94 of
    /// the time.
    fn preferred_encoding(&self) -> Prefer {
        let mut sizes = self.options.launch.block.iter().chain(&self.options.launch.grid);
        let are_given = sizes.all(|size| *size != Extent::Free);
        match self.session.options.encoding {
            Prefer::Auto if are_given => Prefer::Bits,
            own => own,
        }
    }

    /// What a question to a solver may cost; `None` if none may be asked any more.
    pub(super) fn limits(&self, effort: Effort) -> Option<Limits> {
        let left = self.time_left();
        let means = self.means(effort, left).into_iter().rfind(|means| means.solvers);
        means.filter(|_| !left.is_zero()).map(|means| means.first)
    }

    /// Until everything that is still open becomes unproven.
    fn time_left(&self) -> Duration {
        if self.is_settled() {
            return Duration::ZERO;
        }
        match self.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            None => Duration::MAX,
        }
    }

    /// Asks the simplifier and the algebra only; not at all when time is up.
    pub(super) fn decide_cheaply(
        &mut self,
        literals: &[TermId],
        about: &str,
    ) -> Result<bool, SolverError> {
        if self.trace.only_written {
            return Ok(false);
        }
        let decision = self.decide_with(literals, about, Effort::Moment)?;
        Ok(decision.answer == Answer::Unsat)
    }

    /// Why an answer is not a proof.
    pub(super) fn why(&self, answer: &Answer) -> Option<Why> {
        match answer {
            Answer::Unsat => None,
            Answer::Sat(model) => Some(Why::Model(Box::new(self.witness(model)))),
            Answer::Unknown(reason) => Some(Why::Solver(reason_in_words(*reason).to_string())),
        }
    }

    /// What about an instruction is not covered, if anything.
    fn unmodelled(&self, block: Block, inst: Inst) -> Option<&'static str> {
        use AnnotationKind::*;
        match &self.facts.func.insts[inst] {
            InstData::AsyncCopy { .. } if self.has_foreign_copies() => Some("asynchronous copies"),
            InstData::CallUnknown { name, .. } if name == duet_ir::ASYNCHRONOUS_COPY => {
                Some("asynchronous copies")
            }
            // SOUNDNESS: it may touch any memory (`a_function_without_a_body_may_write` in duet's tests).
            InstData::CallUnknown { .. } => Some("functions without a body"),
            InstData::Fresh { cause, .. }
                if self.options.strict && cause.ends_with(duet_ir::ASSUMED_FUNCTION) =>
            {
                Some("functions without a body")
            }
            InstData::Call { .. } => Some("calls that are not inlined"),
            InstData::Annotation { kind: Ensures | GlobalEnsures, .. } => Some("postconditions"),
            InstData::Annotation { kind: ReadsFrom | WritesTo, .. } => {
                Some("what a specification says that a function reads and writes")
            }
            InstData::Annotation { kind: BarrierInvariant | BarrierInvariantBinary, .. } => {
                Some("barrier invariants")
            }
            _ if self.may_miss_lanes(block, inst) => {
                Some("computed masks, where lanes of a warp may go different ways")
            }
            _ => None,
        }
    }

    /// Constructs that the encoding does not cover make the kernel unproven.
    pub fn reject_unmodelled(&mut self) {
        let func = self.facts.func;
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                if let Some(what) = self.unmodelled(block, inst) {
                    self.report("not-modelled", inst, None, Why::NotModelled(what));
                }
            }
        }
        if !self.facts.loops.is_reducible()
            && let Some(&inst) = func.layout.iter().flat_map(|&b| &func.blocks[b].insts).next()
        {
            self.report("not-modelled", inst, None, Why::NotModelled("irreducible loops"));
        }
    }

    /// Adds a finding, once per rule and places.
    pub(super) fn report(
        &mut self,
        rule: &'static str,
        primary: Inst,
        secondary: Option<Inst>,
        mut why: Why,
    ) {
        if let Why::Model(witness) = &mut why {
            witness.contents.append(&mut self.trace.read);
        }
        // The two threads are interchangeable, and so are the two places.
        let places = (Some(primary), secondary);
        let seen = self.findings.iter().any(|finding| {
            let known = (finding.primary, finding.secondary);
            finding.rule == rule
                && (known == places || secondary.is_some() && (known.1, known.0) == places)
        });
        if !seen {
            let severity = self.severity(rule, primary);
            let primary = Some(primary);
            let obstacles = std::mem::take(&mut self.trace.obstacles);
            self.findings.push(Finding { rule, severity, primary, secondary, why, obstacles });
        }
        self.trace.obstacles.clear();
    }

    /// Adds a finding about the kernel as a whole.
    pub(super) fn report_kernel(&mut self, rule: &'static str, why: Why) {
        let severity = Severity::Error;
        let (primary, secondary, obstacles) = (None, None, vec![]);
        self.findings.push(Finding { rule, severity, primary, secondary, why, obstacles });
    }

    /// Recent CUDA hardware counts threads that returned as arrived at a barrier of
    /// their block or warp; OpenCL leaves it undefined. SOUNDNESS: a barrier of the
    /// grid waits for them forever (kernels/soundness/11-exit-before-grid-barrier).
    fn severity(&self, rule: &str, primary: Inst) -> Severity {
        let is_cuda = self.facts.module.language == Language::Cuda;
        let of_grid = matches!(
            self.facts.func.insts[primary],
            InstData::Barrier { scope: duet_ir::BarrierScope::Grid, .. }
        );
        let tolerated = is_cuda && !of_grid && !self.options.strict;
        match rule {
            "exit-before-barrier" if tolerated => Severity::Warning,
            // What this rule lists was shown to be no race, or is reported as one.
            "benign-write-write-race" => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The findings.
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}

/// Nobody was asked: the time is over.
fn out_of_time() -> Decision {
    Decision {
        answer: Answer::Unknown(Reason::Timeout),
        by: DecidedBy::Nobody,
        took: Duration::ZERO,
        may_wrap: vec![],
    }
}

/// Why a solver found nothing out.
pub(super) fn reason_in_words(reason: Reason) -> &'static str {
    match reason {
        Reason::Timeout => "the time limit was reached",
        Reason::Resource => "the solver used up its resources",
        Reason::Memory => "the solver ran out of memory",
        Reason::Incomplete => "the solver gave up",
        Reason::Crashed => "the solver died or spoke garbage",
        Reason::Cancelled => "the solver was stopped",
    }
}

/// Scalar arguments that were given as numbers.
fn given_arguments(func: &Function, options: &CheckOptions) -> BTreeMap<Value, u128> {
    let scalars = func.params.iter().filter_map(|param| match param.kind {
        duet_ir::ParamKind::Scalar(value) => Some(value),
        _ => None,
    });
    let given = scalars.zip(&options.scalar_args);
    given.filter_map(|(value, bits)| Some((value, (*bits)?))).collect()
}

/// The same as facts.
fn argument_facts(pool: &mut TermPool, func: &Function, options: &CheckOptions) -> Vec<TermId> {
    let mut facts = vec![];
    for (value, bits) in given_arguments(func, options) {
        let Some(width) = func.type_of(value).bits() else { continue };
        let name = duet_vc::argument_name(func, value);
        if width == 1 {
            let symbol = pool.constant(&name, duet_smt::Sort::Bool);
            facts.push(if bits == 0 { pool.not(symbol) } else { symbol });
            continue;
        }
        let symbol = pool.bv_var(&name, width);
        let number = pool.bv(width, bits);
        facts.push(pool.eq(symbol, number));
    }
    facts
}
