//! Our own kernels, every one: it is read, its IR survives printing and parsing,
//! and runs of it in the interpreter show what its header says.

mod common;

use std::collections::BTreeSet;

use common::trial::{self, Contents, Trial};
use common::{KernelFile, NOT_SHOWN_BY_RUNS, assert_none, headlines, in_parallel, kernels};
use duet_frontend::Options;
use duet_interp::{FindingKind, Launch, Status};
use duet_ir::{Func, Language, Module, Rule, Space};
use regex::RegexBuilder;

/// Choices of arguments that a correct kernel is run on, for each launch and
/// kind of contents, and that a buggy one is run on until the bug shows.
const CLEAN_CHOICES: usize = 3;
const DEFECT_CHOICES: usize = 60;
/// Launches of more threads are not run here.
const MOST_THREADS: u64 = 1 << 22;

#[test]
fn every_kernel_is_read_and_runs_as_its_header_says() {
    let kernels = kernels();
    let mut problems: Vec<String> =
        in_parallel(&kernels, check_file).into_iter().flatten().collect();
    for (name, _) in NOT_SHOWN_BY_RUNS {
        let exists = kernels.iter().any(|file| file.name == *name);
        problems.extend((!exists).then(|| format!("there is no {name}")));
    }
    assert_none(problems);
}

/// What is wrong with a file, if anything.
fn check_file(file: &KernelFile) -> Option<String> {
    let loaded = match file.load() {
        Ok(loaded) => loaded,
        Err(problem) => return Some(problem),
    };
    // What `programs/missing-header` is about is said as a warning.
    let mut diagnostics = loaded.diagnostics.clone();
    diagnostics.retain(|diagnostic| diagnostic.rule != Rule::MissingHeader);
    // Kernels that call what is not modelled are read, and stay unproven.
    diagnostics.retain(|one| one.rule != Rule::UnknownFunction || !file.is_unproven());
    let checked = match diagnostics.is_empty() {
        true => check_text(&loaded.module).and_then(|()| check_verdict(file, &loaded.module)),
        false => Err(headlines(&diagnostics)),
    };
    checked.err().map(|problem| format!("{}: {problem}", file.name))
}

/// Do runs agree with the header, or not agree for the reason that is known?
fn check_verdict(file: &KernelFile, module: &Module) -> Result<(), String> {
    // These need the arguments that they name; `duet-conformance` runs them.
    if file.name.starts_with("conformance/") {
        return Ok(());
    }
    // The host code says how these are launched, which runs of a kernel alone don't know.
    if file.name.starts_with("programs/") && file.header.options.is_empty() {
        return Ok(());
    }
    // Its header says that no run shows what is wrong.
    if file.is_unproven() {
        return Ok(());
    }
    let is_listed = NOT_SHOWN_BY_RUNS.iter().any(|(name, _)| *name == file.name);
    match check_runs(file, module) {
        Ok(()) if is_listed => Err("it is on the list of kernels that no run shows".into()),
        Err(_) if is_listed => Ok(()),
        shown => shown,
    }
}

/// Printing, parsing and printing again gives the same text, and the parsed
/// module is as well formed as the one that was printed.
fn check_text(module: &Module) -> Result<(), String> {
    let text = module.to_string();
    let parsed = Module::parse(&text).map_err(|errors| format!("its text: {}", errors[0]))?;
    let parsed = duet_ir::check_well_formed(parsed)
        .map_err(|errors| format!("not well formed after parsing: {}", errors[0]))?;
    let again = parsed.to_string();
    let difference = text.lines().zip(again.lines()).find(|(a, b)| a != b);
    match difference {
        Some((a, b)) => Err(format!("printed `{a}`, after parsing `{b}`")),
        None if text != again => Err("the texts differ in length".into()),
        None => Ok(()),
    }
}

/// Kernels that include the host's standard library, which 64-bit machines seldom
/// have for 32 bits.
const NEED_HOST_LIBRARY: &[&str] = &["programs/", "contracts/cassert"];

