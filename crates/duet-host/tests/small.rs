//! Small host programs and what is found in them: overflow is never exploited, and
//! launches that cannot be followed are not forgotten.

use std::path::PathBuf;

use duet_frontend::Options;
use duet_host::Host;

/// What is found in a program of these files.
fn read(texts: &[&str]) -> Host {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| {
            let file = folder.path().join(format!("program{number}.cu"));
            std::fs::write(&file, text).expect("a file can be written");
            file
        })
        .collect();
    duet_host::read(&files, &Options::default()).expect("a program")
}

/// The sizes of the launches of a program, in words.
fn launches(text: &str) -> Vec<String> {
    read(&[text]).sites.iter().map(|site| site.relation.show_launch()).collect()
}

#[test]
fn overflow_is_not_exploited() {
    let found = launches(
        "#include <cstdlib>\n\
         __global__ void k(int n) {}\n\
         int main(int argc, char **argv) {\n\
           int n = atoi(argv[1]);\n\
           int m = n + 1;\n\
           k<<<m > n ? 1 : 2, 32>>>(n);\n\
         }\n",
    );
    assert_eq!(found.len(), 1);
    assert!(found[0].contains('?'), "{found:?}");
}

#[test]
fn constants_are_constants() {
    let found = launches("__global__ void k() {}\nint main() { k<<<dim3(4, 2), 64>>>(); }\n");
    assert_eq!(found, ["<<<(4, 2), 64>>>"]);
}

#[test]
fn a_launch_that_is_not_followed_may_be_any() {
    let host = read(&["__global__ void k(int n) {}\n\
         __global__ void other(int n) {}\n\
         void with(void (*kernel)(int));\n\
         int main() { k<<<1, 32>>>(3); with(k); void *a[1]; cudaLaunchKernel((void *)other, 1, 1, a); }\n"]);
    assert!(host.escaped.iter().any(|kernel| kernel == "_Z1ki"), "{:?}", host.escaped);
    assert!(host.dead.is_empty(), "{:?}", host.dead);
}

/// A case of a switch says the number, whatever was computed; a label for two numbers does not,
/// nor does a case whose variable was changed since.
#[test]
fn a_switch_settles_sizes() {
    let found = launches(
        "#include <cstdlib>\n\
         __global__ void k(int n) {}\n\
         int main(int argc, char **argv) {\n\
           int t = atoi(argv[1]) * 3 + 1;\n\
           switch (t) {\n\
             case 64: k<<<1, t>>>(1); break;\n\
             case 16: case 32: k<<<2, t>>>(1); break;\n\
             case 7: t = t + argc; k<<<3, t>>>(1);\n\
           }\n\
         }\n",
    );
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], "<<<1, 64>>>");
    assert!(!found[1].ends_with(", 16>>>") && !found[1].ends_with(", 32>>>"), "{found:?}");
    assert!(!found[2].ends_with(", 7>>>"), "{found:?}");
}

/// What a launch needs contradicts what holds there: it is never made. Where a function may
/// be called with another number it is.
#[test]
fn a_launch_that_facts_rule_out() {
    let text = |second: &str| {
        format!(
            "#include <cstdlib>\n\
             __global__ void k(int n) {{}}\n\
             static void run(int n) {{ if (n % 4 != 0) k<<<1, 32>>>(n); }}\n\
             int main(int argc, char **argv) {{\n\
               int n = atoi(argv[1]), m = atoi(argv[2]);\n\
               if (n % 4 == 0) run({second});\n\
             }}\n"
        )
    };
    let host = read(&[&text("n")]);
    assert!(host.sites.is_empty() && host.escaped.is_empty(), "{:?}", host.sites);
    assert_eq!(host.dead.into_iter().collect::<Vec<_>>(), ["_Z1ki"]);
    assert_eq!(read(&[&text("m")]).sites.len(), 1);
}

#[test]
fn a_launch_that_is_never_reached() {
    let host = read(&["__global__ void k(int n) {}\n\
         int main() { bool small = false; if (small) k<<<1, 32>>>(3); }\n"]);
    assert!(host.sites.is_empty());
    assert_eq!(host.dead.into_iter().collect::<Vec<_>>(), ["_Z1ki"]);
}

