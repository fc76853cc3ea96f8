//! An SMT-LIB solver as a live process with an incremental session.
//!
//! The session keeps the assertions; the process is a cache of them. It is
//! started when first asked, told only what it has not heard yet, and dropped on
//! any irregularity; the next question starts another and tells it everything.
//!
//! The protocol: whatever belongs to a question is enclosed in two `echo`s of a
//! number used once. Output before the first, more than one line between them,
//! or anything but `sat`, `unsat`, `unknown` there, is an irregularity. So an
//! answer can never be taken for the answer to another question, and an
//! assertion that the solver refused with an error is noticed.

use super::locate::{Located, SolverKind, locate};
use super::process::{Process, mentions_memory};
use super::values::{build_model, model_terms, parse_values};
use super::{Answer, CancelToken, Limits, Query, Reason, Solver, SolverError};
use crate::fence::Fence;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::TermId;
use crate::text::Printer;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// A question with so few resources is to be answered at once.
const BRIEF: u64 = 1_000_000;

/// A solver process and its assertions.
pub struct ProcessSolver {
    located: Located,
    extra_arguments: Vec<String>,
    /// Assertions of each scope; the first is the outermost.
    frames: Vec<Vec<TermId>>,
    live: Option<Live>,
    token: u64,
    problem: Option<String>,
    restarts: u32,
    /// What the last question took, in units of z3's count.
    work: u64,
}

/// The process and what it has been told.
struct Live {
    process: Process,
    printer: Printer,
    /// The pool whose terms it has been told.
    pool: Option<u64>,
    /// How many assertions of each scope it knows.
    told: Vec<usize>,
    /// It is to forget everything before it is told more.
    stale: bool,
    /// Commands to send with the next question.
    pending: String,
    limits: Limits,
    selectors: usize,
    /// The solver's own count of its work since it began or was reset.
    count: u64,
}

impl ProcessSolver {
    /// A session with an installed solver. Nothing is started yet.
    pub fn new(located: Located) -> Self {
        ProcessSolver {
            located,
            extra_arguments: Vec::new(),
            frames: vec![Vec::new()],
            live: None,
            token: 0,
            problem: None,
            restarts: 0,
            work: 0,
        }
    }

    /// Finds a solver and opens a session.
    pub fn find(kind: SolverKind, explicit: Option<&Path>) -> Result<Self, SolverError> {
        Ok(Self::new(locate(kind, explicit)?))
    }

    /// Passes more arguments to the program.
    pub fn with_arguments(mut self, arguments: &[&str]) -> Self {
        self.extra_arguments = arguments.iter().map(|a| (*a).to_string()).collect();
        self
    }

    /// The solver that is talked to.
    pub fn located(&self) -> &Located {
        &self.located
    }

