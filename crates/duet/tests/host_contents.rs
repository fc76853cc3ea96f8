//! What the host code shows of counters and flags takes the place of the assumption that
//! they are 0 at launch, and nothing less does.

use std::process::Command;

/// A kernel that counts its blocks in `count`, which is a parameter or a variable.
fn sum(name: &str, params: &str, count: &str, more: &str) -> String {
    format!(
        "__global__ void {name}(int *part, int *total{params}) {{
  __shared__ bool is_last;
  if (threadIdx.x == 0) {{
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    is_last = atomicAdd({count}, 1) >= gridDim.x - 1;
    __threadfence();
  }}
  __syncthreads();
  if (is_last && threadIdx.x == 0) {{
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; i++) all += part[i];
    total[0] = all;
    {more}
  }}
}}\n"
    )
}

/// The line of a launch of `sum` and what it assumes.
fn check(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.cu");
    std::fs::write(&file, text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("check")
        .arg(&file)
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let at = text.find(" sum<<<").unwrap_or_else(|| panic!("no launch: {output:?}"));
    text[at..].lines().take(2).collect::<Vec<_>>().join("\n")
}

const ASSUMED: &str = "`count` is 0 at launch";

fn is_shown(text: &str) {
    let line = check(text);
    assert!(line.contains(": proved") && !line.contains(ASSUMED), "{text}\n{line}");
}

fn is_assumed(text: &str) {
    let line = check(text);
    assert!(line.contains(ASSUMED), "{text}\n{line}");
}

const ALLOCATED: &str = "int *part, *total; cudaMalloc(&part, 16); cudaMalloc(&total, 4);";

#[test]
fn zeros_that_the_host_shows_are_not_assumed() {
    let kernel = sum("sum", ", unsigned *count", "count", "");
    let main = |body: &str| {
        format!(
            "{kernel}int main() {{ {ALLOCATED} unsigned *count; cudaMalloc(&count, 4); {body} }}"
        )
    };
    let launch = "sum<<<4, 64>>>(part, total, count);";
    is_shown(&main(&format!("cudaMemset(count, 0, 4); {launch}")));
    is_assumed(&main(&format!("cudaMemset(count, 0, 4); for (int i = 0; i < 2; i++) {launch}")));
    is_assumed(&main(&format!(
        "cudaStream_t s; cudaStreamCreate(&s); cudaMemsetAsync(count, 0, 4, s); {launch}"
    )));
}

/// A kernel that keeps an address lets a later one write there without being given it.
#[test]
fn memory_whose_address_a_kernel_keeps() {
    let program = |keeper: &str| {
        format!(
            "{}__device__ unsigned *kept;
__global__ void keeper(unsigned *count) {{ {keeper} }}
__global__ void writer() {{ if (kept) *kept = 3; }}
int main() {{ {ALLOCATED} unsigned *count; cudaMalloc(&count, 4); keeper<<<1, 1>>>(count);
  cudaMemset(count, 0, 4); writer<<<1, 1>>>(); sum<<<4, 64>>>(part, total, count); }}\n",
            sum("sum", ", unsigned *count", "count", "")
        )
    };
    is_shown(&program("*count = 1;"));
    let told = check(&program("kept = count;"));
    let line = told.lines().next().unwrap_or_default();
    assert!(!line.contains(": proved") || told.contains(ASSUMED), "{told}");
}

/// Each of these has a variable that starts at zero, and a reason not to believe it.
#[test]
fn variables_that_are_not_known() {
    let variable = |other: &str, body: &str| {
        let kernel = sum("sum", "", "&count", "");
        format!(
            "__device__ unsigned count;\n{other}\n{kernel}int main() {{ {ALLOCATED} {body} }}\n"
        )
    };
    let launch = "sum<<<4, 64>>>(part, total);";
    is_shown(&variable("", launch));
    let set = "__global__ void set() { count = 3; }";
    let keep = "__device__ unsigned *kept; __global__ void set() { kept = &count; }";
    let helper = "void again(int *part, int *total);";
    let broken = [
        // It is launched again, or by a function that is called again.
        variable("", &format!("for (int i = 0; i < 2; i++) {launch}")),
        variable("", &format!("{launch} {launch}")),
        variable(helper, &format!("{launch} again(part, total);")),
        // Another kernel writes it, or keeps its address.
        variable(set, &format!("set<<<1, 1>>>(); {launch}")),
        variable(keep, &format!("set<<<1, 1>>>(); {launch}")),
        // Host code uses it.
        variable("", &format!("int h = 3; cudaMemcpyToSymbol(count, &h, 4); {launch}")),
        variable("", &format!("void *p; cudaGetSymbolAddress(&p, count); {launch}")),
        // Recorded, and run again later.
        variable(
            "",
            &format!(
                "cudaStream_t s; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); {launch}"
            ),
        ),
    ];
    broken.iter().for_each(|text| is_assumed(text));
}