#[test]
fn every_kernel_is_read_with_narrow_pointers() {
    let mut kernels = kernels();
    kernels.retain(|file| !NEED_HOST_LIBRARY.iter().any(|name| file.name.starts_with(name)));
    let problems = in_parallel(&kernels, |file| {
        let options = Options { pointer_width: Some(32), ..file.options() };
        let loaded = duet_frontend::load(&file.path, &options)
            .map_err(|diagnostics| headlines(&diagnostics));
        let checked = loaded.and_then(|loaded| match loaded.module.pointer_width {
            32 => check_text(&loaded.module),
            width => Err(format!("pointers have {width} bits")),
        });
        checked.err().map(|problem| format!("{}: {problem}", file.name))
    });
    assert_none(problems.into_iter().flatten());
}

/// Do runs agree with the header?
fn check_runs(file: &KernelFile, module: &Module) -> Result<(), String> {
    let kernels: Vec<Func> = module.kernels().map(|(id, _)| id).collect();
    match file.passes() {
        true => kernels.iter().try_for_each(|&kernel| check_clean(file, module, kernel)),
        false if NOT_SHOWN.iter().any(|(name, _)| *name == file.name) => Ok(()),
        false => check_defect(file, module, &kernels),
    }
}

/// No run shows a defect, and with some contents all orders finish.
fn check_clean(file: &KernelFile, module: &Module, kernel: Func) -> Result<(), String> {
    let mut finished = false;
    for launch in trial::launches(file) {
        for contents in contents_of(file) {
            let trials = trial::trials(file, module, kernel, (&launch, contents), CLEAN_CHOICES)
                .map_err(|error| error.to_string())?;
            if let Some(trial) =
                trials.iter().find(|trial| !defects(file, module, trial).is_empty())
            {
                let seen = defects(file, module, trial);
                return Err(format!("{:?} on {contents:?} shows {seen:?}", trial.schedule));
            }
            let all_finish = trials.iter().all(|trial| trial.outcome.status == Status::Finished);
            finished |= all_finish && trials.len() >= trial::SCHEDULES.len();
        }
    }
    if finished { Ok(()) } else { Err("no arguments were found with which it finishes".into()) }
}

/// Contents that a correct kernel works with. Flags, locks and counters begin at zero, which
/// a proof takes for granted and says so.
fn contents_of(file: &KernelFile) -> Vec<Contents> {
    match file.name.starts_with("order/") {
        true => vec![Contents::Zero],
        false => Contents::ALL.to_vec(),
    }
}

/// Bugs that the runs of this test do not show, each with the reason.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("atomics/spin-lock.cu", "it is right; the lock orders it in every run"),
    ("claims/04-permission-races.cu", "that a cell may change is no defect of a run"),
    ("claims/06-changed-after-check.cu", "a claim in the wrong place is no defect of a run"),
    ("claims/07-claimed-by-some.cu", "a claim in the wrong place is no defect of a run"),
    ("claims/32-conjunction-bug.cu", "the race comes first"),
    ("claims/68-one-too-many.cu", "trials make up no elements that are so large"),
    ("claims/70-sum-of-other-type.cu", "trials make up no elements that are so large"),
    ("claims/71-bytes-of-a-sum.cu", "trials make up no elements whose bytes are so large"),
    ("claims/73-sum-of-small.cu", "trials make up no elements that are so large"),
    ("contracts/sum-of-four-bug.cu", "trials make up no arguments that are so large"),
    ("order/lock-freed-by-other-bug.cu", "blocks of these runs come one after the other"),
    ("order/lock-of-all-own-count-bug.cu", "blocks of these runs come one after the other"),
    ("order/states-any-bug.cu", "blocks of these runs come one after the other"),
    ("order/gate-zero-returns-bug.cu", "threads that wait take all steps of a trial"),
    ("order/lock-given-by-all-bug.cu", "blocks of these runs come one after the other"),
    ("atomics/draws-told-unset-bug.cu", "what shared memory begins with is no piece of work here"),
    ("loops/late-iteration-bug.cu", "it takes more steps than a trial has"),
    ("order/compare-as-read-bug.cu", "in runs a swap that fails acquires too"),
    ("order/lock-by-block-given-bug.cu", "blocks of these runs come one after the other"),
    ("order/lock-other-place-bug.cu", "blocks of these runs come one after the other"),
    ("order/lock-equals-one-bug.cu", "blocks of these runs come one after the other"),
    ("order/ticket-lock-all-add-bug.cu", "few orders let two threads in at once"),
    ("order/ticket-lock-early-bug.cu", "few orders let two threads in at once"),
    ("scans/blelloch-max-bug.cu", "trials make up no contents in which the greatest is not 0"),
    ("order/relay-no-fence-bug.cu", "threads that wait take all steps of a trial"),
    ("order/lock-tried-bug.cu", "blocks of these runs come one after the other"),
    ("order/claim-as-flag-bug.cu", "blocks of these runs come one after the other"),
    ("order/flag-bits-one-bug.cu", "blocks of these runs come one after the other"),
    ("order/last-block-reset-one-bug.cu", "blocks of these runs come one after the other"),
    ("order/message-again-bug.cu", "blocks of these runs come one after the other"),
    ("order/seqlock-bug.cu", "blocks of these runs come one after the other"),
    ("soundness/95-carry-inside-visits.cl", "it takes 20,000 iterations"),
    ("contracts/log-invariant-bug.cu", "runs keep no log of accesses, and show a race"),
    ("contracts/log-old-names-bug.cl", "runs keep no log of accesses, and show a race"),
    ("soundness/86-ghost-other-block.cu", "few orders change from one block to another in between"),
];

