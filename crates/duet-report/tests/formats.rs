//! Whole runs as SARIF, HTML and annotations; findings that the user accepts.

use duet_ir::{Diagnostic, Fix, Rule, SourceSpan};
use duet_report::{
    Baseline, KernelResult, Reported, Run, Sources, SuppressedBy, render_github, render_sarif,
    suppress_by_comments,
};
use serde_json::{Value, json};

const SOURCE: &str = "__global__ void k(int *a) {
  /* ä */ a[0] = 1;
  a[1] = 2; // duet: allow(read-write-race) it is only a hint
  // duet: allow(write-write-race, atomic-race) the last one wins
  a[2] = 3;
  a[3] = 4; // duet: allow(write-write-race)
  a[4] = 5;
}
";

fn span(line: u32, column: u32) -> SourceSpan {
    SourceSpan { file: "k.cu".into(), line, column }
}

fn finding(rule: Rule, line: u32, other: Option<u32>) -> Reported {
    let mut diagnostic = Diagnostic::new(rule, format!("{rule} in <k> & so on"))
        .at(Some(span(line, 3)))
        .note("first thread: threadIdx.x = 1")
        .help("put a barrier between");
    diagnostic.secondary.extend(other.map(|line| (span(line, 0), "the other access".to_string())));
    Reported { diagnostic, is_refuted: false, suppression: None, witness: None }
}

fn run(findings: Vec<Reported>) -> (Run, Sources) {
    let kernel = KernelResult {
        name: "k".to_string(),
        verdict: "unproven".to_string(),
        launch: "blockDim = [8]".to_string(),
        assumptions: vec!["pointers are distinct".to_string()],
        findings,
    };
    let run = Run {
        file: "k.cu".into(),
        version: "1.2.3".to_string(),
        exit_code: 2,
        kernels: vec![kernel],
        messages: vec![],
    };
    let mut sources = Sources::new();
    sources.insert("k.cu", SOURCE);
    (run, sources)
}

/// The schema of SARIF 2.1.0, which the crate that reads it brings along.
fn schema() -> Value {
    let cargo = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--filter-platform"])
        .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|one| one["name"] == "serde-sarif").expect("the crate");
    let manifest = std::path::Path::new(package["manifest_path"].as_str().expect("a path"));
    let text = std::fs::read_to_string(manifest.with_file_name("src/schema.json"));
    let mut schema: Value = serde_json::from_str(&text.expect("the schema")).expect("JSON");
    // Its pattern for languages, which we do not use, has a bracket too many.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"] = json!({});
    }
    schema
}

