//! Signed overflow of host code is never exploited.

use duet_frontend::Options;

/// The sizes of the launches of a program, in words.
fn launches(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.cu");
    std::fs::write(&file, text).expect("a file can be written");
    let host = duet_host::read(&[file], &Options::default()).expect("a program");
    host.sites.iter().map(|site| site.relation.show_launch()).collect()
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
