//! What CI uses: files that changed, parts of many, GitLab's report, fingerprints in SARIF, the
//! scripts of the action, and the helper for CMake.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const FINE: &str =
    "__global__ void fine(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
const RACY: &str = "__global__ void racy(int *a) { a[0] = threadIdx.x; }\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a folder")
}

/// A folder that may be a repository.
struct Project(TempDir);

impl Project {
    fn new() -> Project {
        Project(tempfile::tempdir().expect("a folder"))
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn git(&self, words: &[&str]) {
        let mut git = Command::new("git");
        git.current_dir(self.0.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let output = git.args(words).output().expect("git");
        assert!(output.status.success(), "{output:?}");
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "a"]);
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let z3 = root().join(".duet/z3/bin/z3");
        let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");
        command.current_dir(self.0.path()).env("DUET_Z3", z3).env("DUET_CACHE_DIR", cache);
        command
    }

    fn check(&self, words: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_duet")).arg("check").args(words).output().expect("duet")
    }

    /// The files that a check of everything since a commit looks at.
    fn since(&self, commit: &str) -> Vec<String> {
        let since = format!("--since={commit}");
        let output = self.check(&[".", &since, "--format=json", "--no-refute"]);
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let files = json["files"].as_array().expect("files");
        let name = |file: &Value| file["file"].as_str().expect("a name").to_string();
        let mut names: Vec<String> = files.iter().map(name).collect();
        names.sort();
        names
    }
}

#[test]
fn only_what_changed_is_checked_and_what_includes_it() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    project.write("a.cu", &format!("#include \"inc/one.h\"\n{FINE}"));
    project.write("b.cu", FINE);
    project.write("c.cu", &format!("#include <deep.h>\n{FINE}"));
    project.write("inc/one.h", "#include \"../inc/deep.h\"\n");
    project.write("inc/deep.h", "\n");
    project.write("inc/none.h", "\n");
    // How the folder is found makes no difference to what is included.
    project.write("duet.toml", "include = [\"inc\"]\n");
    project.commit();
    assert_eq!(project.since("HEAD"), Vec::<String>::new());
    project.write("inc/none.h", "// changed\n");
    assert_eq!(project.since("HEAD"), Vec::<String>::new());
    project.write("inc/deep.h", "// changed\n");
    assert_eq!(project.since("HEAD"), ["./a.cu", "./c.cu"]);
    project.commit();
    assert_eq!(project.since("HEAD~1"), ["./a.cu", "./c.cu"]);
    project.write("b.cu", &format!("{FINE}\n"));
    project.write("new.cu", FINE);
    assert_eq!(project.since("HEAD"), ["./b.cu", "./new.cu"]);
    // What decides how files are read concerns them all.
    project.write("duet.toml", "include = [\"inc\"]\ndefine = [\"N\"]\n");
    assert_eq!(project.since("HEAD").len(), 4);
    let unknown = project.check(&[".", "--since=nothing"]);
    assert_eq!(unknown.status.code(), Some(4), "{unknown:?}");
}

/// A race in a file that did not change does not fail the gate; nothing at all passes it.
#[test]
fn the_exit_code_is_that_of_what_changed() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    project.write("racy.cu", RACY);
    project.write("fine.cu", FINE);
    project.commit();
    let code = || project.check(&[".", "--since=HEAD"]).status.code();
    assert_eq!(code(), Some(0));
    project.write("fine.cu", &format!("{FINE}\n"));
    assert_eq!(code(), Some(0));
    project.write("racy.cu", &format!("{RACY}\n"));
    assert_eq!(code(), Some(1));
}

