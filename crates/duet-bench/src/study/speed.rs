//! Configurations against a base: total times, speed-ups of each kernel, and what a
//! portfolio of them could do (engineering.txt, Tables 1 and 2; the five intervals
//! of candidate-invariants.txt, Figs. 12 and 13). The first configuration is the base.

use std::collections::BTreeSet;

use super::by_configuration;
use crate::chart::Chart;
use crate::page::Page;
use crate::record::{KernelRecord, Outcome, Record};
use crate::run::Configuration;
use crate::statistics::{geometric_mean, median};
use crate::table::{Align, Table};

/// Within this factor two times count as the same.
const EVEN: f64 = 1.05;
/// A kernel is slow if the base takes longer, in seconds.
const SLOW: f64 = 2.0;
/// The five intervals.
const INTERVALS: [&str; 5] =
    ["slower by > 2", "slower by <= 2", "even", "faster by <= 2", "faster by > 2"];

pub(super) fn switches(solvers: &[String]) -> Vec<Configuration> {
    let mut list = vec![
        Configuration::new("usual", &[]),
        Configuration::new("no algebra", &["--without=algebra"]),
        Configuration::new("bit-vectors first", &["--encoding=bits"]),
        Configuration::new("integers first", &["--encoding=integers"]),
    ];
    let others = solvers.iter().filter(|name| *name != "z3");
    list.extend(others.map(|name| Configuration::new(name, &[&format!("--solver={name}")])));
    list
}

pub(super) fn optimisations() -> Vec<Configuration> {
    let ladder = ["uniformity", "read-only-arrays", "joint-questions", "algebra"];
    let step = |taken: usize| {
        let left = ladder[taken..].join(",");
        let name = match taken {
            0 => "baseline".to_string(),
            taken => format!("+ {}", ladder[taken - 1]),
        };
        let options = if left.is_empty() { vec![] } else { vec![format!("--without={left}")] };
        Configuration { name, options, needs: None }
    };
    (0..=ladder.len()).map(step).collect()
}

pub(super) fn solvers(solvers: &[String]) -> Vec<Configuration> {
    let one = |name: &String| Configuration::new(name, &[&format!("--solver={name}")]);
    let mut list: Vec<Configuration> = solvers.iter().map(one).collect();
    if solvers.len() > 1 {
        list.push(Configuration::new("portfolio", &["--portfolio"]));
    }
    list
}

/// The speed-ups of a configuration over the base, file by file.
fn speedups(base: &[&Record], other: &[&Record]) -> Vec<(f64, f64)> {
    let find = |file: &str| other.iter().find(|record| record.file == file);
    base.iter()
        .filter_map(|record| {
            let seconds = find(&record.file)?.seconds;
            let both = record.seconds > 0.0 && seconds > 0.0;
            both.then(|| (record.seconds, record.seconds / seconds))
        })
        .collect()
}

/// The records with the time of the search for loop invariants as their time: those of
/// files in which something is searched for at all.
pub(super) fn of_inference(records: &[Record]) -> Vec<Record> {
    let is_searched = |record: &Record| {
        let engines = |kernel: &KernelRecord| {
            kernel.inference["engines"].as_object().is_some_and(|all| !all.is_empty())
        };
        record.kernels.iter().any(engines)
    };
    let searched: BTreeSet<&str> = records
        .iter()
        .filter(|record| is_searched(record))
        .map(|record| record.file.as_str())
        .collect();
    let of_searched = records.iter().filter(|record| searched.contains(record.file.as_str()));
    of_searched.map(|record| Record { seconds: record.infer_seconds, ..record.clone() }).collect()
}

pub(super) fn page(title: &str, records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let mut page = Page::new(title);
    let Some((base_name, base)) = groups.first() else { return page };
    page.text(format!(
        "{} files under {} configurations, all in one run; the configurations of a file one \
         after the other. Speed-ups are over \"{base_name}\": above 1 is faster.",
        base.len(),
        groups.len()
    ));
    page.table("Times", times(&groups, base));
    page.table("Speed-ups in five intervals", intervals(&groups[1..], base));
    page.chart("Total time", total_chart(&groups));
    if groups.len() > 2 {
        page.table("The best of several for each file", portfolio(&groups));
    }
    page.table("Other verdicts", differences(&groups[1..], base));
    page
}

fn times(groups: &[(String, Vec<&Record>)], base: &[&Record]) -> Table {
    use Align::{Left, Right};
    let mut table = Table::new(&[
        ("configuration", Left),
        ("proved", Right),
        ("total s", Right),
        ("proved s", Right),
        ("not proved s", Right),
        ("median s", Right),
        ("largest MB", Right),
        ("total speed-up", Right),
        ("min", Right),
        ("max", Right),
        ("median", Right),
        ("geometric mean", Right),
    ]);
    let total = |list: &[&Record]| -> f64 { list.iter().map(|record| record.seconds).sum() };
    for (name, list) in groups {
        let (proved, other): (Vec<&Record>, Vec<&Record>) =
            list.iter().partition(|record| record.outcome == Outcome::Proved);
        let seconds: Vec<f64> = list.iter().map(|record| record.seconds).collect();
        let ratios: Vec<f64> = speedups(base, list).into_iter().map(|(_, ratio)| ratio).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        table.row([
            name.clone(),
            proved.len().to_string(),
            format!("{:.1}", total(list)),
            format!("{:.1}", total(&proved)),
            format!("{:.1}", total(&other)),
            format!("{:.3}", median(&seconds)),
            format!("{:.0}", list.iter().map(|record| record.peak_mb).fold(0.0, f64::max)),
            format!("{:.2}", total(base) / total(list).max(1e-9)),
            format!("{least:.2}"),
            format!("{most:.2}"),
            format!("{:.2}", median(&ratios)),
            format!("{:.2}", geometric_mean(&ratios)),
        ]);
    }
    table
}

