//! Whatever a checker does, the run goes on and the counts are right: checkers
//! that hang, crash, eat memory, lie or print without end (shell scripts), files
//! that cannot be read, a full disk, a run that is interrupted.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use duet_bench::{
    Configuration, Expected, Limits, Observer, Outcome, Plan, Record, Results, Store, Summary,
    find_kernels, read_results, run,
};
use tempfile::TempDir;

/// A checker that does what the kernel's text says after `DO:`. It notes the files
/// that it was asked about.
const CHECKER: &str = r#"#!/bin/sh
for word; do case "$word" in *.cu|*.cl) file="$word" ;; esac; done
[ "$1" = check ] && echo "$(basename "$file")" >> "$(dirname "$0")/asked"
[ "$1" = emit ] && { echo 'kernel a::k<int>: 2 loops (lines 3 and 4)'; exit 0; }
what="$(sed -n 's/^.*DO: //p' "$file")"
kernel() { printf '{"version":1,"kernels":[{"name":"k","verdict":"%s","loops":%s,"invariants":0,' "$1" "$2"
  printf '"findings":[%s],"timings":{"solver_ms":20}}],"timings":{"clang_ms":50}}\n' "$3"; }
race='{"rule":"write-write-race","severity":"error","headline":"two threads may write `a` (line 3)","primary":{"line":3},"witness":{}}'
case "$what" in
  prove) kernel proved 0 ;;
  loop) kernel proved 2 ;;
  race) kernel unproven 1 "$race,$race"; exit 2 ;;
  refute) kernel refuted 1 "$race"; exit 1 ;;
  lie) kernel unproven 0 "$race" ;;
  empty) echo '{"version":1,"kernels":[]}' ;;
  silent) ;;
  garbage) echo 'verdict: proved' ;;
  hang) sleep 100 ;;
  crash) kernel proved 0; kill -SEGV $$ ;;
  internal) echo 'thread main panicked' >&2; exit 5 ;;
  options) echo 'error: --may-alias is not supported' >&2; exit 4 ;;
  parse) printf 'note: x\nerror[clang]: expected a bracket\n' >&2; exit 3 ;;
  memory) python3 -c 'x = bytearray(3 << 30); print("proved")' ||
      { echo 'memory allocation of 3221225472 bytes failed' >&2; kill -ABRT $$; } ;;
  flood) head -c 300000000 /dev/zero; exit 2 ;;
esac
"#;

struct Bench {
    folder: TempDir,
    tools: TempDir,
}

impl Bench {
    /// A folder with these files: name, first line, what to do.
    fn new(files: &[(&str, &str, &str)]) -> Bench {
        let bench =
            Bench { folder: tempfile::tempdir().unwrap(), tools: tempfile::tempdir().unwrap() };
        let program = bench.program();
        fs::write(&program, CHECKER).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        for (name, first, what) in files {
            bench.write(name, &format!("{first}\n//--blockDim=1\n\n// DO: {what}\n"));
        }
        bench
    }

