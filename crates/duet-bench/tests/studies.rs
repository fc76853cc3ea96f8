//! The arithmetic of the studies, on records made up for it, and their pages.

use duet_bench::{Align, Part};
use duet_bench::{Chart, Expected, KernelRecord, Outcome, Page, Record, Study, Table};
use serde_json::json;

/// A record: which file, under which configuration, how it ended, in which time.
fn record(file: &str, configuration: &str, proved: bool, seconds: f64) -> Record {
    Record {
        file: file.to_string(),
        configuration: configuration.to_string(),
        key: String::new(),
        expected: Expected::Pass,
        outcome: if proved { Outcome::Proved } else { Outcome::Unproven },
        accepted: false,
        reason: String::new(),
        kernels: vec![],
        seconds,
        clang_seconds: 0.0,
        solver_seconds: 0.0,
        infer_seconds: 0.0,
        peak_mb: 10.0,
    }
}

/// The same, with what came of the candidates of some rules: made and kept.
fn with_rules(mut record: Record, rules: &[(&str, u64, u64)]) -> Record {
    let counts = rules
        .iter()
        .map(|(rule, made, kept)| (rule.to_string(), json!({ "candidates": made, "kept": kept })));
    let rules: serde_json::Map<_, _> = counts.collect();
    let inference = json!({ "rules": rules });
    record.kernels = vec![KernelRecord { inference, ..KernelRecord::default() }];
    record
}

fn table<'p>(page: &'p Page, heading: &str) -> &'p Table {
    let is_it = |part: &&'p Part| matches!(part, Part::Table(name, _) if name == heading);
    match page.parts.iter().find(is_it) {
        Some(Part::Table(_, table)) => table,
        _ => panic!("no table {heading}: {}", page.to_markdown()),
    }
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    table.rows().map(|row| row.iter().map(String::as_str).collect()).collect()
}

#[test]
fn speed_ups_over_the_first_configuration() {
    let records = [
        record("a", "usual", true, 1.0),
        record("a", "other", true, 0.25),
        record("b", "usual", true, 4.0),
        record("b", "other", false, 8.0),
        record("c", "usual", false, 1.0),
        record("c", "other", false, 1.0),
    ];
    let page = Study::Speed.page(&[], &records);
    let times = rows(table(&page, "Times"));
    assert_eq!(times[0][..5], ["usual", "2", "6.0", "5.0", "1.0"]);
    assert_eq!(times[1][..5], ["other", "1", "9.2", "0.2", "9.0"]);
    // 6 / 9.25; the ratios are 4, 0.5 and 1.
    assert_eq!(times[1][7..], ["0.65", "0.50", "4.00", "1.00", "1.26"]);
    let intervals = rows(table(&page, "Speed-ups in five intervals"));
    assert_eq!(intervals[0], ["other", "fast (<= 2 s)", "0", "0", "1", "0", "1"]);
    assert_eq!(intervals[1], ["other", "slow (> 2 s)", "0", "1", "0", "0", "0"]);
    let other = rows(table(&page, "Other verdicts"));
    assert_eq!(other, [["other", "b", "proved", "unproven"]]);
}

/// The same, with the time of inference and what engines refuted, and in which time.
fn with_engines(mut record: Record, seconds: f64, engines: &[(&str, &[&str], f64)]) -> Record {
    let work = engines
        .iter()
        .map(|(name, refuted, ms)| (name.to_string(), json!({ "ms": ms, "refuted": refuted })));
    let work: serde_json::Map<_, _> = work.collect();
    let inference = json!({ "engines": work });
    record.kernels = vec![KernelRecord { inference, ..KernelRecord::default() }];
    record.infer_seconds = seconds;
    record
}

