//! Mutants of our own kernels: a rewrite of a kernel is changed in one place, and compared
//! with the kernel. None may be called equal that a run tells apart, and most of those that
//! runs tell apart must be shown to differ.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duet_engine::LaunchSizes;
use duet_engine::check::Session;
use duet_engine::load::{LoadOptions, LoadedFile, load};
use duet_equiv::pair::request::{FloatModel, Kernel, Request};
use duet_equiv::{Verdict, compare};

use super::judge::Judged;
use super::mutate::{mutant, tokens};
use crate::random::Random;

/// Kernels and their rewrites, with the size of a block and the laws of floats.
const REWRITES: &[(&str, &str, Option<&str>, FloatModel)] = &[
    ("transpose-naive.cu", "transpose-padded.cu", None, FloatModel::Exact),
    ("transpose-naive.cu", "transpose-other-style.cu", None, FloatModel::Exact),
    ("transpose-naive.cu", "transpose-tiled.cu", None, FloatModel::Exact),
    ("reduce-modulo.cu", "reduce-sequential.cu", Some("16"), FloatModel::Reassociating),
    ("reduce-modulo.cu", "reduce-strided.cu", Some("16"), FloatModel::Exact),
    ("reduce-plain.cu", "reduce-last-warp.cu", Some("64"), FloatModel::Exact),
    ("scan-single.cu", "scan-double.cu", Some("64"), FloatModel::Exact),
    ("rows.cu", "rows-unrolled.cu", None, FloatModel::Exact),
    ("rows.cu", "rows-prefetched.cu", None, FloatModel::Exact),
    ("stencil.cu", "stencil-halo.cu", None, FloatModel::Exact),
    ("bitonic-least.cu", "bitonic-swap.cu", Some("16"), FloatModel::Exact),
];

