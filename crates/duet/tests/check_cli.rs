//! `duet check` as a user sees it: text, JSON, options and exit codes.

use std::process::{Command, Output};

use serde_json::Value;

const PROVED: i32 = 0;
const REFUTED: i32 = 1;
const UNPROVEN: i32 = 2;
const BAD_INPUT: i32 = 3;
const USAGE: i32 = 4;

const COPY: &str = "__global__ void copy(int *__restrict__ out, const int *__restrict__ in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
";

/// Every thread writes two elements.
const OVERLAP: &str = "__global__ void overlap(int *a, int n) {
  a[threadIdx.x] = n;
  a[threadIdx.x + 1] = 2;
}
";

/// A file and what a run of `duet check` on it gave.
struct Checked {
    output: Output,
}

impl Checked {
    #[track_caller]
    fn new(name: &str, source: &str, options: &[&str]) -> Checked {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(name), source).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .current_dir(folder.path())
            .args(["check", name])
            .args(options)
            .env("DUET_Z3", z3())
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .output()
            .expect("duet runs");
        Checked { output }
    }

    fn cuda(source: &str, options: &[&str]) -> Checked {
        Checked::new("k.cu", source, options)
    }

    fn opencl(source: &str, options: &[&str]) -> Checked {
        Checked::new("k.cl", source, options)
    }

    fn stdout(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).expect("UTF-8")
    }

    fn stderr(&self) -> String {
        String::from_utf8(self.output.stderr.clone()).expect("UTF-8")
    }

    #[track_caller]
    fn exits(self, code: i32) -> Checked {
        let shown = format!("{}{}", self.stdout(), self.stderr());
        assert_eq!(self.output.status.code(), Some(code), "{shown}");
        self
    }

    #[track_caller]
    fn says(self, text: &str) -> Checked {
        let shown = format!("{}{}", self.stdout(), self.stderr());
        assert!(shown.contains(text), "no `{text}` in:\n{shown}");
        self
    }

    #[track_caller]
    fn omits(self, text: &str) -> Checked {
        let shown = format!("{}{}", self.stdout(), self.stderr());
        assert!(!shown.contains(text), "`{text}` in:\n{shown}");
        self
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_slice(&self.output.stdout).expect("JSON")
    }
}

/// The z3 program of this project, or the one on the path.
fn z3() -> std::path::PathBuf {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join("z3"));
    std::iter::once(root.join(".duet/z3/bin/z3"))
        .chain(places)
        .find(|program| program.is_file())
        .expect("z3 is installed")
}

#[test]
fn a_proved_kernel_with_its_assumptions() {
    let checked = Checked::cuda(COPY, &["--blockDim=64", "--gridDim=[2]"]).exits(PROVED);
    assert_eq!(
        checked.stdout(),
        "copy: proved\n  launch: blockDim = [64], gridDim = [2]\n  assuming that accesses stay \
         inside their arrays; pointer arguments are not null; distinct pointers point to distinct \
         arrays\n"
    );
    assert_eq!(checked.stderr(), "", "nothing to warn about, and no progress without a terminal");
}

/// The branch for a null pointer is left out of the proof, so the proof has to say so.
#[test]
fn a_comparison_with_null_is_an_assumption() {
    let source = |test: &str| {
        format!("__global__ void k(int *a, int *p) {{ if (p {test} 0) a[0] = threadIdx.x; }}")
    };
    let sizes = ["--blockDim=64", "--gridDim=1"];
    let checked = Checked::cuda(&source("=="), &sizes).exits(PROVED);
    assert!(checked.stdout().contains("pointer arguments are not null"), "{}", checked.stdout());
    Checked::cuda(&source("!="), &sizes).exits(REFUTED);
}

