//! The fuzzer of claims: random kernels in CUDA with claims at barriers, ghost assertions and
//! contracts, many of them false. Nothing that is accepted may be false in a run.
//!
//! Unlike the other kernels of this crate these are source text, so that the front end, which
//! makes contracts plain code, is part of what is tested. `draw` makes a kernel, `judged` runs
//! and checks it; a violation is made smaller here by leaving statements out.

mod contracts;
mod draw;
mod judged;
mod program;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use duet_engine::check::Session;

pub use draw::{Kind, draw};
pub use judged::{Files, Judged, Setting, Shown};
pub use program::{Piece, Program};

use crate::random::Random;

/// Kernels in one file.
const BATCH: usize = 20;

/// How much to do.
#[derive(Clone, Debug)]
pub struct ClaimPlan {
    /// Kernels to make, each with claims.
    pub kernels: usize,
    /// The first of them is number `first`.
    pub first: usize,
    /// Tells this sequence of kernels from others.
    pub seed: u64,
    /// Threads to use.
    pub jobs: usize,
    /// Checks to make a violation smaller.
    pub shrinking: usize,
    /// Of the kernels that no run shows to be wrong, one in so many is checked.
    pub sample: usize,
    /// Where the front end keeps precompiled headers.
    pub cache: Option<PathBuf>,
    /// Say how far it is, and violations at once.
    pub progress: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct ClaimSummary {
    /// Kernels judged.
    pub kernels: usize,
    /// By kind: accepted, shown to be wrong, neither, and not shown to be wrong nor asked about.
    pub kinds: BTreeMap<Kind, [usize; 4]>,
    /// The same for those with contracts.
    pub contracts: [usize; 4],
    /// The same for those with ghost assertions.
    pub ghosts: [usize; 4],
    /// What runs showed, by rule.
    pub rules: BTreeMap<&'static str, usize>,
    /// Kernels that could not be read.
    pub refused: usize,
    /// What could not be judged.
    pub failures: Vec<(usize, String)>,
    /// Accepted although a run shows a defect.
    pub violations: Vec<ClaimViolation>,
}

/// A claim that was accepted and is false.
#[derive(Clone, Debug)]
pub struct ClaimViolation {
    /// The kernel's number.
    pub number: usize,
    /// The kernel, made smaller.
    pub text: String,
    /// How it was checked.
    pub setting: Setting,
    /// What a run showed.
    pub shown: Shown,
}

/// A kernel of the plan, and how it is checked.
pub fn claim_case(plan: &ClaimPlan, number: usize) -> (Kind, Program, Setting) {
    let seed = plan.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64);
    let mut random = Random::new(Random::new(seed).bits());
    let (kind, program) = draw(number, &mut random);
    let setting = judged::setting(&program, &mut random);
    (kind, program, setting)
}

/// Carries out a plan.
pub fn fuzz_claims(plan: &ClaimPlan) -> ClaimSummary {
    let next = AtomicUsize::new(plan.first);
    let summary = Mutex::new(ClaimSummary::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| work(plan, &next, &summary));
        }
    });
    let mut summary = summary.into_inner().expect("no thread panicked");
    summary.violations.sort_by_key(|violation| violation.number);
    summary.failures.sort();
    summary
}

/// Takes files of kernels until there are none left.
fn work(plan: &ClaimPlan, next: &AtomicUsize, summary: &Mutex<ClaimSummary>) {
    let mut session = None;
    loop {
        let start = next.fetch_add(BATCH, Ordering::Relaxed);
        let end = (start + BATCH).min(plan.first + plan.kernels);
        if start >= end {
            return;
        }
        let cases: Vec<(Kind, Program, Setting)> =
            (start..end).map(|number| claim_case(plan, number)).collect();
        // A kernel without a contract is not read by contracts.
        let (with, without): (Vec<_>, Vec<_>) =
            cases.into_iter().partition(|(_, program, _)| program.has_contract());
        for cases in [with, without] {
            judge_file(plan, &mut session, &cases, summary);
        }
        if plan.progress {
            let summary = summary.lock().expect("no thread panicked");
            if summary.kernels % 100 < BATCH {
                eprintln!("{}", summary.to_string().lines().next().unwrap_or_default());
            }
        }
    }
}

fn judge_file(
    plan: &ClaimPlan,
    session: &mut Option<Session>,
    cases: &[(Kind, Program, Setting)],
    summary: &Mutex<ClaimSummary>,
) {
    if cases.is_empty() {
        return;
    }
    let programs: Vec<Program> = cases.iter().map(|(_, program, _)| program.clone()).collect();
    let files = Files::read(&programs, plan.cache.as_deref());
    for (kind, program, setting) in cases {
        let judged = match &files {
            Ok(files) => attempt(session, files, (program, setting), plan.sample),
            Err(message) => Err(message.clone()),
        };
        let violation = match &judged {
            Ok(Judged { shown: Some(shown), is_accepted: true, .. }) => {
                Some(explain(plan, session, program, setting, shown))
            }
            _ => None,
        };
        let mut summary = summary.lock().expect("no thread panicked");
        if let Some(violation) = violation.as_ref().filter(|_| plan.progress) {
            eprintln!("{violation}\n");
        }
        summary.note(*kind, program, judged);
        summary.violations.extend(violation);
    }
}