    /// The id of the running process, if there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.live.as_ref().map(|live| live.process.id())
    }

    /// How many processes have been started.
    pub fn starts(&self) -> u32 {
        self.restarts
    }

    fn start(&mut self, limits: Limits) -> Result<(), SolverError> {
        let mut command = Command::new(&self.located.program);
        command.args(self.located.kind.arguments()).args(&self.extra_arguments);
        let process = Process::start(command, limits.memory_mb).map_err(|error| {
            SolverError::CannotStart {
                name: self.located.kind.name().to_string(),
                why: error.to_string(),
            }
        })?;
        let pending = preamble(self.located.kind, limits);
        self.restarts += 1;
        self.live = Some(Live {
            process,
            printer: Printer::new(),
            pool: None,
            told: vec![0],
            stale: false,
            pending,
            limits,
            selectors: 0,
            count: 0,
        });
        Ok(())
    }

    /// Makes sure that a process with these limits runs.
    fn ensure_live(&mut self, limits: Limits) -> Result<(), SolverError> {
        let stale = self.live.as_ref().is_some_and(|live| {
            let other = live.limits.resources != limits.resources;
            let fixed = self.located.kind != SolverKind::Z3 && other;
            fixed || live.limits.memory_mb != limits.memory_mb
        });
        if stale {
            self.live = None;
        }
        match &mut self.live {
            None => self.start(limits),
            Some(live) => {
                if live.limits.resources != limits.resources {
                    live.pending.push_str(&limit_options(self.located.kind, limits));
                }
                live.limits = limits;
                Ok(())
            }
        }
    }

    /// Bitwuzla forgets definitions with their scope: it is told everything anew.
    fn drop_unless_global(&mut self) {
        if self.located.kind == SolverKind::Bitwuzla {
            self.live = None;
        }
    }

    /// Notes a problem and drops the process.
    fn give_up(&mut self, reason: Reason, what: &str) -> Answer {
        let complaints = self.live.take().map(|live| live.process.complaints()).unwrap_or_default();
        let said = complaints.lines().next().unwrap_or_default();
        self.problem = Some(format!("{}: {what} {said}", self.name()).trim_end().to_string());
        Answer::Unknown(reason)
    }

    /// Sends a command between two tokens and returns the lines in between.
    fn ask(
        &mut self,
        command: &str,
        fence: Fence,
        cancel: &CancelToken,
    ) -> Result<Vec<String>, (Reason, String)> {
        let live = self.live.as_mut().expect("a live process");
        let (before, after) = (format!("duet-{}", self.token), format!("duet-{}", self.token + 1));
        self.token += 2;
        let mut text = std::mem::take(&mut live.pending);
        let _ = write!(text, "(echo \"{before}\")\n{command}\n(echo \"{after}\")\n");
        live.process.send(text);
        let line = || live.process.line(fence, cancel);
        let first = line().map_err(|r| (r, "no answer".to_string()))?;
        if !is_token(&first, &before) {
            return Err((reason_of(&first), format!("said before the question: {first}")));
        }
        let mut lines = Vec::new();
        loop {
            let next = line().map_err(|r| (r, "no complete answer".to_string()))?;
            if is_token(&next, &after) {
                return Ok(lines);
            }
            if next.contains("duet-") {
                return Err((Reason::Crashed, format!("answered another question: {next}")));
            }
            lines.push(next);
        }
    }

    /// Is this a question by itself, without scopes or assumptions, and to be
    /// answered at once?
    fn is_brief(&self, query: &Query<'_>) -> bool {
        let knows_nothing = |live: &Live| live.told == [0];
        self.answers_briefly()
            && self.frames.len() == 1
            && query.assumptions.is_empty()
            && query.limits.resources.is_some_and(|units| units <= BRIEF)
            && self.live.as_ref().is_some_and(knows_nothing)
    }

    /// Asks inside a scope that is closed again.
    ///
    /// Easy questions take half the time so: the process need not be reset, and
    /// terms that it has been told stay known. z3 treats hard questions better
    /// outside of scopes.
    fn ask_in_scope(&mut self, pool: &TermPool, query: &Query<'_>) -> Answer {
        self.frames.insert(0, Vec::new());
        let answer = self.run_query(pool, query);
        self.frames.remove(0);
        if let Some(live) = &mut self.live {
            live.told = vec![0];
            live.pending.push_str("(pop 1)\n");
        }
        answer
    }

    /// Makes the process forget what does not belong to the next question.
    fn freshen(&mut self, pool: &TermPool) {
        let kind = self.located.kind;
        let Some(live) = &mut self.live else { return };
        let other_pool = live.pool.is_some_and(|known| known != pool.identity());
        if live.stale || other_pool {
            live.printer = Printer::new();
            live.told = vec![0];
            live.stale = false;
            live.count = 0;
            live.pending = format!("(reset)\n{}", preamble(kind, live.limits));
        }
        live.pool = Some(pool.identity());
    }

    fn run_query(&mut self, pool: &TermPool, query: &Query<'_>) -> Answer {
        let mut command = self.tell(pool, query.assumptions);
        if self.located.kind == SolverKind::Z3 {
            command.push_str("\n(get-info :rlimit)");
        }
        let mut lines = match self.ask(&command, query.limits.fence, &query.cancel) {
            Ok(lines) => lines,
            Err((reason, what)) => return self.give_up(reason, &what),
        };
        self.note_work(&mut lines, query.limits);
        match &lines.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["unsat"] => Answer::Unsat,
            ["sat"] => self.fetch_model(pool, query),
            ["unknown"] => self.why_unknown(query),
            // z3 and cvc5 say so when a limit strikes at the wrong moment.
            ["timeout"] => self.give_up(Reason::Timeout, "timeout"),
            other => {
                let text = other.join(" / ");
                self.give_up(reason_of(&text), &format!("unexpected answer: {text}"))
            }
        }
    }

    /// Queues what the process does not know yet; returns the command to ask.
    fn tell(&mut self, pool: &TermPool, assumptions: &[TermId]) -> String {
        let live = self.live.as_mut().expect("a live process");
        for (depth, frame) in self.frames.iter().enumerate() {
            if depth == live.told.len() {
                live.pending.push_str("(push 1)\n");
                live.told.push(0);
            }
            let news = &frame[live.told[depth]..];
            let texts = live.printer.terms(pool, news, &mut live.pending);
            for text in texts {
                let _ = writeln!(live.pending, "(assert {text})");
            }
            live.told[depth] = frame.len();
        }
        if assumptions.is_empty() {
            return "(check-sat)".to_string();
        }
        let literals: Vec<String> = assumptions.iter().map(|&t| live.literal(pool, t)).collect();
        format!("(check-sat-assuming ({}))", literals.join(" "))
    }

    /// Takes z3's count of its work from an answer. Other solvers tell none that is
    /// cheap to get: an answer is taken for a part of what was allowed.
    fn note_work(&mut self, lines: &mut Vec<String>, limits: Limits) {
        let told = lines.last().and_then(|line| {
            line.strip_prefix("(:rlimit ")?.strip_suffix(')')?.trim().parse::<u64>().ok()
        });
        if told.is_some() {
            lines.pop();
        }
        let live = self.live.as_mut();
        self.work = match (told, live) {
            (Some(count), Some(live)) => {
                let before = std::mem::replace(&mut live.count, count);
                count.checked_sub(before).unwrap_or(count)
            }
            _ => estimated_work(limits, lines.iter().any(|line| line == "unknown")),
        };
    }

    fn fetch_model(&mut self, pool: &TermPool, query: &Query<'_>) -> Answer {
        let mut roots: Vec<TermId> = self.frames.concat();
        roots.extend_from_slice(query.assumptions);
        let wanted = model_terms(pool, &roots);
        if wanted.is_empty() {
            return Answer::Sat(build_model(pool, &Default::default()));
        }
        let live = self.live.as_mut().expect("a live process");
        // Definitions made here would come between the answer and its model, so
        // the terms are printed with those there are.
        let texts = live.printer.clone().terms_inline(pool, &wanted);
        let command = format!("(get-value ({}))", texts.join(" "));
        match self.ask(&command, query.limits.fence, &query.cancel) {
            Ok(lines) => match parse_values(pool, &wanted, &lines.join("\n")) {
                Some(values) => Answer::Sat(build_model(pool, &values)),
                None => self.give_up(Reason::Incomplete, "a model that cannot be read"),
            },
            Err((reason, what)) => self.give_up(reason, &what),
        }
    }

    fn why_unknown(&mut self, query: &Query<'_>) -> Answer {
        match self.ask("(get-info :reason-unknown)", query.limits.fence, &query.cancel) {
            Ok(lines) => {
                let text = lines.join(" ");
                self.problem = Some(format!("{}: {text}", self.name()));
                Answer::Unknown(unknown_reason(&text, query.limits))
            }
            Err((reason, what)) => self.give_up(reason, &what),
        }
    }
}