#[test]
fn a_race_with_both_lines_and_both_threads() {
    let checked = Checked::cuda(OVERLAP, &["--block-dim=8", "--grid-dim=1"]).exits(REFUTED);
    let text = checked.stderr();
    for part in [
        "error[write-write-race]: two threads write `a[1]` at the same time",
        "^ thread 1 of block 0 writes 0 to `a[1]`",
        "- thread 0 of block 0 writes 2 to `a[1]`",
        "refuted: this run shows it",
        "launch: blockDim = [8], gridDim = [1]",
        "arguments: n = 0",
        "arrays: a = all 0",
        "common bytes: 4 to 7 of `a`",
        "duet run k.cu --blockDim=8 --gridDim=1 --arg n=0 --fill a=zero",
        "in kernel `overlap`",
        "help: put a `__syncthreads()`",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert_eq!(
        checked.stdout(),
        "overlap: refuted, 1 finding shown by a run\n  launch: blockDim = [8], gridDim = [1]\n"
    );
}

#[test]
fn a_race_that_no_run_has_shown() {
    let options = ["--block-dim=8", "--grid-dim=1", "--no-refute"];
    let checked = Checked::cuda(OVERLAP, &options).exits(UNPROVEN);
    let text = checked.stderr();
    for part in [
        "error[write-write-race]: two threads may write `a` at the same time (lines 2 and 3)",
        "the other thread writes here",
        "first thread: threadIdx.x = ",
        "second thread: threadIdx.x = ",
        "launch: blockDim = [8], gridDim = [1]",
        "arguments: n = ",
        "in kernel `overlap`",
        "help: put a `__syncthreads()`",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(!text.contains("(_ bv"), "SMT syntax in:\n{text}");
    assert_eq!(
        checked.stdout(),
        "overlap: unproven, 1 finding\n  launch: blockDim = [8], gridDim = [1]\n"
    );
}

#[test]
fn the_json_of_a_race() {
    let options = ["--block-dim=8", "--grid-dim=1", "--format=json"];
    let json = Checked::cuda(OVERLAP, &options).exits(REFUTED).json();
    assert_eq!((&json["version"], &json["file"]), (&Value::from(1), &Value::from("k.cu")));
    let kernel = &json["kernels"][0];
    assert_eq!((&kernel["name"], &kernel["verdict"]), (&"overlap".into(), &"refuted".into()));
    let verdict = |index: usize| kernel["properties"][index]["verdict"].clone();
    assert_eq!((verdict(0), verdict(3)), ("refuted".into(), "not-checked".into()));
    assert_eq!(kernel["properties"][1]["depends_on"], 0, "{json:#}");
    let finding = &kernel["findings"][0];
    assert_eq!(finding["rule"], "write-write-race");
    assert_eq!((&finding["status"], &finding["severity"]), (&"refuted".into(), &"error".into()));
    assert_eq!(
        (&finding["primary"]["line"], &finding["secondary"]["line"]),
        (&2.into(), &3.into())
    );
    assert_eq!(finding["primary"]["file"], "k.cu");
    let witness = &finding["witness"];
    assert_eq!(witness["block_dim"], serde_json::json!([8, 1, 1]));
    // The first thread writes element x, the second element x' + 1.
    let id = |index: usize| witness["threads"][index]["thread"][0].as_u64().expect("an id");
    assert_eq!(id(0), id(1) + 1, "{json:#}");
    let n = witness["arguments"]["n"]["bits"].as_str().expect("the value of n");
    assert_ne!(n, "0x2", "the two values must differ");
    assert_eq!(witness["arrays"]["a"]["fill"], "zero");
    let conflict = &witness["conflict"];
    assert_eq!((&conflict["array"], &conflict["element"]), (&"a".into(), &1.into()));
    assert_eq!(conflict["accesses"][1]["value"], "0x2");
    assert_eq!(witness["command"][1], "run", "{json:#}");
    assert!(kernel["timings"]["check_ms"].as_f64().is_some_and(|ms| ms > 0.0));
    assert!(json["timings"]["clang_ms"].as_f64().is_some_and(|ms| ms > 0.0));
}

#[test]
fn json_is_the_same_on_every_run() {
    let options = ["--block-dim=8", "--grid-dim=2", "--format=json"];
    let source = format!("{OVERLAP}{COPY}");
    let run = || {
        let mut json = Checked::cuda(&source, &options).exits(REFUTED).json();
        json["timings"] = Value::Null;
        for kernel in json["kernels"].as_array_mut().expect("kernels") {
            kernel["timings"] = Value::Null;
        }
        json
    };
    assert_eq!(run(), run());
}

#[test]
fn kernels_in_source_order() {
    let source = "__device__ int twice(int x) { return 2 * x; }
__global__ void c(int *a) { a[threadIdx.x] = twice(1); }
__global__ void a(int *b) { b[threadIdx.x] = twice(2); }
__global__ void b(int *c) { c[threadIdx.x] = 3; }
";
    let options = ["--block-dim=8", "--grid-dim=1"];
    let text = Checked::cuda(source, &options).exits(PROVED).stdout();
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(": proved")).collect();
    assert_eq!(names, ["c", "a", "b"]);
    assert!(text.ends_with("3 kernels: 3 proved, 0 unproven\n"), "{text}");
    let only = Checked::cuda(source, &[&options[..], &["--kernel=a"]].concat()).exits(PROVED);
    assert!(only.stdout().starts_with("a: proved\n"), "{}", only.stdout());
}

#[test]
fn pointers_without_restrict_are_named_once() {
    let source = COPY.replace("__restrict__ ", "");
    let options = ["--block-dim=8", "--grid-dim=1"];
    let text = Checked::cuda(&source, &options).exits(PROVED).stderr();
    assert_eq!(text.matches("warning[missing-restrict]").count(), 1, "{text}");
    assert!(text.contains("`out` and `in` of kernel `copy`"), "{text}");
}

#[test]
fn a_kernel_that_cannot_be_read_is_not_passed_over() {
    let source = format!("{COPY}__global__ void jump(int *a) {{ asm(\"brkpt;\"); a[0] = 1; }}\n");
    let options = ["--block-dim=8", "--grid-dim=1"];
    Checked::cuda(&source, &options)
        .exits(BAD_INPUT)
        .says("copy: proved")
        .says("in kernel `jump`")
        .omits("jump: ");
    let named = Checked::cuda(&source, &[&options[..], &["--kernel=copy"]].concat());
    named.exits(PROVED);
}

/// A launch of no blocks runs nothing, so nothing is known of the kernel.
#[test]
fn nothing_checked_is_not_proved() {
    let program = "__global__ void k(int *a) { a[0] = threadIdx.x; }
int main() { int *d; cudaMalloc(&d, 4); k<<<0, 64>>>(d); return 0; }
";
    Checked::cuda(program, &[]).exits(UNPROVEN).says("no kernel was checked");
}

#[test]
fn threads_that_leave_a_loop_with_a_barrier() {
    let kernel = "__global__ void k(int *a, int n) {
  for (int i = threadIdx.x; i < n; i += 8) {
    __syncthreads();
    a[i] = 1;
  }
}
";
    let sizes = ["--block-dim=8", "--grid-dim=1"];
    Checked::cuda(kernel, &sizes)
        .exits(REFUTED)
        .says("error[barrier-divergence]: a thread leaves a loop while others wait at a barrier");
    Checked::cuda(kernel, &[&sizes[..], &["--no-refute"]].concat())
        .exits(UNPROVEN)
        .says("error[barrier-divergence]: a thread may leave a loop while others wait");
}