/// Judges a kernel; whatever goes wrong is a failure, and the next gets a new session.
fn attempt(
    session: &mut Option<Session>,
    files: &Files,
    (program, setting): (&Program, &Setting),
    sample: usize,
) -> Result<Judged, String> {
    let mut own = match session.take() {
        Some(own) => own,
        None => Session::new().map_err(|error| error.to_string())?,
    };
    let work = std::panic::AssertUnwindSafe(|| {
        let judged = files.judge(&mut own, program, setting, sample);
        (own, judged)
    });
    match std::panic::catch_unwind(work) {
        Ok((own, Ok(judged))) => {
            *session = Some(own);
            Ok(judged)
        }
        Ok((_, Err(error))) => Err(error),
        Err(_) => Err("panic".to_string()),
    }
}

/// Makes a violation smaller.
fn explain(
    plan: &ClaimPlan,
    session: &mut Option<Session>,
    program: &Program,
    setting: &Setting,
    shown: &Shown,
) -> ClaimViolation {
    let (mut program, mut shown, mut left) = (program.clone(), shown.clone(), plan.shrinking);
    'smaller: loop {
        for candidate in program.smaller() {
            if left == 0 {
                break 'smaller;
            }
            left -= 1;
            let Ok(files) = Files::read(std::slice::from_ref(&candidate), plan.cache.as_deref())
            else {
                continue;
            };
            if let Ok(Judged { shown: Some(now), is_accepted: true, .. }) =
                attempt(session, &files, (&candidate, setting), plan.sample)
            {
                (program, shown) = (candidate, now);
                continue 'smaller;
            }
        }
        break;
    }
    let (number, setting) = (program.number, setting.clone());
    ClaimViolation { number, text: program.text(), setting, shown }
}

impl ClaimSummary {
    fn note(&mut self, kind: Kind, program: &Program, judged: Result<Judged, String>) {
        self.kernels += 1;
        let judged = match judged {
            Ok(judged) => judged,
            Err(message) => return self.failures.push((program.number, message)),
        };
        self.refused += usize::from(judged.is_refused);
        let column = match (judged.is_accepted, judged.shown.is_some()) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) if judged.is_asked || judged.is_refused => 2,
            (false, false) => 3,
        };
        if let Some(shown) = &judged.shown {
            *self.rules.entry(shown.finding.rule().id()).or_default() += 1;
        }
        self.kinds.entry(kind).or_default()[column] += 1;
        self.contracts[column] += usize::from(program.has_contract());
        self.ghosts[column] += usize::from(program.text().contains("__unsafe_assert"));
    }

    /// How many were accepted.
    pub fn accepted(&self) -> usize {
        self.kinds.values().map(|columns| columns[0]).sum()
    }

    /// How many runs showed to be wrong, and were not accepted.
    pub fn wrong(&self) -> usize {
        self.kinds.values().map(|columns| columns[1]).sum()
    }
}

impl fmt::Display for ClaimSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        let open: usize = self.kinds.values().map(|columns| columns[2]).sum();
        writeln!(
            f,
            "{} kernels with claims: {} wrong and not accepted ({:.0} %), {} of {} asked about that are not shown wrong accepted ({:.0} %), {} refused, {} violations",
            self.kernels,
            self.wrong(),
            share(self.wrong(), self.kernels),
            self.accepted(),
            self.accepted() + open,
            share(self.accepted(), self.accepted() + open),
            self.refused,
            self.violations.len(),
        )?;
        let row = |[accepted, wrong, open, rest]: &[usize; 4]| {
            format!("{accepted} accepted, {wrong} wrong, {open} open, {rest} not asked about")
        };
        for (kind, columns) in &self.kinds {
            writeln!(f, "{kind:?}: {}", row(columns))?;
        }
        writeln!(f, "runs showed: {:?}", self.rules)?;
        writeln!(f, "with contracts: {}", row(&self.contracts))?;
        write!(f, "with ghost assertions: {}", row(&self.ghosts))?;
        for (number, message) in &self.failures {
            write!(f, "\nkernel {number}: not judged: {message}")?;
        }
        self.violations.iter().try_for_each(|violation| write!(f, "\n\n{violation}"))
    }
}

impl fmt::Display for ClaimViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checked = match &self.setting.checked {
            Some(launch) => format!("grid {:?} block {:?}", launch.grid, launch.block),
            None => "any sizes".to_string(),
        };
        let strict = if self.setting.strict { ", strict" } else { "" };
        writeln!(f, "// kernel {}, proved for {checked}{strict}", self.number)?;
        writeln!(f, "// yet {}: {}", self.shown.name, self.shown.finding.rule())?;
        writeln!(f, "// run: {}", self.shown.run)?;
        writeln!(f, "// {:?}", self.shown.finding)?;
        f.write_str(&self.text)
    }
}
