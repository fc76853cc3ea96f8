//! The fuzzer of pairs for `duet equiv`: two kernels of a family, of which one was perhaps
//! changed. Where the engines prove them equal and both are checked, runs must agree.
//!
//! The engines are asked alone, before any search for a difference: otherwise a wrong proof
//! would be hidden by the runs that the command makes first. What they prove is then
//! compared by runs of our own ([`judge`]) and by the command's, and only where a run differs
//! both kernels are checked. Of what they do not prove, and of the whole command, a share is
//! tried, so that the numbers say whether the generator makes enough of each kind.

pub mod families;
pub mod judge;
pub mod make;
pub mod mutants;
pub mod mutate;
pub mod selves;
pub mod trees;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duet_engine::LaunchSizes;
use duet_engine::check::Session;
use duet_engine::load::{LoadError, LoadOptions, LoadedFile, load};
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::{Kernel, Request};
use duet_equiv::{Verdict, checks_say, compare, engines_say};
use duet_ir::{Func, InstData, Module, WellFormed, check_well_formed};

use crate::random::Random;
use judge::{Judged, Judgement};
use make::Pair;

/// How much to do.
#[derive(Clone, Copy, Debug)]
pub struct PairPlan {
    /// Pairs to make.
    pub pairs: usize,
    /// The first of them.
    pub first: usize,
    /// Tells this sequence of pairs from others.
    pub seed: u64,
    /// Runs that compare a pair that is proved equal.
    pub runs: usize,
    /// Say how far it is, and violations at once.
    pub progress: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct PairSummary {
    /// Pairs that were compared.
    pub pairs: usize,
    /// Pairs that no compiler accepts.
    pub unreadable: usize,
    /// Pairs that an engine proved.
    pub proved: usize,
    /// Pairs that were asked of the whole command.
    pub asked: usize,
    /// Of these, the ones that it calls equal.
    pub equal: usize,
    /// Pairs that our runs were tried on, whether proved or not.
    pub judged: usize,
    /// Of these, the ones that they tell apart.
    pub different: usize,
    /// Proved and compared, by family.
    pub families: BTreeMap<&'static str, [usize; 2]>,
    /// Wrong answers.
    pub violations: Vec<String>,
}

/// Pairs of one file: starting the compiler takes longer than a comparison.
const BATCH: usize = 60;
/// Every how many pairs runs judge what is not proved.
const JUDGED: usize = 6;
/// Every how many pairs the whole command is asked.
const ASKED: usize = 12;
/// Every how many pairs the engines may do much work.
const WORKED: usize = 16;
/// Work of the engines, in units of z3's count: much, and as a rule.
const WORK: [u64; 2] = [8_000_000, 400_000];

/// The pair of a number.
pub fn pair_of(plan: &PairPlan, number: usize) -> Pair {
    let seed = plan.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64);
    make::pair(&mut Random::new(Random::new(seed).bits()))
}

/// The source of a pair.
pub fn source(number: usize, pair: &Pair) -> String {
    let kernel = |side: usize| {
        let letter = ["a", "b"][side];
        format!("__global__ void k{number}{letter}({}) {{ {} }}\n", pair.params, pair.bodies[side])
    };
    kernel(0) + &kernel(1)
}

/// Carries out a plan.
pub fn fuzz_pairs(plan: &PairPlan) -> PairSummary {
    let mut summary = PairSummary::default();
    let Ok(mut session) = Session::new() else {
        summary.violations.push("no solver".to_string());
        return summary;
    };
    let folder = std::env::temp_dir().join(format!("duet-pairs-{}", std::process::id()));
    let numbers: Vec<usize> = (plan.first..plan.first + plan.pairs).collect();
    for batch in numbers.chunks(BATCH) {
        let pairs: Vec<(usize, Pair)> =
            batch.iter().map(|&number| (number, pair_of(plan, number))).collect();
        of_batch(&mut session, plan, &folder, &pairs, &mut summary);
        if plan.progress {
            eprintln!("{}", summary.to_string().lines().next().unwrap_or_default());
        }
    }
    // What is left behind in a folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    summary
}

