//! What launches find in memory that the host allocates: `cudaMemset` in the order of the
//! program, and everything that spoils it.

use duet_frontend::Options;
use duet_host::{Argument, Host};
use duet_ir::Found;

fn read(text: &str) -> Host {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.cu");
    std::fs::write(&file, text).expect("a file can be written");
    duet_host::read(&[file], &Options::default()).expect("a program")
}

/// What the launches of `k` find behind their first argument.
fn found(body: &str) -> Vec<Found> {
    let text = format!(
        "#include <cstdlib>\n#include <thread>\nstatic int *kept;\n\
         __global__ void k(unsigned *count, int *data) {{}}\n\
         __global__ void other(int *data) {{}}\n\
         int main(int argc, char **argv) {{\n  int n = atoi(argv[1]);\n\
         int *data;\n  cudaMalloc(&data, 256);\n  cudaStream_t s, t;\n\
         cudaStreamCreate(&s);\n  cudaStreamCreate(&t);\n  unsigned *count;\n  {body}\n}}\n"
    );
    let host = read(&text);
    let sites = host.sites.iter().filter(|site| site.kernel.starts_with("_Z1k"));
    let first = |site: &duet_host::Site| {
        let arguments = site.relation.arguments.as_ref().expect("arguments");
        let Argument::Pointer { base, .. } = arguments[0] else { panic!("no pointer") };
        site.relation.bases[base].found
    };
    sites.map(first).collect()
}

const ZEROS: Found = Found::Filled { byte: 0, bytes: None };

#[test]
fn memory_that_is_known() {
    let set = "cudaMalloc(&count, 4); cudaMemset(count, 0, 4);";
    assert_eq!(found(&format!("{set} k<<<4, 32>>>(count, data);")), [ZEROS]);
    // Other kernels come in between, and copies from it.
    let others = "other<<<4, 32>>>(data); int h; cudaMemcpy(&h, count, 4, cudaMemcpyDeviceToHost);";
    assert_eq!(found(&format!("{set} {others} k<<<4, 32>>>(count, data);")), [ZEROS]);
    // Before each launch of a loop.
    let each =
        "for (int i = 0; i < n; i++) { cudaMemset(count, 0, 4); k<<<4, 32>>>(count, data); }";
    assert_eq!(found(&format!("cudaMalloc(&count, 4); {each}")), [ZEROS]);
    // Of a size that is not a number, in a stream of its own.
    let sized =
        "cudaMalloc(&count, n * sizeof(int)); cudaMemsetAsync(count, 0, n * sizeof(int), s);";
    assert_eq!(found(&format!("{sized} k<<<4, 32, 0, s>>>(count, data);")), [ZEROS]);
    // Another stream, but the device is waited for.
    let waited = "cudaMemset(count, 0, 4); cudaDeviceSynchronize();";
    assert_eq!(
        found(&format!("cudaMalloc(&count, 4); {waited} k<<<4, 32, 0, s>>>(count, data);")),
        [ZEROS]
    );
    let ones = "cudaMalloc(&count, 4); cudaMemset(count, 1, 4); k<<<4, 32>>>(count, data);";
    assert_eq!(found(ones), [Found::Filled { byte: 1, bytes: None }]);
    let partly = "cudaMalloc(&count, 64); cudaMemset(count, 0, 8); k<<<4, 32>>>(count, data);";
    assert_eq!(found(partly), [Found::Filled { byte: 0, bytes: Some(8) }]);
}

#[test]
fn memory_that_nothing_was_written_to() {
    assert_eq!(found("cudaMalloc(&count, 4); k<<<4, 32>>>(count, data);"), [Found::Unset]);
    let late = "cudaMalloc(&count, 4); k<<<4, 32>>>(count, data); cudaMemset(count, 0, 4);";
    assert_eq!(found(late), [Found::Unset]);
    let twice = "cudaMalloc(&count, 4); cudaMemset(count, 0, 4); cudaFree(count); \
                 cudaMalloc(&count, 4); k<<<4, 32>>>(count, data);";
    assert_eq!(found(twice), [Found::Unset]);
    let mut both =
        found("cudaMalloc(&count, 4); k<<<4, 32>>>(count, data); k<<<5, 32>>>(count, data);");
    assert_eq!(both.remove(0), Found::Unset);
    assert_eq!(both, [Found::Unknown]);
}

