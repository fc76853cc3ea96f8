//! Programs of several files: one report in every format, build folders, the project file,
//! launches that are given, and the softer question about any launch.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const KERNELS: &str = "__global__ void rows(int *a, int width) {
  a[blockIdx.x * width + threadIdx.x] = threadIdx.x + blockIdx.x;
}
void launch(int *a, int width) { rows<<<4, SIZE>>>(a, width); }
";
const MAIN: &str = "void launch(int *a, int width);
int main() {
  int *a;
  cudaMalloc(&a, 4 * 64 * sizeof(int));
  launch(a, 64);
}
";

/// A folder with the files of a program.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "rows.cu", KERNELS);
    write(&folder, "main.cu", MAIN);
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).expect("a file");
}

fn duet(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder)
        .arg("check")
        .args(args)
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

fn text(output: &Output) -> String {
    let [out, error] = [&output.stdout, &output.stderr].map(|part| String::from_utf8_lossy(part));
    format!("{out}{error}")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn one_report_in_every_format() {
    let folder = folder();
    let files = ["rows.cu", "main.cu", "-DSIZE=128"];
    let check = |format: &str| duet(folder.path(), &[&files[..], &[format]].concat());
    let report = json(&check("--format=json"));
    assert_eq!(report["files"].as_array().map(Vec::len), Some(1), "{report}");
    assert_eq!(report["files"][0]["file"], "rows.cu");
    assert_eq!(report["exit_code"], 1);
    let log = json(&check("--format=sarif"));
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(results.iter().any(|one| one["ruleId"] == "write-write-race"), "{log}");
    let annotations = text(&check("--format=github"));
    assert!(annotations.contains("::error file=rows.cu,line=2"), "{annotations}");
}

/// The host launches `rows` with rows that lie apart, and a kernel of another file launches it
/// with one row for all blocks: the verdict at the host's launch is not all that is said, also
/// where the other file is left to another machine.
#[test]
fn a_kernel_that_a_kernel_launches_is_judged_for_any_launch() {
    let folder = folder();
    let launched = "rows<<<4, 64>>>: proved";
    let alone = text(&duet(folder.path(), &["rows.cu", "main.cu", "-DSIZE=64"]));
    assert!(alone.contains(launched) && !alone.contains("rows: unproven"), "{alone}");
    let launching = "__global__ void rows(int *a, int width);\n\
        __global__ void again(int *a) { if (threadIdx.x == 0) rows<<<4, 64>>>(a, 0); }\n";
    write(&folder, "again.cu", launching);
    let files = ["rows.cu", "main.cu", "again.cu", "-DSIZE=64"];
    let judged = duet(folder.path(), &files);
    let said = text(&judged);
    assert_eq!(judged.status.code(), Some(2), "{said}");
    assert!(said.contains(launched) && said.contains("rows: unproven"), "{said}");
    assert!(said.contains("again: unproven"), "{said}");
    let parts = ["--shard=1/2", "--shard=2/2"];
    let judged = parts.map(|part| text(&duet(folder.path(), &[&files[..], &[part]].concat())));
    let one = judged.iter().find(|said| said.contains(launched)).expect("one part has it");
    assert!(one.contains("rows: unproven"), "{one}");
}

#[test]
fn a_build_says_how_files_are_read() {
    let folder = folder();
    let here = folder.path().display().to_string();
    let entry = |file: &str, options: &str| {
        format!(
            "{{\"directory\": \"{here}\", \"file\": \"{file}\", \
             \"output\": \"CMakeFiles/app.dir/{file}.o\", \"command\": \"nvcc {options} -c {file}\"}}"
        )
    };
    let database = format!("[{}, {}]", entry("rows.cu", "-DSIZE=64"), entry("main.cu", ""));
    std::fs::create_dir(folder.path().join("build")).expect("a folder");
    write(&folder, "build/compile_commands.json", &database);
    let proved = duet(folder.path(), &["-p", "build", "build/compile_commands.json"]);
    assert_eq!(proved.status.code(), Some(0), "{}", text(&proved));
    assert!(text(&proved).contains("rows<<<4, 64>>>: proved"), "{}", text(&proved));
    let named = duet(folder.path(), &["-p", "build", "rows.cu", "main.cu"]);
    assert_eq!(named.status.code(), Some(0), "{}", text(&named));
    let missing = duet(folder.path(), &["-p", "elsewhere", "rows.cu", "main.cu"]);
    assert_eq!(missing.status.code(), Some(4), "{}", text(&missing));
}

#[test]
fn a_project_file_is_read_and_its_errors_are_said() {
    let folder = folder();
    write(&folder, "duet.toml", "define = [\"SIZE=64\"] # threads\n");
    let proved = duet(folder.path(), &["rows.cu", "main.cu"]);
    assert_eq!(proved.status.code(), Some(0), "{}", text(&proved));
    write(&folder, "duet.toml", "defines = [\"SIZE=64\"]\n");
    let wrong = duet(folder.path(), &["rows.cu", "main.cu"]);
    assert_eq!(wrong.status.code(), Some(4), "{}", text(&wrong));
    assert!(text(&wrong).contains("there is no key `defines`"), "{}", text(&wrong));
}

#[test]
fn preconditions_of_the_project_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <cstdlib>\n\
        __global__ void halve(float *data, int n) {\n\
          int i = threadIdx.x;\n\
          if (i < n) data[i] = data[i + n] / 2;\n\
        }\n\
        int main(int argc, char **argv) {\n\
          float *data;\n\
          int n = atoi(argv[1]);\n\
          cudaMalloc(&data, 4096);\n\
          halve<<<1, 128>>>(data, n);\n\
        }\n";
    write(&folder, "one.cu", source);
    let without = duet(folder.path(), &["one.cu"]);
    assert_eq!(without.status.code(), Some(1), "{}", text(&without));
    // Too little is required, then enough.
    for (condition, code) in [("n >= 1", 1), ("n >= 128 && n <= 512", 0)] {
        write(&folder, "duet.toml", &format!("requires = [\"halve: {condition}\"]\n"));
        let judged = duet(folder.path(), &["one.cu"]);
        assert_eq!(judged.status.code(), Some(code), "{condition}: {}", text(&judged));
    }
    let judged = duet(folder.path(), &["one.cu"]);
    assert!(text(&judged).contains("the precondition on line 2 holds"), "{}", text(&judged));
    for (line, why) in [
        ("halve: n = 4", "it changes a variable"),
        ("halves: n > 0", "defines no kernel `halves`"),
        ("n > 0", "KERNEL: CONDITION"),
    ] {
        write(&folder, "duet.toml", &format!("requires = [\"{line}\"]\n"));
        let wrong = duet(folder.path(), &["one.cu"]);
        assert_eq!(wrong.status.code(), Some(4), "{}", text(&wrong));
        assert!(text(&wrong).contains(why), "{}", text(&wrong));
    }
}