/// Compares the pairs of one file; without those that the compiler refuses.
fn of_batch(
    session: &mut Session,
    plan: &PairPlan,
    folder: &Path,
    pairs: &[(usize, Pair)],
    summary: &mut PairSummary,
) {
    let text: String = pairs.iter().map(|(number, pair)| source(*number, pair)).collect();
    let file = folder.join("pairs.cu");
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, text));
    if let Err(error) = written {
        return summary.violations.push(format!("{}: {error}", file.display()));
    }
    match load(&LoadOptions::plain(file.clone(), Default::default())) {
        Ok(loaded) => {
            for (number, pair) in pairs {
                of_pair(session, plan, (&file, &loaded), *number, pair, summary);
            }
        }
        Err(LoadError::Unreadable(why)) => {
            // Each kernel is one line.
            let spans = why.iter().filter_map(|one| one.primary.as_ref());
            let refused: BTreeSet<usize> =
                spans.map(|span| (span.line as usize).saturating_sub(1) / 2).collect();
            let is_kept = |at: &usize| !refused.contains(at);
            let kept: Vec<(usize, Pair)> =
                (0..pairs.len()).filter(is_kept).map(|at| pairs[at].clone()).collect();
            summary.unreadable += pairs.len() - kept.len();
            match kept.len() {
                0 => {}
                len if len < pairs.len() => of_batch(session, plan, folder, &kept, summary),
                1 => summary.unreadable += 1,
                len => {
                    let (left, right) = kept.split_at(len / 2);
                    of_batch(session, plan, folder, left, summary);
                    of_batch(session, plan, folder, right, summary);
                }
            }
        }
        Err(LoadError::Sizes(error)) => summary.violations.push(error.to_string()),
    }
}

/// Compares a pair, in one of its two orders.
fn of_pair(
    session: &mut Session,
    plan: &PairPlan,
    (file, loaded): (&PathBuf, &LoadedFile),
    number: usize,
    pair: &Pair,
    summary: &mut PairSummary,
) {
    let func = |letter: &str| {
        let name = format!("k{number}{letter}");
        loaded.module.kernels().find(|(_, data)| data.name == name).map(|(func, _)| func)
    };
    let (Some(a), Some(b)) = (func("a"), func("b")) else {
        summary.unreadable += 1;
        return;
    };
    let mut random = Random::new(number as u64 ^ plan.seed);
    let is_turned = random.percent(50);
    let (funcs, relation) = match is_turned {
        false => ([a, b], pair.relation.clone()),
        true => ([b, a], swapped(&pair.relation)),
    };
    let Some((module, funcs)) = alone(&loaded.module, funcs) else {
        summary.unreadable += 1;
        return;
    };
    summary.pairs += 1;
    let asked = Asked { file, module: &module, funcs, pair, relation };
    let share = |every: usize| random.below(every) == 0;
    let shares = [JUDGED, ASKED, WORKED].map(share);
    let told = asked.told(session, plan.runs, &mut random, shares);
    summary.proved += usize::from(told.proved.is_some());
    summary.asked += usize::from(told.verdict.is_some());
    summary.equal += usize::from(told.verdict == Some(Verdict::Equal));
    summary.judged += usize::from(told.differs.is_some());
    summary.different += usize::from(told.differs == Some(true));
    let tally = summary.families.entry(pair.family).or_default();
    tally[0] += usize::from(told.proved.is_some());
    tally[1] += 1;
    let Some(wrong) = told.wrong else { return };
    let engine = told.proved.unwrap_or_default();
    let order = if is_turned { "b, a" } else { "a, b" };
    let text = source(number, pair);
    let (block, relation) = (pair.block, &pair.relation);
    let violation = format!(
        "pair {number} ({}), {order}, block {block:?}, relation {relation:?}, {:?}: proved ({engine})\n{text}{wrong}\n",
        pair.family, pair.float
    );
    if plan.progress {
        eprintln!("{violation}");
    }
    summary.violations.push(violation);
}

/// A module of two kernels alone: copying those of a whole batch took most of the time.
fn alone(module: &Module, funcs: [Func; 2]) -> Option<(WellFormed, [Func; 2])> {
    let calls = |func: Func| {
        let function = &module.functions[func];
        function.insts_in_order().any(|inst| matches!(function.insts[inst], InstData::Call { .. }))
    };
    if funcs.into_iter().any(calls) {
        return None;
    }
    let mut own = Module::new(module.language, module.pointer_width);
    own.arrays = module.arrays.clone();
    own.files = module.files.clone();
    own.locs = module.locs.clone();
    let new = funcs.map(|func| own.functions.push(module.functions[func].clone()));
    own.retain_used_arrays();
    Some((check_well_formed(own).ok()?, new))
}

