//! The fuzzer of pairs for `duet equiv`: two kernels of a family, of which one was perhaps
//! changed. Where the engines prove them equal and both are checked, runs must agree.
//!
//! The engines are asked alone, before any search for a difference: otherwise a wrong proof
//! would be hidden by the runs that the command makes first. What they prove is then
//! compared by runs of our own ([`judge`]) and by the command's.

pub mod families;
pub mod judge;
pub mod make;
pub mod mutants;
pub mod mutate;
pub mod selves;
pub mod trees;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duet_engine::LaunchSizes;
use duet_engine::check::Session;
use duet_engine::load::{LoadError, LoadOptions, LoadedFile, load};
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::{Kernel, Request};
use duet_equiv::{Verdict, checks_say, compare, engines_say};
use duet_ir::Func;

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
    /// Pairs that an engine proved, in the first order.
    pub proved: usize,
    /// Pairs that the command calls equal, in the first order.
    pub equal: usize,
    /// Pairs that our runs tell apart.
    pub different: usize,
    /// Equal and compared, by family.
    pub families: BTreeMap<&'static str, [usize; 2]>,
    /// Wrong answers.
    pub violations: Vec<String>,
}

/// Pairs of one file: starting the compiler takes longer than a comparison.
const BATCH: usize = 20;

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

/// Compares the pairs of one file; those of a file that cannot be read by halves.
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
        Err(LoadError::Unreadable(_)) if pairs.len() > 1 => {
            let (left, right) = pairs.split_at(pairs.len() / 2);
            of_batch(session, plan, folder, left, summary);
            of_batch(session, plan, folder, right, summary);
        }
        Err(LoadError::Unreadable(_)) => summary.unreadable += 1,
        Err(LoadError::Sizes(error)) => summary.violations.push(error.to_string()),
    }
}

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
    summary.pairs += 1;
    let mut random = Random::new(number as u64 ^ plan.seed);
    let mut judgement = None;
    for (funcs, relation) in [([a, b], pair.relation.clone()), ([b, a], swapped(&pair.relation))] {
        let is_first = funcs == [a, b];
        // The other order can be wrong only about kernels that differ.
        if !is_first
            && judgement.as_ref().is_some_and(|judged: &Judgement| judged.difference.is_none())
        {
            continue;
        }
        let asked = Asked { file, loaded, funcs, pair, relation };
        let told = asked.told(session, plan.runs, &mut random, &mut judgement);
        summary.proved += usize::from(is_first && told.proved.is_some());
        let tally = summary.families.entry(pair.family).or_default();
        tally[1] += usize::from(is_first);
        if is_first && told.verdict == Some(Verdict::Equal) {
            summary.equal += 1;
            tally[0] += 1;
        }
        if let Some(wrong) = told.wrong {
            let engine = told.proved.unwrap_or_default();
            let order = if is_first { "a, b" } else { "b, a" };
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
    }
    summary.different +=
        usize::from(judgement.is_some_and(|judged: Judgement| judged.difference.is_some()));
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
    loaded: &'a LoadedFile,
    funcs: [Func; 2],
    pair: &'a Pair,
    relation: Option<String>,
}

/// What was said about it.
#[derive(Default)]
struct Told {
    /// The engine that proved it.
    proved: Option<String>,
    /// What the command says.
    verdict: Option<Verdict>,
    /// What is wrong with it.
    wrong: Option<String>,
}

impl Asked<'_> {
    fn told(
        &self,
        session: &mut Session,
        runs: usize,
        random: &mut Random,
        judgement: &mut Option<Judgement>,
    ) -> Told {
        let kernels = self.funcs.map(|func| Kernel {
            file: self.file.clone(),
            module: &self.loaded.module,
            func,
            sizes: self.sizes(),
            reading: vec![],
        });
        let request = Request {
            given: self.given().into_iter().collect(),
            float: self.pair.float,
            timeout: Some(Duration::from_secs(60)),
            work: Some(8_000_000),
            ..Request::default()
        };
        let judged = judgement.get_or_insert_with(|| self.judged(random, runs));
        let Ok(proof) = engines_say(&kernels, &request) else { return Told::default() };
        let mut told = Told { proved: Some(proof.engine), ..Told::default() };
        match compare(session, &kernels, &request) {
            Ok(report) => {
                let shown = report.difference.as_ref().map(|_| report.commands.join("\n"));
                let wrong = judged.difference.clone().or(shown);
                let mut is_checked = || checks_say(session, &kernels, &request).unwrap_or(false);
                told.wrong = wrong.filter(|_| is_checked());
                told.verdict = Some(report.verdict);
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
            kernels: self.funcs.map(|func| (&*self.loaded.module, func)),
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
        let share = 100.0 * self.equal as f64 / self.pairs.max(1) as f64;
        writeln!(
            f,
            "{} pairs ({} unreadable), {} told apart by runs: {} proved, {} called equal ({share:.0} %)",
            self.pairs, self.unreadable, self.different, self.proved, self.equal
        )?;
        for (family, [equal, of]) in &self.families {
            write!(f, "{family} {equal}/{of}; ")?;
        }
        write!(f, "violations: {}", self.violations.len())?;
        self.violations.iter().try_for_each(|violation| write!(f, "\n\n{violation}"))
    }
}
