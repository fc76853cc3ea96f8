//! `duet merge` of reports of `duet check`: parts make up what one run says, in every format,
//! and a part that is missing or torn is noticed.

mod reports;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reports::without_times;
use serde_json::Value;
use tempfile::TempDir;

const PARTS: usize = 3;

/// Files of each kind: proved, refuted, accepted, unproven, not readable.
fn sources() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = (0..5)
        .map(|number| {
            let text = format!("__global__ void fine{number}(int *a) {{ a[blockIdx.x * blockDim.x + threadIdx.x] = {number}; }}\n");
            (format!("fine{number}.cu"), text)
        })
        .collect();
    for (name, text) in [
        ("racy.cu", "__global__ void racy(int *a) { a[0] = threadIdx.x; }\n"),
        ("deep/racy.cl", "kernel void racy(global int *a) { a[0] = get_global_id(0); }\n"),
        (
            "accepted.cu",
            "__global__ void accepted(int *a) {\n  a[0] = threadIdx.x; // duet: allow(write-write-race) any of them will do\n}\n",
        ),
        ("open.cu", "__global__ void open(int *a, int *b) { a[b[threadIdx.x]] = threadIdx.x; }\n"),
        ("broken.cu", "__global__ void broken(int *a) { a[0] = ; }\n"),
    ] {
        all.push((name.to_string(), text.to_string()));
    }
    all
}

struct Project(TempDir);

impl Project {
    fn new(files: &[(String, String)]) -> Project {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join("src").join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        Project(folder)
    }

    fn duet(&self, words: &[&str]) -> Output {
        let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
        let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
        duet.current_dir(self.0.path()).args(words).env("DUET_Z3", z3);
        duet.env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
        duet.output().expect("duet")
    }

    /// Checks all of it, or a part, in a format. Returns the file of the report.
    fn check(&self, format: &str, shard: Option<usize>) -> PathBuf {
        let format_option = format!("--format={format}");
        let part = shard.map(|number| format!("--shard={number}/{PARTS}"));
        let mut words = vec!["check", "src", "--no-refute", &format_option];
        words.extend(part.as_deref());
        let output = self.duet(&words);
        let name = format!("{}.{format}", shard.map_or("whole".to_string(), |n| n.to_string()));
        let path = self.0.path().join(name);
        std::fs::write(&path, output.stdout).expect("a file");
        path
    }

    fn parts(&self, format: &str) -> Vec<PathBuf> {
        (1..=PARTS).map(|number| self.check(format, Some(number))).collect()
    }

    fn merge(&self, options: &[&str], parts: &[PathBuf]) -> Output {
        let parts = parts.iter().map(|part| part.to_str().expect("a path"));
        let words: Vec<&str> =
            ["merge"].into_iter().chain(options.iter().copied()).chain(parts).collect();
        self.duet(&words)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(bytes: &[u8]) -> Value {
    let value = serde_json::from_slice(bytes);
    value.unwrap_or_else(|error| panic!("{error}: {}", text(bytes)))
}

#[test]
fn parts_in_json_are_the_whole_in_every_format() {
    let project = Project::new(&sources());
    let parts = project.parts("json");
    let whole = std::fs::read(project.check("json", None)).expect("a file");
    let some = |part: &PathBuf| json(&std::fs::read(part).expect("a file"))["files"].clone();
    assert!(parts.iter().all(|part| some(part).as_array().is_some_and(|all| all.len() < 10)));
    let merged = project.merge(&["--format=json"], &parts);
    assert_eq!(merged.status.code(), Some(3), "one cannot be read: {}", text(&merged.stderr));
    assert_eq!(without_times(json(&merged.stdout)), without_times(json(&whole)));
    for format in ["sarif", "gitlab"] {
        let direct = std::fs::read(project.check(format, None)).expect("a file");
        let option = format!("--format={format}");
        let merged = project.merge(&[&option], &parts);
        assert_eq!(json(&merged.stdout), json(&direct), "{format}");
    }
    let direct = std::fs::read(project.check("github", None)).expect("a file");
    assert_eq!(text(&project.merge(&["--format=github"], &parts).stdout), text(&direct));
    let page = text(&project.merge(&["--format=html"], &parts).stdout);
    assert!(page.contains("Duet: 10 files") && page.ends_with("</html>\n"), "{page}");
    let said = text(&project.merge(&[], &parts).stdout);
    assert!(said.contains("src/racy.cu: racy: unproven\n  1: write-write-race: "), "{said}");
    assert!(said.contains("src/accepted.cu: accepted: unproven (accepted)\n"), "{said}");
    assert!(said.ends_with("10 files: 5 proved, 4 unproven\n"), "{said}");
}

#[test]
fn logs_and_lists_are_merged_as_they_are() {
    let project = Project::new(&sources());
    let merged = |format: &str| {
        let merged = project.merge(&[], &project.parts(format));
        let whole = std::fs::read(project.check(format, None)).expect("a file");
        assert_eq!(json(&merged.stdout), json(&whole), "{format}: {}", text(&merged.stderr));
        merged
    };
    merged("gitlab");
    // A log is of one run, each rule is described once, and the worst code counts.
    let merged = merged("sarif");
    assert_eq!(merged.status.code(), Some(3));
    let log = json(&merged.stdout);
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules").clone();
    let mut ids: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    for result in log["runs"][0]["results"].as_array().expect("results") {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(result["ruleId"], rules[index]["id"]);
    }
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), all > 1), (all, true), "{ids:?}");
}

#[test]
fn a_part_that_lacks_is_noticed() {
    let project = Project::new(&sources());
    let mut parts = project.parts("json");
    let refused = |parts: &[PathBuf], why: &str| {
        let output = project.merge(&[], parts);
        assert_eq!(output.status.code(), Some(4), "{}", text(&output.stdout));
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    };
    refused(&parts[..2], "part 3/3 is missing");
    refused(&[parts.clone(), vec![project.check("sarif", None)]].concat(), "not all of one kind");
    let torn = project.0.path().join("torn.json");
    let bytes = std::fs::read(&parts[1]).expect("a file");
    std::fs::write(&torn, &bytes[..bytes.len() / 2]).expect("a file");
    refused(&[parts[0].clone(), torn.clone(), parts[2].clone()], "was its job ended?");
    std::fs::write(&torn, "").expect("a file");
    refused(&[parts[0].clone(), torn, parts[2].clone()], "was its job ended?");
    // A part that was run again replaces the first.
    let mut old = json(&bytes);
    old["exit_code"] = 5.into();
    let again = project.0.path().join("again.json");
    std::fs::write(&again, old.to_string()).expect("a file");
    parts.insert(0, again);
    assert_eq!(project.merge(&[], &parts).status.code(), Some(3));
}

#[test]
fn parts_without_kernels_prove_nothing() {
    let project = Project::new(&[]);
    let part = project.0.path().join("part.json");
    std::fs::write(&part, r#"{ "version": 1, "files": [], "exit_code": 0 }"#).expect("a file");
    assert_eq!(project.merge(&[], &[part]).status.code(), Some(2));
}
