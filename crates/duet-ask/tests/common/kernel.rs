//! Kernels in the text form, and the questions that their assertions are.

use duet_ask::{AskOptions, Budget, Patience, Question};
use duet_ir::{Inst, Module, WellFormed, check_well_formed};
use duet_product::{FactsOptions, KernelFacts};
use duet_vc::{Extent, InRange, LaunchSpec, Premises, Walker};

pub fn parse(text: &str) -> Result<WellFormed, String> {
    let module = Module::parse(text).map_err(|errors| format!("{errors:?}"))?;
    check_well_formed(module).map_err(|errors| format!("{errors:?}"))
}

/// What the analyses know of the first kernel, for any launch.
pub fn facts(module: &WellFormed) -> Result<KernelFacts<'_>, String> {
    let (kernel, _) = module.kernels().next().ok_or("no kernel")?;
    let options = FactsOptions {
        launch: LaunchSpec::any(),
        arguments: Default::default(),
        may_alias: false,
        warp_sync: None,
    };
    Ok(KernelFacts::new(module, kernel, &options))
}

pub fn walker<'f>(facts: &'f KernelFacts<'f>) -> Walker<'f> {
    let free = [Extent::Free, Extent::Number(1), Extent::Number(1)];
    let launch = LaunchSpec {
        block: free,
        grid: free,
        global_offset: [0; 3],
        work_dim: 1,
        most_threads: 1024,
    };
    let premises =
        Premises { launch, global_size: [None; 3], scalar_args: vec![], private_arrays: true };
    Walker::new(facts, premises, InRange::new())
}

pub fn ask_options() -> AskOptions {
    let budget = Budget::new(Patience::Full, None);
    AskOptions { budget, explain: false, is_size_free: true, adds_cells: false, likely: None }
}

/// A question for each assertion of one thread by itself: can it fail?
pub fn assertions(walker: &mut Walker<'_>) -> Vec<(Inst, Question<'static>)> {
    let walk = walker.walk_alone();
    let facts = walker.facts_alone();
    let mut questions = vec![];
    for obligation in &walk.obligations {
        let mut given = facts.clone();
        given.extend(walk.facts_at(obligation.at));
        let (when, goal) = (vec![obligation.guard], vec![walker.pool.not(obligation.holds)]);
        let places = vec![obligation.inst];
        let question = Question { given, when, goal, places, ..Question::about("an assertion") };
        questions.push((obligation.inst, question));
    }
    questions
}