impl Live {
    /// An assumption as a literal: itself if it is one, else a selector that
    /// implies it, asserted in the innermost scope.
    fn literal(&mut self, pool: &TermPool, t: TermId) -> String {
        let is_symbol = |t: TermId| matches!(pool.op(t), Op::Apply(_)) && pool.args(t).is_empty();
        let text = self.printer.term(pool, t, &mut self.pending);
        if is_symbol(t) || (pool.op(t) == Op::Not && is_symbol(pool.args(t)[0])) {
            return text;
        }
        let name = format!("duet!s{}", self.selectors);
        self.selectors += 1;
        let _ = writeln!(self.pending, "(declare-fun {name} () Bool)\n(assert (=> {name} {text}))");
        name
    }
}

impl Solver for ProcessSolver {
    fn identity(&self) -> String {
        format!("{} {}", self.located.kind.name(), self.located.version())
    }

    fn name(&self) -> String {
        self.located.kind.name().to_string()
    }

    fn push(&mut self) {
        self.frames.push(Vec::new());
    }

    fn pop(&mut self) {
        assert!(self.frames.len() > 1, "pop without push");
        self.frames.pop();
        self.drop_unless_global();
        if let Some(live) = &mut self.live
            && live.told.len() > self.frames.len()
        {
            live.told.pop();
            live.pending.push_str("(pop 1)\n");
        }
    }