#[test]
fn threads_that_return_before_a_barrier() {
    let cuda = "__global__ void k(int *a, int n) {
  if (threadIdx.x >= n) return;
  __syncthreads();
  a[threadIdx.x] = 1;
}
";
    let sizes = ["--block-dim=8", "--grid-dim=1"];
    Checked::cuda(cuda, &sizes)
        .exits(PROVED)
        .says("warning[exit-before-barrier]")
        .says("k: proved");
    Checked::cuda(cuda, &[&sizes[..], &["--strict"]].concat())
        .exits(REFUTED)
        .says("error[exit-before-barrier]");
    let opencl = "__kernel void k(__global int *a, int n) {
  if (get_local_id(0) >= n) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_local_id(0)] = 1;
}
";
    Checked::opencl(opencl, &["--local_size=8", "--num_groups=1"])
        .exits(REFUTED)
        .says("error[exit-before-barrier]")
        .says("waits here; thread ");
    Checked::opencl(opencl, &["--local_size=8", "--num_groups=1", "--no-refute"])
        .exits(UNPROVEN)
        .says("get_local_id(0) = ");
}

#[test]
fn options_that_leave_something_out_say_so() {
    let sizes = ["--block-dim=8", "--grid-dim=2"];
    let with = |source: &str, option| Checked::cuda(source, &[&sizes[..], &[option]].concat());
    with(OVERLAP, "--only-divergence").exits(PROVED).says("there are no data races");
    let across = "__global__ void k(int *a) { a[threadIdx.x] = blockIdx.x; }\n";
    with(across, "--strict").exits(REFUTED);
    with(across, "--only-intra-group").exits(PROVED).says("threads of different blocks");
    let same = "__global__ void k(int *a) { a[0] = 1; }\n";
    with(same, "--verify").exits(PROVED).says("warning[benign-write-write-race]");
    with(same, "--no-benign-tolerance").exits(REFUTED).says("error[write-write-race]");
    with(COPY, "--verify").exits(PROVED).omits("benign-write-write-race");
}