/// Each of these has a `cudaMemset` with zeros, and a reason not to believe it.
#[test]
fn memory_that_is_not_known() {
    let launch = "k<<<4, 32>>>(count, data);";
    let set = "cudaMemset(count, 0, 4);";
    let broken = [
        // The second iteration finds what the first left.
        format!("{set} for (int i = 0; i < n; i++) {launch}"),
        // A kernel or a copy in between writes it.
        format!("{set} other<<<1, 32>>>((int *)count); {launch}"),
        format!("{set} cudaMemcpy(count, &n, 4, cudaMemcpyHostToDevice); {launch}"),
        format!("{set} cudaMemcpy(count, data, 4, cudaMemcpyDeviceToDevice); {launch}"),
        format!("{set} if (n) other<<<1, 32>>>((int *)count); {launch}"),
        // Only on one way.
        format!("if (n) {set} {launch}"),
        // Another stream, or another device's, comes when it likes.
        format!("cudaMemsetAsync(count, 0, 4, s); {launch}"),
        "cudaMemsetAsync(count, 0, 4, s); k<<<4, 32, 0, t>>>(count, data);".to_string(),
        format!("{set} k<<<4, 32, 0, s>>>(count, data);"),
        format!("{set} cudaStreamSynchronize(s); k<<<4, 32, 0, s>>>(count, data);"),
        format!("{set} if (n) cudaDeviceSynchronize(); k<<<4, 32, 0, s>>>(count, data);"),
        "cudaMemsetAsync(count, 0, 4, s); if (n) s = t; k<<<4, 32, 0, s>>>(count, data);"
            .to_string(),
        format!("{set} cudaSetDevice(1); {launch}"),
        // A kernel of another stream that still runs.
        format!("other<<<1, 32, 0, s>>>((int *)count); {set} {launch}"),
        format!("cudaMemcpyAsync(count, &n, 4, cudaMemcpyHostToDevice, s); {set} {launch}"),
        // A byte, a place or a number of bytes that is not known.
        format!("cudaMemset(count, n, 4); {launch}"),
        format!("cudaMemset(count + n, 0, 4); {launch}"),
        format!("cudaMemset(count, 0, n); {launch}"),
        format!("cudaMemset(count, 0, 8); {launch}"),
        // The address is known elsewhere.
        format!("{set} kept = (int *)count; {launch}"),
        format!(
            "{set} unsigned *both[2] = {{count, count}}; other<<<1, 32>>>((int *)both[n & 1]); {launch}"
        ),
        format!("std::thread worker([] {{}}); {set} {launch}"),
        // Recorded, and run again later.
        format!("{set} cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); {launch}"),
    ];
    for one in broken {
        let found = found(&format!("cudaMalloc(&count, 4); {one}"));
        assert_eq!(found.last(), Some(&Found::Unknown), "{one}: {found:?}");
    }
}

/// A count that stays in memory of another size is only as long as the bytes that were set.
#[test]
fn sizes_that_are_not_the_same_number() {
    let body = "cudaMalloc(&count, n * 4); n = n + 1; cudaMemset(count, 0, n * 4); \
                k<<<4, 32>>>(count, data);";
    assert_eq!(found(body), [Found::Unknown]);
    let loops = "for (int i = 1; i < n; i++) { cudaMalloc(&count, i * 4); \
                 cudaMemset(count, 0, i * 4); k<<<4, 32>>>(count, data); }";
    assert_eq!(found(loops), [ZEROS]);
    let grows = "cudaMalloc(&count, n * 4); for (int i = 1; i < n; i++) { \
                 cudaMemset(count, 0, i * 4); k<<<4, 32>>>(count, data); }";
    assert_eq!(found(grows), [Found::Unknown]);
}