#[test]
fn a_launch_that_is_given() {
    let folder = folder();
    let check = |launch: &str| duet(folder.path(), &["rows.cu", "-DSIZE=1", "--launch", launch]);
    let proved = check("rows<<<4, 64>>>(width=64)");
    assert_eq!(proved.status.code(), Some(0), "{}", text(&proved));
    let refuted = check("rows<<<4, 64>>>(width=32)");
    assert_eq!(refuted.status.code(), Some(1), "{}", text(&refuted));
    let any = check("rows<<<4, 64>>>(width=*)");
    assert_eq!(any.status.code(), Some(1), "{}", text(&any));
    let unknown = check("rows<<<4, 64>>>(height=32)");
    assert_eq!(unknown.status.code(), Some(4), "{}", text(&unknown));
    assert!(text(&unknown).contains("no scalar parameter `height`"), "{}", text(&unknown));
}

#[test]
fn any_launch_is_a_softer_question() {
    let folder = folder();
    let output = duet(folder.path(), &["rows.cu", "main.cu", "-DSIZE=64", "--any-launch"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("rows, for any launch: refuted"), "{}", text(&output));
}

#[test]
fn kernels_that_only_their_file_sees_get_their_own_launches() {
    let folder = tempfile::tempdir().expect("a folder");
    let kernel = "static __global__ void k(int *a) { a[threadIdx.x % WIDTH] = threadIdx.x; }\n";
    let first = format!("#define WIDTH 64\n{kernel}void f(int *a) {{ k<<<1, 64>>>(a); }}\n");
    let second = format!(
        "#define WIDTH 32\n{kernel}void f(int *a);\nint main() {{\n  int *a;\n\
         cudaMalloc(&a, 256);\n  f(a);\n  k<<<1, 32>>>(a);\n}}\n"
    );
    write(&folder, "first.cu", &first);
    write(&folder, "second.cu", &second);
    let output = duet(folder.path(), &["first.cu", "second.cu"]);
    let said = text(&output);
    assert!(said.contains("first.cu:3 k<<<1, 64>>>: proved"), "{said}");
    assert!(said.contains("second.cu:8 k<<<1, 32>>>: proved"), "{said}");
    assert_eq!(output.status.code(), Some(0), "{said}");
    // The launch of the one is not taken for that of the other.
    write(&folder, "first.cu", &first.replace("k<<<1, 64>>>", "k<<<1, 128>>>"));
    let output = duet(folder.path(), &["first.cu", "second.cu"]);
    let said = text(&output);
    assert!(said.contains("first.cu:3 k<<<1, 128>>>: refuted"), "{said}");
    assert!(said.contains("second.cu:8 k<<<1, 32>>>: proved"), "{said}");
}

#[test]
fn a_run_at_a_launch_can_be_repeated() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/programs");
    for (name, rule) in [
        ("helper-bug", "out-of-bounds"),
        ("overlap-bug", "read-write-race"),
        ("struct-by-value-bug", "read-write-race"),
    ] {
        let said = text(&duet(&programs, &[&format!("{name}.cu")]));
        let line = said.lines().map(str::trim).find(|line| line.starts_with("duet run"));
        let line = line.unwrap_or_else(|| panic!("{name}: {said}"));
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .current_dir(&programs)
            .args(&words)
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .output()
            .expect("duet runs");
        assert!(text(&output).contains(&format!("error[{rule}]")), "{line}: {}", text(&output));
    }
}

