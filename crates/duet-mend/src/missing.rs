//! Barriers that would mend a race between threads of a block.
//!
//! Candidates are places of the source that all threads of a block pass together:
//! before a statement, before a loop, at the end of a loop's body. Those between the
//! two accesses come first. A suggestion is made only if the check of the kernel with
//! the barrier is a proof, or has no finding but others that were there before.

use std::collections::BTreeSet;
use std::path::PathBuf;

use duet_analysis::{Aliasing, ArrayUses, Dominators, Loops, Uniformity, UniformityOptions};
use duet_ask::Session;
use duet_check::{CheckOptions, Finding, KernelReport, Verdict, Why, check_kernel};
use duet_ir::{
    BarrierScope, Block, Func, Function, Inst, Language, Module, Rule, Severity, SourceSpan, Space,
    WellFormed,
};
use duet_smt::solver::SolverError;
use duet_transform::{BarrierPlace, with_barrier};

/// Places that are tried for one finding.
const MOST_PLACES: usize = 12;
/// Findings that are looked at.
const MOST_FINDINGS: usize = 4;
/// Work for one kernel.
const WORK: u64 = 400_000_000;
/// Work for one check, beside that of so many checks without a barrier.
const CHECK_WORK: u64 = 150_000_000;
const CHECKS: u64 = 3;

/// Where a line is to be put.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Before the statement that begins on this line.
    Before(u32),
    /// At the end of the loop body whose last statement is on this line.
    AtLoopEnd(u32),
    /// Instead of this line.
    Instead(u32),
}

/// A line that mends a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// The number of the finding in the report.
    pub finding: usize,
    /// Where the line goes.
    pub place: Place,
    /// Where the kernel or the access is: the line goes into that file.
    pub near: SourceSpan,
    /// The statement, or the whole line where it takes the place of another.
    pub text: String,
    /// Is the kernel proved with it? If not, only this finding is gone.
    pub proves: bool,
}

/// A place in the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Candidate {
    place: Place,
    at: BarrierPlace,
}

/// Is a suggestion confirmed?
pub type Confirm<'a> = &'a dyn Fn(&mut Session, &Suggestion) -> Result<bool, SolverError>;

/// Barriers for the races within a block that a check found, at places where a line
/// may stand in the file of that span. Each is confirmed before it is suggested.
pub fn suggest_barriers(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
    report: &KernelReport,
    may_stand: &dyn Fn(&SourceSpan, Place) -> bool,
    is_confirmed: Confirm<'_>,
) -> Result<Vec<Suggestion>, SolverError> {
    let limit = report.work * CHECKS + CHECK_WORK;
    let options =
        CheckOptions { refute: false, explain: false, ..options.with_work(limit).begun() };
    let end = session.work() + WORK;
    let mut found: Vec<Suggestion> = vec![];
    let races = report.findings.iter().enumerate().filter(|(_, one)| is_race_in_a_block(one));
    for (number, finding) in races.take(MOST_FINDINGS) {
        let func = &module.functions[kernel];
        // Lines are the kernel's own, wherever the accesses are.
        let Some(near) = module.source_span(func.loc) else { continue };
        let places = candidates(module, kernel, finding).into_iter();
        let places = places.filter(|candidate| may_stand(&near, candidate.place));
        for candidate in places.take(MOST_PLACES) {
            if session.work() > end || options.fence.is_past() {
                return Ok(found);
            }
            let (flags, text) = barrier(module, kernel, finding);
            let more = with_barrier(module, kernel, candidate.at, flags);
            let mended = check_kernel(session, &more, kernel, &options)?;
            let Some(proves) = mends(module, kernel, &mended, report, finding) else { continue };
            let place = candidate.place;
            let text = text.to_string();
            let one = Suggestion { finding: number, place, near: near.clone(), text, proves };
            if !is_confirmed(session, &one)? {
                continue;
            }
            found.push(one);
            if proves {
                return Ok(found);
            }
            break;
        }
    }
    Ok(found)
}

