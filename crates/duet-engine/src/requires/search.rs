//! The search for a precondition: conjunctions by cost, those that fit all examples
//! checked one after the other.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use duet_ir::{Severity, WellFormed};
use duet_smt::solver::SolverError;
use duet_vc::Invariants;

use super::atom::{Atom, Example, Quantity};
use super::samples::Samples;
use super::vocabulary::Vocabulary;
use super::{Precondition, Wanted, apply, texts};
use crate::check::{
    CheckOptions, KernelReport, Patience, Session, Shortcuts, Verdict, Why, check_in_range,
    check_kernel,
};
use crate::refute::Subject;

/// Checks of one kernel: by those who only have a look, and by others.
const MOST_GLANCES: usize = 60;
const MOST_CHECKS: usize = 24;
/// Statements of a precondition.
const MOST_ATOMS: usize = 4;
/// Conjunctions that are looked at.
const MOST_LOOKS: usize = 200_000;
/// Work for one check.
const CHECK_WORK: u64 = 40_000_000;
/// Lines are dropped from the assumptions about overflow if so many proofs would fit.
const DROPS: u64 = 8;
/// Runs without a defect that are wanted before a check, and how often so many are
/// made.
const RUNS: usize = 40;
const ROUNDS: usize = 2;

/// What it costs that no launch without a defect is admitted; a share of it if some are.
const EXCLUDES_ALL: u32 = 12;
/// What it costs that only one block is admitted.
const ONE_BLOCK: u32 = 50;

/// A conjunction, by its statements' numbers.
type Numbers = Vec<usize>;