/// The relation with the names of the two sides exchanged.
fn swapped(relation: &Option<String>) -> Option<String> {
    let text = relation.as_ref()?;
    let other = text.replace("_a.", "_?.").replace("_b.", "_a.").replace("_?.", "_b.");
    // A relation that names no size of B would make both launches the same one.
    Some(format!("{other} && gridDim_b.x >= 1"))
}

/// One order of a pair.
struct Asked<'a> {
    file: &'a PathBuf,
    module: &'a WellFormed,
    funcs: [Func; 2],
    pair: &'a Pair,
    relation: Option<String>,
}

/// What was said about it.
#[derive(Default)]
struct Told {
    /// The engine that proved it.
    proved: Option<String>,
    /// What the command says, if it was asked.
    verdict: Option<Verdict>,
    /// Do our runs tell them apart? Nothing if none were made.
    differs: Option<bool>,
    /// What is wrong with it.
    wrong: Option<String>,
}

impl Asked<'_> {
    fn told(
        &self,
        session: &mut Session,
        runs: usize,
        random: &mut Random,
        [is_judged, is_asked, is_worked]: [bool; 3],
    ) -> Told {
        let kernels = self.funcs.map(|func| Kernel {
            file: self.file.clone(),
            module: self.module,
            func,
            sizes: self.sizes(),
            reading: vec![],
        });
        let request = Request {
            given: self.given().into_iter().collect(),
            float: self.pair.float,
            timeout: Some(Duration::from_secs(60)),
            work: Some(WORK[usize::from(!is_worked)]),
            ..Request::default()
        };
        let mut told = Told::default();
        if let Ok(proof) = engines_say(&kernels, &request) {
            told.proved = Some(proof.engine);
        }
        if told.proved.is_none() && !is_judged {
            return told;
        }
        let judged = self.judged(random, if told.proved.is_some() { runs } else { runs / 4 });
        told.differs = Some(judged.difference.is_some());
        if told.proved.is_none() {
            return told;
        }
        // Without a proof of its own, the command only searches.
        let request = Request { fixed: !is_asked, ..request };
        match compare(session, &kernels, &request) {
            Ok(report) => {
                let shown = report.difference.as_ref().map(|_| report.commands.join("\n"));
                let wrong = judged.difference.or(shown);
                let mut is_checked = || checks_say(session, &kernels, &request).unwrap_or(false);
                told.wrong = wrong.filter(|_| is_checked());
                told.verdict = is_asked.then_some(report.verdict);
            }
            Err(failure) => told.wrong = Some(failure.to_string()),
        }
        told
    }

    fn judged(&self, random: &mut Random, runs: usize) -> Judgement {
        let sizes = self.pair.block.map(|text| {
            let mut numbers = text.split(',').map(|size| size.parse().unwrap_or(1));
            [0, 1, 2].map(|_: usize| numbers.next().unwrap_or(1))
        });
        let judged = Judged {
            kernels: self.funcs.map(|func| (&**self.module, func)),
            block: sizes,
            is_flat: self.pair.bodies.iter().any(|body| body.contains("Idx.y")),
            relation: self.given(),
            whole: self.pair.float != Default::default(),
            large: true,
        };
        judged.judge(random, runs)
    }

    fn given(&self) -> Option<Expr> {
        self.relation.as_ref().and_then(|text| Expr::parse(text).ok())
    }

    fn sizes(&self) -> LaunchSizes {
        let block = self.pair.block.and_then(|text| text.parse().ok());
        LaunchSizes { block, ..LaunchSizes::default() }
    }
}

impl fmt::Display for PairSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} pairs ({} unreadable): {} proved; of {} judged by runs {} differ; of {} proved ones asked of the command {} equal",
            self.pairs,
            self.unreadable,
            self.proved,
            self.judged,
            self.different,
            self.asked,
            self.equal
        )?;
        for (family, [proved, of]) in &self.families {
            write!(f, "{family} {proved}/{of}; ")?;
        }
        write!(f, "violations: {}", self.violations.len())?;
        self.violations.iter().try_for_each(|violation| write!(f, "\n\n{violation}"))
    }
}