#[test]
fn arguments_and_sizes_of_arrays() {
    let source = "__global__ void spread(int *a, int stride) {
  a[threadIdx.x * stride] = threadIdx.x;
}
__global__ void other(int *a) { a[0] = threadIdx.x; }
";
    let sizes = ["--block-dim=8", "--grid-dim=1"];
    let with = |options: &[&str]| Checked::cuda(source, &[&sizes[..], options].concat());
    with(&["--kernel-args=spread,0x2"])
        .exits(PROVED)
        .says("scalar arguments have the values given")
        .omits("other");
    with(&["--kernel-args=spread,0"]).exits(REFUTED).says("stride = 0");
    with(&["--kernel-args=spread,*"]).exits(REFUTED);
    with(&["--kernel-args=spread,1,2"]).exits(USAGE).says("1 scalar parameters, but 2 values");
    with(&["--kernel-args=spread,0x100000000"]).exits(USAGE).says("does not fit into 32 bits");
    with(&["--kernel-args=spread,two"]).exits(USAGE).says("neither a number nor");
    with(&["--kernel-args=nobody,1"]).exits(BAD_INPUT).says("has no kernel `nobody`");
    let bounds = ["--check-array-bounds", "--kernel-args=spread,1"];
    let bounded = |size| with(&[&bounds[..], &[size]].concat());
    bounded("--kernel-arrays=spread,32").exits(PROVED).omits("inside their arrays");
    bounded("--kernel-arrays=spread,28").exits(REFUTED).says("error[out-of-bounds]");
    bounded("--kernel-arrays=spread,*").exits(PROVED).says("below the end of `a`");
    bounded("--kernel-arrays=spread,30").exits(USAGE).says("not a multiple");
}

#[test]
fn annotations_can_be_left_out() {
    let source = "__global__ void k(int *a, int stride) {
  __requires(stride == 3);
  int j = 0;
  for (int i = 0; __invariant(j == 2 * i), i < 4; i++) j++;
  a[threadIdx.x * stride] = threadIdx.x;
}
";
    let sizes = ["--block-dim=8", "--grid-dim=1"];
    let with = |options: &[&str]| Checked::cuda(source, &[&sizes[..], options].concat());
    with(&[]).exits(REFUTED).says("error[invariant-failed]").omits("write-write-race");
    with(&["--invariants-as-candidates"]).exits(PROVED).says("the precondition on line 2 holds");
    with(&["--only-requires"]).exits(PROVED);
    with(&["--no-annotations"]).exits(REFUTED).says("write-write-race").omits("invariant-failed");
    with(&["--no-annotations", "--only-requires"]).exits(USAGE);
}

#[test]
fn guesses_of_the_user_are_dropped_or_used() {
    let source = "__global__ void k(int *a) {
  int j = 0;
  for (int i = 0; __candidate_invariant(j == 2 * i), __candidate_invariant(j == 3 * i), i < 4; i++)
    j += 2;
  __assert(j % 2 == 0);
  a[threadIdx.x] = j;
}
";
    let sizes = ["--block-dim=8", "--grid-dim=1", "--no-infer", "--infer-info"];
    let said = Checked::cuda(source, &sizes).exits(PROVED);
    said.says("j == (2 * i) [user]").omits("3 * i").says("1 hold, 0 undecided");
}

#[test]
fn function_wide_invariants_are_about_every_loop() {
    let with = |loops: &str, options: &[&str]| {
        let source = format!(
            "__global__ void k(int *a, int n) {{
  __requires(n < 9);
  int j = 0;
  {loops}
  a[threadIdx.x] = j;
  __function_wide_invariant(n < 5);
}}
"
        );
        Checked::cuda(&source, &[&["--block-dim=8", "--grid-dim=1"], options].concat())
    };
    let two = "for (int i = 0; i < n; i++) j++; while (j > 3) j--;";
    with(two, &[]).exits(UNPROVEN).says("error[invariant-failed]");
    with(two, &["--invariants-as-candidates"]).exits(PROVED);
    with(two, &["--only-requires"]).exits(PROVED);
    // It holds at the one loop that there is, at one of two, and where there is none.
    with("if (n < 5) for (int i = 0; i < n; i++) j++;", &[]).exits(PROVED);
    with("if (n < 5) for (int i = 0; i < n; i++) j++; while (j > 3) j--;", &[]).exits(UNPROVEN);
    with("j = n;", &[]).exits(PROVED);
}

