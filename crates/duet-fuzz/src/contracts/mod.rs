//! The fuzzer of contracts for `duet prove`: a kernel that keeps its contract, of which one
//! or the other was perhaps changed. What the check and the proof show, no run may break.
//!
//! The proof is asked alone: the runs that the command makes first would hide a wrong one.

pub mod templates;

use std::collections::BTreeMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duet_engine::LaunchSizes;
use duet_engine::check::{CheckOptions, Patience, Session, launch_spec};
use duet_engine::load::{LoadError, LoadOptions};
use duet_engine::prove::{
    Bound, ClauseStatus, LoadedContracts, load_contracts, proofs_say, runs_say,
};
use duet_ir::Func;
use duet_vc::LaunchSpec;

use crate::pairs::make::Parts;
use crate::pairs::mutate::mutant;
use crate::random::Random;
use templates::{AT_LOOP, TEMPLATES, Template};

/// How much to do.
#[derive(Clone, Copy, Debug)]
pub struct ContractPlan {
    /// Kernels to make.
    pub kernels: usize,
    /// The first of them.
    pub first: usize,
    /// Tells this sequence of kernels from others.
    pub seed: u64,
    /// Say how far it is, and violations at once.
    pub progress: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct ContractSummary {
    /// Kernels that were judged.
    pub kernels: usize,
    /// Kernels that cannot be read.
    pub unreadable: usize,
    /// Kernels of which every clause was proved.
    pub proved: usize,
    /// Kernels that were run: those with a clause that is proved, and some of the others.
    pub run: usize,
    /// Of these, kernels whose contract a run breaks.
    pub broken: usize,
    /// Proved and judged, by template.
    pub templates: BTreeMap<&'static str, [usize; 2]>,
    /// Wrong answers.
    pub violations: Vec<String>,
}

/// A kernel with its contract.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The template.
    pub template: &'static str,
    /// The source, with `NAME` for the kernel's name.
    pub source: String,
}

/// Kernels of one file: clang takes as long to begin as for many of them.
const BATCH: usize = 40;

/// One kernel of so many is asked about at length.
const AT_LENGTH: usize = 32;

/// Of so many kernels of which nothing is proved one is run.
const UNPROVED_RUN: usize = 4;

/// The kernel of a number.
pub fn contract_of(plan: &ContractPlan, number: usize) -> Contract {
    let seed = plan.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64);
    let mut random = Random::new(Random::new(seed ^ 0xc0).bits());
    let template = &TEMPLATES[random.below(TEMPLATES.len())];
    made(&mut random, template)
}

fn made(random: &mut Random, template: &Template) -> Contract {
    let ty = template.elements[random.below(template.elements.len())];
    let parts = Parts::new(random, ty, template.leaves, Some("8"), false);
    let mut requires = template.requires.to_string();
    let mut ensures: Vec<String> =
        template.ensures.iter().map(|text| parts.fill(random, text)).collect();
    let mut assigns = template.assigns.to_string();
    let mut logic = parts.fill(random, template.logic);
    let mut invariant = parts.fill(random, template.invariant);
    let mut body = parts.fill(random, random_of(random, template.bodies));
    // One part is changed in half of the cases.
    let is_known = |name: &str| ["in", "w", "n", "m"].contains(&name);
    if random.percent(45) {
        let which = random.below(12);
        let text = match which {
            0 => &mut requires,
            1 | 2 if !assigns.is_empty() => &mut assigns,
            1..=4 => &mut ensures[0],
            5 | 6 if !invariant.is_empty() => &mut invariant,
            5 if !logic.is_empty() => &mut logic,
            _ => &mut body,
        };
        if let Some(changed) = mutant(random, text, &is_known) {
            *text = changed;
        }
    }
    let mut source = format!("//@ requires {requires};\n");
    if !logic.is_empty() {
        source += &format!("//@ logic {logic};\n");
    }
    for one in &ensures {
        source += &format!("//@ ensures {one};\n");
    }
    if !assigns.is_empty() && random.percent(60) {
        source += &format!("//@ assigns {assigns};\n");
    }
    // Some loops say nothing: what is stated at one may hide what is found without.
    let stated = match !invariant.is_empty() && random.percent(80) {
        true => format!("/*@ loop invariant {invariant}; */"),
        false => String::new(),
    };
    let body = body.replace(AT_LOOP, &stated);
    let name = ty.name();
    source += &format!(
        "__global__ void NAME({name} *out, const {name} *in, const {name} *w, int n, int m) {{ {body} }}\n"
    );
    Contract { template: template.name, source }
}

