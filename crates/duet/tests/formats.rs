//! What `duet check` prints and how it ends under each format, with suppressed
//! findings and a baseline; completions and the manual page.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const KERNELS: &str = "__global__ void fine(int *a) { a[threadIdx.x] = 1; }
__global__ void bad(int *a) {
  a[threadIdx.x] = 1;
  a[threadIdx.x + 1] = 2;
}
";

fn folder(source: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), source).expect("a file");
    folder
}

fn duet(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder)
        .args(args)
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

fn check(folder: &TempDir, options: &[&str]) -> Output {
    let launch = ["check", "k.cu", "--block-dim=8", "--grid-dim=1"];
    let args: Vec<&str> = launch.iter().chain(options).copied().collect();
    duet(folder.path(), &args)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn every_format_names_both_accesses() {
    let folder = folder(KERNELS);
    let sarif = check(&folder, &["--format=sarif"]);
    assert!(sarif.status.code().is_some_and(|code| code == 1 || code == 2));
    let json: Value = serde_json::from_slice(&sarif.stdout).expect("JSON");
    let results = json["runs"][0]["results"].as_array().expect("results");
    let race = results.iter().find(|one| one["ruleId"] == "write-write-race").expect("a race");
    let lines: Vec<&Value> = race["relatedLocations"]
        .as_array()
        .expect("related locations")
        .iter()
        .map(|place| &place["physicalLocation"]["region"]["startLine"])
        .collect();
    assert!(lines.contains(&&Value::from(3)) && lines.contains(&&Value::from(4)), "{race}");
    let github = stdout(&check(&folder, &["--format=github"]));
    assert!(github.lines().any(|line| line.starts_with("::error file=k.cu,line=")), "{github}");
    let html = stdout(&check(&folder, &["--format=html"]));
    let row = ">fine</a></td><td><span class=\"badge proved\">proved</span></td>";
    assert!(html.contains(row), "{html}");
    assert!(html.contains("class=\"picture threads\""), "the run is drawn");
}

#[test]
fn several_files_are_one_page() {
    let folder = folder(KERNELS);
    std::fs::write(folder.path().join("other.cu"), "__global__ void good(int *a) {}\n")
        .expect("a file");
    let output = check(&folder, &["other.cu", "--format=html"]);
    assert_eq!(output.status.code(), Some(1), "the worst of both counts");
    let html = stdout(&output);
    assert_eq!(html.matches("<!DOCTYPE html>").count(), 1);
    assert!(html.contains("<h2>k.cu</h2>") && html.contains("<h2>other.cu</h2>"), "{html}");
    let text = stdout(&check(&folder, &["other.cu"]));
    assert!(text.contains("good: proved"), "{text}");
    let json = check(&folder, &["other.cu", "--format=json"]);
    assert_eq!(json.status.code(), Some(1), "the worst of both counts");
    let json: Value = serde_json::from_slice(&json.stdout).expect("one document");
    let files = json["files"].as_array().expect("files");
    let names: Vec<&str> = files.iter().filter_map(|file| file["file"].as_str()).collect();
    assert_eq!(names, ["k.cu", "other.cu"]);
}

#[test]
fn accepted_findings_are_listed_and_prove_nothing() {
    let comment = "// duet: allow(write-write-race) any of the two will do";
    let folder = folder(
        &KERNELS.replace("  a[threadIdx.x + 1]", &format!("  {comment}\n  a[threadIdx.x + 1]")),
    );
    let output = check(&folder, &[]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("suppressed by comment: write-write-race"), "{text}");
    assert!(text.contains("any of the two will do") && !text.contains("bad: proved"), "{text}");
    let json: Value =
        serde_json::from_slice(&check(&folder, &["--format=json"]).stdout).expect("JSON");
    let bad = &json["kernels"][1];
    assert_ne!(bad["verdict"], "proved");
    let races = bad["findings"].as_array().expect("findings");
    let race = races.iter().find(|one| one["rule"] == "write-write-race").expect("a race");
    assert_eq!(race["suppressed"]["by"], "comment");
}

#[test]
fn a_baseline_accepts_what_is_old() {
    let folder = folder(KERNELS);
    let first = check(&folder, &["--write-baseline=b.json"]);
    assert_ne!(first.status.code(), Some(0));
    let same = check(&folder, &["--baseline=b.json"]);
    assert_eq!(same.status.code(), Some(0));
    assert!(stdout(&same).contains("suppressed by baseline: write-write-race"));
    let worse =
        KERNELS.replace("  a[threadIdx.x] = 1;", "  a[threadIdx.x] = 1;\n  a[0] = threadIdx.x;");
    std::fs::write(folder.path().join("k.cu"), worse).expect("a file");
    assert_ne!(check(&folder, &["--baseline=b.json"]).status.code(), Some(0), "a new race");
    std::fs::write(folder.path().join("b.json"), "{}").expect("a file");
    assert_eq!(check(&folder, &["--baseline=b.json"]).status.code(), Some(4));
    assert_eq!(check(&folder, &["--baseline=nowhere.json"]).status.code(), Some(4));
}

#[test]
fn quiet_speaks_of_what_is_not_proved() {
    let text = stdout(&check(&folder(KERNELS), &["--quiet"]));
    assert!(text.starts_with("bad: ") && !text.contains("fine"), "{text}");
    let only_fine = check(&folder(KERNELS), &["--quiet", "--kernel=fine", "--math-int"]);
    assert!(only_fine.stdout.is_empty() && only_fine.stderr.is_empty());
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let here = folder("");
    let manual = stdout(&duet(here.path(), &["man"]));
    let script = stdout(&duet(here.path(), &["completions", "bash"]));
    for command in ["check", "bench", "doctor", "emit", "run"] {
        assert!(manual.contains(&format!("duet\\-{command}")), "{command}");
        assert!(
            script.contains(&format!("duet__subcmd__{command}"))
                || script.contains(&format!("duet__{command}"))
        );
    }
    assert!(manual.contains("\\-\\-block\\-dim") && script.contains("--block-dim"));
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(stdout(&duet(here.path(), &["completions", shell])).contains("duet"), "{shell}");
    }
}

/// A program that reads the output gets a document even if clang cannot read the file.
#[test]
fn a_file_that_cannot_be_read_in_every_format() {
    let folder = folder("__global__ void broken(int *a) { a[ = 1; }\n");
    let json = check(&folder, &["--format=json"]);
    assert_eq!(json.status.code(), Some(3));
    let document: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(document["kernels"], Value::Array(vec![]));
    assert_eq!(document["diagnostics"][0]["rule"], "compile-error", "{document}");
    assert_eq!(document["diagnostics"][0]["primary"]["line"], 1);
    let sarif = check(&folder, &["--format=sarif"]);
    let document: Value = serde_json::from_slice(&sarif.stdout).expect("SARIF");
    assert_eq!(document["runs"][0]["results"][0]["ruleId"], "compile-error", "{document}");
    assert!(stdout(&check(&folder, &["--format=html"])).contains("expected expression"));
    let github = stdout(&check(&folder, &["--format=github"]));
    assert!(github.starts_with("::error file=k.cu,line=1"), "{github}");
}
