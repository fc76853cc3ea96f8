//! File tests: each file holds a kernel in the text form and, in the section `survivors`,
//! which candidates of each loop Houdini keeps and which it drops, each with the rule that
//! made it up. z3 is asked with limits that it counts itself, so the result is the same on
//! every machine. The launch is 64 threads in each of 4 blocks. `BLESS=1` rewrites the
//! sections.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use duet_analysis::Loop;
use duet_ask::{AskOptions, Asker, Budget, Patience, Session};
use duet_infer::search::candidates;
use duet_infer::{Composition, InferOptions, Search, Selection};
use duet_ir::{Module, check_well_formed};
use duet_product::{FactsOptions, KernelFacts};
use duet_refute::Setting;
use duet_vc::{Candidate, Extent, InRange, Invariants, LaunchSpec, Premises, Source, Walker};

fn launch() -> LaunchSpec {
    let along = |size| [Extent::Number(size), Extent::Number(1), Extent::Number(1)];
    let (block, grid) = (along(64), along(4));
    LaunchSpec { block, grid, global_offset: [0; 3], work_dim: 1, most_threads: 1024 }
}

fn options(selectors: bool) -> InferOptions {
    let setting = Setting {
        launch: launch(),
        global_size: [None; 3],
        scalar_args: vec![],
        array_sizes: vec![],
        may_alias: false,
        warp_sync: None,
        tolerate_benign: true,
        only_intra_group: false,
        only_divergence: false,
        strict: false,
        check_bounds: false,
        likely: None,
    };
    let budget = Budget::new(Patience::Full, None);
    let ask =
        AskOptions { budget, explain: false, is_size_free: false, adds_cells: false, likely: None };
    InferOptions {
        guesses: true,
        rules: Selection::default(),
        engines: Composition::houdini(),
        induction_depth: 1,
        selectors,
        ask,
        setting,
    }
}

/// The invariants that a search leaves.
fn kept(facts: &KernelFacts<'_>, session: &mut Session, selectors: bool) -> Invariants {
    let options = options(selectors);
    let premises = Premises {
        launch: launch(),
        global_size: [None; 3],
        scalar_args: vec![],
        private_arrays: true,
    };
    let mut walker = Walker::new(facts, premises, InRange::new());
    let mut asker = Asker::new(session, options.ask.clone());
    Search::new(&mut walker, &mut asker, &options).find().expect("an answer");
    walker.invariants
}

fn show(candidate: &Candidate) -> String {
    match candidate.source {
        Source::Rule(rule) => format!("{rule}: {}", candidate.expr),
        Source::User(inst) => format!("user {inst}: {}", candidate.expr),
    }
}

fn survivors(facts: &KernelFacts<'_>, kept: &Invariants) -> String {
    let mut all = Invariants::default();
    for (id, candidate) in candidates(facts, &options(true)) {
        all.add(id, candidate);
    }
    let mut text = String::new();
    for (id, _) in facts.loops.iter() {
        let _ = writeln!(text, "{id}:");
        for candidate in all.of(id) {
            let word = if kept.of(id).contains(candidate) { "keeps" } else { "drops" };
            let _ = writeln!(text, "  {word} {}", show(candidate));
        }
    }
    text
}

/// Those of all loops, in a form that can be compared.
fn sorted(facts: &KernelFacts<'_>, invariants: &Invariants) -> Vec<(Loop, String)> {
    let loops = facts.loops.iter().map(|(id, _)| id);
    let mut all: Vec<(Loop, String)> =
        loops.flat_map(|id| invariants.of(id).iter().map(move |one| (id, show(one)))).collect();
    all.sort();
    all
}

#[test]
fn houdini_keeps_what_the_files_say() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/survivors");
    duet_filetest::run(dir, "duet", |file| {
        let mut sections = file.sections();
        let module = Module::parse(&sections.input).map_err(|errors| format!("{errors:?}"))?;
        let module = check_well_formed(module).map_err(|errors| format!("{errors:?}"))?;
        let (kernel, _) = module.kernels().next().ok_or("no kernel")?;
        let facts_options = FactsOptions {
            launch: LaunchSpec::known([4, 1, 1], [64, 1, 1]),
            arguments: BTreeMap::new(),
            may_alias: false,
            warp_sync: None,
        };
        let facts = KernelFacts::new(&module, kernel, &facts_options);
        let mut session = Session::new().map_err(|error| error.to_string())?;
        let found = kept(&facts, &mut session, true);
        // The largest inductive set is the same however the solver is asked for it.
        let by_themselves = kept(&facts, &mut session, false);
        if sorted(&facts, &found) != sorted(&facts, &by_themselves) {
            return Err("selectors change what is kept".to_string());
        }
        sections.set("survivors", survivors(&facts, &found));
        Ok(sections.to_string())
    });
}
