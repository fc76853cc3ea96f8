//! `duet bench` as a user runs it: tables, files, comparison, and going on after
//! it was killed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const FINE: &str = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
const LOOP: &str =
    "__global__ void k(int *a, int n) { for (int i = 0; i < n; i++) a[threadIdx.x] = i; }\n";
const RACE: &str = "__global__ void k(int *a) { a[0] = threadIdx.x; }\n";

/// A folder with a kernel of each kind.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let header = "//pass\n//--blockDim=8 --gridDim=1\n\n";
    let bug = header.replace("pass", "xfail:NOT_ALL_VERIFIED");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("fine.cu", format!("{header}{FINE}"));
    write("loop.cu", format!("{header}{LOOP}"));
    write("_race.cu", format!("{bug}{RACE}"));
    write("broken.cu", format!("{header}__global__ void k( {{\n"));
    folder
}

fn duet(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
    command.args(args).env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

fn bench(folder: &Path, args: &[&str]) -> Output {
    let mut command = duet(&["bench"]);
    command.arg(folder).args(args).output().expect("duet runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_table_with_reasons() {
    let folder = folder();
    let out = tempfile::tempdir().unwrap();
    let json = out.path().join("run.json");
    let csv = out.path().join("run.csv");
    let files = [format!("--json={}", json.display()), format!("--csv={}", csv.display())];
    let output = bench(folder.path(), &[&files[0], &files[1]]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or("");
    assert!(!text.contains("fine.cu: "), "proved files are not listed:\n{text}");
    assert!(line("_race.cu: ").contains("write-write-race"), "{text}");
    assert!(line("broken.cu: unreadable").contains("error"), "{text}");
    let words =
        |start: &str| line(start).split_whitespace().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(words("all ")[1..3], ["4", "2"], "{text}");
    assert_eq!(words("- without loops")[3..5], ["1", "1"], "{text}");
    assert_eq!(words("- with loops")[3..5], ["1", "1"], "{text}");
    assert_eq!(words("with leading underscore")[3..5], ["1", "0"], "{text}");
    assert!(line("files that should fail").contains("1, not proved 1"), "{text}");
    let records = read_json(&json)["records"].as_array().unwrap().clone();
    let loops: Vec<&Value> = records.iter().map(|one| &one["kernels"][0]["loops"]).collect();
    assert_eq!(loops, [&Value::from(0), &Value::Null, &Value::from(0), &Value::from(1)]);
    assert!(records[2]["clang_seconds"].as_f64().unwrap() > 0.0);
    assert!(records[2]["peak_mb"].as_f64().unwrap() > 1.0);
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 5);
}

#[test]
fn options_for_the_checker_and_filters() {
    let folder = folder();
    let output =
        bench(folder.path(), &["--all", "--filter=fine", "--", "--blockDim=1", "--strict"]);
    let text = text(&output);
    assert!(text.contains("fine.cu: proved") && !text.contains("loop.cu"), "{text}");
    let refused = bench(folder.path(), &["--filter=fine", "--", "--only-log"]);
    assert!(String::from_utf8_lossy(&refused.stdout).contains("bad-options"));
    let usage = bench(&folder.path().join("nowhere"), &[]);
    assert_eq!(usage.status.code(), Some(4));
    assert_eq!(bench(folder.path(), &["--filter=nothing-like-it"]).status.code(), Some(4));
}

#[test]
fn old_against_new() {
    let folder = folder();
    let json = folder.path().join("old.json");
    bench(folder.path(), &[&format!("--json={}", json.display())]);
    let fine = folder.path().join("fine.cu");
    let changed =
        fs::read_to_string(&fine).unwrap().replace("a[threadIdx.x] = 1", "a[0] = threadIdx.x");
    fs::write(fine, changed).unwrap();
    let output = bench(folder.path(), &[&format!("--compare={}", json.display())]);
    let text = text(&output);
    assert!(text.contains("fine.cu: proved -> refuted"), "{text}");
    assert!(text.contains("1 verdicts changed (newly proved 0, no longer proved 1)"), "{text}");
}

#[test]
fn a_proved_bug_is_shouted() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("//xfail:NOT_ALL_VERIFIED\n//--blockDim=8 --gridDim=1\n{FINE}");
    fs::write(folder.path().join("k.cu"), text).unwrap();
    let output = bench(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(self::text(&output).contains("WRONG: k.cu"), "{}", self::text(&output));
}

#[test]
fn too_little_memory_is_no_proof() {
    let folder = folder();
    let output = bench(folder.path(), &["--memory=64", "--filter=fine"]);
    let text = text(&output);
    assert!(
        text.lines().any(|line| line.starts_with("fine.cu: ") && !line.contains("proved,")),
        "{text}"
    );
}

#[test]
fn killed_and_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..6 {
        let text = format!("//pass\n//--blockDim=8 --gridDim=1\n{FINE}");
        fs::write(folder.path().join(format!("k{number}.cu")), text).unwrap();
    }
    let out = folder.path().join("results");
    let out_option = format!("--out={}", out.display());
    let mut child = duet(&["bench", "--jobs=1", &out_option])
        .arg(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let lines = || fs::read_to_string(out.join("results.jsonl")).unwrap_or_default();
    let start = Instant::now();
    while lines().lines().count() < 2 && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = lines();
    assert!((2..6).contains(&kept.lines().count()), "killed in the middle:\n{kept}");
    let output = bench(folder.path(), &["--jobs=1", &out_option]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let all = lines();
    assert!(all.starts_with(&kept), "what was there is not run again");
    let records = read_json(&out.join("results.json"))["records"].as_array().unwrap().clone();
    assert_eq!(records.len(), 6);
    assert!(records.iter().all(|record| record["outcome"] == "proved"));
    let whole: Vec<Value> = all.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(whole.len(), 6);
}

#[test]
fn studies_make_pages() {
    let folder = folder();
    let pages = tempfile::tempdir().unwrap();
    let option = format!("--pages={}", pages.path().display());
    let output =
        bench(folder.path(), &["--filter=loop", "--study=rules", "--study=solvers", &option]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("1 files; proved with all rules 1"), "{text}");
    assert!(text.contains("| loopBound") && text.contains("| z3"), "{text}");
    for name in ["rules", "solvers"] {
        let markdown = fs::read_to_string(pages.path().join(name).with_extension("md")).unwrap();
        assert!(text.contains(markdown.trim()), "{markdown}");
        let html = fs::read_to_string(pages.path().join(name).with_extension("html")).unwrap();
        assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"), "{html}");
    }
    assert_eq!(bench(folder.path(), &["--study=nonsense"]).status.code(), Some(4));
}

/// The parts of a corpus, run one by one and merged, are the corpus.
#[test]
fn shards_make_up_the_whole() {
    let folder = folder();
    let out = tempfile::tempdir().unwrap();
    let path = |name: &str| out.path().join(name).display().to_string();
    let whole = format!("--json={}", path("whole.json"));
    assert!(bench(folder.path(), &[&whole]).status.success());
    let mut parts = vec![];
    for number in 1..=3 {
        let (shard, json) = (format!("--shard={number}/3"), path(&format!("{number}.json")));
        assert!(bench(folder.path(), &[&shard, &format!("--json={json}")]).status.success());
        parts.push(json);
    }
    let count = |name: &str| read_json(Path::new(name))["records"].as_array().unwrap().len();
    assert!(parts.iter().all(|part| count(part) < 4), "one part has everything");
    let json = format!("--json={}", path("merged.json"));
    let mut merge = duet(&["merge", &json]);
    let output = merge.args(&parts).arg(&parts[0]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let outcomes = |name: &str| -> Vec<(Value, Value)> {
        let json = read_json(&out.path().join(name));
        let records = json["records"].as_array().unwrap().clone();
        records.iter().map(|one| (one["file"].clone(), one["outcome"].clone())).collect()
    };
    assert_eq!(outcomes("merged.json"), outcomes("whole.json"));
    assert_eq!(outcomes("merged.json").len(), 4);
    let wrong = bench(folder.path(), &["--shard=4/3"]);
    assert_eq!(wrong.status.code(), Some(4));
    let nothing = duet(&["merge", &path("gone.json")]).output().unwrap();
    assert_eq!(nothing.status.code(), Some(4));
}

/// A gate says no to what it is told to.
#[test]
fn a_gate_fails_on_what_is_named() {
    let folder = folder();
    let code = |args: &[&str]| bench(folder.path(), args).status.code();
    assert_eq!(code(&["--filter=fine"]), Some(0));
    assert_eq!(code(&["--filter=fine", "--fail-on=refuted,unproven,no-verdict"]), Some(0));
    assert_eq!(code(&["--filter=race", "--fail-on=refuted"]), Some(1));
    assert_eq!(code(&["--filter=race", "--fail-on=unproven"]), Some(0));
    assert_eq!(code(&["--filter=broken", "--fail-on=no-verdict"]), Some(1));
    assert_eq!(code(&["--filter=fine", "--fail-on=lost-proof"]), Some(4), "since when?");
    let out = tempfile::tempdir().unwrap();
    let old = out.path().join("old.json").display().to_string();
    assert_eq!(code(&["--filter=fine", &format!("--json={old}")]), Some(0));
    let gate = ["--filter=fine", "--fail-on=lost-proof", &format!("--compare={old}")];
    assert_eq!(code(&gate), Some(0));
    let racy = format!("//pass\n//--blockDim=8 --gridDim=1\n\n{RACE}");
    fs::write(folder.path().join("fine.cu"), racy).unwrap();
    assert_eq!(code(&gate), Some(1));
}

/// What the user accepts is no proof, and no reason to fail.
#[test]
fn accepted_findings_are_counted_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let header = "//xfail:NOT_ALL_VERIFIED\n//--blockDim=8 --gridDim=1\n\n";
    let accepted =
        RACE.replace("threadIdx.x;", "threadIdx.x; // duet: allow(write-write-race) any will do\n");
    fs::write(folder.path().join("accepted.cu"), format!("{header}{accepted}")).unwrap();
    let output = bench(folder.path(), &["--fail-on=refuted,unproven"]);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("accepted.cu: refuted (accepted)"), "{said}");
    assert!(said.contains("not proved, but all findings accepted: 1\n"), "{said}");
    let all = said.lines().find(|line| line.starts_with("all ")).unwrap();
    assert_eq!(all.split_whitespace().nth(2), Some("0"), "none is proved: {said}");
    fs::write(folder.path().join("other.cu"), format!("{header}{RACE}")).unwrap();
    assert_eq!(bench(folder.path(), &["--fail-on=refuted"]).status.code(), Some(1));
}
