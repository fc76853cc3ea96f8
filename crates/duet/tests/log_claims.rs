//! Invariants about logged accesses: which are findings, and which are listed as not
//! checked because nothing rests on them.

use std::process::Command;

/// Checks a kernel for 64 threads and two blocks; the exit code and what was said.
fn check(source: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cu"), source).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(folder.path())
        .args(["check", "k.cu", "--blockDim=64", "--gridDim=2"])
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// A loop in which the first thread fills ten elements, with this invariant.
fn filling(invariant: &str) -> (Option<i32>, String) {
    check(&format!(
        "__global__ void k(int *a) {{
  for (int i = 0; __invariant(i >= 0), __invariant({invariant}), i < 10; i++)
    if (threadIdx.x + blockIdx.x == 0)
      a[i] = i;
}}
"
    ))
}

#[test]
fn a_claim_about_the_counter_is_shown_or_listed() {
    // Kept by each iteration, and true on the next arrival.
    let (code, text) = filling("__write_implies(a, __write_offset_bytes(a) < i * sizeof(int))");
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("not checked"), "{text}");
    // Not true on the next arrival; true there, but not kept.
    for claim in [
        "__write_implies(a, __write_offset_bytes(a) + 4 < i * sizeof(int))",
        "__write_implies(a, __write_offset_bytes(a) + 4 == i * sizeof(int))",
    ] {
        let (code, text) = filling(claim);
        assert_eq!(code, Some(0), "{claim}: {text}");
        assert!(text.contains("(line 2), which were not checked"), "{claim}: {text}");
    }
}

/// The inner loop begins anew while the writes of before are still logged.
#[test]
fn a_claim_of_an_inner_loop_is_not_shown_by_its_own_iterations() {
    let (code, text) = check(
        "__global__ void k(int *a) {
  for (int j = 0; j < 2; j++)
    for (int i = 0; __invariant(i >= 0),
         __invariant(__write_implies(a, __write_offset_bytes(a) < i * sizeof(int))), i < 10; i++)
      if (threadIdx.x + blockIdx.x == 0)
        a[i] = i;
}
",
    );
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("which were not checked"), "{text}");
}

/// After the loop `i` is 8, and no write was there. Whoever takes `i` for the counter at
/// the time of the write finds the claim true.
#[test]
fn a_claim_about_what_a_loop_left_is_a_finding() {
    let (code, text) = check(
        "__global__ void k(int *a) {
  int i = 0;
  for (; i < 8; i++)
    a[blockIdx.x * 512 + threadIdx.x * 8 + i] = i;
  __function_wide_invariant(
      __write_implies(a, __write_offset_bytes(a) / 4 == blockIdx.x * 512 + threadIdx.x * 8 + i));
}
",
    );
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("error[invariant-failed]"), "{text}");
}

#[test]
fn a_function_wide_claim_that_cannot_be_told_is_a_finding() {
    for claim in [
        "__write_implies(a, __write_offset_bytes(a) == 4 * b[0])",
        "__write_implies(a, __other_int(threadIdx.x) != __write_offset_bytes(a))",
    ] {
        let (code, text) = check(&format!(
            "__global__ void k(int *a, const int *b) {{ a[blockIdx.x * 64 + threadIdx.x] = 0; \
             __function_wide_invariant({claim}); }}\n"
        ));
        assert_eq!(code, Some(2), "{claim}: {text}");
        assert!(text.contains("error[invariant-failed]"), "{claim}: {text}");
    }
}

/// Each element of a wide access counts.
#[test]
fn elements_of_vectors_are_claimed_one_by_one() {
    let kernel = |claim: &str| {
        format!(
            "__global__ void k(int *a) {{ int x = blockIdx.x * 64 + threadIdx.x; a[4 * x] = 1;
               *(int4 *)(a + 4 * x) = make_int4(1, 2, 3, 4);
               __function_wide_invariant(__write_implies(a, {claim})); }}\n"
        )
    };
    let (code, text) = check(&kernel("__write_offset_bytes(a) / 16 == x"));
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = check(&kernel("__write_offset_bytes(a) % 16 == 0"));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("error[invariant-failed]"), "{text}");
}