#[test]
fn any_size_of_a_block_that_divides_the_global_size() {
    let source = "__kernel void k(__global int *a) {
  __assert(get_local_size(0) <= 6);
  __assert(get_local_size(0) * get_num_groups(0) == 6);
  __assert(get_local_size(0) != 4);
  a[get_global_id(0)] = 1;
}
";
    Checked::opencl(source, &["--local_size=*", "--global_size=6"]).exits(PROVED);
    Checked::opencl(source, &["--local_size=*", "--global_size=8"])
        .exits(REFUTED)
        .says("error[assertion-failed]");
}

#[test]
fn sizes_that_make_no_launch() {
    let source = "__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }\n";
    for (options, text) in [
        (&["--local_size=0", "--num_groups=1"][..], "a size must be positive"),
        (&["--local_size=[1,2,3,4]"], "at most three dimensions"),
        (&["--local_size=[8"], "`]` is missing"),
        (&["--local_size=8", "--global_size=12"], "not a multiple"),
        (&["--local_size=8", "--global_size=16", "--num_groups=2"], "cannot be used with"),
        (&["--local_size=8", "--num_groups=2", "--global_offset=[1,1]"], "number of dimensions"),
        (&["--local_size=8", "--num_groups=2", "--global_offset=*"], "given as numbers"),
        (&["--timeout=soon"], "a number of seconds"),
        (&["--solver=nobody"], "possible values"),
        (&["--format=xml"], "possible values"),
        (&["--warp-sync=0"], "warp-sync"),
    ] {
        Checked::opencl(source, options).exits(USAGE).says(text);
    }
    Checked::cuda(COPY, &["--global_offset=1"]).exits(USAGE).says("only OpenCL has it");
    let offset = ["--local_size=8", "--num_groups=2", "--global_offset=0"];
    Checked::opencl(source, &offset).exits(PROVED);
}

#[test]
fn options_of_the_peer() {
    let sizes = ["--blockDim=8", "--gridDim=1"];
    let with = |option| Checked::cuda(COPY, &[&sizes[..], &[option]].concat());
    for option in ["--math-int", "--adversarial-abstraction", "--boogie-opt=/x"] {
        with(option).exits(PROVED).says("has no effect here: ");
    }
    with("--warp-sync=32").exits(PROVED).says("warps of 32 threads run in lock step");
    for option in ["--only-log", "--stop-at-bpl", "--cache=f"] {
        with(option).exits(USAGE).says("is not supported: ");
    }
    with("--only-intra").exits(PROVED);
    with("--nonsense").exits(USAGE);
}

#[test]
fn how_much_is_said() {
    let sizes = ["--block-dim=8", "--grid-dim=1"];
    let with = |options: &[&str]| Checked::cuda(OVERLAP, &[&sizes[..], options].concat());
    let silent = with(&["--silent"]).exits(REFUTED);
    assert_eq!((silent.stdout(), silent.stderr()), (String::new(), String::new()));
    with(&["--verbose"])
        .exits(REFUTED)
        .says("data-races: refuted")
        .says("assertions: unproven (depends on line 2)");
    with(&["--time"]).exits(REFUTED).says("decided by: ");
    let csv = with(&["--silent", "--time-as-csv=label"]).exits(REFUTED).stdout();
    assert!(csv.starts_with("label,refuted,0."), "{csv}");
    let many = "__global__ void k(int *a, int *b) { a[0] = threadIdx.x; b[0] = threadIdx.x; }\n";
    Checked::cuda(many, &[&sizes[..], &["--error-limit=1"]].concat())
        .exits(REFUTED)
        .says("k: refuted, 2 findings shown by a run (1 further findings are not shown)");
}