/// What links the parts to each other, which a schema cannot say.
fn check_result(result: &Value, rules: &[Value]) {
    let index = result["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let levels = ["none", "note", "warning", "error"];
    assert!(levels.contains(&result["level"].as_str().expect("a level")));
    assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    let related = result["relatedLocations"].as_array();
    for place in result["locations"].as_array().into_iter().chain(related).flatten() {
        let physical = &place["physicalLocation"];
        assert!(physical["artifactLocation"]["uri"].is_string());
        assert!(physical["region"]["startLine"].as_u64().expect("a line") >= 1);
        let column = &physical["region"]["startColumn"];
        assert!(column.is_null() || column.as_u64().expect("a column") >= 1);
    }
}

#[test]
fn sarif_is_read_by_others() {
    let mut one = finding(Rule::WriteWriteRace, 2, Some(5));
    one.diagnostic.primary = Some(span(2, 12));
    one.is_refuted = true;
    one.diagnostic.fix = Some(Fix {
        description: "put a barrier there".into(),
        file: "k.cu".into(),
        line: 4,
        replaces: false,
        text: "  __syncthreads();\n".into(),
    });
    let (mut run, mut sources) = run(vec![one, finding(Rule::BarrierDivergence, 3, None)]);
    run.messages.push(Diagnostic::new(Rule::UnknownFunction, "no place"));
    let value = render_sarif(&run, &mut sources);
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut wrong = value.clone();
    wrong["runs"][0]["results"][0]["level"] = json!("dreadful");
    assert!(!validator.is_valid(&wrong), "the schema is really used");
    let read: serde_sarif::sarif::Sarif = serde_json::from_value(value.clone()).expect("SARIF");
    assert_eq!(read.runs.len(), 1);
    assert_eq!(read.runs[0].results.as_ref().map(Vec::len), Some(3));
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    results.iter().for_each(|result| check_result(result, rules));
    let race = &results[1];
    // Column 12 in bytes; the umlaut has two of them.
    let region = &race["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region, &json!({ "startLine": 2, "startColumn": 11 }));
    let lines: Vec<&Value> = race["relatedLocations"]
        .as_array()
        .expect("both accesses")
        .iter()
        .map(|place| &place["physicalLocation"]["region"]["startLine"])
        .collect();
    assert_eq!(lines, [2, 5]);
    assert_eq!(race["properties"]["status"], "refuted");
    let change = &race["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["deletedRegion"]["startLine"], 4);
    assert_eq!(change["insertedContent"]["text"], "  __syncthreads();\n");
    assert_eq!(results[2].get("fixes"), None);
    assert_eq!(run["invocations"][0]["exitCode"], 2);
}

#[test]
fn paths_become_references() {
    let mut one = finding(Rule::AtomicRace, 2, None);
    let place = one.diagnostic.primary.as_mut().expect("a place");
    place.file = "/a b/k#1.cu".into();
    let (run, mut sources) = run(vec![one]);
    let value = render_sarif(&run, &mut sources);
    let location = &value["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "file:///a%20b/k%231.cu");
}

#[test]
fn comments_accept_what_they_name_and_give_a_reason_for() {
    let (mut run, mut sources) = run(vec![
        finding(Rule::WriteWriteRace, 2, None),    // no comment
        finding(Rule::ReadWriteRace, 3, None),     // behind the code
        finding(Rule::WriteWriteRace, 3, None),    // another rule
        finding(Rule::WriteWriteRace, 5, None),    // on the line above
        finding(Rule::WriteWriteRace, 2, Some(5)), // at the other access
        finding(Rule::WriteWriteRace, 6, None),    // no reason
        finding(Rule::WriteWriteRace, 7, None),    // the comment above is about its own line
        finding(Rule::Vacuous, 5, None),
    ]);
    let without_reason = suppress_by_comments(&mut run, &mut sources);
    assert_eq!(without_reason, [span(6, 0)]);
    let accepted: Vec<Option<&str>> = run.kernels[0]
        .findings
        .iter()
        .map(|one| one.suppression.as_ref().map(|known| known.reason.as_str()))
        .collect();
    let (hint, last) = (Some("it is only a hint"), Some("the last one wins"));
    assert_eq!(accepted, [None, hint, None, last, last, None, None, None]);
    assert!(!run.kernels[0].is_accepted());
    let sarif = render_sarif(&run, &mut sources);
    let suppressions = &sarif["runs"][0]["results"][1]["suppressions"];
    assert_eq!(
        suppressions,
        &json!([{ "kind": "inSource", "justification": "it is only a hint" }])
    );
}

#[test]
fn what_was_not_checked_cannot_be_accepted() {
    for rule in [Rule::Vacuous, Rule::SolverMissing, Rule::InternalError, Rule::NotModelled] {
        let (mut run, mut sources) = run(vec![finding(rule, 5, None)]);
        let everything = format!(
            "{{\"version\":1,\"findings\":[{{\"rule\":\"{rule}\",\"kernel\":\"k\",\"lines\":[\"a[2] = 3;\"]}}]}}"
        );
        Baseline::parse(&everything).expect("a baseline").apply(&mut run, &mut sources);
        assert!(!run.kernels[0].is_accepted(), "{rule}");
    }
    let mut nowhere = finding(Rule::WriteWriteRace, 5, None);
    nowhere.diagnostic.primary = None;
    let (run, mut sources) = run(vec![nowhere]);
    assert_eq!(Baseline::of(&run, &mut sources), Baseline::default());
}

#[test]
fn a_baseline_outlives_other_lines() {
    let (first, mut sources) =
        run(vec![finding(Rule::WriteWriteRace, 2, Some(5)), finding(Rule::AtomicRace, 7, None)]);
    let baseline = Baseline::of(&first, &mut sources);
    let baseline = Baseline::parse(&baseline.to_text()).expect("what we wrote");
    // Two lines were added above; the second finding is gone, and there is a new one.
    let (mut second, mut sources) = run(vec![
        finding(Rule::WriteWriteRace, 4, Some(7)),
        finding(Rule::WriteWriteRace, 5, None),
    ]);
    sources.insert("k.cu", format!("\n\n{SOURCE}"));
    assert_eq!(baseline.apply(&mut second, &mut sources), 1);
    let by: Vec<Option<SuppressedBy>> =
        second.kernels[0].findings.iter().map(|one| Some(one.suppression.as_ref()?.by)).collect();
    assert_eq!(by, [Some(SuppressedBy::Baseline), None]);
    assert!(Baseline::parse("{}").is_err() && Baseline::parse("no JSON").is_err());
    assert!(Baseline::parse("{\"version\":1,\"findings\":[{}]}").is_err());
}

#[test]
fn annotations_escape_what_would_end_them() {
    let (mut run, mut sources) = run(vec![finding(Rule::AtomicRace, 7, None)]);
    assert_eq!(
        render_github(&run),
        "::error file=k.cu,line=7,col=3,title=atomic-race::atomic-race in <k> & so on%0A\
         first thread: threadIdx.x = 1%0Aput a barrier between\n"
    );
    run.kernels[0].findings[0].diagnostic.primary =
        Some(SourceSpan { file: "a,b:c%.cu".into(), line: 1, column: 0 });
    assert!(render_github(&run).starts_with("::error file=a%2Cb%3Ac%25.cu,line=1,title="));
    let (mut accepted, _) = self::run(vec![finding(Rule::WriteWriteRace, 5, None)]);
    suppress_by_comments(&mut accepted, &mut sources);
    assert_eq!(render_github(&accepted), "");
}
