//! `duet equiv`: side conditions of the design that no other test holds, each with its pair,
//! in both orders.

use std::process::Command;

/// Exit code and text, for both orders.
fn both(a: &str, b: &str, options: &[&str]) -> [(Option<i32>, String); 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |first: &str, second: &str| {
        for (name, text) in [("a.cu", first), ("b.cu", second)] {
            std::fs::write(folder.path().join(name), text).expect("writes");
        }
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .current_dir(folder.path())
            .args(["equiv", "a.cu", "b.cu"])
            .args(options)
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .output()
            .expect("duet runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    [run(a, b), run(b, a)]
}

fn kernel(params: &str, body: &str) -> String {
    format!("__global__ void k({params}) {{ {body} }}\n")
}

fn codes(said: &[(Option<i32>, String); 2]) -> [Option<i32>; 2] {
    [said[0].0, said[1].0]
}

const IN_OUT: &str = "int *out, const int *in";

/// Trap 20. A relation that leaves only blocks of one thread, and it is said.
#[test]
fn blocks_of_one_thread_are_said() {
    let turned = kernel(
        IN_OUT,
        "__shared__ int s[8]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); out[t] = s[blockDim.x - 1 - t];",
    );
    let plain = kernel(IN_OUT, "out[threadIdx.x] = in[threadIdx.x];");
    let said = both(&turned, &plain, &["--grid-dim=1", "--given", "blockDim_a.x == 1"]);
    for (code, text) in &said {
        let is_said = text.contains("every launch that was found has blocks of one thread");
        assert!(*code == Some(0) && is_said, "{text}");
    }
    let said = both(&turned, &plain, &["--grid-dim=1", "--given", "blockDim_a.x <= 8"]);
    assert_eq!(codes(&said), [Some(1); 2], "{said:?}");
}

/// Condition 10. Tables with the same initialisers, or none, are taken to hold the same; tables with
/// different ones are not, and runs begin with each side's own.
#[test]
fn tables_with_other_initialisers() {
    let table = |init: &str| {
        let body = kernel(
            "int *out",
            "int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = tab[i & 3];",
        );
        format!("__constant__ int tab[4]{init};\n{body}")
    };
    let fixed = |init: &str| table(init).replace("__constant__ int", "__constant__ const int");
    let (four, five) = (" = {1, 2, 3, 4}", " = {1, 2, 3, 5}");
    let assumed = "assuming: `tab` has the same contents on both sides";
    for (a, b) in [(table(four), table(four)), (table(""), table(""))] {
        for (code, text) in both(&a, &b, &["--grid-dim=1"]) {
            assert!(code == Some(0) && text.contains(assumed), "{text}");
        }
    }
    for (a, b) in [(table(four), table(five)), (fixed(four), fixed(five))] {
        for (code, text) in both(&a, &b, &["--grid-dim=1"]) {
            assert_eq!(code, Some(1), "{text}");
        }
    }
    // The host fills one of them: that it fills in the same is not known, nor the contrary.
    for (code, text) in both(&table(four), &table(""), &["--grid-dim=1"]) {
        assert_eq!(code, Some(2), "{text}");
    }
}

/// Condition 15. A plain store before the atomics is their base, one after them the end of them.
#[test]
fn plain_stores_and_atomics() {
    let add = "atomicAdd(&out[in[t] & 7], 1);";
    let before = format!("int t = threadIdx.x; out[t] = 0; __syncthreads(); {add}");
    let after = format!("int t = threadIdx.x; {add} __syncthreads(); out[t] = 0;");
    let options = ["--grid-dim=1", "--block-dim=8"];
    let said = both(&kernel(IN_OUT, &before), &kernel(IN_OUT, &after), &options);
    assert_eq!(codes(&said), [Some(1); 2], "{said:?}");
    // Operations whose order matters are refused, even against themselves.
    let exchange = kernel(IN_OUT, "atomicExch(&out[0], in[threadIdx.x]);");
    let said = both(&exchange, &exchange, &["--grid-dim=1"]);
    assert_eq!(codes(&said), [Some(2); 2], "{said:?}");
}

/// Condition 17. A dimension that one kernel reads is not one for the other either.
#[test]
fn dimensions_that_one_kernel_reads() {
    let row = kernel("int *out", "out[threadIdx.x] = 1;");
    let plane = kernel("int *out", "out[threadIdx.x + blockDim.x * threadIdx.y] = 1;");
    let said = both(&row, &plane, &["--grid-dim=1"]);
    assert_eq!(codes(&said), [Some(1); 2], "{said:?}");
}

/// Condition 8. That A's event is the last one says nothing of B's.
#[test]
fn a_later_interval_of_the_other_side() {
    let start = "int t = threadIdx.x; out[t] = in[t]; __syncthreads(); if (t == 0) out[1] = 5;";
    let more = format!("{start} __syncthreads(); if (t == 2) out[1] = in[1];");
    let options = ["--grid-dim=1", "--block-dim=8"];
    let said = both(&kernel(IN_OUT, start), &kernel(IN_OUT, &more), &options);
    assert_eq!(codes(&said), [Some(1); 2], "{said:?}");
}

/// Condition 18. A float has no partner of another type.
#[test]
fn floats_of_other_widths() {
    let of = |ty: &str| kernel(&format!("int *out, {ty} x"), "out[threadIdx.x] = x > 1;");
    let said = both(&of("float"), &of("double"), &["--grid-dim=1"]);
    assert_eq!(codes(&said), [Some(4); 2], "{said:?}");
}

/// A relation is stated in numbers of 128 bits, of which nothing keeps ranges.
#[test]
fn relations_with_numbers() {
    let params = "float *y, const float *x, float a, int n";
    let one = kernel(
        params,
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i];",
    );
    let given = "gridDim_a.x * blockDim_a.x < 1000000 && gridDim_b.x * blockDim_b.x < 1000000 && gridDim_a.x * blockDim_a.x >= n && gridDim_b.x * blockDim_b.x >= n";
    let strided = kernel(
        params,
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];",
    );
    for (code, text) in both(&one, &strided, &["--given", given]) {
        assert!(matches!(code, Some(0 | 2)), "{text}");
    }
}