#[test]
fn the_project_file_accepts_findings_with_a_reason() {
    let folder = folder();
    let check = |line: &str| {
        write(&folder, "duet.toml", &format!("accept = [{line}]\n"));
        duet(folder.path(), &["rows.cu", "main.cu", "-DSIZE=128"])
    };
    let refuted = check("");
    assert_eq!(refuted.status.code(), Some(1), "{}", text(&refuted));
    let races = "\"write-write-race in rows: rows overlap, and the host knows\", \
                 'out-of-bounds in rows: the last row is padded'";
    let accepted = check(races);
    assert_eq!(accepted.status.code(), Some(0), "{}", text(&accepted));
    assert!(text(&accepted).contains("suppressed by project file"), "{}", text(&accepted));
    let other = check(&races.replace("in rows", "in columns"));
    assert_eq!(other.status.code(), Some(1), "{}", text(&other));
    let wrong = check("\"write-write-race in rows\"");
    assert_eq!(wrong.status.code(), Some(4), "{}", text(&wrong));
}

#[test]
fn a_missing_header_is_an_assumption() {
    let folder = tempfile::tempdir().expect("a folder");
    let kernel = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n\
         int main() { int *a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); }\n";
    let belief = "headers that were not found change nothing about the kernels";
    for (text, is_believed) in
        [(format!("#include <nowhere.h>\n{kernel}"), true), (kernel.to_string(), false)]
    {
        write(&folder, "k.cu", &text);
        let output = duet(folder.path(), &["k.cu", "--format=json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let assumptions = report["kernels"][0]["assumptions"].to_string();
        assert_eq!(report["kernels"][0]["verdict"], "proved", "{report:#}");
        assert_eq!(assumptions.contains(belief), is_believed, "{assumptions}");
    }
}

/// A header that only the build's folders hold is read, whether CMake or make names them.
#[test]
fn headers_are_found_where_the_build_looks() {
    let folder = tempfile::tempdir().expect("a folder");
    let kernel = "#include <width.h>\n__global__ void k(int *a) { a[threadIdx.x % WIDTH] = 1; }\n\
         int main() { int *a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); }\n";
    std::fs::create_dir_all(folder.path().join("app")).expect("a folder");
    std::fs::create_dir_all(folder.path().join("inc")).expect("a folder");
    write(&folder, "app/k.cu", &kernel.replace("= 1", "= threadIdx.x"));
    let verdict = |width: u32| {
        write(&folder, "inc/width.h", &format!("#define WIDTH {width}\n"));
        duet(&folder.path().join("app"), &["k.cu"]).status.code()
    };
    assert_eq!(verdict(32), Some(3));
    write(&folder, "app/Makefile", "k: k.cu\n\tnvcc -I../inc k.cu -o k\n");
    assert_eq!((verdict(32), verdict(31)), (Some(0), Some(1)));
    std::fs::remove_file(folder.path().join("app/Makefile")).expect("the file");
    write(&folder, "CMakeLists.txt", "include_directories(${CMAKE_CURRENT_SOURCE_DIR}/inc)\n");
    assert_eq!((verdict(32), verdict(31)), (Some(0), Some(1)));
}

/// A part of the program that cannot be read may launch the kernel in other ways than a run
/// makes up.
#[test]
fn a_launch_that_is_not_read_refutes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "k.cu", "__global__ void k(int *a) { a[0] = threadIdx.x; }\n");
    write(&folder, "main.cu", "int main() { return lenght; }\n");
    let output = duet(folder.path(), &["k.cu", "main.cu"]);
    assert!(text(&output).contains("k: unproven"), "{}", text(&output));
    let alone = duet(folder.path(), &["k.cu"]);
    assert!(text(&alone).contains("k: refuted"), "{}", text(&alone));
}

