//! Findings as diagnostics: rule, places, and values in the user's terms.

mod obstacles;
mod run;

use std::fmt::Write;

use duet_interp::FindingKind;
use duet_ir::{
    AccessMode, Array, BarrierScope, Diagnostic, Func, Function, Inst, InstData, Language, Module,
    Rule, Severity, SourceSpan, Space,
};
use duet_vc::{Extent, LaunchSpec, MAX_BLOCK};

use duet_check::{Construct, Finding, KernelReport, Why};
use duet_refute::Evidence;
use duet_vc::{Position, Touched, Witness};

use run::DescribeRun;

/// A finding about a kernel, as a diagnostic.
pub fn describe_finding(module: &Module, kernel: Func, finding: &Finding) -> Diagnostic {
    let text = Describe { module, kernel, func: &module.functions[kernel] };
    let mut diagnostic = Diagnostic::new(finding.rule, text.headline(finding));
    diagnostic.severity = finding.severity;
    diagnostic.primary = match finding.primary {
        Some(inst) => text.span(inst),
        None => module.source_span(text.func.loc),
    };
    let second = finding.secondary.and_then(|inst| text.span(inst));
    if let Why::Run(evidence) = &finding.why {
        let run = DescribeRun { text: &text, evidence };
        let [label, other] = run.labels();
        diagnostic.label = label;
        diagnostic.secondary.extend(second.zip(other));
    } else if let Some(second) = second
        && Some(&second) != diagnostic.primary.as_ref()
    {
        let label = text.label(finding);
        diagnostic.secondary.push((second, label));
    }
    diagnostic.notes = text.notes(finding);
    diagnostic.help = text.help(finding);
    diagnostic
}

/// A note on the lines that a finding was joined with others for.
pub fn describe_other_places(module: &Module, kernel: Func, others: &[Inst]) -> Option<String> {
    let func = &module.functions[kernel];
    let spans = others.iter().filter_map(|&inst| module.span_of_inst(func, inst));
    let mut lines: Vec<u32> = spans.map(|span| span.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let words: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &words[..] {
        [] => None,
        [one] => Some(format!("the same with line {one}")),
        [first @ .., last] => Some(format!("the same with lines {} and {last}", first.join(", "))),
    }
}

/// A warning about pointers that may point to the same memory; once per kernel.
pub fn missing_restrict(
    module: &Module,
    kernel: Func,
    report: &KernelReport,
) -> Option<Diagnostic> {
    let func = &module.functions[kernel];
    if report.may_alias {
        return None;
    }
    let loose = unrestricted_pointers(module, func);
    let (last, first) = loose.split_last()?;
    let names = format!("`{}` and `{last}`", first.join("`, `"));
    let restrict = match module.language {
        Language::Cuda => "__restrict__",
        Language::OpenCl => "restrict",
    };
    let headline = format!("{names} of kernel `{}` are assumed to be distinct arrays", func.name);
    Some(
        Diagnostic::new(Rule::MissingRestrict, headline)
            .at(module.source_span(func.loc))
            .note("if a launch passes overlapping memory, the verdict does not hold for it")
            .help(format!("declare the pointers `{restrict}` to state it in the source")),
    )
}

/// The launch in one line, in the words of the language.
pub fn describe_launch(language: Language, launch: &LaunchSpec) -> String {
    let (block, grid) = match language {
        Language::Cuda => ("blockDim", "gridDim"),
        Language::OpenCl => ("local_size", "num_groups"),
    };
    let mut line = format!("{block} = {}, {grid} = {}", sizes(&launch.block), sizes(&launch.grid));
    if launch.global_offset != [0; 3] {
        let [x, y, z] = launch.global_offset;
        let _ = write!(line, ", global_offset = [{x},{y},{z}]");
    }
    line
}

/// The same for a launch of known sizes.
pub(super) fn describe_sizes(
    language: Language,
    block: [u32; 3],
    grid: [u32; 3],
    global_offset: [u32; 3],
) -> String {
    let launch = LaunchSpec {
        block: block.map(Extent::Number),
        grid: grid.map(Extent::Number),
        global_offset,
        work_dim: 3,
        most_threads: MAX_BLOCK,
    };
    describe_launch(language, &launch)
}

/// `[64,4]`, `[*]`: without dimensions of size 1 at the end.
fn sizes(extents: &[Extent; 3]) -> String {
    let one = Extent::Number(1);
    let rank = extents.iter().rposition(|extent| *extent != one).map_or(1, |last| last + 1);
    let word = |extent: &Extent| match extent {
        Extent::Number(number) => number.to_string(),
        Extent::Free => "*".to_string(),
    };
    let words: Vec<String> = extents[..rank].iter().map(word).collect();
    format!("[{}]", words.join(","))
}

/// What a kernel calls an array: its parameter's name, if it is behind one.
pub fn array_name<'m>(module: &'m Module, func: &'m Function, array: Array) -> &'m str {
    func.array_name(module, array)
}

/// A kernel to speak about.
pub(super) struct Describe<'m> {
    pub(super) module: &'m Module,
    pub(super) kernel: Func,
    pub(super) func: &'m Function,
}