#[test]
fn what_engines_refute_and_how_alike_they_are() {
    let of = |engines, seconds, work: &[(&str, &[&str], f64)]| {
        with_engines(record("a", engines, true, 9.0), seconds, work)
    };
    let records = [
        of("H", 1.0, &[("H", &["loop0.1", "loop0.2", "loop0.3"], 500.0)]),
        of("SBASE;H", 0.8, &[("SBASE", &["loop0.1", "loop0.2"], 250.0), ("H", &["loop0.3"], 1.0)]),
        of("DYN;H", 0.25, &[("DYN", &["loop0.2", "loop0.3"], 4.0), ("H", &["loop0.1"], 1.0)]),
        // Nothing is searched for here.
        with_engines(record("b", "H", true, 1.0), 0.0, &[]),
        with_engines(record("b", "DYN;H", true, 7.0), 0.0, &[]),
    ];
    let page = Study::Engines.page(&[], &records);
    let throughput = rows(table(&page, "Throughput"));
    assert_eq!(throughput[0], ["H", "H", "3", "0.50", "6.00"]);
    assert!(throughput.contains(&vec!["DYN;H", "DYN", "2", "0.00", "500.00"]), "{throughput:?}");
    let pairs = rows(table(&page, "Pairs of engines"));
    assert!(pairs.contains(&vec!["SBASE", "DYN", "1", "3", "0.33"]), "{pairs:?}");
    // Speed-ups are those of the search, in files that have one.
    let intervals = rows(table(&page, "Speed-ups in five intervals"));
    assert_eq!(intervals[0], ["SBASE;H", "fast (<= 2 s)", "0", "0", "0", "1", "0"]);
    assert_eq!(intervals[1], ["DYN;H", "fast (<= 2 s)", "0", "0", "0", "0", "1"]);
}

#[test]
fn what_a_rule_is_worth() {
    let rules = ["r8".to_string(), "r9".to_string()];
    let all = [("r8", 2, 2), ("r9", 4, 1)];
    let records = [
        // Proved with both rules, and not without r9.
        with_rules(record("hard", "all rules", true, 1.0), &all),
        record("hard", "no rules", false, 1.0),
        with_rules(record("hard", "without r8", true, 1.0), &[("r9", 4, 1)]),
        with_rules(record("hard", "without r9", false, 1.0), &[("r8", 2, 1)]),
        // Proved with nothing.
        with_rules(record("easy", "all rules", true, 1.0), &[("r9", 1, 1)]),
        record("easy", "no rules", true, 1.0),
        record("easy", "without r8", true, 1.0),
        record("easy", "without r9", true, 1.0),
    ];
    let page = Study::Rules.page(&rules, &records);
    let worth = rows(table(&page, "Generality, hit rate, essentiality"));
    assert_eq!(worth[0], ["r8", "1", "0", "1", "2", "100 %", "0", ""]);
    assert_eq!(worth[1], ["r9", "1", "1", "2", "5", "40 %", "1", "hard"]);
    let page = Study::Influence.page(&rules, &records);
    // Without r9 one candidate of r8 is lost; "easy" loses r9's without r8, as its
    // record there names none.
    let pairs = rows(table(&page, "Pairs with influence"));
    assert_eq!(pairs, [["r8", "r9", "1"], ["r9", "r8", "1"]]);
}

#[test]
fn what_logs_and_pairs_disagree_about() {
    let refuted = |file, configuration| Record {
        outcome: Outcome::Refuted,
        ..record(file, configuration, false, 1.0)
    };
    let records = [
        with_rules(record("a", "pairs", true, 1.0), &[("r8", 2, 1)]),
        with_rules(refuted("a", "logs"), &[("r0", 5, 3), ("r8", 2, 2)]),
        refuted("b", "pairs"),
        record("b", "logs", false, 2.0),
    ];
    let page = Study::Logs.page(&[], &records);
    let proofs = rows(table(&page, "Proofs and candidates"));
    assert_eq!(proofs[0], ["pairs", "1", "1", "2", "1", "2.0"]);
    assert_eq!(proofs[1], ["logs", "0", "1", "7", "5", "3.0"]);
    let wrong = rows(table(&page, "Files that one way proves and the other refutes"));
    assert_eq!(wrong, [["a", "pairs", "logs"]]);
}

#[test]
fn proofs_as_rules_are_added() {
    let records = [
        record("hard", "no rules", false, 1.0),
        record("hard", "+ r8", true, 2.0),
        record("easy", "no rules", true, 0.5),
        record("easy", "+ r8", true, 0.75),
    ];
    let page = Study::Evolution.page(&[], &records);
    let steps = rows(table(&page, "Steps"));
    assert_eq!(steps[0], ["no rules", "1", "0", "0.5", "1.0"]);
    assert_eq!(steps[1], ["+ r8", "1", "1", "0.8", "2.0"]);
    assert!(page.to_html().matches("<polyline").count() == 4);
}

