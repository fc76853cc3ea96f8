//! Families of kernels with rewrites that are equal, and bugs seeded into them: no bug may be
//! called equal, and nearly all must be shown by runs.

use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/equiv").join(name)
}

fn run(words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("equiv")
        .args(words)
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

/// A family: A, B, options, and bugs of B as replacements of text.
struct Family {
    files: [&'static str; 2],
    options: &'static [&'static str],
    bugs: &'static [(&'static str, &'static str)],
}

const FAMILIES: [Family; 10] = [
    Family {
        files: ["transpose-naive.cu", "transpose-padded.cu"],
        options: &[],
        bugs: &[
            ("tx < height && ty < width", "tx < height - 1 && ty < width"),
            ("out[ty * height + tx]", "out[ty * width + tx]"),
            ("int tx = blockIdx.y", "int tx = blockIdx.x"),
            (
                "tile[threadIdx.x * (blockDim.x + 1) + threadIdx.y]",
                "tile[threadIdx.y * (blockDim.x + 1) + threadIdx.x]",
            ),
            ("in[y * width + x]", "in[y * width + x + 1]"),
        ],
    },
    Family {
        files: ["reduce-modulo.cu", "reduce-sequential.cu"],
        options: &["--float=reassoc"],
        bugs: &[
            ("blockDim.x / 2", "blockDim.x / 4"),
            ("k > 0", "k > 1"),
            ("if (t < k)", "if (t < k - 1)"),
            ("if (t == 0)", "if (t == 1)"),
            ("s[t] += s[t + k]", "s[t] += s[k]"),
        ],
    },
    Family {
        files: ["reduce-plain.cu", "reduce-last-warp.cu"],
        options: &[],
        bugs: &[
            ("k > 32; k >>= 1", "k > 64; k >>= 1"),
            ("T v = s[t] + s[t + 32]", "T v = s[t]"),
            ("v += s[t + 8]", "v += s[t + 9]"),
            ("i < n ? in[i] : 0", "i <= n ? in[i] : 0"),
            ("v += s[t + 1];", "v += s[t];"),
        ],
    },
    Family {
        files: ["scan-single.cu", "scan-double.cu"],
        options: &["--block-dim=64"],
        bugs: &[
            ("t >= d", "t > d"),
            ("d < 64", "d < 32"),
            ("p = q;", "p = 0;"),
            ("s[p * 64 + t];\n}", "s[64 + t];\n}"),
            ("+ s[p * 64 + t - d]", "- s[p * 64 + t - d]"),
        ],
    },
    Family {
        files: ["rows.cu", "rows-unrolled.cu"],
        options: &[],
        bugs: &[
            ("k += 4", "k += 5"),
            ("in[r * n + k + 2]", "in[r * n + k + 1]"),
            ("for (; k < n; k++)", "for (; k < n - 1; k++)"),
            ("if (r < m)", "if (r < m - 1)"),
            ("int s = 0", "int s = 1"),
        ],
    },
    Family {
        files: ["stencil.cu", "stencil-halo.cu"],
        options: &[],
        bugs: &[
            ("s[0] = in[i - 1]", "s[0] = in[i]"),
            ("s[t + 2] = in[i + 1]", "s[t + 2] = in[i]"),
            ("i > 0 && i < n - 1) out", "i > 1 && i < n - 1) out"),
            ("(s[t] + s[t + 1]) + s[t + 2]", "(s[t] + s[t + 1]) + s[t + 1]"),
            ("i > 0 && i < n - 1) out", "i > 0 && i < n - 2) out"),
        ],
    },
    Family {
        files: ["matmul-naive.cu", "matmul-tiled.cu"],
        options: &["--block-dim=16,16"],
        bugs: &[
            ("as[ty][k] * bs[k][tx]", "as[k][ty] * bs[k][tx]"),
            ("m < n / 16", "m < n / 16 - 1"),
            ("k < 16; k++", "k < 15; k++"),
            ("(m * 16 + ty) * n", "(m * 16 + tx) * n"),
            ("c[row * n + col]", "c[col * n + row]"),
        ],
    },
    Family {
        files: ["dot-one.cu", "dot-block.cu"],
        options: &["--block-dim=8"],
        bugs: &[
            ("k += ACCN", "k += ACCN + 1"),
            ("k < n", "k < n - 1"),
            ("row >= rows", "row > rows"),
            ("b + n * row", "b + row"),
            ("k = ACCN / 2", "k = ACCN / 4"),
            ("s[t] = sum", "s[t] = t < 7 ? sum : 0"),
        ],
    },
    Family {
        files: ["histogram-global.cu", "histogram-over.cu"],
        options: &["--given=gridDim_a.x * blockDim_a.x >= n && gridDim_b.x >= 1", "--grid-dim-b=2"],
        bugs: &[
            ("i < n", "i < n - 1"),
            ("i < n", "i <= n"),
            ("blockDim.x * gridDim.x)", "blockDim.x)"),
            ("1u", "2u"),
            ("bins[in[i]]", "bins[in[i] ^ 1]"),
        ],
    },
    Family {
        files: ["histogram-over.cu", "histogram-shared.cu"],
        options: &["--block-dim=256"],
        bugs: &[
            ("s[k] = 0", "s[k] = 1"),
            ("s[in[i]]", "s[in[i] & 127]"),
            ("i < n", "i < n - 1"),
            ("&bins[k], s[k]", "&bins[k], s[k ^ 1]"),
            ("blockDim.x * gridDim.x)", "blockDim.x)"),
        ],
    },
];

#[test]
fn rewrites_are_equal() {
    for Family { files: [a, b], options, .. } in &FAMILIES {
        // The check of this one takes longer than a test should.
        if b.starts_with("matmul") {
            continue;
        }
        let (x, y) = (file(a), file(b));
        let words = [&[x.to_str().expect("a path"), y.to_str().expect("a path")], *options];
        let (code, text) = run(&words.concat());
        assert_eq!(code, 0, "{a} {b}\n{text}");
    }
}

/// A tree over a number of sums that is no power of two leaves some of them out.
#[test]
fn scalar_products() {
    let (a, b) = (file("dot-one.cu"), file("dot-block.cu"));
    let pair = [a.to_str().expect("a path"), b.to_str().expect("a path")];
    let said = |accn: u32, more: &[&str]| {
        let (size, define) = (format!("--block-dim={accn}"), format!("-DACCN={accn}"));
        let words = [&pair[..], &[&size, &define], more].concat();
        run(&words).0
    };
    let floats = ["-DT=float", "--float=reassoc"];
    for accn in [1, 64, 256] {
        assert_eq!(said(accn, &floats), 0, "{accn}");
    }
    assert_eq!(said(64, &[]), 0);
    for accn in [6, 12] {
        assert_eq!(said(accn, &floats), 1, "{accn}");
        assert_eq!(said(accn, &[]), 1, "{accn}");
    }
    // In exact arithmetic the order of the sum counts.
    assert_eq!(said(64, &["-DT=float"]), 1);
}

#[test]
fn seeded_bugs_are_found() {
    let (mut all, mut shown) = (0, 0);
    for Family { files: [a, b], options, bugs } in &FAMILIES {
        let right = std::fs::read_to_string(file(b)).expect("a file");
        for (from, to) in *bugs {
            let wrong = right.replacen(from, to, 1);
            assert_ne!(right, wrong, "{b}: {from}");
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join(b);
            std::fs::write(&path, wrong).expect("writes");
            let words = [file(a).display().to_string(), path.display().to_string()];
            let words: Vec<&str> =
                words.iter().map(String::as_str).chain(options.iter().copied()).collect();
            let (code, text) = run(&words);
            assert!([1, 2].contains(&code), "{b}: {from} -> {to}\n{text}");
            all += 1;
            shown += i32::from(code == 1);
            if code != 1 {
                eprintln!("not shown by a run: {b}: {from} -> {to}\n{text}");
            }
        }
    }
    assert!(100 * shown >= 95 * all, "{shown} of {all}");
}

#[test]
fn a_difference_says_who_wrote_it() {
    let (a, b) = (file("transpose-naive.cu"), file("transpose-padded-bug.cu"));
    let (a, b) = (a.to_str().expect("a path"), b.to_str().expect("a path"));
    let (code, text) = run(&[a, b]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("written by thread (") && text.contains("of block ("), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let repro = folder.path().join("repro");
    let (code, _) = run(&[a, b, "--emit-repro", repro.to_str().expect("a path")]);
    assert_eq!(code, 1);
    let program = std::fs::read_to_string(repro.join("repro.cu")).expect("a program");
    assert!(program.contains("side_a::transpose<<<") && program.contains("side_b::transpose<<<"));
    let (_, sarif) = run(&[a, b, "--format=sarif"]);
    assert!(sarif.contains("\"not-equivalent\"") && sarif.contains("2.1.0"), "{sarif}");
    let (_, html) = run(&[a, b, "--format=html"]);
    assert!(html.contains("<!doctype html>") && html.contains("extern __shared__"), "{html}");
}

fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(words)
        .output()
        .expect("git runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn an_earlier_commit_is_compared_kernel_by_kernel() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    let text = |first: &str| {
        format!(
            "__global__ void one(int *out, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if ({first}) out[i] = i; }}\n\
             __global__ void two(int *out) {{ out[blockIdx.x * blockDim.x + threadIdx.x] = 2; }}\n"
        )
    };
    git(folder.path(), &["init", "-q"]);
    std::fs::write(&path, text("i < n")).expect("writes");
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "a"]);
    let k = path.to_str().expect("a path");
    std::fs::write(&path, text("n > i")).expect("writes");
    let (code, said) = run(&[k, "--against=HEAD"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches(": equal").count(), 2, "{said}");
    std::fs::write(&path, text("i < n - 1")).expect("writes");
    let (code, said) = run(&[k, "--against=HEAD"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains(": different") && said.contains(": equal"), "{said}");
    let (code, _) = run(&[k, "--against=nothing-like-this"]);
    assert_eq!(code, 3);
}

#[test]
fn a_specification_is_a_kernel_for_one_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path.display().to_string()
    };
    let k = write(
        "k.cu",
        "__global__ void k(int *out, const int *in, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] + 1; }\n",
    );
    let wrong = write(
        "wrong.cu",
        "__global__ void k(int *out, const int *in, int n) { for (int i = 0; i < n; i++) out[i] = in[i] + 2; }\n",
    );
    let reads = write(
        "reads.cu",
        "__global__ void k(int *out, const int *in, int n) { for (int i = 0; i < n; i++) { out[i] = in[i]; out[i] = out[i] + 1; } }\n",
    );
    let given = "--given=gridDim_a.x * blockDim_a.x >= n";
    assert_eq!(run(&[&k, "--spec", &wrong, given]).0, 1);
    let (code, text) = run(&[&k, "--spec", &reads, given]);
    assert_eq!(code, 4, "{text}");
    let right = write(
        "right.cu",
        "__global__ void k(int *out, const int *in, int n) { for (int i = 0; i < n; i++) out[i] = in[i] + 1; }\n",
    );
    let (code, text) = run(&[&k, "--spec", &right, given]);
    assert_eq!(code, 0, "{text}");
}