impl Describe<'_> {
    fn span(&self, inst: Inst) -> Option<SourceSpan> {
        self.module.span_of_inst(self.func, inst)
    }

    fn headline(&self, finding: &Finding) -> String {
        if let Why::Run(evidence) = &finding.why {
            return DescribeRun { text: self, evidence }.headline();
        }
        let lines = self.lines(finding);
        let array = self.array(finding);
        if let (Rule::NotModelled, Why::NotModelled(what)) = (finding.rule, &finding.why) {
            return format!("Duet does not model {what}");
        }
        if finding.rule == Rule::Vacuous && finding.primary.is_some() {
            return "what is assumed leaves no thread that gets here".to_string();
        }
        // One place: no thread is at another barrier.
        if finding.rule == Rule::BarrierDivergence && finding.secondary.is_none() {
            return "a thread may leave a loop while others wait at a barrier in it".to_string();
        }
        let Some(headline) = finding.rule.headline() else {
            return format!("{}{lines}", finding.rule);
        };
        headline
            .replace("{lines}", &lines)
            .replace("{array}", &array)
            .replace("{kernel}", &self.func.name)
    }

    /// " (line 4)", " (lines 4 and 7)".
    fn lines(&self, finding: &Finding) -> String {
        let line = |inst: Option<Inst>| inst.and_then(|inst| self.span(inst)).map(|at| at.line);
        match (line(finding.primary), line(finding.secondary)) {
            (Some(a), Some(b)) if a != b => format!(" (lines {a} and {b})"),
            (Some(a), _) => format!(" (line {a})"),
            _ => String::new(),
        }
    }

    /// The array that the finding is about, in backquotes.
    pub(super) fn array(&self, finding: &Finding) -> String {
        let common = |array: &Array| match finding.secondary {
            Some(second) => self.arrays(second).contains(array),
            None => true,
        };
        let first = finding.primary.map(|inst| self.arrays(inst)).unwrap_or_default();
        match first.iter().copied().find(common) {
            Some(array) => format!("`{}`", self.array_name(array)),
            None => "an array".to_string(),
        }
    }

    /// What the kernel calls the array. Arrays of the module have names that tell
    /// parameters of different kernels apart.
    pub(super) fn array_name(&self, array: Array) -> &str {
        array_name(self.module, self.func, array)
    }

    fn arrays(&self, inst: Inst) -> Vec<Array> {
        self.func.insts[inst].accesses().into_iter().map(|(_, access)| access.array).collect()
    }

    fn label(&self, finding: &Finding) -> String {
        let what = finding.secondary.map_or("is here", |inst| doing(&self.func.insts[inst]));
        if finding.rule == Rule::InvariantFailed {
            return format!("a thread {what}");
        }
        format!("the other thread {what}")
    }

    fn notes(&self, finding: &Finding) -> Vec<String> {
        let mut notes = match &finding.why {
            Why::Run(evidence) => DescribeRun { text: self, evidence }.notes(),
            Why::Model(witness) => {
                let introduction = match finding.severity {
                    Severity::Warning => "it may happen like this (no run has confirmed it):",
                    _ => "not proved; it may fail like this (no run has confirmed it):",
                };
                self.witness_notes(introduction, witness)
            }
            Why::Solver(reason) => vec![format!("not proved: {reason}")],
            Why::NotModelled(what) => vec![format!("not proved: Duet does not model {what}")],
            Why::Stated(text) => vec![text.clone()],
        };
        if !finding.is_refuted() {
            notes.extend(self.obstacles(&finding.obstacles));
        }
        let has_place = finding.primary.is_some();
        if has_place {
            notes.push(format!("in kernel `{}`", self.func.name));
        }
        notes
    }

    /// One note on the state, which no run has confirmed.
    fn witness_notes(&self, introduction: &str, witness: &Witness) -> Vec<String> {
        let mut text = introduction.to_string();
        let names = ["first thread", "second thread"];
        for (position, name) in witness.threads.iter().zip(names) {
            let name = if witness.threads.len() == 1 { "thread" } else { name };
            let _ = write!(text, "\n{name}: {}", self.position(witness, position));
        }
        let _ = write!(text, "\nlaunch: {}", self.witness_launch(witness));
        if !witness.arguments.is_empty() {
            let arguments: Vec<String> =
                witness.arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let _ = write!(text, "\narguments: {}", arguments.join(", "));
        }
        for (touched, name) in witness.touched.iter().zip(names) {
            let _ = write!(text, "\n{name} touches {}", self.bytes(touched));
        }
        vec![text]
    }

    /// "`s[3]`, bytes 12 to 15", or the bytes alone if they are no element.
    fn bytes(&self, touched: &Touched) -> String {
        let array = &self.module.arrays[touched.array];
        let name = self.array_name(touched.array);
        let granule = i64::from(array.granule.max(1));
        let last = touched.offset.wrapping_add(i64::from(touched.bytes.max(1)) - 1);
        let bytes = match touched.offset == last {
            true => format!("byte {last}"),
            false => format!("bytes {} to {last}", touched.offset),
        };
        match touched.offset % granule == 0 && i64::from(touched.bytes) == granule {
            true => format!("`{name}[{}]`, {bytes}", touched.offset / granule),
            false => format!("{bytes} of `{name}`"),
        }
    }

    /// Ids along dimensions of size 1 are zero and left out.
    fn position(&self, witness: &Witness, position: &Position) -> String {
        let mut parts = vec![];
        for (name, ids, sizes) in [
            (ID_NAMES.of(self.module.language).0, position.thread, witness.block_dim),
            (ID_NAMES.of(self.module.language).1, position.block, witness.grid_dim),
        ] {
            for dim in 0..3 {
                if sizes[dim] > 1 || dim == 0 {
                    parts.push(format!(
                        "{} = {}",
                        component(self.module.language, name, dim),
                        ids[dim]
                    ));
                }
            }
        }
        parts.join(", ")
    }

    fn witness_launch(&self, witness: &Witness) -> String {
        describe_sizes(self.module.language, witness.block_dim, witness.grid_dim, [0; 3])
    }
}