/// How much to do.
#[derive(Clone, Debug)]
pub struct MutantPlan {
    /// Where the kernels are.
    pub folder: PathBuf,
    /// Mutants to make.
    pub mutants: usize,
    /// The first of them.
    pub first: usize,
    /// Runs that compare each of them with the kernel.
    pub runs: usize,
    /// Say how far it is.
    pub progress: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct MutantSummary {
    /// Mutants that were compared.
    pub mutants: usize,
    /// Mutants that no compiler accepts.
    pub unreadable: usize,
    /// Mutants that runs tell apart, ours or the command's.
    pub killable: usize,
    /// Of these, the ones that the command shows to differ.
    pub shown: usize,
    /// Mutants that are called equal.
    pub equal: usize,
    /// Killable ones that the command does not show.
    pub missed: Vec<String>,
    /// Called equal, but a run tells them apart.
    pub violations: Vec<String>,
}

/// Carries out a plan.
pub fn compare_mutants(plan: &MutantPlan) -> MutantSummary {
    let mut summary = MutantSummary::default();
    let Ok(mut session) = Session::new() else {
        summary.violations.push("no solver".to_string());
        return summary;
    };
    let folder = std::env::temp_dir().join(format!("duet-mutants-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        summary.violations.push(error.to_string());
        return summary;
    }
    for number in plan.first..plan.first + plan.mutants {
        of_mutant(&mut session, plan, &folder, number, &mut summary);
        if plan.progress && number % 20 == 19 {
            eprintln!("{}", summary.to_string().lines().next().unwrap_or_default());
        }
    }
    // What is left behind in a folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    summary
}

/// A changed text; lines of the preprocessor and comments stay as they are.
fn changed(random: &mut Random, text: &str) -> Option<String> {
    let is_kept = |line: &&str| line.starts_with('#') || line.starts_with("//");
    let kept: String = text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect();
    let rest: String =
        text.lines().filter(|line| !is_kept(line)).map(|line| format!("{line}\n")).collect();
    // The parameters stay as they are too.
    let (head, body) = rest.split_at(rest.find('{')?);
    let names = tokens(body);
    let body = mutant(random, body, &|name: &str| names.iter().any(|own| own == name))?;
    Some(format!("{kept}{head}{body}\n"))
}

fn of_mutant(
    session: &mut Session,
    plan: &MutantPlan,
    folder: &Path,
    number: usize,
    summary: &mut MutantSummary,
) {
    let mut random = Random::new(number as u64 ^ 0x6d75);
    let (a, b, block, float) = random.pick(REWRITES);
    let kernel = plan.folder.join(a);
    let Ok(text) = std::fs::read_to_string(plan.folder.join(b)) else {
        return summary.violations.push(format!("{b} is not there"));
    };
    let Some(text) = changed(&mut random, &text) else { return };
    let file = folder.join(b);
    if let Err(error) = std::fs::write(&file, &text) {
        return summary.violations.push(error.to_string());
    }
    let sizes =
        LaunchSizes { block: block.and_then(|text| text.parse().ok()), ..LaunchSizes::default() };
    let read = |path: &PathBuf| {
        let plain = LoadOptions::plain(path.clone(), Default::default());
        load(&LoadOptions { sizes: sizes.clone(), ..plain }).ok()
    };
    let (Some(first), Some(second)) = (read(&kernel), read(&file)) else {
        summary.unreadable += 1;
        return;
    };
    let files = [&first, &second];
    let paths = [&kernel, &file];
    let kernels = [0, 1].map(|side: usize| {
        let func = files[side].kernels().first().copied();
        func.map(|func| Kernel {
            file: paths[side].clone(),
            module: &files[side].module,
            func,
            sizes: sizes.clone(),
            reading: vec![],
        })
    });
    let [Some(x), Some(y)] = kernels else {
        summary.unreadable += 1;
        return;
    };
    let kernels = [x, y];
    let request = Request {
        float,
        timeout: Some(Duration::from_secs(60)),
        work: Some(20_000_000),
        ..Request::default()
    };
    let Ok(report) = compare(session, &kernels, &request) else {
        summary.unreadable += 1;
        return;
    };
    summary.mutants += 1;
    let is_shown = report.verdict == Verdict::Different;
    let difference = match is_shown {
        true => None,
        false => judged(files, &kernels, block, float, plan.runs, &mut random),
    };
    summary.killable += usize::from(is_shown || difference.is_some());
    summary.shown += usize::from(is_shown);
    summary.equal += usize::from(report.verdict == Verdict::Equal);
    let Some(difference) = difference else { return };
    let what = format!("mutant {number} of {b} against {a}:\n{text}{difference}");
    match report.verdict {
        Verdict::Equal => summary.violations.push(what),
        Verdict::NotShown | Verdict::Vacuous | Verdict::Different => summary.missed.push(what),
    }
}

fn judged(
    files: [&LoadedFile; 2],
    kernels: &[Kernel<'_>; 2],
    block: Option<&str>,
    float: FloatModel,
    runs: usize,
    random: &mut Random,
) -> Option<String> {
    let sizes = block.map(|text| {
        let mut numbers = text.split(',').map(|size| size.parse().unwrap_or(1));
        [0, 1, 2].map(|_: usize| numbers.next().unwrap_or(1))
    });
    let name = &kernels[0].function().name;
    let judged = Judged {
        kernels: [0, 1].map(|side: usize| (&*files[side].module, kernels[side].func)),
        block: sizes,
        is_flat: name.contains("transpose"),
        relation: None,
        whole: float != FloatModel::Exact,
        large: false,
    };
    judged.judge(random, runs).difference
}

impl fmt::Display for MutantSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.shown as f64 / self.killable.max(1) as f64;
        writeln!(
            f,
            "{} mutants ({} unreadable): {} killable, {} of them shown ({share:.0} %), {} called equal",
            self.mutants, self.unreadable, self.killable, self.shown, self.equal
        )?;
        for missed in &self.missed {
            writeln!(f, "not shown: {missed}")?;
        }
        write!(f, "violations: {}", self.violations.len())?;
        self.violations.iter().try_for_each(|violation| write!(f, "\n\n{violation}"))
    }
}