/// Each file is in one part, on every machine in the same.
#[test]
fn parts_are_all_of_the_files() {
    let project = Project::new();
    for number in 0..7 {
        project.write(&format!("k{number}.cu"), &format!("// {number}\n{FINE}"));
    }
    let part = |number: usize| {
        let shard = format!("--shard={number}/3");
        let output = project.check(&[".", &shard, "--format=json"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let files = json["files"].as_array().expect("files").clone();
        files.iter().map(|file| file["file"].as_str().expect("a name").to_string()).collect()
    };
    let parts: Vec<Vec<String>> = (1..=3).map(part).collect();
    let mut all: Vec<String> = parts.concat();
    all.sort();
    let wanted: Vec<String> = (0..7).map(|number| format!("./k{number}.cu")).collect();
    assert_eq!(all, wanted);
    assert!(parts.iter().all(|part| part.len() < 7), "{parts:?}");
    assert_eq!(part(1), parts[0]);
    assert_eq!(project.check(&[".", "--shard=4/3"]).status.code(), Some(4));
}

#[test]
fn gitlab_is_told_place_and_fingerprint() {
    let project = Project::new();
    project.write("racy.cu", RACY);
    let report = |words: &[&str]| -> Vec<Value> {
        let output = project.check(&[words, &["--format=gitlab"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    };
    let found = report(&["racy.cu"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["check_name"], "write-write-race");
    assert_eq!(found[0]["severity"], "critical");
    assert_eq!(found[0]["location"]["path"], "racy.cu");
    assert_eq!(found[0]["location"]["lines"]["begin"], 1);
    // Lines above make no difference to who it is.
    project.write("racy.cu", &format!("\n\n{RACY}"));
    let moved = report(&["racy.cu"]);
    assert_eq!(moved[0]["location"]["lines"]["begin"], 3);
    assert_eq!(moved[0]["fingerprint"], found[0]["fingerprint"]);
    // Several files are one list.
    project.write("other.cu", &RACY.replace("racy", "other"));
    let both = report(&["."]);
    assert_eq!(both.len(), 2, "{both:?}");
    assert_ne!(both[0]["fingerprint"], both[1]["fingerprint"]);
}

#[test]
fn sarif_has_help_and_fingerprints() {
    let project = Project::new();
    project.write("racy.cu", RACY);
    let output = project.check(&["racy.cu", "--format=sarif"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let run = &json["runs"][0];
    let help = run["tool"]["driver"]["rules"][0]["help"]["text"].as_str().expect("help");
    assert!(help.contains("duet explain write-write-race"), "{help}");
    assert!(run["tool"]["driver"]["rules"][0]["helpUri"].is_null(), "nobody said where");
    let prints = &run["results"][0]["partialFingerprints"];
    assert_eq!(prints["duetRuleKernelLines/v1"].as_str().map(str::len), Some(16), "{prints}");
}

/// The pages are where the user says, for one file and for several.
#[test]
fn sarif_has_addresses_of_pages() {
    let project = Project::new();
    project.write("racy.cu", RACY);
    project.write("fine.cu", FINE);
    for files in ["racy.cu", "."] {
        let uri = "--help-uri=https://example.org/rules/";
        let output = project.check(&[files, "--format=sarif", uri]);
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let rule = &json["runs"][0]["tool"]["driver"]["rules"][0];
        assert_eq!(rule["helpUri"], "https://example.org/rules/write-write-race.md", "{files}");
    }
    assert!(root().join("docs/rules/write-write-race.md").is_file());
}

/// The script of the action: annotations, SARIF, and what fails the job.
#[test]
fn the_action_fails_a_job_as_it_is_told() {
    let project = Project::new();
    project.write("racy.cu", RACY);
    project.write(
        "open.cu",
        "__global__ void open(int *a, int *b) { a[b[threadIdx.x]] = threadIdx.x; }\n",
    );
    let program = Path::new(env!("CARGO_BIN_EXE_duet")).parent().expect("a folder").to_path_buf();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", program.display());
    let run = |files: &str, fail_on: &str| {
        let script = root().join("scripts/ci/check.sh");
        let mut command = project.command(script.to_str().expect("a path"));
        command.env("PATH", &path).env("FILES", files).env("FAIL_ON", fail_on);
        command.env("OPTIONS", "--no-refute --block-dim=64").env("SARIF", "found.sarif");
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_OUTPUT", "outputs");
        command.env("GITHUB_ACTION_REPOSITORY", "owner/duet").env("GITHUB_ACTION_REF", "v1");
        command.output().expect("the script")
    };
    let output = run("open.cu", "unproven");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("::error file=open.cu,line=1"));
    assert_eq!(run("open.cu", "refuted").status.code(), Some(0));
    let sarif = std::fs::read(project.0.path().join("found.sarif")).expect("a file");
    let json: Value = serde_json::from_slice(&sarif).expect("JSON");
    assert_eq!(json["version"], "2.1.0");
    let page = json["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"].as_str().expect("a page");
    assert!(page.starts_with("https://github.com/owner/duet/blob/v1/docs/rules/"), "{page}");
    let outputs = std::fs::read_to_string(project.0.path().join("outputs")).expect("a file");
    assert!(outputs.contains("exit-code=2"), "{outputs}");
    assert_eq!(run("", "refuted").status.code(), Some(4));
}

const CMAKE: &str = "cmake_minimum_required(VERSION 3.18)
project(kernels NONE)
include(DuetCheck)
enable_testing()
add_custom_target(good SOURCES good.cu)
set_target_properties(good PROPERTIES INCLUDE_DIRECTORIES \"${CMAKE_SOURCE_DIR}/inc;${CMAKE_SOURCE_DIR}/more\"
    COMPILE_DEFINITIONS \"INDEX=threadIdx.x;N=4\")
duet_add_check(good OPTIONS --block-dim=64 --grid-dim=1)
add_custom_target(bad SOURCES bad.cu)
duet_add_check(bad NAME races)
";

/// A target's sources are read with its own folders and macros; a race fails its test only.
#[test]
fn a_target_of_cmake_is_a_test_of_ctest() {
    let project = Project::new();
    project.write("CMakeLists.txt", CMAKE);
    project.write("inc/one.h", "#define FIRST\n");
    project.write("more/two.h", "#define SECOND\n");
    project.write(
        "good.cu",
        "#include <one.h>\n#include <two.h>\n#if N != 4 || !defined(FIRST) || !defined(SECOND)\n#error no\n#endif\n\
         __global__ void k(int *a) { a[INDEX] = INDEX; }\n",
    );
    project.write("bad.cu", RACY);
    let modules = format!("-DCMAKE_MODULE_PATH={}", root().join("cmake").display());
    let program = format!("-DDUET_PROGRAM={}", env!("CARGO_BIN_EXE_duet"));
    let made =
        project.command("cmake").args(["-S", ".", "-B", "build", &modules, &program]).output();
    let made = made.expect("cmake");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let tested =
        project.command("ctest").args(["--test-dir", "build", "-V"]).output().expect("ctest");
    let text = String::from_utf8_lossy(&tested.stdout);
    assert!(text.contains("50% tests passed, 1 tests failed out of 2"), "{text}");
    assert!(text.contains("k: proved"), "{text}");
    assert!(text.contains("races (Failed)"), "{text}");
}