#[test]
fn every_question_can_be_written_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let option = format!("--emit-smt2={}", folder.path().display());
    let options = ["--block-dim=8", "--grid-dim=1", "--no-refute", &option];
    Checked::cuda(OVERLAP, &options).exits(UNPROVEN);
    let first = std::fs::read_to_string(folder.path().join("q00001.smt2")).expect("a question");
    assert!(first.contains("(check-sat)"), "{first}");
    let transcript = std::fs::read_to_string(folder.path().join("transcript.txt"));
    assert!(transcript.expect("a transcript").contains("race"));
}

/// What one iteration forgets, induction over more of them knows.
#[test]
fn induction_goes_back_as_far_as_it_is_told() {
    let chain = "__global__ void chain(int *p, int n, int one) {
  __requires(one == 1);
  int a = one, b = one, c = one, d = one;
  for (int i = 0; __invariant(a == 1), i < n; i++) {
    p[threadIdx.x * a] = threadIdx.x;
    a = b; b = c; c = d; d = 1;
  }
}\n";
    let with = |depth: &str| {
        Checked::cuda(chain, &["--block-dim=64", "--grid-dim=1", "--no-infer", depth])
    };
    with("--k-induction-depth=1").exits(UNPROVEN);
    with("--k-induction-depth=2").exits(UNPROVEN);
    with("--k-induction-depth=3").exits(PROVED);
    with("--k-induction-depth=5").exits(PROVED);
}

/// Images are no global memory: a barrier has a flag for each.
#[test]
fn barriers_order_what_their_flags_say() {
    let with = |flag: &str| {
        let source = format!(
            "__kernel void k(__read_write image2d_t im, __global int *out) {{
  int x = get_local_id(0);
  write_imagei(im, (int2)(x, 0), (int4)(x));
  work_group_barrier({flag});
  out[x] = read_imagei(im, (int2)(x ^ 1, 0)).x;
}}\n"
        );
        Checked::opencl(&source, &["--local_size=64", "--num_groups=1", "--std=CL2.0"])
    };
    with("CLK_IMAGE_MEM_FENCE").exits(PROVED);
    with("CLK_GLOBAL_MEM_FENCE").exits(REFUTED).says("read-write-race");
    with("CLK_LOCAL_MEM_FENCE").exits(REFUTED).says("read-write-race");
}

/// A second run finds its answers, and a damaged one is asked for again.
#[test]
fn answers_are_kept_for_the_next_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = tempfile::tempdir().expect("a folder");
    let cache = format!("--query-cache={}", folder.path().join("answers").display());
    let check = |name: &str| {
        let log = log.path().join(name);
        let option = format!("--emit-smt2={}", log.display());
        let options = ["--block-dim=8", "--grid-dim=1", "--no-refute", &cache, &option];
        Checked::cuda(OVERLAP, &options).exits(UNPROVEN);
        std::fs::read_to_string(log.join("transcript.txt")).expect("a transcript")
    };
    assert!(!check("first").contains("(cached)"));
    let second = check("second");
    assert!(second.contains("(cached)") && !second.contains("(asked)"), "{second}");
    let mut folders = vec![folder.path().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path().is_dir() {
                true => folders.push(entry.path()),
                false => std::fs::write(entry.path(), "unsat").expect("an entry is overwritten"),
            }
        }
    }
    let third = check("third");
    assert!(third.contains("(asked)") && !third.contains("(cached)"), "{third}");
}

/// The page of the command names every option.
#[test]
fn the_page_lists_every_option() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/check.md")).expect("docs/check.md");
    let table = std::fs::read_to_string(root.join("src/check/peer_options.rs")).expect("the table");
    let pattern = regex::Regex::new(r#"(?:flag|valued)\(\s*"([a-z0-9-]+)""#).expect("a pattern");
    let mut names: Vec<String> =
        pattern.captures_iter(&table).map(|found| format!("--{}", &found[1])).collect();
    assert!(names.len() >= 20, "only {} options in the table", names.len());
    let help = Command::new(env!("CARGO_BIN_EXE_duet")).args(["check", "--help"]).output();
    let help = String::from_utf8(help.expect("duet runs").stdout).expect("UTF-8");
    let pattern = regex::Regex::new(r"(?m)^\s+(?:-\w, )?(--[a-z0-9-]+)").expect("a pattern");
    names.extend(pattern.captures_iter(&help).map(|found| found[1].to_string()));
    assert!(names.contains(&"--kernel-args".to_string()), "{help}");
    for name in names {
        assert!(page.contains(&format!("`{name}")), "docs/check.md does not name {name}");
    }
}