fn random_of(random: &Random, choices: &[&'static str]) -> &'static str {
    choices[random.clone().below(choices.len())]
}

/// Carries out a plan.
pub fn fuzz_contracts(plan: &ContractPlan) -> ContractSummary {
    let mut summary = ContractSummary::default();
    let Ok(mut session) = Session::new() else {
        summary.violations.push("no solver".to_string());
        return summary;
    };
    let folder = std::env::temp_dir().join(format!("duet-contracts-{}", std::process::id()));
    let numbers: Vec<usize> = (plan.first..plan.first + plan.kernels).collect();
    for batch in numbers.chunks(BATCH) {
        let all: Vec<(usize, Contract)> =
            batch.iter().map(|&number| (number, contract_of(plan, number))).collect();
        of_batch(&mut session, plan, &folder, &all, &mut summary);
        if plan.progress {
            eprintln!("{}", summary.to_string().lines().next().unwrap_or_default());
        }
    }
    // What is left behind in a folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    summary
}

/// Judges the kernels of one file; those of a file that cannot be read by halves.
fn of_batch(
    session: &mut Session,
    plan: &ContractPlan,
    folder: &Path,
    all: &[(usize, Contract)],
    summary: &mut ContractSummary,
) {
    let named =
        |(number, one): &(usize, Contract)| one.source.replace("NAME", &format!("k{number}"));
    let file: PathBuf = folder.join("contracts.cu");
    let text: String = all.iter().map(named).collect();
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, text));
    if let Err(error) = written {
        return summary.violations.push(format!("{}: {error}", file.display()));
    }
    match load_contracts(&LoadOptions::plain(file, Default::default()), None) {
        Ok(loaded) => {
            for (number, one) in all {
                of_kernel(session, plan, &loaded, *number, one, summary);
            }
        }
        Err(LoadError::Unreadable(_)) if all.len() > 1 => {
            let (left, right) = all.split_at(all.len() / 2);
            of_batch(session, plan, folder, left, summary);
            of_batch(session, plan, folder, right, summary);
        }
        Err(LoadError::Unreadable(_)) => summary.unreadable += 1,
        Err(LoadError::Sizes(error)) => summary.violations.push(error.to_string()),
    }
}

/// Of most kernels each question is asked briefly: what is proved at all mostly is so, and one
/// that is not proved does not take the time of many others. Some are asked about at length.
fn options(launch: LaunchSpec, number: usize) -> CheckOptions {
    let at_length = number.is_multiple_of(AT_LENGTH);
    CheckOptions {
        work: if at_length { 20_000_000 } else { 10_000_000 },
        patience: if at_length { Patience::Full } else { Patience::Little },
        time_limit: Some(Duration::from_secs(120)),
        // The runs of the contract are the judge.
        refute: false,
        ..CheckOptions::new(launch)
    }
}

fn of_kernel(
    session: &mut Session,
    plan: &ContractPlan,
    loaded: &LoadedContracts,
    number: usize,
    one: &Contract,
    summary: &mut ContractSummary,
) {
    let module = &loaded.file.module;
    let name = format!("k{number}");
    let func: Option<Func> =
        module.kernels().find(|(_, data)| data.name == name).map(|(func, _)| func);
    let bound = func.and_then(|func| Bound::new(module, func, &loaded.specs).ok().flatten());
    let Some(bound) = bound else {
        summary.unreadable += 1;
        return;
    };
    let launch = launch_spec(&module.functions[bound.kernel], &LaunchSizes::default());
    let options = options(launch, number);
    summary.kernels += 1;
    let tally = summary.templates.entry(one.template).or_default();
    tally[1] += 1;
    let asked = AssertUnwindSafe(|| proofs_say(session, module, &bound, &options.begun()));
    let statuses = match std::panic::catch_unwind(asked) {
        Ok(Ok(statuses)) => statuses,
        Ok(Err(error)) => return summary.violations.push(format!("{name}: {error}")),
        // One that crashes is no proof, and the others are judged still.
        Err(_) => {
            let violation = format!("kernel {number} ({}): crashed\n{}", one.template, one.source);
            summary.violations.push(violation);
            return;
        }
    };
    let is_proved = |status: &ClauseStatus| matches!(status, ClauseStatus::Proved(_));
    if !statuses.is_empty() && statuses.iter().all(is_proved) {
        summary.proved += 1;
        tally[0] += 1;
    }
    // Of kernels of which nothing is proved runs say only what the generator makes.
    if !statuses.iter().any(is_proved) && !number.is_multiple_of(UNPROVED_RUN) {
        return;
    }
    let searched = runs_say(module, &bound, &options);
    summary.run += 1;
    summary.broken += usize::from(searched.broken.is_some());
    let wrong = searched.broken.filter(|broken| statuses.get(broken.clause).is_some_and(is_proved));
    if let Some(broken) = wrong {
        let violation = format!(
            "kernel {number} ({}): clause {} is proved, and a run breaks it\n{}{:?}\n",
            one.template, broken.clause, one.source, broken
        );
        if plan.progress {
            eprintln!("{violation}");
        }
        summary.violations.push(violation);
    }
}

impl fmt::Display for ContractSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.proved as f64 / self.kernels.max(1) as f64;
        writeln!(
            f,
            "{} contracts ({} unreadable): {} proved ({share:.0} %), {} run, {} of them broken",
            self.kernels, self.unreadable, self.proved, self.run, self.broken
        )?;
        for (template, [proved, of]) in &self.templates {
            write!(f, "{template} {proved}/{of}; ")?;
        }
        write!(f, "violations: {}", self.violations.len())?;
        self.violations.iter().try_for_each(|violation| write!(f, "\n\n{violation}"))
    }
}