/// Is it gone without another in its place? Also says whether that is a proof.
fn mends(
    module: &Module,
    kernel: Func,
    mended: &KernelReport,
    report: &KernelReport,
    finding: &Finding,
) -> Option<bool> {
    let func = &module.functions[kernel];
    let key = |one: &Finding| (one.rule, span(module, func, one.primary));
    let before: BTreeSet<_> = report.findings.iter().map(key).collect();
    let errors = mended.findings.iter().filter(|one| one.severity == Severity::Error);
    let is_old = |one: &Finding| before.contains(&key(one)) && key(one) != key(finding);
    match mended.verdict {
        Verdict::Proved => Some(true),
        Verdict::Vacuous => None,
        _ => errors.clone().all(is_old).then_some(false),
    }
}

/// A kernel with the report of its check.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// The module.
    pub module: &'a Module,
    /// The kernel.
    pub kernel: Func,
    /// Its report.
    pub report: &'a KernelReport,
}

impl Checked<'_> {
    /// The errors by rule and line, where lines from one on were moved down by one.
    fn errors(&self, moved_from: Option<u32>) -> BTreeSet<(Rule, Option<(PathBuf, u32)>)> {
        let func = &self.module.functions[self.kernel];
        let own_file = self.module.source_span(func.loc).map(|span| span.file);
        let errors = self.report.findings.iter().filter(|one| one.severity == Severity::Error);
        let place = |one: &Finding| {
            let at = span(self.module, func, one.primary)?;
            let is_moved = moved_from.is_some_and(|from| at.line > from)
                && own_file.as_ref() == Some(&at.file);
            Some((at.file, if is_moved { at.line - 1 } else { at.line }))
        };
        errors.map(|one| (one.rule, place(one))).collect()
    }
}

/// Does an edited source, in which a line was put before `line`, have only errors that were
/// there before, and not the one that the edit is for?
pub fn is_mended(before: Checked<'_>, after: Checked<'_>, one: &Suggestion, line: u32) -> bool {
    if one.proves {
        return after.report.verdict == Verdict::Proved;
    }
    let Some(finding) = before.report.findings.get(one.finding) else { return false };
    let func = &before.module.functions[before.kernel];
    let own = span(before.module, func, finding.primary).map(|at| (at.file, at.line));
    let left = after.errors(Some(line));
    after.report.verdict != Verdict::Vacuous
        && left.is_subset(&before.errors(None))
        && !left.contains(&(finding.rule, own))
}

fn is_race_in_a_block(finding: &Finding) -> bool {
    let is_race = finding.rule.is_race();
    let threads = match &finding.why {
        Why::Run(evidence) => evidence.defect.threads(),
        Why::Model(witness) => witness.threads.clone(),
        _ => vec![],
    };
    let apart = matches!(&threads[..], [one, other] if one.block != other.block);
    is_race && finding.severity == Severity::Error && !apart
}

/// The statement, and the spaces that it covers.
fn barrier(module: &Module, kernel: Func, finding: &Finding) -> (u32, &'static str) {
    let func = &module.functions[kernel];
    let accesses = finding.primary.map(|inst| func.insts[inst].accesses()).unwrap_or_default();
    let is_shared = accesses.iter().any(|(_, one)| module.arrays[one.array].space == Space::Shared);
    match (module.language, is_shared) {
        (Language::Cuda, _) => (3, "__syncthreads();"),
        (Language::OpenCl, true) => (1, "barrier(CLK_LOCAL_MEM_FENCE);"),
        (Language::OpenCl, false) => (2, "barrier(CLK_GLOBAL_MEM_FENCE);"),
    }
}

fn span(module: &Module, func: &Function, inst: Option<Inst>) -> Option<SourceSpan> {
    module.span_of_inst(func, inst?)
}

/// The places to try, the likeliest first.
fn candidates(module: &Module, kernel: Func, finding: &Finding) -> Vec<Candidate> {
    let func = &module.functions[kernel];
    let line = |inst: Option<Inst>| span(module, func, inst).map(|span| span.line);
    let (Some(one), Some(other)) =
        (line(finding.primary), line(finding.secondary).or_else(|| line(finding.primary)))
    else {
        return vec![];
    };
    let (first, last) = (one.min(other), one.max(other));
    let mut list = Places::new(module, kernel).all();
    list.sort_by_key(|candidate| match candidate.place {
        // Between the two, next to the later one.
        Place::Before(line) if first < line && line <= last => (0, last - line),
        Place::AtLoopEnd(line) if line >= last => (1, line - last),
        Place::Before(line) if line > last => (2, line - last),
        Place::Before(line) => (3, first - line),
        Place::AtLoopEnd(line) => (4, last - line),
        Place::Instead(line) => (5, line),
    });
    list
}

