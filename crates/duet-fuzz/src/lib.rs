//! The soundness fuzzer: random small kernels, run by the interpreter and checked
//! by the prover. A defect that a run shows must never be proved absent.
//!
//! A kernel is made as a tree ([`generate()`]), lowered to kernel IR ([`lower()`]), run
//! on small launches with all their threads under several schedules and inputs
//! ([`observe`]), and checked for one of these launches or for any ([`judge()`]). A
//! violation is shrunk ([`shrink()`]) and shown as IR text. Kernels about claims and
//! contracts are made as source text ([`claims`]). docs/soundness.md says how to run it.

pub mod ast;
pub mod claims;
pub mod contracts;
mod generate;
mod judge;
mod lower;
mod oracle;
pub mod pairs;
mod random;
mod shrink;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use duet_engine::check::{Session, Verdict};

pub use generate::{Made, Mode, generate};
pub use judge::{Case, Judgement, case, check, judge};
pub use lower::lower;
pub use oracle::{Class, Evidence, launches, observe};
pub use random::Random;
pub use shrink::shrink;

/// How much to do.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Kernels to make.
    pub kernels: usize,
    /// The first of them is number `first`.
    pub first: usize,
    /// Tells this sequence of kernels from others.
    pub seed: u64,
    /// Threads to use.
    pub jobs: usize,
    /// Violations after which to stop.
    pub enough: usize,
    /// Kernels tried to make a violation smaller.
    pub shrinking: usize,
    /// Percentage of the kernels without a defect that are checked: a check of
    /// these cannot go wrong, it only measures precision.
    pub clean: usize,
    /// Say how far it is, and violations at once.
    pub progress: bool,
    /// Check by logs what pairs do not prove.
    pub cross_check: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Kernels judged.
    pub kernels: usize,
    /// No run showed a defect, and proved.
    pub clean_proved: usize,
    /// No run showed a defect, and not proved.
    pub clean_unproven: usize,
    /// Some run showed a defect.
    pub defective: usize,
    /// The preconditions contradict each other.
    pub vacuous: usize,
    /// With a loop.
    pub loops: usize,
    /// With a barrier in a loop.
    pub barrier_loops: usize,
    /// Defects by kind.
    pub classes: BTreeMap<Class, usize>,
    /// The prover failed, with the number of the kernel.
    pub failures: Vec<(usize, String)>,
    /// Proved although a run showed a defect.
    pub violations: Vec<Violation>,
    /// The slowest kernel.
    pub slowest: (Duration, usize),
}

/// A defect that was proved absent.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The kernel's number.
    pub number: usize,
    /// The kernel, shrunk, as IR text.
    pub text: String,
    /// The launch it was proved for; none: any.
    pub checked: Option<duet_interp::Launch>,
    /// What a run showed.
    pub evidence: Evidence,
}

/// The kernel of a number, as a case.
pub fn case_of(plan: &Plan, number: usize) -> Case {
    let seed = plan.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64);
    let mut random = Random::new(Random::new(seed).bits());
    loop {
        let made = generate(&mut random);
        let case = case(made, &mut random);
        if case.defective || random.percent(plan.clean) {
            return Case { cross_check: plan.cross_check, ..case };
        }
    }
}

/// Carries out a plan.
pub fn fuzz(plan: &Plan) -> Summary {
    let next = AtomicUsize::new(plan.first);
    let summary = Mutex::new(Summary::default());
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

/// Takes kernels until there are none left.
fn work(plan: &Plan, next: &AtomicUsize, summary: &Mutex<Summary>) {
    let mut session = None;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let enough = summary.lock().expect("no thread panicked").violations.len() >= plan.enough;
        if number >= plan.first + plan.kernels || enough {
            return;
        }
        let start = Instant::now();
        let case = case_of(plan, number);
        let result = attempt(&mut session, &case);
        let violation = match &result {
            Ok(judgement) if judgement.violation().is_some() => {
                Some(explain(plan, &mut session, number, &case))
            }
            _ => None,
        };
        let mut summary = summary.lock().expect("no thread panicked");
        summary.note(number, result, start.elapsed());
        summary.loops += usize::from(case.kernel.has_loop());
        summary.barrier_loops += usize::from(case.kernel.has_barrier_in_loop());
        if plan.progress && summary.kernels.is_multiple_of(500) {
            eprintln!("{}", summary.to_string().lines().next().unwrap_or_default());
        }
        if let Some(violation) = violation.as_ref().filter(|_| plan.progress) {
            eprintln!("{violation}\n");
        }
        summary.violations.extend(violation);
    }
}