/// Condition 23. Runs of one launch prove nothing.
#[test]
fn a_fixed_launch_is_not_shown() {
    let copy = kernel(IN_OUT, "out[threadIdx.x] = in[threadIdx.x];");
    let said = both(&copy, &copy, &["--fixed", "--grid-dim=1", "--block-dim=4"]);
    assert_eq!(codes(&said), [Some(2); 2], "{said:?}");
}

/// Condition 12. Loops of more than 2^31 iterations.
#[test]
fn more_iterations_than_a_signed_count_has() {
    let with = |step: &str| {
        let body = "int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned s = 0; for (unsigned k = 0; k < n; k++) s = s * 3 + STEP; out[i] = s;";
        kernel("unsigned *out, unsigned n", &body.replace("STEP", step))
    };
    let said = both(&with("1u"), &with("(k < 0x80000000u ? 1u : 2u)"), &[]);
    assert_eq!(codes(&said), [Some(2); 2], "{said:?}");
}

/// Condition 19. What only one side needs is said first, and refused if nothing undefined may be
/// assumed.
#[test]
fn an_assumption_of_one_side_is_in_the_headline() {
    let params = "int *out, const int *in, int n";
    let row = |body: &str| {
        let id = "int r = blockIdx.x * blockDim.x + threadIdx.x; int s = 0, k = 0;";
        kernel(params, &format!("{id} {body} out[r] = s;"))
    };
    let plain = row("for (; k < n; k++) s += in[k];");
    let pairs = row(
        "for (; k < n - 1; k += 2) { s += in[k]; s += in[k + 1]; } for (; k < n; k++) s += in[k];",
    );
    for (code, text) in both(&plain, &pairs, &["--grid-dim=1"]) {
        let (first, _) = text.split_once('\n').unwrap_or_default();
        assert!(code == Some(0) && first.contains("equal only where"), "{text}");
    }
    let said = both(&plain, &pairs, &["--grid-dim=1", "--strict"]);
    assert_eq!(codes(&said), [Some(2); 2], "{said:?}");
}

/// Every trap and every side condition of the design has its pair.
#[test]
fn all_traps_and_conditions_are_tests() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let names = ["equiv", "equiv_conditions", "equiv_families", "equiv_planted"];
    let texts = names.map(|name| {
        std::fs::read_to_string(folder.join(name).with_extension("rs")).expect("a test")
    });
    for word in ["Trap", "Condition"] {
        let lines = texts.iter().flat_map(|text| text.lines());
        let marks = lines.filter_map(|line| line.strip_prefix("/// "));
        let numbers = marks.flat_map(|line| line.split(". ")).filter_map(|mark| {
            let numbers = mark.strip_prefix(word)?.trim_start_matches('s').trim_end_matches('.');
            let all: Option<Vec<u32>> =
                numbers.split(',').map(|number| number.trim().parse().ok()).collect();
            all
        });
        let found: std::collections::BTreeSet<u32> = numbers.flatten().collect();
        assert!(found.into_iter().eq(1..=24), "{word}");
    }
}