    fn program(&self) -> PathBuf {
        self.tools.path().join("checker")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn plan(&self) -> Plan {
        Plan {
            program: self.program(),
            command: "check",
            files: find_kernels(self.folder.path()).files,
            configurations: vec![Configuration::new("default", &[])],
            limits: Limits { wall: Duration::from_secs(2), memory_mb: 1024 },
            jobs: 2,
        }
    }

    fn run(&self) -> Vec<Record> {
        run(&self.plan(), &mut Store::nowhere(), &Silent).records
    }

    /// Runs with results in this folder.
    fn run_into(&self, out: &Path) -> Results {
        run(&self.plan(), &mut Store::open(out).unwrap(), &Silent)
    }

    /// The files that the checker was asked about, and forgets them.
    fn asked(&self) -> Vec<String> {
        let path = self.tools.path().join("asked");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let _ = fs::remove_file(path);
        let mut names: Vec<String> = text.lines().map(str::to_string).collect();
        names.sort();
        names
    }
}

struct Silent;
impl Observer for Silent {}

fn outcomes(records: &[Record]) -> Vec<(&str, Outcome)> {
    records.iter().map(|record| (record.file.as_str(), record.outcome)).collect()
}

#[test]
fn only_a_whole_proof_counts() {
    let bench = Bench::new(&[
        ("a.cu", "//pass", "prove"),
        ("b.cl", "//pass", "loop"),
        ("c.cu", "//pass", "race"),
        ("d.cu", "//xfail:NOT_ALL_VERIFIED", "refute"),
        ("e.cu", "//pass", "lie"),
        ("f.cu", "//pass", "empty"),
        ("g.cu", "//pass", "silent"),
        ("h.cu", "//pass", "garbage"),
        ("sub/_i.cu", "//xfail:NOT_ALL_VERIFIED", "prove"),
        ("notes.txt", "//pass", "prove"),
    ]);
    let records = bench.run();
    let expected = [
        ("a.cu", Outcome::Proved),
        ("b.cl", Outcome::Proved),
        ("c.cu", Outcome::Unproven),
        ("d.cu", Outcome::Refuted),
        ("e.cu", Outcome::Unproven),
        ("f.cu", Outcome::Unreadable),
        ("g.cu", Outcome::Unreadable),
        ("h.cu", Outcome::Unreadable),
        ("sub/_i.cu", Outcome::Proved),
    ];
    assert_eq!(outcomes(&records), expected);
    assert_eq!(
        records[2].reason,
        "write-write-race: two threads may write `a` (line 3) [and 1 more]"
    );
    assert_eq!((records[0].clang_seconds, records[0].solver_seconds), (0.05, 0.02));
    assert!(records.iter().all(|record| record.seconds > 0.0 && record.peak_mb > 0.1));
    let summary = Summary::new(&records);
    let counts: Vec<(&str, usize, usize)> =
        summary.groups.iter().map(|one| (one.name, one.files, one.proved())).collect();
    let groups = [
        ("all", 9, 3),
        ("expected to pass", 7, 2),
        ("expected to fail", 2, 1),
        ("without leading underscore", 8, 2),
        ("- without loops", 2, 1),
        ("- with loops", 6, 1),
        ("with leading underscore", 1, 1),
    ];
    assert_eq!(counts, groups);
    assert_eq!(summary.contradictions, ["sub/_i.cu"]);
    assert_eq!(summary.bugs, (1, 2));
}

#[test]
fn checkers_that_misbehave() {
    let bench = Bench::new(&[
        ("a.cu", "//pass", "hang"),
        ("b.cu", "//pass", "crash"),
        ("c.cu", "//pass", "internal"),
        ("d.cu", "//pass", "options"),
        ("e.cu", "//pass", "parse"),
        ("f.cu", "//pass", "memory"),
        ("g.cu", "//pass", "flood"),
        ("h.cu", "//pass", "prove"),
    ]);
    let start = Instant::now();
    let records = bench.run();
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    let reasons: Vec<(Outcome, &str)> =
        records.iter().map(|record| (record.outcome, record.reason.as_str())).collect();
    assert_eq!(reasons[0], (Outcome::TimedOut, "ended after 2 s"));
    assert_eq!(
        (records[0].kernels[0].name.as_str(), records[0].has_loops()),
        ("a::k<int>", Some(true))
    );
    assert_eq!(reasons[1], (Outcome::Crashed, "ended by signal 11"));
    assert_eq!(reasons[2], (Outcome::Crashed, "exit code 5: thread main panicked"));
    assert_eq!(reasons[3].0, Outcome::BadOptions);
    assert_eq!(reasons[4], (Outcome::Unreadable, "exit code 3: error[clang]: expected a bracket"));
    assert_eq!(reasons[5].0, Outcome::OutOfMemory);
    assert!(records[5].peak_mb < 1024.0);
    // Its exit code means "unproven", but it has not said of what.
    assert_eq!(reasons[6].0, Outcome::Crashed);
    assert_eq!(reasons[7], (Outcome::Proved, ""));
}

#[test]
fn files_that_cannot_be_read() {
    let bench = Bench::new(&[("fine.cu", "//pass", "prove")]);
    symlink("nowhere.cu", bench.folder.path().join("dangling.cu")).unwrap();
    symlink("..", bench.folder.path().join("upwards")).unwrap();
    fs::create_dir(bench.folder.path().join("folder.cu")).unwrap();
    bench.write("empty.cu", "");
    fs::write(bench.folder.path().join("latin1.cu"), b"//pass\n//-DX=\xe9\n// DO: prove\n")
        .unwrap();
    let records = bench.run();
    let expected = [
        ("dangling.cu", Outcome::Unreadable),
        ("empty.cu", Outcome::Unreadable),
        ("fine.cu", Outcome::Proved),
        ("latin1.cu", Outcome::Proved),
    ];
    assert_eq!(outcomes(&records), expected);
    assert!(records[0].reason.contains("No such file"), "{}", records[0].reason);
    assert_eq!(records[1].expected, Expected::Nothing);
    assert_eq!(Summary::new(&records).groups[0].files, 4);
}

#[test]
fn a_checker_that_cannot_be_started_is_no_proof() {
    let bench = Bench::new(&[("a.cu", "//pass", "prove")]);
    let plan = Plan { program: "/nowhere/duet".into(), ..bench.plan() };
    let records = run(&plan, &mut Store::nowhere(), &Silent).records;
    assert_eq!(outcomes(&records), [("a.cu", Outcome::Unreadable)]);
}

#[test]
fn a_full_disk_stops_nothing() {
    let bench = Bench::new(&[("a.cu", "//pass", "prove"), ("b.cu", "//pass", "race")]);
    let out = tempfile::tempdir().unwrap();
    symlink("/dev/full", out.path().join("results.jsonl")).unwrap();
    let told = Told::default();
    let mut store = Store::open(out.path()).unwrap();
    let results = run(&bench.plan(), &mut store, &told);
    assert_eq!(
        outcomes(&results.records),
        [("a.cu", Outcome::Proved), ("b.cu", Outcome::Unproven)]
    );
    assert!(results.not_kept.is_some_and(|why| why.contains("space")));
    assert_eq!(told.0.lock().unwrap().len(), 1, "one warning, not one for each file");
}

/// Remembers what it was told.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Observer for Told {
    fn problem(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_string());
    }
}