/// Some run shows a defect, and all patterns of the header are seen.
fn check_defect(file: &KernelFile, module: &Module, kernels: &[Func]) -> Result<(), String> {
    let mut seen = BTreeSet::from(["vacuous"]);
    let can_be_run = |launch: &Launch| {
        launch.threads_per_block().saturating_mul(launch.blocks()) <= MOST_THREADS
    };
    for launch in trial::launches(file).into_iter().filter(can_be_run) {
        for contents in Contents::ALL {
            for &kernel in kernels {
                let at = (&launch, contents);
                let trials = trial::trials(file, module, kernel, at, DEFECT_CHOICES)
                    .map_err(|error| error.to_string())?;
                if !trials.is_empty() {
                    seen.remove("vacuous");
                }
                seen.extend(trials.iter().flat_map(|trial| defects(file, module, trial)));
            }
            if !seen.is_empty() && unmatched(file, &seen).is_none() {
                return Ok(());
            }
        }
    }
    match unmatched(file, &seen) {
        Some(pattern) => Err(format!("nothing matches `{pattern}` among {seen:?}")),
        None => Err("no run shows a defect".into()),
    }
}

/// The first pattern of the header that matches none of the rules.
fn unmatched<'f>(file: &'f KernelFile, rules: &BTreeSet<&str>) -> Option<&'f String> {
    let text = rules.iter().copied().collect::<Vec<_>>().join("\n");
    file.header.patterns.iter().find(|pattern| {
        let regex = RegexBuilder::new(pattern).multi_line(true).build();
        !regex.unwrap_or_else(|error| panic!("{}: {error}", file.name)).is_match(&text)
    })
}

/// The rules that a run breaks, as the header's options have it.
fn defects(file: &KernelFile, module: &Module, trial: &Trial) -> Vec<&'static str> {
    let findings = trial.outcome.findings.iter().map(|finding| &finding.kind);
    findings.filter(|kind| is_defect(file, module, kind)).map(|kind| kind.rule().id()).collect()
}

fn is_defect(file: &KernelFile, module: &Module, kind: &FindingKind) -> bool {
    let header = &file.header;
    match kind {
        FindingKind::SignedOverflow { .. }
        | FindingKind::ConversionOutOfRange { .. }
        | FindingKind::PartialExchange { .. } => false,
        FindingKind::BenignRace(_) => header.has("--no-benign-tolerance"),
        FindingKind::ExitBeforeBarrier { .. } => {
            file.language() == Language::OpenCl || header.has("--strict")
        }
        // What the correct kernels promise beyond their verdict.
        FindingKind::Uninitialised { array, .. } => {
            file.passes() && module.arrays[*array].space == Space::Shared
        }
        FindingKind::OutOfBounds { size, .. } => {
            header.has("--check-array-bounds") || file.passes() && size.is_some()
        }
        _ => true,
    }
}
