//! `duet check`: races, divergence and assertions of a kernel, for every pair of
//! threads.
//!
//! For each kernel: loop invariants are inferred ([`invariants`]); then what must
//! hold of one thread alone ([`alone`]), that pairs stay together at barriers
//! ([`divergence`]), and that no two accesses race ([`races`]). Every question is a
//! conjunction that must be unsatisfiable; only `Unsat` proves anything.

mod alone;
mod divergence;
mod invariants;
mod launch;
mod pair;
mod races;
mod session;

use std::time::{Duration, Instant};

use duet_ir::{Func, Inst, Module};

pub use launch::launch_spec;
pub use session::{CheckOptions, Session};

/// What was found out about one kernel.
#[derive(Clone, Debug)]
pub struct KernelReport {
    /// The kernel's name.
    pub name: String,
    /// The verdict over all properties.
    pub verdict: Verdict,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// What could not be proved, each with its place.
    pub findings: Vec<Finding>,
    /// How often each means decided a question.
    pub decided: Vec<(&'static str, u64)>,
    /// Invariants that loops have.
    pub invariants: usize,
    /// Time spent.
    pub took: Duration,
}

/// A verdict. Refutation needs a replayed run, which is not attempted yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every question was answered `unsat`.
    Proved,
    /// Something was not.
    Unproven,
    /// The launch, preconditions and assumptions contradict each other.
    Vacuous,
}

/// Something that is not proved.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule's stable name.
    pub rule: &'static str,
    /// The instruction it is about.
    pub primary: Inst,
    /// The other instruction.
    pub secondary: Option<Inst>,
    /// Why it is not proved.
    pub why: Why,
}

/// Why something is not proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// There is a state that breaks it; it may be unreachable. Values of symbols.
    Model(Vec<(String, String)>),
    /// The solver gave up.
    Solver(String),
    /// Duet does not model this.
    NotModelled(&'static str),
}

/// Checks one kernel.
pub fn check_kernel(
    session: &mut Session,
    module: &Module,
    kernel: Func,
    options: &CheckOptions,
) -> Result<KernelReport, duet_smt::solver::SolverError> {
    let start = Instant::now();
    let facts = session::KernelFacts::new(module, kernel, options);
    let mut check = session::Check::new(session, &facts, options);
    check.infer_invariants()?;
    let vacuous = check.is_vacuous()?;
    if !vacuous {
        check.reject_unmodelled();
        check.check_alone()?;
        check.check_divergence()?;
        check.check_races()?;
    }
    let (findings, invariants) = check.into_findings();
    let verdict = match (vacuous, findings.is_empty()) {
        (true, _) => Verdict::Vacuous,
        (false, true) => Verdict::Proved,
        (false, false) => Verdict::Unproven,
    };
    Ok(KernelReport {
        name: module.functions[kernel].name.clone(),
        verdict,
        assumptions: facts.assumptions(options),
        findings,
        decided: session.decided(),
        invariants,
        took: start.elapsed(),
    })
}