#[test]
fn a_run_is_taken_up_where_it_stopped() {
    let bench = Bench::new(&[
        ("a.cu", "//pass", "prove"),
        ("b.cu", "//pass", "race"),
        ("c.cu", "//pass", "loop"),
    ]);
    let out = tempfile::tempdir().unwrap();
    let first = bench.run_into(out.path()).records;
    assert_eq!(bench.asked(), ["a.cu", "b.cu", "c.cu"]);
    // The last write was cut short, as by a full disk or the end of the machine.
    let lines = out.path().join("results.jsonl");
    let text = fs::read_to_string(&lines).unwrap();
    let torn = text.lines().last().unwrap();
    let torn: Record = serde_json::from_str(torn).unwrap();
    fs::write(&lines, &text[..text.len() - 20]).unwrap();
    let second = bench.run_into(out.path()).records;
    assert_eq!(bench.asked(), std::slice::from_ref(&torn.file));
    assert_eq!(outcomes(&second), outcomes(&first));
    let same = |file: &str| {
        let find = |records: &[Record]| records.iter().find(|one| one.file == file).cloned();
        find(&first) == find(&second)
    };
    let kept = first.iter().filter(|record| record.file != torn.file);
    assert!(kept.map(|record| &record.file).all(|file| same(file)));
    // What was written after the torn line is whole.
    let read = read_results(out.path()).unwrap();
    assert_eq!(outcomes(&read), outcomes(&second));
    assert_eq!(read, second);
}

#[test]
fn a_result_counts_only_for_what_it_rests_on() {
    let bench = Bench::new(&[("a.cu", "//pass", "prove"), ("b.cu", "//pass", "prove")]);
    let out = tempfile::tempdir().unwrap();
    bench.run_into(out.path());
    bench.asked();
    // Another text of the file.
    bench.write("b.cu", "//pass\n//\n// DO: race\n");
    let records = bench.run_into(out.path()).records;
    assert_eq!(bench.asked(), ["b.cu"]);
    assert_eq!(outcomes(&records), [("a.cu", Outcome::Proved), ("b.cu", Outcome::Unproven)]);
    // Other limits, other options.
    let mut plan = bench.plan();
    plan.limits.wall = Duration::from_secs(3);
    run(&plan, &mut Store::open(out.path()).unwrap(), &Silent);
    assert_eq!(bench.asked(), ["a.cu", "b.cu"]);
    plan.configurations = vec![Configuration::new("default", &["--strict"])];
    run(&plan, &mut Store::open(out.path()).unwrap(), &Silent);
    assert_eq!(bench.asked(), ["a.cu", "b.cu"]);
    // Another build of the checker.
    fs::write(bench.program(), format!("{CHECKER}# newer\n")).unwrap();
    run(&plan, &mut Store::open(out.path()).unwrap(), &Silent);
    assert_eq!(bench.asked(), ["a.cu", "b.cu"]);
}