#[test]
fn launches_of_a_file_share_a_time_limit() {
    let folder = folder();
    let args = ["rows.cu", "main.cu", "-DSIZE=64", "--file-timeout=0.000001"];
    let output = duet(folder.path(), &args);
    assert!(text(&output).contains("time-limit"), "{}", text(&output));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

/// Instances of a template.
const INSTANCES: &str = "template <class T, int Unused> __global__ void fill(T *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] + 1;
}
template <class T> __global__ void shift(T *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[(i + 1) % n];
}
int main() {
  int *a; unsigned *b; short *c;
  cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaMalloc(&c, 4096);
  fill<int, 1><<<4, 256>>>(a, 1024);
  fill<int, 2><<<4, 256>>>(a, 1024);
  fill<unsigned, 3><<<4, 256>>>(b, 1024);
  fill<int, 4><<<4, 256>>>(a, 1000);
  fill<int, 5><<<2, 256>>>(a, 1024);
  fill<short, 6><<<4, 256>>>(c, 1024);
  shift<<<4, 256>>>(a, 1024);
  shift<<<4, 256>>>(b, 1024);
}
";

/// The kernels of the report of a program of one file, with the work that each took.
fn kernels_with_work(text: &str) -> (Value, Vec<(String, u64)>) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "all.cu", text);
    let report = json(&duet(folder.path(), &["all.cu", "--format=json", "--jobs=1"]));
    let kernels = report["kernels"].as_array().cloned().unwrap_or_default();
    let with_work = |kernel: &Value| {
        let name = kernel["name"].as_str().unwrap_or_default().to_string();
        (name, kernel["timings"]["work"].as_u64().unwrap_or(u64::MAX))
    };
    let works = kernels.iter().map(with_work).collect();
    (report, works)
}

#[test]
fn instances_with_the_same_code_are_checked_once() {
    let (report, works) = kernels_with_work(INSTANCES);
    let free: Vec<&str> =
        works.iter().filter(|(_, work)| *work == 0).map(|(name, _)| name.as_str()).collect();
    let is_free = |part: &str| free.iter().any(|name| name.contains(part));
    assert!(is_free("fill<int, 2>"), "{works:?}");
    assert!(!is_free("fill<int, 1>"), "{works:?}");
    let kernels = report["kernels"].as_array().expect("kernels");
    let fills = kernels.iter().filter(|one| one["name"].as_str().unwrap_or("").contains("fill"));
    assert!(fills.clone().all(|one| one["verdict"] == "proved"), "{report}");
}

/// Another size, another argument, another type: each is checked for itself.
#[test]
fn instances_that_differ_have_other_keys() {
    let (_, works) = kernels_with_work(INSTANCES);
    for part in ["fill<int, 4>", "fill<int, 5>", "fill<short, 6>"] {
        let work = works.iter().find(|(name, _)| name.contains(part));
        assert!(work.is_some_and(|(_, work)| *work > 0), "{part}: {works:?}");
    }
}

/// A defect of a template that two launches show, at different lines, is told once.
#[test]
fn findings_of_instances_are_one() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "all.cu", INSTANCES);
    let told = text(&duet(folder.path(), &["all.cu"]));
    assert_eq!(told.matches("error[read-write-race]").count(), 1, "{told}");
    assert!(told.contains("the same in kernel `all.cu:19 shift<unsigned int>"), "{told}");
}