/// What thread and block ids are called.
struct IdNames {
    cuda: (&'static str, &'static str),
    opencl: (&'static str, &'static str),
}

const ID_NAMES: IdNames =
    IdNames { cuda: ("threadIdx", "blockIdx"), opencl: ("get_local_id", "get_group_id") };

impl IdNames {
    fn of(&self, language: Language) -> (&'static str, &'static str) {
        match language {
            Language::Cuda => self.cuda,
            Language::OpenCl => self.opencl,
        }
    }
}

/// `threadIdx.x`, `get_local_id(0)`.
fn component(language: Language, name: &str, dim: usize) -> String {
    match language {
        Language::Cuda => format!("{name}.{}", ["x", "y", "z"][dim]),
        Language::OpenCl => format!("{name}({dim})"),
    }
}

/// Of the two threads: are they in different blocks?
fn are_in_different_blocks(finding: &Finding) -> bool {
    let threads = threads_of(finding);
    threads.len() == 2 && threads[0].block != threads[1].block
}

fn are_in_one_block(finding: &Finding) -> bool {
    let threads = threads_of(finding);
    threads.len() == 2 && threads[0].block == threads[1].block
}

/// Does a run show it for two threads of one warp?
fn are_in_one_warp(finding: &Finding) -> bool {
    let Why::Run(evidence) = &finding.why else { return false };
    let [x, y, _] = evidence.run.launch.block;
    let warps = threads_of(finding)
        .iter()
        .map(|at| (at.thread[0] + x * (at.thread[1] + y * at.thread[2])) / 32)
        .collect::<Vec<_>>();
    are_in_one_block(finding) && warps[0] == warps[1]
}