    fn reset(&mut self) {
        self.frames = vec![Vec::new()];
        self.drop_unless_global();
        if let Some(live) = &mut self.live {
            live.stale |= live.told != [0];
        }
    }

    fn assert(&mut self, t: TermId) {
        self.frames.last_mut().expect("the outermost scope").push(t);
    }

    fn check(&mut self, pool: &TermPool, query: &Query<'_>) -> Result<Answer, SolverError> {
        self.problem = None;
        self.work = 0;
        if query.cancel.is_cancelled() {
            return Ok(Answer::Unknown(Reason::Cancelled));
        }
        self.ensure_live(query.limits)?;
        self.freshen(pool);
        Ok(match self.is_brief(query) {
            true => self.ask_in_scope(pool, query),
            false => self.run_query(pool, query),
        })
    }

    fn last_work(&self) -> u64 {
        self.work
    }

    fn forget(&mut self) {
        if let Some(live) = &mut self.live {
            live.stale = true;
        }
    }

    fn last_problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    fn has_integers(&self) -> bool {
        self.located.kind.has_integers()
    }

    /// cvc5 and Bitwuzla take their limits at the start only: another limit would
    /// mean another process.
    fn answers_briefly(&self) -> bool {
        self.located.kind == SolverKind::Z3
    }
}

/// Options that a process is told at its start and after a reset.
fn preamble(kind: SolverKind, limits: Limits) -> String {
    let limits = limit_options(kind, limits);
    let global = match kind {
        SolverKind::Bitwuzla => "",
        _ => "(set-option :global-declarations true)\n",
    };
    format!(
        "(set-option :print-success false)\n(set-option :produce-models true)\n{global}{limits}\
         (set-logic ALL)\n"
    )
}

/// The limits that a solver keeps to by itself: counts of its work. The wall clock is not
/// among them, so that a solver on a busy machine gets as far as on an idle one; it is
/// killed at the fence. Bitwuzla counts nothing, and has the time that z3 would take.
fn limit_options(kind: SolverKind, limits: Limits) -> String {
    let mut out = String::new();
    match kind {
        SolverKind::Z3 => {
            let _ = writeln!(out, "(set-option :rlimit {})", limits.resources.unwrap_or(0));
        }
        SolverKind::Cvc5 => {
            if let Some(n) = limits.resources {
                let _ = writeln!(out, "(set-option :rlimit-per {})", (n / CVC5_SCALE).max(1));
            }
        }
        SolverKind::Bitwuzla => {
            if let Some(n) = limits.resources {
                let ms = (n / UNITS_PER_MS).max(1);
                let _ = writeln!(out, "(set-option :time-limit-per {ms})");
            }
        }
    }
    out
}

/// So many of z3's resource units are about one of cvc5's.
const CVC5_SCALE: u64 = 20;
/// z3 does so much in a millisecond, roughly.
const UNITS_PER_MS: u64 = 10_000;
/// The part of what was allowed that an answer of a solver without a count stands for.
const PART_OF_ALLOWED: u64 = 10;

/// What a question to a solver without a count is taken to have cost.
pub(super) fn estimated_work(limits: Limits, is_unknown: bool) -> u64 {
    let allowed = limits.resources.unwrap_or(0);
    if is_unknown { allowed } else { allowed / PART_OF_ALLOWED }
}

fn is_token(line: &str, token: &str) -> bool {
    line == token || line.strip_prefix('"').and_then(|l| l.strip_suffix('"')) == Some(token)
}

fn reason_of(text: &str) -> Reason {
    if mentions_memory(text) { Reason::Memory } else { Reason::Crashed }
}

/// What a solver means by its reason.
fn unknown_reason(text: &str, limits: Limits) -> Reason {
    let text = text.to_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|s| text.contains(s));
    if mentions_memory(&text) {
        Reason::Memory
    } else if has(&["resource"]) {
        Reason::Resource
    } else if has(&["timeout", "time out"]) {
        Reason::Timeout
    } else if has(&["canceled", "cancelled", "interrupted"]) {
        // z3 says so when its count is used up.
        if limits.resources.is_some() { Reason::Resource } else { Reason::Timeout }
    } else {
        Reason::Incomplete
    }
}