/// The places of a kernel that all threads of a block pass together.
struct Places<'a> {
    module: &'a Module,
    func: &'a Function,
    loops: Loops,
    uniformity: Uniformity,
}

impl<'a> Places<'a> {
    fn new(module: &'a Module, kernel: Func) -> Places<'a> {
        let func = &module.functions[kernel];
        let dominators = Dominators::new(func);
        let loops = Loops::new(func, &dominators);
        let uses = ArrayUses::new(module, kernel, Aliasing::Distinct);
        let uniformity = Uniformity::new(module, func, &loops, &uses, UniformityOptions::default());
        Places { module, func, loops, uniformity }
    }

    fn all(&self) -> Vec<Candidate> {
        let mut list = self.before_statements();
        list.extend(self.around_loops());
        list.retain(|one| {
            let (BarrierPlace::Inside(block, _) | BarrierPlace::BeforeLoop(block)) = one.at;
            !self.uniformity.may_be_divergent_block(block, BarrierScope::Block)
        });
        list
    }

    /// The line of the kernel that an instruction belongs to: of one in a function,
    /// the line of the call.
    fn own_line(&self, inst: Inst) -> Option<u32> {
        let mut loc = self.func.inst_locs[inst]?;
        while let Some(call) = self.module.locs[loc].inlined_at {
            loc = call;
        }
        let in_kernel = self.func.loc.map(|own| self.module.locs[own].file);
        let data = &self.module.locs[loc];
        (in_kernel == Some(data.file)).then_some(data.line)
    }

    /// The first instruction of each line, unless the line is a loop's own.
    fn before_statements(&self) -> Vec<Candidate> {
        let mut seen: BTreeSet<u32> = self.loop_lines();
        let mut list = vec![];
        for &block in &self.func.layout {
            for (number, &inst) in self.func.blocks[block].insts.iter().enumerate() {
                if let Some(line) = self.own_line(inst)
                    && seen.insert(line)
                {
                    let at = BarrierPlace::Inside(block, number);
                    list.push(Candidate { place: Place::Before(line), at });
                }
            }
        }
        list
    }

    fn loop_lines(&self) -> BTreeSet<u32> {
        let headers = self.loops.iter().map(|(_, data)| data.header);
        headers.filter_map(|header| self.first_line(header)).collect()
    }

    fn first_line(&self, block: Block) -> Option<u32> {
        self.func.blocks[block].insts.iter().find_map(|&inst| self.own_line(inst))
    }

    /// Before each loop, and at the end of its body.
    fn around_loops(&self) -> Vec<Candidate> {
        let mut list = vec![];
        let predecessors = self.func.predecessors();
        for (_, data) in self.loops.iter() {
            let Some(line) = self.first_line(data.header) else { continue };
            let outside: Vec<Block> = predecessors[data.header]
                .iter()
                .copied()
                .filter(|from| !data.latches.contains(from))
                .collect();
            let at = match outside[..] {
                [from] if self.func.successors(from).count() == 1 => {
                    BarrierPlace::Inside(from, self.func.blocks[from].insts.len())
                }
                _ => BarrierPlace::BeforeLoop(data.header),
            };
            list.push(Candidate { place: Place::Before(line), at });
            let body = data.blocks.iter().flat_map(|&block| &self.func.blocks[block].insts);
            let last = body.filter_map(|&inst| self.own_line(inst)).max();
            if let ([latch], Some(last)) = (&data.latches[..], last.filter(|last| *last > line)) {
                let at = BarrierPlace::Inside(*latch, 0);
                list.push(Candidate { place: Place::AtLoopEnd(last), at });
            }
        }
        list
    }
}