/// Is only one of the two accesses atomic?
fn is_of_one_atomic(evidence: &Evidence) -> bool {
    let FindingKind::Race(race) = &evidence.defect.kind else { return false };
    race.first.kind.is_atomic() != race.second.kind.is_atomic()
}

fn threads_of(finding: &Finding) -> Vec<Position> {
    match &finding.why {
        Why::Run(evidence) => evidence.defect.threads(),
        Why::Model(witness) => witness.threads.clone(),
        Why::Solver(_) | Why::NotModelled(_) | Why::Stated(_) => vec![],
    }
}

impl Describe<'_> {
    /// What the user can do.
    fn help(&self, finding: &Finding) -> Option<String> {
        let advice = match finding.is_refuted() {
            true => None,
            false => self.advice(&finding.obstacles),
        };
        if let Why::Run(evidence) = &finding.why
            && let Some(condition) = &evidence.not_seen_if
        {
            return Some(format!(
                "no run with `{condition}` showed it: if callers keep to that, say so first in the \
                 kernel: `__requires({condition});`"
            ));
        }
        advice
            .or_else(|| self.help_about_flags(finding))
            .or_else(|| self.usual_help(finding).map(str::to_string))
    }

    /// What mends a race over a barrier of OpenCL that both threads pass, and that leaves out
    /// the memory of the array.
    fn help_about_flags(&self, finding: &Finding) -> Option<String> {
        let (Why::Run(evidence), Language::OpenCl) = (&finding.why, self.module.language) else {
            return None;
        };
        let FindingKind::Race(race) = &evidence.defect.kind else { return None };
        let [first, second] = &evidence.paths[..] else { return None };
        let between = [(first, second), (second, first)]
            .into_iter()
            .find_map(|(one, other)| one.until.filter(|line| other.since == Some(*line)))?;
        let (bit, memory, flag) = match self.module.arrays[race.array].space {
            Space::Shared => (1, "local", "CLK_LOCAL_MEM_FENCE"),
            Space::Global => (2, "global", "CLK_GLOBAL_MEM_FENCE"),
            Space::Constant | Space::Private => return None,
        };
        let leaves_out = |inst: &Inst| match &self.func.insts[*inst] {
            InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) } => {
                self.func.const_bits(*flags).is_some_and(|flags| flags & bit == 0)
            }
            _ => false,
        };
        let is_there = |inst: &Inst| self.span(*inst).is_some_and(|span| span.line == between);
        let mut barriers = self.func.insts_in_order().filter(is_there);
        (are_in_one_block(finding) && barriers.any(|inst| leaves_out(&inst))).then(|| {
            format!(
                "the barrier at line {between} does not order {memory} memory: pass it `{flag}`"
            )
        })
    }

    /// What mends defects of this kind.
    fn usual_help(&self, finding: &Finding) -> Option<&'static str> {
        let of_rule = || finding.rule.help(self.module.language);
        let of_reason = || help_about_reason(&finding.why);
        match (finding.rule, &finding.why) {
            (Rule::WriteWriteRace | Rule::ReadWriteRace, _) => {
                self.help_about_race(finding).or_else(of_rule)
            }
            (Rule::AtomicRace, Why::Run(evidence))
                if are_in_one_block(finding) && is_of_one_atomic(evidence) =>
            {
                Some("put a barrier between the accesses, or make both atomic on the same bytes")
            }
            (Rule::ExitBeforeBarrier, _) if finding.severity == Severity::Warning => {
                Some("tolerated by recent hardware; --strict makes it an error")
            }
            // Nothing says that it is false.
            (Rule::AssertionFailed, Why::Solver(_) | Why::NotModelled(_) | Why::Stated(_)) => {
                of_reason()
            }
            _ => of_rule().or_else(of_reason),
        }
    }

    /// What mends a race that no barrier mends.
    fn help_about_race(&self, finding: &Finding) -> Option<&'static str> {
        match self.module.language {
            Language::Cuda if are_in_different_blocks(finding) => Some(
                "no barrier orders threads of different blocks: give each thread an element \
                 of its own, use an atomic operation, or split the kernel in two launches",
            ),
            Language::OpenCl if are_in_different_blocks(finding) => Some(
                "no barrier orders work-items of different groups: give each an element of \
                 its own, use an atomic operation, or split the kernel in two launches",
            ),
            _ if finding.primary == finding.secondary => {
                Some("give each thread an element of its own, or use an atomic operation")
            }
            Language::Cuda if are_in_one_warp(finding) && self.has_warp_barriers() => Some(
                "put a `__syncwarp()` between the accesses, if only threads of one warp make \
                 them, or give each thread an element of its own",
            ),
            Language::Cuda | Language::OpenCl => None,
        }
    }

    fn has_warp_barriers(&self) -> bool {
        let is_one = |inst: Inst| self.func.insts[inst].barrier_scope() == Some(BarrierScope::Warp);
        self.func.insts_in_order().any(is_one)
    }
}