#[test]
fn each_study_asks_for_its_configurations() {
    let rules = ["r8".to_string(), "r9".to_string()];
    let solvers = ["z3".to_string(), "cvc5".to_string()];
    let options = |study: Study| -> Vec<String> {
        let list = study.configurations(&rules, &solvers);
        list.into_iter().map(|one| one.options.join(" ")).collect()
    };
    assert_eq!(options(Study::Solvers), ["--solver=z3", "--solver=cvc5", "--portfolio"]);
    assert_eq!(
        options(Study::Speed),
        ["", "--without=algebra", "--encoding=bits", "--encoding=integers", "--solver=cvc5"]
    );
    assert_eq!(
        options(Study::Rules),
        ["--without=plain-first", "--no-infer", "--omit-infer=r8", "--omit-infer=r9"]
    );
    assert_eq!(
        options(Study::Evolution),
        ["--no-infer", "--only-infer=r8", "--only-infer=r8 --only-infer=r9"]
    );
    assert_eq!(options(Study::Requires), ["", "--sizes-free", "--sizes-free --infer-requires"]);
    let table1 = options(Study::Table1);
    let none = "--race-instrumenter=original --without=uniformity,read-only-arrays,private-arrays";
    assert_eq!((table1.len(), table1[0].as_str()), (10, none));
    assert_eq!(table1[9], "--race-instrumenter=watchdog-single");
    assert_eq!(options(Study::Table2)[1], "--race-instrumenter=watchdog-single --solver=cvc5");
    assert_eq!(options(Study::Logs), ["", "--race-instrumenter=watchdog-single"]);
    let sizes = options(Study::Barriers);
    // Twelve for all files, and four operators of four widths at five sizes.
    assert_eq!((sizes.len(), sizes[0].as_str()), (12 + 80, "--blockDim=8"));
    assert_eq!(sizes[11], "--blockDim=*");
}

#[test]
fn a_page_is_one_file_and_text_stays_text() {
    let mut page = Page::new("a < b & \"c\"");
    page.text("<script>alert(1)</script>");
    let mut cells = Table::new(&[("x", Align::Left)]);
    cells.row(["<b>".to_string()]);
    page.table("t", cells);
    let rows = vec!["<r>".to_string()];
    page.chart(
        "h",
        Chart::HeatMap { rows: rows.clone(), columns: rows.clone(), values: vec![vec![3.0]] },
    );
    let series = vec![("<s>".to_string(), vec![1.0])];
    page.chart("b", Chart::Bars { labels: rows, series, unit: "s".to_string() });
    let html = page.to_html();
    assert!(html.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
    assert!(html.contains("&lt;script&gt;") && html.contains("<td>&lt;b&gt;</td>"));
    assert!(!html.contains("<script") && !html.contains("<b>") && !html.contains("<r>"));
    assert_eq!(html.matches("<svg").count(), 2);
    let is_remote =
        |text: &str| text.contains("src=") || text.contains("href=") || text.contains("url(");
    assert!(!is_remote(&html), "nothing is loaded from elsewhere");
}

#[test]
fn what_a_step_of_a_proof_brings() {
    let of = |file, steps, proved, [shown, asked]: [u64; 2], prove_ms| {
        let questions = json!({ "asked": asked, "proved": shown });
        let kernel = KernelRecord { questions, prove_ms, ..KernelRecord::default() };
        Record { kernels: vec![kernel], ..record(file, steps, proved, 9.0) }
    };
    let refuted = Record { outcome: Outcome::Refuted, ..record("c", "all steps", false, 1.0) };
    let records = [
        of("a", "all steps", true, [7, 8], 250),
        of("a", "without leaves", false, [3, 4], 2000),
        of("b", "all steps", true, [2, 2], 50),
        of("b", "without leaves", true, [1, 1], 30),
        refuted,
    ];
    let page = Study::Functional.page(&[], &records);
    let all = rows(table(&page, "All files"));
    assert_eq!(all[0], ["all steps", "2", "1", "0", "9/10", "0.3"]);
    assert_eq!(all[1], ["without leaves", "1", "0", "1", "4/5", "2.0"]);
    let files = rows(table(&page, "By file"));
    assert_eq!(files[0], ["a", "7/8 0.25 s", "unproven 3/4 2.00 s"]);
    assert_eq!(files[2], ["c", "refuted", ""]);
    assert_eq!(Study::Functional.command(), "prove");
    let configurations = Study::Functional.configurations(&[], &[]);
    assert_eq!(configurations[1].options, ["--without-steps=inversion"]);
}