/// Which of the five intervals a speed-up is in.
fn interval(ratio: f64) -> usize {
    match ratio {
        ratio if ratio < 0.5 => 0,
        ratio if ratio < 1.0 / EVEN => 1,
        ratio if ratio <= EVEN => 2,
        ratio if ratio <= 2.0 => 3,
        _ => 4,
    }
}

fn intervals(groups: &[(String, Vec<&Record>)], base: &[&Record]) -> Table {
    let mut table = Table::new(&[("configuration", Align::Left), ("files", Align::Left)]);
    INTERVALS.iter().for_each(|name| table.column(name, Align::Right));
    for (name, list) in groups {
        let all = speedups(base, list);
        for (word, wanted) in [("fast (<= 2 s)", false), ("slow (> 2 s)", true)] {
            let mut counts = [0; 5];
            for (seconds, ratio) in &all {
                if (*seconds > SLOW) == wanted {
                    counts[interval(*ratio)] += 1;
                }
            }
            if counts == [0; 5] {
                continue;
            }
            let cells = [name.clone(), word.to_string()];
            table.row(cells.into_iter().chain(counts.iter().map(usize::to_string)));
        }
    }
    table
}

fn total_chart(groups: &[(String, Vec<&Record>)]) -> Chart {
    let total = |wanted: bool| {
        let of = |list: &Vec<&Record>| {
            let part = list.iter().filter(|one| (one.outcome == Outcome::Proved) == wanted);
            part.map(|record| record.seconds).sum()
        };
        groups.iter().map(|(_, list)| of(list)).collect()
    };
    Chart::Bars {
        labels: groups.iter().map(|(name, _)| name.clone()).collect(),
        series: vec![("proved".to_string(), total(true)), ("not proved".to_string(), total(false))],
        unit: "seconds".to_string(),
    }
}

/// The least total time if for each file the best configuration were known.
fn portfolio(groups: &[(String, Vec<&Record>)]) -> Table {
    let mut table = Table::new(&[
        ("portfolio", Align::Left),
        ("total s", Align::Right),
        ("proved", Align::Right),
    ]);
    let best_of = |part: &[(String, Vec<&Record>)]| {
        let mut best: std::collections::BTreeMap<&str, (bool, f64)> = Default::default();
        for record in part.iter().flat_map(|(_, list)| list) {
            let proved = record.outcome == Outcome::Proved;
            let entry = best.entry(&record.file).or_insert((proved, record.seconds));
            // A proof beats none; of two proofs the quicker counts.
            if (proved, -record.seconds) > (entry.0, -entry.1) {
                *entry = (proved, record.seconds);
            }
        }
        let proved = best.values().filter(|(proved, _)| *proved).count();
        (best.values().map(|(_, seconds)| seconds).sum::<f64>(), proved)
    };
    let mut add = |name: String, part: &[(String, Vec<&Record>)]| {
        let (seconds, proved) = best_of(part);
        table.row([name, format!("{seconds:.1}"), proved.to_string()]);
    };
    for pair in 1..groups.len() {
        let part = [groups[0].clone(), groups[pair].clone()];
        add(format!("{} and {}", groups[0].0, groups[pair].0), &part);
    }
    add("all".to_string(), groups);
    table
}

fn differences(groups: &[(String, Vec<&Record>)], base: &[&Record]) -> Table {
    let mut table = Table::new(&[
        ("configuration", Align::Left),
        ("file", Align::Left),
        ("base", Align::Left),
        ("here", Align::Left),
    ]);
    for (name, list) in groups {
        for record in list {
            let before = base.iter().find(|one| one.file == record.file);
            let Some(before) = before.filter(|one| one.outcome != record.outcome) else { continue };
            table.row([
                name.clone(),
                record.file.clone(),
                before.outcome.word().to_string(),
                record.outcome.word().to_string(),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{interval, optimisations, solvers};

    #[test]
    fn five_intervals() {
        let all = [0.4, 0.5, 0.9, 1.0, 1.04, 1.2, 2.0, 2.1].map(interval);
        assert_eq!(all, [0, 1, 1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn a_ladder_of_shortcuts() {
        let list = optimisations();
        assert_eq!(list.len(), 5);
        assert_eq!(
            list[0].options,
            ["--without=uniformity,read-only-arrays,joint-questions,algebra"]
        );
        assert_eq!((list[4].name.as_str(), list[4].options.len()), ("+ algebra", 0));
        assert_eq!(solvers(&["z3".to_string()]).len(), 1);
    }
}