/// What helps where a proof failed for this reason, whatever the rule.
fn help_about_reason(why: &Why) -> Option<&'static str> {
    match why {
        Why::NotModelled(Construct::ComputedMasks) => Some(
            "a mask is covered if it is a number, the same for all lanes, or the result of a ballot on what is then branched on",
        ),
        Why::Solver(_) => Some("a longer --timeout, another --solver or concrete sizes may help"),
        Why::Run(_) | Why::Model(_) | Why::NotModelled(_) | Why::Stated(_) => None,
    }
}

/// What a thread does at an instruction, in words.
fn doing(data: &InstData) -> &'static str {
    match data.accesses().first() {
        Some((AccessMode::Load, _)) => "reads here",
        Some((AccessMode::Store, _)) => "writes here",
        Some((AccessMode::AtomicLoad | AccessMode::Atomic, _)) => "updates it atomically here",
        Some((AccessMode::CopyFrom | AccessMode::CopyTo, _)) => "is here",
        None if data.barrier_scope().is_some() => "waits here",
        None => "is here",
    }
}

/// Pointer parameters to global memory that the source does not promise to be
/// apart, where there are several.
fn unrestricted_pointers(module: &Module, func: &Function) -> Vec<String> {
    let pointers = func.array_params().map(|param| (param, &module.arrays[param.array]));
    let loose: Vec<String> = pointers
        .filter(|(_, data)| data.space == Space::Global && !data.restrict)
        .filter(|(_, data)| data.origin == duet_ir::ArrayOrigin::Param)
        .map(|(param, _)| param.name.to_string())
        .collect();
    if loose.len() > 1 { loose } else { vec![] }
}