/// The search for one kernel.
pub(super) struct Search<'a> {
    session: &'a mut Session,
    subject: &'a Subject<'a>,
    options: CheckOptions,
    vocabulary: Vocabulary,
    samples: Samples<'a>,
    /// Cost and conjunction; the cheapest comes first.
    open: BinaryHeap<Reverse<(u32, Numbers)>>,
    seen: BTreeSet<Numbers>,
    /// Those that admit one block only, and wait until others were tried.
    postponed: BTreeSet<Numbers>,
    /// Loop invariants that were found without a precondition: they hold under each.
    invariants: Option<Invariants>,
    attempts: usize,
    /// The session's count of work at which the search ends.
    end: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        session: &'a mut Session,
        subject: &'a Subject<'a>,
        options: &CheckOptions,
        end: u64,
        wanted: &Wanted,
    ) -> Search<'a> {
        let mut vocabulary = Vocabulary::new(subject.module, subject.func, &options.launch);
        vocabulary.atoms.retain(|(_, atom)| wanted.admits(*atom));
        let samples = Samples::new(subject, &options.launch, &vocabulary);
        vocabulary.price(|atom| samples.share_excluded(atom, EXCLUDES_ALL));
        let options = CheckOptions {
            verdict_only: true,
            refute: false,
            explain: false,
            // With free sizes the algebra proves more than a solver, pair by pair.
            shortcuts: Shortcuts { joint_questions: false, ..options.shortcuts },
            ..options.clone()
        };
        Search {
            session,
            subject,
            options,
            vocabulary,
            samples,
            open: BinaryHeap::new(),
            seen: BTreeSet::new(),
            postponed: BTreeSet::new(),
            invariants: None,
            attempts: 0,
            end,
        }
    }

    /// The first conjunction that is a proof with so much patience.
    pub(super) fn run(&mut self, patience: Patience) -> Result<Option<Precondition>, SolverError> {
        let most = match patience {
            Patience::Glance => MOST_GLANCES,
            _ => MOST_CHECKS,
        };
        self.options.patience = patience;
        self.open = [Reverse((0, vec![]))].into();
        self.seen.clear();
        self.postponed.clear();
        let before = self.attempts;
        if self.invariants.is_none() {
            self.learn_about_loops()?;
        }
        for _ in 0..MOST_LOOKS {
            let Some(Reverse((cost, numbers))) = self.open.pop() else { return Ok(None) };
            if self.attempts - before >= most || self.is_over() {
                return Ok(None);
            }
            let atoms = self.atoms(&numbers);
            if self.fits(&atoms) && self.is_run(&atoms) {
                if self.is_one_block(&atoms) && self.postponed.insert(numbers.clone()) {
                    // Better to have several blocks, at some cost.
                    self.open.push(Reverse((cost + ONE_BLOCK, numbers)));
                    continue;
                }
                if let Some(proof) = self.attempt(&atoms)? {
                    let proof = self.with_few_assumptions(&atoms, proof)?;
                    return Ok(self.precondition(atoms, proof));
                }
            } else if self.fits(&atoms) {
                // Whatever it admits does not run.
                continue;
            }
            self.extend(cost, &numbers, &atoms);
        }
        Ok(None)
    }

    /// The work that is left.
    pub(super) fn work_left(&self) -> u64 {
        self.end.saturating_sub(self.session.work())
    }

    fn is_over(&self) -> bool {
        self.work_left() == 0 || self.options.fence.is_past()
    }

    /// The solver, for other questions.
    pub(super) fn session(&mut self) -> &mut Session {
        self.session
    }

    fn atoms(&self, numbers: &[usize]) -> Vec<Atom> {
        numbers.iter().map(|&number| self.vocabulary.atoms[number].1).collect()
    }

    /// An example that should be excluded and is not.
    fn unfit(&self, atoms: &[Atom]) -> Option<&Example> {
        let admits = |example: &&Example| !atoms.iter().any(|atom| atom.excludes(example));
        self.samples.bad.iter().find(admits)
    }

    fn fits(&self, atoms: &[Atom]) -> bool {
        self.unfit(atoms).is_none()
    }

    /// Is there a run under it, with no defect in this one and in others?
    fn is_run(&mut self, atoms: &[Atom]) -> bool {
        for _ in 0..ROUNDS {
            if self.samples.count_admitted(atoms) >= RUNS || !self.fits(atoms) {
                break;
            }
            self.samples.run_under(atoms, RUNS);
        }
        self.fits(atoms) && self.samples.admitted(atoms).is_some()
    }

    fn is_one_block(&self, atoms: &[Atom]) -> bool {
        self.samples.admitted(atoms).is_some_and(|sample| !sample.has_two_blocks())
    }

    /// Loop invariants that hold without a precondition, and an example of what is
    /// wrong without one.
    fn learn_about_loops(&mut self) -> Result<(), SolverError> {
        let (module, options) = self.under(&[]);
        let report = check_in_range(self.session, &module, self.subject.kernel, &options, None)?;
        self.invariants = Some(report.invariants.clone());
        self.learn(&report);
        Ok(())
    }

    /// Checks the kernel under the statements; keeps what a failed proof tells.
    fn attempt(&mut self, atoms: &[Atom]) -> Result<Option<KernelReport>, SolverError> {
        self.attempts += 1;
        let (module, options) = self.under(atoms);
        let at_a_glance = options.patience == Patience::Glance;
        let among = self.invariants.as_ref().filter(|_| at_a_glance);
        let report = check_in_range(self.session, &module, self.subject.kernel, &options, among)?;
        if report.verdict == Verdict::Proved {
            return Ok(Some(report));
        }
        self.learn(&report);
        Ok(None)
    }

    /// The kernel under the statements, and how it is checked.
    fn under(&self, atoms: &[Atom]) -> (WellFormed, CheckOptions) {
        let module = apply::module(self.subject.module, self.subject.kernel, atoms);
        let mut options = self.options.clone();
        options.launch = apply::launch(&options.launch, atoms);
        options.work = CHECK_WORK.min(self.work_left());
        options.likely = self.samples.admitted(atoms).map(|sample| sample.example.likely());
        (module, options)
    }

    /// The same proof with as little assumed about overflow as the work allows.
    fn with_few_assumptions(
        &mut self,
        atoms: &[Atom],
        proof: KernelReport,
    ) -> Result<KernelReport, SolverError> {
        let left = self.work_left();
        if left < proof.work * DROPS {
            return Ok(proof);
        }
        let (module, mut options) = self.under(atoms);
        options.work = CHECK_WORK.min(left / DROPS);
        let better = check_kernel(self.session, &module, self.subject.kernel, &options)?;
        Ok(if better.verdict == Verdict::Proved { better } else { proof })
    }

    /// The launches of models and runs that stand against a proof.
    fn learn(&mut self, report: &KernelReport) {
        for finding in report.findings.iter().filter(|one| one.severity == Severity::Error) {
            if let Why::Model(witness) = &finding.why {
                self.samples.bad.push(Example::of_witness(self.subject.func, witness));
            }
        }
    }

    /// Adds statements: those that exclude an example, or any if no example is left
    /// and the check found nothing out.
    fn extend(&mut self, cost: u32, numbers: &[usize], atoms: &[Atom]) {
        if numbers.len() >= MOST_ATOMS {
            return;
        }
        let example = self.unfit(atoms).cloned();
        for (number, (more, atom)) in self.vocabulary.atoms.iter().enumerate() {
            let helps = example.as_ref().is_none_or(|example| atom.excludes(example));
            if !helps || numbers.contains(&number) {
                continue;
            }
            if atoms.iter().any(|known| fix_together(*known, *atom)) {
                continue;
            }
            let mut longer = numbers.to_vec();
            longer.push(number);
            longer.sort_unstable();
            if self.seen.insert(longer.clone()) {
                self.open.push(Reverse((cost + more, longer)));
            }
        }
    }

    fn precondition(&self, atoms: Vec<Atom>, proof: KernelReport) -> Option<Precondition> {
        let sample = self.samples.admitted(&atoms)?;
        let texts = texts(&atoms, self.subject.func, self.subject.module.language);
        Some(Precondition {
            texts,
            one_block_only: !sample.has_two_blocks(),
            run: sample.run.clone(),
            attempts: self.attempts,
            atoms,
            proof,
        })
    }
}

/// Do two bounds leave one value, or does one follow from the other? A precondition is not
/// to fix a size that way, nor to say more than it must.
fn fix_together(one: Atom, other: Atom) -> bool {
    match (one, other) {
        // One of them says nothing new.
        (Atom::AtMost(a, Quantity::Number(_)), Atom::AtMost(b, Quantity::Number(_))) => a == b,
        (Atom::AtMost(a, b), Atom::AtMost(c, d) | Atom::AtLeast(d, c)) => a == d && b == c,
        (Atom::AtLeast(..), Atom::AtMost(..)) => fix_together(other, one),
        (Atom::AtLeast(a, b), Atom::AtLeast(c, d)) => a == d && b == c,
        // At most 64 and a multiple of 64.
        (Atom::AtMost(a, b), Atom::Multiple(c, d)) => a == c && b == d,
        (Atom::Multiple(..), Atom::AtMost(..)) => fix_together(other, one),
        _ => false,
    }
}