/// Judges a case; whatever goes wrong is a failure, and the next case gets a new
/// session.
fn attempt(session: &mut Option<Session>, case: &Case) -> Result<Judgement, String> {
    let mut own = match session.take() {
        Some(own) => own,
        None => Session::new().map_err(|error| error.to_string())?,
    };
    let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let judged = judge(&mut own, case);
        (own, judged)
    }));
    match judged {
        Ok((own, Ok(judgement))) => {
            *session = Some(own);
            Ok(judgement)
        }
        Ok((_, Err(error))) => Err(error.to_string()),
        Err(_) => Err("panic".to_string()),
    }
}

/// Shrinks a violation.
fn explain(plan: &Plan, session: &mut Option<Session>, number: usize, case: &Case) -> Violation {
    let mut evidence = None;
    let mut fails = |kernel: &ast::Kernel| {
        let case = Case { kernel: kernel.clone(), ..case.clone() };
        let Ok(judgement) = attempt(session, &case) else { return false };
        let Some(shown) = judgement.violation() else { return false };
        evidence = Some(shown.clone());
        true
    };
    let _ = fails(&case.kernel);
    let kernel = shrink(&case.kernel, plan.shrinking, fails);
    let evidence = evidence.expect("the case is a violation");
    let text = lower(&kernel).0.to_string();
    Violation { number, text, checked: case.checked.clone(), evidence }
}

impl Summary {
    fn note(&mut self, number: usize, result: Result<Judgement, String>, took: Duration) {
        self.kernels += 1;
        self.slowest = self.slowest.max((took, number));
        let judgement = match result {
            Ok(judgement) => judgement,
            Err(message) => return self.failures.push((number, message)),
        };
        for evidence in &judgement.evidence {
            *self.classes.entry(evidence.class).or_default() += 1;
        }
        let defective =
            judgement.evidence.iter().any(|evidence| evidence.class.counts(judgement.strict));
        match (!defective, judgement.verdict) {
            (_, Verdict::Vacuous) => self.vacuous += 1,
            (false, _) => self.defective += 1,
            (true, Verdict::Proved) => self.clean_proved += 1,
            (true, Verdict::Unproven | Verdict::Refuted) => self.clean_unproven += 1,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        let clean = self.clean_proved + self.clean_unproven;
        writeln!(
            f,
            "{} kernels: {} with a defect ({:.0} %), {} clean, of which {} proved ({:.0} %); proved of all {:.0} %; {} vacuous",
            self.kernels,
            self.defective,
            share(self.defective, self.kernels),
            clean,
            self.clean_proved,
            share(self.clean_proved, clean),
            share(self.clean_proved, self.kernels),
            self.vacuous,
        )?;
        writeln!(f, "{} with a loop, {} with a barrier in a loop", self.loops, self.barrier_loops)?;
        writeln!(
            f,
            "defects: {:?}; slowest: {:?} (kernel {})",
            self.classes, self.slowest.0, self.slowest.1
        )?;
        for (number, message) in &self.failures {
            writeln!(f, "kernel {number}: the prover failed: {message}")?;
        }
        write!(f, "violations: {}", self.violations.len())?;
        self.violations.iter().try_for_each(|violation| write!(f, "\n\n{violation}"))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "; kernel {}, proved for {}", self.number, Sizes(self.checked.as_ref()))?;
        writeln!(
            f,
            "; yet on {}: {}",
            Sizes(Some(&self.evidence.launch)),
            self.evidence.finding.rule()
        )?;
        writeln!(f, "; run: {}", self.evidence.run)?;
        writeln!(f, "; {:?}", self.evidence.finding)?;
        f.write_str(&self.text)
    }
}

/// Prints sizes.
struct Sizes<'a>(Option<&'a duet_interp::Launch>);

impl fmt::Display for Sizes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(launch) => write!(f, "grid {:?} block {:?}", launch.grid, launch.block),
            None => f.write_str("any sizes"),
        }
    }
}