#[test]
fn static_kernels_of_two_files() {
    let first = "static __global__ void k(int n) {}\nvoid f() { k<<<1, 32>>>(1); }\n";
    let second = "static __global__ void k(int n) {}\nvoid f();\n\
        int main() { f(); k<<<1, 64>>>(2); }\n";
    let host = read(&[first, second]);
    assert_eq!(host.sites.len(), 2);
    assert_ne!(host.sites[0].kernel, host.sites[1].kernel);
    assert!(host.sites.iter().all(|site| site.kernel.contains('.')));
}

#[test]
fn launches_of_two_files_are_linked() {
    let first = "__global__ void k(int n) {}\n\
        void launch(int n) { k<<<n, 32>>>(n); }\n";
    let second = "void launch(int n);\nint main() { launch(5); launch(7); }\n";
    let host = read(&[first, second]);
    let sizes: Vec<String> = host.sites.iter().map(|site| site.relation.show_launch()).collect();
    assert_eq!(sizes, ["<<<5, 32>>>", "<<<7, 32>>>"]);
}

/// The contents of tables that are known at the only launch of a program, whose host code
/// begins with this.
fn tables(host_code: &str) -> Vec<Vec<u8>> {
    let text = format!(
        "#include <cstdio>\n__constant__ int t[2];\n__global__ void k() {{}}\n\
         void fill() {{ int b[2] = {{3, 4}}; cudaMemcpyToSymbol(t, b, 8); }}\n\
         int main(int argc, char **argv) {{ int a[2] = {{1, 2}}; cudaStream_t s;\n\
         {host_code}\n}}\n"
    );
    let host = read(&[&text]);
    assert_eq!(host.sites.len(), 1, "{host_code}");
    host.sites[0].tables.iter().map(|table| table.contents.clone()).collect()
}

#[test]
fn tables_that_are_known() {
    let known = vec![vec![1, 0, 0, 0, 2, 0, 0, 0]];
    assert_eq!(tables("cudaMemcpyToSymbol(t, a, 8); k<<<1, 1>>>();"), known);
    assert_eq!(tables("cudaSetDevice(1); cudaMemcpyToSymbol(t, a, 8); k<<<1, 1>>>();"), known);
    let often = "cudaMemcpyToSymbol(t, a, 8); for (int i = 0; i < argc; i++) k<<<1, 1>>>();";
    assert_eq!(tables(often), known);
}

#[test]
fn tables_that_are_not_known() {
    for host_code in [
        // Never filled, filled afterwards, or perhaps.
        "k<<<1, 1>>>();",
        "k<<<1, 1>>>(); cudaMemcpyToSymbol(t, a, 8);",
        "if (argc > 1) cudaMemcpyToSymbol(t, a, 8); k<<<1, 1>>>();",
        // A part of it, or from another place on.
        "cudaMemcpyToSymbol(t, a, 4); k<<<1, 1>>>();",
        "cudaMemcpyToSymbol(t, a, 4, 4); k<<<1, 1>>>();",
        // By two calls, or with what the host reads.
        "cudaMemcpyToSymbol(t, a, 8); fill(); k<<<1, 1>>>();",
        "scanf(\"%d\", a); cudaMemcpyToSymbol(t, a, 8); k<<<1, 1>>>();",
        "a[argc] = 5; cudaMemcpyToSymbol(t, a, 8); k<<<1, 1>>>();",
        // On another device, or while the copy may go on.
        "cudaMemcpyToSymbol(t, a, 8); cudaSetDevice(1); k<<<1, 1>>>();",
        "cudaStreamCreate(&s); cudaMemcpyToSymbol(t, a, 8); k<<<1, 1, 0, s>>>();",
        // Its address is known elsewhere too.
        "void *p; cudaGetSymbolAddress(&p, t); cudaMemcpyToSymbol(t, a, 8); k<<<1, 1>>>();",
    ] {
        assert_eq!(tables(host_code), Vec::<Vec<u8>>::new(), "{host_code}");
    }
}
